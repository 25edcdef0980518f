package mongo

import (
	"fmt"
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestSecondsVectors: the effect of a stored option in each release, as the
// deadline of a document dated 1970-01-01.
func TestSecondsVectors(t *testing.T) {
	long := func(s string) string { return `{"$numberLong":"` + s + `"}` }
	double := func(s string) string { return `{"$numberDouble":"` + s + `"}` }
	decimal := func(s string) string { return `{"$numberDecimal":"` + s + `"}` }
	tests := []struct {
		why      string
		versions []string
		seconds  string
		rule     string
		deadline policy.Instant
	}{
		{"every number means the same", []string{"3.4.0", "4.4.0", "5.0.0", "5.2.0", "6.1.0", "6.2.0", "7.0.0", "8.2.11"}, decimal("10"), rules.Date.ID(), 10_000},
		{"also as a double", []string{"3.2.0", "4.4.0", "5.0.14", "6.2.0", "8.2.11"}, double("10.9"), rules.Date.ID(), 10_000},
		{"also as a long", []string{"3.2.0", "4.4.0", "5.0.14", "6.2.0", "8.2.11"}, long("10"), rules.Date.ID(), 10_000},
		{"also as an int", []string{"3.2.0", "8.2.0"}, `10`, rules.Date.ID(), 10_000},
		{"by the strict rule", []string{"2.2.0", "3.0.15"}, `10`, rules.DateStrict.ID(), 10_001},
		{"zero", []string{"8.0.0"}, `0`, rules.Date.ID(), 0},
		{"the longest", []string{"8.0.0"}, `2147483647`, rules.Date.ID(), 2147483647_000},
		{"decimal128 came with 3.4", []string{"2.4.0", "3.2.22"}, decimal("10"), rules.SecondsUnspecified.ID(), kept},
		{"a double is truncated", []string{"4.4.0", "8.0.0"}, double("50.7"), rules.Date.ID(), 50_000},
		{"a decimal is rounded", []string{"4.4.0", "8.0.0"}, decimal("50.7"), rules.Date.ID(), 51_000},
		{"half to even", []string{"4.4.0", "8.0.0"}, decimal("3600.5"), rules.Date.ID(), 3600_000},
		{"half to even", []string{"8.0.0"}, decimal("51.5"), rules.Date.ID(), 52_000},
		{"truncated to 0", []string{"8.0.0"}, double("-0.9"), rules.Date.ID(), 0},
		{"minus zero", []string{"8.0.0"}, double("-0.0"), rules.Date.ID(), 0},
		{"rounds to 0", []string{"8.0.0"}, decimal("-0.5"), rules.Date.ID(), 0},
		{"rounds to -1", []string{"8.0.0"}, decimal("-0.6"), rules.SecondsInvalid.ID(), kept},
		{"rounds to -1", []string{"8.0.0"}, decimal("-0.9"), rules.SecondsInvalid.ID(), kept},
		{"truncated into the range", []string{"8.0.0"}, double("2147483647.5"), rules.Date.ID(), 2147483647_000},
		{"rounded out of the range", []string{"8.0.0"}, decimal("2147483647.5"), rules.SecondsInvalid.ID(), kept},
		{"rounded within the range", []string{"8.0.0"}, decimal("2147483646.5"), rules.Date.ID(), 2147483646_000},

		{"a negative is used", []string{"3.2.0", "4.4.0", "5.0.0", "5.0.14", "5.2.0", "6.0.2", "6.1.1"}, `-1`, rules.Date.ID(), -1000},
		{"by the strict rule too", []string{"2.4.0"}, `-1`, rules.DateStrict.ID(), -999},
		{"unspecified", []string{"6.2.0", "6.3.2"}, `-1`, rules.SecondsUnspecified.ID(), kept},
		{"skipped", []string{"7.0.0", "8.2.11"}, `-1`, rules.SecondsInvalid.ID(), kept},
		{"beyond int32 is used", []string{"3.2.0", "4.4.0", "5.0.0", "6.1.1"}, long("2147483648"), rules.Date.ID(), 2147483648_000},
		{"unspecified", []string{"6.2.0", "6.3.2"}, long("2147483648"), rules.SecondsUnspecified.ID(), kept},
		{"skipped", []string{"7.0.0"}, long("2147483648"), rules.SecondsInvalid.ID(), kept},
		{"the greatest that can be counted in ms", []string{"3.2.0", "4.4.0", "6.1.0"}, long("9223372036854775"), rules.Date.ID(), 9223372036854775_000},
		{"one more aborts the pass", []string{"3.4.0", "4.4.0", "5.0.0", "6.1.0"}, long("9223372036854776"), rules.SecondsOverflow.ID(), kept},
		// 9223372036854776000 - 2^64 = -9223372036854775616: subtracting that from the
		// clock overflows 64 bits.
		{"or wraps to where the cutoff does", []string{"2.4.0", "3.0.15", "3.2.22"}, long("9223372036854776"), rules.SecondsUnspecified.ID(), kept},
		// 18446744073709552000 - 2^64 = 384, and 184467440737095516160 - 10*2^64 = 0.
		{"or wraps to less than a second", []string{"3.2.0", "3.2.22"}, long("18446744073709552"), rules.Date.ID(), 384},
		{"or wraps to less than a second", []string{"2.2.0", "3.0.15"}, long("18446744073709552"), rules.DateStrict.ID(), 385},
		{"or wraps to 616 ms ahead of the clock", []string{"3.2.22"}, long("18446744073709551"), rules.Date.ID(), -616},
		{"the greatest long wraps to a second ahead", []string{"3.2.0", "3.2.22"}, long("9223372036854775807"), rules.Date.ID(), -1000},
		{"the greatest long wraps to a second ahead", []string{"2.2.0", "2.4.14", "2.6.12", "3.0.15"}, long("9223372036854775807"), rules.DateStrict.ID(), -999},
		{"the least long wraps to 0", []string{"3.2.22"}, long("-9223372036854775808"), rules.Date.ID(), 0},
		{"the least long but one to a second", []string{"3.2.22"}, long("-9223372036854775807"), rules.Date.ID(), 1000},
		{"a double beyond 64 bits is 0", []string{"3.2.0", "3.2.22"}, double("1e300"), rules.Date.ID(), 0},
		{"a double beyond 64 bits is 0", []string{"2.2.0", "3.0.15"}, double("1e300"), rules.DateStrict.ID(), 1},
		{"below them too", []string{"3.2.22"}, double("-1e300"), rules.Date.ID(), 0},
		{"infinity too", []string{"2.4.14"}, double("Infinity"), rules.DateStrict.ID(), 1},
		{"2^63 too", []string{"3.2.22"}, double("9223372036854775808"), rules.Date.ID(), 0},
		// (2^63 - 1024) * 1000 = -1024000 in 64 bits.
		{"the double below wraps", []string{"3.2.22"}, double("9223372036854774784"), rules.Date.ID(), -1024_000},
		{"aborts since", []string{"3.4.0", "4.4.29"}, long("9223372036854775807"), rules.SecondsOverflow.ID(), kept},
		{"aborts since", []string{"3.4.0", "4.4.29"}, double("1e300"), rules.SecondsOverflow.ID(), kept},
		{"the least, by which the cutoff overflows", []string{"4.0.6", "4.4.0", "6.1.1"}, long("-9223372036854775"), rules.SecondsOverflow.ID(), kept},
		{"or is undefined", []string{"3.0.15", "3.2.0", "3.6.23", "4.0.5"}, long("-9223372036854775"), rules.SecondsUnspecified.ID(), kept},
		{"until 1970", []string{"4.0.6"}, long("-9223372036854774"), rules.SecondsOverflow.ID(), kept},
		{"one less", []string{"4.4.0", "6.1.0"}, long("-9223372036854776"), rules.SecondsOverflow.ID(), kept},
		{"the least long", []string{"4.4.0", "6.1.0"}, long("-9223372036854775808"), rules.SecondsOverflow.ID(), kept},
		{"the least long", []string{"8.0.0"}, long("-9223372036854775808"), rules.SecondsInvalid.ID(), kept},
		{"C makes it the least long", []string{"3.4.0", "4.4.0"}, double("9223372036854775808"), rules.SecondsOverflow.ID(), kept},
		{"the double below", []string{"4.4.0"}, double("9223372036854774784"), rules.SecondsOverflow.ID(), kept},
		{"infinity", []string{"3.4.0", "4.4.0"}, double("Infinity"), rules.SecondsOverflow.ID(), kept},
		{"infinity", []string{"4.4.0"}, decimal("-Infinity"), rules.SecondsOverflow.ID(), kept},
		{"infinity saturates", []string{"5.0.0", "6.1.0"}, double("-Infinity"), rules.SecondsOverflow.ID(), kept},
		{"infinity saturates", []string{"5.0.0", "6.1.0"}, decimal("Infinity"), rules.SecondsOverflow.ID(), kept},
		{"infinity is out of range", []string{"7.0.0"}, double("Infinity"), rules.SecondsInvalid.ID(), kept},
		{"hostile exponent", []string{"7.0.0"}, decimal("1E+6144"), rules.SecondsInvalid.ID(), kept},
		{"hostile exponent", []string{"7.0.0"}, decimal("1E-6176"), rules.Date.ID(), 0},

		{"a string", []string{"3.2.0", "8.0.0"}, `"10"`, rules.SecondsNotNumber.ID(), kept},
		{"a string", []string{"2.4.9", "3.0.15"}, `"10"`, rules.SecondsNotNumber.ID(), kept},
		{"a string that is 0", []string{"2.2.0", "2.4.8"}, `"10"`, rules.DateStrict.ID(), 1},
		{"a document that is 0", []string{"2.2.0", "2.4.8"}, `{}`, rules.DateStrict.ID(), 1},
		{"null that is 0", []string{"2.4.8"}, `null`, rules.DateStrict.ID(), 1},
		{"a boolean", []string{"4.0.0"}, `true`, rules.SecondsNotNumber.ID(), kept},
		{"a null is an option", []string{"4.0.0", "8.0.0"}, `null`, rules.SecondsNotNumber.ID(), kept},
		{"a date", []string{"8.0.0"}, `{"$date":{"$numberLong":"5"}}`, rules.SecondsNotNumber.ID(), kept},

		{"NaN as a decimal", []string{"3.4.0", "4.2.21", "4.4.0", "4.4.15"}, decimal("NaN"), rules.NaNAborts.ID(), kept},
		{"NaN aborts", []string{"3.4.0", "4.2.21", "4.4.0"}, double("NaN"), rules.NaNAborts.ID(), kept},
		{"NaN is 0", []string{"2.2.0", "2.4.14", "2.6.12", "3.0.0", "3.0.15"}, double("NaN"), rules.DateStrict.ID(), 1},
		{"NaN is 0", []string{"3.2.0", "3.2.22", "5.0.0", "5.0.13", "5.2.0", "6.0.0", "6.0.1"}, double("NaN"), rules.Date.ID(), 0},
		{"NaN as a decimal", []string{"5.0.0", "5.0.13", "6.0.0", "6.0.1"}, decimal("NaN"), rules.Date.ID(), 0},
		{"NaN as a decimal", []string{"5.0.14", "5.0.31", "6.0.2", "6.1.0", "6.2.0", "7.0.0", "8.2.11"}, decimal("-NaN"), rules.NaNSkipped.ID(), kept},
		{"NaN in the rapid releases", []string{"5.1.0", "5.3.2"}, decimal("NaN"), rules.Date.ID(), 0},
		{"NaN is skipped", []string{"4.2.22", "4.2.25", "4.4.16", "4.4.29", "5.0.14", "6.0.2", "6.1.0", "8.2.0"}, double("NaN"), rules.NaNSkipped.ID(), kept},
	}
	for _, tt := range tests {
		for _, version := range tt.versions {
			t.Run(fmt.Sprint(version, " ", tt.seconds, " ", tt.why), func(t *testing.T) {
				c := vectorCollection(t, version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":`+tt.seconds+`}]`)
				checkVector(t, c, dates(`{"t":D(0)}`), tt.rule, tt.deadline)
			})
		}
	}
}

// TestSecondsKeepDatesOf1956: 2147483647 does not mean "never".
func TestSecondsKeepDatesOf1956(t *testing.T) {
	c := vectorCollection(t, "8.2.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":2147483647}]`)
	// 1956-01-01T00:00:00Z plus 2147483647 s is 2024-01-19T03:14:07Z.
	checkVector(t, c, dates(`{"t":D(-441849600000)}`), rules.Date.ID(), 1705634047_000)
}

// TestSecondsUnreachable: deadlines at and after the last instant, for each computation
// of a deadline.
func TestSecondsUnreachable(t *testing.T) {
	tests := []struct {
		version, seconds, date, rule string
		deadline                     policy.Instant
	}{
		{"8.0.0", "1", "9223372036854774807", rules.Date.ID(), policy.MaxInstant},
		{"8.0.0", "1", "9223372036854774808", rules.Unreachable.ID(), kept},
		{"8.0.0", "0", "9223372036854775807", rules.Date.ID(), policy.MaxInstant},
		{"8.0.0", "2147483647", "9223372036854775807", rules.Unreachable.ID(), kept},
		{"3.0.0", "0", "9223372036854775806", rules.DateStrict.ID(), policy.MaxInstant},
		{"3.0.0", "0", "9223372036854775807", rules.Unreachable.ID(), kept},
		{"3.0.0", "1", "9223372036854774807", rules.Unreachable.ID(), kept},
		{"4.4.0", "-1", "9223372036854775807", rules.Date.ID(), policy.MaxInstant - 1000},
		{"4.4.0", "-1", "-9223372036854775808", rules.Date.ID(), policy.MinInstant},
		{"4.4.0", "-1", "-9223372036854774808", rules.Date.ID(), policy.MinInstant},
		{"4.4.0", "-1", "-9223372036854774807", rules.Date.ID(), policy.MinInstant + 1},
		{"3.0.0", "-1", "-9223372036854775808", rules.DateStrict.ID(), policy.MinInstant},
	}
	for _, tt := range tests {
		t.Run(tt.version+" "+tt.seconds+" "+tt.date, func(t *testing.T) {
			c := vectorCollection(t, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":`+tt.seconds+`}]`)
			checkVector(t, c, dates(`{"t":D(`+tt.date+`)}`), tt.rule, tt.deadline)
		})
	}
}

