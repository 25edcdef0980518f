package suite

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

var appendLock = flag.Bool("lock", false, "append what ids.lock lacks; with a new rev for what has changed")

// TestLockHoldsEveryVector also writes lines into ids.lock:
//
//	go test ./conformance -run TestLock -lock
func TestLockHoldsEveryVector(t *testing.T) {
	if testing.Short() && !*appendLock {
		t.Skip("loads the embedded suite again, which does not load without its lock")
	}
	l := newLoader(testdata.Files)
	l.load()
	if !*appendLock {
		for _, line := range l.unlocked {
			t.Errorf("ids.lock lacks %q; run this test with -lock", line)
		}
		return
	}
	file, err := os.OpenFile("../testdata/"+lockFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, line := range l.unlocked {
		fmt.Fprintln(file, line)
	}
}

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
