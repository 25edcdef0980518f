package filter

import (
	"slices"
	"strconv"
	"strings"
)

// A place is a position in a partialFilterExpression: the name of a field, or the index
// of an element, within another place. The nil place is the expression itself. Only a
// refusal builds the path as a string, because many predicates may share a long name.
type place struct {
	within  *place
	name    string
	element int // the index of the element, or -1 if the place is a field
}

func (p *place) field(name string) *place { return &place{p, name, -1} }

func (p *place) at(element int) *place { return &place{p, "", element} }

// String returns a path such as "partialFilterExpression.$and[1].a".
func (p *place) String() string {
	var parts []string
	for ; p != nil; p = p.within {
		part := "." + p.name
		if p.element >= 0 {
			part = "[" + strconv.Itoa(p.element) + "]"
		}
		parts = append(parts, part)
	}
	slices.Reverse(parts)
	return "partialFilterExpression" + strings.Join(parts, "")
}

// A Refusal is the reason for which a server refuses an expression.
type Refusal struct {
	Code   int32
	Place  string // such as "partialFilterExpression.$and[1].a"
	Reason string
}

// refuse returns a Refusal with a code, a place in the expression and a reason.
func refuse(code int32, place *place, reason string) *Refusal {
	return &Refusal{code, place.String(), reason}
}

// A Membership says whether a document belongs to a partial index. The zero membership is
// outside, which keeps the document.
type Membership uint8

// The memberships.
const (
	Outside     Membership = iota // the index holds no key of the document
	Inside                        // the index holds the document's keys
	Undecidable                   // this package does not decide the membership: geometry, a collation other than simple, an unlistable document
)

func either(a, b Membership) Membership {
	switch {
	case a == Inside || b == Inside:
		return Inside
	case a == Undecidable || b == Undecidable:
		return Undecidable
	}
	return Outside
}

func insideIf(is bool) Membership {
	if is {
		return Inside
	}
	return Outside
}
