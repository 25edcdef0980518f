package conform

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// TestKitsRun: each adapter runs unchanged, damages no value, never breaks, and decides
// by the simplest rule.
func TestKitsRun(t *testing.T) {
	for _, language := range KitLanguages() {
		t.Run(language, func(t *testing.T) {
			kit, err := KitFor(language)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && (kit.Build != nil || language == "java") { // java compiles a source before it runs it
				t.Skip("compilers take seconds; the whole run asks what they make")
			}
			r := run(t, install(t, kit))
			if len(r.Damaged) > 0 {
				t.Errorf("values are damaged: %q", r.Damaged)
			}
			exact := func(c suite.Check) bool {
				return c.Vector.ID == "mongodb-date-on-deadline" && c.Outcome == suite.Pass
			}
			if !slices.ContainsFunc(r.Checks, exact) {
				t.Error("the simplest of vectors does not pass")
			}
			for _, f := range r.Findings() {
				if f.First().Outcome == suite.Broken && f.First().Answer.Kind != conformance.KindFault {
					t.Errorf("%s: %s", f.First().Vector.ID, f.First().Answer)
				}
			}
		})
	}
}

// install writes and builds an adapter, and returns the command that runs it.
func install(t *testing.T, kit Kit) []string {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, kit.File)
	if err := os.WriteFile(path, kit.Text, 0o666); err != nil {
		t.Fatal(err)
	}
	command := append(slices.Clone(kit.Build), kit.Run...)
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("%s is not installed", command[0])
	}
	binary := filepath.Join(folder, "adapter")
	build := kit.Build
	if kit.Language == "go" { // the source becomes part of this module, which has the library
		build = []string{"go", "build", "-o", binary, path}
	}
	if build != nil {
		cmd := exec.Command(build[0], build[1:]...)
		if kit.Language != "go" {
			cmd.Dir = folder
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", build, err, out)
		}
		return []string{binary}
	}
	return append(kit.Run[:len(kit.Run)-1:len(kit.Run)-1], path)
}

func run(t *testing.T, command []string) *suite.Report {
	t.Helper()
	p, err := protocol.Start(t.Context(), command, protocol.Options{Timeout: time.Minute, HelloTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.IsOneShot() {
		t.Error("the output is not flushed")
	}
	r, err := suite.Run(suite.Embedded(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKitForRefuses(t *testing.T) {
	if _, err := KitFor("cobol"); err == nil {
		t.Error("there is an adapter in cobol")
	}
}
