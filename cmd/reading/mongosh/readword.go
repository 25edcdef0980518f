package mongosh

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// constants are the words that denote values.
var constants = map[string]policy.Value{
	"true": policy.BoolValue(true), "false": policy.BoolValue(false), "null": policy.NullValue(), "undefined": valuefunc.F.RareValue(policy.Undefined, ""),
	"True": policy.BoolValue(true), "False": policy.BoolValue(false), "None": policy.NullValue(), // of Python
	"NaN": policy.DoubleValue(math.NaN()), "Infinity": policy.DoubleValue(math.Inf(1)),
}

// A maker makes a value from the arguments of a constructor.
type maker func(args []policy.Value, now policy.Instant) (policy.Value, error)

// makers are the constructors of the shell, and constructors of drivers.
var makers = map[string]maker{
	"Date": makeDate, "ISODate": makeISODate,
	"NumberInt": makeInt32, "Int32": makeInt32,
	"NumberLong": makeInt64, "Long": makeInt64,
	"NumberDecimal": wrapped("$numberDecimal"), "Decimal128": wrapped("$numberDecimal"),
	"ObjectId": wrapped("$oid"), "UUID": wrapped("$uuid"),
	"Double": makeDouble, "Number": makeDouble,
	"Timestamp": makeTimestamp, "BinData": makeBinary, "Map": makeMap,
	"MinKey": constant(valuefunc.F.RareValue(policy.MinKey, "")), "MaxKey": constant(valuefunc.F.RareValue(policy.MaxKey, "")),
	"RegExp": makeRegex, "DBRef": makeReference,
	"SON": makeMap, "OrderedDict": makeMap, // of Python, as pymongo prints listings
}

// word reads a constant, or a constructor with or without new.
func (r *reader) word() policy.Value {
	at := r.at
	name := r.identifier()
	if v, ok := constants[name]; ok {
		return v
	}
	isNew := name == "new"
	if isNew {
		r.space()
		name = r.identifier()
	}
	if name == "Date" && !isNew {
		return r.dateFunction(at)
	}

	switch {
	case r.program && name == "array" && r.next("("): // of PHP: array('a' => 1)
		r.enter(at)
		v := r.members(")")
		r.depth--
		return v
	case r.program && name == "IndexModel" && r.next("("): // of pymongo: IndexModel("a", unique=True), an object with the member keys
		args, options := r.arguments()
		if len(args) != 1 {
			r.fail(at, "%s: %w", name, errArguments)
		}
		return policy.ObjectValue(append(policy.D{{Key: "keys", Value: args[0]}}, options...))
	}
	makes, ok := makers[name]
	if !ok {
		r.unknown(name, at)
	}
	var args []policy.Value
	notes := len(r.notes)
	r.space()
	if r.next("(") {
		args = r.constructorArguments(at)
	} else if name != "MinKey" && name != "MaxKey" {
		r.unexpected(`"("`)
	}
	v, err := makes(args, r.now)
	if err != nil {
		r.fail(at, "%s: %w", name, err)
	}
	if v.Kind() == policy.Date {
		r.notes = r.notes[:notes] // new Date(Date()) is a Date
	}
	return r.dateMethod(v, at)
}

// constructorArguments reads the arguments of the constructor at an offset, after the
// opening parenthesis. The arguments count as a level of nesting, because the limit of
// [reader.enter] also bounds the stack.
func (r *reader) constructorArguments(at int) []policy.Value {
	r.enter(at)
	args := r.list(")")
	r.depth--
	return args
}

// dateFunction reads the text after Date without new: Date(…), which is a
// string whatever its arguments are, or Date.now(), which is a number (MongoDB
// manual, "Date()",
// https://www.mongodb.com/docs/manual/reference/method/Date/).
func (r *reader) dateFunction(at int) policy.Value {
	isNow := r.next(".now")
	r.space()
	r.want("(")
	r.constructorArguments(at)
	if isNow {
		r.note(at, "Date.now() is a number; a TTL index of MongoDB ignores it. A Date is new Date() or ISODate().")
		return NumberValue(float64(r.now))
	}
	r.note(at, "Date() without new is a string; a TTL index ignores it. A Date is new Date(…) or ISODate(…).")
	return policy.StringValue(r.now.Time().Format(dateText) + " GMT+0000 (Coordinated Universal Time)")
}

// dateText is JavaScript's form of a date, up to the zone.
const dateText = "Mon Jan 02 2006 15:04:05"

