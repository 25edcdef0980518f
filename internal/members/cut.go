package members

import (
	"bytes"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// maxNesting is the maximum nesting of a line: the request, its "in", a value as deep as
// policy reads it, and a date's type wrapper of two levels.
const maxNesting = 2 + syntax.MaxDepth + 2

// errNesting is the error for a line that nests deeper than maxNesting.
var errNesting = fmt.Errorf("a value of the line nests deeper than %d levels", syntax.MaxDepth)

// Cut returns the members of the object that text holds. It reads only what it needs to
// find the end of each member: brackets, quotes and nesting. If there is an error, it
// returns the members before the fault.
func Cut(text []byte) (Object, error) {
	c := cutter{Scanner: jsontext.Scanner{Src: text}, members: map[string][]byte{}}
	switch err := c.object(); {
	case err != nil:
		return Object{raw: c.members}, fmt.Errorf("malformed JSON at byte %d: %w", err.Offset, err.Err)
	case c.deep:
		return Object{raw: c.members}, errNesting
	}
	return Object{raw: c.members}, nil
}

// A cutter reads one object. It does not recurse, whatever the text nests.
type cutter struct {
	jsontext.Scanner
	members map[string][]byte
	deep    bool // the text nests deeper than maxNesting
}

// object reads the whole text.
func (c *cutter) object() *syntax.Error {
	if c.Space(); !c.Skip('{') {
		return c.Unexpected("an object")
	}
	for first := true; ; first = false {
		switch more, err := c.More('}', first); {
		case err != nil:
			return err
		case !more:
			return c.End()
		}
		if err := c.member(); err != nil {
			return err
		}
	}
}

func (c *cutter) member() *syntax.Error {
	quoted, err := c.Name()
	if err != nil {
		return err
	}
	name, start := jsontext.Text(quoted), c.At
	delete(c.members, name) // the last member of a name counts, even if it is damaged
	if err := c.value(); err != nil {
		return err
	}
	value := bytes.TrimRight(c.Src[start:c.At], " \t\r\n")
	if len(value) == 0 {
		return c.Unexpected("a value")
	}
	c.members[name] = value
	return nil
}

// value skips a value by counting brackets.
func (c *cutter) value() *syntax.Error {
	for depth := 1; c.At < len(c.Src); c.At++ {
		switch b := c.Src[c.At]; {
		case b == '"':
			if !c.quoted() {
				return c.Unexpected("a closing quote")
			}
		case b == '{' || b == '[':
			depth++
			c.deep = c.deep || depth > maxNesting
		case depth == 1 && (b == ',' || b == '}' || b == ']'):
			return nil
		case b == '}' || b == ']':
			depth--
		}
	}
	return c.Unexpected("a closing bracket")
}

// quoted skips a string up to its closing quote. It reports false if the quote is
// missing.
func (c *cutter) quoted() bool {
	for c.At++; c.At < len(c.Src); c.At++ {
		switch c.Src[c.At] {
		case '\\':
			c.At++
		case '"':
			return true
		}
	}
	c.At = len(c.Src)
	return false
}
