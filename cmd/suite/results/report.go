// Package results makes results to keep and publish from a run of the conformance suite:
// results as JSON that can be judged again, known failures, and the checks that a system
// passes by always giving the same answer.
//
// [New] joins a [suite.Report] with the known failures of the system, and
// [Report.Results] returns the contents of a file of results. [ParseResults] and
// [Rejudge] read such a file and judge its answers by today's suite, without asking
// again. [Expand] returns the vectors with the answers of one release, for use without a
// runner.
package results

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
)

// A Report holds one system's answers to a suite, with its known failures.
type Report struct {
	*suite.Report
	// Known are the failures that the makers of the system list.
	Known KnownFailures
	// Stale are the entries of Known that are no longer right, because none of
	// their checks failed.
	Stale []KnownFailure
}

// New returns r with its known failures. It marks the failures that known lists as
// [suite.Known]. Entries whose vectors were asked without a failure are stale. Entries
// whose vectors were not asked are not stale.
func New(r *suite.Report, known KnownFailures) *Report {
	right := map[string]bool{} // by asked vector: whether its entry is still right, or may be
	for i := range r.Checks {
		c := &r.Checks[i]
		if !known.has(c.Vector.ID) {
			continue
		}
		right[c.Vector.ID] = right[c.Vector.ID] || c.Failed() || c.Outcome == suite.NotRun
		if c.Failed() {
			c.Outcome = suite.Known
		}
	}
	report := &Report{Report: r, Known: known}
	for _, k := range known {
		if isRight, asked := right[k.ID]; asked && !isRight {
			report.Stale = append(report.Stale, k)
		}
	}
	return report
}

// ConformsButForKnown reports whether the system would conform if all known
// failures had passed.
func (r *Report) ConformsButForKnown() bool {
	passed := *r.Report
	passed.Checks = slices.Clone(r.Checks)
	for i := range passed.Checks {
		if c := &passed.Checks[i]; c.Outcome == suite.Known {
			c.Outcome = suite.Pass
		}
	}
	return passed.Conforms()
}

// A Baseline counts the checks that a system passes by always giving the same answer.
// Other systems have to be compared with it.
type Baseline struct {
	Name  string // what the system always answers, such as "never"
	Pass  int    // the checks that it passes
	Total int    // the checks that are judged
}

// Baselines asks systems that always give the same answer all decisions that h claims.
func Baselines(s *suite.Suite, h conformance.Hello) ([]Baseline, error) {
	h.Ops = slices.DeleteFunc(slices.Clone(h.Ops), func(op string) bool { return !strings.HasSuffix(op, ".decide") })
	h.RuleSets = nil
	h.Features = slices.DeleteFunc(slices.Clone(h.Features), func(f string) bool {
		return f == conformance.FeatureDeadline || f == conformance.FeatureRule || f == conformance.FeatureIndex
	})
	var all []Baseline
	for _, b := range []Baseline{{Name: "never"}, {Name: "expired"}} {
		always := conformance.Result(map[string]string{"state": b.Name})
		r, err := suite.Run(s, conformance.NewSystem(h, func(conformance.Question) conformance.Answer { return always }))
		if err != nil {
			return nil, err
		}
		b.count(r)
		all = append(all, b)
	}
	return all, nil
}

// count counts the checks of rows of level must. For other rows several answers conform.
func (b *Baseline) count(r *suite.Report) {
	for _, check := range r.Checks {
		if check.Row != nil && check.Row.Level == "must" && check.Counts() {
			b.Total++
		}
		if check.Outcome == suite.Pass {
			b.Pass++
		}
	}
}

// ParseResults reads [Results] that encoding/json wrote. It does not trust the
// verdicts in it: [Rejudge] makes them anew.
func ParseResults(text []byte) (r Results, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("not the results of a run: %w", err)
	}
	if major, _, _ := strings.Cut(r.Format, "."); major != "1" {
		return r, fmt.Errorf("not the results of a run: format is %q, want %q", r.Format, format)
	}
	return r, nil
}

// Rejudge judges the answers in old by s, with the known failures in old. Questions of s
// that have no answer in old count as not run.
func Rejudge(s *suite.Suite, old Results) (*Report, error) {
	r, err := suite.Run(s, replay(old))
	if err != nil {
		return nil, err
	}
	r.Hello, r.Damaged = old.Implementation, old.Damaged
	return New(r, old.Known), nil
}

// replay returns a system that gives the answers of earlier results again. It does not
// claim operations about values, such as self.echo, because these have no recorded
// answers.
func replay(old Results) conformance.System {
	hello := old.Implementation
	hello.Ops = slices.DeleteFunc(slices.Clone(hello.Ops), func(op string) bool { return conformance.SystemOf(op) == "" })
	answers := map[string]*conformance.Answer{}
	for _, c := range old.Checks {
		answers[c.In+c.Target.String()] = c.Answer
	}
	return conformance.NewSystem(hello, func(q conformance.Question) conformance.Answer {
		if a := answers[digestOf(q.Op, q.In)+q.Target.String()]; a != nil {
			return *a
		}
		return conformance.Answer{Kind: conformance.KindAborted, Text: "was not asked"}
	})
}

// KnownFailures are the failures that the makers of a system know of. Listed
// questions are asked like all others; if one passes, the report says so, so
// that no entry outlives its reason.
type KnownFailures []KnownFailure

// A KnownFailure is a vector that a system is known to fail.
type KnownFailure struct {
	ID     string `json:"id"`     // of the vector
	Reason string `json:"reason"` // why it fails
	Issue  string `json:"issue"`  // where the failure is tracked, such as an address
	Since  string `json:"since"`  // the release of the suite, or the day, on which it was listed
}

// ParseKnownFailures reads known failures from the text of the named file: a JSON
// object with "known", an array, perhaps empty, of objects with "id", "reason",
// "issue" and "since". The error joins everything that is wrong, each a
// [*suite.Problem]: unknown fields, an identifier that the suite does not
// have or that is listed twice, a missing reason or issue.
func ParseKnownFailures(s *suite.Suite, name string, text []byte) (all KnownFailures, err error) {
	var found jsonfile.Problems
	var file struct {
		Known jsonfile.Node `json:"known"`
	}
	if n, ok := found.Parse(name, text); ok {
		found.Read(n, &file)
	}
	if len(found) == 0 && !file.Known.Is('[') {
		found.Add(file.Known.Place, "\"known\" is %s, want an array", file.Known.Raw)
	}
	for _, n := range file.Known.Nodes { // none, when the last failure is gone
		var known KnownFailure
		found.Read(n, &known)
		if v := s.Vector(known.ID); v == nil || v.Status == "retired" {
			found.Add(n.Place, "no vector %q; 'ttl conform list' lists them", known.ID)
		}
		if all.has(known.ID) {
			found.Add(n.Place, "%q is listed twice", known.ID)
		}
		all = append(all, known)
	}
	return all, found.Err()
}

// has reports whether one of the entries is about the vector of that identifier.
func (all KnownFailures) has(id string) bool {
	return slices.ContainsFunc(all, func(k KnownFailure) bool { return k.ID == id })
}

// String returns the entry as "id (reason, issue)".
func (k KnownFailure) String() string { return fmt.Sprintf("%s (%s, %s)", k.ID, k.Reason, k.Issue) }
