package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Dialect is a form of Extended JSON that tools have written. [policy.ParseExtJSON]
// refuses it, because it reads only version 2 of the specification. A [Decoder] rewrites
// documents in a dialect to version 2 first, so that one parser reads all values.
// Ambiguous text of a dialect is refused. Dialects can be combined.
type Dialect uint8

// The dialects.
const (
	// Version1 has numbers in $date, $numberLong and their like, and {"$binary": …,
	// "$type": …}. It is written by mongoexport up to 4.0, the Java driver in STRICT
	// mode, Debezium, which uses that mode, and pymongo's json_util up to 3.x
	// (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json-v1/;
	// mongodb/specifications: source/extended-json/extended-json.md, "Datetime"; pymongo
	// 3.10: bson/json_util.py, LEGACY_JSON_OPTIONS).
	Version1 Dialect = 1 << iota
	// Shell has ISODate(…), ObjectId(…), NumberLong(…), names without quotes and single quotes.
	// The mongo shell and mongosh print it. Package mongosh reads it, up to
	// [mongosh.MaxText] bytes for a document.
	Shell
	// BareNumbers has NaN and Infinity outside of wrappers. Python's json module and
	// mongoexport up to 2.4 write them.
	BareNumbers
	// FineDates has dates with more than three decimals of a second, which no BSON date
	// holds. They are truncated, as MongoDB's Go driver does for mongoimport
	// (bson.NewDateTimeFromTime).
	FineDates
)

var dialectNames = []string{"Extended JSON version 1", "the notation of MongoDB's shell", "bare NaN and Infinity", "dates cut off to milliseconds, as mongoimport does"}

