package sweep

import "github.com/ttlpolicy/ttlpolicy/policy"

// A Walker is a [Batch] that can walk through all documents of its store, after a change
// of policy by which documents may expire before their stored deadlines. The transaction
// that stores the new policy also stores a mark before the first document. From then on
// writes follow the new policy, and sweeps continue the walk until it is done. A further
// change of policy stores the mark before the first document again: a second decision
// about a document does no harm.
//
// A transaction of a walk calls Next first, then for each key Read and Correct, and Mark
// last. Correct gets the decision at 0; see the package documentation.
type Walker[K comparable] interface {
	Batch[K]
	// Next returns the keys of up to limit documents after the mark, in an order that the
	// store chooses. It may return fewer than limit keys, such as those of one
	// collection, and returns no keys only if no walk is unfinished.
	Next(limit int) ([]K, error)
	// Mark stores last, the last key that Next returned, as the new mark, so that the
	// next transaction continues after it.
	Mark(last K) error
}

// walk decides about one document again, and corrects its deadline.
func walk[K comparable](store Batch[K], key K) (step[K], error) {
	did, err := decide(store, key, writtenAt)
	if err != nil {
		return did, err
	}
	return did, store.Correct(key, did.decision)
}

// writtenAt is the instant at which a walk decides, and at which a store decides on
// write.
const writtenAt policy.Instant = 0
