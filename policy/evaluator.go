package policy

// An Evaluator decides by one compiled policy. It is immutable and safe for
// concurrent use; deciding is pure and does not allocate.
type Evaluator interface {
	// Decide returns the decision of the policy about doc at now. Only the decision's
	// state depends on now; the package documentation names the one exception.
	Decide(doc Document, now Instant) Decision
}
