package program

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A DocumentError says which part of a program's document cannot be read.
type DocumentError struct {
	Offset int // the byte at which the part begins
	Text   string
}

func (e *DocumentError) Error() string {
	return fmt.Sprintf("%q is not evaluated here; write the value itself, such as ISODate(\"2026-11-20T12:00:00Z\")", e.Text)
}

// documentWords are texts that occur in documents written for a driver of Go, Java, C# or
// PHP.
var documentWords = []string{"bson.", "Document(", "Document{", "Document {", "=>", "UTCDateTime", "map[string]"}

// maxDocument bounds the text of a document, in bytes.
const maxDocument = 64 << 10

// WritesDocument reports whether a text may contain a document for [ReadDocument].
func WritesDocument(text string) bool {
	return len(text) <= maxDocument && speaksOf(text, documentWords)
}

// ReadDocument reads the document that a program writes: bson.M{…} and bson.D{…} of Go,
// new Document(…) of Java, new BsonDocument {…} of C#, or an array of PHP. The document
// may be the whole text, the value of a variable, or the argument of an insert or a
// command. now is the clock of the program. The error is a [*DocumentError].
func ReadDocument(text string, now policy.Instant) (policy.Value, error) {
	l := cLexis
	if strings.Contains(text, "=>") || strings.Contains(text, "BSON\\") {
		l = phpLexis
		text = strings.Replace(text, "<?php", "     ", 1)
	}
	if len(text) > maxDocument {
		return policy.Value{}, &DocumentError{Text: syntax.Clip(text, 20)}
	}
	d := &documentReader{tree: parseTree(text, l), now: now, failed: -1}
	r := d.written()
	v, ok := d.value(r, 0)
	switch {
	case ok && v.Kind() == policy.Object:
		return v, nil
	case d.failed < 0:
		d.fail(r)
	}
	if len(d.tokens) == 0 {
		return policy.Value{}, &DocumentError{}
	}
	from := d.tokens[min(d.failed, len(d.tokens)-1)]
	line := text[from.at : from.at+lineEnd(text[from.at:])]
	return policy.Value{}, &DocumentError{Offset: from.at, Text: syntax.Clip(strings.TrimRight(line, " ,;\r"), 60)}
}

// A documentReader reads one document.
type documentReader struct {
	*tree
	now    policy.Instant
	failed int // the first token that is not read, -1 for none
}

func (d *documentReader) fail(r [2]int) {
	if d.failed < 0 {
		d.failed = r[0]
	}
}

// written returns the range of tokens that hold the document.
func (d *documentReader) written() [2]int {
	for i := range d.tokens {
		name := plainName(d.tokens[i].text)
		if !strings.HasPrefix(name, "insert") && name != "command" && name != "runcommand" || !d.is(i+1, "(") || d.pair[i+1] < 0 {
			continue
		}
		for _, arg := range d.inside(i + 1) {
			arg = d.resolve(arg)
			if arg[1]-arg[0] > 2 { // a context or a session has at most two tokens
				return arg
			}
		}
	}
	end := len(d.tokens)
	if end > 0 && d.is(end-1, ";") {
		end--
	}
	for i := 0; i < end && i < 6; i++ {
		if d.is(i, "=") {
			return [2]int{i + 1, min(d.valueEnd(i+1), end)}
		}
	}
	return [2]int{0, end}
}

