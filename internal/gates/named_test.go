package gates

import (
	"regexp"
	"strings"
	"testing"
)

// TestPagesNameTests: the tests that docs/threat-model.md names exist.
func TestPagesNameTests(t *testing.T) {
	tests := allTests(t)
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(readFile(t, "docs/threat-model.md"), -1)
	if len(named) < 20 {
		t.Errorf("docs/threat-model.md names %d tests; are they written otherwise now?", len(named))
	}
	for _, name := range named {
		if !tests[name[1]] {
			t.Errorf("docs/threat-model.md: there is no %s", name[1])
		}
	}
}

// allTests returns the names of the tests and fuzz targets of all modules.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, test := range testsOf(t, "(Test|Fuzz)") {
		_, name, _ := strings.Cut(test, " ")
		tests[name] = true
	}
	return tests
}

// TestStepsNameTests: the lists of tests in .ci/run, which steps leave out or run alone,
// name existing tests. A renamed test would be run by another step or by none.
func TestStepsNameTests(t *testing.T) {
	tests := allTests(t)
	lists := regexp.MustCompile(`(?m)^\w+='(Test[\w|]+)'$`).FindAllStringSubmatch(readFile(t, ".ci/run"), -1)
	if len(lists) != 2 {
		t.Errorf(".ci/run has %d lists of tests, want 2", len(lists))
	}
	for _, list := range lists {
		for _, name := range strings.Split(list[1], "|") {
			if !tests[name] {
				t.Errorf(".ci/run: there is no %s", name)
			}
		}
	}
}
