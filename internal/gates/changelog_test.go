package gates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestChangelog(t *testing.T) {
	for _, fault := range changelogFaults(readFile(t, "CHANGELOG.md")) {
		t.Errorf("CHANGELOG.md: %s", fault)
	}
}

var (
	changelogVersion = regexp.MustCompile(`^## \[(\d+)\.(\d+)\.(\d+)\] - (\S+)$`)
	changelogKinds   = []string{"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
)

// changelogFaults returns how text differs from the form of Keep a Changelog 1.1.0
// (https://keepachangelog.com/en/1.1.0/): versions with their days, newest first, at
// most one section Unreleased and that at the top, six kinds of changes, and a link
// for each version.
func changelogFaults(text string) (faults []string) {
	newest := []int{1 << 30, 0, 0}
	for i, line := range headings(text) {
		kind, isKind := strings.CutPrefix(line, "### ")
		match := changelogVersion.FindStringSubmatch(line)
		switch {
		case isKind && !slices.Contains(changelogKinds, kind):
			faults = append(faults, fmt.Sprintf("%q is not one of %q", kind, changelogKinds))
		case isKind || line == "## [Unreleased]" && i == 0:
		case match == nil:
			faults = append(faults, fmt.Sprintf("%q is not a version with its day", line))
		default:
			version := []int{number(match[1]), number(match[2]), number(match[3])}
			if slices.Compare(version, newest) >= 0 {
				faults = append(faults, fmt.Sprintf("%q does not come before the version above it", line))
			}
			if _, err := time.Parse(time.DateOnly, match[4]); err != nil {
				faults = append(faults, fmt.Sprintf("%q has no day", line))
			}
			newest = version
		}
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "## "), "]"); ok && !strings.Contains(text, "\n"+name+"]: https://") {
			faults = append(faults, fmt.Sprintf("%s] has no link", name))
		}
	}
	return faults
}

// headings returns the lines of text that are headings below the first level.
func headings(text string) []string {
	return regexp.MustCompile(`(?m)^##.*$`).FindAllString(text, -1)
}

func number(digits string) (n int) {
	fmt.Sscan(digits, &n)
	return n
}

func TestChangelogFaults(t *testing.T) {
	const (
		unreleased = "## [Unreleased]\n### Added\n"
		one        = "## [0.1.0] - 2026-12-01\n### Fixed\n"
		two        = "## [0.2.0] - 2027-01-09\n"
		links      = "\n[Unreleased]: https://x\n[0.1.0]: https://x\n[0.2.0]: https://x\n"
	)
	for _, tt := range []struct {
		why, text string
		want      []string
	}{
		{"nothing is released", unreleased + links, nil},
		{"two releases", unreleased + two + one + links, nil},
		{"nothing is unreleased", two + one + links, nil},
		{"unknown kind", one + "### Improved\n" + links, []string{`"Improved" is not one of ["Added" "Changed" "Deprecated" "Removed" "Fixed" "Security"]`}},
		{"oldest first", one + two + links, []string{`"## [0.2.0] - 2027-01-09" does not come before the version above it`}},
		{"a version twice", one + one + links, []string{`"## [0.1.0] - 2026-12-01" does not come before the version above it`}},
		{"unreleased below", one + unreleased + links, []string{`"## [Unreleased]" is not a version with its day`}},
		{"no day", "## [0.1.0]\n" + links, []string{`"## [0.1.0]" is not a version with its day`}},
		{"impossible day", "## [0.1.0] - 2026-02-30\n" + links, []string{`"## [0.1.0] - 2026-02-30" has no day`}},
		{"no brackets", "## 0.1.0 - 2026-12-01\n" + links, []string{`"## 0.1.0 - 2026-12-01" is not a version with its day`}},
		{"no link", one, []string{"[0.1.0] has no link"}},
	} {
		if diff := cmp.Diff(tt.want, changelogFaults(tt.text)); diff != "" {
			t.Errorf("%s: changelogFaults (-want +got):\n%s", tt.why, diff)
		}
	}
}
