package mongo

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// formCollections returns collections of releases that decide differently. Their paths
// and filters read strings, numbers, null and arrays.
func formCollections(t testing.TB) (all []*Collection) {
	t.Helper()
	for _, release := range []string{"3.2.22", "5.0.13", "7.0.5", latest} {
		for _, indexes := range []string{
			`[{"key":{"a":1},"name":"x","expireAfterSeconds":1},{"key":{"b.a":1},"name":"y","expireAfterSeconds":60}]`,
			`[{"key":{"a.0":1},"name":"x","expireAfterSeconds":1,"partialFilterExpression":{"b":{"$gt":1},"é":{"$exists":true}}}]`,
			`[{"key":{"a":1},"name":"x","expireAfterSeconds":1,"partialFilterExpression":{"b":null}},{"key":{"b":1},"name":"y","expireAfterSeconds":1,"partialFilterExpression":{"a":{"$lte":"a"}}}]`,
		} {
			all = append(all, vectorCollection(t, release, `{}`, indexes))
		}
	}
	return all
}

// FuzzForms: a document in Extended JSON or JSON has the same decision in every form: as
// values, as BSON, with fields found on demand, and after it is written and read again.
func FuzzForms(f *testing.F) {
	for _, seed := range []string{
		`{"a":{"$date":"2020-01-01T00:00:00.5+01:00"},"b":-0,"é":[1e3,{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"}]}`, `{"a":[5,{"$date":-1}],"b":null}`,
		`{"b":{"a":{"$date":{"$numberLong":"5"}}},"a":"a"}`, `{"a":{"$numberDecimal":"1E+6000"},"b":12345678901234567890}`, `{"a":1,"a":2,"b":[{"a":[]}]}`,
		`{"a":{"$date":{"$numberLong":"1700000000000"}},"b":{"$numberDouble":"1.5"},"é":true}`, `{"a":{"$date":"2020-01-01T00:00:00Z"},"a":5}`,
	} {
		f.Add([]byte(seed))
	}
	all, lazy := formCollections(f), valuefunc.F.NewExtDocument()
	draw := func(r fuzzing.Random) []byte {
		if r.Percent(30) {
			return r.Damage(r.JSON(2, "a", "b", "é"), `{}[],:"$-0.eE`)
		}
		return r.Damage(r.ExtJSON(2, "a", "b", "é"), `{}[],:"$-0.eE`)
	}
	fuzzing.Texts(f, draw, func(t testing.TB, text []byte) {
		const limit, now = 1 << 20, 1_700_000_000_000
		var forms [][]way
		item, errJSON := policy.ParseJSON(text)
		isOne := errJSON == nil && isPlain(item.Value())
		if bson, err := valuefunc.F.ExtJSONToBSON(nil, text, limit); err == nil {
			v, errValue := policy.ParseExtJSON(text)
			if err := lazy.Parse(text, limit); err != nil || errValue != nil {
				t.Fatalf("%q: %v, %v; as BSON it is read", text, errValue, err)
			}
			form := append(ways(t, bson.Bytes(), true), way{"values", v}, way{"fields on demand", lazy})
			if isOne {
				form = append(form, way{"JSON", &item})
			}
			forms = append(forms, form)
		}
		if raw, err := policy.AppendBSON(nil, policy.ObjectValue(policy.DOf(item.Value()))); errJSON == nil && err == nil {
			forms = append(forms, ways(t, raw, isOne))
		} else if errJSON == nil && !strings.Contains(string(text), `\u0000`) { // a name in BSON cannot contain NUL
			t.Fatalf("AppendBSON(%q): %v", text, err)
		}
		for _, c := range all {
			for _, form := range forms {
				d := c.DecideBSON(form[0].doc.(*policy.BSON).Bytes(), now)
				for _, w := range form {
					if got := c.Decide(w.doc, now); got != d {
						t.Fatalf("%q as %s: %v by %s, as raw BSON %v by %s", text, w.name, got.State, got.Rule, d.State, d.Rule)
					}
				}
			}
			item := valuefunc.F.UncheckedJSON(text)
			c.Decide(&item, now)
			c.DecideBSON(text, now)
		}
	})
}

// isPlain reports whether v is the same document as JSON, Extended JSON and BSON. It has
// no repeated fields, of which JSON reads the last and BSON the first, and no field with
// a dollar sign, which Extended JSON may read as a type wrapper.
func isPlain(v policy.Value) bool {
	seen := map[string]bool{}
	for f := v.Fields(); f.Next(); {
		if seen[f.Name()] || strings.HasPrefix(f.Name(), "$") || !isPlain(f.Value()) {
			return false
		}
		seen[f.Name()] = true
	}
	for e := v.Elements(); e.Next(); {
		if !isPlain(e.Value()) {
			return false
		}
	}
	return true
}
