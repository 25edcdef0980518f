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
