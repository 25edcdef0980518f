package cosmos

import (
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func FuzzDecideJSON(f *testing.F) {
	for _, seed := range []string{`{"ttl":1,"_ts":2}`, `{"ttl":-1}`, `{"ttl":1e1000000000,"_ts":1}`, `{"\u0074tl":null}`, `{"a":[[[]]]`} {
		f.Add([]byte(seed))
	}
	c := container(f, `{"defaultTtl":10}`)
	f.Fuzz(func(t *testing.T, item []byte) {
		d := c.DecideJSON(item, 0)
		_, err := policy.ParseJSON(item)
		switch {
		case (err != nil) != (d.Rule == ruleMalformed):
			t.Errorf("DecideJSON(%q) = %s, ParseJSON: %v", item, d.Rule, err)
		case d.State != policy.Never && !json.Valid(item):
			t.Errorf("DecideJSON(%q) = %v for what encoding/json refuses", item, d.State)
		}
	})
}

func FuzzParseContainerSpec(f *testing.F) {
	for _, seed := range []string{`{"defaultTtl":10}`, `{"defaultTtl":null,"ttlPropertyPath":"/a/b"}`, `{"ttlPropertyPath":1}`, `{`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := ParseContainerSpec(text)
		if err != nil {
			return
		}
		c, err := Compile(spec)
		if err != nil {
			return
		}
		if d := c.DecideItem(Item{}, policy.MaxInstant); d.State == policy.Expired && spec.DefaultTTL.IsMissing() {
			t.Errorf("%q expires an item without defaultTtl", text)
		}
	})
}
