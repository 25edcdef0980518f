package cases

import (
	"maps"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
	"pgregory.net/rapid"
)

// TestNeedsOfVectors compares with what people wrote into the vectors. The two
// differ where the shape does not show a need, and in a few cases that could be
// written either way.
func TestNeedsOfVectors(t *testing.T) {
	all := suite.Embedded().Vectors
	agree := 0
	for _, v := range all {
		want := slices.DeleteFunc(slices.Clone(v.Needs), func(s string) bool { return s == "any-document" || s == "repeated-names" })
		slices.Sort(want)
		target := conformance.Target{System: conformance.SystemOf(v.Op)}
		for _, row := range v.Want {
			target.Capabilities, target.Parameters = row.Capabilities, row.Parameters
			for _, release := range suite.Embedded().Releases(row.System) {
				if row.Contains(release) {
					target.Version = release
				}
			}
		}
		c, err := OfVector(v, target)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Needs(); slices.Equal(got, want) {
			agree++
		} else {
			t.Logf("%s: Needs() = %v, written %v", v.ID, got, v.Needs)
		}
	}
	if agree*100 < len(all)*92 {
		t.Errorf("Needs agrees with %d of %d vectors, want 92 %%", agree, len(all))
	}
}

// TestDrawsNothingUnclaimed: whatever features are claimed, no question needs
// another one.
func TestDrawsNothingUnclaimed(t *testing.T) {
	features := slices.Sorted(maps.Keys(suite.Embedded().Features))
	hello := reference.New().Hello()
	rapid.Check(t, func(t *rapid.T) {
		h := hello
		h.Features = rapid.SliceOfDistinct(rapid.SampledFrom(features), rapid.ID).Draw(t, "features")
		claim, err := ClaimOf(suite.Embedded(), h)
		if err != nil {
			t.Fatal(err)
		}
		op := rapid.SampledFrom(conformance.Operations()).Draw(t, "op")
		c := Of(claim, func(s Source) Case { return s.Any(op) }).Draw(t, "question")
		for _, need := range c.Needs() {
			if !claim.Knows(need) {
				t.Fatalf("the question needs %s, which is not claimed", need)
			}
		}
	})
}
