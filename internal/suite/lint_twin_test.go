package suite

import "testing"

import "github.com/ttlpolicy/ttlpolicy/conformance"

// TestDifferencesOfSettings: what a vector presumes of the account or of the
// server is a place in which it can differ; jsonfile counts those of the question.
func TestDifferencesOfSettings(t *testing.T) {
	plain := new(Vector)
	for name, with := range map[string]TargetRange{
		"capabilities": {Capabilities: []string{"x"}},
		"parameters":   {Parameters: conformance.Parameters{"x": true}},
		"nothing":      {},
	} {
		want := 1
		if name == "nothing" {
			want = 0
		}
		if got := differences(&Vector{Want: []Row{{TargetRange: with}}}, plain); got != want {
			t.Errorf("the differences of %s are %d, want %d", name, got, want)
		}
	}
}
