package suite

import "testing"

import "github.com/ttlpolicy/ttlpolicy/conformance"

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
