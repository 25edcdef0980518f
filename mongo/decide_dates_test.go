package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPropertyDecideKey: DecideKey decides about a key as Decide does about its
// document.
func TestPropertyDecideKey(t *testing.T) {
	profiles := someProfiles()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(profiles).Draw(t, "profile")
		x, err := compileAlone(CollectionSpec{}, IndexSpec{
			Key:                policy.D{{Key: "_id", Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int64Value(drawn.Seconds().Draw(t, "seconds")),
			Clustered:          p.behaviour.Clustered && rapid.Bool().Draw(t, "clustered"),
		}, p)
		if err != nil {
			t.Fatal(err)
		}
		now, dates := drawn.Instants.Draw(t, "now"), rapid.SliceOfN(drawn.Instants, 0, 70).Draw(t, "dates")
		last := x.Bounds(now).to
		dates = append(dates, last-1, last, last+1)
		for _, date := range dates {
			d := x.Decide(policy.D{{Key: "_id", Value: policy.DateValue(date)}}, now)
			if got := x.DecideKey(date, now); got != d {
				t.Fatalf("DecideKey(%d) = %v by %s, Decide = %v by %s", date, got.State, got.Rule, d.State, d.Rule)
			}
		}
	})
}
