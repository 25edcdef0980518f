package aggregation

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The years 1 to 9999. Deadlines before and after are grouped by the millisecond: there are
// few, such as the latest date that a driver can write.
const (
	firstYear policy.Instant = -62_135_596_800_000
	lastYear  policy.Instant = 253_402_300_799_999
)

// maxSamples is the number of sample documents of a group.
const maxSamples = 3

// stages returns the pipeline that decides by the sources of a pass, and groups.
func (c *Count) stages(hasSay func(*source) bool) (stages policy.A) {
	var live []*source
	for i := range c.sources {
		if s := &c.sources[i]; s.idle == nil && hasSay(s) {
			live = append(live, s)
		}
	}
	for n := range max(1, longest(live)) {
		stages = append(stages, project(keyFields(live, n)...))
	}
	var summaries, outcomes []policy.E
	for _, s := range live {
		summaries = append(summaries, s.summary()...)
		kept := []policy.E{{Key: s.field("date"), Value: shown}, {Key: s.field("kind"), Value: shown}, {Key: s.field("outcome"), Value: s.outcome()}}
		outcomes = append(outcomes, kept...)
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

// shown tells $project to keep a field unchanged.
var shown = policy.Int32Value(1)

// project returns a stage that computes fields, and keeps the size unless it is computed. A
// value that several expressions need is a field of an earlier stage, because servers
// compute a variable anew each time it is named.
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

// keyFields returns the stage's fields for a document after the sources have followed one
// more component of their paths.
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

// times returns the deadline by which documents are grouped, or now if they have none,
// and its distance from now, clamped to the range from 0 to just after the longest
// horizon.
func (c *Count) times() []policy.E {
	now := c.options.Now
	when := orElse("$of.at", now)
	return []policy.E{
		{Key: "of", Value: shown},
		{Key: "when", Value: c.inWindow(when)},
		{Key: "left", Value: op("$subtract", within(now, when, c.end()+1), now)},
	}
}

// end returns the end of the longest horizon.
func (c *Count) end() policy.Instant {
	return c.options.Now + policy.Instant(1000*forecast.Horizons[len(forecast.Horizons)-1].Seconds())
}

// grain returns the width of the span in which a deadline is counted: a millisecond outside
// the years 1 to 9999.
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

// minute returns the minute after now of a deadline, from 0, or null if it is not within
// the longest horizon.
func (c *Count) minute() expression {
	soon := op("$and", op("$gt", "$left", 0), op("$lte", "$left", int64(c.end()-c.options.Now)))
	return op("$cond", soon, object("$floor", op("$divide", op("$subtract", "$left", 1), 60_000)), nil)
}

// bucket returns the start of the span in which a deadline is counted.
func (c *Count) bucket() expression {
	behind := op("$mod", op("$add", op("$mod", "$when", "$width"), "$width"), "$width") // also before 1970
	return op("$cond", op("$eq", orElse("$of.at", nil), nil), nil, op("$subtract", "$when", behind))
}

// inWindow returns a deadline. For one outside the buckets that a user sees, it returns the
// nearest deadline outside them.
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
