package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxFilterDepth is how many levels a partialFilterExpression may have since
// 6.0, the predicates counted as one (the server parameter
// internalPartialFilterExpressionMaxDepth).
const maxFilterDepth = 4

// compileFilter compiles the filter of an index with a collation in the language
// of a release: none before 3.2; then a conjunction of $eq, $exists: true, $gt,
// $gte, $lt, $lte and $type; since 6.0 also $or, $in, $all, geometry (which
// this package does not decide) and nesting, up to four levels.
//
// What the release refuses is a [*SpecError] with the server's code, which
// names the place: what is no expression at all is found first, as the server
// parses it first, then what no partial index may have (mongodb/mongo:
// src/mongo/db/matcher/expression_parser.cpp,
// src/mongo/db/catalog/index_catalog_impl.cpp).
func compileFilter(expr, collation policy.Value, p Profile) (partialFilter, error) {
	f, err := parseFilter(expr, collation, p)
	if err != nil {
		return partialFilter{}, err
	}
	if err := f.check(p.filters); err != nil {
		return partialFilter{}, err
	}
	f.compiled = true
	return f, nil
}

// check refuses what no partial index may have.
func (f partialFilter) check(language filterLanguage) error {
	switch {
	case f.root == nil:
		return nil
	case language == filtersNone:
		return refuse(CannotCreateIndex, "", "this release has no partial indexes")
	}
	return f.root.check(language, 0)
}

// check refuses what stands at a level of the tree. A document of one clause
// is no level of its own, nor is one at the top.
func (n *node) check(language filterLanguage, level int) error {
	if language == filtersNested && level >= maxFilterDepth {
		return refuse(CannotCreateIndex, n.place, "partialFilterExpression depth may not exceed 4")
	}
	if language == filtersFlat && n.op == opAnd && level > 0 {
		return refuse(CannotCreateIndex, n.place, "$and only supported in partialFilterExpression at top level")
	}
	if !language.allows(n.op) {
		return refuse(CannotCreateIndex, n.place, language.refusal())
	}
	for i := range n.children {
		if err := n.children[i].check(language, level+1); err != nil {
			return err
		}
	}
	return nil
}

// allows reports whether an operator belongs to the language.
func (l filterLanguage) allows(op operator) bool {
	switch op {
	case opRefused:
		return false
	case opOr, opIn, opGeometry:
		return l == filtersNested
	}
	return true
}

// refusal is what the server says before it prints the clause.
func (l filterLanguage) refusal() string {
	if l == filtersFlat {
		return "unsupported expression in partial index"
	}
	return "Expression not supported in partial index"
}

// isSimpleCollation reports whether strings compare by their bytes.
func isSimpleCollation(v policy.Value) bool {
	return v.IsAbsent() || v.Field("locale").Kind() == policy.String && v.Field("locale").CompareText("simple") == 0
}

// refuse returns the refusal of a place in the expression.
func refuse(code ErrorCode, place, reason string) error {
	field := "partialFilterExpression"
	if place != "" {
		field += "." + place
	}
	return &SpecError{Code: code, Field: field, Reason: reason}
}
