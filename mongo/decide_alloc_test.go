//go:build !race

package mongo

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

var allocSink policy.Decision

func TestAllocDecide(t *testing.T) {
	raw, err := policy.AppendBSON(nil, vectorValue(t, `{"_id":{"$oid":"6ad7e46e5f3a91c2000000dc"},"status":"done","n":{"$numberLong":"7"},
		"t":{"$date":{"$numberLong":"5"}},"list":[{"$date":{"$numberLong":"5"}},"x",{"$date":{"$numberLong":"3"}}],
		"a":[{"b":{"$date":{"$numberLong":"5"}}},{"b":[{"$date":{"$numberLong":"4"}}]}],"o":{"x":1,"y":["z"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	memory := &row{policy.DOf(bson.Value())}
	for name, index := range map[string]string{
		"date":     `{"key":{"t":1},"expireAfterSeconds":1}`,
		"array":    `{"key":{"list":1},"expireAfterSeconds":1}`,
		"dotted":   `{"key":{"a.b":1},"expireAfterSeconds":1}`,
		"position": `{"key":{"a.1.b":1},"expireAfterSeconds":1}`,
		"filter": `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"status":{"$in":["new","done"]},
			"$or":[{"n":{"$gt":{"$numberDouble":"6.5"}}},{"n":null}],"list":{"$type":"string"},"o":{"x":1,"y":["z"]}}}`,
	} {
		c := vectorCollection(t, "8.0.4", `{}`, `[`+index+`,{"key":{"none":1},"expireAfterSeconds":5}]`)
		for how, decide := range map[string]func(){
			"DecideBSON":           func() { allocSink = c.DecideBSON(raw, 0) },
			"Decide(*policy.BSON)": func() { allocSink = c.Decide(&bson, 0) },
			"Decide(own document)": func() { allocSink = c.Decide(memory, 0) },
		} {
			if n := testing.AllocsPerRun(200, decide); n != 0 {
				t.Errorf("%s, %s: %v allocations, want 0", name, how, n)
			}
			if allocSink.State != policy.Pending {
				t.Errorf("%s, %s: %v by %s, want pending", name, how, allocSink.State, allocSink.Rule)
			}
		}
	}
}

func TestAllocDates(t *testing.T) {
	x, err := CompileIndex(CollectionSpec{}, IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(5)}, vectorProfile(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := policy.NewBuckets(0, 60, 100)
	if err != nil {
		t.Fatal(err)
	}
	dates, bitmap, counts := make([]policy.Instant, 1000), make([]uint64, 0, 16), make([]uint64, b.Len())
	if n := testing.AllocsPerRun(20, func() {
		bitmap = x.AppendExpired(bitmap[:0], dates, 5000)
		x.CountDeadlines(counts, b, dates)
		allocSink = x.DecideKey(dates[0], 5000)
	}); n != 0 {
		t.Errorf("a pass over dates: %v allocations, want 0", n)
	}
	if bitmap[0] != math.MaxUint64 || counts[1] == 0 || allocSink.State != policy.Expired {
		t.Errorf("bitmap begins with %x, %d in the first bucket, %v; want all expired", bitmap[0], counts[1], allocSink.State)
	}
}
