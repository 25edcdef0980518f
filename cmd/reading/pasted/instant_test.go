package pasted

import (
	"math"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestParseInstant(t *testing.T) {
	for _, tt := range []struct {
		text    string
		layouts []string
		want    policy.Instant
		ok      bool
	}{
		{text: "2026-11-20T12:00:00Z", want: now, ok: true},
		{text: "2026-11-20T13:00:00.001+01:00", want: now + 1, ok: true},
		{text: "2026-11-20", want: now - 12*3_600_000, ok: true},
		{text: "@1795176000", want: now, ok: true},
		{text: "@-1", want: -1000, ok: true},
		{text: "-9223372036854775808ms", want: math.MinInt64, ok: true},
		{text: "2026-11-20 12:00", layouts: []string{"2006-01-02 15:04"}, want: now, ok: true},
		{text: "2026-11-20 12:00"},
		{text: "@9223372036854775807"},
		{text: "@1.5"},
		{text: "9223372036854775808ms"},
		{text: "1795176000"},
		{text: ""},
	} {
		if got, ok := ParseInstant(tt.text, tt.layouts...); ok != tt.ok || ok && got != tt.want {
			t.Errorf("ParseInstant(%q, %q) = %v, %v, want %v, %v", tt.text, tt.layouts, got, ok, tt.want, tt.ok)
		}
	}
}