func TestWholeSeconds(t *testing.T) {
	for _, tt := range []struct {
		option string
		want   int64
		number bool
	}{
		{`5`, 5, true},
		{`{"$numberLong":"-9223372036854775808"}`, math.MinInt64, true},
		{`{"$numberDouble":"-0.9"}`, 0, true},
		{`{"$numberDouble":"50.7"}`, 50, true},
		{`{"$numberDouble":"-50.7"}`, -50, true},
		{`{"$numberDouble":"NaN"}`, 0, true},
		{`{"$numberDouble":"Infinity"}`, math.MaxInt64, true},
		{`{"$numberDouble":"-Infinity"}`, math.MinInt64, true},
		{`{"$numberDecimal":"-0.9"}`, -1, true},
		{`{"$numberDecimal":"2.5"}`, 2, true},
		{`{"$numberDecimal":"3.5"}`, 4, true},
		{`{"$numberDecimal":"NaN"}`, 0, true},
		{`{"$numberDecimal":"1E+6144"}`, math.MaxInt64, true},
		{`"5"`, 0, false},
		{`true`, 0, false},
		{`null`, 0, false},
	} {
		v := drawn.Value(t, tt.option)
		if n, ok := value.WholeSeconds(v), v.Kind().IsNumber(); n != tt.want || ok != tt.number {
			t.Errorf("wholeSeconds(%s) = %d, %t, want %d, %t", tt.option, n, ok, tt.want, tt.number)
		}
	}
	if n := value.WholeSeconds(policy.Value{}); n != 0 {
		t.Errorf("wholeSeconds(Missing) = %d, want 0", n)
	}
}

