package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestBoundsVectors(t *testing.T) {
	tests := []struct {
		why, version, index string
		now                 policy.Instant
		want                bounds
	}{
		{"from the first date", "8.2.0", `"key":{"t":1},"expireAfterSeconds":10`, 10_000, bounds{from: policy.MinInstant, to: 0}},
		{"a clock before the epoch", "8.2.0", `"key":{"t":1},"expireAfterSeconds":10`, 0, bounds{from: policy.MinInstant, to: -10_000}},
		{"strict", "3.0.0", `"key":{"t":1},"expireAfterSeconds":10`, 10_000, bounds{from: policy.MinInstant, to: -1}},
		{"nothing is that old", "8.2.0", `"key":{"t":1},"expireAfterSeconds":1`, policy.MinInstant + 999, noBounds},
		{"one instant is", "8.2.0", `"key":{"t":1},"expireAfterSeconds":1`, policy.MinInstant + 1000, bounds{from: policy.MinInstant, to: policy.MinInstant}},
		{"strictly it is not", "3.0.0", `"key":{"t":1},"expireAfterSeconds":1`, policy.MinInstant + 1000, noBounds},
		{"a negative delay reaches ahead", "4.4.0", `"key":{"t":1},"expireAfterSeconds":-1`, 5, bounds{from: policy.MinInstant, to: 1005}},
		{"to the last date", "4.4.0", `"key":{"t":1},"expireAfterSeconds":-1`, policy.MaxInstant - 999, bounds{from: policy.MinInstant, to: policy.MaxInstant}},
		{"clustered from 1970", "8.2.0", `"key":{"_id":1},"clustered":true,"expireAfterSeconds":10`, 10_000, bounds{from: 0, to: 0}},
		{"clustered before", "8.2.0", `"key":{"_id":1},"clustered":true,"expireAfterSeconds":10`, 9_999, noBounds},
		{"an idle index", "8.2.0", `"key":{"t":"hashed"},"expireAfterSeconds":10`, 10_000, noBounds},
		{"no TTL", "8.2.0", `"key":{"t":1}`, 10_000, noBounds},
	}
	for _, tt := range tests {
		spec, err := ParseIndexSpec(drawn.Value(t, `{`+tt.index+`}`))
		if err != nil {
			t.Fatal(err)
		}
		x, err := compileAlone(CollectionSpec{}, spec, vectorProfile(t, tt.version))
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Bounds(tt.now); got != tt.want {
			t.Errorf("%s: Bounds(%d) = %v, want %v", tt.why, tt.now, got, tt.want)
		}
	}
}

// TestBoundsAgreeWithDecide: a date is expired exactly if it lies within the
// bounds, for every release, every delay and every instant.
func TestBoundsAgreeWithDecide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(someProfiles()).Draw(t, "profile")
		clustered := p.behaviour.Clustered && rapid.Bool().Draw(t, "clustered")
		seconds := drawn.Seconds().Draw(t, "seconds")
		now := drawn.Instants.Draw(t, "now")
		date := drawn.Instants.Draw(t, "date")
		if near, ok := now.Add(int32(-seconds)); ok && rapid.Bool().Draw(t, "near the cutoff") {
			date = near + policy.Instant(rapid.Int64Range(-2, 2).Draw(t, "offset"))
		}
		x, err := compileAlone(CollectionSpec{}, IndexSpec{
			Key:                policy.D{{Key: "_id", Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int64Value(seconds),
			Clustered:          clustered,
		}, p)
		if err != nil {
			t.Fatal(err)
		}
		bounds := x.Bounds(now)
		d := x.Decide(policy.D{{Key: "_id", Value: policy.DateValue(date)}}, now)
		if (d.State == policy.Expired) != bounds.contains(date) {
			t.Fatalf("date %d is %v at %d, but the bounds are %v", date, d.State, now, bounds)
		}
		if within := bounds.from <= date && date <= bounds.to; within != bounds.contains(date) {
			t.Fatalf("Contains(%d) = %v, but %d to %d", date, !within, bounds.from, bounds.to)
		}
		if bounds.isEmpty() != (bounds.from > bounds.to) {
			t.Fatalf("IsEmpty() = %v, but %d to %d", bounds.isEmpty(), bounds.from, bounds.to)
		}
	})
}

// someProfiles returns the profile of one release of each era.
func someProfiles() []Profile {
	var profiles []Profile
	for _, version := range drawn.Releases {
		p, err := ProfileOf(Version(version))
		if err != nil {
			panic(err)
		}
		profiles = append(profiles, p)
	}
	return profiles
}
