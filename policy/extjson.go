package policy

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// ParseExtJSON reads one value of MongoDB Extended JSON v2, canonical, relaxed or a
// mixture (mongodb/specifications: source/extended-json.md), such as the output of
// mongoexport and bsondump, and the metadata of mongodump. The result keeps no reference
// to b.
//
// A plain integer is an [Int32] if it fits, else an [Int64] if it fits, else a [Double],
// as for MongoDB's Go driver; a number with a point or an exponent is a Double, and -0 is
// 0. Objects keep every field in order, even fields with the same name.
//
// An object with the name of a type wrapper among its fields, such as $date, must be that
// wrapper and nothing else. Other names with a dollar sign are ordinary names, such as
// the query operators $type and $regex, and the fields of DBRefs. Wrappers of Extended
// JSON v1 that differ from v2 are refused, such as a number in $date.
//
// The text must be strict JSON, as for [ParseJSON]. Numbers out of the range of
// their type, dates with more than three decimals of a second, and decimals that
// would have to be rounded are errors. Objects and arrays may nest [MaxDepth] deep,
// not counting type wrappers. The error is a [*SyntaxError].
func ParseExtJSON(b []byte) (Value, error) { return parseExtJSON(b, intValue) }

// ParseExtJSONInt32 is [ParseExtJSON] with numbers as in JavaScript: a plain
// integer is an [Int32] if it fits, else a [Double], and never an [Int64].
func (functions) ParseExtJSONInt32(b []byte) (Value, error) {
	return parseExtJSON(b, func(n int64) Value {
		if n == int64(int32(n)) {
			return Int32Value(int32(n))
		}
		return DoubleValue(float64(n))
	})
}

// ExtJSONToBSON reads one document of Extended JSON as [ParseExtJSON] does, and appends
// its BSON to dst, which must not change while the result is in use: the Bytes of the
// result lie in the array of dst after its length, or in a longer copy of dst. It stops
// with an error as soon as the BSON exceeds limit bytes, which bounds memory for
// untrusted texts. The error is a [*SyntaxError].
func (functions) ExtJSONToBSON(dst, text []byte, limit int) (BSON, error) {
	r := extReader{Scanner: jsontext.Scanner{Src: text}, integer: intValue, dst: dst, limit: limit}
	r.Space()
	if r.Peek() != '{' {
		return BSON{}, syntaxError("Extended JSON", r.Unexpected("a document"))
	}
	v, err := r.document()
	if err == nil && v.kind != Object {
		err = syntax.Fail(0, fmt.Errorf("%s where a document should be", v.kind))
	}
	if err != nil {
		return BSON{}, syntaxError("Extended JSON", err)
	}
	return BSON{raw: v.raw}, nil
}

func parseExtJSON(b []byte, integer func(int64) Value) (Value, error) {
	r := extReader{Scanner: jsontext.Scanner{Src: b}, integer: integer, limit: math.MaxInt32}
	r.dst = make([]byte, 0, len(b)) // BSON is seldom longer than the text
	v, err := r.document()
	if err != nil {
		return Value{}, syntaxError("Extended JSON", err)
	}
	return v.detached(), nil
}

// detached returns v with a copy of its string, so that v does not refer to the bytes
// from which it was read.
func (v Value) detached() Value {
	if v.hasText() && v.raw != nil {
		v.text, v.raw = v.content(), nil
	}
	return v
}

// An extReader converts Extended JSON to BSON, the smallest form that keeps every detail
// of the Extended JSON.
type extReader struct {
	jsontext.Scanner
	integer func(int64) Value // returns the Value of a plain integer
	dst     []byte            // the BSON of the objects and arrays read so far
	limit   int               // the maximum length of dst
}

// document reads the whole text as a single value.
func (r *extReader) document() (Value, *syntax.Error) {
	r.Space()
	v, err := r.value(0)
	if err != nil {
		return v, err
	}
	return v, r.End()
}

// value reads a value on nesting level depth, and appends the BSON of an Object
// or a List to r.dst. Do not use such a Value before the outermost one is
// complete, because r.dst moves as it grows.
func (r *extReader) value(depth int) (Value, *syntax.Error) {
	switch r.Peek() {
	case '{':
		return r.objectOrWrapper(depth + 1)
	case '[':
		return r.array(depth + 1)
	case '"':
		text, err := r.Text()
		return jsonString(text), err
	case 't':
		return BoolValue(true), r.Word("true")
	case 'f':
		return BoolValue(false), r.Word("false")
	case 'n':
		return NullValue(), r.Word("null")
	}
	return r.plainNumber()
}

