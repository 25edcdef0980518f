package filter

import (
	"slices"
	"strconv"
	"strings"
)

// A place is a position in a partialFilterExpression: the name of a field, or the index of
// an element, within another place. The nil place is the expression itself. It is spelled
// out for a refusal alone, as a long name may hold any number of predicates.
type place struct {
	within  *place
	name    string
	element int // if name is not used, else -1
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

// refuse returns the refusal of a place in the expression.
func refuse(code int32, place *place, reason string) *Refusal {
	return &Refusal{code, place.String(), reason}
}
