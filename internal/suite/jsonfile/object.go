// Package jsonfile reads the JSON files of a suite strictly, and collects their
// problems: each problem names the file and the line.
package jsonfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
)

// A Place is a place in a file.
type Place struct {
	File string
	Line int // from 1
}

// A Problem is a fault in a file.
type Problem struct {
	File string // path in the suite, such as "vectors/mongodb-dates.json"
	Line int    // from 1
	Text string // for people
}

// Error returns the place and the fault.
func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// Problems collects all faults.
type Problems []Problem

// Add adds a problem.
func (p *Problems) Add(at Place, format string, args ...any) {
	*p = append(*p, Problem{at.File, at.Line, fmt.Sprintf(format, args...)})
}

// Err joins the problems by file and line, each as a [*Problem]. It returns nil if there
// are none.
func (p Problems) Err() error {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	var all []error
	for i := range p {
		all = append(all, &p[i])
	}
	return errors.Join(all...)
}

// An Object reads the members of a JSON object. The reader must request every member.
type Object struct {
	Node
	At    Place
	found *Problems
	asked []string
}

// Object reads n, which is in the file of at.
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

// Asked returns the names of the requested members.
func (o *Object) Asked() []string { return o.asked }

// Done adds a problem for each member that was not requested.
func (o *Object) Done() {
	for i, name := range o.Names {
		if !slices.Contains(o.asked, name) {
			o.found.Add(Place{o.At.File, o.Nodes[i].Line}, "unknown field %q", name)
		}
	}
}

// Optional returns a member, and reports whether the object has it.
func (o *Object) Optional(name string) (Node, bool) {
	o.asked = append(o.asked, name)
	return o.Member(name)
}

// Required returns a member, and adds a problem if there is none.
func (o *Object) Required(name string) (Node, bool) {
	n, ok := o.Optional(name)
	if !ok {
		o.found.Add(o.At, "%q is missing", name)
	}
	return n, ok
}

// Unwanted adds the problem that a member is not of the wanted form.
func (o *Object) Unwanted(n Node, name, want string) {
	o.found.Add(Place{o.At.File, n.Line}, "%q is %s, want %s", name, members.Clip(string(n.Raw)), want)
}

// Text returns a member that is a nonempty text.
func (o *Object) Text(name string) string {
	n, ok := o.Required(name)
	if !ok {
		return ""
	}
	return o.TextOf(n, name)
}

// OptionalText returns a member that is a nonempty text, "" if the member is absent.
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

// Truth reports whether a member is present. Its value must be true.
func (o *Object) Truth(name string) bool {
	n, ok := o.Optional(name)
	if ok && string(n.Raw) != "true" {
		o.Unwanted(n, name, "true, or no such field")
	}
	return ok
}

// List returns the elements of a member that is an array; nil if the member is absent.
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

// RequiredList is List, and adds a problem if the member is absent.
func (o *Object) RequiredList(name string) []Node {
	o.Required(name)
	return o.List(name)
}

// Table returns a member that is an object, whose own members may have any names. It adds
// a problem if the member is absent.
func (o *Object) Table(name string) *Object {
	n, ok := o.Required(name)
	if !ok {
		return &Object{}
	}
	return o.found.Object(n, o.At)
}

