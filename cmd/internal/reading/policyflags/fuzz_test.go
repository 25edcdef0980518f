package policyflags

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FuzzParse: a number of seconds equals the result of big integers; an instant or a
// release is the same after it is written and read again; an error names the flag.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"90d,1y, 12h", "1y", "2w", "now", "+30d", "-1w", "@1795161600", "1795161600000ms", "2026-11-20 08:00", "2026-11-20T08:00:00.5+01:00", "9223372036854775807w",
		"allowLegacyNull=true", "a={\"$numberLong\":\"5\"}", "8.0.4", "2.2", "1mo", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkSeconds(t, text)
		const now policy.Instant = 1_700_000_000_000
		if at, err := ParseInstantFrom("--now", text, now); err != nil {
			named(t, "--now", err)
		} else if again, err := ParseInstant("--now", strconv.FormatInt(int64(at), 10)+"ms", ""); err != nil || again != at {
			t.Fatalf("ParseInstantFrom(%q) = %d, in milliseconds %d, %v", text, at, again, err)
		}
		if list, err := ParseWhatIf([]string{text}); err != nil {
			named(t, "--what-if", err)
		} else if sorted := slices.Sorted(slices.Values(list)); len(list) == 0 || len(list) > MaxWhatIf || sorted[0] < 0 || len(slices.Compact(sorted)) != len(list) {
			t.Fatalf("ParseWhatIf(%q) = %v", text, list)
		}
		if d, err := ParseParameters([]string{text}); err != nil {
			named(t, "--server-parameter", err)
		} else if len(d) != 1 || !strings.HasPrefix(text, d[0].Key+"=") || d[0].Value.IsMissing() {
			t.Fatalf("ParseParameters(%q) = %v", text, policy.ObjectValue(d))
		}
		if v, err := ParseRelease("--server", text); err != nil {
			named(t, "--server", err)
		} else if again, err := ParseRelease("--server", v.String()); text != "" && (err != nil || again != v) {
			t.Fatalf("ParseRelease(%q) = %v, which is read as %v, %v", text, v, again, err)
		}
	})
}

func named(t *testing.T, flag string, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), flag) {
		t.Fatalf("%v, want it to name %s", err, flag)
	}
}

func checkSeconds(t *testing.T, text string) {
	t.Helper()
	digits, unit := text, int64(1)
	for suffix, seconds := range map[string]int64{"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_536_000} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = number, seconds
		}
	}
	want, isNumber := new(big.Int).SetString(digits, 10)
	if isNumber = isNumber && !strings.Contains(text, "_"); isNumber {
		want.Mul(want, big.NewInt(unit))
	}
	got, err := ParseSeconds(text)
	if (err == nil) != (isNumber && want.IsInt64()) || err == nil && got != want.Int64() {
		t.Fatalf("ParseSeconds(%q) = %d, %v, want %v", text, got, err, want)
	}
}
