// Package cases draws questions for the suite's properties and for comparing
// two systems: policies, documents and clocks. It prefers inputs at which
// implementations go wrong: ends of ranges, a millisecond on either side of a
// deadline, arrays nested, mixed and empty, numbers of every type, years 1 and
// 9999.
//
// A [Claim] says what a system may be asked about; a [Source] draws nothing
// beyond it. A [Case] is a question in parts, so that properties can change it
// in one place.
//
// The generators are rapid's. [Draw] makes a case from a seed alone, outside of
// any test. The same seed gives the same case.
package cases

import (
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Case is a question in parts.
type Case struct {
	Op     string
	Target conformance.Target
	In     policy.D
}

// Question returns the question in the form that systems are asked.
func (c Case) Question() conformance.Question {
	return conformance.Question{Op: c.Op, Target: c.Target, In: c.text()}
}

// Input returns the members of the input of an operation, as [Case.Question] writes
// them.
func Input(op string, text []byte) (policy.D, error) {
	if conformance.SystemOf(op) != conformance.CosmosNoSQL {
		v, err := valuefunc.F.ParseExtJSONInt32(text)
		return policy.DOf(v), err
	}
	v, err := policy.ParseJSON(text)
	in := policy.DOf(v.Value())
	for i := range in {
		if in[i].Key == "now" && err == nil {
			in[i].Value, err = policy.ParseExtJSON(plainjson.Append(nil, in[i].Value))
		}
	}
	return in, err
}

// text writes the input. Containers, items and a _ts are plain JSON.
func (c Case) text() []byte {
	b := []byte{'{'}
	for i, e := range c.In {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(b, e.Key)
		b = append(b, ':')
		if e.Key == "_ts" || c.Target.System == conformance.CosmosNoSQL && e.Key != "now" {
			b = plainjson.Append(b, e.Value)
		} else {
			b = policy.AppendExtJSON(b, e.Value)
		}
	}
	return append(b, '}')
}

// GoString returns the text of the question. Rapid prints draws with GoString.
func (c Case) GoString() string { return c.Op + " " + c.Target.String() + " " + string(c.text()) }

// At returns the value at a path of names and positions, Missing if there is
// none.
func (c Case) At(path ...string) policy.Value { return At(policy.ObjectValue(c.In), path...) }

// At returns the value in v at a path of names and positions, Missing if there is
// none.
func At(v policy.Value, path ...string) policy.Value {
	for _, step := range path {
		v = child(v, step)
	}
	return v
}

func child(v policy.Value, step string) policy.Value {
	if v.Kind() != policy.List {
		return v.Field(step)
	}
	list := policy.AOf(v)
	if i, err := strconv.Atoi(step); err == nil && i < len(list) {
		return list[i]
	}
	return policy.Value{}
}

// With returns c with v as the value at a path. It adds the last name of the path if that
// is absent, and removes it if v is Missing.
func (c Case) With(v policy.Value, path ...string) Case {
	c.In = policy.DOf(Put(policy.ObjectValue(c.In), v, path...))
	return c
}

// WithEach returns c once for each value, with the value at a path.
func (c Case) WithEach(values []policy.Value, path ...string) (all []Case) {
	for _, v := range values {
		all = append(all, c.With(v, path...))
	}
	return all
}

// Put returns old with v at a path. It adds the last name of the path if that is absent,
// and removes it if v is Missing.
func Put(old, v policy.Value, path ...string) policy.Value {
	if len(path) == 0 {
		return v
	}
	if v.IsMissing() && old.IsMissing() {
		return old // there is nothing to remove
	}
	v = Put(child(old, path[0]), v, path[1:]...)
	if old.Kind() != policy.List {
		return policy.ObjectValue(withField(policy.DOf(old), path[0], v))
	}
	list := policy.AOf(old)
	if i, err := strconv.Atoi(path[0]); err == nil && i < len(list) {
		list[i] = v
	}
	return policy.ListValue(list)
}

// object returns a document of alternating names and values, and fields returns
// its fields. Both leave Missing values out.
func object(namesAndValues ...any) policy.Value { return policy.ObjectValue(fields(namesAndValues...)) }

func fields(namesAndValues ...any) (d policy.D) {
	for i := 0; i < len(namesAndValues); i += 2 {
		if v := (policy.Map{"": namesAndValues[i+1]}).Field(""); !v.IsMissing() {
			d = append(d, policy.E{Key: namesAndValues[i].(string), Value: v})
		}
	}
	return d
}

// one is the direction of an ascending index. It also serves where any value is good.
const one int32 = 1

func withField(d policy.D, name string, v policy.Value) (changed policy.D) {
	found := false
	for _, e := range d {
		switch {
		case e.Key != name || found:
			changed = append(changed, e)
		case !v.IsMissing():
			changed = append(changed, policy.E{Key: name, Value: v})
			found = true
		default:
			found = true
		}
	}
	if !found && !v.IsMissing() {
		changed = append(changed, policy.E{Key: name, Value: v})
	}
	return changed
}

// Now returns the clock of the question.
func (c Case) Now() policy.Instant {
	now, _ := c.At("now").AsDate()
	return now
}

// WithNow returns c with another clock.
func (c Case) WithNow(now policy.Instant) Case { return c.With(policy.DateValue(now), "now") }

// MapDates returns v with f applied to every date in it.
func MapDates(v policy.Value, f func(policy.Instant) policy.Instant) policy.Value {
	switch v.Kind() {
	case policy.Date:
		i, _ := v.AsDate()
		return policy.DateValue(f(i))
	case policy.Object:
		d := policy.DOf(v)
		for i := range d {
			d[i].Value = MapDates(d[i].Value, f)
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.AOf(v)
		for i := range a {
			a[i] = MapDates(a[i], f)
		}
		return policy.ListValue(a)
	}
	return v
}
