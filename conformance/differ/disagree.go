package differ

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// disagree counts a disagreement by its rule, and keeps the first ones.
func (r *run) disagree(p pair) {
	id := ruleOf(p.Case)
	rule := r.rules[id]
	if rule == nil {
		rule = &Rule{Rule: id}
		r.rules[id] = rule
	}
	rule.Count++
	if len(rule.Examples) < max(r.options.PerRule, 1) {
		rule.Examples = append(rule.Examples, r.describe(r.shrink(p, id)))
	}
}

// patience is how many questions are asked to make one simpler.
const patience = 400

// shrink returns a simpler question that they answer differently, about the
// same rule, with answers of the same kinds. What crashes or hangs is left as it
// is: a program that did so again and again would be given up on.
func (r *run) shrink(p pair, rule string) pair {
	if !p.isJudged() {
		return p
	}
	r.claim.Shrink(p.Case, patience, func(c cases.Case) bool {
		if r.claim.IsOpen(c) || ruleOf(c) != rule {
			return false
		}
		simpler := pair{c, cases.Ask(r.first, c)[0], cases.Ask(r.second, c)[0]}
		same := simpler.first.Kind == p.first.Kind && simpler.second.Kind == p.second.Kind
		if !same || r.difference(simpler) == "" {
			return false
		}
		p = simpler
		return true
	})
	return p
}

// describe makes of a pair what is reported.
func (r *run) describe(p pair) Disagreement {
	q := p.Question()
	reference := reference.New().Ask(q)
	difference := r.difference(p)
	text := fmt.Sprintf("%s answers %s, and %s %s.", r.report.First.Name, p.first, r.report.Second.Name, p.second)
	return Disagreement{
		Op: q.Op, Target: q.Target, In: q.In, Difference: difference, First: p.first, Second: p.second, Reference: reference,
		Agrees: r.agrees(q, reference, p),
		Vector: p.Vector(cases.Draft{Prefix: "found", Title: "Two implementations disagree", Rules: rulesOf(p.Case), Comment: text}),
	}
}

// rulesOf returns the rule that a question is about, if there is one.
func rulesOf(c cases.Case) []string {
	if rule := c.Reference().Rule; rule != "" {
		return []string{rule}
	}
	return []string{}
}

// agrees says which of the two agrees with this library.
func (r *run) agrees(q conformance.Question, reference conformance.Answer, p pair) string {
	first := conformance.Difference(q, r.features, reference, p.first) == ""
	second := conformance.Difference(q, r.features, reference, p.second) == ""
	switch {
	case first && second:
		return "both"
	case first:
		return "first"
	case second:
		return "second"
	}
	return "neither"
}
