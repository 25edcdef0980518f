package reasons_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The example asks why a document stays: its date is a string, and a Date is elsewhere. Each
// rule that was consulted says in its statement what it needs, and whether it applies.
func Example() {
	spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)}}
	sessions, err := reasons.CompileMongoDB(spec, mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := policy.ParseExtJSON([]byte(`{"_id": 1, "createdAt": "2026-11-20T11:00:00Z", "meta": {"at": {"$date": "2026-11-20T10:00:00Z"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	e := reasons.Of(sessions, policy.DOf(doc), 1_795_176_000_000) // 2026-11-20T12:00:00Z
	fmt.Println(e.State(), "by", e.Source.Name+":", e.Source.Field, "holds", reasons.Holding(e.Decision.Rule, e.Found))
	for _, rule := range e.Ladder {
		if e.Applies(rule) {
			fmt.Println("applies:", rule.ID(), rule.Statement())
		} else {
			fmt.Println("does not apply:", rule.ID(), rule.Statement())
		}
	}
	fmt.Println("dates elsewhere:", e.Elsewhere)
	// Output:
	// never by createdAt_1: createdAt holds a string
	// does not apply: mongo.no-ttl If neither an index nor the collection has expireAfterSeconds, nothing expires.
	// does not apply: mongo.index-compound An index of several fields never deletes, whatever its expireAfterSeconds is. Up to 4.0 the server creates such an index and ignores expireAfterSeconds. Later releases refuse to create an index of several fields with expireAfterSeconds.
	// does not apply: mongo.index-special Hashed, text, 2d, 2dsphere and wildcard indexes never delete. Only ascending and descending indexes of one field delete.
	// does not apply: mongo.path-refused The server refuses to index a path with an empty part, such as a..b, or with a part that begins with a dollar sign, such as a.$b. Only the fields of a DBRef, such as $id, may begin with a dollar sign. A refused index does not exist, so nothing expires by it.
	// does not apply: mongo.seconds-not-number If the stored expireAfterSeconds is not a number, the monitor skips the index.
	// does not apply: mongo.nan-skipped The monitor skips an index whose expireAfterSeconds is NaN. In 4.2 and 4.4 createIndexes can create such an index. createIndexes stores 2147483647 in place of NaN (5.0.14 and later in 5.0, 6.0.2 to 6.1), or refuses NaN (7.0 and later). In the releases of these two lists an index has NaN only after an upgrade or an initial sync. No source says what createIndexes of 6.2 and 6.3 does with NaN.
	// does not apply: mongo.seconds-invalid The monitor skips an index whose stored expireAfterSeconds, as a whole number, is below 0 or above 2147483647.
	// does not apply: mongo.field-missing A document without the indexed field never expires.
	// does not apply: mongo.field-null A document whose indexed field is null never expires, because its key in the index is null. With an index on a.b the key is also null if a is an empty array, or a value that is neither an array nor a document.
	// does not apply: mongo.array-empty A document never expires by an index if the index's path ends at an empty array in the document. The index then holds the BSON value undefined for the document.
	// does not apply: mongo.array-nested Dates in an array that is inside another array do not count. In {a: [[date]]} the path a finds the inner array, which is not a Date. In {a: [[{b: date}]]} the path a.b finds nothing, because a field name does not lead into an inner array.
	// applies: mongo.field-not-date Since 3.0 only a BSON Date expires: strings, numbers, ObjectIds, replication timestamps and values of all other types never do. Up to 2.6 a replication timestamp can expire as well as a Date (mongo.timestamp-sorts).
	// dates elsewhere: [meta.at]
}
