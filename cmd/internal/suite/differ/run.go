// Package differ asks two implementations the same generated questions and says
// where they disagree, by the rule that each question is about.
//
// The vectors of a suite ask questions that somebody thought of; here two systems check
// each other. Neither counts as right: a disagreement names the rule, shows both answers
// beside that of this library, and gives a vector without its answer, to be completed from
// a source. Questions that no source settles are not compared.
//
// Questions follow from a seed alone, so that a run can be repeated.
package differ

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
)

// Options select the questions. The zero Options are the defaults.
type Options struct {
	// Seed determines the questions: the same seed gives the same questions.
	Seed uint64
	// N is the number of questions to each operation; 0 is 1000.
	N int
	// Ops are the operations to ask about; empty means all that both claim.
	Ops []string
	// Live is for a first system that answers many questions in little more time than
	// one, because it waits for the sweeps of a server. The questions to mongodb.decide
	// are then about many documents in few collections, with every deadline 100 seconds
	// or more from the clock. They are only about states that commands can produce.
	Live bool
	// Told, if not nil, is called after each batch of answers, with the numbers of the
	// operation so far.
	Told func(Operation)
	// PerRule is the number of disagreements about each rule that are simplified and kept;
	// 0 means 1.
	PerRule int
}

// ErrNothingInCommon means that two systems claim no operation in common about
// which both could be asked.
var ErrNothingInCommon = errors.New("the two systems have no claim in common")

// Run asks two systems the same questions about what both claim. It returns
// [ErrNothingInCommon] if they have no operation in common. It returns another error if
// claims cannot be read, or if one system does not claim an operation in Options. If the
// context ends, Run returns the context's error and a report on the questions until then.
func Run(ctx context.Context, first, second conformance.System, o Options) (*Report, error) {
	hello := first.Hello()
	if o.Live {
		hello.Features = slices.DeleteFunc(slices.Clone(hello.Features), func(s string) bool { return slices.Contains(notLive, s) })
	}
	claim, err := cases.ClaimOf(suite.Embedded(), hello, second.Hello())
	if err != nil {
		return nil, err
	}
	ops, err := o.ops(claim)
	if err != nil {
		return nil, err
	}
	r := &run{
		claim: claim, features: compared(claim.Features()), options: o, first: first, second: second, rules: map[string]*Rule{},
		report: &Report{Seed: o.Seed, First: partyOf(first), Second: partyOf(second)},
	}
	for _, op := range ops {
		r.report.Ops = append(r.report.Ops, r.operation(ctx, op))
	}
	r.shrink(ctx)
	r.report.Rules = r.sorted()
	return r.report, ctx.Err()
}

// notLive are the features whose questions no running server is asked: about definitions
// and states that no command makes, about dates and clocks far from today, and histories,
// whose drawn deadlines are reached exactly by a tick.
var notLive = []string{"history", "stale-catalog", "state", "ns", "views", "capped", "parameters", "unusual-clock", "far-dates"}

// ops returns the requested operations.
func (o Options) ops(claim *cases.Claim) (list []string, err error) {
	for _, op := range o.Ops {
		if !claim.Asks(op, "") {
			return nil, fmt.Errorf("the operation %s is not claimed by both systems", op)
		}
	}
	if list = slices.Clone(o.Ops); len(list) == 0 {
		list = slices.DeleteFunc(conformance.Operations(), func(op string) bool { return !claim.Asks(op, "") })
	}
	if len(list) == 0 {
		return nil, ErrNothingInCommon
	}
	return list, nil
}

// compared returns the features that affect the comparison. Features about names are left
// out, because systems may name rules and indexes freely.
func compared(features []string) []string {
	return slices.DeleteFunc(features, func(s string) bool { return s == conformance.FeatureRule || s == conformance.FeatureIndex })
}

func partyOf(s conformance.System) Party { return Party{s.Hello().Name, s.Hello().Version} }

// A run asks two systems.
type run struct {
	claim         *cases.Claim
	features      []string
	options       Options
	first, second conformance.System
	rules         map[string]*Rule
	report        *Report
	kept          []*kept // the disagreements in the order in which they were found
}

// groupSize is the number of documents in one collection, and liveBatch the number of
// questions that wait for the same sweeps.
const groupSize, liveBatch = 16, 1600

