package rows

import (
	"github.com/cedar-policy/cedar-go"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// What Cedar is asked: may the monitor delete the item of this context?
const cedarPolicy = `permit (principal, action, resource) when {
	context.on && (if context.own
		then context.ttl != -1 && context.ts + context.ttl <= context.now
		else context.def != -1 && context.ts + context.def <= context.now)
};`

// cedarSide is github.com/cedar-policy/cedar-go with requests made in advance.
func cedarSide(items []inputs.Item) (race.Side, error) {
	policies, err := cedar.NewPolicySetFromBytes("expired.cedar", []byte(cedarPolicy))
	if err != nil {
		return race.Side{}, err
	}
	requests := make([]cedar.Request, len(items))
	for i, f := range factsOf(items) {
		requests[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Monitor", "ttl"), Action: cedar.NewEntityUID("Action", "delete"), Resource: cedar.NewEntityUID("Item", "i"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"on": cedar.Boolean(f.On), "own": cedar.Boolean(f.Own), "def": cedar.Long(f.Def),
				"ttl": cedar.Long(f.TTL), "ts": cedar.Long(f.TS), "now": cedar.Long(f.Now),
			}),
		}
	}
	var entities cedar.EntityMap
	return race.Side{Name: "Cedar", N: len(items), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			decision, _ := cedar.Authorize(policies, entities, requests[i])
			expired += b2i(decision == cedar.Allow)
		}
		return expired
	}}, nil
}
