package policy

import "github.com/ttlpolicy/ttlpolicy/policy/rawbson"

// A rawCursor walks the elements of one checked document or array, of BSON or of
// JSON.
type rawCursor struct {
	bson rawbson.Elements
	rest []byte // what follows the current element of JSON
	name []byte // what stands between the quotes
	body []byte // the current element's value
	kind Kind   // Object or List: what is walked
	json bool
}

// cursorOf returns a cursor before the first element of raw BSON, which may be
// empty.
func cursorOf(raw []byte) rawCursor { return rawCursor{bson: rawElements(raw)} }

// next moves to the next element and returns its value, Missing at the end.
func (c *rawCursor) next() Value {
	switch {
	case c.json && c.stepJSON():
		return jsonValue(c.body)
	case !c.json && c.bson.Next():
		return rawValue(c.bson.Value())
	}
	return Value{}
}

// rawName returns the current name as it stands in the bytes.
func (c *rawCursor) rawName() []byte {
	if c.json {
		return c.name
	}
	return c.bson.Name()
}

// nameText returns the current name. It copies.
func (c *rawCursor) nameText() string {
	if c.json {
		return jsonText(c.name)
	}
	return string(c.bson.Name())
}

// compareName compares the current name with s.
func (c *rawCursor) compareName(s string) int {
	if c.json {
		return compareJSONText(c.name, s)
	}
	return compareBytes(c.bson.Name(), s)
}
