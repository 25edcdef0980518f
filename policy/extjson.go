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
// would have to be rounded are errors. Objects and arrays may nest 128 levels deep,
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

var errNoDate = errors.New("want a date such as 2026-11-20T08:30:00.000Z")

// parseDate reads the text of a relaxed $date: RFC 3339 with at most three
// decimals of a second. The colon in the offset may be left out. It is stricter
// than [time.Parse], which accepts a comma as the decimal point, and decimals
// that an Instant cannot hold.
func parseDate(text []byte) (Instant, error) {
	i, n := cutDate(text)
	if n == 0 || n < len(text) {
		return 0, errNoDate
	}
	return i, nil
}

// cutDate reads the date at the start of text, as parseDate does, and returns its
// length, or 0 if text does not begin with a date.
func cutDate(text []byte) (Instant, int) {
	const shape = len("2006-01-02T15:04:05")
	if len(text) <= shape || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return 0, 0
	}
	century, years, month, day := pair(text, 0), pair(text, 2), pair(text, 5), pair(text, 8)
	hour, minute, second := pair(text, 11), pair(text, 14), pair(text, 17)
	milli, decimals := cutMillis(text[shape:])
	offset, zone := cutOffset(text[shape+decimals:])
	if zone == 0 || century|years|hour|minute|second < 0 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return 0, 0
	}
	year := century*100 + years
	if day > 28 && day > daysIn(year, month) {
		return 0, 0
	}
	second += daysSince1970(year, month, day)*86400 + hour*3600 + minute*60 - offset
	return Instant(second*1000 + milli), shape + decimals + zone
}

// daysIn returns the number of days in a month.
func daysIn(year, month int64) int64 {
	isLeap := year%4 == 0 && year%100 != 0 || year%400 == 0
	switch {
	case month != 2:
		return 30 + (month+month/8)%2
	case isLeap:
		return 29
	}
	return 28
}

// daysSince1970 returns the number of days from 1970-01-01 to a date of the years 0 to
// 9999. It takes a quarter of the time of [time.Date].
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 { // the year begins in March, so that the leap day is its last day
		year, month = year-1, month+12
	}
	year += 400                        // the year is not negative, so that quotients are rounded down
	const march400BC = 719468 + 146097 // days from 1 March of the year -400 to 1970-01-01
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day - 1 - march400BC
}

// pair returns the number that two digits spell, or a negative number for other
// text.
func pair(text []byte, i int) int64 {
	tens, ones := text[i]-'0', text[i+1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return int64(tens)*10 + int64(ones)
}

// cutMillis reads the point and up to three decimals at the start of text, and returns
// their length, or 0 if there are no decimals.
func cutMillis(text []byte) (milli int64, n int) {
	if len(text) < 2 || text[0] != '.' || !jsontext.IsDigit(text[1]) {
		return 0, 0
	}
	unit := int64(100)
	if len(text) >= len(".000") { // the usual case
		if tens, ones := pair(text, 1), text[3]-'0'; tens >= 0 && ones <= 9 {
			return tens*10 + int64(ones), len(".000")
		}
	}
	for n = 1; n < min(len(text), len(".000")) && jsontext.IsDigit(text[n]); n++ {
		milli += unit * int64(text[n]-'0')
		unit /= 10
	}
	return milli, n
}

// cutOffset reads the offset at the start of text as seconds east of UTC, and
// returns its length, or 0 if there is none.
func cutOffset(text []byte) (seconds int64, n int) {
	switch {
	case len(text) > 0 && text[0] == 'Z':
		return 0, 1
	case len(text) < len("+0000") || text[0] != '+' && text[0] != '-':
		return 0, 0
	}
	n = len("+00")
	if text[n] == ':' {
		n++
	}
	if len(text) < n+2 {
		return 0, 0
	}
	hours, minutes := pair(text, 1), pair(text, n)
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, 0
	}
	seconds = hours*3600 + minutes*60
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, n + 2
}
