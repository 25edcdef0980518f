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
	walk := walker{json.NewDecoder(bytes.NewReader(src)), src, 0, 1}
	walk.UseNumber() // which may be beyond doubles
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

// A walker walks JSON that is known to be valid.
type walker struct {
	*json.Decoder
	src  []byte
	at   int // up to which lines are counted
	line int
}

// value reads the next value.
func (w *walker) value() (n Node) {
	start := int(w.InputOffset())
	start += len(w.src[start:]) - len(bytes.TrimLeft(w.src[start:], " \t\r\n,:"))
	w.line += bytes.Count(w.src[w.at:start], []byte("\n"))
	w.at, n.Line = start, w.line
	if open := w.token(); open == json.Delim('{') || open == json.Delim('[') {
		for w.More() {
			if open == json.Delim('{') {
				n.Names = append(n.Names, w.token().(string))
			}
			n.Nodes = append(n.Nodes, w.value())
		}
		w.token() // the end
	}
	n.Raw = json.RawMessage(w.src[start:w.InputOffset()])
	return n
}

func (w *walker) token() json.Token {
	token, err := w.Token()
	if err != nil {
		panic(err) // check has read it before
	}
	return token
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
