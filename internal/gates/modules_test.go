package gates

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type goMod struct {
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
}

// TestModulesRootRequiresThree keeps the graph of whoever imports the library
// small.
func TestModulesRootRequiresThree(t *testing.T) {
	var got []string
	for _, r := range modFile(t, "go.mod").Require {
		got = append(got, r.Path)
	}
	slices.Sort(got)
	want := []string{"github.com/google/go-cmp", "github.com/shopspring/decimal", "pgregory.net/rapid"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("go.mod requires (-want +got):\n%s", diff)
	}
}

// TestModulesReplaceNothing: "go install …@version" refuses a module that
// replaces another.
func TestModulesReplaceNothing(t *testing.T) {
	for _, name := range []string{"go.mod", "cmd/go.mod", "cmd/bsonv1/go.mod", "cmd/bsonv2/go.mod", "conformance/examples/go.mod", "conformance/peers/go.mod", "docs/playground/browser/go.mod"} {
		if r := modFile(t, name).Replace; len(r) > 0 {
			t.Errorf("%s replaces %q, want no replacement", name, r[0].Old.Path)
		}
	}
}

func modFile(t *testing.T, name string) (m goMod) {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", name).Output()
	if err != nil {
		t.Fatalf("go mod edit -json %s: %v", name, err)
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
