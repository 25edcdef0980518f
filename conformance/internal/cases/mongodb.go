package cases

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Inclusive is the first release in which the millisecond of the deadline
// counts, and from which on arrays are established.
const Inclusive = "3.2.0"

// Index returns a TTL index, with the name that the server would give it.
func Index(path string, seconds policy.Value, more ...policy.E) policy.Value {
	d := policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: path, Value: policy.Int32Value(1)}})},
		{Key: "name", Value: policy.StringValue(path + "_1")},
		{Key: "expireAfterSeconds", Value: seconds},
	}
	return policy.ObjectValue(append(d, more...))
}

// decide returns the question what becomes of a document, with the clock at 0.
func decide(t conformance.Target, indexes, document policy.Value) Case {
	return Case{"mongodb.decide", t, policy.D{
		{Key: "now", Value: policy.DateValue(0)},
		{Key: "indexes", Value: indexes},
		{Key: "document", Value: document},
	}}
}

// A Single is a collection with one TTL index, and a document.
type Single struct {
	Case
	Path    Path
	Seconds int64
}

// Single draws a collection with one TTL index on the path, and a document
// whose outermost field of the path holds what is given, besides fields of no
// concern. The clock is near the deadline that the earliest date would give.
func (s Source) Single(p Path, held policy.Value, from string) Single {
	t := s.Target("mongodb.decide", from)
	x := Single{Path: p, Seconds: s.Seconds()}
	index := Index(p.String(), s.Number(x.Seconds, t.Version), s.options(t.Version)...)
	document := withField(s.Bystanders(t.Version, p[0]), p[0], held)
	x.Case = decide(t, policy.ListValue(policy.A{index}), policy.ObjectValue(document))
	x.Case = x.WithNow(s.NowNear(Plus(earliest(held), x.Seconds*1000)))
	return x
}

// earliest returns the earliest date in a value, that of today if there is
// none.
func earliest(v policy.Value) policy.Instant {
	found, least := false, policy.MaxInstant
	MapDates(v, func(i policy.Instant) policy.Instant {
		found, least = true, min(least, i)
		return i
	})
	if !found {
		return usual
	}
	return least
}

// options draws options of an index that do not bear on what it deletes.
func (s Source) options(release string) (more policy.D) {
	for _, o := range s.allOptions(release) {
		if s.sometimes(6) {
			more = append(more, o)
		}
	}
	return more
}

// WithOption draws one such option more for the first index of a question.
func (s Source) WithOption(c Case) Case {
	o := Pick(s, s.allOptions(c.Target.Version)...)
	return c.With(o.Value, "indexes", "0", o.Key)
}

// allOptions returns the options that the claim knows and the release had.
func (s Source) allOptions(release string) (all policy.D) {
	truth := policy.BoolValue(true)
	add := func(since, name string, v policy.Value) {
		if !Before(release, since) {
			all = append(all, policy.E{Key: name, Value: v})
		}
	}
	add("3.2.0", "sparse", truth)
	add("3.2.0", "unique", truth)
	add("4.4.0", "hidden", truth)
	if s.Knows("collation") {
		add("3.4.0", "collation", policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("fr")}}))
	}
	return all
}

// Bystanders draws fields of no concern, by other names than those given.
func (s Source) Bystanders(release string, taken ...string) (d policy.D) {
	for range s.Range(0, 3) {
		d = s.Bystander(release, d, taken...)
	}
	return d
}

// Bystander draws one more field of no concern: dates under names that are
// nearly the one that counts, deep documents, a ttl.
func (s Source) Bystander(release string, d policy.D, taken ...string) policy.D {
	name := Pick(s, "x", "_id", "_ts", "expireAt", "createdat", "T ", "tt", "A", "aa", "TTL", "_ttl", "\u0442")
	for _, other := range taken {
		if other == name {
			return d
		}
	}
	v := s.Date()
	switch s.Range(0, 3) {
	case 2:
		v = s.NonDate(release)
	case 3:
		v = s.deep(v)
	}
	if name == "_id" && v.Kind() != policy.Date || !policy.ObjectValue(d).Field(name).IsMissing() {
		return d
	}
	return append(d, policy.E{Key: name, Value: v})
}

// deep wraps a value into documents and arrays, far below the server's limit
// of 100.
func (s Source) deep(v policy.Value) policy.Value {
	for i := range s.Range(1, Pick(s, int64(3), 3, 3, 60)) {
		if i%2 == 0 {
			v = policy.ObjectValue(policy.D{{Key: "t", Value: v}})
		} else {
			v = policy.ListValue(policy.A{v})
		}
	}
	return v
}

// misses are partial filters, each with fields that do not match it.
var misses = [][2]string{
	{`{"D": 1}`, `{"D": 3}`}, {`{"D": 1}`, `{}`}, {`{"D": 1}`, `{"D": "1"}`}, {`{"D": 1}`, `{"D": [2, 3]}`}, {`{"D": 1}`, `{"d": 1}`},
	{`{"D": {"$exists": true}}`, `{}`}, {`{"D": {"$exists": true}}`, `{"d": 1}`},
	{`{"D": {"$gt": 5}}`, `{"D": 5}`}, {`{"D": {"$gt": 5}}`, `{"D": "6"}`}, {`{"D": {"$gt": 5}}`, `{"D": [1, 5]}`}, {`{"D": {"$gte": 5}}`, `{"D": 4.5}`},
	{`{"D": {"$lt": 5}}`, `{"D": 5}`}, {`{"D": {"$lt": 5}}`, `{"D": null}`}, {`{"D": {"$lte": 5}}`, `{"D": 6}`}, {`{"D": {"$lte": 5}}`, `{}`},
	{`{"D": {"$gt": {"$date": {"$numberLong": "0"}}}}`, `{"D": 5}`}, {`{"D": {"$type": "string"}}`, `{"D": 5}`},
	{`{"D": null}`, `{"D": 5}`}, {`{"D": true}`, `{"D": 1}`}, {`{"D": 1, "x": 2}`, `{"D": 1}`}, {`{"$and": [{"D": 1}, {"x": 2}]}`, `{"x": 2}`},
}

// Miss draws a partial filter and fields that do not match it.
func (s Source) Miss() (filter policy.Value, fields policy.D) {
	texts := Pick(s, misses...)
	return parsed(texts[0]), policy.DOf(parsed(texts[1]))
}

// parsed reads Extended JSON that stands in this package.
func parsed(text string) policy.Value {
	v, err := policy.ParseExtJSONInt32([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("cases: %s: %v", text, err))
	}
	return v
}
