package conformance

import (
	"errors"
	"fmt"
)

// A Ledger is the failures that the makers of a system know of. What it lists
// is asked like everything else; when it passes, the run says so, so that no
// entry outlives its reason.
type Ledger []KnownFailure

// A KnownFailure is one entry of a [Ledger].
type KnownFailure struct {
	ID     string `json:"id"`     // of the vector
	Reason string `json:"reason"` // why it fails
	Issue  string `json:"issue"`  // where that is being dealt with, such as an address
	Since  string `json:"since"`  // the release of the suite, or the day, on which it was listed
}

// ParseLedger reads a ledger: a JSON object with "known", an array, perhaps
// empty, of objects with "id", "reason", "issue" and "since". The error joins everything that is
// wrong, each a [*Problem]: unknown fields, an identifier that the suite does
// not have or that is listed twice, a missing reason or issue.
func (s *Suite) ParseLedger(name string, text []byte) (Ledger, error) {
	n, err := parse(text)
	if err != nil {
		return nil, &Problem{name, lineOf(text, err), err.Error()}
	}
	var found problems
	o := found.object(n, place{name, 1})
	var ledger Ledger
	list, ok := o.required("known")
	if ok && !list.is('[') {
		o.unwanted(list, "known", "an array")
		list = node{}
	}
	for _, n := range list.nodes { // none, when the last failure is gone
		entry := found.object(n, o.at)
		known := KnownFailure{entry.text("id"), entry.text("reason"), entry.text("issue"), entry.text("since")}
		entry.done()
		if v := s.Vector(known.ID); v == nil || v.Status == Retired {
			found.add(entry.at, "no vector %q", known.ID)
		}
		if ledger.find(known.ID) != nil {
			found.add(entry.at, "%q is listed twice", known.ID)
		}
		ledger = append(ledger, known)
	}
	o.done()
	return ledger, errors.Join(found...)
}

func (l Ledger) find(id string) *KnownFailure {
	for i := range l {
		if l[i].ID == id {
			return &l[i]
		}
	}
	return nil
}

// Apply marks the failures that l lists as [Known], and keeps l with the
// report. Entries that were asked, and of which nothing failed, are in
// [Report.Stale] then. Nothing is said about others: a run of some vectors
// says nothing about the rest.
func (r *Report) Apply(l Ledger) {
	right := map[string]bool{} // whether the entry still is, or may be; of what was asked
	for i := range r.Checks {
		c := &r.Checks[i]
		if l.find(c.Vector.ID) == nil {
			continue
		}
		right[c.Vector.ID] = right[c.Vector.ID] || c.Failed() || c.Outcome == NotRun
		if c.Failed() {
			c.Outcome = Known
		}
	}
	r.Ledger, r.Stale = l, nil
	for _, known := range l {
		if is, asked := right[known.ID]; asked && !is {
			r.Stale = append(r.Stale, known)
		}
	}
}

// String returns the entry as "id (reason, issue)".
func (k KnownFailure) String() string { return fmt.Sprintf("%s (%s, %s)", k.ID, k.Reason, k.Issue) }
