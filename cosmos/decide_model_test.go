package cosmos

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The model is the documented matrix as a map and big integers; it shares only
// the vocabulary with the code.

// matrix maps the kind of an item's ttl and the kind of its container's default to the
// one whose seconds count: "item", "container", or "" for neither.
var matrix = map[[2]string]string{
	{"absent", "n"}: "container",
	{"m", "-1"}:     "item",
	{"m", "n"}:      "item",
}

// column returns the row or the column of the matrix for a ttl, given as JSON text.
func column(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "":
		return "absent"
	case err != nil || n == 0 || n < -1 || n > 2147483647:
		return "bad"
	case n == -1:
		return "-1"
	}
	return "n"
}

// modelDeadline returns the deadline in milliseconds, nil for never.
func modelDeadline(item, container, ts string) *big.Int {
	row := column(item)
	if row == "n" {
		row = "m"
	}
	whose := matrix[[2]string{row, column(container)}]
	seconds, ok := new(big.Int).SetString(map[string]string{"item": item, "container": container}[whose], 10)
	if !ok {
		return nil
	}
	base, ok := new(big.Int).SetString(ts, 10)
	if !ok {
		return nil
	}
	ms := base.Add(base, seconds).Mul(base, big.NewInt(1000))
	if !ms.IsInt64() {
		return nil // beyond the range of instants
	}
	return ms
}

// ttls draws values of ttl of several types, often near the ends of its range.
var ttls = rapid.OneOf(
	rapid.SampledFrom([]string{"", "null", "true", `"5"`, "[1]", "{}", "0", "-0", "0.0", "-1", "-1.0", "-1.9", "-2", "1", "2", "1e0", "1e3", "0.5", "5.5", "20.0",
		"2147483647", "2147483647.0", "2147483647.5", "2147483648", "2147483648.0", "-2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e300", "-1e300"}),
	rapid.Map(rapid.Int32(), func(n int32) string { return strconv.Itoa(int(n)) }),
	rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
	rapid.StringMatching(`-?[1-9][0-9]{0,11}(\.[0-9]{1,3})?`),
)

var timestamps = rapid.OneOf(
	rapid.SampledFrom([]string{"", "0", "-1", "1700000000", "9223372036854775", "-9223372036854775", "-9223372036854776", "9223372036854776",
		"9223372036854775807", "-9223372036854775808", "9223370000000000", `"1"`, "1.5"}),
	rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
)

// member returns the text of a JSON member, or "" for an absent value.
func member(name, value string) string {
	if value == "" {
		return ""
	}
	return `,"` + name + `":` + value
}

func TestModelMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item, setting, ts := ttls.Draw(t, "ttl"), ttls.Draw(t, "defaultTtl"), timestamps.Draw(t, "_ts")
		policies := rapid.SampledFrom([]string{"", `{"indexingMode":"consistent"}`, `{"indexingMode":"none"}`}).Draw(t, "indexingPolicy")
		spec, err := ParseContainerSpec([]byte(`{"id":"c"` + member("defaultTtl", setting) + member("indexingPolicy", policies) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		c, err := CompileContainer(spec)
		if err != nil {
			t.Fatal(err)
		}
		text := []byte(`{"id":"i"` + member("ttl", item) + member("_ts", ts) + `}`)
		now := drawn.Instants.Draw(t, "now")
		d := c.DecideJSON(text, now)
		want := modelDeadline(item, setting, ts)
		if strings.Contains(policies, "none") {
			want = nil
		}
		switch {
		case (d.State == policy.Never) != (want == nil):
			t.Fatalf("%s in %s: %v by %s, model's deadline %v", text, setting, d.State, d.Rule, want)
		case want != nil && (int64(deadlineOf(d)) != want.Int64() || (d.State == policy.Expired) != (want.Cmp(big.NewInt(int64(now))) <= 0)):
			t.Fatalf("%s in %s at %d: %v at %d, model's deadline %v", text, setting, now, d.State, deadlineOf(d), want)
		}
		checkLaws(t, c, d, text, now)
		checkDecoded(t, c, text, now)
	})
}

// checkLaws checks that At agrees with Decide, that Consulted ends with the
// decision's rule, and that all forms of an item have the same decision.
func checkLaws(t *rapid.T, c *Container, d policy.Decision, text []byte, now policy.Instant) {
	later := drawn.Instants.Draw(t, "later")
	if got, want := d.At(later), c.DecideJSON(text, later); got != want {
		t.Fatalf("At(%d) = %v, Decide = %v", later, got, want)
	}
	ladder := c.Consulted(d)
	if len(ladder) == 0 || ladder[len(ladder)-1] != d.Rule {
		t.Fatalf("the ladder of %s is %v", d.Rule, ladder)
	}
	raw, err := policy.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []policy.Document{raw, &raw, policy.DOf(raw.Value()), decoded(t, text, true)} {
		if got := c.Decide(doc, now); got != d {
			t.Fatalf("Decide(%T) = %v by %s, DecideJSON = %v by %s", doc, got.State, got.Rule, d.State, d.Rule)
		}
	}
	if ts, ok := raw.Field("_ts").AsInt64(); ok {
		if got := c.DecideItem(Item{TTL: TTLOf(raw.Field("ttl")), TS: TimestampSeconds(ts)}, now); got != d {
			t.Fatalf("DecideItem = %v by %s, DecideJSON = %v by %s", got.State, got.Rule, d.State, d.Rule)
		}
	}
}

// checkDecoded checks that an item whose numbers encoding/json has made floats never expires.
func checkDecoded(t *rapid.T, c *Container, text []byte, now policy.Instant) {
	item := decoded(t, text, false)
	if d := c.Decide(item, now); d.State != policy.Never {
		t.Fatalf("decoded %v at %d by %s, want never", d.State, deadlineOf(d), d.Rule)
	}
}

// decoded returns an item as encoding/json decodes it, with numbers as text if
// exact.
func decoded(t *rapid.T, text []byte, exact bool) policy.Map {
	d := json.NewDecoder(bytes.NewReader(text))
	if exact {
		d.UseNumber()
	}
	var item map[string]any
	if err := d.Decode(&item); err != nil {
		t.Fatal(err)
	}
	return item
}

// modelCoerce is the coercion of the API for MongoDB by exact arithmetic.
func modelCoerce(v policy.Value) (int64, bool) {
	exact := new(big.Rat)
	if n, ok := v.AsInt64(); ok {
		exact.SetInt64(n)
	} else if f, ok := v.AsDouble(); !ok || exact.SetFloat64(f) == nil {
		return 0, false
	}
	if !exact.IsInt() || !exact.Num().IsInt64() || exact.Num().Int64() != int64(int32(exact.Num().Int64())) {
		return 0, false
	}
	return exact.Num().Int64(), true
}

func TestModelCoercion(t *testing.T) {
	doubles := rapid.OneOf(draw.Doubles, rapid.Map(draw.Int64s, func(n int64) float64 { return float64(n) }), rapid.SampledFrom([]float64{2147483647.5, 0.5}))
	values := rapid.OneOf(rapid.Map(doubles, policy.DoubleValue), rapid.Map(draw.Int64s, policy.Int64Value), drawn.Any.Scalars.Filter(func(v policy.Value) bool { return v.Kind() != policy.Decimal }))
	rapid.Check(t, func(t *rapid.T) {
		v := values.Draw(t, "v")
		got, ok := wholeInt32(v)
		want, wantOK := modelCoerce(v)
		if ok != wantOK || ok && int64(got) != want {
			t.Fatalf("wholeInt32(%v) = %d, %v; want %d, %v", v, got, ok, want, wantOK)
		}
	})
}
