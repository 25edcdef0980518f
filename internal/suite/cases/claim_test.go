package cases

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// TestClaimOfTwo: two systems are asked only questions that both claim.
func TestClaimOfTwo(t *testing.T) {
	one := conformance.Hello{
		Ops: []string{"mongodb.decide", "cosmos.decide"}, Features: []string{"far-dates", "capped"},
		Systems: map[string]string{conformance.MongoDB: ">=7.0.0", conformance.CosmosNoSQL: "*"},
	}
	other := conformance.Hello{
		Ops: []string{"cosmos.decide", "mongodb.decide", "mongodb.create"}, Features: []string{"capped"},
		Systems: map[string]string{conformance.MongoDB: "<8.0.0"},
	}
	c, err := ClaimOf(suite.Embedded(), one, other)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		op, since string
		want      bool
	}{
		{"mongodb.decide", "", true}, {"mongodb.decide", "7.3.4", true}, {"mongodb.decide", "8.0.0", false},
		{"mongodb.create", "", false}, {"cosmos.decide", "", false}, {"cosmosmongo.decide", "", false}, {"no.such", "", false},
	} {
		if got := c.Asks(tt.op, tt.since); got != tt.want {
			t.Errorf("Asks(%q, %q) = %v, want %v", tt.op, tt.since, got, tt.want)
		}
	}
	if c.Knows("far-dates") || !c.Knows("capped") {
		t.Errorf("the features of both are %v, want capped alone", c.Features())
	}
	if _, err := ClaimOf(suite.Embedded(), conformance.Hello{Name: "x", Systems: map[string]string{conformance.MongoDB: "new"}}); err == nil {
		t.Error("ClaimOf takes versions that it cannot read")
	}
}

func TestBefore(t *testing.T) {
	for _, tt := range []struct {
		release, other string
		want           bool
	}{
		{"3.2.0", "3.2.0", false}, {"3.0.15", "3.2.0", true}, {"10.0.0", "3.2.0", false}, {"8.0.4", "8.0.10", true}, {"4.0", "4.2", true}, {"", "3.2.0", false},
	} {
		if got := Before(tt.release, tt.other); got != tt.want {
			t.Errorf("Before(%q, %q) = %v, want %v", tt.release, tt.other, got, tt.want)
		}
	}
}

// TestNeedsOfVectors compares the computed needs with the needs that people wrote into
// the vectors. The two differ if the shape of a question does not show a need, and in a
// few cases that could be written either way.
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

// TestDrawsNothingUnclaimed: whatever features are claimed, no question needs an
// unclaimed feature.
func TestDrawsNothingUnclaimed(t *testing.T) {
	features := slices.Sorted(maps.Keys(suite.Embedded().Features))
	hello := library.New().Hello()
	rapid.Check(t, func(t *rapid.T) {
		h := hello
		h.Features = rapid.SliceOfDistinct(rapid.SampledFrom(features), rapid.ID).Draw(t, "features")
		claim, err := ClaimOf(suite.Embedded(), h)
		if err != nil {
			t.Fatal(err)
		}
		op := rapid.SampledFrom(conformance.Operations()).Draw(t, "op")
		if !claim.Asks(op, "") {
			return
		}
		c := Of(claim, func(s Source) Case { return s.Any(op) }).Draw(t, "question")
		for _, need := range c.Needs() {
			if !claim.Knows(need) {
				t.Fatalf("the question needs %s, which is not claimed", need)
			}
		}
	})
}