// unknown refuses a word, and suggests a known one.
func (r *reader) unknown(name string, at int) {
	for known := range makers {
		if strings.EqualFold(known, name) {
			r.fail(at, "%s is not known here; did you mean %s?", name, known)
		}
	}
	r.fail(at, "%s cannot be read here: put text between quotes, as in \"%[1]s\", and write a date as ISODate(\"2026-11-20T08:00:00Z\")", syntax.Clip(name, 40))
}

var (
	errArguments = errors.New("these arguments are not read here; write the value as mongosh prints it")
	errString    = errors.New("want a string")
)

func constant(v policy.Value) maker {
	return func(args []policy.Value, _ policy.Instant) (policy.Value, error) {
		if len(args) > 0 {
			return v, errArguments
		}
		return v, nil
	}
}

// wrapped returns a maker of values that Extended JSON writes as an object with this name
// and a string.
func wrapped(name string) maker {
	return func(args []policy.Value, _ policy.Instant) (policy.Value, error) {
		if len(args) != 1 {
			return policy.Value{}, errArguments
		}
		text, ok := args[0].AsString()
		if !ok && name == "$numberDecimal" {
			text, ok = numberText(args[0])
		}
		if !ok {
			return policy.Value{}, errString
		}
		return extended(name, text)
	}
}

// extended returns the value of a type wrapper of Extended JSON.
func extended(name, text string) (policy.Value, error) {
	v, err := policy.ParseExtJSON(policy.AppendExtJSON(nil, policy.ObjectValue(policy.D{{Key: name, Value: policy.StringValue(text)}})))
	return v, withoutPlace(err)
}

// withoutPlace returns the reason of an error from package policy without its place,
// because the place is not an offset in the text that is read.
func withoutPlace(err error) error {
	if s := (*policy.SyntaxError)(nil); errors.As(err, &s) {
		return s.Err
	}
	return err
}

func numberText(v policy.Value) (string, bool) {
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10), true
	}
	f, ok := v.AsDouble()
	return strconv.FormatFloat(f, 'g', -1, 64), ok
}

// whole returns the integer that one argument denotes, as a number or as text.
func whole(args []policy.Value) (int64, error) {
	if len(args) != 1 {
		return 0, errArguments
	}
	text, ok := args[0].AsString()
	if f, isDouble := args[0].AsDouble(); isDouble && f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f), nil
	}
	if !ok {
		if text, ok = numberText(args[0]); !ok {
			return 0, errors.New("want a number")
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number of 64 bits", text)
	}
	return n, nil
}

func makeInt32(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	n, err := whole(args)
	if err == nil && n != int64(int32(n)) {
		err = fmt.Errorf("%d does not fit 32 bits", n)
	}
	return policy.Int32Value(int32(n)), err
}

func makeInt64(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	n, err := whole(args)
	return policy.Int64Value(n), err
}

func makeDouble(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	switch {
	case len(args) == 1 && args[0].Kind().IsNumber():
		return policy.DoubleValue(floatOf(args[0])), nil
	case len(args) == 1 && args[0].Kind() == policy.String:
		text, _ := args[0].AsString()
		return extended("$numberDouble", text)
	}
	return policy.Value{}, errArguments
}

func makeTimestamp(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	if len(args) == 1 && args[0].Kind() == policy.Object {
		args = []policy.Value{args[0].Field("t"), args[0].Field("i")}
	}
	if len(args) != 2 {
		return policy.Value{}, errArguments
	}
	seconds, err := whole(args[:1])
	ordinal, err2 := whole(args[1:])
	if err := errors.Join(err, err2); err != nil || seconds != int64(uint32(seconds)) || ordinal != int64(uint32(ordinal)) {
		return policy.Value{}, errors.New("want two whole numbers of 32 bits")
	}
	return policy.TimestampValue(uint32(seconds), uint32(ordinal)), nil
}

func makeBinary(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	if len(args) != 2 {
		return policy.Value{}, errArguments
	}
	subtype, err := whole(args[:1])
	text, ok := args[1].AsString()
	if err != nil || subtype < 0 || subtype > 255 || !ok {
		return policy.Value{}, errors.New("want a number from 0 to 255, and Base64")
	}
	data, err := base64.StdEncoding.DecodeString(text)
	return policy.BinaryValue(byte(subtype), data), err
}

