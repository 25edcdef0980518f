package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// format is the version of the file format that this package reads and writes. A change
// that older versions cannot read increases the first number.
const format = "1.0"

// Results are a report as JSON. They hold all answers, so that [Rejudge] can
// judge them by a corrected suite without asking again.
type Results struct {
	Format         string            `json:"format"`
	Suite          SuiteResult       `json:"suite"`
	Runner         string            `json:"runner,omitempty"` // such as "ttl 0.1.0"
	Mode           string            `json:"mode,omitempty"`   // "lockstep", "one-shot", or such as "100 in flight"; none if asked in process
	Ended          int               `json:"ended,omitempty"`  // how often the program ended, but answered after a new start
	Blind          bool              `json:"blind"`            // the system saw neither identifiers nor expectations
	Implementation conformance.Hello `json:"implementation"`
	Environment    Environment       `json:"environment"`
	Conforms       bool              `json:"conforms"`
	Damaged        []string          `json:"plumbing,omitempty"`
	RuleSets       []RuleSetResult   `json:"profiles"`
	Rules          []RuleResult      `json:"rules"`
	Known          KnownFailures     `json:"known,omitempty"`
	Checks         []CheckResult     `json:"checks"`
}

// A SuiteResult names the suite that judged.
type SuiteResult struct {
	Version string `json:"version"`
	Vectors int    `json:"vectors"`
	SHA256  string `json:"sha256"` // of all questions and answers
}

// An Environment describes the machine of a run.
type Environment struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// A RuleSetResult is the verdict on a rule set.
type RuleSetResult struct {
	Name    string                `json:"name"`
	Claimed bool                  `json:"claimed"`
	Verdict suite.Verdict         `json:"verdict"`
	Rules   map[suite.Verdict]int `json:"rules"`
}

// A RuleResult is the verdict on a rule.
type RuleResult struct {
	ID      string                `json:"id"`
	Verdict suite.Verdict         `json:"verdict"`
	Checks  map[suite.Outcome]int `json:"checks"`
}

// A CheckResult is the result of one vector for one release.
type CheckResult struct {
	ID      string              `json:"id"`
	Rev     int                 `json:"rev"`
	In      string              `json:"in"` // a digest of the operation and its input
	Target  conformance.Target  `json:"target"`
	Level   string              `json:"level"` // "unspecified" where nothing is established
	Outcome suite.Outcome       `json:"outcome"`
	Label   string              `json:"label,omitempty"`
	Detail  string              `json:"detail,omitempty"`
	Answer  *conformance.Answer `json:"answer,omitempty"`
	Rules   []string            `json:"rules"`
}

// DeletesLive reports whether the answer expires a document that must stay: the
// failure that costs data.
func (c CheckResult) DeletesLive() bool {
	return suite.Check{Outcome: c.Outcome, Detail: c.Detail}.DeletesLive()
}

// Results returns the contents of r for a file of results.
func (r *Report) Results() Results {
	results := Results{
		Format: format, Blind: true, Implementation: r.Hello, Environment: Environment{runtime.GOOS, runtime.GOARCH},
		Conforms: r.Conforms(), Damaged: r.Damaged, Checks: make([]CheckResult, 0, len(r.Checks)), Known: r.Known,
		Suite: SuiteResult{r.Suite.Version, len(r.Suite.Vectors), digestOfSuite(r.Suite)},
	}
	for _, p := range r.RuleSets() {
		results.RuleSets = append(results.RuleSets, RuleSetResult{p.Name, p.Claimed, p.Verdict, p.Count})
	}
	for _, rule := range r.Rules() {
		results.Rules = append(results.Rules, RuleResult{rule.Rule.ID(), rule.Verdict, rule.Count})
	}
	for _, c := range r.Checks {
		results.Checks = append(results.Checks, resultOf(c))
	}
	return results
}

func resultOf(c suite.Check) CheckResult {
	result := CheckResult{
		ID: c.Vector.ID, Rev: c.Vector.Rev, In: digestOf(c.Vector.Op, c.Vector.In), Target: c.Target, Level: "unspecified",
		Outcome: c.Outcome, Label: c.Label, Detail: c.Detail,
	}
	if c.Row != nil {
		result.Level = c.Row.Level
	}
	if c.Answer.Kind != conformance.KindNone {
		result.Answer = &c.Answer
	}
	for _, r := range c.Vector.Rules {
		result.Rules = append(result.Rules, r.ID())
	}
	return result
}

// digestOfSuite returns the SHA-256 of all vectors.
func digestOfSuite(s *suite.Suite) string {
	var all []byte
	for _, v := range s.Vectors {
		all = fmt.Appendln(all, v.ID, v.Rev, v.Hash)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:])
}

// digestOf returns a short digest of a question, the same for every target.
func digestOf(op string, in json.RawMessage) string {
	sum := sha256.Sum256(append([]byte(op+" "), in...))
	return hex.EncodeToString(sum[:8])
}
