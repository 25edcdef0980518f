package policy

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/decimal128"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// wrapperOf returns the name of the type wrapper of Extended JSON v2 that name spells,
// perhaps with escapes, or "" for another name.
func wrapperOf(name []byte) string {
	if len(name) == 0 || name[0] != '$' && name[0] != '\\' {
		return ""
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(jsontext.Text(name))
	}
	return wrappers[string(name)]
}

// wrappers maps the name of each wrapper to itself, so that wrapperOf returns a name
// without a copy.
var wrappers = func() map[string]string {
	names := make(map[string]string)
	for _, name := range jsontext.WrapperNames {
		names[name] = name
	}
	return names
}()

// wrapper reads the content of the type wrapper that began with name at the
// given offset. An object in it would be on nesting level depth.
func (r *extReader) wrapper(name string, at, depth int) (Value, *syntax.Error) {
	switch name {
	case "$code":
		return r.code(depth)
	case "$scope":
		return Value{}, syntax.Fail(at, errors.New("$scope must follow $code"))
	case "$date":
		return r.date()
	case "$binary":
		return r.binary()
	case "$timestamp":
		return r.timestamp()
	case "$regularExpression":
		return r.regex()
	case "$dbPointer":
		return r.dbPointer()
	case "$minKey":
		return Value{kind: MinKey}, r.Word("1")
	case "$maxKey":
		return Value{kind: MaxKey}, r.Word("1")
	case "$undefined":
		return Value{kind: Undefined}, r.Word("true")
	}
	return r.textWrapper(name)
}

// textWrapper reads the content of a wrapper that holds one string.
func (r *extReader) textWrapper(name string) (v Value, _ *syntax.Error) {
	err := r.parsed(func(text []byte) (err error) {
		switch name {
		case "$oid":
			v, err = parseObjectID(text)
		case "$symbol":
			v = Value{kind: Symbol, raw: text}
		case "$numberInt":
			v, err = parseIntText(text, Int32)
		case "$numberLong":
			v, err = parseIntText(text, Int64)
		case "$numberDouble":
			v, err = parseDoubleText(text)
		case "$numberDecimal":
			v.kind = Decimal
			v.high, v.low, err = decimal128.Parse(string(text))
		default:
			v, err = parseUUID(string(text))
		}
		return err
	})
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// parsed reads a string and calls parse with it. An error of parse is reported at the
// start of the string.
func (r *extReader) parsed(parse func(text []byte) error) *syntax.Error {
	at := r.At
	text, err := r.stringText()
	if err != nil {
		return err
	}
	if err := parse(text); err != nil {
		return syntax.Fail(at, err)
	}
	return nil
}

// stringText reads a string and returns it with its escapes decoded. It does not copy a
// string without escapes.
func (r *extReader) stringText() ([]byte, *syntax.Error) {
	if r.Peek() != '"' {
		return nil, r.Unexpected("a string")
	}
	text, err := r.Text()
	if bytes.IndexByte(text, '\\') >= 0 {
		text = jsontext.AppendText(nil, text)
	}
	return text, err
}

func parseObjectID(text []byte) (Value, error) {
	var id [12]byte
	if len(text) != hex.EncodedLen(len(id)) || !jsontext.IsHex(text) {
		return Value{}, errors.New("want 24 hexadecimal digits")
	}
	hex.Decode(id[:], text)
	return ObjectIDValue(id), nil
}

// parseIntText reads the integer of a $numberInt or a $numberLong.
func parseIntText(text []byte, k Kind) (Value, error) {
	n, ok := jsontext.ParseInt64(text)
	if !ok || k == Int32 && n != int64(int32(n)) {
		return Value{}, fmt.Errorf("want an integer in the range of %s", k)
	}
	return Value{kind: k, low: uint64(n)}, nil
}

// parseDoubleText reads the number of a $numberDouble.
func parseDoubleText(text []byte) (Value, error) {
	switch string(text) {
	case "NaN":
		return DoubleValue(math.NaN()), nil
	case "Infinity":
		return DoubleValue(math.Inf(1)), nil
	case "-Infinity":
		return DoubleValue(math.Inf(-1)), nil
	}
	s := jsontext.Scanner{Src: text}
	if _, err := s.Number(); err != nil || s.At < len(text) {
		return Value{}, errors.New("want a number, NaN, Infinity or -Infinity")
	}
	v := doubleOf(s.Src)
	if f, _ := v.AsDouble(); math.IsInf(f, 0) {
		return v, errDoubleRange
	}
	return v, nil
}

// parseUUID reads the 8-4-4-4-12 hexadecimal digits of a $uuid.
func parseUUID(text string) (Value, error) {
	digits := strings.ReplaceAll(text, "-", "")
	if len(text) != 36 || len(digits) != 32 || !jsontext.IsHex([]byte(digits)) ||
		text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return Value{}, errors.New("want a UUID such as 00112233-4455-6677-8899-aabbccddeeff")
	}
	data, err := hex.DecodeString(digits)
	return BinaryValue(uuidBinary, data), err
}

const uuidBinary = 0x04

// code reads the content of $code, and the $scope that may follow.
func (r *extReader) code(depth int) (Value, *syntax.Error) {
	text, err := r.stringText()
	if err != nil {
		return Value{}, err
	}
	r.Space()
	if r.Peek() != ',' {
		return Value{kind: Code, raw: text}, nil
	}
	r.At++
	r.Space()
	if _, err := r.nameOf("$scope"); err != nil {
		return Value{}, err
	}
	scope, err := r.scope(depth)
	if err != nil {
		return Value{}, err.Under("$scope")
	}
	return functions{}.CodeWithScopeValue(string(text), scope), nil
}

