package boltttl

import "go.etcd.io/bbolt"

// judgeAnew notes that every document of c is to be looked at again, from the
// first. It is stored in the transaction that changes the policy, so that a
// crash cannot come between. A walk that another change had begun is simply
// begun again: looking at a document twice does no harm.
//
// Until the walk is done the entries of deadlines may be those of the policy
// before. Nothing is deleted by an entry alone, so that is no danger.
func (c collection) judgeAnew() error { return c.put(c.unfinished, c.number, nil) }

// firstUnfinished returns a collection with work left, and where to go on.
func (t txn) firstUnfinished() (c collection, next []byte, found bool, err error) {
	number, next := t.unfinished.Cursor().First()
	if number == nil {
		return collection{}, nil, false, nil
	}
	c, err = t.numbered(number)
	return c, next, err == nil, err
}

func (s *Store) isUnfinished() (found bool, err error) {
	err = s.view(func(t txn) error {
		number, _ := t.unfinished.Cursor().First()
		found = number != nil
		return nil
	})
	return found, err
}

// walk judges up to size documents from next anew, or removes them if c is
// dropped, and stores how far it came. It returns how many had to change.
func (c collection) walk(next []byte, size int) (changed int, err error) {
	keys, rest := keysFrom(c.documents.Cursor(), next, size)
	for _, key := range keys {
		did, err := c.visit(key)
		if err != nil {
			return 0, err
		}
		if did {
			changed++
		}
	}
	if rest == nil {
		return changed, c.finish()
	}
	return changed, c.put(c.unfinished, c.number, rest)
}

func (c collection) visit(key []byte) (bool, error) {
	r, there, err := c.record(key)
	if err != nil || !there {
		return false, err
	}
	if c.catalog == nil {
		return true, c.drop(key, r)
	}
	return c.rejudge(key, r)
}

// finish ends a walk, and a dropped collection.
func (c collection) finish() error {
	if err := c.remove(c.unfinished, c.number); err != nil || c.catalog != nil {
		return err
	}
	c.cache.forget(string(c.number))
	return c.collections.DeleteBucket(c.number)
}

// keysFrom returns up to size keys from next on, and the one behind them, nil
// at the end. They are all taken before anything is changed, because a bbolt
// cursor loses its place when the bucket changes.
func keysFrom(cursor *bbolt.Cursor, next []byte, size int) (keys [][]byte, rest []byte) {
	for key, _ := cursor.Seek(next); key != nil; key, _ = cursor.Next() {
		if len(keys) == size {
			return keys, key
		}
		keys = append(keys, key)
	}
	return keys, nil
}
