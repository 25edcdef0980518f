package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
)

// KnownFailures are the failures that the makers of a system know of. What is
// listed is asked like everything else; when it passes, the report says so, so
// that no entry outlives its reason.
type KnownFailures []KnownFailure

// A KnownFailure is a vector that a system is known to fail.
type KnownFailure struct {
	ID     string `json:"id"`     // of the vector
	Reason string `json:"reason"` // why it fails
	Issue  string `json:"issue"`  // where that is being dealt with, such as an address
	Since  string `json:"since"`  // the release of the suite, or the day, on which it was listed
}

// ParseKnownFailures reads known failures from the text of the named file: a JSON
// object with "known", an array, perhaps empty, of objects with "id", "reason",
// "issue" and "since". The error joins everything that is wrong, each a
// [*conformance.Problem]: unknown fields, an identifier that the suite does not
// have or that is listed twice, a missing reason or issue.
func ParseKnownFailures(s *conformance.Suite, name string, text []byte) (KnownFailures, error) {
	var found jsonfile.Problems
	var known KnownFailures
	if n, ok := found.Parse(name, text); ok {
		o := found.Object(n, jsonfile.Place{File: name, Line: 1})
		known = parseKnown(s, o, &found)
		o.Done()
	}
	var all []error
	for _, p := range found {
		all = append(all, (*conformance.Problem)(&p))
	}
	return known, errors.Join(all...)
}

func parseKnown(s *conformance.Suite, o *jsonfile.Object, found *jsonfile.Problems) (all KnownFailures) {
	list, ok := o.Required("known")
	if ok && !list.Is('[') {
		o.Unwanted(list, "known", "an array")
		return nil
	}
	for _, n := range list.Nodes { // none, when the last failure is gone
		entry := found.Object(n, o.At)
		known := KnownFailure{entry.Text("id"), entry.Text("reason"), entry.Text("issue"), entry.Text("since")}
		entry.Done()
		if v := s.Vector(known.ID); v == nil || v.Status == "retired" {
			found.Add(entry.At, "no vector %q", known.ID)
		}
		if all.list(known.ID) {
			found.Add(entry.At, "%q is listed twice", known.ID)
		}
		all = append(all, known)
	}
	return all
}

// list reports whether one of the entries is about the vector of that identifier.
func (all KnownFailures) list(id string) bool {
	return slices.ContainsFunc(all, func(k KnownFailure) bool { return k.ID == id })
}

// String returns the entry as "id (reason, issue)".
func (k KnownFailure) String() string { return fmt.Sprintf("%s (%s, %s)", k.ID, k.Reason, k.Issue) }
