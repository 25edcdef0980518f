package policy

import "iter"

// An Evaluator decides by one compiled policy. It is immutable and safe for
// concurrent use; deciding is pure and does not allocate.
type Evaluator interface {
	// Decide reports what the policy says about doc at now.
	Decide(doc Document, now Instant) Decision
}

// An Explainer is an [Evaluator] that can name the rules behind a decision.
// Every evaluator of this module is one.
type Explainer interface {
	Evaluator
	// Ladder returns the rules that were consulted on the way to d, in their
	// documented order, d.Rule last. It returns nil for a decision that this
	// evaluator does not make.
	Ladder(d Decision) []*Rule
}

// Decisions yields the decision about each of docs, all at the same instant.
func Decisions[K any](e Evaluator, docs iter.Seq2[K, Document], now Instant) iter.Seq2[K, Decision] {
	return func(yield func(K, Decision) bool) {
		for key, doc := range docs {
			if !yield(key, e.Decide(doc, now)) {
				return
			}
		}
	}
}

// ExpiredKeys yields the keys of those docs that are expired at now.
func ExpiredKeys[K any](e Evaluator, docs iter.Seq2[K, Document], now Instant) iter.Seq[K] {
	return func(yield func(K) bool) {
		for key, d := range Decisions(e, docs, now) {
			if d.State == Expired && !yield(key) {
				return
			}
		}
	}
}
