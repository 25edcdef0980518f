package transfer

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/migrate"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ToCosmos adds the ttl that keeps a document's deadline if it is imported at the given
// second; see [migrate.ToItem].
func ToCosmos(imported cosmos.Timestamp) Rewriter {
	return func(doc policy.Document, d policy.Decision) (Edit, error) {
		ttl, fidelity := migrate.TTL(d, imported)
		edit := Edit{Field: "ttl", Fidelity: fidelity}
		if seconds, expires := ttl.Seconds(); expires {
			edit.Value = policy.Int32Value(int32(seconds))
		}
		return edit, edit.check(doc)
	}
}

// ToMongoDB adds the deadline as a date in a field; see [migrate.ToDocument]. No
// _id may be an array (MongoDB manual, "Documents", the _id field).
func ToMongoDB(field string) Rewriter {
	return func(doc policy.Document, d policy.Decision) (Edit, error) {
		edit := Edit{Field: field, Fidelity: migrate.Exact}
		if deadline, ok := d.Deadline(); ok {
			edit.Value = policy.DateValue(deadline)
		}
		if doc.Field("_id").Kind() == policy.List {
			return edit, refusedf(`its "_id" is an array, which MongoDB refuses`)
		}
		return edit, edit.check(doc)
	}
}

// check refuses a document that has the field already.
func (e Edit) check(doc policy.Document) error {
	if v := doc.Field(e.Field); !v.IsMissing() {
		return &migrate.ConflictError{Field: e.Field}
	}
	return nil
}

// Unchanged adds nothing. It is for an index that is carried over unchanged; after is
// the decision there; see [migrate.Unchanged].
func Unchanged(field string, after func(doc policy.Document) policy.Decision) Rewriter {
	return func(doc policy.Document, d policy.Decision) (Edit, error) {
		fidelity, ok := migrate.Compare(d, after(doc))
		if !ok {
			return Edit{}, &migrate.ConflictError{Field: field, Earlier: true}
		}
		return Edit{Fidelity: fidelity}, nil
	}
}
