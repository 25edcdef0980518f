package reasons

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// mongoSources describes the sources of a compiled collection, in its order:
// the collection's own option, then the TTL indexes.
func mongoSources(spec mongo.CollectionSpec) []Source {
	var sources []Source
	if field, ok := ownField(spec); ok && !spec.ExpireAfterSeconds.IsMissing() {
		sources = append(sources, source("collection", field, spec.ExpireAfterSeconds))
	}
	for _, x := range spec.Indexes {
		if x.ExpireAfterSeconds.IsMissing() {
			continue
		}
		s := source(x.Name, "", x.ExpireAfterSeconds)
		if len(x.Key) > 0 {
			s = source(x.Name, x.Key[0].Key, x.ExpireAfterSeconds)
		}
		if !x.PartialFilterExpression.IsMissing() {
			s.About += " where " + string(policy.AppendExtJSON(nil, x.PartialFilterExpression))
		}
		sources = append(sources, s)
	}
	return sources
}

// ownField returns the field that a collection's own option counts from.
func ownField(spec mongo.CollectionSpec) (string, bool) {
	if field, ok := spec.TimeSeries.Field("timeField").AsString(); ok {
		return field, true
	}
	return "_id", spec.Clustered
}

func source(name, field string, seconds policy.Value) Source {
	return Source{Name: name, Field: field, About: fmt.Sprintf("%s after %s", lifetime(seconds), field), NaN: seconds.IsNaN(), NotNumber: !seconds.Kind().IsNumber()}
}

// nanText is the lifetime that is no number.
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
	for _, u := range []struct {
		name    string
		seconds int64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if n != 0 && n%u.seconds == 0 {
			return fmt.Sprintf("%d %s", n/u.seconds, u.name)
		}
	}
	return fmt.Sprintf("%d s", n)
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
