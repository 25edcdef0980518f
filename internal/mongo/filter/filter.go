// Package filter compiles partial filters, and reports whether an index with a filter
// holds keys of a document.
package filter

import (
	"fmt"
	"iter"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Filter is a compiled partialFilterExpression. Matching does not allocate. The zero
// Filter matches no document. Make a Filter with Compile.
type Filter struct {
	root     *node // nil for an index without a filter
	compiled bool
	// fields has the top-level fields that the filter reads. It is empty for a filter with
	// too few predicates for a survey.
	fields fieldTable
}

// Parse parses a filter. A Missing expr means an index without a filter.
func Parse(expr, collation policy.Value, p behaviour.Profile) (f Filter, refused *Refusal) {
	if expr.IsMissing() {
		return Filter{}, nil
	}
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case *Refusal:
			f, refused = Filter{}, failure
		default:
			panic(failure)
		}
	}()
	if expr.Kind() != policy.Object {
		return Filter{}, refuse(codes.TypeMismatch, nil, "want a document, not "+expr.Kind().String())
	}
	root := parser{profile: p, binary: value.IsSimpleCollation(collation)}.document(expr, nil)
	return Filter{root: &root}, nil
}

// Compile compiles the filter of an index with a collation, in the filter language of a
// release. Before 3.2 there are no filters; since 3.2 a filter is a conjunction of $eq,
// $exists: true, $gt, $gte, $lt, $lte and $type; since 6.0 it may also have $or, $in,
// $all, geometry operators, which this package does not decide, and up to four levels.
//
// A refusal has the server's code and names the place. A filter that is not an expression is
// refused first, because the server parses it first, and then an expression that no partial
// index may have (mongodb/mongo: src/mongo/db/matcher/expression_parser.cpp,
// src/mongo/db/catalog/index_catalog_impl.cpp).
func Compile(expr, collation policy.Value, p behaviour.Profile) (Filter, *Refusal) {
	f, refused := Parse(expr, collation, p)
	if refused != nil {
		return Filter{}, refused
	}
	if refused := f.check(p.Filters); refused != nil {
		return Filter{}, refused
	}
	if f.root != nil {
		f.root.joinAlternatives()
		f.fields = fieldTableOf(f.root)
	}
	f.compiled = true
	return f, nil
}

// check refuses an expression that no partial index may have.
func (f Filter) check(language behaviour.FilterLanguage) *Refusal {
	switch {
	case f.root == nil:
		return nil
	case language == behaviour.FiltersNone:
		return refuse(codes.CannotCreateIndex, nil, "this release has no partial indexes")
	}
	return f.root.check(language, 0)
}

// Match reports whether a document belongs to the index. The semantics are those of the
// query language (MongoDB manual, "Query Predicates",
// https://www.mongodb.com/docs/manual/reference/mql/query-predicates/): a path leads
// through arrays of subdocuments, and different elements may match different predicates.
func (f Filter) Match(r *fieldpath.Record) Membership {
	switch {
	case f.root == nil:
		return insideIf(f.compiled)
	case len(f.fields) > 0 && r.Raw != nil:
		return f.matchSurveyed(r)
	}
	return f.root.match(r, nil)
}

// matchSurveyed matches a raw record after a survey of its fields.
func (f Filter) matchSurveyed(r *fieldpath.Record) Membership {
	if len(f.fields) > maxFewSurveyed {
		return f.matchManySurveyed(r)
	}
	var starts [maxFewSurveyed]int32
	return f.matchBy(r, &survey{starts: starts[:len(f.fields)]})
}

//go:noinline
func (f Filter) matchManySurveyed(r *fieldpath.Record) Membership { // a function of its own, because the array takes much of the stack
	var starts [maxSurveyed]int32
	return f.matchBy(r, &survey{starts: starts[:len(f.fields)]})
}

// matchBy makes the survey s of a record, and matches the record with it.
func (f Filter) matchBy(r *fieldpath.Record, s *survey) Membership {
	s.make(r.Raw, f.fields)
	return f.root.match(r, s)
}

// A TextEquality is a filter of the form {field: "text"}, the most frequent
// one.
type TextEquality struct {
	Field fieldpath.Component
	Text  string
}

// Equality returns f as a TextEquality, or nil if f does not have this form.
func (f Filter) Equality() *TextEquality {
	if f.root == nil || !f.root.isText() {
		return nil
	}
	return &TextEquality{f.root.path[0], f.root.text}
}

// IsAbsent reports whether there is no filter, so that the index holds every document.
func (f Filter) IsAbsent() bool { return f.root == nil }

// SortMetadata makes f read the metadata of measurements as the server will store it:
// with its fields sorted, and with the positions of elements as their names
// (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func (f Filter) SortMetadata() {
	if f.root != nil {
		f.root.sortMetadata()
	}
}

// Paths returns the dotted paths that the filter reads, with repetitions.
func (f Filter) Paths() []string {
	if f.root == nil {
		return nil
	}
	return f.root.paths()
}

func (f Filter) AppendReads(names []string) []string {
	if f.root == nil {
		return names
	}
	return f.root.appendReads(names)
}

// maxValues is the maximum number of fields, elements and components of paths in the
// partial filters of one collection. A server has no such limit: it limits a catalog
// entry to 16 MiB of BSON, which can hold a million predicates (MongoDB manual, "MongoDB
// Limits and Thresholds"). This package needs up to 2 kB of memory for each of these
// values.
const maxValues = 1 << 15

// A room is the number of values that the remaining filters may have, at most maxValues
// at the start.
type room int

// take subtracts the values of the index's filter from the room. The error is this
// library's own: no server refuses a filter for its size.
func (left *room) take(filter policy.Value, index string) error {
	if left.count(filter); *left < 0 {
		return fmt.Errorf("mongo: index %q: partialFilterExpression: the filters of the collection have more than %d fields, elements and parts of paths, which is a limit of this library and not of the server", index, maxValues)
	}
	return nil
}

func (left *room) count(v policy.Value) {
	for f := v.Fields(); *left >= 0 && f.Next(); {
		*left -= room(1 + min(strings.Count(f.Name(), "."), fieldpath.MaxComponents))
		left.count(f.Value())
	}
	for e := v.Elements(); *left >= 0 && e.Next(); {
		*left--
		left.count(e.Value())
	}
}

// CheckSizes returns an error if the filters of a collection together have too many
// values. filters yields each filter with the name of its index. Filters may nest as deep
// as BSON.
func CheckSizes(filters iter.Seq2[string, policy.Value]) error {
	left := room(maxValues)
	for index, filter := range filters {
		if err := left.take(filter, index); err != nil {
			return err
		}
	}
	return nil
}
