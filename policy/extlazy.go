package policy

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// An extDocument is a document of Extended JSON that has been checked completely. It is a
// [FieldLister] with the fields that ExtJSONToBSON reads, but converts only the fields
// that a caller requests, which takes a third of the time for few fields. It keeps the
// names of the requested fields, and its memory, for later documents. The zero
// extDocument is an empty document.
type extDocument struct {
	object []byte // the checked text of the object; nil if the fields are in bson
	bson   BSON
	picks  []jsontext.Pick
	dst    []byte // the BSON of the requested fields
	text   []byte
	list   D // all fields, once they were requested
}

// NewExtDocument returns an empty extDocument.
func (functions) NewExtDocument() *extDocument { return new(extDocument) }

const (
	// maxPicks is the maximum number of names that an extDocument keeps.
	maxPicks = 8
	// maxGrowth is more than the length of BSON divided by the length of its text. This
	// quotient is at most 6: in an array an element 0 takes 2 bytes of text, and 12 bytes
	// of BSON if its position has 6 digits.
	maxGrowth = 8
	// maxQuick is the longest text that extDocument reads field by field. An array in it
	// has less than a million elements, so that no position has more than 6 digits.
	maxQuick = 1 << 20
)

// Parse reads the document in text into d; text must not change while d is in use. The
// error is a [*SyntaxError], also for more than limit bytes of BSON; d is then an
// empty document.
func (d *extDocument) Parse(text []byte, limit int) error {
	d.object, d.bson, d.text, d.dst, d.list = nil, BSON{}, text, d.dst[:0], nil
	if len(text) <= min(limit/maxGrowth, maxQuick) {
		if object, ok := jsontext.CheckExtended(text, d.picks, extWrappers); ok && !d.repeats() {
			d.object = object
			return nil
		}
	}
	bson, err := functions{}.ExtJSONToBSON(d.dst, text, limit)
	if err == nil {
		d.bson, d.dst = bson, bson.raw
	}
	return err
}

// Release drops the document, and memory beyond limit bytes.
func (d *extDocument) Release(limit int) {
	if cap(d.dst) > limit {
		d.dst = nil
	}
	d.object, d.bson, d.text, d.list = nil, BSON{}, nil, nil
}

// convert converts all fields of a checked document to BSON.
func (d *extDocument) convert() {
	d.bson, _ = functions{}.ExtJSONToBSON(nil, d.text, math.MaxInt) // not into d.dst, which earlier values refer to
	d.object = nil
}

// repeats reports whether one of the kept names occurs twice in the document.
func (d *extDocument) repeats() bool {
	for i := range d.picks {
		if d.picks[i].Count > 1 {
			return true
		}
	}
	return false
}

// Field returns the first field with exactly this name.
func (d *extDocument) Field(name string) Value {
	if d.object == nil {
		return d.bson.Field(name)
	}
	for i := range d.picks {
		if d.picks[i].Name == name {
			return d.value(&d.picks[i])
		}
	}
	if len(d.picks) == maxPicks {
		d.picks = d.picks[:0]
	}
	d.picks = append(d.picks, jsontext.Pick{Name: name})
	p := &d.picks[len(d.picks)-1]
	jsontext.Find(d.object, d.picks[len(d.picks)-1:])
	if p.Count > 1 {
		d.convert()
		return d.bson.Field(name)
	}
	return d.value(p)
}

// value returns the Value of the field that p has found, or Missing.
func (d *extDocument) value(p *jsontext.Pick) Value {
	if p.Count == 0 {
		return Value{}
	}
	text := p.Text()
	if i, ok := dateIn(text); ok { // nearly always
		return DateValue(i)
	}
	if text[0] == '"' {
		return jsonString(text[1 : len(text)-1])
	}
	return d.converted(p)
}

// converted does the work of the method value for kinds other than dates and strings.
func (d *extDocument) converted(p *jsontext.Pick) Value {
	r := extReader{Scanner: jsontext.Scanner{Src: p.Text()}, integer: intValue, dst: d.dst, limit: math.MaxInt}
	v, err := r.value(1)
	if d.dst = r.dst; err != nil { // cannot happen: the text has been checked
		return OpaqueValue()
	}
	return v
}

// Len returns the number of fields.
func (d *extDocument) Len() int {
	if d.object != nil {
		d.convert()
	}
	if d.list == nil {
		d.list = DOf(d.bson.Value())
	}
	return len(d.list)
}

