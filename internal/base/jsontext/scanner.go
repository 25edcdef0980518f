package jsontext

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// A Scanner reads the JSON text Src from offset At on, and checks all that it reads. Each
// method moves At behind the text that it has read.
type Scanner struct {
	Src []byte
	At  int // the offset of the next byte
}

// Peek returns the next byte, 0 at the end of the text.
func (s *Scanner) Peek() byte {
	if s.At < len(s.Src) {
		return s.Src[s.At]
	}
	return 0
}

// Space skips white space.
func (s *Scanner) Space() {
	for s.At < len(s.Src) && IsSpace(s.Src[s.At]) {
		s.At++
	}
}

// End checks that nothing but white space follows.
func (s *Scanner) End() *syntax.Error {
	s.Space()
	if s.At < len(s.Src) {
		return s.Unexpected("the end")
	}
	return nil
}

// checkValue checks a value on nesting level depth.
func (s *Scanner) checkValue(depth int) *syntax.Error {
	switch s.Peek() {
	case '{':
		return s.checkObject(depth)
	case '[':
		return s.checkArray(depth)
	}
	return s.Scalar()
}

// Scalar reads a value that is neither an object nor an array.
func (s *Scanner) Scalar() (err *syntax.Error) {
	switch s.Peek() {
	case 't':
		return s.Word("true")
	case 'f':
		return s.Word("false")
	case 'n':
		return s.Word("null")
	case '"':
		_, err = s.Text()
	default:
		_, err = s.Number()
	}
	return err
}

func (s *Scanner) checkObject(depth int) *syntax.Error {
	if err := s.Open(depth); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.More('}', first)
		if err != nil || !more {
			return err
		}
		name, err := s.Name()
		if err != nil {
			return err
		}
		if err := s.checkValue(depth + 1); err != nil {
			return err.Under(Text(name))
		}
	}
}

func (s *Scanner) checkArray(depth int) *syntax.Error {
	if err := s.Open(depth); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := s.More(']', i == 0)
		if err != nil || !more {
			return err
		}
		if err := s.checkValue(depth + 1); err != nil {
			return err.Under(strconv.Itoa(i))
		}
	}
}

// Open reads an opening bracket that begins nesting level depth.
func (s *Scanner) Open(depth int) *syntax.Error {
	if depth > syntax.MaxDepth {
		return syntax.Fail(s.At, syntax.ErrTooDeep)
	}
	s.At++
	return nil
}

// More reads the separator before the next member or element, or the closing bracket if
// there is none. It reports whether a member or element follows.
func (s *Scanner) More(closing byte, first bool) (bool, *syntax.Error) {
	s.Space()
	switch c := s.Peek(); {
	case c == closing:
		s.At++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		s.At++
		s.Space()
		return true, nil
	}
	return false, s.Unexpected("a comma or " + strconv.QuoteRune(rune(closing)))
}

// Name reads a member's name and the colon. It returns the text between the
// quotes.
func (s *Scanner) Name() ([]byte, *syntax.Error) {
	if s.Peek() != '"' {
		return nil, s.Unexpected("a name in double quotes")
	}
	name, err := s.Text()
	if err != nil {
		return nil, err
	}
	s.Space()
	if s.Peek() != ':' {
		return nil, s.Unexpected("a colon")
	}
	s.At++
	s.Space()
	return name, nil
}

// Text reads a string and returns the text between its quotes.
func (s *Scanner) Text() ([]byte, *syntax.Error) {
	start := s.At + 1
	s.At = start
	if !s.skipText() {
		return nil, s.textError()
	}
	return s.Src[start : s.At-1], nil
}

// skipText reads the rest of a string. If it reports false, the Scanner is at a byte
// that cannot be in a string, or at the end of the text.
func (s *Scanner) skipText() bool {
	for {
		s.At += plainLength(s.Src[s.At:])
		if s.At == len(s.Src) {
			return false
		}
		size := 0
		switch c := s.Src[s.At]; {
		case c == '"':
			s.At++
			return true
		case c == '\\':
			size = escapeSize(s.Src[s.At:])
		case c >= ' ':
			size = runeSize(s.Src[s.At:])
			if next := s.At + size; size > 0 && next < len(s.Src) && s.Src[next] >= utf8.RuneSelf {
				size += runesSize(s.Src[next:])
			}
		}
		if size == 0 {
			return false
		}
		s.At += size
	}
}

