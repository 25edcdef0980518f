package jsontext

// A Cursor walks the members of a checked object, or the elements of a checked
// array. The zero Cursor is at its end.
type Cursor struct {
	rest   []byte
	name   []byte
	value  []byte
	object bool
}

// CursorOf returns a cursor before the first member or element of raw, which
// begins and ends with a bracket or is empty.
func CursorOf(raw []byte) Cursor {
	if len(raw) < 2 {
		return Cursor{}
	}
	return Cursor{object: raw[0] == '{', rest: raw[1 : len(raw)-1]}
}

// Next moves to the next member or element. It reports false at the end.
func (c *Cursor) Next() bool {
	b := c.rest
	i := SkipSpace(b, 0)
	if i == len(b) {
		return false
	}
	value := i
	if c.object {
		var nameEnd int
		nameEnd, _, value = cutName(b, i+1)
		c.name = b[i+1 : nameEnd]
	}
	end := skipValue(b, value)
	c.value, c.rest = b[value:end], b[skipComma(b, end):]
	return true
}

// Name returns the undecoded text between the quotes of the current name.
func (c *Cursor) Name() []byte { return c.name }

// Value returns the undecoded text of the current value.
func (c *Cursor) Value() []byte { return c.value }
