package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// restore returns the move of an index that is created anew with this option.
func (m *moving) restore(option policy.Value) Move { return m.arrive(option) }