// scope reads a document on nesting level depth. The result has its own bytes, outside
// r.dst.
func (r *extReader) scope(depth int) (BSON, *syntax.Error) {
	if r.Peek() != '{' {
		return BSON{}, r.Unexpected("an object")
	}
	outer := r.dst
	r.dst = nil
	v, err := r.object(depth)
	r.dst = outer
	return BSON{raw: v.raw}, err
}

// nameOf reads and returns the name of a member. It fails for a name that is not in
// names.
func (r *extReader) nameOf(names ...string) (string, *syntax.Error) {
	at := r.At
	text, err := r.Name()
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if jsontext.TextIs(text, name) {
			return name, nil
		}
	}
	return "", syntax.Fail(at, fmt.Errorf("found field %q, want %s", jsontext.Text(text), strings.Join(names, " or ")))
}

// date reads the content of $date.
func (r *extReader) date() (Value, *syntax.Error) {
	if r.Peek() == '"' {
		var i Instant
		err := r.parsed(func(text []byte) (err error) {
			i, err = parseDate(text)
			return err
		})
		return DateValue(i), err
	}
	if r.Peek() != '{' {
		return Value{}, r.Unexpected(`a string such as "2026-11-20T08:30:00.000Z" or {"$numberLong": "milliseconds since 1970"}`)
	}
	v, err := r.wrapped("$numberLong")
	v.kind = Date
	return v, err
}

// wrapped reads a wrapper with this name that holds one string.
func (r *extReader) wrapped(name string) (Value, *syntax.Error) {
	if r.Peek() != '{' {
		return Value{}, r.Unexpected(name)
	}
	r.At++
	r.Space()
	if _, err := r.nameOf(name); err != nil {
		return Value{}, err
	}
	v, err := r.textWrapper(name)
	if err != nil {
		return Value{}, err.Under(name)
	}
	return v, r.noMore(name)
}

// pair reads an object of exactly the two named members, in either order. read
// reads the value of the member with the given name.
func (r *extReader) pair(one, other string, read func(name string) *syntax.Error) *syntax.Error {
	if r.Peek() != '{' {
		return r.Unexpected("an object")
	}
	r.At++
	r.Space()
	first, err := r.nameOf(one, other)
	if err != nil {
		return err
	}
	if err := read(first); err != nil {
		return err.Under(first)
	}
	second := one
	if first == one {
		second = other
	}
	if !r.skipComma() {
		return r.Unexpected("a comma and " + second)
	}
	if _, err := r.nameOf(second); err != nil {
		return err
	}
	if err := read(second); err != nil {
		return err.Under(second)
	}
	return r.noMore(one, other)
}

// skipComma skips a comma and the space around it. It reports whether there was a comma.
func (r *extReader) skipComma() bool {
	r.Space()
	found := r.Skip(',')
	r.Space()
	return found
}

func (r *extReader) binary() (Value, *syntax.Error) {
	var data []byte
	var subtype byte
	err := r.pair("base64", "subType", func(name string) *syntax.Error {
		return r.parsed(func(text []byte) (err error) {
			if name == "base64" {
				data, err = parseBase64(text)
			} else {
				subtype, err = parseSubtype(text)
			}
			return err
		})
	})
	return BinaryValue(subtype, data), err
}

// parseBase64 decodes padded base64. It refuses line breaks, which package base64 skips.
func parseBase64(text []byte) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	if err != nil || bytes.ContainsAny(text, "\r\n") {
		return nil, errors.New("want padded base64")
	}
	return data, nil
}

func parseSubtype(text []byte) (byte, error) {
	if len(text) < 1 || len(text) > 2 || !jsontext.IsHex(text) {
		return 0, errors.New("want one or two hexadecimal digits")
	}
	return byte(jsontext.HexRune(text)), nil
}

func (r *extReader) timestamp() (Value, *syntax.Error) {
	var seconds, ordinal uint32
	err := r.pair("t", "i", func(name string) (err *syntax.Error) {
		if name == "t" {
			seconds, err = r.uint32()
		} else {
			ordinal, err = r.uint32()
		}
		return err
	})
	return TimestampValue(seconds, ordinal), err
}

// uint32 reads a plain number from 0 to 4294967295.
func (r *extReader) uint32() (uint32, *syntax.Error) {
	at := r.At
	b, err := r.Number()
	if err != nil {
		return 0, err
	}
	n, ok := jsontext.ParseInt64(b)
	if !ok || n < 0 || n > math.MaxUint32 {
		return 0, syntax.Fail(at, fmt.Errorf("want an integer from 0 to %d", uint32(math.MaxUint32)))
	}
	return uint32(n), nil
}

func (r *extReader) regex() (Value, *syntax.Error) {
	parts := map[string]string{}
	err := r.pair("pattern", "options", func(name string) *syntax.Error {
		return r.parsed(func(text []byte) error {
			if bytes.IndexByte(text, 0) >= 0 {
				return errNUL
			}
			parts[name] = string(text)
			return nil
		})
	})
	return RegexValue(parts["pattern"], parts["options"]), err
}

func (r *extReader) dbPointer() (Value, *syntax.Error) {
	var namespace []byte
	var id Value
	err := r.pair("$ref", "$id", func(name string) (err *syntax.Error) {
		if name == "$ref" {
			namespace, err = r.stringText()
		} else {
			id, err = r.wrapped("$oid")
		}
		return err
	})
	oid, _ := id.AsObjectID()
	return functions{}.DBPointerValue(string(namespace), oid), err
}
