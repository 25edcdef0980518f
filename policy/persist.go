package policy

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/base/nojson"
)

// Values and documents are stored as canonical Extended JSON and as BSON. Each writer reads
// back what it has written, and fails if that is another value: a definition that was changed
// on the way could delete what the true one keeps.

// noJSON is embedded in types that encoding/json must not write.
type noJSON = nojson.Type

var errMissing = errors.New("policy: a missing value has no JSON; leave its field out, as with the option omitzero")

// MarshalJSON returns v as canonical Extended JSON, which [Value.UnmarshalJSON] reads back as
// an equal value. It fails for a value that [AppendExtJSON] cannot write without a loss, such
// as an [Opaque] value or a field that is named like a type wrapper, and for [Missing]. The
// payload of a NaN is lost, and a decimal128 that means zero by too many digits becomes zero.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.IsMissing() {
		return nil, errMissing
	}
	text := AppendExtJSON(nil, v)
	again, err := ParseExtJSON(text)
	if err == nil && !isReadBack(v, again) {
		err = fmt.Errorf("it is read back as %s", again.kind)
	}
	if err != nil {
		return nil, fmt.Errorf("policy: the %s has no Extended JSON: %w", v.kind, err)
	}
	return text, nil
}

// UnmarshalJSON reads Extended JSON as [ParseExtJSON] does. It copies text.
func (v *Value) UnmarshalJSON(text []byte) error {
	parsed, err := ParseExtJSON(bytes.Clone(text))
	if err == nil {
		*v = parsed
	}
	return err
}

// isReadBack reports whether w, which was read, is v, which was written.
func isReadBack(v, w Value) bool {
	switch {
	case v.kind != w.kind:
		return false
	case v.kind == Object:
		f, g := v.Fields(), w.Fields()
		for f.Next() {
			if f.Value().IsMissing() {
				continue
			}
			if !g.Next() || f.Name() != g.Name() || !isReadBack(f.Value(), g.Value()) {
				return false
			}
		}
		return f.Listed() && !g.Next()
	case v.kind == List:
		e, f := v.Elements(), w.Elements()
		for e.Next() {
			if !f.Next() || !isReadBack(e.Value(), f.Value()) {
				return false
			}
		}
		return !f.Next()
	case v.kind == CodeWithScope:
		return v.content() == w.content() && isReadBack(v.scope(), w.scope())
	case v.IsNaN() || v.kind == Decimal:
		return bytes.Equal(AppendExtJSON(nil, v), AppendExtJSON(nil, w))
	}
	return v.Equal(w)
}

// MarshalBSONValue returns the kind of v, which is the number of a BSON type, and its bytes,
// as drivers of MongoDB ask for them. It fails like [AppendBSON].
func (v Value) MarshalBSONValue() (kind byte, body []byte, err error) {
	if v.kind == Missing || v.kind == Opaque {
		return 0, nil, fmt.Errorf("policy: BSON cannot hold a value that is %s", v.kind)
	}
	if v.kind == Object {
		body, err = AppendBSON(nil, v)
		return byte(v.kind), body, err
	}
	body, err = appendBody(nil, v, 0)
	return byte(v.kind), body, err
}

// UnmarshalBSONValue reads a value as [ParseBSONValue] does. It copies the bytes.
func (v *Value) UnmarshalBSONValue(kind byte, body []byte) error {
	parsed, err := ParseBSONValue(Kind(kind), bytes.Clone(body))
	if err == nil {
		*v = parsed
	}
	return err
}

// MarshalJSON returns d as an object of canonical Extended JSON. It fails like
// [Value.MarshalJSON]. A field that is [Missing] is left out.
func (d D) MarshalJSON() ([]byte, error) { return ObjectValue(d).MarshalJSON() }

// UnmarshalJSON reads an object of Extended JSON, or null as nil.
func (d *D) UnmarshalJSON(text []byte) error {
	var v Value
	if err := v.UnmarshalJSON(text); err != nil {
		return err
	}
	if v.kind != Object && v.kind != Null {
		return fmt.Errorf("policy: a %s is not a document", v.kind)
	}
	*d = DOf(v)
	return nil
}

var errMap = errors.New("policy: a Map is not written as JSON, which has no dates; write a map[string]any if it holds none")

// MarshalJSON fails: a date would be read back as text, which never expires. A Map can be read
// from JSON, with the option UseNumber of a json.Decoder.
func (m Map) MarshalJSON() ([]byte, error) { return nil, errMap }
