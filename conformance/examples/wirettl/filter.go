package wirettl

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filter tells which documents a query is about. It is the filter of a partial index
// of the library, which compares as MongoDB does: it knows equality, $eq, $gt, $gte, $lt,
// $lte, $in, $exists: true, $type, $and and $or. The zero filter holds for all documents.
type filter struct{ index *mongo.Index }

// mark is the field of the index: a date that each document is given, so that the index
// holds a key of exactly those inside the filter. No field of BSON has this name.
const mark = "\x00"

type marked struct{ policy.Document }

func (m marked) Field(name string) policy.Value {
	if name == mark {
		return policy.DateValue(0)
	}
	return m.Document.Field(name)
}

func compileFilter(v policy.Value) (filter, error) {
	switch {
	case v.IsAbsent() || len(policy.DOf(v)) == 0 && v.Kind() == policy.Object:
		return filter{}, nil
	case v.Kind() != policy.Object:
		return filter{}, failed(typeMismatch, "a filter must be an object, not %s", v.Kind())
	}
	latest, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		return filter{}, err
	}
	spec := mongo.IndexSpec{Name: "filter", Key: document(mark, 1), ExpireAfterSeconds: valueOf(0), PartialFilterExpression: v}
	index, err := mongo.CompileIndex(mongo.CollectionSpec{}, spec, latest)
	if err != nil {
		return filter{}, failed(notImplemented, "filter: %v", err)
	}
	return filter{index}, nil
}

func (f filter) holds(d policy.Document) bool {
	if f.index == nil {
		return true
	}
	_, ok := f.index.Key(marked{d})
	return ok
}

// soleID returns the _id that a filter asks for if it asks for nothing else.
func soleID(filter policy.Value) (policy.Value, bool) {
	fields := policy.DOf(filter)
	if len(fields) != 1 || fields[0].Key != "_id" {
		return policy.Value{}, false
	}
	id := fields[0].Value
	if inner := policy.DOf(id); len(inner) > 0 && strings.HasPrefix(inner[0].Key, "$") {
		return policy.Value{}, false
	}
	switch id.Kind() {
	case policy.Null, policy.Regex, policy.List, policy.Undefined: // these mean more than equality
		return policy.Value{}, false
	}
	return id, true
}

// A projection says which fields of a document are shown: those that are named, or all but
// those. The zero projection shows all.
type projection struct {
	fields map[string]*projection // a nil projection is for the field as a whole
	listed bool                   // fields are those to show
}

func compileProjection(v policy.Value) (p projection, err error) {
	p.fields = map[string]*projection{}
	for _, e := range policy.DOf(v) {
		on, isFlag := flag(e.Value)
		isID := e.Key == "_id"
		switch {
		case !isFlag || strings.Contains(e.Key, "$"):
			return p, failed(notImplemented, "projection: %s", e.Key)
		case !isID && len(p.fields) > 0 && on != p.listed:
			return p, failed(badValue, "projection: %s is included and others are not, or the other way round", e.Key)
		case !isID:
			p.listed = on
			p.add(e.Key)
		}
	}
	return p, p.addID(v.Field("_id"))
}

// flag returns what a value means in a projection.
func flag(v policy.Value) (on, ok bool) {
	if b, ok := v.AsBool(); ok {
		return b, true
	}
	n, ok := mongo.WholeSeconds(v)
	return n != 0, ok
}

// addID completes a projection by _id, which is shown unless it is excluded.
func (p *projection) addID(v policy.Value) error {
	on, said := flag(v)
	if said && on && len(p.fields) == 0 {
		p.listed = true
	}
	if shown := on || !said; shown == p.listed {
		p.fields["_id"] = nil
	}
	return nil
}

// add names a field by its path.
func (p *projection) add(path string) {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		p.fields[name] = nil
		return
	}
	if p.fields[name] == nil {
		p.fields[name] = &projection{map[string]*projection{}, p.listed}
	}
	p.fields[name].add(rest)
}

// of returns what is shown of the fields of a document.
func (p projection) of(d policy.D) (shown policy.D) {
	for _, e := range d {
		if v := p.ofField(e.Key, e.Value); !v.IsMissing() {
			shown = append(shown, policy.E{Key: e.Key, Value: v})
		}
	}
	return shown
}

func (p projection) ofField(name string, v policy.Value) policy.Value {
	inner, named := p.fields[name]
	switch {
	case named && inner != nil:
		return inner.ofValue(v)
	case named == p.listed:
		return v
	}
	return policy.Value{}
}

// ofValue is for what stands on a path: documents, also those in arrays, are entered, and
// anything else is shown only if the projection says what not to show.
func (p projection) ofValue(v policy.Value) policy.Value {
	switch v.Kind() {
	case policy.Object:
		return policy.ObjectValue(p.of(policy.DOf(v)))
	case policy.List:
		list := policy.A{}
		for e := v.Elements(); e.Next(); {
			if shown := p.ofValue(e.Value()); !shown.IsMissing() {
				list = append(list, shown)
			}
		}
		return policy.ListValue(list)
	}
	if p.listed {
		return policy.Value{}
	}
	return v
}