// FieldAt returns field i, or an empty name and the zero Value if there is
// none.
func (d *extDocument) FieldAt(i int) (string, Value) {
	if i >= d.Len() {
		return "", Value{}
	}
	return d.list.FieldAt(i)
}

// The beginnings of a date in relaxed and in canonical form, as mongoexport writes them.
const (
	relaxedDate   = `{"$date":"`
	canonicalDate = `{"$date":{"$numberLong":"`
)

// dateIn returns the date of a wrapper in the form that mongoexport writes.
func dateIn(text []byte) (Instant, bool) {
	if len(text) > len(canonicalDate) && string(text[:len(canonicalDate)]) == canonicalDate {
		digits := text[len(canonicalDate):]
		n := numberLength(digits, "$numberLong")
		i, ok := jsontext.ParseInt64(digits[:n])
		return Instant(i), ok && digits[n] == '"' // after a leading zero more digits may follow
	}
	if len(text) <= len(relaxedDate) || string(text[:len(relaxedDate)]) != relaxedDate {
		return 0, false
	}
	i, n := cutDate(text[len(relaxedDate):])
	return i, n > 0
}

// extWrappers are the type wrappers of Extended JSON v2.
var extWrappers = func() (w jsontext.Wrappers) {
	for name := range wrappers {
		w.Lengths |= 1 << len(name)
	}
	w.Is = func(name []byte) bool { return wrapperOf(name) != "" }
	w.End = wrapperEnd
	return w
}()

// wrapperEnd returns the end of a type wrapper. The object's first name begins with a
// dollar sign. It returns 0 if the object is no wrapper, and -1 if the wrapper is
// malformed or at the top level.
func wrapperEnd(b []byte, brace, name, nameEnd, value, depth int) int {
	const refused = -1
	if end := usualEnd(b, name, nameEnd, value); end > 0 && depth > 1 {
		return end
	}
	switch {
	case wrapperOf(b[name:nameEnd]) == "":
		return 0
	case depth == 1:
		return refused
	}
	r := extReader{Scanner: jsontext.Scanner{Src: b, At: brace}, integer: intValue, limit: math.MaxInt}
	if _, err := r.objectOrWrapper(depth); err != nil {
		return refused
	}
	return r.At
}

// usualEnd returns the end of a well-formed wrapper of a frequent type, and 0 for any
// other text.
func usualEnd(b []byte, name, nameEnd, value int) (end int) {
	content := b[value:]
	if len(content) == 0 || content[0] != '"' {
		return canonicalEnd(b, name)
	}
	content = content[1:]
	switch string(b[name:nameEnd]) {
	case "$oid":
		if len(content) > 24 && jsontext.IsHex(content[:24]) {
			end = 24
		}
	case "$date":
		_, end = cutDate(content)
	case "$numberInt":
		end = numberLength(content, "$numberInt")
	case "$numberLong":
		end = numberLength(content, "$numberLong")
	case "$numberDouble":
		end = numberLength(content, "$numberDouble")
	}
	if end == 0 || end == len(content) || content[end] != '"' {
		return 0
	}
	if end = jsontext.SkipSpace(b, value+1+end+1); end == len(b) || b[end] != '}' {
		return 0
	}
	return end + 1
}

// canonicalEnd does the work of usualEnd for a canonical date.
func canonicalEnd(b []byte, name int) int {
	brace := name - len(`{"`)
	digits := brace + len(canonicalDate)
	if brace < 0 || digits >= len(b) || string(b[brace:digits]) != canonicalDate {
		return 0
	}
	n := numberLength(b[digits:], "$numberLong")
	end := digits + n + len(`"}}`)
	if n == 0 || end > len(b) || string(b[digits+n:end]) != `"}}` {
		return 0
	}
	return end
}

// numberLength returns the length of the number at the beginning of a wrapper's content,
// or 0 if the number may be outside the range of the wrapper's type.
func numberLength(content []byte, wrapper string) int {
	if len(content) == 0 {
		return 0
	}
	n := max(jsontext.CheckNumber(content, 0), 0)
	if wrapper == "$numberDouble" {
		if n > len("1e99") && jsontext.MayOverflow(content[:n]) {
			return 0
		}
		return n
	}
	i, ok := jsontext.ParseInt64(content[:n])
	if !ok || wrapper == "$numberInt" && i != int64(int32(i)) {
		return 0
	}
	return n
}
