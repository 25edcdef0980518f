package transfer

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func expire(deadline policy.Instant) policy.Decision {
	return policy.DecisionOf(policy.Pending, deadline, policy.Rule{})
}

func TestTTL(t *testing.T) {
	absent := cosmos.TTL{}
	tests := []struct {
		why      string
		decision policy.Decision
		ts       int64
		ttl      cosmos.TTL
		fidelity Fidelity
		delay    uint64
	}{
		{"never", policy.Decision{}, 100, absent, Exact, 0},
		{"a whole second", expire(110_000), 100, cosmos.TTLSeconds(10), Exact, 0},
		{"rounded up", expire(109_001), 100, cosmos.TTLSeconds(10), Rounded, 999},
		{"up to the last millisecond", expire(109_999), 100, cosmos.TTLSeconds(10), Rounded, 1},
		{"in the second of the import", expire(100_001), 100, cosmos.TTLSeconds(1), Rounded, 999},
		{"at the import", expire(100_000), 100, cosmos.TTLSeconds(1), Approximate, 1000},
		{"past", expire(5), 100, cosmos.TTLSeconds(1), Approximate, 100995},
		{"long past", expire(policy.MinInstant), 100, cosmos.TTLSeconds(1), Approximate, 1<<63 + 101_000},
		{"68 years off", expire(2147483747_000), 100, cosmos.TTLSeconds(2147483647), Exact, 0},
		{"a millisecond more", expire(2147483747_001), 100, absent, Lost, 0},
		{"the last instant", expire(policy.MaxInstant), 9223372036854775, absent, Lost, 0},
		{"a second before 1970", expire(-1_500), -10, cosmos.TTLSeconds(9), Rounded, 500},
		{"an import that no clock shows", expire(5), 1<<63 - 2, absent, Lost, 0},
	}
	for _, tt := range tests {
		if ttl, fidelity, delay := ttlOf(tt.decision, cosmos.TimestampSeconds(tt.ts)); ttl != tt.ttl || fidelity != tt.fidelity || delay != tt.delay {
			t.Errorf("%s: ttlOf(%d, %d) = %s, %s, %d, want %s, %s, %d", tt.why, fixture.Deadline(tt.decision), tt.ts, ttl, fidelity, delay, tt.ttl, tt.fidelity, tt.delay)
		}
	}
}

// TestTTLWithoutAnImport: without a known second of the import, no deadline is calculated
// from it.
func TestTTLWithoutAnImport(t *testing.T) {
	if ttl, fidelity, _ := ttlOf(expire(5), cosmos.Timestamp{}); ttl != (cosmos.TTL{}) || fidelity != Lost {
		t.Errorf("ttlOf of an import at no known second = %s, %s, want none, %s", ttl, fidelity, Lost)
	}
}

func TestFidelityString(t *testing.T) {
	for f, want := range map[Fidelity]string{Lost: "lost", Approximate: "approximate", Rounded: "rounded", Exact: "exact"} {
		if text, err := f.MarshalText(); f.String() != want || string(text) != want || err != nil {
			t.Errorf("Fidelity(%d) = %s, %s, %v, want %s", f, f, text, err, want)
		}
	}
	if text, err := Fidelity(9).MarshalText(); err == nil {
		t.Errorf("Fidelity(9) is written as %q, want an error", text)
	}
}
