package cosmos

import (
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"pgregory.net/rapid"
)

func TestAssessChange(t *testing.T) {
	tests := []struct {
		why, before, after string
		without, with      Effect
		changesIndex, anew bool
		warnings           int
	}{
		{"nothing", `{"defaultTtl":5}`, `{"defaultTtl":5}`, EffectNone, EffectNone, false, false, 0},
		{"null is off", `{"defaultTtl":null}`, `{}`, EffectNone, EffectNone, false, false, 0},
		{"off to seconds", `{}`, `{"defaultTtl":5}`, EffectStarts, EffectStarts, true, true, 0},
		{"off to -1", `{}`, `{"defaultTtl":-1}`, EffectNone, EffectStarts, true, true, 0},
		{"seconds to off", `{"defaultTtl":5}`, `{}`, EffectStops, EffectStops, true, false, 0},
		{"-1 to off", `{"defaultTtl":-1}`, `{}`, EffectNone, EffectStops, true, false, 0},
		{"-1 to seconds", `{"defaultTtl":-1}`, `{"defaultTtl":5}`, EffectStarts, EffectNone, true, false, 0},
		{"seconds to -1", `{"defaultTtl":5}`, `{"defaultTtl":-1}`, EffectStops, EffectNone, true, false, 0},
		{"lower", `{"defaultTtl":6}`, `{"defaultTtl":5}`, EffectEarlier, EffectNone, true, false, 0},
		{"raised", `{"defaultTtl":5}`, `{"defaultTtl":6}`, EffectLater, EffectNone, true, false, 0},
		{"where there is no index", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":5}`, EffectUnspecified, EffectUnspecified, true, true, 0},
		{"a path without a default", `{}`, `{"ttlPropertyPath":"/at"}`, EffectUnspecified, EffectUnspecified, false, false, 0},
		{"a path that is not one", `{"defaultTtl":5,"ttlPropertyPath":"at"}`, `{}`, EffectUnspecified, EffectUnspecified, true, false, 0},
		{"to what cannot be", `{"defaultTtl":5}`, `{"defaultTtl":0}`, EffectUnspecified, EffectUnspecified, true, false, 0},
		{"from what cannot be", `{"defaultTtl":"5"}`, `{}`, EffectUnspecified, EffectUnspecified, true, false, 0},
		{"another property", `{"defaultTtl":5}`, `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, EffectMixed, EffectUnspecified, false, false, 0},
		{"another property, lower", `{"defaultTtl":6,"ttlPropertyPath":"/at"}`, `{"defaultTtl":5}`, EffectMixed, EffectUnspecified, true, false, 0},
		{"on with another property", `{}`, `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, EffectStarts, EffectUnspecified, true, true, 0},
		{"another property, nothing to count", `{"defaultTtl":-1}`, `{"defaultTtl":-1,"ttlPropertyPath":"/at"}`, EffectNone, EffectUnspecified, false, false, 0},
		{"the same property, lower", `{"defaultTtl":6,"ttlPropertyPath":"/at"}`, `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, EffectEarlier, EffectNone, true, false, 0},
		{"_ts by its path", `{"defaultTtl":5}`, `{"defaultTtl":5,"ttlPropertyPath":"/_ts"}`, EffectNone, EffectNone, false, false, 0},
		{"off with another property", `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, `{}`, EffectStops, EffectUnspecified, true, false, 0},
		{"lazy", `{}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"lazy"}}`, EffectStarts, EffectStarts, true, true, 1},
		{"off lazy", `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"lazy"}}`, `{"indexingPolicy":{"indexingMode":"consistent"}}`, EffectStops, EffectStops, true, false, 1},
		{"lazy, unchanged", `{"defaultTtl":5}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"lazy"}}`, EffectNone, EffectNone, false, false, 0},
	}
	for _, tt := range tests {
		got := AssessChange(spec(t, tt.before), spec(t, tt.after))
		if got.WithoutTTL != tt.without || got.WithTTL != tt.with || got.ChangesIndex != tt.changesIndex || got.Reindexes != tt.anew || len(got.Warnings) != tt.warnings {
			t.Errorf("%s: AssessChange(%s, %s) = %+v", tt.why, tt.before, tt.after, got)
		}
	}
}

// TestAssessChangeRows: settings without analyticalStorageTtl keep the analytical store.
func TestAssessChangeRows(t *testing.T) {
	tests := []struct {
		why, before, after string
		want               Effect
	}{
		{"nothing", `{}`, `{}`, EffectNone},
		{"on without limit", `{}`, `{"analyticalStorageTtl":-1}`, EffectNone},
		{"on", `{"analyticalStorageTtl":0}`, `{"analyticalStorageTtl":60}`, EffectStarts},
		{"absent keeps", `{"analyticalStorageTtl":60}`, `{}`, EffectNone},
		{"null", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":null}`, EffectUnspecified},
		{"null while off", `{"analyticalStorageTtl":0}`, `{"analyticalStorageTtl":null}`, EffectNone},
		{"without limit again, which shows what was hidden", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":-1}`, EffectStops},
		{"shorter", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":59}`, EffectEarlier},
		{"longer", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":61}`, EffectLater},
		{"off again", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":0}`, EffectUnspecified},
		{"to what cannot be", `{}`, `{"analyticalStorageTtl":-2}`, EffectUnspecified},
		{"from what cannot be", `{"analyticalStorageTtl":"60"}`, `{"analyticalStorageTtl":60}`, EffectUnspecified},
	}
	for _, tt := range tests {
		if got := AssessChange(spec(t, tt.before), spec(t, tt.after)); got.Rows != tt.want || got.WithoutTTL != EffectNone {
			t.Errorf("%s: AssessChange(%s, %s) = rows %s, items %s, want rows %s, items none", tt.why, tt.before, tt.after, got.Rows, got.WithoutTTL, tt.want)
		}
	}
}

func TestEffectString(t *testing.T) {
	for e, want := range map[Effect]string{EffectNone: "none", EffectUnspecified: "unspecified", EffectMixed: "mixed", 99: "Effect(99)"} {
		if e.String() != want {
			t.Errorf("Effect(%d) = %s, want %s", e, e, want)
		}
	}
}

// settings are containers of all kinds, including invalid ones.
func settings() *rapid.Generator[ContainerSpec] {
	return rapid.Custom(func(t *rapid.T) ContainerSpec {
		text := `{"id":"c"` + member("defaultTtl", rapid.SampledFrom([]string{"", "null", "0", "-1", "1", "5", "6", "1000", "2147483647", `"5"`}).Draw(t, "defaultTtl")) +
			member("ttlPropertyPath", rapid.SampledFrom([]string{"", "", "", `"/at"`, `"/_ts"`}).Draw(t, "path")) +
			member("analyticalStorageTtl", rapid.SampledFrom([]string{"", "null", "0", "-1", "5", "6", "-2"}).Draw(t, "analyticalStorageTtl")) + "}"
		c, err := ParseContainerSpec([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	})
}

// TestPropertyAssessChange decides about items before and after a change: the change must
// have exactly the assessed effect. An item that has 0 at the ttlPropertyPath is kept by
// an unspecified rule, and no effect is assessed for such an item.
func TestPropertyAssessChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := settings().Draw(t, "before"), settings().Draw(t, "after")
		ts := rapid.Int64Range(0, 3000).Draw(t, "_ts")
		own := rapid.SampledFrom([]string{"", "-1", "1", "5", "100"}).Draw(t, "ttl")
		at := rapid.Int64Range(0, 3000).Draw(t, "at")
		item := fmt.Appendf(nil, `{"_ts":%d,"at":%d%s}`, ts, at, member("ttl", own))
		now := policy.Instant(rapid.Int64Range(0, 4000).Draw(t, "now") * 1000)
		change := AssessChange(before, after)
		effect := change.WithoutTTL
		switch own {
		case "":
		case "-1":
			effect = EffectNone
		default:
			effect = change.WithTTL
		}
		x, errBefore := CompileContainer(before)
		y, errAfter := CompileContainer(after)
		if errBefore != nil || errAfter != nil {
			t.Fatal(errBefore, errAfter)
		}
		from, to := x.DecideJSON(item, now), y.DecideJSON(item, now)
		if isUnspecified := func(d policy.Decision) bool { return d.Rule.ID == rulePathUnspecified.ID }; at == 0 && (isUnspecified(from) || isUnspecified(to)) {
			if isUnspecified(from) && from.State != policy.Never || isUnspecified(to) && to.State != policy.Never {
				t.Fatalf("a property of 0: %v, then %v, want it kept where it is unspecified", from, to)
			}
		} else {
			checkEffect(t, effect, from, to)
		}
		becomes, _ := updateAnalytical(before.AnalyticalStorageTTL, after.AnalyticalStorageTTL)
		checkEffect(t, change.Rows, CompileAnalytical(before.AnalyticalStorageTTL).DecideAt(TimestampSeconds(ts), now), CompileAnalytical(becomes).DecideAt(TimestampSeconds(ts), now))
	})
}

func checkEffect(t *rapid.T, effect Effect, from, to policy.Decision) {
	expires, revives := from.State != policy.Expired && to.State == policy.Expired, from.State == policy.Expired && to.State != policy.Expired
	mayExpire := effect == EffectStarts || effect == EffectEarlier || effect == EffectMixed
	mayRevive := effect == EffectStops || effect == EffectLater || effect == EffectMixed
	if effect != EffectUnspecified && (expires && !mayExpire || revives && !mayRevive) {
		t.Fatalf("%v: %v, then %v", effect, from, to)
	}
	had, has := from.State != policy.Never, to.State != policy.Never
	holds := map[Effect]bool{
		EffectMixed: had && has,
		EffectNone:  had == has && deadlineOf(from) == deadlineOf(to), EffectStarts: !had && has, EffectStops: had && !has,
		EffectEarlier: had && has && deadlineOf(to) < deadlineOf(from), EffectLater: had && has && deadlineOf(to) > deadlineOf(from),
		EffectUnspecified: true,
	}
	if !holds[effect] {
		t.Fatalf("%v: %v at %d, then %v at %d", effect, from.State, deadlineOf(from), to.State, deadlineOf(to))
	}
}

func TestDecideItemOfAWrite(t *testing.T) {
	c := container(t, `{"defaultTtl":10}`)
	tests := []struct {
		why      string
		ttl      TTL
		at       policy.Instant
		rule     string
		deadline policy.Instant
	}{
		{"the default counts from the second of the write", TTL{}, 100_999, ruleDefault.ID, 110_000},
		{"so does an own ttl", TTLSeconds(3), 100_000, ruleItem.ID, 103_000},
		{"-1 exempts", Never, 100_000, ruleItemNever.ID, policy.MaxInstant},
		{"before 1970 rounds down too", TTLSeconds(1), -1, ruleItem.ID, 0},
		{"a whole second before 1970", TTLSeconds(1), -2000, ruleItem.ID, -1000},
	}
	for _, tt := range tests {
		if d := c.DecideItem(Item{TTL: tt.ttl, TS: TimestampAt(tt.at)}, tt.at); d.Rule.ID != tt.rule || deadlineOf(d) != tt.deadline {
			t.Errorf("%s: %d by %s, want %d by %s", tt.why, deadlineOf(d), d.Rule, tt.deadline, tt.rule)
		}
	}
}
