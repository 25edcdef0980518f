package audit

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A form is the kind of value that a field holds in place of the intended Date.
type form uint8

const (
	noForm      form = iota
	textForm         // a text with a date in the form of ISO 8601
	millisForm       // a number of milliseconds since 1970
	secondsForm      // a number of seconds since 1970
	shortForm        // a Date that holds seconds in place of milliseconds
	longForm         // a Date that holds microseconds in place of milliseconds
	longestForm      // a Date that holds nanoseconds in place of milliseconds
	forms
)

// A conversion counts the documents with a form, and the documents among them that expire
// after an update has stored the intended Dates.
type conversion struct{ documents, gone int64 }

// isoText matches the texts that count as dates, both in this package and in commands for
// the server.
const isoText = `^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2})?)?$`

var isoPattern = regexp.MustCompile(isoText)

func formOf(v policy.Value) (form, policy.Instant) {
	if text, ok := v.AsString(); ok {
		if !isoPattern.MatchString(text) {
			return noForm, 0
		}
		if at, ok := pasted.ParseInstant(text, "2006-01-02T15:04:05"); ok {
			return textForm, at
		}
		return noForm, 0
	}
	if at, ok := v.AsDate(); ok {
		return dateForm(at)
	}
	n, ok := mongofunc.WholeSeconds(v)
	switch at := policy.Instant(n); {
	case !ok || !v.Kind().IsNumber() || v.IsNaN():
	case isUsualDate(at):
		return millisForm, at
	case isInSeconds(at):
		return secondsForm, at * 1000
	}
	return noForm, 0
}

func dateForm(at policy.Instant) (form, policy.Instant) {
	switch {
	case isInSeconds(at):
		return shortForm, at * 1000
	case isUsualDate(at / 1000):
		return longForm, at / 1000
	case isUsualDate(at / 1_000_000):
		return longestForm, at / 1_000_000
	}
	return noForm, 0
}

func isUsualDate(at policy.Instant) bool { return from2000 <= at && at < until2100 }

// isInSeconds reports whether a number stored as milliseconds is likely a number of
// seconds.
func isInSeconds(at policy.Instant) bool { return from2000/1000 <= at && at < until2100/1000 }

// lookForForms makes the scan count the documents with values in place of Dates, if an update
// can store Dates in the field of a source.
func (a *collectionAudit) lookForForms(s *source) {
	n, ok := seconds(s.Option)
	if !s.isOrdinary() || !ok && !s.Option.IsNaN() || n < 0 || a.stands == nil || strings.Contains(s.Field, "$") || !utf8.ValidString(s.Field) || a.Release.Compare(mongo.Version{Major: 4, Minor: 2}) < 0 {
		return
	}
	s.forms = &[forms]conversion{}
}

// convertRepair returns the repair that replaces values of these forms by the intended
// Dates; nil if no document holds such a value.
func (a *collectionAudit) convertRepair(s *source, forms ...form) []Repair {
	x := &change.Way{Collection: a.Collection}
	gone, purpose, was := &loss{}, "", []string(nil)
	for _, f := range forms {
		if s.forms == nil || s.forms[f].documents == 0 {
			continue
		}
		x.Commands = append(x.Commands, a.Update(updateOf(f, s.Field)))
		gone.documents += s.forms[f].gone
		purpose = updates[f].purpose
		was = append(was, updates[f].was)
	}
	if len(x.Commands) == 0 {
		return nil
	}
	repair := a.repair(purpose, x)
	if n, _ := seconds(s.Option); len(repair) > 0 && forms[0] != shortForm { // that conversion makes each date later, so it deletes nothing
		repair[0].AtOnce = reasons.DeletesConverted(cli.Visible(s.Field), !s.spec.PartialFilterExpression.IsMissing(), n, was...)
		repair[0].loss = gone
	}
	return repair
}

