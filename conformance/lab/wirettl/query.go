package wirettl

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filter tells which documents a query is about. It is the filter of a partial index
// of the library, which compares as MongoDB does: it knows equality, $eq, $gt, $gte, $lt,
// $lte, $in, $exists: true, $type, $and and $or. The zero filter holds for all documents.
type filter struct{ index *mongo.Collection }

// mark is the name of the index's field. Each document is given a date in this field, so
// that the index holds a key of exactly the documents inside the filter. A stored field
// with this name is hidden.
const mark = "wirettl: the date of each document"

type marked struct{ policy.Document }

func (m marked) Field(name string) policy.Value {
	if name == mark {
		return policy.DateValue(0)
	}
	return m.Document.Field(name)
}

func compileFilter(v policy.Value) (filter, error) {
	switch {
	case v.IsMissingOrNull() || v.Kind() == policy.Object && len(policy.DOf(v)) == 0:
		return filter{}, nil
	case v.Kind() != policy.Object:
		return filter{}, failed(codes.TypeMismatch, "a filter must be an object, not %s", v.Kind())
	}
	latest, err := mongo.ProfileOf(mongo.Latest())
	if err != nil {
		return filter{}, err
	}
	spec := mongo.IndexSpec{Name: "filter", Key: document(mark, 1), ExpireAfterSeconds: valueOf(0), PartialFilterExpression: v}
	index, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, latest)
	if err != nil {
		return filter{}, failed(notImplemented, "this filter is not implemented: %v", err)
	}
	return filter{index}, nil
}

func (f filter) holds(d policy.Document) bool {
	if f.index == nil {
		return true
	}
	_, ok := f.index.Key(0, marked{d})
	return ok
}

// soleID returns the _id that a filter asks for if it asks for nothing else.
func soleID(filter policy.Value) (id policy.Value, ok bool) {
	fields := policy.DOf(filter)
	if len(fields) != 1 || fields[0].Key != "_id" {
		return id, false
	}
	id = fields[0].Value
	switch id.Kind() {
	case policy.Null, policy.Regex, policy.List, policy.Undefined: // these mean more than equality
		return id, false
	}
	inner := policy.DOf(id)
	return id, len(inner) == 0 || !strings.HasPrefix(inner[0].Key, "$")
}

// A projection shows the named fields of a document, or all fields except the named ones.
// The zero projection shows all fields.
type projection struct {
	named    map[string]bool
	included bool
	size     string // the field that shows the document's size; "" for none
}

// compileProjection reads a projection of top-level fields, and of {$bsonSize: "$$ROOT"}.
func compileProjection(v policy.Value) (p projection, err error) {
	p.named = map[string]bool{}
	idShown := true
	root := valueOf(document("$bsonSize", "$$ROOT"))
	for _, e := range policy.DOf(v) {
		on, isBool := e.Value.AsBool()
		n, isNumber := whole(e.Value)
		on = on || n != 0
		switch {
		case e.Value.Equal(root):
			p.size = e.Key
		case !isBool && !isNumber || strings.ContainsAny(e.Key, ".$"):
			return p, failed(notImplemented, "this projection of %s is not implemented", e.Key)
		case e.Key == "_id":
			idShown = on
		case len(p.named) > 0 && on != p.included:
			return p, failed(codes.BadValue, "a projection includes or excludes, but not both")
		default:
			p.included = on
			p.named[e.Key] = true
		}
	}
	if id := v.Field("_id"); len(p.named) == 0 && !id.IsMissing() {
		p.included = idShown
	}
	if idShown == p.included {
		p.named["_id"] = true
	}
	return p, nil
}

// of returns the projection of a document.
func (p projection) of(doc policy.BSON) policy.Value {
	if len(p.named) == 0 && p.size == "" {
		return doc.Value()
	}
	shown := policy.D{}
	for _, e := range policy.DOf(doc.Value()) {
		if p.named[e.Key] == p.included {
			shown = append(shown, e)
		}
	}
	if p.size != "" {
		shown = append(shown, field(p.size, len(doc.Bytes())))
	}
	return valueOf(shown)
}
