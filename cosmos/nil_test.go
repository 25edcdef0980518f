package cosmos

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestNil: nil evaluators, such as those whose error was ignored, have TTL off, and a nil
// document is an empty one.
func TestNil(t *testing.T) {
	item := []byte(`{"_ts":1,"ttl":1}`)
	var c *Container
	for _, d := range []policy.Decision{
		c.DecideJSON(item, policy.MaxInstant), c.Decide(policy.Map{"_ts": 1, "ttl": 1}, policy.MaxInstant), c.DecideItem(Item{TTLSeconds(1), TimestampSeconds(1)}, policy.MaxInstant),
	} {
		if d != keptBy(ruleOff) {
			t.Errorf("a nil Container decides %s", d)
		}
	}
	if c.Fingerprint() != (policy.Fingerprint{}) || c.Reads() != nil || len(c.Consulted(keptBy(ruleOff))) == 0 {
		t.Error("a nil Container has settings")
	}
	var m *Collection
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []policy.Decision{
		m.DecideBSON(raw, policy.MaxInstant), m.Decide(policy.Map{"_ts": 1}, policy.MaxInstant), m.DecideAt(policy.Map{}, TimestampSeconds(1), policy.MaxInstant),
	} {
		if d != keptBy(ruleMongoOff) {
			t.Errorf("a nil Collection decides %s", d)
		}
	}
	if m.Fingerprint() != (policy.Fingerprint{}) || m.Reads() != nil || len(m.Consulted(keptBy(ruleMongoOff))) == 0 {
		t.Error("a nil Collection has an index")
	}
	on, ofMongo := container(t, `{"defaultTtl":10}`), collection(t, onTS, CollectionSpec{})
	for name, doc := range map[string]policy.Document{"nil": nil, "a nil *BSON": (*policy.BSON)(nil), "a nil *JSON": (*policy.JSON)(nil), "a nil *Value": (*policy.Value)(nil), "a nil Map": policy.Map(nil), "a nil *D": (*policy.D)(nil), "a nil *Map": (*policy.Map)(nil)} {
		for _, decide := range []func(policy.Document, policy.Instant) policy.Decision{on.Decide, ofMongo.Decide} {
			if d := decide(doc, policy.MaxInstant); d != keptBy(ruleNoTimestamp) {
				t.Errorf("%s: %s, want %s", name, d, ruleNoTimestamp)
			}
		}
	}
}
