package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
)

func TestVersionsContain(t *testing.T) {
	for _, tt := range []struct{ versions, in, out string }{
		{"*", "2.2.0 " + fixture.Latest + " 4.2", ""},
		{">=3.2.0", "3.2.0 3.2.1 3.4.0 10.0.0", "3.1.9 3.0.15 2.6.12"},
		{"<3.2.0", "3.0.15 2.2.0", "3.2.0 4.0.0 10.0.0"},
		{"5.0.14", "5.0.14", "5.0.13 5.0.15 5.1.14"},
		{">=5.0.0 <5.0.14 || >=6.0.0 <6.0.2", "5.0.0 5.0.13 6.0.0 6.0.1", "4.4.29 5.0.14 5.3.2 6.0.2 6.1.0"},
		{">=4.2", "4.2 5.0", "4.0 3.6"},
	} {
		v, err := parseVersions(tt.versions)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{tt.in: true, tt.out: false} {
			for _, s := range strings.Fields(text) {
				r, err := parseRelease(s)
				if err != nil {
					t.Fatal(err)
				}
				if got := v.contains(r); got != want {
					t.Errorf("%q contains %s: %t, want %t", tt.versions, s, got, want)
				}
			}
		}
	}
}

func TestVersionsRefuse(t *testing.T) {
	for _, s := range []string{"", "5", "5.0.0.0", "v5.0.0", ">5.0.0", "<=5.0.0", "05.0.0", ">=5.0.0 <5.0.0", "<5.0.0 >=4.0.0", ">=5.0.0 ||", "5.0.0 6.0.0", ">= 5.0.0", "* 5.0.0", "5.0.-1", "5.0.x", ">=4.0.0 <5.0.0 <6.0.0"} {
		if v, err := parseVersions(s); err == nil {
			t.Errorf("parseVersions(%q) = %v, want an error", s, v)
		}
	}
}

// TestProbes: each range is probed at both ends, next to the neighbouring ranges, and at
// the landmarks within.
func TestProbes(t *testing.T) {
	s, err := Load(small(t, tablesFile, `"3.2.0-3.2.22"`, `"3.2.0-3.2.22", "4.2.0-4.2.25"`))
	if err != nil {
		t.Fatal(err)
	}
	v := s.Vector("date-past") // a row from 3.2.0 on, and a gap before
	for _, tt := range []struct{ claim, want string }{
		{"*", "row: 3.2.0 3.2.22 5.0.31 gap: 3.0.0 3.0.15"},
		{">=3.2.0", "row: 3.2.0 3.2.22 5.0.31 gap:"},
		{">=3.0.15 <4.2.3", "row: 3.2.0 3.2.22 4.2.2 gap: 3.0.15"},
		{"4.2.1", "row: 4.2.1 gap:"},
		{"4.2.99", "row: 4.2.99 gap:"}, // newer than the suite
		{"<3.0.0", "row: gap:"},
		{">=3.0.0 <3.0.2 || 5.0.0", "row: 5.0.0 gap: 3.0.0 3.0.1"},
	} {
		claims, err := s.claimsOf(conformance.Hello{Systems: map[string]string{conformance.MongoDB: tt.claim}})
		if err != nil {
			t.Fatal(err)
		}
		words := map[bool]string{}
		for _, p := range s.probes(v, claims[conformance.MongoDB]) {
			words[p.row != nil] += " " + p.Version
		}
		if got := "row:" + words[true] + " gap:" + words[false]; got != tt.want {
			t.Errorf("claimed %q: probes %q, want %q", tt.claim, got, tt.want)
		}
	}
	if _, err := s.claimsOf(conformance.Hello{Systems: map[string]string{conformance.MongoDB: "latest"}}); err == nil {
		t.Error(`a claim of "latest" is taken`)
	}
}

