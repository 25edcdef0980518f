package transfer

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// KeptFields are the fields that [Options].Keep may name: those with which Azure Cosmos DB
// for NoSQL identifies, dates and expires an item.
var KeptFields = []string{"id", "ttl", "_ts", "_rid", "_self", "_etag", "_attachments"}

// A returning is a way of documents from Azure Cosmos DB to MongoDB.
type returning struct {
	Options
	isItem  bool // the documents are items of the API for NoSQL
	withTTL bool // the ttl of a document is a time to live
}

// rewrite is a [Rewriter]. It adds the deadline as a date in a field, which has a TTL index
// with expireAfterSeconds 0, and leaves out what only the service uses: an id becomes the
// _id unless there is one, and a ttl and a _ts have done their work. With an empty Field no
// document expires. It refuses a document whose _id is an array (MongoDB manual,
// "Documents", the _id field).
func (r *returning) rewrite(doc policy.Document, d policy.Decision) (Edit, error) {
	switch {
	case doc.Field("_id").Kind() == policy.List:
		return Edit{}, refusedf(`its "_id" is an array, which MongoDB refuses`)
	case reasons.IsUnknown(d.Rule):
		return Edit{}, refusedf("when it expires is unknown without its _ts; --written-at says when such items were written")
	}
	doc, err := typed(doc)
	if err != nil {
		return Edit{}, err
	}
	edit := Edit{Document: policy.D{}, Fidelity: Exact}
	if id := doc.Field("id"); r.isItem && id.Kind() == policy.String && doc.Field("_id").IsMissing() && !slices.Contains(r.Keep, "id") {
		edit.Document = append(edit.Document, policy.E{Key: "_id", Value: id})
	}
	deadline, expires := d.Deadline()
	for f := policy.ObjectValue(doc).Fields(); f.Next(); {
		name, v := f.Name(), f.Value()
		switch {
		case r.leavesOut(name, v, doc):
		case name != r.Field || r.Field == "":
			edit.Document = append(edit.Document, policy.E{Key: name, Value: v})
		case !r.Replace && !(expires && isWithin(v, deadline)):
			return edit, hasField(name, "; --field names another, --replace replaces its value")
		}
	}
	if expires {
		edit.Document = append(edit.Document, policy.E{Key: r.Field, Value: policy.DateValue(deadline)})
	}
	return edit, nil
}

// leavesOut reports whether a field of a document is left out.
func (r *returning) leavesOut(name string, v policy.Value, doc policy.Document) bool {
	if !slices.Contains(KeptFields, name) || slices.Contains(r.Keep, name) {
		return false
	}
	switch name {
	case "id":
		return r.isItem && r.isCopy(v, doc)
	case "ttl":
		return r.withTTL && (v.Kind().IsNumber() || v.Kind() == policy.Null)
	case "_ts":
		return r.isItem || r.withTTL && v.Kind().IsNumber()
	}
	return r.isItem
}

// isCopy reports whether the id of an item became its _id, or was made of another field.
func (r *returning) isCopy(id policy.Value, doc policy.Document) bool {
	text, ok := id.AsString()
	if !ok || doc.Field("_id").IsMissing() {
		return ok
	}
	made, err := appendID(nil, doc.Field(cmp.Or(r.Item.IDFrom, "_id")))
	return err == nil && string(made) == text
}

// typed returns an item in which the type wrappers of Extended JSON, which JSON lacks, are
// values of their types.
func typed(doc policy.Document) (policy.Document, error) {
	item, ok := doc.(*policy.JSON)
	if !ok || !mayNameType(item.Bytes()) {
		return doc, nil
	}
	v, err := policy.ParseExtJSON(item.Bytes())
	var trouble *policy.SyntaxError
	if errors.As(err, &trouble) {
		const cannot = "it cannot be written as Extended JSON"
		return nil, &RefusedError{cannot + ": " + trouble.Err.Error(), cannot}
	}
	return v, err
}

// mayNameType reports whether an item may have a field whose name begins with a dollar
// sign.
func mayNameType(item []byte) bool {
	return bytes.Contains(item, []byte(`"$`)) || bytes.Contains(item, []byte(`"\u0024`))
}

// isWithin reports whether v is a date by which a document expires at a deadline, or would
// if the deadline were not rounded up to the second.
func isWithin(v policy.Value, deadline policy.Instant) bool {
	at, ok := v.AsDate()
	return ok && at <= deadline && uint64(deadline)-uint64(at) < uint64(second)
}

// A dated is an evaluator for documents without a _ts that were last written at a second.
type dated struct {
	*reasons.Policy
	at cosmos.Timestamp
}

// Decide decides about a document that was last written at its own _ts, or at the second.
func (e dated) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	d := e.Policy.Decide(doc, now)
	if !reasons.IsUnknown(d.Rule) || !doc.Field("_ts").IsMissing() {
		return d
	}
	switch from := e.Evaluator.(type) {
	case *cosmos.Container:
		return from.DecideItem(cosmos.Item{TTL: cosmos.TTLOf(doc.Field("ttl")), TS: e.at}, now)
	case *cosmos.Collection:
		return from.DecideAt(doc, e.at, now)
	}
	return d
}
