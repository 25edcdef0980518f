package mongo

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The model below is the prose about stored options and about time-series
// collections in rational numbers. It knows releases as tuples, not profiles,
// and shares nothing with the evaluator.

func before(v Version, major, minor, patch int) bool {
	number := func(a, b, c int) int { return a*1_000_000 + b*1000 + c }
	return number(int(v.Major), int(v.Minor), int(v.Patch)) < number(major, minor, patch)
}

// A storedModel is a stored option: exact, or NaN, or an infinity, or text.
type storedModel struct {
	kind  string // "int", "double", "decimal", "nan", "infinity", "text"
	exact *big.Rat
	value policy.Value
}

// wholeModel returns the whole number that the option stands for.
func wholeModel(s storedModel) *big.Int {
	whole, rest := new(big.Int).QuoRem(s.exact.Num(), s.exact.Denom(), new(big.Int)) // towards zero
	if s.kind != "decimal" {
		return whole
	}
	half := new(big.Int).Abs(rest)
	half.Mul(half, big.NewInt(2))
	away := half.Cmp(s.exact.Denom())
	if away > 0 || away == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(int64(s.exact.Sign())))
	}
	return whole
}

// delayModel returns the delay in milliseconds, nil if nothing is deleted.
func delayModel(s storedModel, v Version) *big.Int {
	switch {
	case s.kind == "text" && before(v, 2, 4, 9):
		return new(big.Int)
	case s.kind == "text", s.kind == "decimal" && before(v, 3, 4, 0):
		return nil
	case s.kind == "nan":
		zero := before(v, 3, 4, 0) || !before(v, 5, 0, 0) && before(v, 5, 0, 14) || !before(v, 5, 1, 0) && before(v, 6, 0, 2)
		if zero {
			return new(big.Int)
		}
		return nil
	case s.kind == "infinity" && before(v, 3, 4, 0) && s.value.Kind() == policy.Double:
		return new(big.Int)
	case s.kind == "infinity":
		return nil // overflows or out of range, by release
	}
	n := wholeModel(s)
	if before(v, 3, 4, 0) {
		return wrappedModel(n)
	}
	inRange := n.Sign() >= 0 && n.Cmp(big.NewInt(math.MaxInt32)) <= 0
	if !inRange && !before(v, 6, 2, 0) {
		return nil
	}
	ms := new(big.Int).Mul(n, big.NewInt(1000))
	if !ms.IsInt64() || cutoffOverflows(1_325_376_000_000, ms) { // 2012, before all releases
		return nil
	}
	return ms
}

// wrappedModel returns what x86-64 makes of seconds that nobody checks: a double
// that no integer of 64 bits is near is -2^63, and products are taken modulo 2^64.
func wrappedModel(n *big.Int) *big.Int {
	if !n.IsInt64() {
		n = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 63))
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), 64)
	ms := new(big.Int).Mod(new(big.Int).Mul(n, big.NewInt(1000)), modulus) // 0 to 2^64-1
	if ms.Bit(63) == 1 {
		ms.Sub(ms, modulus)
	}
	if cutoffOverflows(1_325_376_000_000, ms) {
		return nil
	}
	return ms
}

// cutoffOverflows tells whether the clock less a delay does not fit 64 bits. Clocks after 9999 are not considered.
func cutoffOverflows(now policy.Instant, delay *big.Int) bool {
	if delay == nil || delay.Sign() >= 0 {
		return false
	}
	last := new(big.Int).Add(big.NewInt(math.MaxInt64), delay)
	return last.Cmp(big.NewInt(253402300799999)) < 0 && last.Cmp(big.NewInt(int64(now))) < 0
}

// deadlineModel returns when a date expires, nil for never.
func deadlineModel(date policy.Instant, delay *big.Int, v Version) *big.Int {
	if delay == nil {
		return nil
	}
	at := new(big.Int).Add(big.NewInt(int64(date)), delay)
	if before(v, 3, 2, 0) {
		at.Add(at, big.NewInt(1))
	}
	if at.Cmp(big.NewInt(math.MaxInt64)) > 0 {
		return nil
	}
	if at.Cmp(big.NewInt(math.MinInt64)) < 0 {
		return big.NewInt(math.MinInt64) // expired at every instant there is
	}
	return at
}

func storedModels() *rapid.Generator[storedModel] {
	return rapid.Custom(func(t *rapid.T) storedModel {
		n := modelSeconds().Draw(t, "n")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0, 1, 2:
			return storedModel{"int", new(big.Rat).SetInt64(n), policy.Int64Value(n)}
		case 3, 4:
			return storedDouble(float64(n) + rapid.SampledFrom([]float64{0, 0.5, -0.5, 0.9, -0.9}).Draw(t, "fraction"))
		case 5:
			return storedDouble(rapid.Float64().Draw(t, "double"))
		case 6, 7:
			return storedDecimal(t, n, rapid.IntRange(-3, 3).Draw(t, "exponent"))
		case 8:
			return rapid.SampledFrom([]storedModel{
				{kind: "nan", value: policy.DoubleValue(math.NaN())}, {kind: "infinity", value: policy.DoubleValue(math.Inf(1))},
				{kind: "infinity", value: policy.DoubleValue(math.Inf(-1))}, {kind: "infinity", value: policy.DecimalValue(0x78<<56, 0)},
				{kind: "infinity", value: policy.DecimalValue(0xF8<<56, 0)},
			}).Draw(t, "special")
		}
		return storedModel{kind: "text", value: policy.StringValue(strconv.FormatInt(n, 10))}
	})
}

