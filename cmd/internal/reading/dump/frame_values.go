package dump

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// valueFramer finds JSON objects by their brackets: the elements of one array, or one after
// another. Brackets can be trusted only while the text is JSON, so damage ends the reading.
type valueFramer struct {
	array bool  // the objects are the elements of an array
	state state // of the array
	guess guess // where the next element begins
}

// state says what may follow in an array.
type state uint8

const (
	atOpen  state = iota // [
	atFirst              // an element or ]
	atComma              // , or ]
	atNext               // an element
	atEnd                // nothing
)

var (
	errNotObject = errors.New("want an object")
	errNoArray   = errors.New("the array has not begun")
	errNoComma   = errors.New("want a comma or the end of the array")
	errBehind    = errors.New("text follows the array")
	errBracket   = errors.New("unexpected closing bracket")
)

func (f *valueFramer) frame(data []byte, final bool, spans []Span) ([]Span, int, *damage) {
	first := len(spans)
	f.guess.bracket = -1 // the one stored is of other data
	for pos := 0; ; {
		if pos = jsontext.SkipSpace(data, pos); pos == len(data) {
			return f.stop(data, final, spans, first)
		}
		if data[pos] == '{' && (f.state == atFirst || f.state == atNext) {
			spans, pos = f.guess.elements(data, pos, spans)
		}
		size, isDoc, err := f.token(data[pos:], final)
		switch {
		case err != nil && len(spans) == first:
			return spans, pos, &damage{at: pos, err: err}
		case err != nil || size == 0:
			return spans, pos, nil
		case isDoc:
			spans = append(spans, Span{int32(pos), int32(pos + size)})
		}
		pos += size
	}
}

// stop deals with the end of data, which is not always the end of the input.
func (f *valueFramer) stop(data []byte, final bool, spans []Span, first int) ([]Span, int, *damage) {
	if final && f.array && f.state != atEnd && len(spans) == first {
		err := fmt.Errorf("%w: the array is not closed", policy.ErrTruncated)
		f.state = atEnd
		return spans, len(data), &damage{at: len(data), err: err}
	}
	return spans, len(data), nil
}

// token returns the size of the token at the start of text, or 0 if more text is needed,
// and whether the token is a document.
func (f *valueFramer) token(text []byte, final bool) (size int, isDoc bool, err error) {
	if !f.array {
		size, err = objectSize(text, final)
		return size, true, err
	}
	switch c := text[0]; {
	case f.state == atOpen && c == '[':
		f.state = atFirst
		return 1, false, nil
	case f.state == atOpen:
		return 0, false, errNoArray
	case f.state == atEnd:
		return 0, false, errBehind
	case c == ']' && f.state != atNext:
		f.state = atEnd
		return 1, false, nil
	case f.state == atComma && c == ',':
		f.state = atNext
		return 1, false, nil
	case f.state == atComma:
		return 0, false, errNoComma
	}
	if size, err = objectSize(text, final); size > 0 && err == nil {
		f.state = atComma
		f.guess.learn(text, size)
	}
	return size, true, err
}

// objectSize returns the size of the object at the start of text, or 0 if more text is
// needed.
func objectSize(text []byte, final bool) (int, error) {
	switch {
	case text[0] == ']' || text[0] == '}':
		return 0, errBracket
	case text[0] != '{':
		return 0, &quotation{fmt.Errorf("%w, not %q", errNotObject, beginning(text)), errNotObject.Error()}
	}
	size := scanValue(text)
	switch {
	case size > MaxText || size < 0 && len(text) > MaxText:
		return 0, fmt.Errorf("the document is longer than %d MiB", MaxText>>20)
	case size < 0 && final:
		return 0, fmt.Errorf("%w: %d bytes left", policy.ErrTruncated, len(text))
	}
	return max(size, 0), nil
}

// A guess is the text between elements of an array in a file. With it most ends are found
// by a search instead of by counting brackets.
type guess struct {
	// The end of an element, and the beginning of the next up to the quote of a name: },{
	// and "
	head, tail string
	bracket    int // the position of the next [ in the data, unless it is before the element
}

// elements appends to spans the elements from data[pos] on, where one begins, as long
// as it finds their ends by the guess. It returns the start of the first element whose
// brackets have to be counted. The result is right if the text is JSON, which the
// decoder of the element checks:
//
//   - The quote begins a name. If it ended a string, the letter could not follow.
//   - So an object may begin here after a comma, as only in an array, and no array but
//     the whole is open, for there is no bracket.
//   - No element begins before: each brace in between is not behind a comma.
func (g *guess) elements(data []byte, pos int, spans []Span) ([]Span, int) {
	if g.head == "" {
		return spans, pos
	}
	if g.bracket < pos {
		g.bracket = indexFrom(data, pos, '[')
	}
	for brace := pos; ; {
		brace = indexFrom(data[:g.bracket], brace+1, '{')
		if brace == g.bracket {
			return spans, pos
		}
		if data[brace-1] == ':' { // often
			continue
		}
		last := brace + 1 - len(g.head)
		switch {
		case last > pos && last-pos < MaxText && g.isBetween(data, last):
			spans = append(spans, Span{int32(pos), int32(last + 1)})
			pos = brace
		case isBehindComma(data[pos:brace]):
			return spans, pos
		}
	}
}

// isBetween reports whether data[i:] ends an element and begins the next.
func (g *guess) isBetween(data []byte, i int) bool {
	quote := i + len(g.head)
	letter := quote + len(g.tail)
	return letter < len(data) && string(data[i:quote]) == g.head && string(data[quote:letter]) == g.tail && !isBehindText(data[letter])
}

// indexFrom returns the index of the first c from data[i] on, len(data) if there is none.
func indexFrom(data []byte, i int, c byte) int {
	if n := bytes.IndexByte(data[i:], c); n >= 0 {
		return i + n
	}
	return len(data)
}

// isBehindComma reports whether text, which begins with a brace, ends in a comma and
// white space.
func isBehindComma(text []byte) bool {
	i := len(text) - 1
	for jsontext.IsSpace(text[i]) {
		i--
	}
	return text[i] == ','
}

// isBehindText reports whether c may follow a string, or is the end of an empty one.
func isBehindText(c byte) bool {
	return jsontext.IsSpace(c) || c == ',' || c == ':' || c == '}' || c == ']' || c == '"'
}

// learn notes what follows the element text[:size].
func (g *guess) learn(text []byte, size int) {
	g.head = ""
	i := jsontext.SkipSpace(text, size)
	if i == len(text) || text[i] != ',' {
		return
	}
	brace := jsontext.SkipSpace(text, i+1)
	if brace == len(text) || text[brace] != '{' {
		return
	}
	if i = jsontext.SkipSpace(text, brace+1); i < len(text) && text[i] == '"' && i-size < 100 {
		g.head, g.tail = string(text[size-1:brace+1]), string(text[brace+1:i+1])
	}
}

// scanValue returns the size of the object at the start of text, counting brackets outside
// of strings, or -1 if it does not end within text.
func scanValue(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := scanString(text[i+1:])
			if n < 0 {
				return -1
			}
			i += n
		}
	}
	return -1
}

// scanString returns how long the rest of a string is, its closing
// quote included, or -1 if it does not end within text.
func scanString(text []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		if backslashes(text[i:end])%2 == 0 {
			return end + 1
		}
		i = end + 1 // the quote is escaped, and a run of backslashes ends before it
	}
}

// backslashes returns the number of backslashes at the end of text.
func backslashes(text []byte) int {
	return len(text) - len(bytes.TrimRight(text, `\`))
}
