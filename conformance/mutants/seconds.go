package mutants

import (
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = map[string]misreading{
	"nan-is-zero":             sets(nanSeconds, policy.Int32Value(0), option),
	"nan-is-zero-up-to-4.4":   only(decide, until("5.0.0"), sets(nanSeconds, policy.Int32Value(0), option)),
	"nan-never":               drops(nanSeconds),
	"nan-not-repaired-in-5.0": atRelease(decide, "5.0.13", every(since("5.0.14"), until("5.1.0"))),
	"nan-repaired-in-6.1":     atRelease(decide, "6.0.0", every(since("6.0.2"), until("6.1.0"))),
	"nan-repaired-in-6.0":     atRelease(decide, "6.0.2", every(since("6.0.0"), until("6.0.2"))),
	"nan-is-68-years":         sets(nanSeconds, policy.Int32Value(math.MaxInt32), option),
	"nan-of-decimals-is-none": drops(func(x policy.Value) bool { return nanSeconds(x) && x.Field(option).Kind() == policy.Decimal }),
	"nan-expires-the-future":  moves(decide, sole("indexes", nanSeconds), byNow),
	"cutoff-saturates":        sets(cutoffOverflows, policy.Int64Value(-1), option),
	"cutoff-overflows-late":   sets(func(x policy.Value) bool { return cutoffOverflows(x) && number(x.Field(option)) != -9223372036854775 }, policy.Int64Value(-1), option),
	"seconds-rounded":         reads(ofKind(policy.Double), whole(math.Round)),
	"seconds-rounded-up":      reads(ofKind(policy.Double), whole(math.Ceil)),
	"seconds-rounded-down":    reads(ofKind(policy.Double), whole(math.Floor)),
	"seconds-with-fraction": moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
		for _, x := range policy.AOf(q.get("indexes")) {
			if f, ok := x.Field(option).AsDouble(); ok && math.Abs(f) < math.MaxInt32 {
				due += policy.Instant((f - math.Trunc(f)) * 1000)
			}
		}
		return due
	}),
	"seconds-decimal-truncated":     reads(ofKind(policy.Decimal), asDouble),
	"seconds-decimal-half-up":       reads(ofKind(policy.Decimal), func(v policy.Value) policy.Value { return whole(math.Round)(asDouble(v)) }),
	"seconds-decimal-is-none":       drops(func(x policy.Value) bool { return ofKind(policy.Decimal)(x) && !nanSeconds(x) }),
	"seconds-double-is-none":        drops(func(x policy.Value) bool { return ofKind(policy.Double)(x) && !nanSeconds(x) }),
	"seconds-int64-is-none":         drops(ofKind(policy.Int64)),
	"seconds-text-of-digits":        reads(ofKind(policy.String), numerals),
	"seconds-true-is-one":           sets(ofKind(policy.Bool), policy.Int32Value(1), option),
	"seconds-none-is-zero":          sets(ofKind(policy.String, policy.Bool, policy.Date, policy.Object), policy.Int32Value(0), option),
	"seconds-none-never-zero":       atRelease(decide, "2.4.9", until("2.4.9")),
	"seconds-none-is-zero-in-2.6":   atRelease(decide, "2.4.8", every(since("2.4.9"), until("3.2.0"))),
	"nan-skipped-in-rapid-releases": atRelease(decide, "5.0.14", every(since("5.1.0"), until("6.0.0"))),
	"seconds-negative-never":        drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 }),
	"seconds-negative-used":         atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f < 0 }))),
	"seconds-large-used":            atRelease(decide, "6.1.1", every(since("7.0.0"), ordinary, anySeconds(func(f float64) bool { return f > math.MaxInt32 }))),
	"seconds-never-used":            drops(func(x policy.Value) bool { f := number(x.Field(option)); return f <= -1 || f >= math.MaxInt32+1 }),
	"seconds-clamped":               sets(delayed(above(math.MaxInt32)), policy.Int32Value(math.MaxInt32), option),
	"seconds-wrap":                  reads(ofKind(policy.Int64), low32),
	"seconds-overflow-wraps":        only(decide, every(ordinary, anySeconds(func(f float64) bool { return math.Abs(f) > math.MaxInt64/1000 })), wraps),
	"seconds-overflow-is-at-once":   sets(delayed(below(math.MinInt64/1000)), policy.Int64Value(math.MinInt64/2000), option),
	"seconds-overflow-is-zero":      sets(func(x policy.Value) bool { return math.Abs(number(x.Field(option))) > math.MaxInt64/1000 }, policy.Int32Value(0), option),
}

// whole returns the reading of a double as another whole number.
func whole(round func(float64) float64) func(policy.Value) policy.Value {
	return func(v policy.Value) policy.Value { return policy.DoubleValue(round(number(v))) }
}

// asDouble returns a Decimal128 as the nearest double.
func asDouble(v policy.Value) policy.Value {
	text := strings.Trim(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":`), `"}`)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v
	}
	return policy.DoubleValue(f)
}

// anySeconds tests for a TTL index with such a number of seconds.
func anySeconds(such func(float64) bool) test {
	return func(q query) bool {
		for _, x := range policy.AOf(q.get("indexes")) {
			v := x.Field(option)
			if v.Kind() == policy.Decimal {
				v = asDouble(v)
			}
			if such(number(v)) {
				return true
			}
		}
		return false
	}
}

// cutoffOverflows reports whether the delay of an index reaches so far back that
// the clock of today less it does not fit 64 bits.
func cutoffOverflows(x policy.Value) bool {
	n, ok := x.Field(option).AsInt64()
	return ok && n < -(math.MaxInt64-1_700_086_400_000)/1000 && n >= math.MinInt64/1000
}
