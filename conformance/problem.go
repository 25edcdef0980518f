package conformance

import (
	"cmp"
	"fmt"
	"slices"
)

// A Problem is one thing that is wrong with a suite. Every error of [Load] is
// one, or several joined.
type Problem struct {
	File string // within the suite, such as "vectors/mongodb-dates.json"
	Line int    // from 1
	Text string // for people
}

// Error returns the place and what is wrong there.
func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// A place is where something stands in a suite's files.
type place struct {
	file string
	line int
}

// problems collects what is wrong, all of it.
type problems []error // each a *Problem

func (p *problems) add(at place, format string, args ...any) {
	*p = append(*p, &Problem{at.file, at.line, fmt.Sprintf(format, args...)})
}

// sorted returns what was collected, by file and line.
func (p problems) sorted() []error {
	slices.SortStableFunc(p, func(a, b error) int {
		return cmp.Or(cmp.Compare(a.(*Problem).File, b.(*Problem).File), cmp.Compare(a.(*Problem).Line, b.(*Problem).Line))
	})
	return p
}

// An object reads the members of a JSON object, each of which must be asked
// for by somebody.
type object struct {
	node
	at    place
	found *problems
	asked []string
}

// object reads n, which stands in the file of at.
func (p *problems) object(n node, at place) *object {
	o := &object{node: n, at: place{at.file, n.line}, found: p}
	if !n.is('{') {
		p.add(o.at, "want an object, got %s", n.raw)
	}
	for i, name := range n.names {
		if slices.Contains(n.names[:i], name) {
			p.add(place{at.file, n.nodes[i].line}, "%q stands twice", name)
		}
	}
	return o
}

// done complains about members that nobody asked for.
func (o *object) done() {
	for i, name := range o.names {
		if !slices.Contains(o.asked, name) {
			o.found.add(place{o.at.file, o.nodes[i].line}, "unknown field %q", name)
		}
	}
}

// optional returns a member, if there is one.
func (o *object) optional(name string) (node, bool) {
	o.asked = append(o.asked, name)
	return o.member(name)
}

// required returns a member, and complains if there is none.
func (o *object) required(name string) (node, bool) {
	n, ok := o.optional(name)
	if !ok {
		o.found.add(o.at, "%q is missing", name)
	}
	return n, ok
}

func (o *object) unwanted(n node, name, want string) {
	o.found.add(place{o.at.file, n.line}, "%q is %s, want %s", name, clip(string(n.raw)), want)
}

// text returns a member that is a text, and not an empty one.
func (o *object) text(name string) string {
	n, ok := o.required(name)
	if !ok {
		return ""
	}
	return o.textOf(n, name)
}

func (o *object) optionalText(name string) string {
	n, ok := o.optional(name)
	if !ok {
		return ""
	}
	return o.textOf(n, name)
}

func (o *object) textOf(n node, name string) string {
	s, _ := n.text()
	if s == "" {
		o.unwanted(n, name, "a text")
	}
	return s
}

// integer returns a member that is a whole number from 1 on.
func (o *object) integer(name string) int {
	n, ok := o.required(name)
	if !ok {
		return 0
	}
	i, ok := n.integer()
	if !ok || i < 1 {
		o.unwanted(n, name, "a whole number from 1 on")
	}
	return i
}

// truth returns a member that is true; one that is absent is false.
func (o *object) truth(name string) bool {
	n, ok := o.optional(name)
	if ok && string(n.raw) != "true" {
		o.unwanted(n, name, "true, or no such field")
	}
	return ok
}

// list returns the elements of a member that is an array, none if it is
// absent.
func (o *object) list(name string) []node {
	n, ok := o.optional(name)
	if !ok {
		return nil
	}
	if !n.is('[') || len(n.nodes) == 0 {
		o.unwanted(n, name, "an array that is not empty")
		return nil
	}
	return n.nodes
}

// requiredList is list for a member that must not be absent.
func (o *object) requiredList(name string) []node {
	o.required(name)
	return o.list(name)
}

// texts returns the elements of a member that is an array of texts, without
// repetitions.
func (o *object) texts(name string) (list []string) {
	for _, n := range o.list(name) {
		s := o.textOf(n, name)
		if slices.Contains(list, s) {
			o.unwanted(n, name, "no text twice")
		}
		list = append(list, s)
	}
	return list
}

// choice returns the position of a member's text among names.
func (o *object) choice(name string, names []string) int {
	n, ok := o.required(name)
	if !ok {
		return 0
	}
	s, _ := n.text()
	i := slices.Index(names, s)
	if i < 0 {
		o.unwanted(n, name, fmt.Sprintf("one of %q", names))
		return 0
	}
	return i
}

// clip keeps what is quoted short.
func clip(s string) string {
	const longest = 120
	if len(s) <= longest {
		return s
	}
	return s[:longest] + "…"
}
