package reasons

import (
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestRuleFields: a rule is written with every field that its JSON has.
func TestRuleFields(t *testing.T) {
	for _, rules := range []func(func(policy.Rule) bool){mongo.Rules(), cosmos.Rules()} {
		for r := range rules {
			var got, want any
			text := plainjson.Append(nil, policy.ObjectValue(ruleFields(r)))
			whole, err := json.Marshal(r)
			if err != nil || json.Unmarshal(text, &got) != nil || json.Unmarshal(whole, &want) != nil {
				t.Fatalf("%s: %v, %s", r.ID(), err, text)
			}
			a, _ := json.Marshal(got)
			if b, _ := json.Marshal(want); string(a) != string(b) {
				t.Errorf("ruleFields(%s) = %s, want %s", r.ID(), a, b)
			}
		}
	}
}
