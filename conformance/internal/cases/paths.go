package cases

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Path is where a date stands: the names of fields, outermost first.
type Path []string

// String returns the path as an index has it.
func (p Path) String() string { return strings.Join(p, ".") }

// Path draws the path of an index, without positions of arrays: a part that is
// a number names a field of a subdocument.
func (s Source) Path() Path {
	p := Path{Pick(s, "t", "a", "createdAt", "expireAfterSeconds", "T", "ttl")}
	if !s.Knows("dotted-path") {
		return p
	}
	parts := []string{"b", "t", "id"}
	if s.Knows("array-position") {
		parts = append(parts, "0", "10")
	}
	for range s.Range(0, Pick(s, int64(0), 2, 5)) {
		p = append(p, Pick(s, parts...))
	}
	return p
}

// hasNumber reports whether a part could be a position of an array.
func (p Path) hasNumber() bool {
	return slices.ContainsFunc(p, func(part string) bool { return part != "" && strings.Trim(part, "0123456789") == "" })
}

// Hold returns the value of the outermost field of a document that has v at
// the path; Missing leaves the innermost field out.
func (p Path) Hold(v policy.Value) policy.Value {
	for i := len(p) - 1; i > 0; i-- {
		v = policy.ObjectValue(withField(nil, p[i], v))
	}
	return v
}

// A Place puts the elements of an array at a path: as an array at its end, or
// each into a subdocument of an array on the way.
type Place struct {
	Path
	level int // of the part that holds the array
}

// Place draws a place for arrays. Its path has no number in it.
func (s Source) Place() Place {
	p := s.Path()
	if p.hasNumber() {
		p = p[:1]
	}
	return Place{p, int(s.Range(0, int64(len(p)-1)))}
}

// AtEnd reports whether the array stands at the end of the path.
func (p Place) AtEnd() bool { return p.level == len(p.Path)-1 }

// Hold returns the value of the outermost field of a document that has the
// elements at the place.
func (p Place) Hold(elements ...policy.Value) policy.Value {
	var list policy.A
	for _, e := range elements {
		list = append(list, p.Path[p.level:].Hold(e))
	}
	return p.Path[:p.level+1].Hold(policy.ListValue(list))
}
