package aggregation

import (
	"fmt"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A source is a TTL index or a collection's own option, in the form that pipelines are
// made of.
type source struct {
	number int
	dotted string
	path   []component
	// idle is the rule by which the source deletes nothing; nil if the source deletes.
	idle *policy.Rule
	// filter is the partial filter of the source; Missing if it has none. collation is
	// the filter's collation.
	filter, collation policy.Value
	filterBit         int            // the bit of the filter in the number of a pass; 0 without a filter
	delay             int64          // the delay in milliseconds
	since             policy.Instant // the first date that can expire
	rules             [outcomes]*policy.Rule
}

// sourcesOf returns the sources of a policy. It returns an error if a pipeline cannot
// decide by one of them.
func sourcesOf(p *reasons.Policy, now policy.Instant) (list []source, err error) {
	for _, part := range reasons.Parts(p.Collection) {
		if part.Position < 0 && !p.Collection.Clustered {
			continue // only a clustered collection has an option that pipelines can apply
		}
		s, err := sourceOf(p, part, now)
		if err != nil {
			return nil, err
		}
		s.number = len(list)
		list = append(list, s)
	}
	return list, nil
}

func sourceOf(p *reasons.Policy, part reasons.Part, now policy.Instant) (s source, err error) {
	spec := part.Alone
	if part.Position >= 0 {
		x := spec.Indexes[0]
		s.filter, s.collation = x.PartialFilterExpression, x.Collation
		x.PartialFilterExpression, x.Collation = policy.Value{}, policy.Value{}
		spec.Indexes = []mongo.IndexSpec{x}
	}
	c, err := mongo.CompileCollection(spec, p.Profile)
	if err != nil {
		return s, err
	}
	names := strings.Split(part.Field, ".")
	epoch := c.Decide(nested(names, policy.DateValue(0)), now)
	delay, deletes := epoch.Deadline()
	if !deletes {
		s.idle = epoch.Rule
		return s, nil
	}
	s.dotted, s.path, s.delay, s.since = part.Field, pathOf(part.Field), int64(delay), policy.MinInstant
	if c.Decide(nested(names, policy.DateValue(-1)), now).State == policy.Never {
		s.since = 0
	}
	s.askRules(c, names, now)
	return s, s.checkPath(p)
}

// nested returns a document with a value at a path.
func nested(names []string, v policy.Value) policy.D {
	for i := len(names) - 1; i > 0; i-- {
		v = policy.ObjectValue(policy.D{{Key: names[i], Value: v}})
	}
	return policy.D{{Key: names[0], Value: v}}
}

// askRules sets the rule of each outcome to the evaluator's rule for an example.
func (s *source) askRules(c *mongo.Collection, names []string, now policy.Instant) {
	array := func(values ...policy.Value) policy.Value { return policy.ListValue(policy.A(values)) }
	date, five := policy.DateValue(0), policy.Int32Value(5)
	for outcome, v := range map[int]policy.Value{
		isNull: policy.NullValue(), isEmptyArray: array(), isNestedArray: array(array(five)), isOther: five,
		isUnreachable: policy.DateValue(policy.MaxInstant), isTooEarly: policy.DateValue(-1), isEarliest: array(date), isDate: date,
	} {
		s.rules[outcome] = c.Decide(nested(names, v), now).Rule
	}
	s.rules[isMissing] = c.Decide(policy.D{}, now).Rule
	s.rules[isAmbiguous] = reasons.Rule("mongo.path-ambiguous")
}

// checkPath returns an error for a path with a name that expressions of the release
// cannot contain.
func (s *source) checkPath(p *reasons.Policy) error {
	for _, c := range s.path {
		if strings.HasPrefix(c.name, "$") && !mongofunc.HasOperator(p.Profile, "$getField") {
			return pushdown.Refuse("the path "+s.dotted, "before MongoDB 5.0 no expression can name the field %s", c.name)
		}
	}
	return nil
}

// field returns the name of a pipeline's field about s.
func (s *source) field(what string) string { return fmt.Sprintf("%s%d", what, s.number) }

// summary returns the fields that summarise the keys of a document: date, the earliest
// date in milliseconds, or null; reason, the most specific reason why a key is not a
// date; expanded, whether an array was expanded; and kind, the type of the value.
func (s *source) summary() []policy.E {
	keys := "$" + s.field("keys")
	date := object("$min", keys+".d")
	if _, _, ok := direct(s.path, s.dotted); ok {
		date = orElse("$"+s.field("direct"), date)
	}
	return []policy.E{
		{Key: s.field("date"), Value: date},
		{Key: s.field("reason"), Value: object("$max", keys+".r")},
		{Key: s.field("expanded"), Value: object("$max", keys+".x")},
		{Key: s.field("kind"), Value: object("$max", keys+".k")},
	}
}

// outcome returns an expression for the outcome of a document's keys.
func (s *source) outcome() expression {
	d, r := orElse("$"+s.field("date"), nil), orElse("$"+s.field("reason"), isMissing)
	cases := []any{op("$or", op("$eq", d, nil), op("$eq", r, isAmbiguous)), r}
	if s.delay > 0 {
		cases = append(cases, op("$gt", d, math.MaxInt64-s.delay), isUnreachable)
	}
	if s.since > policy.MinInstant {
		cases = append(cases, op("$lt", d, s.since), isTooEarly)
	}
	return choose(append(cases, op("$eq", "$"+s.field("expanded"), true), isEarliest, isDate)...)
}

// decision returns an expression for the source's decision: the number of the source, the
// rule of the outcome, the kind of the value if the rule needs it, and the deadline in
// milliseconds, or null.
func (s *source) decision() expression {
	date, outcome := orElse("$"+s.field("date"), int64(0)), "$"+s.field("outcome")
	switch { // the limits keep the sum of date and delay from overflowing
	case s.delay > 0:
		date = op("$min", date, math.MaxInt64-s.delay)
	case s.delay < 0: // up to 6.1, deadlines are never before the first instant
		date = op("$max", date, math.MinInt64-s.delay)
	}
	return object(
		"source", object("$literal", s.number),
		"rule", op("$arrayElemAt", s.ruleNames(), outcome),
		"kind", op("$cond", op("$in", outcome, s.namingKind()), "$"+s.field("kind"), nil),
		"at", op("$cond", op("$gte", outcome, isEarliest), op("$add", date, s.delay), nil))
}

func (s *source) ruleNames() expression {
	a := policy.A{}
	for _, r := range s.rules {
		a = append(a, policy.StringValue(r.String()))
	}
	return policy.ListValue(a)
}

// namingKind returns the list of the outcomes whose rule names the kind of the field's
// value.
func (s *source) namingKind() expression {
	a := policy.A{}
	for outcome, r := range s.rules[:isUnreachable] {
		if text := reasons.TextOf(r); text != nil && text.ByKind != nil && text.Field == "" {
			a = append(a, policy.Int32Value(int32(outcome)))
		}
	}
	return policy.ListValue(a)
}

// keptBy returns the decision of a source that keeps a document by the rule r.
func (s *source) keptBy(r *policy.Rule) expression {
	return object("$literal", object("source", s.number, "rule", r.String(), "kind", nil, "at", nil))
}
