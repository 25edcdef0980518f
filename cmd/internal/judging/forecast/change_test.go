package forecast

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestChange: what one policy deletes and the other does not is counted document by
// document, so that one more and one less are not nothing. By the standing policy
// documents expire a day after a, by the other two days after b.
func TestChange(t *testing.T) {
	const now, day = policy.Instant(100 * 86_400_000), 86_400_000
	compiled := func(field string, days int32) *reasons.Policy {
		key := policy.D{{Key: field, Value: policy.Int32Value(1)}}
		p, err := reasons.Compile(policies.OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{
			{Name: field + "_1", Key: key, ExpireAfterSeconds: policy.Int32Value(days * 86400)},
		}}, mongo.Latest, nil))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	docs := [][]byte{
		bsonDate(1, "a", now-day),     // less: now, and in any horizon
		bsonDate(2, "b", now-2*day),   // more: likewise
		bsonDate(3, "b", now-day),     // more: within 24 h
		bsonDate(4, "b", now-day+1),   // more: within 7 d
		bsonDate(5, "a", now+10*day),  // less: within 30 d
		bsonDate(6, "b", now+100*day), // more: later
		bsonDoc(7, "", 0, nil),        // by neither
	}
	one, n := int64(len(docs[0])), func(more, less, size int64) Difference {
		return Difference{Sum{more, more * size}, Sum{less, less * size}}
	}
	want := Change{
		Now:    n(1, 1, one),
		Within: [len(Horizons)]Difference{n(2, 1, one), n(3, 1, one), n(3, 2, one)},
		Ever:   n(4, 2, one),
	}
	for _, check := range []bool{false, true} {
		job := Job{Policy: compiled("a", 1), Other: compiled("b", 2), Collections: dump.NewInput(file(t, "x.bson", docs...)).Collections}
		r := Run(t.Context(), []Job{job}, Options{Now: now, Check: check})[0]
		if diff := cmp.Diff(want, r.Tally.Change); diff != "" || r.Err != nil {
			t.Errorf("check %v: %v, the change differs (-want +got)\n%s", check, r.Err, diff)
		}
	}
}

// TestChangeOfDamage: a document that one of the policies finds malformed is not
// counted, wherever the other one stops reading.
func TestChangeOfDamage(t *testing.T) {
	key := func(field string) *reasons.Policy {
		p, err := reasons.Compile(policies.OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{
			{Name: "x", Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1)},
		}}, mongo.Latest, nil))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	doc := bsonDate(1, "a", 5)
	doc = append(doc[:len(doc)-1:len(doc)-1], 0x99, 'z', 0, 0) // an element of no type behind a
	doc[0] = byte(len(doc))
	job := Job{Policy: key("a"), Other: key("b"), Collections: dump.NewInput(file(t, "x.bson", doc)).Collections}
	if r := Run(t.Context(), []Job{job}, Options{Now: 5e9, SkipBad: true})[0]; r.Err != nil || r.Tally.Bad != 1 || r.Tally.Change != (Change{}) {
		t.Errorf("%v, %d bad, %+v; want 1 bad and no change", r.Err, r.Tally.Bad, r.Tally.Change)
	}
}
