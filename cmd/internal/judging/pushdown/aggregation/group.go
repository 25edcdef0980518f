package aggregation

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// firstYear is the start of the year 1, and lastYear the end of the year 9999. Deadlines
// outside these years are grouped by the millisecond, because they have few different
// values, such as the latest date that a driver can write.
const (
	firstYear policy.Instant = -62_135_596_800_000
	lastYear  policy.Instant = 253_402_300_799_999
)

// maxSamples is the maximum number of sample documents of a group.
const maxSamples = 3

// stages returns the stages that decide by the sources of a pass, and group the
// decisions.
func (c *Count) stages(live []*source) (stages policy.A) {
	for n := range max(1, longest(live)) {
		stages = append(stages, project(keyFields(live, n)...))
	}
	var summaries, outcomes []policy.E
	for _, s := range live {
		summaries = append(summaries, s.summary()...)
		outcomes = append(outcomes,
			policy.E{Key: s.field("date"), Value: shown}, policy.E{Key: s.field("kind"), Value: shown}, policy.E{Key: s.field("outcome"), Value: s.outcome()})
	}
	if len(live) > 0 {
		stages = append(stages, project(summaries...), project(outcomes...))
	}
	return append(stages,
		project(policy.E{Key: "of", Value: c.earliest(live)}),
		project(c.times()...),
		project(c.grain()...),
		object("$group", c.group()))
}

// shown is the value that makes $project keep a field unchanged.
var shown = policy.Int32Value(1)

// project returns a stage that computes the given fields. It also keeps the field named
// bytes, unless that is the first of the given fields. A value that several expressions
// need is a field of an earlier stage, because servers compute a variable again for each
// use.
func project(fields ...policy.E) policy.Value {
	d := policy.D{{Key: "bytes", Value: shown}}
	if len(fields) > 0 && fields[0].Key == "bytes" {
		d = nil
	}
	return object("$project", policy.ObjectValue(append(d, fields...)))
}

func longest(live []*source) (n int) {
	for _, s := range live {
		n = max(n, len(s.path))
	}
	return n
}

// keyFields returns the fields of stage n. For each source, the stages follow the
// components of the path after the first, one in each stage. The next stage then computes
// the keys, and further stages keep them unchanged.
func keyFields(live []*source, n int) (d []policy.E) {
	if n == 0 {
		d = append(d, policy.E{Key: "bytes", Value: object("$bsonSize", "$$ROOT")})
	}
	for _, s := range live {
		at := policy.StringValue("$" + s.field("keys"))
		date, isDirect, ok := direct(s.path, s.dotted)
		if n == 0 {
			at = top(s.path)
			if ok {
				at = op("$cond", isDirect, list(), at)
			}
		} else {
			date = shown
		}
		switch last := len(s.path) - 1; {
		case n < last:
			at = s.path[n+1].along(at, n+1 == last)
		case n == last:
			at = keys(at)
		default:
			at = shown
		}
		if d = append(d, policy.E{Key: s.field("keys"), Value: at}); ok {
			d = append(d, policy.E{Key: s.field("direct"), Value: date})
		}
	}
	return d
}

// earliest returns the decision of the source whose deadline comes first, or of the first
// source if no source gives a deadline.
func (c *Count) earliest(live []*source) expression {
	if len(c.sources) == 0 {
		none := source{}
		return none.keptBy(reasons.Rule("mongo.no-ttl"))
	}
	var decisions []any
	first := &c.sources[0]
	if len(live) == 0 || live[0] != first {
		decisions = append(decisions, first.kept())
	}
	for _, s := range live {
		decisions = append(decisions, s.decision())
	}
	if len(decisions) == 1 {
		return decisions[0].(expression)
	}
	at := orElse("$$this.at", nil)
	before := op("$and", op("$ne", at, nil), op("$or", op("$eq", orElse("$$value.at", nil), nil), op("$lt", at, "$$value.at")))
	return object("$reduce", object("input", list(decisions[1:]...), "initialValue", decisions[0], "in", op("$cond", before, "$$this", "$$value")))
}

