package members

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxNesting is how deep a line may nest: the request, its "in", a value as deep
// as policy reads it, and a date's type wrapper of two levels.
const maxNesting = 2 + policy.MaxDepth + 2

// errNesting is the error for a line that nests deeper.
var errNesting = errors.New("the line nests deeper than 128 levels")

// Cut returns the members of the object that text holds. It looks at the
// members only so far as is needed to find where they end: brackets, quotes and
// nesting. With an error it returns the members that it found before.
func Cut(text []byte) (Object, error) {
	raw, err := cut(text)
	return Object{raw: raw}, err
}

func cut(text []byte) (map[string][]byte, error) {
	c := cutter{text: text}
	members := map[string][]byte{}
	if !c.accept('{') {
		return members, c.expected("an object")
	}
	if c.accept('}') {
		return members, c.end()
	}
	for {
		name, err := c.name()
		if err != nil {
			return members, err
		}
		if members[name], err = c.value(); err != nil {
			delete(members, name)
			return members, err
		}
		switch {
		case c.accept(','):
		case c.accept('}'):
			return members, c.end()
		default:
			return members, c.expected("a comma or a closing brace")
		}
	}
}

// cutter walks JSON text. It does not recurse, whatever the text nests.
type cutter struct {
	text []byte
	at   int
	deep bool // something nests deeper than maxNesting
}

func (c *cutter) space() {
	for c.at < len(c.text) && jsontext.IsSpace(c.text[c.at]) {
		c.at++
	}
}

// accept passes over b, and space before it, if it comes next.
func (c *cutter) accept(b byte) bool {
	c.space()
	if c.at == len(c.text) || c.text[c.at] != b {
		return false
	}
	c.at++
	return true
}

// end returns an error unless only space is left, and no more than maxNesting
// was seen before.
func (c *cutter) end() error {
	switch c.space(); {
	case c.at < len(c.text):
		return c.expected("the end of the line")
	case c.deep:
		return errNesting
	}
	return nil
}

func (c *cutter) expected(what string) error {
	if c.at >= len(c.text) {
		return fmt.Errorf("malformed JSON: the line ends where %s was expected", what)
	}
	return fmt.Errorf("malformed JSON at byte %d: expected %s", c.at, what)
}

// name passes over a member's name and its colon.
func (c *cutter) name() (name string, err error) {
	c.space()
	start := c.at
	if !c.quoted() {
		return "", c.expected("a name in quotes")
	}
	name, ok := text(c.text[start:c.at])
	if !ok {
		return "", fmt.Errorf("malformed JSON at byte %d: expected a name in quotes", start)
	}
	if !c.accept(':') {
		return "", c.expected("a colon")
	}
	return name, nil
}

// quoted passes over a string. It reports false if there is none, or no end of
// it.
func (c *cutter) quoted() bool {
	if c.at == len(c.text) || c.text[c.at] != '"' {
		return false
	}
	for i := c.at + 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			i++
		case '"':
			c.at = i + 1
			return true
		}
	}
	c.at = len(c.text)
	return false
}

// value passes over a value, by counting brackets, and returns its text.
func (c *cutter) value() ([]byte, error) {
	c.space()
	start, depth := c.at, 1
	for c.at < len(c.text) {
		switch b := c.text[c.at]; {
		case b == '"':
			if !c.quoted() {
				return nil, c.expected("a closing quote")
			}
			continue
		case b == '{' || b == '[':
			depth++
			c.deep = c.deep || depth > maxNesting
		case depth == 1 && (b == ',' || b == '}' || b == ']'):
			return c.since(start)
		case b == '}' || b == ']':
			depth--
		}
		c.at++
	}
	return nil, c.expected("a closing bracket")
}

// since returns the text from start to here, without the space at its end.
func (c *cutter) since(start int) ([]byte, error) {
	value := bytes.TrimRight(c.text[start:c.at], " \t\r\n")
	if len(value) == 0 {
		return nil, c.expected("a value")
	}
	return value, nil
}
