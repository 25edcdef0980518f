package jsonfile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
)

// A Place is where something stands.
type Place struct {
	File string
	Line int // from 1
}

// A Problem is one thing that is wrong with a file.
type Problem struct {
	File string
	Line int
	Text string // for people
}

// Problems collects what is wrong, all of it.
type Problems []Problem

// Add adds a problem.
func (p *Problems) Add(at Place, format string, args ...any) {
	*p = append(*p, Problem{at.File, at.Line, fmt.Sprintf(format, args...)})
}

// Sort orders the problems by file and line.
func (p Problems) Sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// An Object reads the members of a JSON object, each of which must be asked
// for by somebody.
type Object struct {
	Node
	At    Place
	found *Problems
	asked []string
}

// Object reads n, which stands in the file of at.
func (p *Problems) Object(n Node, at Place) *Object {
	o := &Object{Node: n, At: Place{at.File, n.Line}, found: p}
	if !n.Is('{') {
		p.Add(o.At, "want an object, got %s", n.Raw)
	}
	for i, name := range n.Names {
		if slices.Contains(n.Names[:i], name) {
			p.Add(Place{at.File, n.Nodes[i].Line}, "%q stands twice", name)
		}
	}
	return o
}

// Asked returns the names of the members that somebody asked for.
func (o *Object) Asked() []string { return o.asked }

// Done complains about members that nobody asked for.
func (o *Object) Done() {
	for i, name := range o.Names {
		if !slices.Contains(o.asked, name) {
			o.found.Add(Place{o.At.File, o.Nodes[i].Line}, "unknown field %q", name)
		}
	}
}

// Optional returns a member, if there is one.
func (o *Object) Optional(name string) (Node, bool) {
	o.asked = append(o.asked, name)
	return o.Member(name)
}

// Required returns a member, and complains if there is none.
func (o *Object) Required(name string) (Node, bool) {
	n, ok := o.Optional(name)
	if !ok {
		o.found.Add(o.At, "%q is missing", name)
	}
	return n, ok
}

// Unwanted notes that a member is not what is wanted.
func (o *Object) Unwanted(n Node, name, want string) {
	o.found.Add(Place{o.At.File, n.Line}, "%q is %s, want %s", name, members.Clip(string(n.Raw)), want)
}

// Text returns a member that is a text, and not an empty one.
func (o *Object) Text(name string) string {
	n, ok := o.Required(name)
	if !ok {
		return ""
	}
	return o.TextOf(n, name)
}

// OptionalText returns a member that is a text if it is there at all, "" if it is
// missing.
func (o *Object) OptionalText(name string) string {
	n, ok := o.Optional(name)
	if !ok {
		return ""
	}
	return o.TextOf(n, name)
}

// TextOf returns the text of a node, which may not be empty.
func (o *Object) TextOf(n Node, name string) string {
	s, _ := n.Text()
	if s == "" {
		o.Unwanted(n, name, "a text")
	}
	return s
}

// Integer returns a member that is a whole number from 1 on.
func (o *Object) Integer(name string) int {
	n, ok := o.Required(name)
	if !ok {
		return 0
	}
	i, ok := n.integer()
	if !ok || i < 1 {
		o.Unwanted(n, name, "a whole number from 1 on")
	}
	return i
}

// Truth returns a member that is true; one that is absent is false.
func (o *Object) Truth(name string) bool {
	n, ok := o.Optional(name)
	if ok && string(n.Raw) != "true" {
		o.Unwanted(n, name, "true, or no such field")
	}
	return ok
}

// List returns the elements of a member that is an array, none if it is
// absent.
func (o *Object) List(name string) []Node {
	n, ok := o.Optional(name)
	if !ok {
		return nil
	}
	if !n.Is('[') || len(n.Nodes) == 0 {
		o.Unwanted(n, name, "an array that is not empty")
		return nil
	}
	return n.Nodes
}

// RequiredList is List for a member that must not be absent.
func (o *Object) RequiredList(name string) []Node {
	o.Required(name)
	return o.List(name)
}

// Texts returns the elements of a member that is an array of texts, without
// repetitions.
func (o *Object) Texts(name string) (list []string) {
	for _, n := range o.List(name) {
		s := o.TextOf(n, name)
		if slices.Contains(list, s) {
			o.Unwanted(n, name, "no text twice")
		}
		list = append(list, s)
	}
	return list
}

// Choice returns a member's text, which must be one of names.
func (o *Object) Choice(name string, names []string) string {
	n, ok := o.Required(name)
	s, _ := n.Text()
	if ok && !slices.Contains(names, s) {
		o.Unwanted(n, name, fmt.Sprintf("one of %q", names))
	}
	return s
}
