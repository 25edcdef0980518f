package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// A node is a JSON value that knows its line, so that a complaint about a
// vector can name the place. Members keep their order and their repetitions.
type node struct {
	line  int
	raw   json.RawMessage // as it stands in the file
	names []string        // of an object's members
	nodes []node          // an object's or an array's
}

// parse reads the whole of a file; lineOf tells the line of its error.
func parse(src []byte) (node, error) {
	var whole json.RawMessage
	if err := json.Unmarshal(src, &whole); err != nil {
		return node{}, err
	}
	if !utf8.Valid(src) { // encoding/json would replace what is not
		return node{}, encodingError(len(src) - len(afterText(src)))
	}
	p := parser{src: src, line: 1}
	return p.value(), nil
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

// lineOf returns the line at which parse found fault.
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

func (p *parser) value() node {
	first := p.peek()
	n := node{line: p.line}
	start := p.at
	switch first {
	case '{', '[':
		p.at++
		for b := p.peek(); b != '}' && b != ']'; b = p.peek() {
			if first == '{' {
				n.names = append(n.names, p.name())
			}
			n.nodes = append(n.nodes, p.value())
		}
		p.at++
	default:
		p.scalar(first)
	}
	n.raw = json.RawMessage(p.src[start:p.at])
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

// is reports whether n begins with one of the bytes, which tell its kind.
func (n node) is(first ...byte) bool { return bytes.IndexByte(first, n.raw[0]) >= 0 }

// member returns the last member of that name.
func (n node) member(name string) (found node, ok bool) {
	for i, have := range n.names {
		if have == name {
			found, ok = n.nodes[i], true
		}
	}
	return found, ok
}

func (n node) text() (s string, ok bool) {
	if !n.is('"') {
		return "", false
	}
	return s, json.Unmarshal(n.raw, &s) == nil
}

func (n node) integer() (int, bool) {
	i, err := strconv.Atoi(string(n.raw))
	return i, err == nil
}
