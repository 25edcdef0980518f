package citations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The requirements that this package's tests make of rules and of the table.

// proof maps a confidence to kinds of sources. A rule needs a source of one of the kinds.
var proof = map[string][]string{
	engine.VendorTest: {Test},
	engine.FromSource: {Source},
	engine.Documented: {Documentation, Specification, Ticket},
	engine.Reported:   {Report},
}

// notes are files that contributors left in forks of the server. They are opinions
// about its tests, and not a source.
var notes = []string{"JSTEST_AUDIT", "PROPOSED_FIX", "COVERAGE_NOTES", "TTL_SKIP_REASON"}

// CheckAddress returns an error if an address must not be cited.
func CheckAddress(address string) error {
	for _, n := range notes {
		if strings.Contains(address, n) {
			return fmt.Errorf("%s is a note in a fork, and not to be cited", address)
		}
	}
	return nil
}

// Check returns an error if a rule has no source of a kind that its confidence needs, or
// a source that must not be cited. A confidence such as Inferred needs no source.
func Check(r policy.Rule) error {
	for _, s := range r.Citations() {
		if err := CheckAddress(s.Address); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	kinds, ok := proof[r.Confidence()]
	if !ok || slices.ContainsFunc(r.Citations(), func(s policy.Citation) bool { return slices.Contains(kinds, KindOf(s)) }) {
		return nil
	}
	return fmt.Errorf("%s has confidence %q, but no source of the kind %s; cite one, or say what the citation really is",
		r, r.Confidence(), strings.Join(kinds, " or "))
}

var isTag = regexp.MustCompile(`^[rv]\d+\.\d+\.\d+(-rc\d+)?$`)

// CheckEntry returns an error if s lacks something that a reader needs to find
// the source: the day on which it was read, the version of a file, what a test
// asserts.
func CheckEntry(s Entry) error {
	if _, err := time.Parse(time.DateOnly, s.Accessed); err != nil {
		return fmt.Errorf("%s: accessed %q, want a day such as 2026-11-22", s.Address, s.Accessed)
	}
	if kind := KindOf(s.Citation); kind != s.Kind {
		return fmt.Errorf("%s: kind %q, want %q", s.Address, s.Kind, kind)
	}
	if (s.Asserts != "") != (s.Kind == Test) {
		return fmt.Errorf("%s: a test, and nothing else, says what it asserts", s.Address)
	}
	isFile := file.MatchString(s.Address) && !thread.MatchString(s.Address)
	if isFile != (len(s.Pins) > 0) {
		return fmt.Errorf("%s: a file, and nothing else, has pins", s.Address)
	}
	for i, p := range s.Pins {
		if err := p.check(); err != nil {
			return fmt.Errorf("%s: %w", s.Address, err)
		}
		if i > 0 && CompareReleases(s.Pins[i-1].From, p.From) >= 0 {
			return fmt.Errorf("%s: the pin from %q stands after that from %q", s.Address, p.From, s.Pins[i-1].From)
		}
	}
	return CheckAddress(s.Address)
}

func (p Pin) check() error {
	switch {
	case !isCommit.MatchString(p.Ref) && !isTag.MatchString(p.Ref):
		return fmt.Errorf("ref %q is neither the tag of a release nor a whole commit", p.Ref)
	case strings.Trim(p.Path, "/") == "" || strings.HasPrefix(p.Path, "/"):
		return fmt.Errorf("path %q is not one within a repository", p.Path)
	case p.Line < 0, p.Line > 0 && p.Unread:
		return fmt.Errorf("line %d of a version that was not read", p.Line)
	}
	return nil
}
