package policy

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// A rawCursor walks the elements of one checked document or array, of BSON or of
// JSON.
type rawCursor struct {
	bson   rawbson.Elements
	json   jsontext.Cursor
	isJSON bool
}

// next moves to the next element and returns its value, or Missing at the end.
func (c *rawCursor) next() Value {
	switch {
	case c.isJSON && c.json.Next():
		return jsonValue(c.json.Value())
	case !c.isJSON && c.bson.Next():
		return rawValue(c.bson.Value())
	}
	return Value{}
}

// rawName returns the bytes of the current name.
func (c *rawCursor) rawName() []byte {
	if c.isJSON {
		return c.json.Name()
	}
	return c.bson.Name()
}

// nameText returns a copy of the current name.
func (c *rawCursor) nameText() string {
	if c.isJSON {
		return jsontext.Text(c.json.Name())
	}
	return string(c.bson.Name())
}

// compareName compares the current name with s.
func (c *rawCursor) compareName(s string) int {
	if c.isJSON {
		return jsontext.CompareText(c.json.Name(), s)
	}
	return jsontext.CompareBytes(c.bson.Name(), s)
}
