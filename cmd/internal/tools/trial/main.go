// Trial adds something to a copy of the checkout as CONTRIBUTING.md says, to check how many
// files have to be written by hand:
//
//	go run ./cmd/internal/tools/trial release   a release of MongoDB that changes one behaviour
//	go run ./cmd/internal/tools/trial rule      a rule by which Azure Cosmos DB refuses something
//
// Run it in the checkout. It works on a copy of the last commit: it edits the files, runs
// the commands that write generated files, and then runs the tests with -short. It fails
// if an edit fits nowhere or changes a file that CONTRIBUTING.md does not name, or if a
// test fails.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./cmd/internal/tools/trial release|rule…")
		os.Exit(2)
	}
	for _, name := range os.Args[1:] {
		if err := run(name); err != nil {
			fmt.Fprintf(os.Stderr, "trial of a %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

// tests are all tests except the one that tries the edits, which are already made.
const tests = "go test -short -skip '^TestTrialsFit$' ./... ./cmd/... | grep -vE '^ok|no test files'; exit ${PIPESTATUS[0]}"

// run makes a trial in a copy of the checkout.
func run(name string) error {
	t, ok := trials[name]
	if !ok {
		return errors.New("want the name of a trial: release or rule")
	}
	dir, err := os.MkdirTemp("", "trial")
	if err != nil {
		return err
	}
	defer func() {
		os.RemoveAll(dir)
		_ = command("", "git", "worktree", "prune").Run()
	}()
	checkout := filepath.Join(dir, "checkout")
	if out, err := command("", "git", "worktree", "add", "--detach", checkout, "HEAD").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	page, err := os.ReadFile(filepath.Join(checkout, "CONTRIBUTING.md"))
	if err != nil {
		return err
	}
	edited, err := t.apply(checkout)
	if err != nil {
		return err
	}
	if err := t.check(string(page), edited); err != nil {
		return err
	}
	for _, line := range append(generators(string(page)), "git add -A", ".ci/rules", tests) {
		start := time.Now()
		out, err := command(checkout, "bash", "-c", line).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, out)
		}
		fmt.Printf("%6.1f s  %s\n", time.Since(start).Seconds(), line)
	}
	changed, err := command(checkout, "git", "diff", "--cached", "--name-only").Output()
	if err != nil {
		return err
	}
	fmt.Printf("a %s: %d files by hand, %d written by programs\n", name, len(edited), strings.Count(string(changed), "\n")-len(edited))
	for _, file := range edited {
		fmt.Println("  " + file)
	}
	return nil
}

func command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	return c
}

// A trial is an addition to try.
type trial struct {
	heading string // of the section of CONTRIBUTING.md about the addition
	most    int    // the largest number of files to write by hand
	edits   []edit
}

// An edit replaces the one match of a pattern in a file. Its text may use the pattern's
// groups, as ${1}, and NEXT for the number in group 2 plus one.
type edit struct {
	file, pattern, text string
}

// trials are the trials, by the name of what they add.
var trials = map[string]trial{
	"release": {"How to add a release", 6, releaseEdits(mongo.Latest)},
	"rule":    {"How to add or correct a rule", 4, ruleEdits},
}

// releaseEdits add the first release of a new line, after the newest one. The new release
// deletes nothing from capped collections.
func releaseEdits(newest mongo.Version) []edit {
	next := mongo.Version{Major: newest.Major, Minor: newest.Minor + 1}
	numbers := fmt.Sprintf("%d, %d, %d", next.Major, next.Minor, next.Patch)
	edits := []edit{
		{"mongo/internal/behaviour/steps.go", `var Latest = Version\{[0-9, ]+\}`, "var Latest = Version{" + numbers + "}"},
		{"mongo/internal/behaviour/steps.go", `(p\.Capped = steps\[cappedMeaning\]\{\n(?:\t\t.*\n)+)`, "${1}\t\t{v(" + numbers + "), CappedKeeps},\n"},
		{"testdata/suite.json", `"([0-9.]+-)?` + regexp.QuoteMeta(newest.String()) + `"(\n)`, `"${1}` + newest.String() + `", "` + next.String() + `"${2}`},
		{"testdata/suite.json", `("landmarks": \[.*)"` + regexp.QuoteMeta(newest.String()) + `"\]`, `${1}"` + newest.String() + `", "` + next.String() + `"]`},
		{"testdata/boundaries/collections.json", `("behaviour": "capped"(?:.*\n)+?.*\})(\n  \])`, `${1},` + "\n" + `   {"since": "` + next.String() + `", "does": "it deletes nothing", "inferred": "A trial."}${2}`},
	}
	for _, vector := range []string{"mongodb-index-capped", "mongodb-index-capped-zero-seconds"} {
		edits = append(edits, edit{"testdata/vectors/mongodb-index.json", `("id": "` + vector + `", "rev": )(\d+)`, "${1}NEXT"}, edit{"testdata/vectors/mongodb-index.json",
			`("id": "` + vector + `"(?:.*\n)+?.*"versions": ">=7\.1\.0)("(?:.*\n)+?.*\]\})(\n   \])`,
			`${1} <` + next.String() + `${2},
    {"system": "mongodb", "versions": ">=` + next.String() + `", "level": "must", "evidence": "source",
     "out": {"state": "never", "deadline": null, "rule": "mongo.capped"},
     "cites": ["ttl.cpp"]}${3}`})
	}
	return edits
}