// String names the dialects, "" for none.
func (d Dialect) String() string {
	var names []string
	for i, name := range dialectNames {
		if d&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (d *Decoder) extJSON(raw []byte) (policy.BSON, error) {
	var strict error
	if d.Dialects == 0 { // a document that follows one in a dialect is probably in a dialect too
		doc, err := valuefunc.F.ExtJSONToBSON(d.text[:0], raw, MaxBSON)
		if err == nil {
			return doc, nil
		}
		strict = err
	}
	c := converter{Scanner: jsontext.Scanner{Src: raw}, dst: slices.Grow(d.converted[:0], len(raw))} // usually no longer than raw
	err := c.document()
	d.converted = c.dst
	if err == nil {
		doc, err := valuefunc.F.ExtJSONToBSON(d.text[:0], c.dst, MaxBSON)
		if err == nil {
			d.Dialects |= c.found
			return doc, nil
		}
	}
	if strict == nil {
		_, strict = valuefunc.F.ExtJSONToBSON(d.text[:0], raw, MaxBSON)
	}
	if open := (*openError)(nil); errors.As(err, &open) {
		return policy.BSON{}, &policy.SyntaxError{Format: "Extended JSON", Offset: c.At, Err: err}
	}
	return d.shell(raw, strict)
}

// ToVersion2 rewrites a value in Extended JSON of any dialect to version 2. It returns any
// other text unchanged.
func ToVersion2(text []byte) []byte {
	c := converter{Scanner: jsontext.Scanner{Src: text}}
	if err := c.document(); err != nil || c.found == 0 || !json.Valid(c.dst) {
		return text
	}
	return c.dst
}

// shell reads a document in the syntax of mongosh, which allows names without quotes and
// single quotes. If it cannot read the document, it returns strict, the error of the
// strict reader.
func (d *Decoder) shell(raw []byte, strict error) (policy.BSON, error) {
	if len(raw) > mongosh.MaxText { // a longer text would be refused only after it was copied
		return policy.BSON{}, strict
	}
	v, notes, err := mongosh.ParseValue(string(raw), 0)
	if err != nil || len(notes) > 0 || v.Kind() != policy.Object {
		return policy.BSON{}, strict
	}
	if later, _, err := mongosh.ParseValue(string(raw), 1); err != nil || string(policy.AppendExtJSON(nil, v)) != string(policy.AppendExtJSON(nil, later)) {
		return policy.BSON{}, strict // the value depends on the time of reading
	}
	text, err := policy.AppendBSON(d.text[:0], v)
	if err != nil {
		return policy.BSON{}, strict
	}
	d.Dialects |= Shell
	return policy.ParseBSON(text)
}

// An openError is the error about an ambiguous value.
type openError struct{ text string }

func (e *openError) Error() string { return e.text }

var errOther = errors.New("the text is in no known dialect of Extended JSON")

// A converter rewrites one document to version 2.
type converter struct {
	jsontext.Scanner
	dst   []byte
	found Dialect
}

// peek skips white space and returns the byte behind it, which stays unread; 0 at the end.
func (c *converter) peek() byte {
	c.Space()
	return c.Peek()
}

// next skips white space, and reads the byte behind it if that is b.
func (c *converter) next(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.At++
	return true
}

func (c *converter) write(text string) { c.dst = append(c.dst, text...) }

// document rewrites the type wrappers and the bare numbers of a document, and copies everything
// else: the strict reader checks what results.
func (c *converter) document() error {
	for c.At < len(c.Src) {
		start := c.At
		switch b := c.Src[start]; {
		case b == '{':
			done, err := c.wrapper()
			switch {
			case err != nil:
				return err
			case done:
				continue
			}
			c.At++
		case b == '"':
			if _, ok := c.quoted(); !ok {
				return errOther
			}
		case strings.IndexByte(delimiters, b) >= 0:
			c.At++
		default:
			if text, ok := bareNumbers[c.word()]; ok {
				c.found |= BareNumbers
				c.write(text)
				continue
			}
		}
		c.dst = append(c.dst, c.Src[start:c.At]...)
	}
	return nil
}

// delimiters end a number or a constant.
const delimiters = " \t\r\n,:()[]{}\"'/"

// quoted reads a string and returns its text unchanged, with the quotes.
func (c *converter) quoted() (string, bool) {
	if c.peek() != '"' {
		return "", false
	}
	start := c.At
	if _, err := c.Text(); err != nil {
		return "", false
	}
	return string(c.Src[start:c.At]), true
}

// word skips white space, and reads up to the next white space, bracket, quote or other
// delimiter.
func (c *converter) word() string {
	c.Space()
	start := c.At
	for c.At < len(c.Src) && strings.IndexByte(delimiters, c.Src[c.At]) < 0 {
		c.At++
	}
	return string(c.Src[start:c.At])
}

// scalar reads a string, a number or a constant, and returns it in version 2.
func (c *converter) scalar() (string, error) {
	if text, ok := c.quoted(); ok {
		return text, nil
	}
	word := c.word()
	if text, ok := bareNumbers[word]; ok {
		c.found |= BareNumbers
		return text, nil
	}
	if !json.Valid([]byte(word)) {
		return "", errOther
	}
	return word, nil
}

// bareNumbers maps words that are no JSON to the numbers that they stand for.
var bareNumbers = map[string]string{
	"NaN": `{"$numberDouble":"NaN"}`, "Infinity": `{"$numberDouble":"Infinity"}`, "-Infinity": `{"$numberDouble":"-Infinity"}`,
}

// wrapper rewrites a type wrapper of version 1. It reports false, and reads
// nothing, at any other object.
func (c *converter) wrapper() (done bool, err error) {
	start, found := c.At, c.found
	names, values, ok := c.scalars()
	text := ""
	if ok {
		text, err = c.version1(names, values)
	}
	switch {
	case err != nil:
		c.At = start
		return false, err
	case text == "":
		c.At, c.found = start, found
		return false, nil
	}
	c.write(text)
	return true, nil
}

// scalars reads an object of one or two scalar members, whose first name begins with a
// dollar.
func (c *converter) scalars() (names, values []string, ok bool) {
	for c.At++; !c.next('}'); {
		if len(names) > 0 && !c.next(',') || len(names) == 2 {
			return nil, nil, false
		}
		name, ok := c.quoted()
		if !ok || !c.next(':') || len(names) == 0 && !strings.HasPrefix(name, `"$`) {
			return nil, nil, false
		}
		if b := c.peek(); b == '{' || b == '[' {
			return nil, nil, false
		}
		value, err := c.scalar()
		if err != nil {
			return nil, nil, false
		}
		names, values = append(names, name), append(values, value)
	}
	return names, values, len(names) > 0
}

// version1 converts a wrapper of version 1 to version 2; "" if version 2 has no such
// wrapper.
func (c *converter) version1(names, values []string) (text string, err error) {
	if len(names) == 2 {
		if names[0] == `"$type"` {
			names[0], names[1], values[0], values[1] = names[1], names[0], values[1], values[0]
		}
		if names[0] != `"$binary"` || names[1] != `"$type"` || values[0][0] != '"' {
			return "", nil
		}
		c.found |= Version1
		base, digits := 10, values[1]
		if digits[0] == '"' {
			base, digits = 16, strings.Trim(digits, `"`)
		}
		n, err := strconv.ParseUint(digits, base, 8)
		if err != nil {
			return "", errOther
		}
		return fmt.Sprintf(`{"$binary":{"base64":%s,"subType":"%02x"}}`, values[0], n), nil
	}
	switch name, value := strings.Trim(names[0], `"`), values[0]; {
	case name == "$date":
		return c.date(value)
	case name == "$uuid" && len(value) == 34 && !strings.Contains(value, "-"):
		c.found |= Version1
		return fmt.Sprintf(`{"$uuid":"%s-%s-%s-%s-%s"}`, value[1:9], value[9:13], value[13:17], value[17:21], value[21:33]), nil
	case strings.HasPrefix(name, "$number") && value[0] != '"':
		c.found |= Version1
		if value[0] == '{' { // a bare NaN
			return value, nil
		}
		return `{"` + name + `":"` + value + `"}`, nil
	}
	return "", nil
}

// date returns the $date of version 2 for a value, which is a number of milliseconds
// since 1970 or a text.
func (c *converter) date(value string) (string, error) {
	switch value[0] {
	case '{':
		return "", errOther
	case '"':
		text := strings.Trim(value, `"`)
		const shape = len("2006-01-02T15:04:05")
		if len(text) < shape {
			return "", &openError{fmt.Sprintf("the date %s has no time: it may begin in UTC or at another place", value)}
		}
		head, zone, decimals := text[:shape], text[shape:], ""
		if fraction, ok := strings.CutPrefix(zone, "."); ok {
			zone = strings.TrimLeft(fraction, "0123456789")
			decimals = "." + fraction[:len(fraction)-len(zone)]
		}
		if len(decimals) > len(".000") {
			c.found |= FineDates
			decimals = decimals[:len(".000")]
		}
		if zone == "" {
			return "", &openError{fmt.Sprintf("the date %s has no zone: it may be of UTC or of where it was written", value)}
		}
		return `{"$date":"` + head + decimals + zone + `"}`, nil
	}
	c.found |= Version1
	whole, fraction, _ := strings.Cut(value, ".")
	if strings.Trim(fraction, "0") != "" || strings.ContainsAny(value, "eE") {
		return "", &openError{fmt.Sprintf("the date %s has a fraction: it may be of milliseconds, as in Extended JSON, or of seconds", value)}
	}
	return `{"$date":{"$numberLong":"` + whole + `"}}`, nil
}