// value reads a literal value.
func (d *documentReader) value(r [2]int, depth int) (v policy.Value, ok bool) {
	if d.work += r[1] - r[0] + 1; depth > maxDepth || d.work > maxWork || r[1] <= r[0] {
		d.fail(r)
		return v, false
	}
	at := r[0]
	for d.is(at, "&", "new") && at+1 < r[1] {
		at++
	}
	defer func() {
		if !ok {
			d.fail(r)
		}
	}()
	if at+1 == r[1] {
		return d.single(at, depth)
	}
	if d.is(at, "-") && at+2 == r[1] && d.kind(at+1) == '0' {
		return number("-" + d.tokens[at+1].text)
	}
	path, i := d.path(at, r[1])
	if i >= r[1] || d.pair[i] < i || d.pair[i] >= r[1] {
		if !path.isInstant() {
			return v, false
		}
		return d.instant(path, nil, i, r[1])
	}
	open, behind := i, d.pair[i]+1
	switch {
	case d.is(open, "{", "[") && behind == r[1]:
		return d.members(path, open, depth)
	case !d.is(open, "("):
		return v, false
	}
	args := d.inside(open)
	switch path.last {
	case "Document", "BsonDocument":
		return d.appended(open, behind, r[1], depth)
	case "asList", "of", "listOf", "array":
		if behind == r[1] && (path.last != "of" || path.first == "List") {
			return d.members(path, open, depth)
		}
	case "NewObjectID", "ObjectId", "GenerateNewId":
		if behind == r[1] && len(args) == 0 {
			return policy.ObjectIDValue([12]byte{}), true
		}
	case "int32", "int64", "int", "float64", "string":
		if behind == r[1] && len(args) == 1 {
			v, ok = d.value(args[0], depth+1)
			n, isWhole := v.AsInt64()
			switch {
			case path.last == "int64" && ok && isWhole:
				return policy.Int64Value(n), true
			case path.last == "float64" && ok && isWhole:
				return policy.DoubleValue(float64(n)), true
			}
			return v, ok && (path.last == "string") == (v.Kind() == policy.String)
		}
	}
	return d.instant(path, args, behind, r[1])
}

// single reads a value of one token.
func (d *documentReader) single(at, depth int) (policy.Value, bool) {
	k := d.tokens[at]
	switch {
	case k.kind == 's':
		return policy.StringValue(k.text), true
	case k.kind == '0':
		return number(k.text)
	case d.is(at, "true", "false", "True", "False"):
		return policy.BoolValue(strings.EqualFold(k.text, "true")), true
	case d.is(at, "nil", "null", "None", "NULL"):
		return policy.NullValue(), true
	}
	if r := d.assigned[k.text]; k.kind == 'n' && r[1] > r[0] {
		return d.value(r, depth+1)
	}
	return policy.Value{}, false
}

// number reads a number as a driver sends it: as an int32 if it fits and is not marked as long.
func number(text string) (policy.Value, bool) {
	n, ok := signedNumberOf(text)
	switch {
	case !ok:
		return policy.Value{}, false
	case strings.ContainsAny(text, ".eE"):
		return policy.DoubleValue(n), true
	case n != math.Trunc(n) || math.Abs(n) > 1<<53:
		return policy.Value{}, false
	case strings.HasSuffix(text, "L") || strings.HasSuffix(text, "l"):
		return policy.Int64Value(int64(n)), true
	}
	return Seconds(int64(n)), true
}

// A namePath is a name with its qualifiers: time.Now.
type namePath struct{ first, last string }

// path reads the name at i, and returns the index after it.
func (d *documentReader) path(i, end int) (p namePath, next int) {
	for i < end && d.is(i, "\\") { // a qualified name of PHP begins with a backslash
		i++
	}
	if i+4 < end && d.is(i, "map") && d.is(i+1, "[") && d.pair[i+1] == i+3 { // the type map[string]any
		p.last = "M"
		i += 5
		if d.is(i, "{") && d.is(i-1, "interface") && d.pair[i] == i+1 {
			i += 2
		}
		return p, i
	}
	if d.is(i, "[") && d.pair[i] == i+1 && d.kind(i+2) == 'n' { // []string
		i += 2
		p.last = "A"
		for i < end && d.is(i+1, ".") {
			i += 2
		}
		return p, i + 1
	}
	for i < end && d.kind(i) == 'n' {
		if p.first == "" {
			p.first = d.tokens[i].text
		}
		p.last = d.tokens[i].text
		if !p.isInstant() && i+2 < end && d.is(i+1, ".", "::", "\\") && d.kind(i+2) == 'n' {
			i += 2
			continue
		}
		return p, i + 1
	}
	return p, i
}

