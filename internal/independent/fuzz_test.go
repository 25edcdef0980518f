package independent

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// An asker is a policy, and documents made for it.
type asker interface {
	// ask says where the evaluator and the model disagree about one more document.
	ask(hits tally) string
}

// fuzz asks about one document for each drawn policy.
func fuzz(f *testing.F, policy func(t testing.TB, d dice) asker) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		if got := policy(t, dice{r}).ask(nil); got != "" {
			t.Fatal(got)
		}
	})
}

func FuzzKeys(f *testing.F) {
	fuzz(f, func(t testing.TB, d dice) asker {
		release := fuzzing.Pick(d.Random, keyReleases...)
		return newKeyCase(t, d, release, profileOf(t, release.name))
	})
}

func FuzzFilters(f *testing.F) {
	fuzz(f, func(t testing.TB, d dice) asker {
		release := fuzzing.Pick(d.Random, filterReleases...)
		return newFilterCase(t, d, release, release.profile(t))
	})
}

func FuzzBuckets(f *testing.F) {
	fuzz(f, func(t testing.TB, d dice) asker {
		release := fuzzing.Pick(d.Random, seriesReleases...)
		return newSeriesCase(t, d, release, profileOf(t, release.name))
	})
}
