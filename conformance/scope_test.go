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
	nan := Scope{System: MongoDB, versions: parsed}
	for release, want := range map[string]bool{
		"4.4.29": false, "5.0.0": true, "5.0.13": true, "5.0.14": false, "5.1.0": false, "6.0.1": true, "6.0.2": false,
		"": false, "five": false, "5": false,
	} {
		if got := nan.Contains(release); got != want {
			t.Errorf("Contains(%q) = %v, want %v", release, got, want)
		}
	}
}
