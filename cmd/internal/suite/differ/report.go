package differ

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// A Report lists the disagreements of two systems. Its JSON is stable.
type Report struct {
	Seed   uint64      `json:"seed"`
	First  Party       `json:"first"`
	Second Party       `json:"second"`
	Ops    []Operation `json:"ops"`
	// Rules are the rules that the systems disagree about, the most frequent first.
	Rules []Rule `json:"rules"`
}

// A Party is one of the two compared systems.
type Party struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// An Operation counts the questions to one operation by outcome.
type Operation struct {
	Op          string `json:"op"`
	Asked       int    `json:"asked"`       // questions that both systems were asked
	Unspecified int    `json:"unspecified"` // questions not asked, because the answer is unspecified
	Unasked     int    `json:"unasked"`     // questions without two answers, because the comparison gave up on a system
	Different   int    `json:"different"`   // questions that the systems answered differently
}

// A Rule lists the disagreements about one rule.
type Rule struct {
	// Rule is the identifier of the rule by which this library answers. For a definition
	// that this library accepts, it is the operation.
	Rule  string `json:"rule"`
	Count int    `json:"count"`
	// Examples are the first disagreements, each about a simplified question.
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
	// Reference is this library's answer. Agrees says which of the answers First and
	// Second agrees with Reference: "first", "second", "both" if no difference is known,
	// or "neither".
	Reference conformance.Answer `json:"reference"`
	Agrees    string             `json:"agrees"`
	// Vector is the question as a vector that lacks its answers.
	Vector string `json:"vector"`
}

// Agree reports whether the systems answered everything alike.
func (r *Report) Agree() bool { return len(r.Rules) == 0 }

// Asked returns the number of questions that both systems were asked.
func (r *Report) Asked() (n int) {
	for _, op := range r.Ops {
		n += op.Asked
	}
	return n
}

// Unasked returns the number of questions that were not answered, because the comparison
// gave up on a system.
func (r *Report) Unasked() (n int) {
	for _, op := range r.Ops {
		n += op.Unasked
	}
	return n
}

// A kept is a disagreement that the report shows.
type kept struct {
	pair
	rule string
}

// disagree counts a disagreement by its rule, and keeps the first disagreements about
// each rule.
func (r *run) disagree(p pair) {
	id := ruleOf(p.Case)
	rule := r.rules[id]
	if rule == nil {
		rule = &Rule{Rule: id}
		r.rules[id] = rule
	}
	rule.Count++
	if rule.Count <= max(r.options.PerRule, 1) {
		r.kept = append(r.kept, &kept{p, id})
	}
}

// rounds is the maximum number of rounds in which the systems are asked simpler questions.
const rounds = 8

// shrink simplifies the kept disagreements, and puts them into the report. In each round it
// asks each system all candidates at once.
func (r *run) shrink(ctx context.Context) {
	for range rounds {
		if ctx.Err() != nil || !r.shrinkOnce() {
			break
		}
	}
	for _, k := range r.kept {
		rule := r.rules[k.rule]
		rule.Examples = append(rule.Examples, r.describe(k.pair))
	}
}

// candidates is the number of simpler questions asked at a time about one disagreement.
const candidates = 40

// shrinkOnce asks simpler questions about all kept disagreements, and keeps the simplest
// question for each that the two systems still answer differently, by answers of the same
// kinds. A question that makes a system crash or hang is not simplified, because repeated
// crashes would end the run. It reports whether some questions became simpler.
func (r *run) shrinkOnce() (changed bool) {
	var all []cases.Case
	var of []*kept
	for _, k := range r.kept {
		if !k.isJudged() {
			continue
		}
		for _, c := range r.claim.Simpler(k.Case, candidates, func(c cases.Case) bool { return !r.claim.IsUnspecified(c) && ruleOf(c) == k.rule }) {
			all, of = append(all, c), append(of, k)
		}
	}
	if len(all) == 0 {
		return false
	}
	first, second := cases.Ask(r.first, all...), cases.Ask(r.second, all...)
	for i, c := range all {
		p, k := pair{c, first[i], second[i]}, of[i]
		isNewer, isOlder := cases.Before(k.Target.Version, c.Target.Version), cases.Before(c.Target.Version, k.Target.Version)
		if (isNewer || !isOlder && c.Weight() < k.Weight()) && r.isAlike(p, k.pair) {
			k.pair, changed = p, true
		}
	}
	return changed
}

// isAlike reports whether p is a disagreement too, by answers of the kinds of those to other.
func (r *run) isAlike(p, other pair) bool {
	return p.first.Kind == other.first.Kind && p.second.Kind == other.second.Kind && r.difference(p) != ""
}

// describe returns the report of a pair.
func (r *run) describe(p pair) Disagreement {
	q := p.Question()
	reference := library.New().Ask(q)
	difference := r.difference(p)
	text := fmt.Sprintf("%s answers %s, and %s %s.", r.report.First.Name, p.first, r.report.Second.Name, p.second)
	return Disagreement{
		Op: q.Op, Target: q.Target, In: q.In, Difference: difference, First: p.first, Second: p.second, Reference: reference,
		Agrees: r.agrees(q, reference, p),
		Vector: p.Vector(cases.Draft{Prefix: "found", Title: "Two implementations disagree", Comment: text}),
	}
}

// agrees says which answer of p agrees with this library's: "first", "second", "both" or
// "neither".
func (r *run) agrees(q conformance.Question, reference conformance.Answer, p pair) string {
	first := suite.Difference(q, r.features, reference, p.first) == ""
	second := suite.Difference(q, r.features, reference, p.second) == ""
	return map[[2]bool]string{{true, true}: "both", {true, false}: "first", {false, true}: "second", {}: "neither"}[[2]bool{first, second}]
}
