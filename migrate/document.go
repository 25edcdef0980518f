package migrate

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ConflictError says that a document already has a field of the name that its
// deadline is to have, so that carrying it over would lose what is there.
type ConflictError struct{ Field string }

// Error returns the field's name.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("migrate: the document has a field %q already", e.Field)
}

// ToItem returns a document as Cosmos DB is to hold it, for NoSQL as for
// MongoDB: with a ttl by which it expires when d says, if ts is the second of
// its import; see [TTL]. The error, a [*ConflictError], is for a document that
// has a ttl of its own: it would have been data like any other, and count
// there.
func ToItem(doc policy.Value, d policy.Decision, ts int64) (policy.D, Fidelity, error) {
	ttl, fidelity := TTL(d, ts)
	seconds, expires := ttl.Seconds()
	if !expires {
		out, err := with(doc, "ttl", policy.Value{})
		return out, fidelity, err
	}
	out, err := with(doc, "ttl", policy.Int32Value(int32(seconds)))
	return out, fidelity, err
}

// ToDocument returns a document as MongoDB is to hold it: with its deadline as
// a date in a field, over which a TTL index with expireAfterSeconds 0 stands. A
// document that never expires has no such field. That is exact to the
// millisecond. The error, a [*ConflictError], is for a document that has the
// field already.
func ToDocument(doc policy.Value, d policy.Decision, field string) (policy.D, error) {
	if d.State == policy.Never {
		return with(doc, field, policy.Value{})
	}
	return with(doc, field, policy.DateValue(d.Deadline))
}

// with returns the fields of doc and one more, unless that is Missing.
func with(doc policy.Value, name string, v policy.Value) (policy.D, error) {
	var d policy.D
	f := doc.Fields()
	for f.Next() {
		if f.CompareName(name) == 0 {
			return nil, &ConflictError{name}
		}
		d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
	}
	if !v.IsMissing() {
		d = append(d, policy.E{Key: name, Value: v})
	}
	return d, nil
}
