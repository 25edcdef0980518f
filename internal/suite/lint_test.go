package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// TestUnlocked: the missing lines are returned, and no lines while the suite has another
// fault.
func TestUnlocked(t *testing.T) {
	files := small(t, tablesFile, "", "")
	if lines := Unlocked(files); len(lines) != 0 {
		t.Errorf("nothing is missing, and %q are", lines)
	}
	whole := string(files[lockFile].Data)
	first, rest, _ := strings.Cut(whole, "\n")
	files[lockFile].Data = []byte(rest)
	if lines := Unlocked(files); !slices.Equal(lines, []string{first}) {
		t.Errorf("missing are %q, want %q", lines, first)
	}
	files["vectors/a.json"].Data = []byte(strings.Replace(string(files["vectors/a.json"].Data), `"title": "past",`, "", 1))
	if lines := Unlocked(files); lines != nil {
		t.Errorf("while a title is missing: %q", lines)
	}
}

// TestDifferencesOfSettings: each setting of the account or of the server is a place in
// which two vectors can differ; jsonfile counts the places of the question.
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
