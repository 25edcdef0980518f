package policy

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/decimal128"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// AppendExtJSON appends v to dst as canonical MongoDB Extended JSON v2. [ParseExtJSON]
// reads it back as the same value bit for bit, with these exceptions. Extended JSON
// has one NaN, so the payload and sign of a NaN are lost. A decimal128 whose
// coefficient has more than 34 digits means zero and is written as zero. Bytes in a
// text that are not UTF-8 become U+FFFD. A document that cannot list its fields is
// written as {}. A field that is named like a type wrapper, such as $date, is read
// back as that wrapper, or refused, because Extended JSON has no form for such a
// field. An [Opaque] value has no form either, and becomes {"$opaque":true}.
//
// The result is always valid JSON. A field that is [Missing] is left out;
// elsewhere Missing is written as null.
func AppendExtJSON(dst []byte, v Value) []byte {
	switch v.kind {
	case Object:
		return appendObject(dst, v)
	case List:
		return appendArray(dst, v)
	case String:
		return appendQuoted(dst, v.content())
	case Bool:
		return strconv.AppendBool(dst, v.low != 0)
	case Missing, Null:
		return append(dst, "null"...)
	case Opaque:
		return append(dst, `{"$opaque":true}`...)
	}
	return append(appendWrapped(append(dst, '{'), v), '}')
}

// String returns v as canonical Extended JSON, and "missing" for [Missing].
func (v Value) String() string {
	if v.IsMissing() {
		return v.kind.String()
	}
	return string(AppendExtJSON(nil, v))
}

func appendObject(dst []byte, v Value) []byte {
	dst = append(dst, '{')
	first := true
	f := v.Fields()
	for f.Next() {
		if f.Value().IsMissing() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(appendQuoted(dst, f.Name()), ':')
		dst = AppendExtJSON(dst, f.Value())
	}
	return append(dst, '}')
}

func appendArray(dst []byte, v Value) []byte {
	dst = append(dst, '[')
	first := true
	e := v.Elements()
	for e.Next() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendExtJSON(dst, e.Value())
	}
	return append(dst, ']')
}

// appendWrapped appends the content of the type wrapper for v.
func appendWrapped(dst []byte, v Value) []byte {
	switch v.kind {
	case Int32:
		return appendNumber(append(dst, `"$numberInt":`...), v)
	case Int64:
		return appendNumber(append(dst, `"$numberLong":`...), v)
	case Double:
		return appendNumber(append(dst, `"$numberDouble":`...), v)
	case Decimal:
		return appendNumber(append(dst, `"$numberDecimal":`...), v)
	case Date:
		dst = appendNumber(append(dst, `"$date":{"$numberLong":`...), v)
		return append(dst, '}')
	case ObjectID:
		return appendOID(dst, v)
	case Timestamp:
		seconds, ordinal, _ := v.AsTimestamp()
		dst = strconv.AppendUint(append(dst, `"$timestamp":{"t":`...), uint64(seconds), 10)
		dst = strconv.AppendUint(append(dst, `,"i":`...), uint64(ordinal), 10)
		return append(dst, '}')
	case MinKey:
		return append(dst, `"$minKey":1`...)
	case MaxKey:
		return append(dst, `"$maxKey":1`...)
	case Undefined:
		return append(dst, `"$undefined":true`...)
	}
	return appendWrappedText(dst, v)
}

func appendWrappedText(dst []byte, v Value) []byte {
	switch v.kind {
	case Symbol:
		return appendQuoted(append(dst, `"$symbol":`...), v.content())
	case Code:
		return appendQuoted(append(dst, `"$code":`...), v.content())
	case CodeWithScope:
		dst = appendQuoted(append(dst, `"$code":`...), v.content())
		return AppendExtJSON(append(dst, `,"$scope":`...), v.scope())
	case Regex:
		pattern, options, _ := v.AsRegex()
		dst = appendQuoted(append(dst, `"$regularExpression":{"pattern":`...), pattern)
		dst = appendQuoted(append(dst, `,"options":`...), options)
		return append(dst, '}')
	case DBPointer:
		dst = appendQuoted(append(dst, `"$dbPointer":{"$ref":`...), v.content())
		dst = appendOID(append(dst, `,"$id":{`...), v)
		return append(dst, "}}"...)
	}
	subtype, data, _ := v.AsBinary()
	dst = append(dst, `"$binary":{"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, data)
	dst = append(dst, `","subType":"`...)
	dst = hex.AppendEncode(dst, []byte{subtype})
	return append(dst, `"}`...)
}

func appendOID(dst []byte, v Value) []byte {
	id, _ := v.AsObjectID()
	return append(hex.AppendEncode(append(dst, `"$oid":"`...), id[:]), '"')
}

// appendNumber appends a number or a date in quotes.
func appendNumber(dst []byte, v Value) []byte {
	dst = append(dst, '"')
	switch v.kind {
	case Double:
		dst = appendDouble(dst, math.Float64frombits(v.low))
	case Decimal:
		dst = decimal128.Append(dst, v.high, v.low)
	default:
		dst = strconv.AppendInt(dst, int64(v.low), 10)
	}
	return append(dst, '"')
}

// appendDouble appends the shortest text that reads back as f. The text has a point or an
// exponent, which distinguishes it from an integer.
func appendDouble(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	text := strconv.FormatFloat(f, 'G', -1, 64)
	if !strings.ContainsAny(text, ".E") {
		text += ".0"
	}
	return append(dst, text...)
}

// appendQuoted appends s as a JSON string.
func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuoted(dst, s)
	return dst
}
