package module

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readsOf returns the names of the top-level fields of documents that decisions read.
func readsOf(p *definition.Policy) []string {
	return p.Evaluator.(interface{ Reads() []string }).Reads()
}

// A plainIndex is a TTL index on one field, at the top level or within documents that
// are not in arrays. A document with a Date in that field expires Delay milliseconds
// after the Date, by the rule Rule, if a Date of JavaScript can hold this Date. A
// document with an array of such Dates expires by the earliest Date, by the rule Array.
// The other rules keep documents: the rule Otherwise keeps documents that do not meet the
// partial filter; the rule Missing keeps documents without the field; the rule Null keeps
// documents with null in the field, or with a scalar before the end of its path; the rule
// Other keeps documents with a string, a number or a boolean in the field.
type plainIndex struct {
	Field                string // a path without positions of arrays
	Delay                int64
	Rule, Array          policy.Rule
	Missing, Null, Other policy.Rule
	Filter               condition
	Otherwise            policy.Rule // zero if the index has no filter
}

// A condition compares a field with a string, a finite number that is a float64, a
// boolean or a Date, and holds only for values of the same kind. With "$and" or "$or" it
// joins other conditions.
type condition struct {
	// Operator is "$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$and" or "$or".
	// "$exists" holds for every value of the field, and "$and" without Parts for every
	// document.
	Operator string
	Field    string
	Value    policy.Value // Missing for "$exists"
	Parts    []condition  // of "$and" and "$or"
}

// lastDate is the last Date of JavaScript; the first is as many milliseconds before 1970.
const lastDate = policy.Instant(8_640_000_000_000_000)

// plainOf returns the TTL sources of p, by their positions, if each of them is a plain index,
// else nil.
func plainOf(p *definition.Policy) (sources []plainIndex) {
	c, isMongoDB := p.Evaluator.(*mongo.Collection)
	if !isMongoDB || !p.Collection.ExpireAfterSeconds.IsMissing() {
		return nil
	}
	for i := range p.Collection.Indexes {
		if x := &p.Collection.Indexes[i]; !x.ExpireAfterSeconds.IsMissing() {
			plain, ok := plainIndexOf(x, mongofunc.F.OnlySource(c, len(sources)))
			if !ok {
				return nil
			}
			sources = append(sources, plain)
		}
	}
	if len(sources) != len(c.Sources()) {
		return nil
	}
	return sources
}

// plainIndexOf returns x, the only index of c, as a plain index, and reports whether it is
// plain. It compares the bounds of the index scan at three clocks. The distance of a
// bound to the clock is constant from a certain clock on, so that three clocks suffice
// for all clocks between them.
func plainIndexOf(x *mongo.IndexSpec, c *mongo.Collection) (plainIndex, bool) {
	if len(x.Key) != 1 || !isPlainPath(x.Key[0].Key) {
		return plainIndex{}, false
	}
	plain := plainIndex{Field: x.Key[0].Key}
	doc, ok := plain.addFilter(x)
	if !ok || !slices.Equal(c.Reads(), doc.names()) {
		return plainIndex{}, false
	}
	for i, date := range []policy.Instant{-lastDate, 0, lastDate} {
		doc[0].Value = policy.DateValue(date)
		d := c.Decide(doc.document(), date)
		deadline, expires := d.Deadline()
		if !expires {
			return plainIndex{}, false
		}
		delay := int64(deadline - date)
		from, to := c.Bounds(0, deadline)
		if i > 0 && (delay != plain.Delay || d.Rule != plain.Rule) || from != policy.MinInstant || to != date {
			return plainIndex{}, false
		}
		plain.Delay, plain.Rule = delay, d.Rule
	}
	ruleOf := func(v policy.Value) policy.Rule {
		doc[0].Value = v
		return c.Decide(doc.document(), 0).Rule
	}
	plain.Array = ruleOf(policy.ListValue(policy.A{policy.DateValue(1), policy.DateValue(0)}))
	plain.Missing, plain.Null, plain.Other = ruleOf(policy.Value{}), ruleOf(policy.NullValue()), ruleOf(policy.StringValue(""))
	for i := range plain.Field {
		if plain.Field[i] != '.' {
			continue
		}
		doc[0].Key = plain.Field[:i] // a value in which the path ends early
		for _, v := range scalars {
			if ruleOf(v) != plain.Null {
				return plainIndex{}, false
			}
		}
		if ruleOf(policy.ObjectValue(policy.D{})) != plain.Missing {
			return plainIndex{}, false
		}
	}
	if len(plain.Filter.Parts) > 0 {
		plain.Otherwise = c.Decide(policy.D{}, 0).Rule
	}
	return plain, plain.Delay >= 0 && plain.Delay <= math.MaxInt32*1000+1 // 1 ms more if a Date at the cutoff is kept
}

