package policy

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
	// Ladder returns the rules that were consulted before d was returned, in
	// their documented order, d.Rule last. It returns nil for a decision that
	// this evaluator never returns.
	Ladder(d Decision) []*Rule
}