// makeMap makes a document from pairs, and keeps their order.
func makeMap(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	if len(args) != 1 || args[0].Kind() != policy.List {
		return policy.Value{}, errArguments
	}
	var o object
	for pairs := args[0].Elements(); pairs.Next(); {
		pair := policy.AOf(pairs.Value())
		if len(pair) != 2 || pair[0].Kind() != policy.String {
			return policy.Value{}, errors.New("want pairs of a name and a value")
		}
		name, _ := pair[0].AsString()
		o.set(policy.E{Key: name, Value: pair[1]})
	}
	return policy.ObjectValue(o.fields), nil
}

func makeReference(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	if len(args) != 2 || args[0].Kind() != policy.String {
		return policy.Value{}, errArguments
	}
	return policy.ObjectValue(policy.D{{Key: "$ref", Value: args[0]}, {Key: "$id", Value: args[1]}}), nil
}

func makeRegex(args []policy.Value, _ policy.Instant) (policy.Value, error) {
	texts := []string{"", ""}
	for i, a := range args {
		text, ok := a.AsString()
		if !ok || i == len(texts) {
			return policy.Value{}, errArguments
		}
		texts[i] = text
	}
	return policy.RegexValue(texts[0], texts[1]), nil
}

// makeISODate is makeDate, but accepts only a text.
func makeISODate(args []policy.Value, now policy.Instant) (policy.Value, error) {
	if len(args) > 1 || len(args) == 1 && args[0].Kind() != policy.String {
		return policy.Value{}, errString
	}
	return makeDate(args, now)
}

// makeDate makes a date as JavaScript does, in UTC. Without arguments it is
// now; a number counts milliseconds; a text is a time; several numbers are the
// year, the month from 0, and so on.
func makeDate(args []policy.Value, now policy.Instant) (policy.Value, error) {
	if len(args) == 0 {
		return policy.DateValue(now), nil
	}
	if text, ok := args[0].AsString(); ok && len(args) == 1 {
		return dateOf(text)
	}
	numbers := []int64{1970, 0, 1, 0, 0, 0, 0}
	for i := range args {
		n, err := whole(args[i : i+1])
		if err != nil || i == len(numbers) {
			return policy.Value{}, errArguments
		}
		numbers[i] = n
	}
	if len(args) == 1 {
		return policy.DateValue(policy.Instant(numbers[0])), nil
	}
	if slices.ContainsFunc(numbers, func(n int64) bool { return n < -9999 || n > 99_999 }) {
		return policy.Value{}, errArguments
	}
	if numbers[0] >= 0 && numbers[0] <= 99 {
		numbers[0] += 1900 // as JavaScript has it
	}
	t := time.Date(int(numbers[0]), time.Month(numbers[1]+1), int(numbers[2]), int(numbers[3]), int(numbers[4]), int(numbers[5]), int(numbers[6])*1_000_000, time.UTC)
	return policy.DateValue(policy.InstantOf(t)), nil
}

// layouts are the forms of a date in text. Go reads a fraction of a second in
// each of them.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006",
	"2006-01-02 15:04", dateText + " GMT-0700", "January 2, 2006 15:04:05", "Jan 2, 2006 15:04:05", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", time.RFC1123, time.ANSIC,
}

func dateOf(text string) (policy.Value, error) {
	bare, _, _ := strings.Cut(text, " (") // without the zone's name
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(bare)); err == nil {
			return policy.DateValue(policy.InstantOf(t)), nil
		}
	}
	return policy.Value{}, fmt.Errorf("cannot read the date %q; write it as 2026-11-20T08:00:00Z", text)
}

// dateMethod reads a method of JavaScript that is called on a Date, if one follows. The
// result of such a method is not a Date.
func (r *reader) dateMethod(v policy.Value, at int) policy.Value {
	date, isDate := v.AsDate()
	if !isDate || r.program || !r.next(".") {
		return v
	}
	name := r.identifier()
	r.space()
	r.want("(")
	r.space()
	r.want(")")
	switch name {
	case "toISOString", "toJSON":
		r.note(at, name+"() makes a string of the Date; a TTL index ignores it. Leave it out to store the Date.")
		return policy.StringValue(date.String())
	case "getTime", "valueOf":
		r.note(at, name+"() makes a number of the Date; a TTL index of MongoDB ignores it. Leave it out to store the Date.")
		return NumberValue(float64(date))
	}
	r.fail(at, "%s() of a Date is not read here", syntax.Clip(name, 40))
	return v
}
