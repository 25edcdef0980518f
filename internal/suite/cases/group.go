package cases

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// clear is the least distance between the clock and the deadlines of a group, in
// milliseconds: a sweeping server must not be asked about the moment of its sweep.
const clear = 101_000

// DrawGroup returns n questions about n documents in one collection. The questions have
// the release, the indexes and the clock in common, so that one sweep of a server answers
// them all. Every date is due 100 seconds or more from the clock. The result is the same
// for the same seed.
func DrawGroup(c *Claim, n int, seed uint64) []Case {
	return Of(c, func(s Source) []Case {
		for {
			if group := s.group(n); s.presumes(group[0]) && group[0].isDecided() {
				return group
			}
		}
	}).Example(int(seed))
}

func (s Source) group(n int) (all []Case) {
	t := s.Target("mongodb.decide", "")
	if s.Knows("clustered") && !Before(t.Version, "5.3.0") && s.sometimes(12) {
		return s.clusteredGroup(t, n)
	}
	if s.Knows("timeseries") && !Before(t.Version, "5.0.0") && s.sometimes(24) {
		return s.seriesGroup(t, min(n, 4))
	}
	return s.indexedGroup(t, n)
}

// indexedGroup draws one to three indexes on different fields, and documents with values
// in these fields.
func (s Source) indexedGroup(t conformance.Target, n int) (all []Case) {
	var indexes policy.A
	var paths []Path
	var waits []int64
	for range s.Range(1, 3) {
		p, seconds := s.anyPath(), s.Seconds()
		if slices.ContainsFunc(paths, func(other Path) bool { return other[0] == p[0] }) {
			continue
		}
		index := s.anyIndex(p, seconds, t.Version, 2)
		if s.sometimes(6) { // DrawGroup draws again if no command makes such a collection
			index = Put(index, s.Setting(t.Version), "expireAfterSeconds")
		}
		if !index.Field("unique").IsMissing() {
			index = Put(index, policy.Value{}, "unique") // with a unique index the documents would affect each other
		}
		indexes, paths, waits = append(indexes, index), append(paths, p), append(waits, secondsOf(index))
	}
	now := s.clock(Plus(usual, Pick(s, waits...)*1000))
	constants := constantsOf(policy.ListValue(indexes))
	for range n {
		var document policy.D
		for _, p := range paths {
			if !s.sometimes(10) {
				document = withField(document, p[0], s.held(p, t.Version))
			}
		}
		document = append(document, s.around(t.Version, document, constants...)...)
		c := decide(t, indexes, policy.ObjectValue(document))
		all = append(all, c.WithNow(now).clearOf(now, waits...))
	}
	return all
}

// secondsOf returns the whole seconds of an index, 0 if its value is not a
// number.
func secondsOf(index policy.Value) int64 {
	n, _ := mongofunc.WholeSeconds(index.Field("expireAfterSeconds"))
	return n
}

func (s Source) clusteredGroup(t conformance.Target, n int) (all []Case) {
	seconds := s.Seconds()
	now := s.clock(Plus(usual, seconds*1000))
	for range n {
		id := s.Date()
		if s.sometimes(4) {
			id = s.NonDate(t.Version)
		}
		c := decide(t, policy.A{}, policy.ObjectValue(append(fields("_id", id), s.Bystanders(t.Version, "_id")...)))
		c = c.With(object("clusteredIndex", clustered, "expireAfterSeconds", seconds), "collection")
		all = append(all, c.WithNow(now).clearOf(now, seconds))
	}
	return all
}

// seriesGroup draws measurements that are due long before the clock or long after it,
// because the fate of buckets close to a deadline depends on their span.
func (s Source) seriesGroup(t conformance.Target, n int) (all []Case) {
	seconds := s.Range(0, 100_000)
	for range n {
		at := Plus(usual, s.Range(-1000, 1000)*86_400_000+43_200_000)
		c := s.series(t, at, policy.D{})
		c = c.With(policy.Int64Value(seconds), "collection", "expireAfterSeconds")
		all = append(all, c.WithNow(usual+policy.Instant(seconds*1000)))
	}
	return all
}

// clearOf moves the dates of the document in c to earlier dates, until no date plus one
// of the waits, in seconds, is near the clock.
func (c Case) clearOf(now policy.Instant, waits ...int64) Case {
	isNear := func(i policy.Instant) bool {
		return slices.ContainsFunc(waits, func(seconds int64) bool {
			distance := Plus(i, seconds*1000) - now
			return -clear < distance && distance < clear
		})
	}
	away := func(i policy.Instant) policy.Instant {
		for isNear(i) {
			i = Plus(i, -clear)
		}
		return i
	}
	return c.With(MapDates(c.At("document"), away), "document")
}

