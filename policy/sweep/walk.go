package sweep

import "github.com/ttlpolicy/ttlpolicy/policy"

// A Walker is the [Batch] of a store that can be walked through, after a change of policy
// by which documents may expire earlier than is remembered. The change stores a mark before
// the first document, in the transaction that stores the new policy; from there on writes
// follow the new policy, and sweeps go on with the walk until it is done. A further change
// stores the mark anew: to decide about a document twice does no harm.
//
// In a transaction of a walk Next is called first, then for each key Read and Correct, and
// Mark last. Correct gets the decision at 0; see the package documentation.
type Walker[K comparable] interface {
	Batch[K]
	// Next returns the keys of up to limit documents behind the mark, in an order of the
	// store's own. It returns none if no walk is to be finished; before that it may return
	// fewer than limit, such as those of one collection.
	Next(limit int) ([]K, error)
	// Mark stores that the walk has come to last, the last key that Next returned, so that
	// the next transaction goes on behind it.
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

// writtenAt is the instant at which a walk decides, as stores do on write.
const writtenAt policy.Instant = 0
