package differ

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A Report is where two systems disagree. Its JSON is stable.
type Report struct {
	Seed   uint64      `json:"seed"`
	First  Party       `json:"first"`
	Second Party       `json:"second"`
	Ops    []Operation `json:"ops"`
	// Rules are those about which they disagree, the most frequent first.
	Rules []Rule `json:"rules"`
}

// A Party is one of the systems.
type Party struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// An Operation is how the questions to one operation ended.
type Operation struct {
	Op        string `json:"op"`
	Asked     int    `json:"asked"`     // of both
	Open      int    `json:"open"`      // not asked: the sources do not say what is right
	Unasked   int    `json:"unasked"`   // not answered: a system was given up on
	Different int    `json:"different"` // answered differently
}

// A Rule is where they disagree about one rule.
type Rule struct {
	// Rule is the identifier of the rule by which this library answers. It is
	// the operation where there is none: of a definition that this library
	// takes.
	Rule  string `json:"rule"`
	Count int    `json:"count"`
	// Examples are the first ones, shrunk.
	Examples []Disagreement `json:"examples"`
}

// A Disagreement is one question that two systems answer differently.
type Disagreement struct {
	Op     string             `json:"op"`
	Target conformance.Target `json:"target"`
	In     json.RawMessage    `json:"in"`
	// Difference says how the second answer differs from the first.
	Difference string             `json:"difference"`
	First      conformance.Answer `json:"first"`
	Second     conformance.Answer `json:"second"`
	// Reference is this library's answer, and Agrees which of the two agrees
	// with it: "first", "second", "both" as far as it is known, or
	// "neither".
	Reference conformance.Answer `json:"reference"`
	Agrees    string             `json:"agrees"`
	// Vector is the question as a vector that lacks its answers.
	Vector string `json:"vector"`
}

// Agree reports whether the systems never answered differently.
func (r *Report) Agree() bool { return len(r.Rules) == 0 }

// Asked returns how many questions both were asked.
func (r *Report) Asked() (n int) {
	for _, op := range r.Ops {
		n += op.Asked
	}
	return n
}

// Unasked returns how many questions were not answered, because a system was
// given up on.
func (r *Report) Unasked() (n int) {
	for _, op := range r.Ops {
		n += op.Unasked
	}
	return n
}
