// Package jsonfile reads the JSON files of a suite strictly, and collects what is
// wrong with them: each problem names the file and the line.
package jsonfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

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
	walk := parser{src: src, line: 1}
	return walk.value(), true
}

func check(src []byte) error {
	var whole json.RawMessage
	if err := json.Unmarshal(src, &whole); err != nil {
		return err
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

// A parser walks JSON that is known to be valid.
type parser struct {
	src  []byte
	at   int
	line int
}

// peek passes over space and returns the next byte.
func (p *parser) peek() byte {
	for ; ; p.at++ {
		switch b := p.src[p.at]; b {
		case '\n':
			p.line++
		case ' ', '\t', '\r', ',', ':':
		default:
			return b
		}
	}
}

func (p *parser) value() Node {
	first := p.peek()
	n := Node{Line: p.line}
	start := p.at
	switch first {
	case '{', '[':
		p.at++
		for b := p.peek(); b != '}' && b != ']'; b = p.peek() {
			if first == '{' {
				n.Names = append(n.Names, p.name())
			}
			n.Nodes = append(n.Nodes, p.value())
		}
		p.at++
	default:
		p.scalar(first)
	}
	n.Raw = json.RawMessage(p.src[start:p.at])
	return n
}

func (p *parser) name() (name string) {
	start := p.at
	p.scalar('"')
	json.Unmarshal(p.src[start:p.at], &name) // valid, as all of it
	return name
}

// scalar passes over a text, a number or a word.
func (p *parser) scalar(first byte) {
	p.at++
	if first != '"' {
		for p.at < len(p.src) && bytes.IndexByte([]byte(",:]} \t\r\n"), p.src[p.at]) < 0 {
			p.at++
		}
		return
	}
	for ; p.src[p.at] != '"'; p.at++ {
		if p.src[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
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
	return s, json.Unmarshal(n.Raw, &s) == nil
}

func (n Node) integer() (int, bool) {
	i, err := strconv.Atoi(string(n.Raw))
	return i, err == nil
}
