package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// A row is a database's own type of document.
type row struct{ fields policy.D }

func (r *row) Field(name string) policy.Value { return r.fields.Field(name) }
