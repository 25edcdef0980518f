package mongo

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestModelStoredOptions compares every release's reading of every option.
func TestModelStoredOptions(t *testing.T) { rapid.Check(t, checkModelStoredOptions) }

func FuzzModelStoredOptions(f *testing.F) { fuzzing.Property(f, checkModelStoredOptions) }

func checkModelStoredOptions(t *rapid.T) {
	version := rapid.SampledFrom(drawn.Releases).Draw(t, "version")
	stored := drawn.StoredOptions().Draw(t, "stored")
	date := drawn.Instants().Draw(t, "date")
	p, err := ProfileOf(Version(version))
	if err != nil {
		t.Fatal(err)
	}
	x, err := CompileIndex(CollectionSpec{}, IndexSpec{
		Key:                policy.D{{Key: "t", Value: policy.Int32Value(-1)}},
		ExpireAfterSeconds: stored.Value,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	now := drawn.Instants().Draw(t, "now")
	d := x.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, now)
	delay := drawn.DelayOf(stored, version)
	if drawn.CutoffOverflows(now, delay) {
		delay = nil
	}
	checkAgainst(t, d, drawn.DeadlineOf(date, delay, version), now)
	if ladder := x.Consulted(d); ladder[len(ladder)-1] != d.Rule {
		t.Fatalf("ladder %v does not end with %s", ladder, d.Rule)
	}
}

// seriesModel returns when a measurement that opens a bucket expires, nil for
// never.
func seriesModel(time policy.Instant, rounding, span, delay int64, flagged bool, v behaviour.Version) *big.Int {
	ms := func(seconds int64) *big.Int { return new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1000)) }
	wraps := new(big.Int).Add(big.NewInt(delay), big.NewInt(span)).Cmp(big.NewInt(1626134400)) > 0 // 2021-07-13: the bound of the scan may be negative
	at, unit := big.NewInt(int64(time)), ms(rounding)
	first := new(big.Int).Div(at, unit) // Euclidean: down
	if drawn.Before(v, 8, 0, 4) {
		first.Quo(at, unit) // towards 0
	}
	first.Mul(first, unit)
	id := new(big.Int).Mod(new(big.Int).Div(first, big.NewInt(1000)), big.NewInt(1<<32))
	whole := new(big.Int).Add(id, big.NewInt(span))
	whole.Mul(whole.Add(whole, big.NewInt(delay)), big.NewInt(1000))
	last := new(big.Int).Add(at, ms(delay))

	extended := flagged || time < 0 || first.Cmp(ms(math.MaxInt32)) > 0
	from := func(minor, patch, next int) bool { // a change of 6.0.13, say, which the releases after 6.0 do not have
		return !drawn.Before(v, minor, 0, patch) && drawn.Before(v, minor, 0, next)
	}
	patched := from(6, 13, 1000) || from(7, 5, 1000)
	skips := patched || from(5, 24, 1000) || !drawn.Before(v, 7, 2, 0) && drawn.Before(v, 8, 0, 12)
	apart := first.Cmp(ms(math.MinInt32)) >= 0 && first.Cmp(ms(math.MaxUint32)) <= 0
	switch {
	case extended && skips || extended && !drawn.Before(v, 8, 0, 12) && !apart:
		return nil
	case wraps && (!extended || drawn.Before(v, 8, 0, 12) || id.Cmp(big.NewInt(1<<31-span)) < 0):
		return nil // for the rest the last measurement is looked at too
	case extended && !drawn.Before(v, 8, 0, 12):
		if id.Cmp(big.NewInt(1<<31-span)) >= 0 || last.Cmp(whole) > 0 { // both scans ask for the last measurement
			return reachable(last)
		}
	case !drawn.Before(v, 5, 1, 0) && drawn.Before(v, 8, 0, 0) && !patched && id.Cmp(big.NewInt(1511828489)) < 0:
		return nil // before 2017-11-28T00:21:29Z
	}
	return reachable(whole)
}

func reachable(at *big.Int) *big.Int {
	if !at.IsInt64() {
		return nil
	}
	return at
}

func TestModelTimeSeries(t *testing.T) { rapid.Check(t, checkModelTimeSeries) }

func FuzzModelTimeSeries(f *testing.F) { fuzzing.Property(f, checkModelTimeSeries) }

func checkModelTimeSeries(t *rapid.T) {
	version := rapid.SampledFrom([]behaviour.Version{drawn.Release(5, 0, 9), drawn.Release(5, 0, 24), drawn.Release(5, 1, 0), drawn.Release(5, 3, 0), drawn.Release(6, 0, 12), drawn.Release(6, 0, 13), drawn.Release(6, 3, 0), drawn.Release(7, 0, 4), drawn.Release(7, 0, 5),
		drawn.Release(7, 1, 1), drawn.Release(7, 2, 0), drawn.Release(8, 0, 3), drawn.Release(8, 0, 4), drawn.Release(8, 0, 11), drawn.Release(8, 0, 12), drawn.Release(8, 1, 0), behaviour.Latest}).Draw(t, "version")
	rounding := rapid.SampledFrom([]int64{1, 60, 3600, 86400, 31536000}).Draw(t, "rounding")
	span := rapid.SampledFrom([]int64{1, 3600, 86400, 2592000, 31536000}).Draw(t, "span")
	delay := rapid.OneOf(rapid.Int64Range(0, 1<<31), rapid.SampledFrom([]int64{0, 1, 1626134400 - span, 1626134401 - span, math.MaxInt64 / 1000})).Draw(t, "delay")
	flagged := rapid.Bool().Draw(t, "flagged")
	time := drawn.Instants().Draw(t, "time")
	p, err := ProfileOf(Version(version))
	if err != nil {
		t.Fatal(err)
	}
	c, err := CompileCollection(CollectionSpec{
		TimeSeries: policy.ObjectValue(policy.D{
			{Key: "timeField", Value: policy.StringValue("ts")},
			{Key: "bucketRoundingSeconds", Value: policy.Int64Value(rounding)},
			{Key: "bucketMaxSpanSeconds", Value: policy.Int64Value(span)},
		}),
		ExpireAfterSeconds: policy.Int64Value(delay),
		ExtendedRange:      flagged,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	now := drawn.Instants().Draw(t, "now")
	d := c.Decide(policy.D{{Key: "ts", Value: policy.DateValue(time)}}, now)
	checkAgainst(t, d, seriesModel(time, rounding, span, delay, flagged, version), now)
}
