// Package filter compiles partial filters, and reports whether an index with a filter
// holds keys of a document.
package filter

import (
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Filter is a compiled partialFilterExpression. Matching does not
// allocate. The zero Filter has every document outside. Make one with
// Compile.
type Filter struct {
	root     *node // nil for an index without a filter
	compiled bool
	// fields are the top-level fields that the filter reads, if they are many; see
	// survey.
	fields fieldTable
}

// Parse reads a filter; Missing is an index without one.
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

// Compile compiles the filter of an index with a collation in the language
// of a release: none before 3.2; then a conjunction of $eq, $exists: true, $gt,
// $gte, $lt, $lte and $type; since 6.0 also $or, $in, $all, geometry (which
// this package does not decide) and nesting, up to four levels.
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

// Match reports whether a document belongs to the index. The semantics are those
// of the query language (MongoDB manual, "Query Predicates",
// https://www.mongodb.com/docs/manual/reference/mql/query-predicates/): a path
// goes through arrays of subdocuments, and each predicate may be met by a
// different element.
func (f Filter) Match(r *record.Record) Membership {
	switch {
	case f.root == nil:
		return insideIf(f.compiled)
	case len(f.fields) > 0 && r.Raw != nil:
		return f.matchSurveyed(r)
	}
	return f.root.match(r, nil)
}

// matchSurveyed is match for a raw record, after a survey.
func (f Filter) matchSurveyed(r *record.Record) Membership {
	if len(f.fields) > maxFewSurveyed {
		return f.matchManySurveyed(r)
	}
	var starts [maxFewSurveyed]int32
	return f.matchBy(r, &survey{starts: starts[:len(f.fields)]})
}

//go:noinline
func (f Filter) matchManySurveyed(r *record.Record) Membership { // apart for the room that it takes
	var starts [maxSurveyed]int32
	return f.matchBy(r, &survey{starts: starts[:len(f.fields)]})
}

// matchBy makes the survey s and matches by it.
func (f Filter) matchBy(r *record.Record, s *survey) Membership {
	s.make(r.Raw, f.fields)
	return f.root.match(r, s)
}

// A TextEquality is a filter of the form {field: "text"}, the most frequent
// one.
type TextEquality struct {
	Field record.Component
	Text  string
}

// Equality returns the filter if it has that form, or nil.
func (f Filter) Equality() *TextEquality {
	if f.root == nil || !f.root.isText() {
		return nil
	}
	return &TextEquality{f.root.path[0], f.root.text}
}

// IsAbsent reports whether there is no filter, so that the index holds every document.
func (f Filter) IsAbsent() bool { return f.root == nil }

// SortMetadata makes f read the metadata of measurements, which is as it was
// written, as it will be stored: with its fields sorted, and with the positions of
// elements as their names (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func (f Filter) SortMetadata() {
	if f.root != nil {
		f.root.sortMetadata()
	}
}

func (f Filter) AppendReads(names []string) []string {
	if f.root == nil {
		return names
	}
	return f.root.appendReads(names)
}
