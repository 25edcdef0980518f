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
		c, err := CompileContainer(spec)
		if err != nil {
			return
		}
		if d := c.DecideItem(Item{TS: TimestampSeconds(0)}, policy.MaxInstant); d.State == policy.Expired && spec.DefaultTTL.IsMissing() {
			t.Errorf("%q expires an item without defaultTtl", text)
		}
	})
}

func FuzzValidateContainer(f *testing.F) {
	for _, seed := range []string{`{"defaultTtl":1e1000000000}`, `{"defaultTtl":-0,"analyticalStorageTtl":0.0}`, `{"defaultTtl":null}`,
		`{"indexingPolicy":{"indexingMode":"NONE"},"ttlPropertyPath":"/a/b","defaultTtl":2147483647}`, `{"analyticalStorageTtl":-1,"defaultTtl":"5"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		settings, err := ParseContainerSpec(text)
		if err != nil {
			return
		}
		_, warnings, err := ValidateContainer(settings, &settings)
		if outcome(t, err) != "ok" && len(warnings) > 0 {
			t.Errorf("%s is refused (%v) and warned of (%v)", text, err, warnings)
		}
		c, compiled := CompileContainer(settings)
		if err == nil && (compiled != nil || c.cell(TTL{}).rule == ruleContainerUnspecified) {
			t.Errorf("%s is taken, but what it does is unspecified (%v)", text, compiled)
		}
	})
}

func FuzzValidateItem(f *testing.F) {
	for _, seed := range []string{`{"ttl":5,"\u0074tl":null}`, `{"ttl":-0}`, `{"ttl":1e-1000000000}`, `{"ttl":null}`, `{"a":{"ttl":0}}`} {
		f.Add([]byte(seed))
	}
	on := container(f, `{"defaultTtl":10}`)
	f.Fuzz(func(t *testing.T, text []byte) {
		item, err := policy.ParseJSON(text)
		if err != nil {
			return
		}
		got, decided := outcome(t, ValidateItem(ContainerSpec{DefaultTTL: policy.Int32Value(10)}, &item)), on.Decide(&item, 0).Rule
		switch decided {
		case ruleItemUnspecified, ruleDuplicateUnspecified:
			if got == "ok" && !isRepeated(item.Value(), "_ts") {
				t.Errorf("%s is taken, but decided by %s", text, decided)
			}
		default:
			if got != "ok" {
				t.Errorf("%s: %s, but decided by %s", text, got, decided)
			}
		}
	})
}
