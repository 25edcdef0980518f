package migrate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ConflictError says that a document cannot be carried over. Either it already
// has the field for its deadline, whose value would be lost, or the value in the
// field of an index means an earlier deadline in the other system.
type ConflictError struct {
	Field   string
	Earlier bool
}

// Reason returns the fault of the field.
func (e *ConflictError) Reason() string {
	if e.Earlier {
		return fmt.Sprintf("its field %q means an earlier deadline there", e.Field)
	}
	return fmt.Sprintf("it has a field %q already", e.Field)
}

// Error returns the reason.
func (e *ConflictError) Error() string { return "migrate: a document: " + e.Reason() }

// ToItem returns a document for Cosmos DB (for NoSQL or for MongoDB). The document has a
// ttl by which it expires at the deadline of d. The ttl counts from imported, the second
// of the import; see [TTL]. It returns a [*ConflictError] for a document that already has
// a ttl, which is ordinary data in MongoDB and would count in Cosmos DB.
func ToItem(doc policy.Value, d policy.Decision, imported cosmos.Timestamp) (policy.D, Fidelity, error) {
	ttl, fidelity := TTL(d, imported)
	var own policy.Value
	if seconds, expires := ttl.Seconds(); expires {
		own = policy.Int32Value(int32(seconds))
	}
	out, err := with(doc, "ttl", own)
	return out, fidelity, err
}

// ToDocument returns a document for MongoDB, with its deadline as a date in a field that has
// a TTL index with expireAfterSeconds 0. A document that never expires does not get the
// field. The date is exact to the millisecond. The error is a [*ConflictError] for a
// document that already has the field. A field name with a dot is an error too: an index
// would look for a field within another, and delete nothing.
func ToDocument(doc policy.Value, d policy.Decision, field string) (policy.D, error) {
	if strings.Contains(field, ".") {
		return nil, fmt.Errorf("migrate: a TTL index on %q reads a nested field, but the deadline is written at the top level", field)
	}
	var date policy.Value
	if deadline, ok := d.Deadline(); ok {
		date = policy.DateValue(deadline)
	}
	return with(doc, field, date)
}

// Unchanged returns a document as it is, for an index on this field that is carried over
// unchanged. The parameter before is the decision by the original index, and after is the
// decision by the new index. It returns a [*ConflictError] for a document that would
// expire earlier after the move.
func Unchanged(doc policy.Value, field string, before, after policy.Decision) (policy.D, Fidelity, error) {
	fidelity, ok := Compare(before, after)
	if !ok {
		return nil, Lost, &ConflictError{Field: field, Earlier: true}
	}
	d, err := fieldsOf(doc)
	return d, fidelity, err
}

// with returns the fields of doc and, unless v is Missing, a field with the given name
// and the value v.
func with(doc policy.Value, name string, v policy.Value) (policy.D, error) {
	if !doc.Field(name).IsMissing() {
		return nil, &ConflictError{Field: name}
	}
	d, err := fieldsOf(doc)
	if err == nil && !v.IsMissing() {
		d = append(d, policy.E{Key: name, Value: v})
	}
	return d, err
}

// ErrUnlisted is the error for a document that cannot list its fields, so that
// carrying it over would lose them; see [policy.FieldLister].
var ErrUnlisted = errors.New("migrate: the document cannot list its fields")

func fieldsOf(doc policy.Value) (policy.D, error) {
	if f := doc.Fields(); !f.Listed() {
		return nil, ErrUnlisted
	}
	return policy.DOf(doc), nil
}
