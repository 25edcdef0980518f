package wirettl

import (
	"slices"
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
	spec := mongo.TTLIndex(mark, 0)
	spec.PartialFilterExpression = v
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

// A projection shows the named fields of a document. The zero projection shows all fields.
type projection struct {
	named []string
	size  string // the field that shows the document's size; "" for none
}

// compileProjection reads a projection that names the top-level fields to show, and
// {$bsonSize: "$$ROOT"}.
func compileProjection(v policy.Value) (p projection, err error) {
	p.named = []string{"_id"}
	root := valueOf(document("$bsonSize", "$$ROOT"))
	fields := policy.DOf(v)
	for _, e := range fields {
		on, _ := e.Value.AsBool()
		n, isNumber := whole(e.Value)
		switch {
		case e.Value.Equal(root):
			p.size = e.Key
		case e.Key == "_id" && isNumber && n == 0 && len(fields) > 1:
			p.named = slices.DeleteFunc(p.named, func(name string) bool { return name == "_id" })
		case !on && n == 0 || strings.ContainsAny(e.Key, ".$"):
			return p, failed(notImplemented, "this projection of %s is not implemented", e.Key)
		default:
			p.named = append(p.named, e.Key)
		}
	}
	if len(fields) == 0 {
		p.named = nil
	}
	return p, nil
}

// of returns the projection of a document.
func (p projection) of(doc policy.BSON) policy.Value {
	if p.named == nil {
		return doc.Value()
	}
	shown := slices.DeleteFunc(policy.DOf(doc.Value()), func(e policy.E) bool { return !slices.Contains(p.named, e.Key) })
	if p.size != "" {
		shown = append(shown, field(p.size, len(doc.Bytes())))
	}
	return policy.ObjectValue(shown)
}
