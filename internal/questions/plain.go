package questions

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Reads returns the names of the fields on top of documents that deciding looks at.
func (p *Policy) Reads() []string {
	return p.Evaluator.(interface{ Reads() []string }).Reads()
}

// A Plain index is a TTL index on one field on top of documents: a Date in that field
// expires Delay milliseconds later, by Rule, if it is a date that JavaScript has too. An array
// of such Dates does so by its earliest, by Array. A document that does not meet the partial
// filter is kept by Otherwise. One that does and has no such field is kept by Missing, one with
// null by Null, and one with a string, a number or a boolean by Other.
type Plain struct {
	Field                string
	Delay                int64
	Rule, Array          *policy.Rule
	Missing, Null, Other *policy.Rule
	Filter               Condition
	Otherwise            *policy.Rule // nil without a filter
}

// A Condition compares a field on top of a document with a string, a finite number that is
// a float64, a boolean or a Date, and holds for values of the same kind alone. Or it joins
// others.
type Condition struct {
	// Operator is "$eq", "$gt", "$gte", "$lt", "$lte", or "$exists", which any value meets;
	// "$and", which holds without Parts, or "$or".
	Operator string
	Field    string
	Value    policy.Value // Missing for "$exists"
	Parts    []Condition  // of "$and" and "$or"
}

// Dates of JavaScript are at most this many milliseconds from 1970.
const lastDate = policy.Instant(8_640_000_000_000_000)

// Plain returns the TTL sources of p, by their positions, if each of them is a plain index,
// else nil.
func (p *Policy) Plain() (sources []Plain) {
	c, isMongoDB := p.Evaluator.(*mongo.Collection)
	if !isMongoDB || !p.Collection.ExpireAfterSeconds.IsMissing() {
		return nil
	}
	for i := range p.Collection.Indexes {
		if x := &p.Collection.Indexes[i]; !x.ExpireAfterSeconds.IsMissing() {
			plain, ok := plainOf(x, c.OnlySource(len(sources)))
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

// plainOf returns the index of which c consists. The bounds of its scan say that it is plain:
// from a certain clock on they end as much before it as at any other clock, so that three
// clocks are enough to know all between them.
func plainOf(x *mongo.IndexSpec, c *mongo.Collection) (Plain, bool) {
	if len(x.Key) != 1 || strings.Contains(x.Key[0].Key, ".") {
		return Plain{}, false
	}
	plain := Plain{Field: x.Key[0].Key}
	doc, ok := plain.addFilter(x)
	if !ok || !slices.Equal(c.Reads(), namesOf(doc)) {
		return Plain{}, false
	}
	for i, date := range []policy.Instant{-lastDate, 0, lastDate} {
		doc[0].Value = policy.DateValue(date)
		d := c.Decide(doc, date)
		deadline, expires := d.Deadline()
		if !expires {
			return Plain{}, false
		}
		delay := int64(deadline - date)
		bounds := c.Bounds(0, deadline)
		if i > 0 && (delay != plain.Delay || d.Rule != plain.Rule) || bounds.From() != policy.MinInstant || bounds.To() != date {
			return Plain{}, false
		}
		plain.Delay, plain.Rule = delay, d.Rule
	}
	ruleOf := func(v policy.Value) *policy.Rule {
		doc[0].Value = v
		return c.Decide(doc, 0).Rule
	}
	plain.Array = ruleOf(policy.ListValue(policy.A{policy.DateValue(1), policy.DateValue(0)}))
	plain.Missing, plain.Null, plain.Other = c.Decide(doc[1:], 0).Rule, ruleOf(policy.NullValue()), ruleOf(policy.StringValue(""))
	if len(plain.Filter.Parts) > 0 {
		plain.Otherwise = c.Decide(policy.D{}, 0).Rule
	}
	return plain, plain.Delay >= 0 && plain.Delay <= math.MaxInt32*1000+1 // one more where the cutoff itself is kept
}

// A PlainContainer is one with a default that items override by their ttl, both counted from
// _ts. An item without ttl expires Default seconds after _ts, by Absent, or never if Default
// is 0; one with -1 is kept by Never; one of 1 to 2147483647 expires by Own.
type PlainContainer struct {
	Default            int64
	Absent, Never, Own *policy.Rule
}

// lastSecond is the largest _ts of a PlainContainer, and the last of the year 9999.
const lastSecond = 253402300799

// PlainContainer reports whether p is a plain container, and which. Items are asked at both
// ends of what _ts and ttl may be.
func (p *Policy) PlainContainer() (plain PlainContainer, ok bool) {
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

// maxParts is how many conditions JavaScript tries one after another. The module finds
// one of many values faster.
const maxParts = 32

// addFilter adds the filter of the index. It returns a document that meets it if any does,
// whose first field is p's, and false if JavaScript cannot say what the filter says.
func (p *Plain) addFilter(x *mongo.IndexSpec) (meets policy.D, ok bool) {
	meets = policy.D{{Key: p.Field}}
	p.Filter = Condition{Operator: "$and"}
	if x.PartialFilterExpression.IsMissing() {
		return meets, true
	}
	return meets, x.Collation.IsMissing() && p.Filter.add(x.PartialFilterExpression, &meets)
}

// add adds what a filter says to the parts of c, an "$and".
func (c *Condition) add(filter policy.Value, meets *policy.D) bool {
	for f := filter.Fields(); f.Next(); {
		switch name := f.Name(); {
		case name == "$and", name == "$or":
			joined := Condition{Operator: name}
			for e := f.Value().Elements(); e.Next(); {
				part := Condition{Operator: "$and"}
				if !part.add(e.Value(), meets) {
					return false
				}
				joined.Parts = append(joined.Parts, part)
			}
			c.Parts = append(c.Parts, joined)
		case name == "", name[0] == '$', strings.Contains(name, "."):
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

// compare adds what an operator says about a field.
func (c *Condition) compare(name, operator string, operand policy.Value, meets *policy.D) bool {
	part := Condition{Operator: operator, Field: name, Value: operand}
	if operator == "$in" {
		part = Condition{Operator: "$or"}
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
	switch i := slices.IndexFunc(*meets, func(e policy.E) bool { return e.Key == name }); {
	case i < 0:
		*meets = append(*meets, policy.E{Key: name, Value: value})
	case i > 0:
		(*meets)[i].Value = value
	case operator != "$exists": // the date that expires
		return false
	}
	return ok && len(c.Parts) <= maxParts
}

// namesOf returns the names of the fields, sorted.
func namesOf(d policy.D) (names []string) {
	for _, e := range d {
		names = append(names, e.Key)
	}
	slices.Sort(names)
	return names
}

// meet returns a value that meets the condition, and makes its own one that JavaScript has.
// It reports false if JavaScript cannot compare it.
func (c *Condition) meet() (policy.Value, bool) {
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