// filterOperators are the comparison operators of partial filters, with the first release
// that accepts each.
var filterOperators = []struct{ name, since string }{
	{"$eq", "3.2.0"}, {"$gt", "3.2.0"}, {"$gte", "3.2.0"}, {"$lt", "3.2.0"}, {"$lte", "3.2.0"}, {"$in", "6.0.0"},
}

// types are the names of types for $type.
var types = []string{"double", "string", "object", "array", "objectId", "bool", "date", "null", "int", "long", "number", "timestamp", "regex"}

// filter draws a partial filter, mostly about the fields of [Source.related], some about
// the path of the index.
func (s Source) filter(p Path, release string) policy.Value {
	depth := int64(2)
	if Before(release, "6.0.0") { // $and is allowed at the top level only
		if depth = 0; s.sometimes(4) {
			return object("$and", policy.A{policy.ObjectValue(s.clause(p, release, 0)), policy.ObjectValue(s.clause(p, release, 0))})
		}
	}
	d := s.clause(p, release, depth)
	for _, e := range s.clause(p, release, depth) {
		if s.Either() && policy.ObjectValue(d).Field(e.Key).IsMissing() {
			d = append(d, e)
		}
	}
	return policy.ObjectValue(d)
}

// clause draws a condition that nests other conditions, at most to a depth.
func (s Source) clause(p Path, release string, depth int64) policy.D {
	if depth > 0 && s.sometimes(5) {
		name := "$and"
		if !Before(release, "6.0.0") && s.Either() {
			name = "$or"
		}
		var list policy.A
		for range s.Range(1, 2) {
			list = append(list, policy.ObjectValue(s.clause(p, release, depth-1)))
		}
		return fields(name, list)
	}
	field := Pick(s, "D", "D", "x", p.String())
	if s.Knows("dotted-path") && s.sometimes(4) {
		field = Pick(s, "D.a", "D.0", "D.a.b")
	}
	return fields(field, s.condition(release))
}

func (s Source) condition(release string) policy.Value {
	switch s.Range(0, 5) {
	case 0:
		return s.compared(release)
	case 1:
		return object("$exists", policy.BoolValue(true))
	case 2:
		return object("$type", Pick(s, types...))
	}
	operator := Pick(s, filterOperators...)
	if Before(release, operator.since) {
		operator = filterOperators[0]
	}
	v := s.compared(release)
	if operator.name == "$in" {
		v = policy.ListValue(policy.A{v, s.compared(release)})
	}
	return object(operator.name, v)
}

// compared draws a value for filters to compare with and for documents to hold.
func (s Source) compared(release string) policy.Value {
	switch s.Range(0, 7) {
	case 0:
		return s.NonDate(release)
	case 1:
		return s.Date()
	case 2:
		return policy.ListValue(policy.A{s.small()})
	case 3:
		return object("a", s.small())
	}
	return s.small()
}

// small draws one of a few values, so that two draws are often equal.
func (s Source) small() policy.Value {
	return Pick(s, policy.Int32Value(1), policy.Int64Value(5), policy.DoubleValue(5), policy.DoubleValue(5.5), policy.Int32Value(6),
		policy.StringValue("a"), policy.StringValue("b"), policy.NullValue(), policy.BoolValue(true), policy.BoolValue(false))
}

// related draws a value for a field that filters read: often one of the constants of a
// filter, or a value near it.
func (s Source) related(release string, constants ...policy.Value) policy.Value {
	v := s.compared(release)
	if len(constants) > 0 && !s.sometimes(3) {
		v = s.near(Pick(s, constants...))
	}
	switch s.Range(0, 7) {
	case 0:
		return policy.ListValue(policy.A{v, s.small()})
	case 1:
		return object("a", v, "0", s.small())
	case 2:
		return policy.ListValue(policy.A{object("a", v), object("a", object("b", s.small()))})
	case 3:
		return policy.ListValue(policy.A{policy.ListValue(policy.A{v})})
	}
	return v
}

// near draws the value itself, or a value that is easily confused with it.
func (s Source) near(v policy.Value) policy.Value {
	if s.Either() {
		return v
	}
	others := slices.DeleteFunc(neighbours(v), policy.Value.IsMissing)
	return Pick(s, others...)
}

// constantsOf returns all values within the partial filters of indexes, except documents
// and arrays.
func constantsOf(indexes policy.Value) (all []policy.Value) {
	for _, index := range policy.AOf(indexes) {
		all = append(all, leaves(index.Field("partialFilterExpression"))...)
	}
	return all
}

func leaves(v policy.Value) (all []policy.Value) {
	for _, e := range policy.DOf(v) {
		all = append(all, leaves(e.Value)...)
	}
	for _, e := range policy.AOf(v) {
		all = append(all, leaves(e)...)
	}
	if kind := v.Kind(); kind != policy.Missing && kind != policy.Object && kind != policy.List {
		all = append(all, v)
	}
	return all
}
