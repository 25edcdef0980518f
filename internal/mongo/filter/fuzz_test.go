package filter

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func FuzzCompileFilter(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"$and":[{"a":{"$gt":5}},{"$or":[{"b":null}]}]}`, `{"a":{"$in":[1,{"$oid":"6ad7e46e5f3a91c2000000dc"}]}}`,
		`{"a":{"$type":["number",2]}}`, `{"a":{"$not":{"$gt":1}}}`, `{"a":{"$all":[[1],{"b":2}]}}`} {
		f.Add([]byte(seed))
	}
	doc := drawn.Value(f, `{"a":[1,{"b":[null,{"c":{"$numberDecimal":"1E-6176"}}]}],"b":{"$numberDouble":"NaN"}}`)
	profile := drawn.Behaviour(f, "8.0.4")
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := policy.ParseExtJSON(text)
		if err != nil || v.Kind() != policy.Object {
			return
		}
		filter, refused := compileClauses(policy.DOf(v), profile)
		if refused != nil {
			return
		}
		if m := filter.matchDocument(doc); m > Undecidable {
			t.Errorf("%s: membership %d", text, m)
		}
	})
}
