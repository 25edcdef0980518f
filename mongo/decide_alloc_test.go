//go:build !race

package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var allocSink policy.Decision

func TestAllocDecide(t *testing.T) {
	bson := drawn.BSONOf(t, drawn.Value(t, `{"_id":{"$oid":"6ad7e46e5f3a91c2000000dc"},"status":"done","n":{"$numberLong":"7"},
		"t":{"$date":{"$numberLong":"5"}},"list":[{"$date":{"$numberLong":"5"}},"x",{"$date":{"$numberLong":"3"}}],
		"a":[{"b":{"$date":{"$numberLong":"5"}}},{"b":[{"$date":{"$numberLong":"4"}}]}],"o":{"x":1,"y":["z"]}}`))
	memory := &drawn.Row{Columns: policy.DOf(bson.Value())}
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
			"DecideBSON":           func() { allocSink = c.DecideBSON(bson.Bytes(), 0) },
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

func TestAllocDecideKey(t *testing.T) {
	x, err := compileAlone(CollectionSpec{}, TTLIndex("t", 5), vectorProfile(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, func() { allocSink = x.DecideKey(0, 5000) }); n != 0 {
		t.Errorf("DecideKey: %v allocations, want 0", n)
	}
	if allocSink.State != policy.Expired {
		t.Errorf("DecideKey = %v, want expired", allocSink.State)
	}
}
