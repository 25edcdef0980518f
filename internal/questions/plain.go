package questions

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Reads returns the names of the fields on top of documents that deciding looks at.
func (p *Policy) Reads() []string {
	return p.Evaluator.(interface{ Reads() []string }).Reads()
}

// A Plain policy is one TTL index on one field on top of documents: a Date in that field
// expires Delay milliseconds later, by Rule, if it is a date that JavaScript has too.
type Plain struct {
	Field string
	Delay int64
	Rule  *policy.Rule
}

// Dates of JavaScript are at most this many milliseconds from 1970.
const lastDate = policy.Instant(8_640_000_000_000_000)

// Plain reports whether p is a plain policy, and which. The bounds of its scan say so: from
// a certain clock on they end as much before it as at any other clock, so that three clocks
// are enough to know all between them.
func (p *Policy) Plain() (Plain, bool) {
	c, isMongoDB := p.Evaluator.(*mongo.Collection)
	if !isMongoDB || len(c.Sources()) != 1 {
		return Plain{}, false
	}
	x, reads := p.ttlIndex(), c.Reads()
	if x == nil || !x.PartialFilterExpression.IsMissing() || len(reads) != 1 || len(x.Key) != 1 || x.Key[0].Key != reads[0] || strings.Contains(reads[0], ".") {
		return Plain{}, false
	}
	plain := Plain{Field: reads[0]}
	for i, date := range []policy.Instant{-lastDate, 0, lastDate} {
		d := c.Decide(policy.D{{Key: plain.Field, Value: policy.DateValue(date)}}, date)
		if d.State == policy.Never {
			return Plain{}, false
		}
		delay := int64(d.Deadline() - date)
		bounds := c.Bounds(0, d.Deadline())
		if i > 0 && (delay != plain.Delay || d.Rule != plain.Rule) || bounds.From() != policy.MinInstant || bounds.To() != date {
			return Plain{}, false
		}
		plain.Delay, plain.Rule = delay, d.Rule
	}
	return plain, plain.Delay >= 0 && plain.Delay <= math.MaxInt32*1000+1 // one more where the cutoff itself is kept
}

// ttlIndex returns the index that is the only source, nil if the collection's own option is.
func (p *Policy) ttlIndex() *mongo.IndexSpec {
	for i := range p.Collection.Indexes {
		if x := &p.Collection.Indexes[i]; !x.ExpireAfterSeconds.IsMissing() {
			return x
		}
	}
	return nil
}
