package gates

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type goMod struct {
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
}

// TestModulesRootRequiresThree keeps the module graph of importers small.
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
	for _, name := range []string{"go.mod", "cmd/go.mod", "cmd/bsonv1/go.mod", "cmd/bsonv2/go.mod", "conformance/examples/go.mod", "docs/site/go.mod"} {
		if r := modFile(t, name).Replace; len(r) > 0 {
			t.Errorf("%s replaces %q, want no replacement", name, r[0].Old.Path)
		}
	}
}

// TestDriverModulesAgree: bsonv1 and bsonv2 are the same program for two versions of the
// driver. They differ in import paths and in the names of packages. Only version 2 has a
// RawArray.
func TestDriverModulesAgree(t *testing.T) {
	for _, suffix := range []string{".go", "_test.go"} {
		v1 := linesOfDriver(t, "cmd/bsonv1/bsonv1"+suffix, strings.NewReplacer("primitive.", "bson.", "bsonv1", "bsonv2", "driver 1", "driver 2"))
		v2 := linesOfDriver(t, "cmd/bsonv2/bsonv2"+suffix, strings.NewReplacer())
		if diff := cmp.Diff(v1, v2); diff != "" {
			t.Errorf("bsonv1%s and bsonv2%s differ (-v1 +v2):\n%s", suffix, suffix, diff)
		}
	}
}

// linesOfDriver returns the lines of a file, without the lines that may differ between
// the modules.
func linesOfDriver(t *testing.T, name string, r *strings.Replacer) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(r.Replace(string(text)), "\n")
	return slices.DeleteFunc(lines, func(line string) bool {
		return strings.Contains(line, "go.mongodb.org/mongo-driver") || strings.Contains(line, "bson.RawArray:") || strings.Contains(line, "rawValue(byte(bson.TypeArray), v)")
	})
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
