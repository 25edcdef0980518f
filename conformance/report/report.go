// Package report makes of a run of the conformance suite what is kept and
// published: results as JSON that can be judged again, failures that are known,
// what answering without looking would pass, and what the suite covers.
//
// [New] joins a [conformance.Report] with the failures that its makers know of,
// and [Report.Results] returns what is written to a file. [ParseResults] and
// [Rejudge] read such a file and judge its answers by today's suite, without
// asking again. [Expand] returns the vectors as one release answers them, for
// those who want no runner.
package report

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A Report is what one system answered to a suite, and which of its failures are
// known.
type Report struct {
	*conformance.Report
	// Known are the failures that the makers of the system list.
	Known KnownFailures
	// Stale are those of Known that are no longer right: nothing of them failed.
	Stale []KnownFailure
}

// New returns r with what is known. It marks the failures that known lists as
// [conformance.Known]. Entries that were asked, and of which nothing failed, are
// stale. Nothing is said about others: a run of some vectors says nothing about
// the rest.
func New(r *conformance.Report, known KnownFailures) *Report {
	right := map[string]bool{} // whether the entry still is, or may be; of what was asked
	for i := range r.Checks {
		c := &r.Checks[i]
		if !known.list(c.Vector.ID) {
			continue
		}
		right[c.Vector.ID] = right[c.Vector.ID] || c.Failed() || c.Outcome == conformance.NotRun
		if c.Failed() {
			c.Outcome = conformance.Known
		}
	}
	report := &Report{Report: r, Known: known}
	for _, k := range known {
		if is, asked := right[k.ID]; asked && !is {
			report.Stale = append(report.Stale, k)
		}
	}
	return report
}

// ConformsButForKnown reports whether the system would conform if everything that
// is known to fail had passed.
func (r *Report) ConformsButForKnown() bool {
	passed := *r.Report
	passed.Checks = slices.Clone(r.Checks)
	for i := range passed.Checks {
		if c := &passed.Checks[i]; c.Outcome == conformance.Known {
			c.Outcome = conformance.Pass
		}
	}
	return passed.Conforms()
}