// plainNumber reads a number outside a wrapper.
func (r *extReader) plainNumber() (Value, *syntax.Error) {
	start := r.At
	b, err := r.Number()
	if err != nil {
		return Value{}, err
	}
	if n, ok := jsontext.ParseInt64(b); ok {
		return r.integer(n), nil
	}
	v := doubleOf(b)
	if f, _ := v.AsDouble(); math.IsInf(f, 0) {
		return v, syntax.Fail(start, errDoubleRange)
	}
	return v, nil
}

var errDoubleRange = errors.New("the number is beyond the range of a double")

// array reads an array on nesting level depth.
func (r *extReader) array(depth int) (Value, *syntax.Error) {
	at := r.At
	if err := r.Open(depth); err != nil {
		return Value{}, err
	}
	dst, start := openDocument(r.dst)
	r.dst = dst
	for i := 0; ; i++ {
		more, err := r.More(']', i == 0)
		if err != nil {
			return Value{}, err
		}
		if !more {
			return r.close(List, start, at)
		}
		head := len(r.dst)
		r.dst = appendIndex(r.dst, Missing, i)
		if err := r.element(head, depth); err != nil {
			return Value{}, err.Under(strconv.Itoa(i))
		}
	}
}

// objectOrWrapper reads an object on nesting level depth, or a type wrapper, which
// does not count as a level.
func (r *extReader) objectOrWrapper(depth int) (Value, *syntax.Error) {
	at := r.At
	r.At++
	more, err := r.More('}', true)
	if err != nil {
		return Value{}, err
	}
	if !more {
		r.At = at
		return r.object(depth)
	}
	nameAt := r.At
	name, err := r.Name()
	if err != nil {
		return Value{}, err
	}
	wrapper := wrapperOf(name)
	if wrapper == "" {
		r.At = at
		return r.object(depth)
	}
	v, err := r.wrapper(wrapper, nameAt, depth)
	if err != nil {
		return v, err.Under(wrapper)
	}
	return v, r.noMore(wrapper)
}

// object reads an object on nesting level depth that is not a type wrapper.
func (r *extReader) object(depth int) (Value, *syntax.Error) {
	at := r.At
	if err := r.Open(depth); err != nil {
		return Value{}, err
	}
	dst, start := openDocument(r.dst)
	r.dst = dst
	for first := true; ; first = false {
		more, err := r.More('}', first)
		if err != nil {
			return Value{}, err
		}
		if !more {
			return r.close(Object, start, at)
		}
		if err := r.field(depth); err != nil {
			return Value{}, err
		}
	}
}

// field reads a member of an object.
func (r *extReader) field(depth int) *syntax.Error {
	at := r.At
	name, err := r.Name()
	if err != nil {
		return err
	}
	if wrapper := wrapperOf(name); wrapper != "" {
		return syntax.Fail(at, fmt.Errorf("the type wrapper %s has other fields beside it", wrapper))
	}
	head := len(r.dst)
	r.dst = jsontext.AppendText(append(r.dst, byte(Missing)), name)
	if bytes.IndexByte(r.dst[head+1:], 0) >= 0 {
		return syntax.Fail(at, fmt.Errorf("a field name: %w", errNUL))
	}
	r.dst = append(r.dst, 0)
	if err := r.element(head, depth); err != nil {
		return err.Under(jsontext.Text(name))
	}
	return nil
}

// element reads a value of a document on nesting level depth and completes the
// BSON element that begins at r.dst[head].
func (r *extReader) element(head, depth int) *syntax.Error {
	at := r.At
	v, err := r.value(depth)
	if err != nil {
		return err
	}
	r.dst[head] = byte(v.kind)
	if v.kind == Object || v.kind == List {
		return nil // value has appended it
	}
	dst, tooLong := appendBody(r.dst, v, depth)
	if tooLong != nil {
		return syntax.Fail(at, tooLong)
	}
	r.dst = dst
	return r.room(at)
}

// room returns an error at the given offset if the BSON exceeds the limit.
func (r *extReader) room(at int) *syntax.Error {
	if len(r.dst) <= r.limit {
		return nil
	}
	return syntax.Fail(at, fmt.Errorf("the document takes more than %d bytes as BSON", r.limit))
}

// close ends the BSON of an object or array that begins at r.dst[start] and
// began in the text at the given offset.
func (r *extReader) close(k Kind, start, at int) (Value, *syntax.Error) {
	dst, err := closeDocument(r.dst, start)
	if err != nil {
		return Value{}, syntax.Fail(at, err)
	}
	r.dst = dst
	return Value{kind: k, raw: dst[start:]}, r.room(at)
}

// noMore reads the closing brace that must follow the named fields.
func (r *extReader) noMore(names ...string) *syntax.Error {
	more, err := r.More('}', false)
	if err == nil && more {
		err = syntax.Fail(r.At, fmt.Errorf("unexpected field beside %s", strings.Join(names, " and ")))
	}
	return err
}
