package mongo

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func FuzzParseVersion(f *testing.F) {
	for _, seed := range []string{"8.0.4", "8.0", "2.2.0", "", "8", "8.0.4.1", "v8.0", "8.00", "65536.0", "-1.0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseVersion(text)
		if err != nil {
			return
		}
		if again, err := ParseVersion(v.String()); err != nil || again != v {
			t.Errorf("ParseVersion(%q) = %v, which parses as %v, %v", text, v, again, err)
		}
	})
}

// An unraw hides from the evaluator that a document is raw BSON.
type unraw struct{ policy.Value }

func FuzzDecideBSON(f *testing.F) {
	for _, seed := range []string{`{"t":{"$date":{"$numberLong":"5"}}}`, `{"t":[[1],{"0":{"b":null}}]}`, `{"a":"x","t":{"$numberDecimal":"1E+6000"}}`} {
		raw := drawn.BSONOf(f, drawn.Value(f, seed)).Bytes()
		f.Add(raw)
	}
	c := vectorCollection(f, "8.0.4", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1},{"key":{"t.0.b":1},"expireAfterSeconds":1,
		"partialFilterExpression":{"a":{"$gt":{"$numberDecimal":"1"}},"t":{"$type":"array"}}}]`)
	text := vectorCollection(f, "8.0.4", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":"x"}}]`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		checked, err := policy.ParseBSON(raw)
		inMemory := unraw{checked.Value()}
		for _, c := range []*Collection{c, text} {
			d := c.DecideBSON(raw, policy.MaxInstant)
			if d.Rule == rules.Malformed && d.State != policy.Never {
				t.Errorf("DecideBSON(%q) = %v by %s", raw, d.State, d.Rule)
			}
			if want := c.Decide(inMemory, policy.MaxInstant); err == nil && d != want {
				t.Errorf("DecideBSON(%q) = %v by %s, decided as a document of another kind %v by %s", raw, d.State, d.Rule, want.State, want.Rule)
			}
		}
	})
}