// TestCutoffOverflows: for a very negative delay the cutoff fits 64 bits until
// 2027-01-15T08:00:00Z, and not in the next second: everything expires until
// then, and nothing afterwards.
func TestCutoffOverflows(t *testing.T) {
	const last = policy.Instant(1_800_000_000_000)
	seconds := (int64(policy.MaxInstant) - int64(last)) / 1000 // MaxInstant - last is 807 ms more than these seconds
	for _, tt := range []struct {
		version, rule string
	}{
		{"3.2.22", rules.SecondsUnspecified.ID()}, {"3.6.23", rules.SecondsUnspecified.ID()}, {"4.0.5", rules.SecondsUnspecified.ID()}, {"4.0.6", rules.SecondsOverflow.ID()}, {"6.1.1", rules.SecondsOverflow.ID()},
	} {
		c := vectorCollection(t, tt.version, `{}`, fmt.Sprintf(`[{"key":{"t":1},"expireAfterSeconds":{"$numberLong":"%d"}}]`, -seconds))
		for _, at := range []struct {
			now  policy.Instant
			want policy.State
			rule string
		}{{last + 807, policy.Expired, rules.Date.ID()}, {last + 808, policy.Never, tt.rule}, {0, policy.Expired, rules.Date.ID()}, {policy.MaxInstant, policy.Never, tt.rule}} {
			doc := drawn.Value(t, dates(`{"t":D(1900000000000)}`))
			raw := drawn.BSONOf(t, doc).Bytes()
			x := c.sources[0].index
			for _, d := range []policy.Decision{c.Decide(doc, at.now), c.DecideBSON(raw, at.now), x.DecideKey(1_900_000_000_000, at.now)} {
				if d.State != at.want || d.Rule.ID() != at.rule {
					t.Errorf("%s at %d: %v by %s, want %v by %s", tt.version, at.now, d.State, d.Rule, at.want, at.rule)
				}
				if ladder := c.Consulted(d); ladder[len(ladder)-1] != d.Rule {
					t.Errorf("%s: the ladder %v does not end with %s", tt.version, ladder, d.Rule)
				}
			}
			if got := !x.Bounds(at.now).isEmpty(); got != (at.want == policy.Expired) {
				t.Errorf("%s at %d: Bounds has dates: %v", tt.version, at.now, got)
			}
		}
		if d := c.Decide(policy.D{}, last+808); d.Rule.ID() != tt.rule {
			t.Errorf("%s: without the field, decided by %s, want %s: the pass fails before it looks", tt.version, d.Rule, tt.rule)
		}
	}
	// For a delay of minus a century the cutoff fits 64 bits at every clock up to 9999.
	c := vectorCollection(t, "4.4.29", `{}`, `[{"key":{"t":1},"expireAfterSeconds":{"$numberLong":"-3155760000"}}]`)
	if d := c.Decide(drawn.Value(t, dates(`{"t":D(0)}`)), lastServerClock); d.State != policy.Expired {
		t.Errorf("a century back, at the end of 9999: %v, want expired", d.State)
	}
}