// members reads the content of brackets: members, pairs or elements.
func (d *documentReader) members(of namePath, open, depth int) (v policy.Value, ok bool) {
	var object policy.D
	var list policy.A
	for _, m := range d.inside(open) {
		var e policy.E
		ok, isElement := false, false
		switch i := m[0]; {
		case of.last != "A" && d.kind(i) == 's' && d.is(i+1, ":", "=>"): // "k": v
			e.Key = d.tokens[i].text
			e.Value, ok = d.value([2]int{i + 2, m[1]}, depth+1)
		case d.is(i, "[") && d.kind(i+1) == 's' && d.pair[i] == i+2 && d.is(i+3, "="): // ["k"] = v
			e.Key = d.tokens[i+1].text
			e.Value, ok = d.value([2]int{i + 4, m[1]}, depth+1)
		case (of.last == "D" || of.last == "BsonDocument") && d.is(i, "{") && d.pair[i] == m[1]-1: // {"k", v}
			e, ok = d.pairOf(d.inside(i), depth)
		default:
			isElement = true
			e.Value, ok = d.value(m, depth+1)
		}
		switch {
		case !ok:
			return v, false
		case isElement:
			list = append(list, e.Value)
		default:
			object = append(object, e)
		}
	}
	switch isList := of.last == "A" || of.last == "of" || of.last == "asList" || of.last == "listOf" || of.last == "array" && object == nil; {
	case list == nil && (object != nil || of.last == "D" || of.last == "M" || of.last == "BsonDocument"):
		return policy.ObjectValue(object), true
	case object == nil && (isList || d.is(open, "[") && of.last == ""):
		return policy.ListValue(list), true
	}
	return v, false
}

// pairOf reads a name and a value: "k", v or Key: "k", Value: v.
func (d *documentReader) pairOf(parts [][2]int, depth int) (e policy.E, ok bool) {
	if len(parts) != 2 {
		return e, false
	}
	for n, name := range []string{"Key", "Value"} {
		if d.is(parts[n][0], name) && d.is(parts[n][0]+1, ":") {
			parts[n][0] += 2
		}
	}
	if k := parts[0]; k[1]-k[0] != 1 || d.kind(k[0]) != 's' {
		return e, false
	}
	e.Key = d.tokens[parts[0][0]].text
	e.Value, ok = d.value(parts[1], depth+1)
	return e, ok
}

// appended reads new Document("k", v).append("k", v), with the arguments of the first call at open.
func (d *documentReader) appended(open, next, end, depth int) (v policy.Value, ok bool) {
	var object policy.D
	if args := d.inside(open); len(args) > 0 {
		e, ok := d.pairOf(args, depth)
		if !ok {
			return v, false
		}
		object = append(object, e)
	}
	if next+1 == end-1 && d.is(next, "{") { // the initializer is empty: { }
		next = end
	} else if d.is(next, "{") && d.pair[next] == end-1 && object == nil {
		return d.members(namePath{last: "BsonDocument"}, next, depth)
	}
	for next < end {
		if !d.is(next, ".") || !d.is(next+1, "append", "put", "Add") || !d.is(next+2, "(") || d.pair[next+2] < 0 {
			return v, false
		}
		e, ok := d.pairOf(d.inside(next+2), depth)
		if !ok {
			return v, false
		}
		object = append(object, e)
		next = d.pair[next+2] + 1
	}
	return policy.ObjectValue(object), true
}

// isInstant reports whether a name is a property that gives the clock.
func (p namePath) isInstant() bool {
	return p.first == "DateTime" && (p.last == "UtcNow" || p.last == "Now")
}

// instant reads a date with the calls and members after it: time.Now().Add(-time.Hour).
// The parameter args holds the arguments of the first call.
func (d *documentReader) instant(p namePath, args [][2]int, next, end int) (v policy.Value, ok bool) {
	at, ok := d.dateOf(p, args)
	if !ok {
		return v, false
	}
	for next < end {
		if !d.is(next, ".") || d.kind(next+1) != 'n' {
			return v, false
		}
		method := plainName(d.tokens[next+1].text)
		var inner [][2]int
		next += 2
		if d.is(next, "(") && d.pair[next] > 0 {
			inner, next = d.inside(next), d.pair[next]+1
		}
		switch method {
		case "utc", "touniversaltime", "toinstant":
			continue
		case "unix", "getepochsecond", "unixmilli", "toepochmilli", "gettime":
			n := int64(at)
			if method == "unix" || method == "getepochsecond" {
				n = int64(math.Floor(float64(n) / 1000))
			}
			return policy.Int64Value(n), next == end
		}
		if at, ok = d.moved(at, method, inner); !ok {
			return v, false
		}
	}
	return policy.DateValue(at), true
}

