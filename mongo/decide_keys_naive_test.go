package mongo

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The naive model is the prose about index keys, over Go's own maps and
// slices, with big integers. It shares nothing with the evaluator.

// An object is a document; ambiguous stands for the keys of one that cannot be
// indexed.
type (
	object    map[string]any
	ambiguous struct{}
)

// naiveKeys returns the index keys of v under the path.
func naiveKeys(v any, path []string) []any {
	if len(path) == 0 {
		list, ok := v.([]any)
		switch {
		case ok && len(list) == 0:
			return []any{nil} // undefined
		case ok:
			return list
		}
		return []any{v}
	}
	switch v := v.(type) {
	case object:
		field, ok := v[path[0]]
		if !ok {
			return []any{nil}
		}
		return naiveKeys(field, path[1:])
	case []any:
		return naiveArrayKeys(v, path)
	}
	return []any{nil}
}

func naiveArrayKeys(list []any, path []string) []any {
	n, err := strconv.Atoi(path[0])
	if err == nil && n >= 0 && n < len(list) && strconv.Itoa(n) == path[0] {
		for _, e := range list {
			o, _ := e.(object)
			if _, ok := o[path[0]]; ok {
				return []any{ambiguous{}}
			}
		}
		if len(path) == 1 {
			return []any{list[n]} // an array is the key itself
		}
		return naiveKeys(list[n], path[1:])
	}
	var keys []any
	for _, e := range list {
		if o, ok := e.(object); ok {
			keys = append(keys, naiveKeys(o, path)...)
		}
	}
	return keys
}

// naiveDeadline returns the deadline in milliseconds, nil for never.
func naiveDeadline(doc object, path string, seconds int64) *big.Int {
	var first *big.Int
	for _, key := range naiveKeys(doc, strings.Split(path, ".")) {
		switch key := key.(type) {
		case ambiguous:
			return nil
		case policy.Instant:
			if at := big.NewInt(int64(key)); first == nil || at.Cmp(first) < 0 {
				first = at
			}
		}
	}
	if first == nil {
		return nil
	}
	first.Add(first, new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1000)))
	if !first.IsInt64() {
		return nil
	}
	return first
}

// valueOf turns the model's values into the library's.
func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case object:
		var d policy.D
		for _, name := range naiveNames {
			if field, ok := v[name]; ok {
				d = append(d, policy.E{Key: name, Value: valueOf(field)})
			}
		}
		return policy.ObjectValue(d)
	case []any:
		a := policy.A{}
		for _, e := range v {
			a = append(a, valueOf(e))
		}
		return policy.ListValue(a)
	case policy.Instant:
		return policy.DateValue(v)
	case string:
		return policy.StringValue(v)
	case int64:
		return policy.Int64Value(v)
	}
	return policy.UndefinedValue()
}

var naiveNames = []string{"a", "b", "0", "1"}

var naiveDates = rapid.OneOf(
	rapid.SampledFrom([]policy.Instant{policy.MinInstant, policy.MinInstant + 1, -1, 0, 1, policy.MaxInstant - 1, policy.MaxInstant,
		policy.MaxInstant - 2147483647_000, policy.MaxInstant - 2147483647_000 + 1}),
	rapid.Map(rapid.Int64(), func(n int64) policy.Instant { return policy.Instant(n) }),
)

func naiveValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 9).Draw(t, "kind")
		switch {
		case kind < 4 || depth == 0 && kind < 7:
			return naiveDates.Draw(t, "date")
		case kind == 4 || depth == 0:
			return rapid.SampledFrom([]any{"x", int64(5), nil}).Draw(t, "scalar")
		case kind < 7:
			list := []any{}
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				list = append(list, naiveValue(depth-1).Draw(t, "element"))
			}
			return list
		}
		return naiveObject(depth-1).Draw(t, "object")
	})
}

func naiveObject(depth int) *rapid.Generator[object] {
	return rapid.Custom(func(t *rapid.T) object {
		o := object{}
		for _, name := range naiveNames {
			if rapid.Bool().Draw(t, name) {
				o[name] = naiveValue(depth).Draw(t, "value")
			}
		}
		return o
	})
}

var naivePaths = rapid.Map(rapid.SliceOfN(rapid.SampledFrom(naiveNames), 1, 3), func(parts []string) string {
	return strings.Join(parts, ".")
})

// TestModelNaiveKeys compares deadlines with the model, and all ways to ask
// with one another.
func TestModelNaiveKeys(t *testing.T) {
	profile := vectorProfile(t, "8.0.4")
	rapid.Check(t, func(t *rapid.T) {
		path := naivePaths.Draw(t, "path")
		doc := naiveObject(3).Draw(t, "document")
		seconds := rapid.OneOf(rapid.Int32Min(0), rapid.SampledFrom([]int32{0, 1, 2147483647})).Draw(t, "seconds")
		now := naiveDates.Draw(t, "now")
		spec := IndexSpec{
			Key:                policy.D{{Key: path, Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value(seconds),
		}
		x, err := CompileIndex(CollectionSpec{}, spec, profile)
		if err != nil {
			t.Fatal(err)
		}
		exists := policy.D{{Key: "$exists", Value: policy.BoolValue(true)}}
		spec.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: naivePaths.Draw(t, "filter"), Value: policy.ObjectValue(exists)}})
		partial, err := CompileIndex(CollectionSpec{}, spec, profile)
		if err != nil {
			t.Fatal(err)
		}
		value := valueOf(doc)
		raw, err := policy.AppendBSON(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		d := x.DecideBSON(raw, now)
		checkAgainst(t, d, naiveDeadline(doc, path, int64(seconds)), now)
		if got := x.Decide(value, now); got != d {
			t.Fatalf("in memory %v by %s, raw %v by %s", got.State, got.Rule, d.State, d.Rule)
		}
		later := naiveDates.Draw(t, "later")
		if got, want := d.At(later), x.DecideBSON(raw, later); got != want {
			t.Fatalf("At(%d) = %v, Decide = %v", later, got, want)
		}
		checkBounds(t, x, value, path, now)
		checkKey(t, x, value, now)
		checkKey(t, partial, value, now)
	})
}