// scalars are values of JavaScript without fields.
var scalars = []policy.Value{
	policy.NullValue(), policy.BoolValue(true), policy.Int32Value(1), policy.DoubleValue(0.5), policy.StringValue(""), policy.DateValue(0),
}

// isPlainPath reports whether no name of a path is empty, an operator, or possibly a
// position of an array: no name begins with a dollar sign or a digit.
func isPlainPath(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if name == "" || name[0] == '$' || name[0] >= '0' && name[0] <= '9' {
			return false
		}
	}
	return true
}

// A sample is a document as a list of dotted paths with their values.
type sample []policy.E

// names returns the names of the top-level fields, sorted.
func (s sample) names() (names []string) {
	for _, e := range s {
		name, _, _ := strings.Cut(e.Key, ".")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// document returns the document, without Missing values.
func (s sample) document() (d policy.D) {
	for _, e := range s {
		name, rest, isDotted := strings.Cut(e.Key, ".")
		if v := e.Value; isDotted {
			d = append(d, policy.E{Key: name, Value: policy.ObjectValue(sample{{Key: rest, Value: v}}.document())})
		} else if !v.IsMissing() {
			d = append(d, e)
		}
	}
	return d
}

// keepsOf returns the rule by which p keeps every document; zero if there is none.
func keepsOf(p *definition.Policy) policy.Rule {
	if len(readsOf(p)) > 0 {
		return policy.Rule{}
	}
	if d := p.Decide(policy.D{}, 0); d.State == policy.Never {
		return d.Rule
	}
	return policy.Rule{}
}

// A plainContainer is a container with a default that items override by their ttl. Both
// count from _ts. An item without ttl expires Default seconds after _ts, or never if
// Default is 0, by the rule Absent. The rule Never keeps an item whose ttl is -1. An item
// with a ttl from 1 to 2147483647 expires by the rule Own.
type plainContainer struct {
	Default            int64
	Absent, Never, Own policy.Rule
}

// lastSecond is the largest _ts of a plainContainer: the last second of the year 9999.
const lastSecond = 253402300799

// plainContainerOf returns p as a plain container, and reports whether p is one. It asks p
// about items at both ends of the ranges of _ts and ttl.
func plainContainerOf(p *definition.Policy) (plain plainContainer, ok bool) {
	c, isContainer := p.Evaluator.(*cosmos.Container)
	if !isContainer || !slices.Equal(c.Reads(), []string{"_ts", "ttl"}) {
		return plain, false
	}
	for i, ts := range []int64{1, lastSecond} {
		item := policy.D{{Key: "_ts", Value: policy.Int64Value(ts)}}
		after := func(d policy.Decision) int64 {
			if deadline, ok := d.Deadline(); ok {
				return int64(deadline)/1000 - ts
			}
			return 0
		}
		d := c.Decide(item, 0)
		if i > 0 && (after(d) != plain.Default || d.Rule != plain.Absent) {
			return plain, false
		}
		plain.Default, plain.Absent = after(d), d.Rule
		for _, ttl := range []int64{-1, 1, math.MaxInt32} {
			d := c.Decide(append(item, policy.E{Key: "ttl", Value: policy.Int64Value(ttl)}), 0)
			if after(d) != max(ttl, 0) {
				return plain, false
			}
			if ttl < 0 {
				plain.Never = d.Rule
			} else {
				plain.Own = d.Rule
			}
		}
	}
	return plain, true
}

// maxParts bounds the conditions that JavaScript code tries one after another. For a
// longer $in the WebAssembly module is faster.
const maxParts = 32

// addFilter adds the filter of the index. It returns a document that meets the filter, if
// there is such a document, with p's field first. It reports false if JavaScript cannot
// express the filter.
func (p *plainIndex) addFilter(x *mongo.IndexSpec) (meets sample, ok bool) {
	meets = sample{{Key: p.Field}}
	p.Filter = condition{Operator: "$and"}
	if x.PartialFilterExpression.IsMissing() {
		return meets, true
	}
	return meets, x.Collation.IsMissing() && p.Filter.add(x.PartialFilterExpression, &meets)
}

// add adds the conditions of a filter to the parts of c, an "$and".
func (c *condition) add(filter policy.Value, meets *sample) bool {
	for f := filter.Fields(); f.Next(); {
		switch name := f.Name(); {
		case name == "$and", name == "$or":
			joined := condition{Operator: name}
			for e := f.Value().Elements(); e.Next(); {
				part := condition{Operator: "$and"}
				if !part.add(e.Value(), meets) {
					return false
				}
				joined.Parts = append(joined.Parts, part)
			}
			c.Parts = append(c.Parts, joined)
		case !isPlainPath(name):
			return false
		case f.Value().Kind() != policy.Object:
			if !c.compare(name, "$eq", f.Value(), meets) {
				return false
			}
		default:
			for operator := f.Value().Fields(); operator.Next(); {
				if !c.compare(name, operator.Name(), operator.Value(), meets) {
					return false
				}
			}
		}
	}
	return true
}

// compare adds the condition of an operator on a field.
func (c *condition) compare(name, operator string, operand policy.Value, meets *sample) bool {
	part := condition{Operator: operator, Field: name, Value: operand}
	if operator == "$in" {
		part = condition{Operator: "$or"}
		for e := operand.Elements(); e.Next(); {
			if !part.compare(name, "$eq", e.Value(), meets) {
				return false
			}
		}
		c.Parts = append(c.Parts, part)
		return true
	}
	value, ok := part.meet()
	c.Parts = append(c.Parts, part)
	top, _, _ := strings.Cut(name, ".")
	switch i := slices.IndexFunc(*meets, func(e policy.E) bool { return e.Key == name }); {
	case i < 0 && slices.Contains(meets.names(), top): // two paths that begin with the same field
		return false
	case i < 0:
		*meets = append(*meets, policy.E{Key: name, Value: value})
	case i > 0:
		(*meets)[i].Value = value
	case operator != "$exists": // a condition on the field of the index
		return false
	}
	return ok && len(c.Parts) <= maxParts
}

// meet returns a value that meets the condition, and converts the condition's value to a
// value of JavaScript. It reports false if JavaScript cannot compare it.
func (c *condition) meet() (policy.Value, bool) {
	step, ok := map[string]int64{"$eq": 0, "$exists": 0, "$gte": 0, "$lte": 0, "$gt": 1, "$lt": -1}[c.Operator]
	if yes, isBool := c.Value.AsBool(); isBool {
		if c.Operator == "$exists" {
			c.Value = policy.Value{}
			return policy.BoolValue(true), yes
		}
		return c.Value, c.Operator == "$eq"
	}
	if !ok || c.Operator == "$exists" {
		return policy.Value{}, false
	}
	if text, isString := c.Value.AsString(); isString {
		return c.Value, isASCII(text) && (step == 0)
	}
	if at, isDate := c.Value.AsDate(); isDate {
		return policy.DateValue(at + policy.Instant(step)), at >= -lastDate && at <= lastDate
	}
	if n, isInt := c.Value.AsInt64(); isInt {
		c.Value = policy.DoubleValue(float64(n))
		return policy.DoubleValue(float64(n + step)), n > -1<<53 && n < 1<<53
	}
	n, isDouble := c.Value.AsDouble()
	return policy.DoubleValue(n + float64(step)), isDouble && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// isASCII reports whether JavaScript, which compares units of UTF-16, orders a text as a
// database does, by its bytes.
func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
