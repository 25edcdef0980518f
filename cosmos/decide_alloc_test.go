//go:build !race

package cosmos

import (
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var sink policy.Decision

func TestAllocDecide(t *testing.T) {
	c := container(t, `{"defaultTtl":10}`)
	m := collection(t, onTS, CollectionSpec{})
	custom := collection(t, `[{"key":{"a.at":1},"expireAfterSeconds":10}]`, CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}})
	text := []byte(`{"id":"1","a":{"ttl":[1,{"b":"\u0041"}]},"\u0074tl":20,"_ts":100}`)
	parsed, err := policy.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := policy.AppendBSON(nil, extJSON(t, `{"_id":1,"a":{"at":[3,{"$date":{"$numberLong":"5"}}]},"ttl":{"$numberDouble":"20.5"},"_ts":100}`))
	if err != nil {
		t.Fatal(err)
	}
	bson, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	decodedItem := policy.Map{"ttl": 20.0, "_ts": 100.0}
	exactItem := policy.Map{"ttl": json.Number("20"), "_ts": json.Number("100")}
	typed := &typedItem{Item{TTL: TTLSeconds(5), TS: TimestampSeconds(100)}}
	million, exponent := benchItem(benchItems["1000000-digits"]), benchItem(benchItems["huge-exponent"])
	for name, decide := range map[string]func(){
		"DecideItem":                func() { sink = c.DecideItem(Item{TTL: TTLSeconds(5), TS: TimestampSeconds(100)}, 0) },
		"Decide(typed item)":        func() { sink = c.Decide(typed, 0) },
		"Decide(*policy.JSON)":      func() { sink = c.Decide(&parsed, 0) },
		"Decide(decoded JSON)":      func() { sink = c.Decide(decodedItem, 0) },
		"Decide(json.Number)":       func() { sink = c.Decide(exactItem, 0) },
		"Decide(unchecked JSON)":    func() { parsed = valuefunc.F.UncheckedJSON(text); sink = c.Decide(&parsed, 0) },
		"DecideJSON":                func() { sink = c.DecideJSON(text, 0) },
		"Collection.Decide":         func() { sink = m.Decide(&bson, 0) },
		"Collection.DecideBSON":     func() { sink = m.DecideBSON(raw, 0) },
		"custom path, DecideBSON":   func() { sink = custom.DecideBSON(raw, 0) },
		"a ttl of a million digits": func() { sink = c.DecideJSON(million, 0) },
		"a ttl of 1e1000000000":     func() { sink = c.DecideJSON(exponent, 0) },
	} {
		if n := testing.AllocsPerRun(20, decide); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
		if sink.Rule.IsZero() {
			t.Errorf("%s did not decide", name)
		}
	}
}

func TestAllocStamp(t *testing.T) {
	dst := make([]byte, 0, 100)
	for _, item := range []string{`{"id":"a","ttl":60}`, `{"id":"a","_ts":5,"ttl":60}`} {
		raw := []byte(item)
		if n := testing.AllocsPerRun(100, func() { dst, _ = Stamp(dst[:0], raw, 1_700_000_000_000) }); n != 0 {
			t.Errorf("Stamp(%s) allocates %v times, want 0", item, n)
		}
	}
}