// dateOf computes the date that a function returns.
func (d *documentReader) dateOf(p namePath, args [][2]int) (at policy.Instant, ok bool) {
	switch name := p.first + "." + p.last; {
	case len(args) == 0 && (p.isInstant() || name == "time.Now" || p.last == "Date" || name == "Instant.now" || p.last == "UTCDateTime"):
		return d.now, true
	case len(args) == 1 && (p.last == "NewDateTimeFromTime" || name == "Date.from"):
		v, ok := d.value(args[0], 1)
		at, isDate := v.AsDate()
		return at, ok && isDate
	case name == "time.Unix" && len(args) == 2 && args[1][1]-args[1][0] == 1 && d.is(args[1][0], "0"):
		n, ok := d.whole(args[0])
		if !ok {
			return 0, false
		}
		return policy.InstantOfUnix(n)
	case len(args) == 1 && (p.last == "Date" || name == "time.UnixMilli" || name == "Instant.ofEpochMilli" || p.last == "UTCDateTime" || p.last == "DateTime" && (p.first == "bson" || p.first == "primitive")):
		n, ok := d.whole(args[0])
		return policy.Instant(n), ok
	case name == "Instant.parse" && len(args) == 1 && d.kind(args[0][0]) == 's' && args[0][1] == args[0][0]+1:
		t, err := time.Parse(time.RFC3339Nano, d.tokens[args[0][0]].text)
		return policy.InstantOf(t), err == nil
	case name == "time.Date" && len(args) == 8 && d.is(args[7][0], "time") && d.is(args[7][1]-1, "UTC"):
		var n [7]int64
		for i := range n {
			if n[i], ok = d.whole(args[i]); i == 1 && !ok {
				month, err := time.Parse("January", d.tokens[args[i][1]-1].text)
				n[i], ok = int64(month.Month()), err == nil
			}
			if !ok || n[i] < 0 || n[i] > 1e9 {
				return 0, false
			}
		}
		return policy.InstantOf(time.Date(int(n[0]), time.Month(n[1]), int(n[2]), int(n[3]), int(n[4]), int(n[5]), int(n[6]), time.UTC)), true
	}
	return 0, false
}

// whole computes a whole number.
func (d *documentReader) whole(r [2]int) (int64, bool) {
	q, ok := d.evaluate(r, 0)
	if !ok || q.isText || q.isNull || q.isSpan || q.n != math.Trunc(q.n) || math.Abs(q.n) > 1<<53 {
		return 0, false
	}
	return int64(q.n), true
}

// moved adds a span to a date: Add(span), plus(span), minusSeconds(5), AddHours(-2).
func (d *documentReader) moved(at policy.Instant, method string, args [][2]int) (policy.Instant, bool) {
	if len(args) != 1 {
		return 0, false
	}
	q, ok := d.evaluate(args[0], 0)
	sign, unit := 1.0, ""
	switch {
	case strings.HasPrefix(method, "add"):
		unit = method[len("add"):]
	case strings.HasPrefix(method, "plus"):
		unit = method[len("plus"):]
	case strings.HasPrefix(method, "minus"):
		sign, unit = -1, method[len("minus"):]
	default:
		return 0, false
	}
	scale, isUnit := unitOf(unit)
	if unit == "" {
		scale, isUnit = 1, q.isSpan
	} else if q.isSpan {
		return 0, false
	}
	ms := float64(at) + sign*math.Trunc(q.n*scale*1000)
	if scale > 7*86400 { // months and years differ in length
		return 0, false
	}
	if !ok || !isUnit || q.isText || q.isNull || !(math.Abs(ms) < 1<<53) {
		return 0, false
	}
	return policy.Instant(ms), true
}