// updates have, for each form, the purpose of the update, words for the form, the query of the
// field's value, and the date that the update stores. A division leaves no fraction, because a
// double could round the result. The shell cannot write the bounds of longestForm as dates.
var updates = [forms]struct{ purpose, was, which, date string }{
	textForm:    {"store Dates", reasons.AsText, `{"$regex":"` + isoText + `"}`, `{"$convert":{"input":<value>,"to":"date","onError":<value>}}`},
	millisForm:  {"store Dates", reasons.AsMillis, `{"$gte":946684800000,"$lt":4102444800000}`, `{"$toDate":<long>}`},
	secondsForm: {"store Dates", reasons.AsSeconds, `{"$gte":946684800,"$lt":4102444800}`, `{"$toDate":{"$multiply":[<long>,1000]}}`},
	shortForm: {"store the dates that were meant", "", `{"$gte":{"$date":{"$numberLong":"946684800"}},"$lt":{"$date":{"$numberLong":"4102444800"}}}`,
		`{"$toDate":{"$multiply":[<long>,1000]}}`},
	longForm: {"store the dates that were meant", reasons.AsMicros, `{"$gte":{"$date":{"$numberLong":"946684800000000"}},"$lt":{"$date":{"$numberLong":"4102444800000000"}}}`,
		`{"$toDate":{"$toLong":{"$divide":[{"$subtract":[<long>,{"$mod":[<long>,1000]}]},1000]}}}`},
	longestForm: {"store the dates that were meant", reasons.AsNanos, `{"$gte":{"$date":{"$numberLong":"4102444800000000"}}}`,
		`{"$cond":[{"$and":[{"$gte":[<long>,946684800000000000]},{"$lt":[<long>,4102444800000000000]}]},` +
			`{"$toDate":{"$toLong":{"$divide":[{"$subtract":[<long>,{"$mod":[<long>,1000000]}]},1000000]}}},<value>]}`},
}

func (a *collectionAudit) seeForms(s *source, doc policy.Document) {
	if s.forms == nil {
		return
	}
	path := strings.Split(s.Field, ".")
	f, meant := formOf(valueAt(doc, path))
	if f == noForm {
		return
	}
	c := &s.forms[f]
	c.documents++
	if f == shortForm || a.stands.Decide(doc, a.Now).State == policy.Expired {
		return
	}
	if a.stands.Decide(policy.DOf(withValue(valueOf(doc), path, policy.DateValue(meant))), a.Now).State == policy.Expired {
		c.gone++
	}
}

func valueAt(doc policy.Document, path []string) policy.Value {
	v := doc.Field(path[0])
	for _, name := range path[1:] {
		v = v.Field(name)
	}
	return v
}

func withValue(object policy.Value, path []string, v policy.Value) policy.Value {
	if len(path) == 0 {
		return v
	}
	d := policy.DOf(object)
	for i, e := range d {
		if e.Key == path[0] {
			d[i].Value = withValue(e.Value, path[1:], v)
		}
	}
	return policy.ObjectValue(d)
}

// updateOf writes the update of all documents with a value of this form in the field. The
// update leaves out a document with an array in the field, or on the path to it.
func updateOf(f form, field string) policy.Value {
	object := func(key string, v policy.Value) policy.Value {
		return policy.ObjectValue(policy.D{{Key: key, Value: v}})
	}
	value, _ := json.Marshal("$" + field)
	parsed := func(text string) policy.Value {
		v, _ := policy.ParseExtJSON([]byte(strings.NewReplacer("<long>", `{"$toLong":`+string(value)+`}`, "<value>", string(value)).Replace(text)))
		return v
	}
	noArray := policy.E{Key: "$not", Value: object("$type", policy.StringValue("array"))}
	var query policy.D
	for i, c := range field {
		if c == '.' {
			query = append(query, policy.E{Key: field[:i], Value: policy.ObjectValue(policy.D{noArray})})
		}
	}
	query = append(query, policy.E{Key: field, Value: policy.ObjectValue(append(policy.DOf(parsed(updates[f].which)), noArray))})
	return policy.ObjectValue(policy.D{
		{Key: "q", Value: policy.ObjectValue(query)},
		{Key: "u", Value: policy.ListValue(policy.A{object("$set", object(field, parsed(updates[f].date)))})},
		{Key: "multi", Value: policy.BoolValue(true)},
	})
}

// convertible returns the updates that replace the values of most of n documents by
// Dates, and advice about these values; "" if there are none.
func (a *collectionAudit) convertible(s *source, n int64) (repairs []Repair, advice string) {
	if s.forms == nil {
		return nil, ""
	}
	texts, numbers := s.forms[textForm].documents, s.forms[millisForm].documents+s.forms[secondsForm].documents
	if 2*(texts+numbers) <= n {
		return nil, ""
	}
	what := "texts and numbers"
	switch {
	case numbers == 0:
		what = "texts"
	case texts == 0:
		what = "numbers"
	}
	return a.convertRepair(s, textForm, millisForm, secondsForm),
		fmt.Sprintf("Find out what writes them, and have it store BSON Dates. The %s are dates: an update turns those that are stored into Dates.", what)
}
