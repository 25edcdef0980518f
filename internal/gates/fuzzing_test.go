package gates

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	fuzzRecord = ".ci/fuzz.tsv"
	fuzzPage   = "docs/fuzzing.md"
)

// A fuzzSum sums up the runs of one target.
type fuzzSum struct{ guided, generated, seconds, findings int64 }

func (s *fuzzSum) add(t fuzzSum) {
	s.guided += t.guided
	s.generated += t.generated
	s.seconds += t.seconds
	s.findings += t.findings
}

// fuzzSums adds up the record of fuzzing by target.
func fuzzSums(t *testing.T, record string) map[string]*fuzzSum {
	t.Helper()
	sums := map[string]*fuzzSum{}
	lines := strings.Split(strings.TrimSuffix(record, "\n"), "\n")
	for i, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != 6 || columns[2] != "guided" && columns[2] != "generated" {
			t.Fatalf("%s:%d: %q, want commit, target, guided or generated, executions, seconds, findings", fuzzRecord, i+2, line)
		}
		var n [3]int64
		for j := range n {
			var err error
			if n[j], err = strconv.ParseInt(columns[3+j], 10, 64); err != nil || n[j] < 0 {
				t.Fatalf("%s:%d: %v", fuzzRecord, i+2, err)
			}
		}
		s := fuzzSum{guided: n[0], seconds: n[1], findings: n[2]}
		if columns[2] == "generated" {
			s.guided, s.generated = 0, n[0]
		}
		if sums[columns[1]] == nil {
			sums[columns[1]] = &fuzzSum{}
		}
		sums[columns[1]].add(s)
	}
	return sums
}

// TestFuzzingRecord: every fuzz target has run, and the page has the sums of the record.
func TestFuzzingRecord(t *testing.T) {
	sums := fuzzSums(t, readFile(t, fuzzRecord))
	for _, target := range testsOf(t, "Fuzz") {
		if s := sums[target]; s == nil || s.guided+s.generated == 0 {
			t.Errorf("%s has no executions in %s; run .ci/fuzz --record", target, fuzzRecord)
		}
	}
	page := readFile(t, fuzzPage)
	const before, behind = "-->\n", "## Findings\n"
	start, end := strings.Index(page, before)+len(before), strings.Index(page, behind)
	if start < len(before) || end < start {
		t.Fatalf("%s has no place for the table", fuzzPage)
	}
	want := "\n" + fuzzTable(sums) + "\n"
	if *update {
		if err := os.WriteFile(fuzzPage, []byte(page[:start]+want+page[end:]), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if page[start:end] != want {
		t.Errorf("%s differs from %s; run: go test ./internal/gates -run FuzzingRecord -update", fuzzPage, fuzzRecord)
	}
}

// testsOf returns the tests of all modules whose names begin with a pattern, as "folder
// test".
func testsOf(t *testing.T, pattern string) (all []string) {
	t.Helper()
	out, err := exec.Command("git", "grep", "-o", "-E", "^func "+pattern+"[A-Za-z0-9_]+", "--", "*_test.go").Output()
	if err != nil {
		t.Skipf("git grep: %v", err) // not a checkout
	}
	for line := range strings.Lines(string(out)) {
		file, name, _ := strings.Cut(strings.TrimSpace(line), ":func ")
		all = append(all, path.Dir(file)+" "+name)
	}
	return all
}

func fuzzTable(sums map[string]*fuzzSum) string {
	var b strings.Builder
	row := func(name string, s *fuzzSum) {
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %d |\n", name, grouped(s.guided), grouped(s.generated), float64(s.seconds)/3600, s.findings)
	}
	b.WriteString("| target | guided | generated | hours | findings |\n|---|--:|--:|--:|--:|\n")
	var total fuzzSum
	for _, target := range slices.Sorted(maps.Keys(sums)) {
		row("`"+target+"`", sums[target])
		total.add(*sums[target])
	}
	row("all", &total)
	return b.String()
}

// grouped writes a number with a comma between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// directFuzz matches a target that calls f.Fuzz itself.
var directFuzz = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\) \{\n(?:[^}\n].*\n|\n)*?\tf\.Fuzz\(func`)

// TestOSSFuzz: .ci/oss-fuzz builds every target that its builder can rewrite.
func TestOSSFuzz(t *testing.T) {
	var want []string
	for _, target := range testsOf(t, "Fuzz") {
		folder, name, _ := strings.Cut(target, " ")
		files, err := filepath.Glob(folder + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, m := range directFuzz.FindAllStringSubmatch(readFile(t, file), -1) {
				if m[1] == name && !strings.HasPrefix(folder, "cmd/internal/suite/oracle/") {
					want = append(want, target)
				}
			}
		}
	}
	var got []string
	for line := range strings.Lines(readFile(t, ".ci/oss-fuzz/build.sh")) {
		if target, ok := strings.CutPrefix(line, "target "); ok {
			got = append(got, strings.TrimSpace(target))
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(".ci/oss-fuzz/build.sh has other targets than the code (-want +got):\n%s", diff)
	}
	if len(want) < 10 {
		t.Errorf("%d targets call f.Fuzz themselves, want more", len(want))
	}
}

// TestWorkflows: a workflow asks for no secret, and each action has a version.
func TestWorkflows(t *testing.T) {
	action := regexp.MustCompile(`^\s*- uses: [a-z]+/[a-z-]+(/[a-z]+)?@(v\d+(\.\d+)*|[0-9a-f]{40})$`)
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("workflows %v, %v", files, err)
	}
	for _, file := range files {
		for line := range strings.Lines(readFile(t, file)) {
			line = strings.TrimRight(line, "\n")
			if strings.Contains(line, "uses:") && !action.MatchString(line) || strings.Contains(line, "{ secrets.") || strings.Contains(line, "\t") {
				t.Errorf("%s: %q", file, line)
			}
		}
	}
}
