package policy

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/swar"
)

// A jsonScanner reads JSON text and checks all that it reads. Its methods
// leave it behind what they read.
type jsonScanner struct {
	src    []byte
	at     int // what is read so far
	format string
}

// peek returns the next byte, 0 at the end of the text.
func (s *jsonScanner) peek() byte {
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// space skips white space.
func (s *jsonScanner) space() {
	for s.at < len(s.src) && isSpace(s.src[s.at]) {
		s.at++
	}
}

// end checks that nothing but white space follows.
func (s *jsonScanner) end() *SyntaxError {
	s.space()
	if s.at < len(s.src) {
		return s.unexpected("the end")
	}
	return nil
}

// checkValue checks a value on nesting level depth.
func (s *jsonScanner) checkValue(depth int) *SyntaxError {
	var err *SyntaxError
	switch s.peek() {
	case '{':
		return s.checkObject(depth)
	case '[':
		return s.checkArray(depth)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	case '"':
		_, err = s.text()
	default:
		_, err = s.number()
	}
	return err
}

func (s *jsonScanner) checkObject(depth int) *SyntaxError {
	if err := s.open(depth); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.more('}', first)
		if err != nil || !more {
			return err
		}
		name, err := s.name()
		if err != nil {
			return err
		}
		if err := s.checkValue(depth + 1); err != nil {
			return err.under(jsonText(name))
		}
	}
}

func (s *jsonScanner) checkArray(depth int) *SyntaxError {
	if err := s.open(depth); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := s.more(']', i == 0)
		if err != nil || !more {
			return err
		}
		if err := s.checkValue(depth + 1); err != nil {
			return err.under(strconv.Itoa(i))
		}
	}
}

// open reads an opening bracket that begins nesting level depth.
func (s *jsonScanner) open(depth int) *SyntaxError {
	if depth > MaxDepth {
		return s.fail(s.at, ErrTooDeep)
	}
	s.at++
	return nil
}

// more reads what separates members or elements and reports whether another
// one follows; if not, it has read the closing bracket.
func (s *jsonScanner) more(closing byte, first bool) (bool, *SyntaxError) {
	s.space()
	switch c := s.peek(); {
	case c == closing:
		s.at++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		s.at++
		s.space()
		return true, nil
	}
	return false, s.unexpected("a comma or " + strconv.QuoteRune(rune(closing)))
}

// name reads a member's name and the colon. It returns the text between the
// quotes.
func (s *jsonScanner) name() ([]byte, *SyntaxError) {
	if s.peek() != '"' {
		return nil, s.unexpected("a name in double quotes")
	}
	name, err := s.text()
	if err != nil {
		return nil, err
	}
	s.space()
	if s.peek() != ':' {
		return nil, s.unexpected("a colon")
	}
	s.at++
	s.space()
	return name, nil
}

// text reads a string and returns what stands between its quotes.
func (s *jsonScanner) text() ([]byte, *SyntaxError) {
	s.at++
	start := s.at
	for {
		s.at += plainLength(s.src[s.at:])
		if s.at == len(s.src) {
			return nil, s.fail(s.at, ErrTruncated)
		}
		var err *SyntaxError
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return s.src[start : s.at-1], nil
		case c == '\\':
			err = s.escape()
		case c < ' ':
			err = s.fail(s.at, fmt.Errorf("control character 0x%02X in a string", c))
		default:
			err = s.rune()
		}
		if err != nil {
			return nil, err
		}
	}
}

// plainLength returns how many bytes at the beginning of b are ASCII that
// stands for itself in a string. Eight bytes are looked at in one go.
func plainLength(b []byte) (n int) {
	for ; len(b)-n >= swar.WordBytes; n += swar.WordBytes {
		if marks := specials(swar.Load(b, n)); marks != 0 {
			return n + swar.FirstMark(marks)
		}
	}
	for n < len(b) && b[n] >= ' ' && b[n] < utf8.RuneSelf && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}

// rune reads one character that is not ASCII.
func (s *jsonScanner) rune() *SyntaxError {
	r, size := utf8.DecodeRune(s.src[s.at:])
	if r == utf8.RuneError && size == 1 {
		return s.fail(s.at, errors.New("the text is not UTF-8"))
	}
	s.at += size
	return nil
}

// escape reads an escape sequence.
func (s *jsonScanner) escape() *SyntaxError {
	size := 2
	if b := s.src[s.at:]; len(b) > 1 && b[1] == 'u' {
		size = 6
	}
	for i := 1; i < size; i++ {
		switch at := s.at + i; {
		case at == len(s.src):
			return s.fail(at, ErrTruncated)
		case i == 1 && escaped[s.src[at]] == 0, i > 1 && hexDigit(s.src[at]) < 0:
			return s.fail(s.at, errors.New("no such escape sequence"))
		}
	}
	s.at += size
	return nil
}

// word reads exactly want.
func (s *jsonScanner) word(want string) *SyntaxError {
	for i := range len(want) {
		if s.peek() != want[i] {
			return s.unexpected(want)
		}
		s.at++
	}
	return nil
}

// number reads a number and returns its text.
func (s *jsonScanner) number() ([]byte, *SyntaxError) {
	start := s.at
	s.skip('-')
	if s.peek() == '0' {
		s.at++
	} else if s.digits() == 0 {
		return nil, s.noNumber(start)
	}
	if s.skip('.') && s.digits() == 0 {
		return nil, s.unexpected("a digit")
	}
	if s.skip('e') || s.skip('E') {
		if !s.skip('+') {
			s.skip('-')
		}
		if s.digits() == 0 {
			return nil, s.unexpected("a digit")
		}
	}
	return s.src[start:s.at], nil
}

// noNumber says what is missing where a value should have begun at start.
func (s *jsonScanner) noNumber(start int) *SyntaxError {
	if s.at > start {
		return s.unexpected("a digit")
	}
	return s.unexpected("a value")
}

// skip reads c if it is next.
func (s *jsonScanner) skip(c byte) bool {
	if s.at < len(s.src) && s.src[s.at] == c {
		s.at++
		return true
	}
	return false
}

// digits reads decimal digits and returns how many.
func (s *jsonScanner) digits() int {
	start := s.at
	for s.at < len(s.src) && isDigit(s.src[s.at]) {
		s.at++
	}
	return s.at - start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// unexpected says that the next byte is not what it should be.
func (s *jsonScanner) unexpected(want string) *SyntaxError {
	if s.at == len(s.src) {
		return s.fail(s.at, fmt.Errorf("%w: want %s", ErrTruncated, want))
	}
	return s.fail(s.at, fmt.Errorf("found %q, want %s", s.src[s.at], want))
}

func (s *jsonScanner) fail(at int, err error) *SyntaxError {
	return &SyntaxError{Format: s.format, Offset: at, Err: err}
}