// TestProbesOfSplitRows: if a row is split because of its evidence, no more releases are
// asked about than before, and each is judged by the row that holds for it.
func TestProbesOfSplitRows(t *testing.T) {
	const row = `{"system": "mongodb", "versions": "%s", "level": "must", "evidence": "%s", "out": {"state": "never", "deadline": null}, "cites": ["%s"]}`
	whole := `{"system": "mongodb", "versions": "*", "level": "must", "evidence": "vendor-test",
     "out": {"state": "never", "deadline": null},
     "cites": ["page"]}`
	split := fmt.Sprintf(row, "<5.0.0", "documented", "manual") + ", " + fmt.Sprintf(row, ">=5.0.0", "vendor-test", "page")
	s, err := Load(small(t, "vectors/a.json", whole, split))
	if err != nil {
		t.Fatal(err)
	}
	claims, err := s.claimsOf(conformance.Hello{Systems: map[string]string{conformance.MongoDB: "*"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.probes(s.Vector("date-null"), claims[conformance.MongoDB]) {
		got = append(got, p.Version+" "+p.row.Evidence)
	}
	want := []string{"3.0.0 documented", "3.2.22 documented", "5.0.31 vendor-test"}
	if !slices.Equal(got, want) {
		t.Errorf("probes %q, want %q", got, want)
	}
}

// TestUnknown: claims that no question is about are named.
func TestUnknown(t *testing.T) {
	h := conformance.Hello{
		Ops:      []string{questions.Echo, "mongodb.decide", "mongodb.fly"},
		Systems:  map[string]string{conformance.MongoDB: ">=99.0.0", conformance.CosmosNoSQL: "*", "oracle": "*"},
		Features: []string{conformance.FeatureDeadline, "decimal128", "telepathy"},
	}
	want := []string{"op mongodb.fly", "releases of mongodb in >=99.0.0", "system oracle", "feature telepathy"}
	if got := Embedded().Unknown(h); !slices.Equal(got, want) {
		t.Errorf("Unknown = %q, want %q", got, want)
	}
}

func TestReleasesOfSystems(t *testing.T) {
	all := Embedded().Releases(conformance.MongoDB)
	if len(all) < 300 || all[0] != "2.2.0" || !slices.Contains(all, "5.0.14") {
		t.Errorf("%d releases of MongoDB from %s on, want hundreds from 2.2.0", len(all), all[0])
	}
	if got, want := Embedded().Releases(conformance.CosmosMongo), []string{"3.2", "3.6", "4.0", "4.2", "5.0", "6.0", "7.0"}; !slices.Equal(got, want) {
		t.Errorf("Releases(%q) = %v, want %v", conformance.CosmosMongo, got, want)
	}
	for _, system := range []string{conformance.CosmosNoSQL, "no such system"} {
		if got := Embedded().Releases(system); got != nil {
			t.Errorf("Releases(%q) = %v, want none", system, got)
		}
	}
}

func TestClaimedReleases(t *testing.T) {
	for _, tt := range []struct {
		why, system string
		systems     map[string]string
		want        []string
	}{
		{"a range", conformance.MongoDB, map[string]string{conformance.MongoDB: ">=8.1.0 <8.2.0"}, []string{"8.1.0", "8.1.1", "8.1.2"}},
		{"a release newer than the suite", conformance.MongoDB, map[string]string{conformance.MongoDB: "9.0.1"}, []string{"9.0.1"}},
		{"no versions", conformance.CosmosNoSQL, map[string]string{conformance.CosmosNoSQL: "*"}, []string{""}},
		{"not claimed", conformance.MongoDB, map[string]string{conformance.CosmosNoSQL: "*"}, nil},
		{"not claimed, no versions", conformance.CosmosNoSQL, map[string]string{conformance.MongoDB: "*"}, nil},
	} {
		got, err := Embedded().Claimed(conformance.Hello{Systems: tt.systems}, tt.system)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: Claimed(%v, %s) = %v, %v, want %v", tt.why, tt.systems, tt.system, got, err, tt.want)
		}
	}
	if _, err := Embedded().Claimed(conformance.Hello{Systems: map[string]string{conformance.MongoDB: "new"}}, conformance.MongoDB); err == nil {
		t.Error("Claimed takes versions that it cannot read")
	}
}

func TestTargetRangeContains(t *testing.T) {
	parsed, err := parseVersions(">=5.0.0 <5.0.14 || >=6.0.0 <6.0.2")
	if err != nil {
		t.Fatal(err)
	}
	nan := TargetRange{System: conformance.MongoDB, versions: parsed}
	for release, want := range map[string]bool{
		"4.4.29": false, "5.0.0": true, "5.0.13": true, "5.0.14": false, "5.1.0": false, "6.0.1": true, "6.0.2": false,
		"": false, "five": false, "5": false,
	} {
		if got := nan.Contains(release); got != want {
			t.Errorf("Contains(%q) = %v, want %v", release, got, want)
		}
	}
}
