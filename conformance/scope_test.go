package conformance

import (
	"slices"
	"testing"
)

func TestReleasesOfSystems(t *testing.T) {
	all := Embedded().Releases(MongoDB)
	if len(all) < 300 || all[0] != "2.2.0" || !slices.Contains(all, "5.0.14") {
		t.Errorf("%d releases of MongoDB from %s on, want hundreds from 2.2.0", len(all), all[0])
	}
	if got, want := Embedded().Releases(CosmosMongo), []string{"3.2", "3.6", "4.0", "4.2", "5.0", "6.0", "7.0"}; !slices.Equal(got, want) {
		t.Errorf("Releases(%q) = %v, want %v", CosmosMongo, got, want)
	}
	for _, system := range []string{CosmosNoSQL, "no such system"} {
		if got := Embedded().Releases(system); got != nil {
			t.Errorf("Releases(%q) = %v, want none", system, got)
		}
	}
}

func TestScopeContains(t *testing.T) {
	parsed, err := parseVersions(">=5.0.0 <5.0.14 || >=6.0.0 <6.0.2")
	if err != nil {
		t.Fatal(err)
	}
	nan := TargetRange{System: MongoDB, versions: parsed}
	for release, want := range map[string]bool{
		"4.4.29": false, "5.0.0": true, "5.0.13": true, "5.0.14": false, "5.1.0": false, "6.0.1": true, "6.0.2": false,
		"": false, "five": false, "5": false,
	} {
		if got := nan.Contains(release); got != want {
			t.Errorf("Contains(%q) = %v, want %v", release, got, want)
		}
	}
}

func TestClaimedReleases(t *testing.T) {
	for _, tt := range []struct {
		why, system string
		systems     map[string]string
		want        []string
	}{
		{"a range", MongoDB, map[string]string{MongoDB: ">=8.1.0 <8.2.0"}, []string{"8.1.0", "8.1.1", "8.1.2"}},
		{"a release newer than the suite", MongoDB, map[string]string{MongoDB: "9.0.1"}, []string{"9.0.1"}},
		{"no versions", CosmosNoSQL, map[string]string{CosmosNoSQL: "*"}, []string{""}},
		{"not claimed", MongoDB, map[string]string{CosmosNoSQL: "*"}, nil},
		{"not claimed, no versions", CosmosNoSQL, map[string]string{MongoDB: "*"}, nil},
	} {
		got, err := Embedded().Claimed(Hello{Systems: tt.systems}, tt.system)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: Claimed(%v, %s) = %v, %v, want %v", tt.why, tt.systems, tt.system, got, err, tt.want)
		}
	}
	if _, err := Embedded().Claimed(Hello{Systems: map[string]string{MongoDB: "new"}}, MongoDB); err == nil {
		t.Error("Claimed takes versions that it cannot read")
	}
}
