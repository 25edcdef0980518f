package independent

import (
	"flag"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var exhaustiveFlag = flag.Bool("independent.exhaustive", false, "decide about all documents of the small scope, instead of those of a part of its values")

// The small scope has every type of BSON, two dates and two numbers.
func scopeValues() []*node {
	if !*exhaustiveFlag {
		return []*node{date(1_000_000_000_000), date(2_000_000_000_000), bare(tNull), bare(tUndefined), stringOf("a")}
	}
	return []*node{
		date(1_000_000_000_000), date(2_000_000_000_000), bare(tNull), bare(tUndefined), boolOf(true), int32Of(1), int64Of(2), doubleOf(1), decimalOf(false, 1, 0),
		stringOf("a"), object(), {typ: tBinary, text: "a"}, {typ: tObjectID, text: "000000000000"}, {typ: tRegex, text: "a"}, {typ: tDBPointer, text: "a"},
		{typ: tCode, text: "a"}, {typ: tSymbol, text: "a"}, {typ: tScoped, text: "a"}, {typ: tTimestamp, whole: 1_600_000_000 << 32}, bare(tMinKey), bare(tMaxKey),
	}
}

// shapes returns all values of the small scope: each value alone, in an object under a name
// and under a position, and in arrays of up to two elements, which are values or objects.
func shapes(values []*node) (all []*node) {
	all = append(all, values...)
	all = append(all, array())
	var within []*node
	for _, v := range values {
		within = append(within, object(member{"b", v}))
		all = append(all, object(member{"0", v}))
	}
	all = append(all, within...)
	elements := append(append([]*node{}, values...), within...)
	for _, first := range elements {
		all = append(all, array(first), object(member{"b", array(first)}))
		for _, second := range elements {
			all = append(all, array(first, second))
		}
	}
	return all
}

// scopePaths are the keys of indexes and the paths of filters of the small scope, beginning
// at a field.
func scopePaths(field string) [][]string {
	return [][]string{{field}, {field, "b"}, {field, "0"}, {field, "0", "b"}, {field, "b", "0"}, {field, "1"}}
}

// scopeClauses returns every predicate of the small scope about a path.
func scopeClauses(path []string, values []*node, r filterRelease) (all []clause) {
	for _, op := range []string{"$eq", "$gt", "$gte", "$lt", "$lte"} {
		for _, of := range values {
			if of.typ != tUndefined && of.typ != tRegex && (r.decimals || !of.has(tDecimal)) {
				all = append(all, clause{op: op, path: path, of: of})
			}
		}
	}
	all = append(all, clause{op: "$exists", path: path})
	for name := range typeNames {
		if name != "decimal" || r.decimals {
			all = append(all, clause{op: "$type", path: path, types: []string{name}})
		}
	}
	return all
}

// A scopeRelease is a release with its behaviours as the two models have them.
type scopeRelease struct {
	keys    keyRelease
	filters *filterRelease // nil for a release without partial filters
}

// askedReleases are the releases that the tests ask about: by day every fourth.
func askedReleases() (some []scopeRelease) {
	for i, r := range scopeReleases {
		if *exhaustiveFlag || i%4 == 1 {
			some = append(some, r)
		}
	}
	return some
}

// scopeReleases are the releases from which on decisions about the small scope differ. The
// comments of keyRelease and filterRelease name the sources.
var scopeReleases = []scopeRelease{
	{keys: keyRelease{name: "2.2.7", strict: true, anyDelay: true, wraps: true, timestamps: true}},
	{keys: keyRelease{name: "2.6.12", strict: true, anyDelay: true, wraps: true, timestamps: true}},
	{keys: keyRelease{name: "3.0.15", strict: true, anyDelay: true, wraps: true}},
	{keys: keyRelease{name: "3.2.22", anyDelay: true, wraps: true}, filters: &filterRelease{undefinedIsNull: true}},
	{keys: keyRelease{name: "3.4.24", decimals: true}, filters: &filterRelease{decimals: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "3.6.23", decimals: true}, filters: &filterRelease{decimals: true, arrays: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "4.0.28", decimals: true}, filters: &filterRelease{decimals: true, arrays: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "4.2.25", decimals: true}, filters: &filterRelease{decimals: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "4.4.29", decimals: true}, filters: &filterRelease{decimals: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "5.0.31", decimals: true}, filters: &filterRelease{decimals: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "6.0.20", decimals: true}, filters: &filterRelease{nested: true, decimals: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "7.0.14", decimals: true}, filters: &filterRelease{nested: true, decimals: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{keys: keyRelease{name: "8.0.4", decimals: true}, filters: &filterRelease{nested: true, decimals: true, arrays: true, ordered: true}},
	{keys: keyRelease{name: fixture.Latest, decimals: true}, filters: &filterRelease{nested: true, decimals: true, arrays: true, ordered: true, late: true}},
}

// scopeDelays are the values of expireAfterSeconds of the small scope. The model has no values
// of 2.2 that are no numbers.
func (r keyRelease) scopeDelays() []*node {
	list := []*node{int32Of(0), int32Of(3600), int32Of(1<<31 - 1), doubleOf(4.5)}
	if !strings.HasPrefix(r.name, "2.2.") {
		list = append(list, stringOf("60"), bare(tNull))
	}
	if r.decimals {
		list = append(list, decimalOf(false, 15, -1))
	}
	return list
}

// A scopeDocument is a document {a: value} of the small scope, or one with more fields, and
// its BSON.
type scopeDocument struct {
	doc *node
	raw []byte
}

func scopeDocuments(values []*node, field string, more ...member) (all []scopeDocument) {
	for _, v := range append([]*node{nil}, values...) {
		doc := object(more...)
		if v != nil {
			doc.fields = append([]member{{field, v}}, more...)
		}
		all = append(all, scopeDocument{doc, appendDocument(nil, doc.fields)})
	}
	return all
}

// scopeIndex compiles a TTL index of the small scope; a nil filter means none.
func scopeIndex(t *testing.T, path []string, delay *node, filter *clause, profile mongo.Profile) *mongo.Collection {
	t.Helper()
	spec := mongo.IndexSpec{Name: "ttl", Key: policy.D{{Key: strings.Join(path, "."), Value: policy.Int32Value(1)}}, ExpireAfterSeconds: delay.value()}
	if filter != nil {
		spec.PartialFilterExpression = policy.ObjectValue(filter.plain())
	}
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, profile)
	if err != nil {
		t.Fatalf("CompileCollection(%v): %v", spec, err)
	}
	return c
}

// plain returns a predicate as a filter, always with its operator.
func (q clause) plain() policy.D {
	operand := policy.BoolValue(true)
	switch q.op {
	case "$exists":
	case "$type":
		operand = policy.StringValue(q.types[0])
	default:
		operand = q.of.value()
	}
	return policy.D{{Key: strings.Join(q.path, "."), Value: policy.ObjectValue(policy.D{{Key: q.op, Value: operand}})}}
}

// TestExhaustiveKeys decides about every document {a: value} of the small scope by every key
// and delay, a millisecond before the deadline, at it, and a millisecond later.
func TestExhaustiveKeys(t *testing.T) {
	documents := scopeDocuments(shapes(scopeValues()), "a")
	total := 0
	for _, r := range askedReleases() {
		profile := profileOf(t, r.keys.name)
		for _, path := range scopePaths("a") {
			for _, delay := range r.keys.scopeDelays() {
				index := scopeIndex(t, path, delay, nil, profile)
				for _, d := range documents {
					keys, err := indexKeys(d.doc.fields, path, nil)
					if err != nil {
						keys = nil
					}
					deadline, ok := r.keys.deadline(keys, delay)
					for _, now := range clocksAround(deadline, ok) {
						total++
						got := index.DecideBSON(d.raw, now)
						if at, has := got.Deadline(); has != ok || ok && at != deadline || (got.State == policy.Expired) != (ok && deadline <= now) {
							t.Fatalf("%s by {%q: 1}, %v s, on %s at %v: %v, want deadline %v, %t", show(d.doc), strings.Join(path, "."), delay, r.keys.name, now, got, deadline, ok)
						}
					}
				}
			}
		}
	}
	t.Logf("%d decisions about %d documents agree", total, len(documents))
}

// clocksAround returns the clocks at which a document with this deadline is decided.
func clocksAround(deadline policy.Instant, ok bool) []policy.Instant {
	if !ok {
		return []policy.Instant{policy.MinInstant, 1_700_000_000_000, policy.MaxInstant}
	}
	return []policy.Instant{deadline - 1, deadline, deadline + 1}
}

// TestExhaustiveFilters decides about every document of the small scope by every predicate:
// first with the index on a field of its own, then with key and predicate on the same field.
//
// A document {a: x, b: y} whose index is on a path that begins with a, and whose filter is on
// one that begins with b, is decided by the keys of x and the truth of y. So the test asks
// about every x with one y of each truth, and about every y with an x of each outcome, and
// not about their product, whose size it logs.
func TestExhaustiveFilters(t *testing.T) {
	values := scopeValues()
	all := shapes(values)
	asked, covered := 0, 0.0
	for _, r := range askedReleases() {
		if r.filters == nil {
			continue
		}
		s := &filterScope{release: r, profile: profileOf(t, r.keys.name), values: values, all: all}
		asked += s.apart(t) + s.together(t)
		covered += s.product()
	}
	t.Logf("%d decisions agree, which cover %.3g by the symmetry", asked, covered)
}

// A filterScope is the small scope of one release with partial filters.
type filterScope struct {
	release     scopeRelease
	profile     mongo.Profile
	values, all []*node
}

// product returns the number of documents {a: x, b: y}, keys and predicates of the scope.
func (s *filterScope) product() float64 {
	n, paths := float64(len(s.all)+1), float64(len(scopePaths("a")))
	return n * n * paths * paths * float64(len(scopeClauses([]string{"b"}, s.values, *s.release.filters)))
}

// apart asks about predicates on b, with keys on a: every x with a y inside and a y outside
// the filter, and every y with an x that is expired, and one that never expires.
func (s *filterScope) apart(t *testing.T) (asked int) {
	expires, stays := member{"a", date(0)}, member{"a", stringOf("a")}
	withExpired, withNever := scopeDocuments(s.all, "b", expires), scopeDocuments(s.all, "b", stays)
	for _, path := range scopePaths("b") {
		for _, c := range scopeClauses(path, s.values, *s.release.filters) {
			index := scopeIndex(t, []string{"a"}, int32Of(0), &c, s.profile)
			samples := map[truth]*node{}
			for i, d := range withExpired {
				want := s.release.filters.says(c, d.doc)
				samples[want] = d.doc
				s.check(t, index, c, d, want, 0)
				s.check(t, index, c, withNever[i], no, 0)
				asked += 2
			}
			if *exhaustiveFlag || len(path) == 1 {
				asked += s.everyKey(t, c, samples)
			}
		}
	}
	return asked
}

// everyKey asks about every x, with a y of each truth, by the key a.
func (s *filterScope) everyKey(t *testing.T, c clause, samples map[truth]*node) (asked int) {
	const now = 1_500_000_000_000 // one of the dates of the scope is past
	index := scopeIndex(t, []string{"a"}, int32Of(0), &c, s.profile)
	for _, sample := range samples {
		var more []member
		if b := named(sample.fields, "b"); b != nil {
			more = []member{{"b", b}}
		}
		for _, d := range scopeDocuments(s.all, "a", more...) {
			s.check(t, index, c, d, s.want(c, []string{"a"}, d.doc, now), now)
			asked++
		}
	}
	return asked
}

// want returns yes for a document that is expired, by a key and a filter.
func (s *filterScope) want(c clause, path []string, doc *node, now policy.Instant) truth {
	keys, err := indexKeys(doc.fields, path, nil)
	if err != nil {
		return no
	}
	if deadline, ok := s.release.keys.deadline(keys, int32Of(0)); !ok || deadline > now {
		return no
	}
	return s.release.filters.says(c, doc)
}

// together asks about keys and predicates on the same field.
func (s *filterScope) together(t *testing.T) (asked int) {
	const now = 1_500_000_000_000
	documents := scopeDocuments(s.all, "a")
	for _, key := range scopePaths("a") {
		for _, path := range scopePaths("a") {
			for _, c := range scopeClauses(path, s.values, *s.release.filters) {
				index := scopeIndex(t, key, int32Of(0), &c, s.profile)
				for _, d := range documents {
					s.check(t, index, c, d, s.want(c, key, d.doc, now), now)
					asked++
				}
			}
		}
	}
	return asked
}

// check fails the test unless a document is expired exactly if want is yes.
func (s *filterScope) check(t *testing.T, index *mongo.Collection, c clause, d scopeDocument, want truth, now policy.Instant) {
	t.Helper()
	if got := index.DecideBSON(d.raw, now); (got.State == policy.Expired) != (want == yes) {
		t.Fatalf("%s by the filter %v on %s: %v, want %s", show(d.doc), policy.ObjectValue(c.plain()), s.release.keys.name, got, truthNames[want])
	}
}