// ruleEdits add a rule that refuses a container.
var ruleEdits = []edit{
	{"cosmos/rules_settings.go", `\n\truleIndexingLazy = `, `
	rulePathAnalytical = &policy.Rule{ID: "cosmos.path-analytical", Citations: from(srcPathTest), Confidence: policy.VendorTest,
		Statement: "ttlPropertyPath beside an analyticalStorageTtl is refused with status 400."}
	ruleIndexingLazy = `},
	{"cosmos/rules_settings.go", `rulePathWithoutDefault, `, "rulePathWithoutDefault, rulePathAnalytical, "},
	{"cosmos/validate.go", `\n\tcase !isPath:`, `
	case !s.AnalyticalStorageTTL.IsMissingOrNull():
		return refuse(rulePathAnalytical, at, "ttlPropertyPath goes with no analyticalStorageTtl%s", notSeen)
	case !isPath:`},
	{"internal/records/rules.json", `"path-without-default", `, `"path-without-default", "path-analytical", `},
	{"testdata/vectors/cosmos-containers.json", `\n  \{\n   "id": "cosmos-container-changed"`, `
  {
   "id": "cosmos-container-path-analytical", "rev": 1,
   "title": "ttlPropertyPath beside an analyticalStorageTtl",
   "rules": ["cosmos.path-analytical"], "op": "cosmos.validateContainer",
   "flags": ["Interaction", "NearMiss"], "needs": ["ttl-property-path"], "twin": "cosmos-container-path",
   "in": {
    "container": {"defaultTtl": 10, "ttlPropertyPath": "/created", "analyticalStorageTtl": 10}
   },
   "want": [
    {"system": "cosmos-nosql", "asOf": "2025-12-05", "level": "must", "evidence": "vendor-test",
     "error": {"class": "refused", "status": 400},
     "cites": ["cosmos-dotnet-tests"]}
   ]
  },
  {
   "id": "cosmos-container-changed"`},
}

// apply edits the files of a checkout, and returns their names.
func (t trial) apply(checkout string) ([]string, error) {
	edited := map[string]bool{}
	for _, e := range t.edits {
		name := filepath.Join(checkout, filepath.FromSlash(e.file))
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		pattern := regexp.MustCompile(e.pattern)
		found := pattern.FindAllSubmatch(text, 2)
		if n := len(found); n != 1 {
			return nil, fmt.Errorf("%s: the pattern %s matches %d times, want 1", e.file, e.pattern, n)
		}
		with := e.text
		if strings.Contains(with, "NEXT") {
			n, err := strconv.Atoi(string(found[0][2]))
			if err != nil {
				return nil, err
			}
			with = strings.Replace(with, "NEXT", strconv.Itoa(n+1), 1)
		}
		if err := os.WriteFile(name, pattern.ReplaceAll(text, []byte(with)), 0o644); err != nil {
			return nil, err
		}
		edited[e.file] = true
	}
	return slices.Sorted(maps.Keys(edited)), nil
}

// check returns an error if too many files were edited, or if the section of
// CONTRIBUTING.md does not name one of them.
func (t trial) check(page string, edited []string) error {
	if len(edited) > t.most {
		return fmt.Errorf("%d files are written by hand, want at most %d: %q", len(edited), t.most, edited)
	}
	named := regexp.MustCompile("`([a-z_]+/[a-z_/.*]+)`").FindAllStringSubmatch(part(page, t.heading), -1)
	for _, file := range edited {
		if !slices.ContainsFunc(named, func(m []string) bool {
			folder, _, _ := strings.Cut(m[1], "*")
			return strings.HasPrefix(file, folder)
		}) {
			return fmt.Errorf("CONTRIBUTING.md does not name %s in %q", file, t.heading)
		}
	}
	return nil
}

// part returns the section of a page under a heading.
func part(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n## "+heading+"\n")
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// generators returns the commands in CONTRIBUTING.md that write generated files.
func generators(page string) (lines []string) {
	for line := range strings.Lines(part(page, trials["release"].heading)) {
		if command, ok := strings.CutPrefix(line, "    go "); ok {
			lines = append(lines, "go "+strings.TrimSpace(command))
		}
	}
	return lines
}