// batch is the number of questions to a program that are asked at once.
const batch = 50

// operation asks both systems the questions to one operation.
func (r *run) operation(ctx context.Context, op string) Operation {
	counts := Operation{Op: op}
	n := cmp.Or(r.options.N, 1000)
	size := batch
	if r.options.Live {
		size = liveBatch
	}
	for from := 0; from < n && ctx.Err() == nil; from += size {
		r.batch(&counts, from, min(from+size, n))
		if r.options.Told != nil {
			r.options.Told(counts)
		}
	}
	return counts
}

// draw returns the questions of op with the numbers from, from+1, …, to-1.
func (r *run) draw(op string, from, to int) (list []cases.Case) {
	for i := from; i < to; {
		seed := mix(r.options.Seed, op, uint64(i))
		if r.options.Live && op == "mongodb.decide" {
			group := cases.DrawGroup(r.claim, min(groupSize, to-i), seed)
			list = append(list, group...)
			i += len(group)
		} else {
			list = append(list, cases.Draw(r.claim, op, seed))
			i++
		}
	}
	return list
}

// batch asks the questions with the numbers from, from+1, …, to-1, and counts the outcomes.
func (r *run) batch(counts *Operation, from, to int) {
	var list []cases.Case
	for _, c := range r.draw(counts.Op, from, to) {
		if r.claim.IsUnspecified(c) {
			counts.Unspecified++
			continue
		}
		list = append(list, c)
	}
	first, second := cases.Ask(r.first, list...), cases.Ask(r.second, list...)
	for i, c := range list {
		p := pair{c, first[i], second[i]}
		switch {
		case p.isUnasked():
			counts.Unasked++
			continue
		case r.difference(p) != "":
			counts.Different++
			r.disagree(p)
		}
		counts.Asked++
	}
}

// mix makes a seed from a seed, an operation and a number, by the finaliser of
// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", https://doi.org/10.1145/2660193.2660195).
func mix(seed uint64, op string, i uint64) uint64 {
	z := seed + i*0x9E37_79B9_7F4A_7C15
	for _, b := range []byte(op) {
		z = z*31 + uint64(b)
	}
	z = (z ^ z>>30) * 0xBF58_476D_1CE4_E5B9
	z = (z ^ z>>27) * 0x94D0_49BB_1331_11EB
	return z ^ z>>31
}

// A pair is a question and both answers.
type pair struct {
	cases.Case
	first, second conformance.Answer
}

// isJudged reports whether each system gave a result or refused.
func (p pair) isJudged() bool {
	judged := []conformance.Kind{conformance.KindOut, conformance.KindRefused}
	return slices.Contains(judged, p.first.Kind) && slices.Contains(judged, p.second.Kind)
}

// isUnasked reports whether the comparison gave up on a system, or cannot ask it the
// question.
func (p pair) isUnasked() bool {
	unasked := []conformance.Kind{conformance.KindAborted, conformance.KindUnknown, conformance.KindBoundary}
	return slices.Contains(unasked, p.first.Kind) || slices.Contains(unasked, p.second.Kind)
}

func (r *run) difference(p pair) string {
	if r.options.Live && p.first.Kind == conformance.KindOut && ruleOf(p.Case) == cases.Ambiguous {
		return "the server accepts a document that it must refuse according to this library"
	}
	if r.options.Live && p.first.Refusal != nil && p.second.Refusal != nil && p.second.Refusal.CodeName == "" {
		nameless := *p.first.Refusal // the name of the code in that release is unspecified
		nameless.CodeName = ""
		p.first.Refusal = &nameless
	}
	return suite.Difference(p.Question(), r.features, p.first, p.second)
}

// ruleOf returns the rule by which this library answers a question, or the operation if
// there is none.
func ruleOf(c cases.Case) string { return cmp.Or(c.Reference().Rule, c.Op) }

// sorted returns the rules, the most frequent first.
func (r *run) sorted() []Rule {
	list := []Rule{} // "rules" is an array in any case
	for _, rule := range r.rules {
		list = append(list, *rule)
	}
	slices.SortFunc(list, func(a, b Rule) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Rule, b.Rule)) })
	return list
}