// group returns the last stage, which groups the documents that a tally need not
// tell apart.
func (c *Count) group() policy.Value {
	at := orElse("$of.at", nil)
	one := func(accumulator string) expression {
		if c.options.NoIDs {
			return object(accumulator, object("at", "$of.at"))
		}
		return object(accumulator, object("at", "$of.at", "id", "$_id"))
	}
	d := policy.DOf(object(
		"_id", object("source", "$of.source", "rule", "$of.rule", "kind", "$of.kind",
			"state", choose(op("$eq", at, nil), "never", op("$lte", at, c.options.Now), "expired", "pending"),
			"minute", c.minute(), "bucket", c.bucket()),
		"documents", object("$sum", 1), "bytes", object("$sum", "$bytes"), "first", one("$min"), "last", one("$max")))
	switch {
	case c.options.NoIDs:
	case mongofunc.HasOperator(c.policy.Profile, "$minN"):
		d = append(d, policy.E{Key: "ids", Value: object("$minN", object("input", "$_id", "n", maxSamples))})
	default:
		d = append(d, policy.E{Key: "ids", Value: object("$min", "$_id")})
	}
	return policy.ObjectValue(d)
}

// times returns fields for grouping. The field when is the deadline; a
// document without a deadline has the present time there. The field left is the time from
// now to the deadline, at least 0 and at most 1 ms more than the longest horizon.
func (c *Count) times() []policy.E {
	now := c.options.Now
	when := orElse("$of.at", now)
	return []policy.E{
		{Key: "of", Value: shown},
		{Key: "when", Value: c.inWindow(when)},
		{Key: "left", Value: op("$subtract", op("$max", now, op("$min", when, c.end()+1)), now)},
	}
}

// end returns the instant at which the longest horizon ends.
func (c *Count) end() policy.Instant {
	return c.options.Now + policy.Instant(1000*forecast.Horizons[len(forecast.Horizons)-1].Seconds())
}

// grain returns fields with the width of the span in which a deadline is counted. Outside
// the years 1 to 9999 the width is a millisecond.
func (c *Count) grain() []policy.E {
	now := int64(c.options.Now)
	var cases []any
	for _, g := range forecast.GrainsOf(c.options.Bucket) {
		low, high := int64(firstYear), int64(lastYear)
		if g.Within < math.MaxInt64 {
			low, high = max(low, now-g.Within), min(high, now+g.Within)
		}
		cases = append(cases, op("$and", op("$gte", "$when", low), op("$lte", "$when", high)), g.Width)
	}
	return []policy.E{{Key: "of", Value: shown}, {Key: "when", Value: shown}, {Key: "left", Value: shown}, {Key: "width", Value: choose(append(cases, int64(1))...)}}
}

// minute returns an expression for the number of the minute in which a deadline is: 0 for
// the first minute after now, and null for a deadline that is not within the longest
// horizon.
func (c *Count) minute() expression {
	soon := op("$and", op("$gt", "$left", 0), op("$lte", "$left", int64(c.end()-c.options.Now)))
	return op("$cond", soon, object("$floor", op("$divide", op("$subtract", "$left", 1), 60_000)), nil)
}

// bucket returns an expression for the start of the span in which a deadline is counted.
func (c *Count) bucket() expression {
	behind := op("$mod", op("$add", op("$mod", "$when", "$width"), "$width"), "$width") // never negative, even before 1970
	return op("$cond", op("$eq", orElse("$of.at", nil), nil), nil, op("$subtract", "$when", behind))
}

// inWindow returns an expression for a deadline. A deadline outside the buckets of the
// histogram is replaced by the nearest instant outside the buckets.
func (c *Count) inWindow(at expression) expression {
	first, last := forecast.Window(c.options.Bucket, c.options.Now)
	if first > policy.MinInstant {
		at = op("$max", at, first-1)
	}
	if last < math.MaxInt64 {
		at = op("$min", at, last+1)
	}
	return at
}