func storedDouble(f float64) storedModel {
	return storedModel{"double", new(big.Rat).SetFloat64(f), policy.DoubleValue(f)}
}

func storedDecimal(t interface{ Fatal(...any) }, n int64, exponent int) storedModel {
	text := strconv.FormatInt(n, 10) + "E" + strconv.Itoa(exponent)
	exact, _ := new(big.Rat).SetString(text)
	v, err := policy.ParseExtJSON([]byte(`{"$numberDecimal":"` + text + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	return storedModel{"decimal", exact, v}
}

// TestModelStoredOptions compares every release's reading of every option.
func TestModelStoredOptions(t *testing.T) { rapid.Check(t, checkModelStoredOptions) }

func FuzzModelStoredOptions(f *testing.F) { fuzzing.Property(f, checkModelStoredOptions) }

func checkModelStoredOptions(t *rapid.T) {
	version := rapid.SampledFrom(modelVersions).Draw(t, "version")
	stored := storedModels().Draw(t, "stored")
	date := modelInstants().Draw(t, "date")
	p, err := ProfileOf(version)
	if err != nil {
		t.Fatal(err)
	}
	x, err := CompileIndex(CollectionSpec{}, IndexSpec{
		Key:                policy.D{{Key: "t", Value: policy.Int32Value(-1)}},
		ExpireAfterSeconds: stored.value,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	now := modelInstants().Draw(t, "now")
	d := x.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, now)
	delay := delayModel(stored, version)
	if cutoffOverflows(now, delay) {
		delay = nil
	}
	checkAgainst(t, d, deadlineModel(date, delay, version), now)
	if ladder := x.Consulted(d); ladder[len(ladder)-1] != d.Rule {
		t.Fatalf("ladder %v does not end with %s", ladder, d.Rule)
	}
}

// seriesModel returns when a measurement that opens a bucket expires, nil for
// never.
func seriesModel(time policy.Instant, rounding, span, delay int64, flagged bool, v Version) *big.Int {
	ms := func(seconds int64) *big.Int { return new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1000)) }
	wraps := new(big.Int).Add(big.NewInt(delay), big.NewInt(span)).Cmp(big.NewInt(1626134400)) > 0 // 2021-07-13: the bound of the scan may be negative
	at, unit := big.NewInt(int64(time)), ms(rounding)
	first := new(big.Int).Div(at, unit) // Euclidean: down
	if before(v, 8, 0, 4) {
		first.Quo(at, unit) // towards 0
	}
	first.Mul(first, unit)
	id := new(big.Int).Mod(new(big.Int).Div(first, big.NewInt(1000)), big.NewInt(1<<32))
	whole := new(big.Int).Add(id, big.NewInt(span))
	whole.Mul(whole.Add(whole, big.NewInt(delay)), big.NewInt(1000))
	last := new(big.Int).Add(at, ms(delay))

	extended := flagged || time < 0 || first.Cmp(ms(math.MaxInt32)) > 0
	from := func(minor, patch, next int) bool { // a change of 6.0.13, say, which the releases after 6.0 do not have
		return !before(v, minor, 0, patch) && before(v, minor, 0, next)
	}
	patched := from(6, 13, 1000) || from(7, 5, 1000)
	skips := patched || from(5, 24, 1000) || !before(v, 7, 2, 0) && before(v, 8, 0, 12)
	apart := first.Cmp(ms(math.MinInt32)) >= 0 && first.Cmp(ms(math.MaxUint32)) <= 0
	switch {
	case extended && skips || extended && !before(v, 8, 0, 12) && !apart:
		return nil
	case wraps && (!extended || before(v, 8, 0, 12) || id.Cmp(big.NewInt(1<<31-span)) < 0):
		return nil // for the rest the last measurement is looked at too
	case extended && !before(v, 8, 0, 12):
		if id.Cmp(big.NewInt(1<<31-span)) >= 0 || last.Cmp(whole) > 0 { // both scans ask for the last measurement
			return reachable(last)
		}
	case !before(v, 5, 1, 0) && before(v, 8, 0, 0) && !patched && id.Cmp(big.NewInt(1511828489)) < 0:
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
	version := rapid.SampledFrom([]Version{{5, 0, 9}, {5, 0, 24}, {5, 1, 0}, {5, 3, 0}, {6, 0, 12}, {6, 0, 13}, {6, 3, 0}, {7, 0, 4}, {7, 0, 5},
		{7, 1, 1}, {7, 2, 0}, {8, 0, 3}, {8, 0, 4}, {8, 0, 11}, {8, 0, 12}, {8, 1, 0}, Latest}).Draw(t, "version")
	rounding := rapid.SampledFrom([]int64{1, 60, 3600, 86400, 31536000}).Draw(t, "rounding")
	span := rapid.SampledFrom([]int64{1, 3600, 86400, 2592000, 31536000}).Draw(t, "span")
	delay := rapid.OneOf(rapid.Int64Range(0, 1<<31), rapid.SampledFrom([]int64{0, 1, 1626134400 - span, 1626134401 - span, math.MaxInt64 / 1000})).Draw(t, "delay")
	flagged := rapid.Bool().Draw(t, "flagged")
	time := modelInstants().Draw(t, "time")
	p, err := ProfileOf(version)
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
	now := modelInstants().Draw(t, "now")
	d := c.Decide(policy.D{{Key: "ts", Value: policy.DateValue(time)}}, now)
	checkAgainst(t, d, seriesModel(time, rounding, span, delay, flagged, version), now)
}
