// Package jsonfile reads the JSON files of a suite strictly, and collects their
// problems: each problem names the file and the line.
package jsonfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
)

// A Place is a place in a file.
type Place struct {
	File string // path in the suite, such as "vectors/mongodb-dates.json"
	Line int    // from 1
}

// A Problem is a fault in a file.
type Problem struct {
	Place
	Text string // for people
}

// Error returns the place and the fault.
func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text) }

// Problems collects all faults.
type Problems []Problem

// Add adds a problem.
func (p *Problems) Add(at Place, format string, args ...any) {
	*p = append(*p, Problem{at, fmt.Sprintf(format, args...)})
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

// Read reads n into the variable to which v points, and adds a problem for each fault. The
// type of the variable says what the file must hold:
//
//   - a struct: an object with its fields, which are named by their tags as for encoding/json,
//     and no other members; a field may be absent if its tag has omitempty. An embedded Node is
//     the object itself. A field with the tag "-" is no member.
//   - a map: an object whose members may have any names
//   - a slice: an array that is not empty, and has no text twice
//   - a string: a text that is not empty; the tag choice of a field lists the texts to choose from
//   - an int: a whole number from 1 on
//   - a bool: true, because a member that is false is left out
//   - a Node: any value; a json.RawMessage: any value, without space; a json.Unmarshaler: a
//     value that its method takes
//
// No member may stand twice.
func (p *Problems) Read(n Node, v any) { p.ReadNamed(n, "", v) }

// ReadNamed is [Problems.Read] for a member, which problems call by its name.
func (p *Problems) ReadNamed(n Node, name string, v any) { p.read(n, name, reflect.ValueOf(v).Elem()) }

func (p *Problems) read(n Node, name string, v reflect.Value) {
	is := func(ok bool, want string) bool {
		if !ok {
			p.Add(n.Place, "%q is %s, want %s", name, members.Clip(string(n.Raw)), want)
		}
		return ok
	}
	switch x := v.Addr().Interface().(type) {
	case *Node:
		*x = n
		return
	case *json.RawMessage:
		*x = Compact(n.Raw)
		return
	case json.Unmarshaler:
		if err := x.UnmarshalJSON(n.Raw); err != nil {
			p.Add(n.Place, "%q: %v", name, err)
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		s, _ := n.Text()
		is(s != "", "a text")
		v.SetString(s)
	case reflect.Int:
		i, err := strconv.Atoi(string(n.Raw))
		is(err == nil && i >= 1, "a whole number from 1 on")
		v.SetInt(int64(i))
	case reflect.Bool:
		v.SetBool(is(string(n.Raw) == "true", "true, or no such field"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.read(n, name, v.Elem())
	case reflect.Slice:
		if !is(n.Is('[') && len(n.Nodes) > 0, "an array that is not empty") {
			return
		}
		for i, part := range n.Nodes {
			element := reflect.New(v.Type().Elem()).Elem()
			p.read(part, name, element)
			if element.Kind() == reflect.String && slices.ContainsFunc(n.Nodes[:i], part.isSame) {
				p.Add(part.Place, "%q is %s, want no text twice", name, members.Clip(string(part.Raw)))
			}
			v.Set(reflect.Append(v, element))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		p.checkObject(n)
		for i, name := range n.Names {
			element := reflect.New(v.Type().Elem()).Elem()
			p.read(n.Nodes[i], name, element)
			v.SetMapIndex(reflect.ValueOf(name), element)
		}
	case reflect.Struct:
		p.checkObject(n)
		known := p.readFields(n, v)
		for i, name := range n.Names {
			if !slices.Contains(known, name) {
				p.Add(n.Nodes[i].Place, "unknown field %q", name)
			}
		}
	}
}

// checkObject checks that n is an object without a member that stands twice.
func (p *Problems) checkObject(n Node) {
	if !n.Is('{') {
		p.Add(n.Place, "want an object, got %s", n.Raw)
	}
	for i, name := range n.Names {
		if slices.Contains(n.Names[:i], name) {
			p.Add(n.Nodes[i].Place, "%q stands twice", name)
		}
	}
}

// readFields reads the fields of a struct, and returns their names.
func (p *Problems) readFields(n Node, v reflect.Value) (names []string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch part, ok := n.Member(name); {
		case field.Type == reflect.TypeFor[Node]() && field.Anonymous:
			v.Field(i).Set(reflect.ValueOf(n))
		case field.Anonymous:
			names = append(names, p.readFields(n, v.Field(i))...)
		case name == "" || name == "-":
		case ok:
			names = append(names, name)
			p.read(part, name, v.Field(i))
			if choice := strings.Fields(field.Tag.Get("choice")); len(choice) > 0 && !slices.Contains(choice, v.Field(i).String()) {
				p.Add(part.Place, "%q is %s, want one of %q", name, members.Clip(string(part.Raw)), choice)
			}
		default:
			names = append(names, name)
			if option != "omitempty" {
				p.Add(n.Place, "%q is missing", name)
			}
		}
	}
	return names
}

// A Node is a JSON value with its place, so that a problem can name it.
// Members keep their order and their repetitions. The zero Node holds no value.
type Node struct {
	Place
	Raw   json.RawMessage // as written in the file
	Names []string        // names of an object's members
	Nodes []Node          // values of an object's members, or an array's elements
}

// Parse reads a whole file, and adds a problem if it is not JSON or not UTF-8.
func (p *Problems) Parse(file string, src []byte) (n Node, ok bool) {
	w := walker{Scanner: jsontext.Scanner{Src: src}, at: Place{file, 1}}
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
	at      Place
	counted int // offset up to which the lines of at are counted
}

// value reads the next value, on a level of nesting.
func (w *walker) value(depth int) (n Node, err *syntax.Error) {
	start := w.At
	w.at.Line += bytes.Count(w.Src[w.counted:start], []byte("\n"))
	w.counted, n.Place = start, w.at
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

// isSame reports whether two values are written alike, except for space.
func (n Node) isSame(m Node) bool { return bytes.Equal(Compact(n.Raw), Compact(m.Raw)) }

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
	case n.isSame(m):
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
