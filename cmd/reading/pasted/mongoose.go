package pasted

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func (r *reading) addSchema(c mongosh.Call) error {
	if len(c.Args) == 0 || c.Args[0].Kind() != policy.Object {
		return nil // a schema made from another schema, or a schema of another library
	}
	if len(c.Args) > 1 && c.Args[1].Field("timeseries").Kind() == policy.Object {
		options, err := r.convertExpires(policy.DOf(c.Args[1]), c.At)
		if err != nil {
			return err
		}
		r.Options = policy.ObjectValue(options)
	}
	before := len(r.Indexes)
	if err := r.addSchemaFields("", c.Args[0], c.At); err != nil || len(r.Indexes) == before {
		return err
	}
	if r.schema {
		return errors.New("several schemas with a TTL index are written here; write one of them")
	}
	r.schema = true
	return nil
}

// mongooseIndex returns the arguments of schema.index as the server gets them
// (Automattic/mongoose: lib/schema.js, Schema.prototype.index): directions have
// names, and expires is ignored if it is 0.
func (r *reading) mongooseIndex(key policy.Value, options policy.D, at int) (policy.Value, policy.D, error) {
	if key.Kind() == policy.Object {
		named := policy.DOf(key)
		for i, e := range named {
			switch textOf(e.Value) {
			case "ascending", "asc":
				named[i].Value = policy.Int32Value(1)
			case "descending", "desc":
				named[i].Value = policy.Int32Value(-1)
			}
		}
		key = policy.ObjectValue(named)
	}
	if n, ok := number(options.Field("expires")); ok && n == 0 {
		return key, options, nil
	}
	options, err := r.convertExpires(options, at)
	return key, options, err
}

// isSchema reports whether v can be the argument of a schema of mongoose: some field has
// a type, or the option expires.
func isSchema(v policy.Value) bool {
	for f := v.Fields(); f.Next(); {
		x := f.Value()
		if x.Kind() == policy.Object && (isLeaf(x) || !x.Field("expires").IsMissingOrNull() || isSchema(x)) {
			return true
		}
	}
	return false
}

// isLeaf reports whether a field of a schema has a type, rather than fields.
func isLeaf(v policy.Value) bool {
	t := v.Field("type")
	return !t.IsMissing() && (t.Kind() != policy.Object || t.Field("type").IsMissing())
}

// addSchemaFields adds the TTL indexes that mongoose makes from the fields of a schema.
func (r *reading) addSchemaFields(path string, v policy.Value, at int) error {
	for f := v.Fields(); f.Next(); {
		x := f.Value()
		if x.Kind() == policy.List { // a list of embedded documents
			e := x.Elements()
			e.Next()
			x = e.Value()
		}
		if x.Kind() != policy.Object {
			continue
		}
		var err error
		switch name := path + f.Name(); {
		case isLeaf(x):
			err = r.addLeaf(name, x, at)
		case x.Field("expires").IsMissing() || x.Field("expires").Kind() == policy.Object:
			err = r.addSchemaFields(name+".", x, at)
		default:
			err = fmt.Errorf("the field %s has expires but no type; mongoose makes a TTL index for a field with both: {type: Date, expires: 3600}", show(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addLeaf adds the TTL index of a field of type Date if the field has expires, or if its
// option index has expires or expireAfterSeconds.
func (r *reading) addLeaf(name string, v policy.Value, at int) error {
	if inner := v.Field("type"); inner.Kind() == policy.Object && isSchema(inner) {
		return r.addSchemaFields(name+".", inner, at)
	}
	options := policy.DOf(v.Field("index"))
	for _, e := range policy.DOf(v) {
		switch {
		case e.Key == "expires":
			options = append(Without(v.Field("index"), "expires"), e)
		case isAboutTTL(e.Key):
			r.note(at, fmt.Sprintf("%s of the field %s is not an option of mongoose; expires is. As it stands the field has no time to live.", show(e.Key), show(name)))
		}
	}
	switch {
	case options.Field("expires").IsMissing() && options.Field(secondsOption).IsMissing():
		return nil
	case !isDateType(v.Field("type")):
		r.note(at, fmt.Sprintf("expires of the field %s does nothing: mongoose knows it where the type is Date.", show(name)))
		return nil
	}
	options, err := r.convertExpires(options, at)
	if err != nil {
		return err
	}
	return r.addDefined(append(policy.D{{Key: "key", Value: policy.StringValue(name)}}, options...), at)
}

func isDateType(v policy.Value) bool {
	text, ok := v.AsString()
	if !ok && v.Kind() == policy.Code {
		text = code(v)
	}
	return strings.EqualFold(text[strings.LastIndexByte(text, '.')+1:], "date")
}

// convertExpires turns the option expires of mongoose into expireAfterSeconds
// (Automattic/mongoose: lib/utils.js, expires): a number counts seconds, a text
// is read by the package ms and rounded to seconds.
func (r *reading) convertExpires(options policy.D, at int) (policy.D, error) {
	v := options.Field("expires")
	if v.IsMissing() {
		return options, nil
	}
	if err := r.evaluated("expires", v); err != nil {
		return nil, err
	}
	if text, ok := v.AsString(); ok {
		ms, unit, ok := milliseconds(text)
		if !ok {
			return nil, fmt.Errorf("expires is %s, which mongoose cannot read; write seconds, or a text such as '1h'", show(text))
		}
		v = mongosh.NumberValue(math.Floor(ms/1000 + 0.5))
		if unit == "" {
			r.note(at, fmt.Sprintf("expires: '%s' has no unit, and mongoose reads it as milliseconds: %s s. A number without quotes counts seconds.", text, literal(v)))
		}
	}
	r.note(at, fmt.Sprintf("Read as mongoose reads it: expires is expireAfterSeconds %s.", literal(v)))
	return append(Without(policy.ObjectValue(options), "expires", secondsOption), policy.E{Key: secondsOption, Value: v}), nil
}

// msText matches the texts that the package ms reads (vercel/ms: index.js): a number such as 1,
// -1.5 or .5, spaces, a unit. The groups after the first are the units of msUnits.
var msText = pattern.Lazy(`(?i)^(-?\d*\.?\d+) *(?:(milliseconds?|msecs?|ms)|(seconds?|secs?|s)|(minutes?|mins?|m)|(hours?|hrs?|h)|(days?|d)|(weeks?|w)|(years?|yrs?|y))?$`)

// msUnits are units in milliseconds.
var msUnits = []float64{1, 1000, 60_000, 3_600_000, 86_400_000, 7 * 86_400_000, 365.25 * 86_400_000}

// milliseconds reads a text of up to 100 characters as the package ms does. The unit is empty
// where the text has none.
func milliseconds(text string) (ms float64, unit string, ok bool) {
	m := msText().FindStringSubmatch(text)
	if m == nil || len(text) > 100 {
		return 0, "", false
	}
	ms, err := strconv.ParseFloat(m[1], 64)
	for i, unit := range m[2:] {
		if unit != "" {
			return ms * msUnits[i], unit, err == nil
		}
	}
	return ms, "", err == nil
}
