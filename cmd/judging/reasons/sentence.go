package reasons

import (
	"fmt"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Sentence says in plain words what happens to the document, and why.
func (e Explanation) Sentence() string {
	deadline, _ := e.Decision.Deadline()
	switch e.Decision.State {
	case policy.Expired:
		return fmt.Sprintf("Expired since %s (%s): %s. %s", deadline, Distance(deadline, e.Now), e.because(), e.After())
	case policy.Pending:
		return fmt.Sprintf("Expires at %s (%s): %s.", deadline, Distance(deadline, e.Now), e.because())
	}
	switch {
	case e.Decision.Rule.IsZero():
		return "Never expires."
	case IsUnknown(e.Decision.Rule):
		return "When this expires is unknown. " + e.Decision.Rule.Statement()
	}
	return "Never expires. " + e.Decision.Rule.Statement()
}

// Because gives the reason in a clause or in whole sentences: the start of the deadline,
// or the reason for having none.
func (e Explanation) Because() string {
	if e.Decision.State != policy.Never {
		return e.because()
	}
	return strings.ReplaceAll(Kept(e.Decision.Rule, e.Source, e.Found), "`", "")
}

// After says whether reads still find an expired document; "" before its deadline.
func (e Explanation) After() string {
	switch {
	case e.Decision.State != policy.Expired:
		return ""
	case e.Policy.System == definition.MongoDB:
		return "Reads still find it until a sweep, by default every 60 s, has removed it."
	}
	return "No read finds it any more; it is purged later."
}

// because describes the start of the deadline, and the rules that shaped the decision.
func (e Explanation) because() string {
	since := e.since()
	if e.Source.ZeroBy != "" {
		what := "NaN"
		if e.Source.NotNumber {
			what = "no number"
		}
		since += fmt.Sprintf("; expireAfterSeconds is %s, which MongoDB %s reads as 0 (%s)", what, e.Policy.Version(), e.Source.ZeroBy)
	}
	if e.Source.Wraps {
		since += fmt.Sprintf("; of the milliseconds of expireAfterSeconds MongoDB %s keeps 64 bits (%s)", e.Policy.Version(), wrap())
	}
	if e.sorts {
		since += fmt.Sprintf("; MongoDB %s reads the 64 bits of a replication timestamp as the milliseconds of a Date (%s)", e.Policy.Version(), timestampSorts())
	}
	if e.Source.Unfiltered {
		since += fmt.Sprintf("; MongoDB %s does not look at the partial filter (%s)", e.Policy.Version(), unfiltered())
	}
	if e.broken {
		since += fmt.Sprintf("; the filter takes it in since 9.0 only, by null where an array breaks the path off (%s)", nullPath())
	}
	return since
}

func (e Explanation) since() string {
	start, ok := e.Start()
	if !ok {
		return e.Source.Name + " says " + e.Source.About
	}
	deadline, _ := e.Decision.Deadline()
	apart := "0 s"
	if deadline != start {
		apart = Span(deadline, start)
	}
	since := fmt.Sprintf("%s after %s, which is %s", apart, e.Source.Field, start)
	if len(e.Dates) > 1 {
		since += fmt.Sprintf(", the earliest of %d dates", len(e.Dates))
	}
	return since
}

// Distance says how far at is from now: "in 3 d 4 h", "3 d 4 h ago" or "now".
func Distance(at, now policy.Instant) string {
	switch {
	case at > now:
		return "in " + Span(at, now)
	case at < now:
		return Span(now, at) + " ago"
	}
	return "now"
}

// Span returns the time from earlier to later in its two largest units.
func Span(later, earlier policy.Instant) string {
	ms := uint64(later) - uint64(earlier) // two int64 may lie 2^64-1 apart
	for i, u := range spanUnits {
		if ms < u.ms {
			continue
		}
		text := fmt.Sprintf("%d %s", ms/u.ms, u.name)
		if i+1 < len(spanUnits) && ms%u.ms >= spanUnits[i+1].ms {
			next := spanUnits[i+1]
			text += fmt.Sprintf(" %d %s", ms%u.ms/next.ms, next.name)
		}
		return text
	}
	return "0 ms"
}

var spanUnits = []struct {
	name string
	ms   uint64
}{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}, {"ms", 1}}

