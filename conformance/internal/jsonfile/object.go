// Package jsonfile reads the JSON files of a suite strictly, and collects what is
// wrong with them: each problem names the file and the line.
package jsonfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// A Node is a JSON value that knows its line, so that a problem can name the
// place. Members keep their order and their repetitions. The zero Node is no
// value.
type Node struct {
	Line  int
	Raw   json.RawMessage // as it stands in the file
	Names []string        // of an object's members
	Nodes []Node          // an object's or an array's
}

// Parse reads the whole of a file, and adds the problem if that is no JSON or
// not UTF-8.
func (p *Problems) Parse(file string, src []byte) (n Node, ok bool) {
	err := check(src)
	if err != nil {
		p.Add(Place{file, lineOf(src, err)}, "%v", err)
		return Node{}, false
	}
	return (&walker{src: src, line: 1}).value(), true
}

func check(src []byte) error {
	if !json.Valid(src) {
		var whole json.RawMessage
		return json.Unmarshal(src, &whole) // which says why
	}
	if !utf8.Valid(src) { // encoding/json would replace what is not
		return encodingError(len(src) - len(afterText(src)))
	}
	return nil
}

// An encodingError is the offset of bytes that are not UTF-8.
type encodingError int

func (e encodingError) Error() string { return "not UTF-8" }

// afterText returns src from the first byte on that is not UTF-8.
func afterText(src []byte) []byte {
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		if r == utf8.RuneError && size == 1 {
			break
		}
		src = src[size:]
	}
	return src
}

// lineOf returns the line at which check found fault.
func lineOf(src []byte, err error) int {
	var at *json.SyntaxError
	var encoding encodingError
	end := len(src)
	switch {
	case errors.As(err, &at) && at.Offset <= int64(end):
		end = int(at.Offset)
	case errors.As(err, &encoding):
		end = int(encoding)
	}
	return 1 + bytes.Count(src[:end], []byte("\n"))
}

// A walker walks JSON that is known to be valid.
type walker struct {
	src  []byte
	at   int
	line int // of at
}

// value reads the next value.
func (w *walker) value() (n Node) {
	open := w.next()
	start := w.at
	n.Line = w.line
	switch open {
	case '{', '[':
		w.at++
		for w.hasMore() {
			if open == '{' {
				n.Names = append(n.Names, w.name())
			}
			n.Nodes = append(n.Nodes, w.value())
		}
	case '"':
		w.text()
	default:
		w.at += len(w.src[start:]) - len(bytes.TrimLeft(w.src[start:], "+-.0123456789Eaeflnrstu"))
	}
	n.Raw = json.RawMessage(w.src[start:w.at])
	return n
}

// next skips space, commas and colons, and returns the byte that follows.
func (w *walker) next() byte {
	for ; ; w.at++ {
		switch c := w.src[w.at]; c {
		case '\n':
			w.line++
		case ' ', '\t', '\r', ',', ':':
		default:
			return c
		}
	}
}

// hasMore reports whether the object or array goes on; otherwise it skips the end.
func (w *walker) hasMore() bool {
	if c := w.next(); c != '}' && c != ']' {
		return true
	}
	w.at++
	return false
}

// name reads the name of a member.
func (w *walker) name() string {
	w.next()
	name, _ := Node{Raw: w.text()}.Text()
	return name
}

// text skips a text and returns it, with its quotes.
func (w *walker) text() json.RawMessage {
	start := w.at
	for w.at++; w.src[w.at] != '"'; w.at++ {
		if w.src[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return json.RawMessage(w.src[start:w.at])
}

// Is reports whether n begins with the byte, which shows its kind.
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
	if !bytes.ContainsRune(n.Raw, '\\') {
		return string(n.Raw[1 : len(n.Raw)-1]), true
	}
	return s, json.Unmarshal(n.Raw, &s) == nil
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

// isDocument reports whether n is an object, and no typed value or operator
// such as {"$date": …}.
func (n Node) isDocument() bool {
	return n.Is('{') && (len(n.Names) == 0 || !strings.HasPrefix(n.Names[0], "$"))
}

// differentMembers counts the members that differ: a member by another name in
// the same position once, and another order of the same members once.
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

// isRenamed reports whether m has a member by another name in position i, and
// the same otherwise.
func (n Node) isRenamed(m Node, i int) bool {
	if len(n.Names) != len(m.Names) {
		return false
	}
	_, ok := n.Member(m.Names[i])
	return !ok && n.Nodes[i].Differences(m.Nodes[i]) == 0
}
