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
	// does not apply: mongo.no-ttl Without expireAfterSeconds on an index or on the collection nothing expires.
	// does not apply: mongo.index-compound An index of several fields never deletes, whatever expireAfterSeconds it carries. Releases up to 4.0 create one and ignore the option; later ones refuse it.
	// does not apply: mongo.index-special A hashed, text, 2d, 2dsphere or wildcard index never deletes: only plain ascending or descending indexes do.
	// does not apply: mongo.path-refused A path with an empty part, or with one that begins with a dollar sign, cannot be indexed, except the fields of a DBRef; nothing expires by it.
	// does not apply: mongo.seconds-not-number A stored expireAfterSeconds that is not a number makes the monitor skip the index.
	// does not apply: mongo.nan-skipped An index with expireAfterSeconds NaN is skipped until it is repaired. Since 5.0.14 in 5.0 and in 6.0.2 to 6.1 a NaN gets into the catalog by an upgrade or an initial sync alone: createIndexes stores 2147483647 in its place. Later releases refuse it.
	// does not apply: mongo.seconds-invalid A stored expireAfterSeconds that is below 0 or above 2147483647, once it is a whole number, makes the monitor skip the index.
	// does not apply: mongo.field-missing A document without the indexed field never expires.
	// does not apply: mongo.field-null A null gives a null key and never expires; so does a scalar or an empty array in the middle of the path.
	// does not apply: mongo.array-empty An empty array at the end of the path gives an undefined key and never expires.
	// does not apply: mongo.array-nested An array inside an array is one key at the end of the path, and a field name before the end does not lead into it; its dates do not count.
	// applies: mongo.field-not-date Only a BSON Date expires: strings, numbers, ObjectIds and all other types never do, nor do replication timestamps since 3.0.
	// dates elsewhere: [meta.at]
}
