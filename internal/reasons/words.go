package reasons

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Part is one TTL source of a collection of MongoDB, and the collection with no
// other.
type Part struct {
	Position int    // of the index among those of the collection, -1 for the collection's own option
	Field    string // the path that it looks at
	Option   policy.Value
	Alone    mongo.CollectionSpec
}

// Parts returns the sources of a collection as they are stored, also those that do
// nothing: the collection's own option, then the TTL indexes.
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

// mongoSources describes the sources of a compiled collection, in its order. An
// ordinary collection has no option of its own.
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
	return Source{Name: name, Field: field, About: fmt.Sprintf("%s after %s", lifetime(seconds), field), NaN: seconds.IsNaN(), NotNumber: !seconds.Kind().IsNumber()}
}

// nanText is the lifetime that is not a number.
const nanText = "expireAfterSeconds NaN"

// lifetime says how long an expireAfterSeconds is.
func lifetime(v policy.Value) string {
	n, ok := v.AsInt64()
	if f, isDouble := v.AsDouble(); isDouble && f == float64(int64(f)) {
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

// LargestUnit returns a number of seconds in days, hours, minutes or seconds: the
// largest of them in which it is whole.
func LargestUnit(seconds int64) (n int64, unit string) {
	for _, u := range []struct {
		name    string
		seconds int64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if seconds != 0 && seconds%u.seconds == 0 {
			return seconds / u.seconds, u.name
		}
	}
	return seconds, "s"
}

// inWords is the sources in one line.
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
