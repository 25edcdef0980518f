package mongo

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Generators of clocks, and of delays whose cutoff overflows at some of these clocks.
var (
	clocks      = rapid.OneOf(rapid.Int64(), rapid.Int64Range(1_325_376_000_000, 253_402_300_799_999)) // 2012 to 9999
	overflowing = rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(-9_223_372_036_854_776, -9_223_118_634_554_976))
)

// TestModelLater: the method At of a decision returns the decision at any other instant,
// with one exception up to 6.1. The cutoff is the clock minus the delay. If the delay is
// negative, the cutoff may fit 64 bits at one of the two clocks and overflow at the
// other. At the clock where it overflows, the index deletes nothing, by a rule about this
// overflow.
func TestModelLater(t *testing.T) {
	delays := rapid.OneOf(rapid.Int64(), overflowing)
	values := rapid.SampledFrom([]policy.Value{policy.DateValue(0), policy.DateValue(policy.MaxInstant), policy.StringValue("1970")})
	rapid.Check(t, func(t *rapid.T) {
		version, delay := rapid.SampledFrom(drawn.Releases).Draw(t, "version"), delays.Draw(t, "delay")
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
		rule, kept := rules.SecondsOverflow.ID(), want
		if drawn.Before(version, 4, 0, 6) {
			rule = rules.SecondsUnspecified.ID()
		}
		if fitsCutoff(later, delay) {
			kept = d
		}
		if kept.Rule.ID() != rule || kept.State != policy.Never || fitsCutoff(now, delay) == fitsCutoff(later, delay) || !drawn.Before(version, 6, 2, 0) {
			t.Fatalf("%s, delay %d: %v by %s at %d, %v by %s at %d", version, delay, d.State, d.Rule, now, want.State, want.Rule, later)
		}
	})
}

// TestLater checks the exception of TestModelLater at the last clock at which the cutoff
// fits 64 bits, and one millisecond later.
func TestLater(t *testing.T) {
	const delay, last = -9_223_370_336_768_376, math.MaxInt64 - 9_223_370_336_768_376_000 // 2023-11-15T22:13:19.807Z
	doc := policy.D{{Key: "a", Value: policy.DateValue(0)}}
	for _, version := range []behaviour.Version{drawn.Release(3, 2, 0), drawn.Release(4, 0, 0), drawn.Release(6, 1, 0)} {
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
func compiledDelay(t rapid.TB, v behaviour.Version, delay int64) *indexSource {
	p := vectorProfile(t, v.String())
	x, err := compileAlone(CollectionSpec{}, IndexSpec{Key: policy.D{{Key: "a", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int64Value(delay)}, p)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fitsCutoff reports whether clock minus delay fits 64 bits as milliseconds; delay is in
// seconds.
func fitsCutoff(clock, delay int64) bool {
	cutoff := new(big.Int).Mul(big.NewInt(-1000), big.NewInt(delay))
	return cutoff.Add(cutoff, big.NewInt(clock)).IsInt64()
}

func checkAgainst(t *rapid.T, d policy.Decision, want *big.Int, now policy.Instant) {
	switch {
	case (d.State == policy.Never) != (want == nil):
		t.Fatalf("%v by %s, the model's deadline is %v", d.State, d.Rule, want)
	case want == nil:
	case int64(drawn.Deadline(d)) != want.Int64() || (d.State == policy.Expired) != (want.Cmp(big.NewInt(int64(now))) <= 0):
		t.Fatalf("%v at %d, the model's deadline is %v, now %d", d.State, drawn.Deadline(d), want, now)
	}
}

// checkBounds compares the bounds of the scan with the decision about a single
// date.
func checkBounds(t rapid.TB, x *indexSource, doc policy.Value, path string, now policy.Instant) {
	date, ok := doc.Field(path).AsDate()
	if !ok {
		return
	}
	bounds := x.Bounds(now)
	if expired := x.Decide(doc, now).State == policy.Expired; expired != bounds.contains(date) {
		t.Fatalf("expired %v, but the date %d and the bounds %v", expired, date, bounds)
	}
}