// A Part is one TTL source of a collection of MongoDB, with the collection
// reduced to that source.
type Part struct {
	Position int    // position of the index in the collection, -1 for the collection's own option
	Field    string // path of the field that the source reads
	Option   policy.Value
	Alone    mongo.CollectionSpec
}

// Parts returns the sources of a collection as stored, also those without effect:
// the collection's own option, then the TTL indexes.
func Parts(spec mongo.CollectionSpec) (parts []Part) {
	alone := spec
	alone.Indexes = nil
	if !spec.ExpireAfterSeconds.IsMissing() {
		field, ok := spec.TimeSeries.Field("timeField").AsString()
		if !ok {
			field = "_id"
		}
		parts = append(parts, Part{-1, field, spec.ExpireAfterSeconds, alone})
	}
	alone.ExpireAfterSeconds = policy.Value{}
	for i, x := range spec.Indexes {
		if x.ExpireAfterSeconds.IsMissing() {
			continue
		}
		p := Part{Position: i, Option: x.ExpireAfterSeconds, Alone: alone}
		p.Alone.Indexes = spec.Indexes[i : i+1 : i+1]
		if len(x.Key) > 0 {
			p.Field = x.Key[0].Key
		}
		parts = append(parts, p)
	}
	return parts
}

// mongoSources describes the sources of a compiled collection, in the collection's order.
// An ordinary collection has no option of its own.
func mongoSources(spec mongo.CollectionSpec) (sources []Source) {
	for _, p := range Parts(spec) {
		if p.Position >= 0 {
			x := spec.Indexes[p.Position]
			s := source(x.Name, p.Field, p.Option)
			if !x.PartialFilterExpression.IsMissing() {
				s.About += " where " + string(policy.AppendExtJSON(nil, x.PartialFilterExpression))
			}
			sources = append(sources, s)
		} else if spec.Clustered || spec.TimeSeries.Field("timeField").Kind() == policy.String {
			sources = append(sources, source("collection", p.Field, p.Option))
		}
	}
	return sources
}

func source(name, field string, seconds policy.Value) Source {
	return Source{Name: name, Field: field, About: fmt.Sprintf("%s after %s", lifetime(seconds), field), Option: seconds, NaN: seconds.IsNaN(), NotNumber: !seconds.Kind().IsNumber()}
}

// nanText describes a lifetime that is NaN.
const nanText = "expireAfterSeconds NaN"

// lifetime returns an expireAfterSeconds in words, as a length of time.
func lifetime(v policy.Value) string {
	n, ok := v.AsInt64()
	if f, isDouble := v.AsDouble(); isDouble && f == math.Trunc(f) && -1<<63 <= f && f < 1<<63 {
		n, ok = int64(f), true
	}
	if v.IsNaN() {
		return nanText
	}
	if !ok {
		return "expireAfterSeconds " + string(policy.AppendExtJSON(nil, v))
	}
	n, unit := LargestUnit(n)
	return fmt.Sprintf("%d %s", n, unit)
}

// LargestUnit converts a number of seconds to the largest unit in which it is a whole
// number: days, hours, minutes or seconds.
func LargestUnit(seconds int64) (n int64, unit string) {
	for _, u := range spanUnits[:3] { // days, hours, minutes
		if length := int64(u.ms / 1000); seconds != 0 && seconds%length == 0 {
			return seconds / length, u.name
		}
	}
	return seconds, "s"
}

// inWords returns the sources in one line.
func (p *Policy) inWords() string {
	if len(p.Sources) == 0 {
		return "no TTL index"
	}
	parts := make([]string, len(p.Sources))
	for i, s := range p.Sources {
		parts[i] = fmt.Sprintf("%s (%s)", s.Name, s.About)
	}
	return strings.Join(parts, ", ")
}