// textError returns the error at the place where skipText stopped.
func (s *Scanner) textError() *syntax.Error {
	switch {
	case s.At == len(s.Src):
		return syntax.Fail(s.At, syntax.ErrTruncated)
	case s.Src[s.At] == '\\':
		return s.escapeError()
	case s.Src[s.At] < ' ':
		return syntax.Fail(s.At, fmt.Errorf("control character 0x%02X in a string", s.Src[s.At]))
	}
	return syntax.Fail(s.At, errors.New("the text is not UTF-8"))
}

// plainLength returns the length of the ASCII text at the beginning of b that
// needs no escape in a string.
func plainLength(b []byte) int {
	n := plainEnd(b, 0)
	for n < len(b) && b[n] >= ' ' && b[n] < utf8.RuneSelf && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}

// runeSize returns the length in bytes of the character at the start of b, 0 if it is
// not UTF-8.
func runeSize(b []byte) int {
	if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
		return size
	}
	return 0
}

// runesSize returns the length in bytes of the valid UTF-8 characters beyond ASCII at
// the start of b.
func runesSize(b []byte) (all int) {
	for all < len(b) && b[all] >= utf8.RuneSelf {
		size := runeSize(b[all:])
		if size == 0 {
			break
		}
		all += size
	}
	return all
}

// escapeSize returns the length in bytes of the escape sequence at the start of b, 0
// if it is not one.
func escapeSize(b []byte) int {
	switch {
	case len(b) < 2 || escapes[b[1]] == 0:
		return 0
	case b[1] != 'u':
		return 2
	case len(b) < 6 || hexDigit(b[2]) < 0 || hexDigit(b[3]) < 0 || hexDigit(b[4]) < 0 || hexDigit(b[5]) < 0:
		return 0
	}
	return 6
}

// escapeError returns the error of a bad escape sequence: the text ends in it, or
// it holds a wrong character.
func (s *Scanner) escapeError() *syntax.Error {
	size := 2
	if b := s.Src[s.At:]; len(b) > 1 && b[1] == 'u' {
		size = 6
	}
	for i := 1; i < size; i++ {
		switch at := s.At + i; {
		case at == len(s.Src):
			return syntax.Fail(at, syntax.ErrTruncated)
		case i == 1 && escapes[s.Src[at]] == 0, i > 1 && hexDigit(s.Src[at]) < 0:
			return syntax.Fail(s.At, errors.New("no such escape sequence"))
		}
	}
	return syntax.Fail(s.At, ErrNotJSON)
}

// Word reads exactly want.
func (s *Scanner) Word(want string) *syntax.Error {
	for i := range len(want) {
		if s.Peek() != want[i] {
			return s.Unexpected(want)
		}
		s.At++
	}
	return nil
}

// Number reads a number and returns its text.
func (s *Scanner) Number() ([]byte, *syntax.Error) {
	start := s.At
	s.Skip('-')
	if s.Peek() == '0' {
		s.At++
	} else if s.digits() == 0 {
		return nil, s.noNumber(start)
	}
	if s.Skip('.') && s.digits() == 0 {
		return nil, s.Unexpected("a digit")
	}
	if s.Skip('e') || s.Skip('E') {
		if !s.Skip('+') {
			s.Skip('-')
		}
		if s.digits() == 0 {
			return nil, s.Unexpected("a digit")
		}
	}
	return s.Src[start:s.At], nil
}

// noNumber returns the error that no value begins at start.
func (s *Scanner) noNumber(start int) *syntax.Error {
	if s.At > start {
		return s.Unexpected("a digit")
	}
	return s.Unexpected("a value")
}

// Skip reads c if it is next.
func (s *Scanner) Skip(c byte) bool {
	if s.At < len(s.Src) && s.Src[s.At] == c {
		s.At++
		return true
	}
	return false
}

// digits reads decimal digits and returns their number.
func (s *Scanner) digits() int {
	start := s.At
	for s.At < len(s.Src) && IsDigit(s.Src[s.At]) {
		s.At++
	}
	return s.At - start
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// Unexpected returns the error that the next byte is not what is wanted.
func (s *Scanner) Unexpected(want string) *syntax.Error {
	if s.At == len(s.Src) {
		return syntax.Fail(s.At, fmt.Errorf("%w: want %s", syntax.ErrTruncated, want))
	}
	return syntax.Fail(s.At, fmt.Errorf("found %q, want %s", s.Src[s.At], want))
}
