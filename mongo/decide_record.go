package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A record is a document that is being decided: a database's own, or raw BSON,
// of which only what the answer needs is looked at. The zero record is an empty
// document.
type record struct {
	doc policy.Document
	raw []byte
	// damaged means that raw is not a well-formed document, as far as it was
	// looked at.
	damaged bool
}

// recordOf returns a record of a document of any kind.
func recordOf(doc policy.Document) record {
	if b, ok := doc.(*policy.BSON); ok {
		return record{raw: b.Bytes()}
	}
	return record{doc: doc}
}

// rawRecord returns a record of raw BSON that nobody has checked.
func rawRecord(doc []byte) record { return record{raw: doc, damaged: len(doc) == 0} }

// unlessDamaged returns d, unless the record turned out to be damaged.
func (r *record) unlessDamaged(d policy.Decision) policy.Decision {
	if r.damaged {
		return keptBy(ruleMalformed)
	}
	return d
}

// find returns a field of a raw record.
func (r *record) find(c *component) rawbson.Value {
	found, ok := c.finder.Find(r.raw)
	r.damaged = r.damaged || !ok
	return found
}

// field returns a field of the record.
func (r *record) field(c *component) policy.Value {
	switch {
	case r.raw != nil:
		return r.checked(r.find(c))
	case r.doc != nil:
		return r.doc.Field(c.name)
	}
	return policy.Value{}
}

// checked returns a raw value of the record, Missing if it is damaged.
func (r *record) checked(found rawbson.Value) policy.Value {
	v, err := policy.ParseBSONValue(policy.Kind(found.Type), found.Body)
	r.damaged = r.damaged || err != nil
	return v
}

// keptBy returns the decision that a rule keeps a document.
func keptBy(r *policy.Rule) policy.Decision { return policy.Decision{Rule: r} }

// expireAt returns the decision that a document expires at deadline, as it stands
// at now.
func expireAt(deadline policy.Instant, r *policy.Rule, now policy.Instant) policy.Decision {
	return policy.DecisionOf(policy.Pending, deadline, r).At(now)
}
