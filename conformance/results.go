package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
)

// Results are a report as JSON: everything that was answered, so that
// [Suite.Rejudge] can judge it again by a corrected suite without asking again.
type Results struct {
	Format         string          `json:"format"`
	Suite          ResultSuite     `json:"suite"`
	Runner         string          `json:"runner,omitempty"` // such as "ttl 0.1.0"
	Mode           string          `json:"mode,omitempty"`   // "lockstep" or "one-shot"; none if asked in process
	Ended          int             `json:"ended,omitempty"`  // how often the program ended and answered when started anew
	Blind          bool            `json:"blind"`            // the system saw neither identifiers nor expectations
	Implementation Hello           `json:"implementation"`
	Environment    Environment     `json:"environment"`
	Conforms       bool            `json:"conforms"`
	Damaged        []string        `json:"plumbing,omitempty"`
	RuleSets       []ResultRuleSet `json:"profiles"`
	Rules          []ResultRule    `json:"rules"`
	Known          []KnownFailure  `json:"known,omitempty"` // the ledger
	Checks         []ResultCheck   `json:"checks"`
}

// A ResultSuite says by which suite was judged.
type ResultSuite struct {
	Version string `json:"version"`
	Vectors int    `json:"vectors"`
	SHA256  string `json:"sha256"` // of all questions and answers
}

// An Environment is where a run took place.
type Environment struct {
	OS   string `json:"os"`
	Arch string `json:"arch"`
}

// A ResultRuleSet is the verdict on a profile.
type ResultRuleSet struct {
	Name    string         `json:"name"`
	Claimed bool           `json:"claimed"`
	Verdict Verdict        `json:"verdict"`
	Rules   map[string]int `json:"rules"` // by verdict
}

// A ResultRule is the verdict on a rule.
type ResultRule struct {
	ID      string         `json:"id"`
	Verdict Verdict        `json:"verdict"`
	Checks  map[string]int `json:"checks"` // by outcome
}

// A ResultCheck is one vector asked about one release.
type ResultCheck struct {
	ID      string   `json:"id"`
	Rev     int      `json:"rev"`
	In      string   `json:"in"` // a digest of the operation and its input
	Target  Target   `json:"target"`
	Level   string   `json:"level"` // "open" where nothing is established
	Outcome Outcome  `json:"outcome"`
	Label   string   `json:"label,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	Answer  *Answer  `json:"answer,omitempty"`
	Rules   []string `json:"rules"`
}

// DeletesLive reports whether the answer takes a document for expired that must
// stay: the failure that costs data.
func (c ResultCheck) DeletesLive() bool {
	return c.Outcome == Fail && strings.HasPrefix(c.Detail, "state is expired")
}

// Results returns r as JSON has it.
func (r *Report) Results() Results {
	results := Results{
		Format: format, Blind: true, Implementation: r.Hello, Environment: Environment{runtime.GOOS, runtime.GOARCH},
		Conforms: r.Conforms(), Damaged: r.Damaged, Checks: make([]ResultCheck, 0, len(r.Checks)), Known: r.Ledger,
		Suite: ResultSuite{r.Suite.Version, len(r.Suite.Vectors), r.Suite.digest()},
	}
	for _, p := range r.RuleSets() {
		results.RuleSets = append(results.RuleSets, ResultRuleSet{p.Name, p.Claimed, p.Verdict, names(p.Count)})
	}
	for _, rule := range r.Rules() {
		results.Rules = append(results.Rules, ResultRule{rule.Rule.ID, rule.Verdict, names(rule.Count)})
	}
	for _, c := range r.Checks {
		results.Checks = append(results.Checks, c.result())
	}
	return results
}

// names returns counts by the names of what is counted.
func names[K interface {
	comparable
	String() string
}](count map[K]int) map[string]int {
	named := map[string]int{}
	for k, n := range count {
		named[k.String()] = n
	}
	return named
}

func (c Check) result() ResultCheck {
	result := ResultCheck{
		ID: c.Vector.ID, Rev: c.Vector.Rev, In: digestOf(c.Vector.Op, c.Vector.In), Target: c.Target, Level: "open",
		Outcome: c.Outcome, Label: c.Label, Detail: c.Detail,
	}
	if c.Row != nil {
		result.Level = c.Row.Level.String()
	}
	if c.Answer.Kind != KindNone {
		result.Answer = &c.Answer
	}
	for _, r := range c.Vector.Rules {
		result.Rules = append(result.Rules, r.ID)
	}
	return result
}

// digest returns the SHA-256 of all vectors.
func (s *Suite) digest() string {
	h := sha256.New()
	for _, v := range s.Vectors {
		fmt.Fprintln(h, v.ID, v.Rev, v.Hash)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// digestOf returns a short digest of a question to any target.
func digestOf(op string, in json.RawMessage) string {
	sum := sha256.Sum256(append([]byte(op+" "), in...))
	return hex.EncodeToString(sum[:8])
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Answer) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	*a = Answer{}
	for k := KindOut; k <= KindAborted; k++ {
		raw, ok := members[k.String()]
		if !ok {
			continue
		}
		a.Kind = k
		switch k {
		case KindOut:
			a.Out = raw
		case KindRefused:
			return json.Unmarshal(raw, &a.Refusal)
		default:
			return json.Unmarshal(raw, &a.Text)
		}
	}
	return nil
}