// Objects yields the parts of an array or of a table, to be read as objects.
func (o *Object) Objects(parts []Node) iter.Seq2[int, *Object] {
	return func(yield func(int, *Object) bool) {
		for i, n := range parts {
			part := o.found.Object(n, o.At)
			if !yield(i, part) {
				return
			}
			part.Done()
		}
	}
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

// A Node is a JSON value with its line, so that a problem can name the place.
// Members keep their order and their repetitions. The zero Node holds no value.
type Node struct {
	Line  int
	Raw   json.RawMessage // as written in the file
	Names []string        // names of an object's members
	Nodes []Node          // values of an object's members, or an array's elements
}

// Parse reads a whole file, and adds a problem if it is not JSON or not UTF-8.
func (p *Problems) Parse(file string, src []byte) (n Node, ok bool) {
	w := walker{Scanner: jsontext.Scanner{Src: src}, line: 1}
	w.Space()
	n, err := w.value(0)
	if err == nil {
		err = w.End()
	}
	if err != nil {
		p.Add(Place{file, 1 + bytes.Count(src[:err.Offset], []byte("\n"))}, "%v", err.Err)
	}
	return n, err == nil
}

// ownDepth is the number of levels around the documents in a file.
const ownDepth = 8

// A walker reads values with their lines.
type walker struct {
	jsontext.Scanner
	line, counted int // offset up to which lines are counted
}

// value reads the next value, on a level of nesting.
func (w *walker) value(depth int) (n Node, err *syntax.Error) {
	start := w.At
	w.line += bytes.Count(w.Src[w.counted:start], []byte("\n"))
	w.counted, n.Line = start, w.line
	if first := w.Peek(); first == '{' || first == '[' {
		err = w.parts(&n, first, depth)
	} else {
		err = w.Scalar()
	}
	n.Raw = w.Src[start:w.At]
	return n, err
}

// parts reads the members of an object or the elements of an array.
func (w *walker) parts(n *Node, open byte, depth int) *syntax.Error {
	err := w.Open(depth - ownDepth)
	for more := err == nil; more; {
		if more, err = w.More(open+2, n.Nodes == nil); err != nil || !more { // the closing bracket is 2 above the opening one in ASCII
			return err
		}
		if open == '{' {
			name, err := w.Name()
			if err != nil {
				return err
			}
			n.Names = append(n.Names, jsontext.Text(name))
		}
		part, err := w.value(depth + 1)
		if err != nil {
			return err
		}
		n.Nodes = append(n.Nodes, part)
	}
	return err
}

// Is reports whether n begins with a byte, which shows its kind.
func (n Node) Is(first byte) bool { return len(n.Raw) > 0 && n.Raw[0] == first }

// Member returns the last member of that name.
func (n Node) Member(name string) (found Node, ok bool) {
	for i, have := range n.Names {
		if have == name {
			found, ok = n.Nodes[i], true
		}
	}
	return found, ok
}

// Text returns n as a text.
func (n Node) Text() (s string, ok bool) {
	if !n.Is('"') {
		return "", false
	}
	return jsontext.Text(n.Raw[1 : len(n.Raw)-1]), true
}

func (n Node) integer() (int, bool) {
	i, err := strconv.Atoi(string(n.Raw))
	return i, err == nil
}

// Compact returns JSON without space outside texts, nil if raw is not JSON.
func Compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return nil
	}
	return b.Bytes()
}

// Differences counts the places in which two values differ. A typed value of
// Extended JSON is one place.
func (n Node) Differences(m Node) (count int) {
	switch {
	case bytes.Equal(Compact(n.Raw), Compact(m.Raw)):
		return 0
	case n.isDocument() && m.isDocument():
		return n.differentMembers(m)
	case n.Is('[') && m.Is('[') && len(n.Nodes) == len(m.Nodes):
		for i := range n.Nodes {
			count += n.Nodes[i].Differences(m.Nodes[i])
		}
		return count
	}
	return 1
}

// isDocument reports whether n is an object, but not a typed value or an
// operator such as {"$date": …}.
func (n Node) isDocument() bool {
	return n.Is('{') && (len(n.Names) == 0 || !strings.HasPrefix(n.Names[0], "$"))
}

// differentMembers counts the members that differ: a renamed member in the same position
// counts once, and another order of the same members counts once.
func (n Node) differentMembers(m Node) (count int) {
	for i, name := range n.Names {
		other, ok := m.Member(name)
		switch {
		case ok:
			count += n.Nodes[i].Differences(other)
		case !n.isRenamed(m, i):
			count++
		}
	}
	for _, name := range m.Names {
		if _, ok := n.Member(name); !ok {
			count++
		}
	}
	return max(count, 1)
}

// isRenamed reports whether m has a member with another name in position i and
// is the same otherwise.
func (n Node) isRenamed(m Node, i int) bool {
	if len(n.Names) != len(m.Names) {
		return false
	}
	_, ok := n.Member(m.Names[i])
	return !ok && n.Nodes[i].Differences(m.Nodes[i]) == 0
}