// TestModelLater: a decision stands at any other instant, with one exception. Up to 6.1
// a negative delay whose cutoff, the clock less the delay, fits 64 bits at one of two
// clocks alone deletes nothing at the other, and a rule says so there.
func TestModelLater(t *testing.T) {
	clocks := rapid.OneOf(rapid.Int64(), rapid.Int64Range(1_325_376_000_000, 253_402_300_799_999)) // 2012 to 9999
	delays := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.Int64Range(-9_223_372_036_854_776, -9_223_118_634_554_976))
	values := rapid.SampledFrom([]policy.Value{policy.DateValue(0), policy.DateValue(policy.MaxInstant), policy.StringValue("1970")})
	rapid.Check(t, func(t *rapid.T) {
		version, delay := rapid.SampledFrom(modelVersions).Draw(t, "version"), delays.Draw(t, "delay")
		now, later := clocks.Draw(t, "now"), clocks.Draw(t, "later")
		if rapid.Bool().Draw(t, "near") {
			later = math.MaxInt64 + min(delay, 0)*1000 + rapid.Int64Range(-1, 1).Draw(t, "by") // may wrap around
		}
		x := compiledDelay(t, version, delay)
		doc := policy.ObjectValue(policy.D{{Key: "a", Value: values.Draw(t, "value")}})
		d, want := x.Decide(doc, policy.Instant(now)), x.Decide(doc, policy.Instant(later))
		checkBounds(t, x, doc, "a", policy.Instant(later))
		if d.At(policy.Instant(later)) == want {
			return
		}
		rule, kept := "mongo.seconds-overflow", want
		if before(version, 4, 0, 6) {
			rule = "mongo.seconds-unspecified"
		}
		if fitsCutoff(later, delay) {
			kept = d
		}
		if kept.Rule.ID != rule || kept.State != policy.Never || fitsCutoff(now, delay) == fitsCutoff(later, delay) || !before(version, 6, 2, 0) {
			t.Fatalf("%s, delay %d: %v by %s at %d, %v by %s at %d", version, delay, d.State, d.Rule, now, want.State, want.Rule, later)
		}
	})
}

// TestLater is the exception of TestModelLater at the last clock and the next.
func TestLater(t *testing.T) {
	const delay, last = -9_223_370_336_768_376, math.MaxInt64 - 9_223_370_336_768_376_000 // 2023-11-15T22:13:19.807Z
	doc := policy.D{{Key: "a", Value: policy.DateValue(0)}}
	for _, version := range []Version{{3, 2, 0}, {4, 0, 0}, {6, 1, 0}} {
		x := compiledDelay(t, version, delay)
		d := x.Decide(doc, 0)
		if got := d.At(last + 1).State; got != policy.Expired {
			t.Errorf("%s: At(%d) = %v, want expired", version, int64(last+1), got)
		}
		if got := x.Decide(doc, last); got != d.At(last) {
			t.Errorf("%s: Decide(%d) = %v, want %v", version, int64(last), got, d)
		}
		if got := x.Decide(doc, last+1).State; got != policy.Never {
			t.Errorf("%s: Decide(%d) = %v, want never", version, int64(last+1), got)
		}
	}
}

// compiledDelay compiles an index on a that stores a delay in seconds as an int64.
func compiledDelay(t rapid.TB, v Version, delay int64) *Index {
	p, err := ProfileOf(v)
	if err != nil {
		t.Fatal(err)
	}
	x, err := CompileIndex(CollectionSpec{}, IndexSpec{Key: policy.D{{Key: "a", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int64Value(delay)}, p)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fitsCutoff reports whether the clock less a delay in seconds fits 64 bits.
func fitsCutoff(clock, delay int64) bool {
	cutoff := new(big.Int).Mul(big.NewInt(-1000), big.NewInt(delay))
	return cutoff.Add(cutoff, big.NewInt(clock)).IsInt64()
}

func checkAgainst(t *rapid.T, d policy.Decision, want *big.Int, now policy.Instant) {
	switch {
	case (d.State == policy.Never) != (want == nil):
		t.Fatalf("%v by %s, the model's deadline is %v", d.State, d.Rule, want)
	case want == nil:
	case int64(d.Deadline()) != want.Int64() || (d.State == policy.Expired) != (want.Cmp(big.NewInt(int64(now))) <= 0):
		t.Fatalf("%v at %d, the model's deadline is %v, now %d", d.State, d.Deadline(), want, now)
	}
}

// checkBounds holds the bounds of the scan to the decision about a single date.
func checkBounds(t *rapid.T, x *Index, doc policy.Value, path string, now policy.Instant) {
	date, ok := doc.Field(path).AsDate()
	if !ok {
		return
	}
	bounds := x.Bounds(now)
	if expired := x.Decide(doc, now).State == policy.Expired; expired != bounds.Contains(date) {
		t.Fatalf("expired %v, but the date %d and the bounds %v", expired, date, bounds)
	}
}
