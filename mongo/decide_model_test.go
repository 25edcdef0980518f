package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestModelStoredOptions compares the deadlines of drawn options in drawn releases with
// the model.
func TestModelStoredOptions(t *testing.T) { rapid.Check(t, checkModelStoredOptions) }

func FuzzModelStoredOptions(f *testing.F) { fuzzing.Property(f, checkModelStoredOptions) }

func checkModelStoredOptions(t *rapid.T) {
	version := rapid.SampledFrom(drawn.Releases).Draw(t, "version")
	stored := drawn.StoredOptions().Draw(t, "stored")
	date := drawn.Instants.Draw(t, "date")
	p := vectorProfile(t, version.String())
	x, err := compileAlone(CollectionSpec{}, IndexSpec{
		Key:                policy.D{{Key: "t", Value: policy.Int32Value(-1)}},
		ExpireAfterSeconds: stored.Value,
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	now := drawn.Instants.Draw(t, "now")
	d := x.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, now)
	delay := drawn.DelayOf(stored, version)
	if drawn.CutoffOverflows(now, delay) {
		delay = nil
	}
	checkAgainst(t, d, drawn.DeadlineOf(date, delay, version), now)
	if ladder := consulted(x.ladder, d.Rule); ladder[len(ladder)-1] != d.Rule {
		t.Fatalf("ladder %v does not end with %s", ladder, d.Rule)
	}
}
