package independent

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A filterCase is a filter and documents made for it.
type filterCase struct {
	dice
	release filterRelease
	clause  clause
	written policy.D
	index   *mongo.Collection
	// predicates are the parts of the clause.
	predicates []clause
}

func newFilterCase(t testing.TB, d dice, r filterRelease, profile mongo.Profile) *filterCase {
	t.Helper()
	c := &filterCase{dice: d, release: r}
	if r.nested {
		c.clause = c.drawClause(3)
	} else {
		c.clause = c.drawFlat()
	}
	c.written = c.write(c.clause)
	index, err := partialIndex(c.written, profile)
	if err != nil {
		t.Fatalf("CompileIndex with %v on %s: %v", policy.ObjectValue(c.written), r.name, err)
	}
	c.index = index
	return c
}

// partialIndex compiles an index by which documents that match the filter expire at the
// date in t.
func partialIndex(filter policy.D, profile mongo.Profile) (*mongo.Collection, error) {
	return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Key:                     policy.D{{Key: "t", Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(0),
		PartialFilterExpression: policy.ObjectValue(filter),
	}}}, profile)
}

// drawFlat returns a conjunction, the only form of filters up to 5.x.
func (c *filterCase) drawFlat() clause {
	if c.Percent(10) {
		return c.drawAll()
	}
	if c.Percent(50) {
		return c.drawPredicate()
	}
	both := clause{op: "$and"}
	for range fuzzing.Pick(c.Random, 1, 2, 2, 3) {
		both.parts = append(both.parts, c.drawPredicate())
	}
	return both
}

// drawClause returns a filter that nests to a depth.
func (c *filterCase) drawClause(depth int) clause {
	switch n := c.IntN(100); {
	case depth == 0 || n < 55:
		return c.drawPredicate()
	case n < 62:
		return c.drawAll()
	}
	several := clause{op: fuzzing.Pick(c.Random, "$and", "$or")}
	for range fuzzing.Pick(c.Random, 1, 2, 2, 3) {
		several.parts = append(several.parts, c.drawClause(depth-1))
	}
	return several
}

func (c *filterCase) drawAll() clause {
	all := clause{op: "$all", path: c.drawPath()}
	for range fuzzing.Pick(c.Random, 1, 2, 2, 3) {
		all.list = append(all.list, c.drawOperand())
	}
	c.predicates = append(c.predicates, all)
	return all
}

func (c *filterCase) drawPredicate() clause {
	p := clause{path: c.drawPath(), op: fuzzing.Pick(c.Random, "$eq", "$eq", "$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in")}
	switch p.op {
	case "$type":
		names := append(slices.Sorted(maps.Keys(typeNames)), "number", "number", "array", "array", "array", "object", "null", "undefined")
		if !c.release.decimals {
			names = slices.DeleteFunc(names, func(name string) bool { return name == "decimal" })
		}
		p.types = []string{fuzzing.Pick(c.Random, names...)}
		if c.release.arrays && c.Percent(30) {
			p.types = append(p.types, fuzzing.Pick(c.Random, names...))
		}
	case "$in":
		if !c.release.nested {
			p.op, p.of = "$eq", c.drawOperand()
			break
		}
		for range fuzzing.Pick(c.Random, 1, 2, 3, 6) {
			p.list = append(p.list, c.drawOperand())
		}
	case "$exists":
	default:
		p.of = c.drawOperand()
	}
	c.predicates = append(c.predicates, p)
	return p
}

func (c *filterCase) drawPath() []string {
	path := []string{fuzzing.Pick(c.Random, "a", "a", "b", "c")}
	for range fuzzing.Pick(c.Random, 0, 0, 1, 1, 2) {
		path = append(path, fuzzing.Pick(c.Random, "a", "b", "b", "c", "0", "0", "1"))
	}
	return path
}

// drawOperand returns an operand of a comparison.
func (c *filterCase) drawOperand() *node {
	if c.Percent(15) {
		return bare(tNull)
	}
	for {
		n := fuzzing.Pick(c.Random, fuzzing.Pick(c.Random, kinships...)...)
		if n.typ != tUndefined && n.typ != tRegex && (c.release.decimals || !n.has(tDecimal)) {
			return n
		}
	}
}

// write returns the clause as users write it: with or without $and and $eq.
func (c *filterCase) write(q clause) policy.D {
	switch q.op {
	case "$and", "$or":
		if q.op == "$and" && c.Percent(50) {
			if d, ok := c.writeImplicit(q.parts); ok {
				return d
			}
		}
		var parts policy.A
		for _, part := range q.parts {
			parts = append(parts, policy.ObjectValue(c.write(part)))
		}
		return policy.D{{Key: q.op, Value: policy.ListValue(parts)}}
	}
	path := strings.Join(q.path, ".")
	if q.op == "$eq" && c.Percent(60) {
		return policy.D{{Key: path, Value: q.of.value()}}
	}
	return policy.D{{Key: path, Value: policy.ObjectValue(policy.D{c.writeOperator(q)})}}
}

// writeImplicit writes predicates as fields of one document. It reports false if the
// parts do not have such a form.
func (c *filterCase) writeImplicit(parts []clause) (policy.D, bool) {
	var names []string
	operators := map[string]policy.D{}
	for _, part := range parts {
		if part.parts != nil || !c.release.nested && part.op == "$all" {
			return nil, false
		}
		path := strings.Join(part.path, ".")
		if operators[path] == nil {
			names = append(names, path)
		}
		if !operators[path].Field(part.op).IsMissing() {
			return nil, false
		}
		operators[path] = append(operators[path], c.writeOperator(part))
	}
	var d policy.D
	for _, name := range names {
		d = append(d, policy.E{Key: name, Value: policy.ObjectValue(operators[name])})
	}
	return d, true
}

func (c *filterCase) writeOperator(q clause) policy.E {
	var operand policy.Value
	switch q.op {
	case "$exists":
		operand = fuzzing.Pick(c.Random, policy.BoolValue(true), policy.Int32Value(1))
	case "$type":
		var types policy.A
		for _, name := range q.types {
			types = append(types, c.writeType(name))
		}
		operand = policy.ListValue(types)
		if len(types) == 1 && (!c.release.arrays || c.Percent(70)) {
			operand = types[0]
		}
	case "$in", "$all":
		var list policy.A
		for _, n := range q.list {
			list = append(list, n.value())
		}
		operand = policy.ListValue(list)
	default:
		operand = q.of.value()
	}
	return policy.E{Key: q.op, Value: operand}
}

func (c *filterCase) writeType(name string) policy.Value {
	if name == "number" || c.Percent(60) {
		return policy.StringValue(name)
	}
	return fuzzing.Pick(c.Random, policy.Int32Value(int32(int8(typeNames[name]))), policy.DoubleValue(float64(int8(typeNames[name]))))
}

// drawDocument returns a document in which the paths of the predicates mostly lead to a
// value.
func (c *filterCase) drawDocument() *node {
	fields := []member{{"t", date(0)}}
	for _, p := range c.predicates {
		if len(fields) < 5 && c.Percent(90) && (named(fields, p.path[0]) == nil || c.Percent(5)) {
			fields = append(fields, member{p.path[0], c.drawAlong(p, p.path[1:])})
		}
	}
	if c.Percent(5) {
		fields = append(fields, member{"a", c.drawAny()})
	}
	c.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return object(fields...)
}

// drawAlong draws a value in which the path rest leads to a value of interest for the
// predicate p.
func (c *filterCase) drawAlong(p clause, rest []string) *node {
	if len(rest) == 0 {
		return c.drawEnd(p)
	}
	switch n := c.IntN(100); {
	case n < 40:
		return c.drawStep(p, rest)
	case n < 90:
		return c.drawArray(p, rest)
	}
	return c.drawEnd(p)
}

// drawArray returns an array through which rest leads by a name or a position.
func (c *filterCase) drawArray(p clause, rest []string) *node {
	var elements []*node
	if position, err := strconv.Atoi(rest[0]); err == nil && c.Percent(40) {
		for range position {
			elements = append(elements, c.drawEnd(p))
		}
		return c.numbered(append(elements, c.drawAlong(p, rest[1:])), rest...)
	}
	for range fuzzing.Pick(c.Random, 0, 1, 1, 2, 2, 3) {
		switch n := c.IntN(100); {
		case n < 50:
			elements = append(elements, c.drawStep(p, rest))
		case n < 75:
			elements = append(elements, c.drawAlong(p, rest[1:]))
		case n < 85:
			elements = append(elements, c.drawAlong(p, rest))
		default:
			elements = append(elements, c.drawEnd(p))
		}
	}
	return c.numbered(elements, rest...)
}

func (c *filterCase) drawStep(p clause, rest []string) *node {
	if c.Percent(12) {
		return c.scattered(c.drawAny)
	}
	return c.scattered(c.drawAny, member{rest[0], c.drawAlong(p, rest[1:])})
}

// drawEnd returns a value that may meet p, or an array of such values.
func (c *filterCase) drawEnd(p clause) *node {
	operands := append(slices.Clone(p.list), p.of)
	of := fuzzing.Pick(c.Random, operands...)
	switch n := c.IntN(100); {
	case n < 20:
		var elements []*node
		for range fuzzing.Pick(c.Random, 0, 1, 2, 2, 3) {
			elements = append(elements, c.drawEnd(p))
		}
		return c.numbered(elements)
	case of != nil && n < 45:
		return of
	case of != nil && n < 75:
		return c.known(fuzzing.Pick(c.Random, kinOf(of)...))
	case p.types != nil && n < 60:
		return c.drawOfType(fuzzing.Pick(c.Random, p.types...))
	}
	return c.drawAny()
}

// drawOfType returns a value of a type of $type.
func (c *filterCase) drawOfType(name string) *node {
	for _, k := range c.Perm(len(kinships)) {
		for _, i := range c.Perm(len(kinships[k])) {
			if n := kinships[k][i]; c.release.isOfType(find{value: n}, name) {
				return c.known(n)
			}
		}
	}
	return c.drawAny()
}

func (c *filterCase) drawAny() *node {
	return c.known(fuzzing.Pick(c.Random, fuzzing.Pick(c.Random, kinships...)...))
}

// known replaces values and operators that the release does not know.
func (c *filterCase) known(n *node) *node {
	if !c.release.decimals && n.has(tDecimal) {
		return int32Of(1)
	}
	return n
}

// TestFilters compares the evaluator with the model of partial filters.
func TestFilters(t *testing.T) {
	for i, release := range filterReleases {
		t.Run(release.title(), func(t *testing.T) {
			profile := release.profile(t)
			d, hits, total := newDice(uint64(100+i)), tally{}, documents()
			var c *filterCase
			for n := range total {
				if n%10 == 0 {
					c = newFilterCase(t, d, release, profile)
				}
				if got := c.ask(hits); got != "" {
					t.Fatalf("document %d of seed %d: %s", n, *seedFlag, got)
				}
			}
			classes := map[string]int{
				"inside": 10, "outside": 5, "own document": 5, "position": 20, "names of elements": 800,
				"$eq met": 50, "$gt met": 200, "$gte met": 100, "$lt met": 200, "$lte met": 100, "$exists met": 50, "$type met": 200, "$all met": 1000, "$and met": 200,
				"MinKey and MaxKey": 500, "undefined as null": 1000, "arrays that lead nowhere": 200, "$type of arrays": 5000,
			}
			if release.nested {
				classes["$or met"], classes["$in met"] = 50, 100
			}
			hits.require(t, total, classes)
		})
	}
}

// title names the release and the server parameter.
func (r filterRelease) title() string {
	if r.legacy {
		return r.name + " legacy"
	}
	return r.name
}

// profile returns the profile of the release with its server parameter.
func (r filterRelease) profile(t testing.TB) mongo.Profile {
	t.Helper()
	profile := profileOf(t, r.name)
	if !r.legacy {
		return profile
	}
	profile, err := profile.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

// ask decides about one more document, and says where the evaluator and the model
// disagree.
func (c *filterCase) ask(hits tally) string {
	doc := c.drawDocument()
	want := c.release.says(c.clause, doc)
	if hits != nil {
		c.count(hits, doc, want)
	}

	raw := appendDocument(nil, doc.fields)
	parsed, err := policy.ParseBSON(raw)
	if errors.Is(err, policy.ErrTooDeep) {
		return "" // no server stores such a document
	}
	if err != nil {
		return fmt.Sprintf("ParseBSON(%s): %v", show(doc), err)
	}
	type way struct {
		name string
		got  truth
	}
	ways := []way{
		{"DecideBSON", membershipOf(c.index.DecideBSON(raw, 0))},
		{"Decide of BSON", membershipOf(c.index.Decide(&parsed, 0))},
	}
	if isPlain(doc.fields, false) {
		ways = append(ways, way{"Decide of an own document", membershipOf(c.index.Decide((*ownDocument)(doc), 0))})
	}
	for _, way := range ways {
		if !agrees(want, way.got) {
			return fmt.Sprintf("%s(%s)\nby %v on %s\n got %v\nwant %s", way.name, show(doc), policy.ObjectValue(c.written), c.release.title(), truthNames[way.got],
				truthNames[want])
		}
	}
	return ""
}

var truthNames = map[truth]string{yes: "inside", no: "outside", unspecified: "unspecified, so not inside"}

// count adds a document to the tally of its classes. A class that is named after a
// behaviour counts documents that have another result if this behaviour is switched.
func (c *filterCase) count(hits tally, doc *node, want truth) {
	hits[truthNames[want]]++
	if want == yes && c.clause.parts != nil {
		hits[c.clause.op+" met"]++
	}
	for _, p := range c.predicates {
		if c.release.says(p, doc) == yes {
			hits[p.op+" met"]++
		}
	}
	if isPlain(doc.fields, false) {
		hits["own document"]++
	} else if c.release.says(c.clause, byPosition(doc)) != want {
		hits["names of elements"]++
	}
	r := c.release
	r.ordered = !r.ordered
	c.countReading(hits, "MinKey and MaxKey", r, doc, want)
	r = c.release
	r.undefinedIsNull = !r.undefinedIsNull
	c.countReading(hits, "undefined as null", r, doc, want)
	r = c.release
	r.late, r.legacy = !r.late || r.legacy, false
	c.countReading(hits, "arrays that lead nowhere", r, doc, want)
	r = c.release
	r.arrays = !r.arrays
	c.countReading(hits, "$type of arrays", r, doc, want)
	if slices.ContainsFunc(c.predicates, func(p clause) bool { return isTurn(doc, p.path) }) {
		hits["position"]++
	}
}

func (c *filterCase) countReading(hits tally, class string, other filterRelease, doc *node, want truth) {
	if other.says(c.clause, doc) != want {
		hits[class]++
	}
}

// agrees reports whether a membership agrees with the model. An unspecified
// membership must not be inside, which would let the document expire.
func agrees(want, got truth) bool {
	if want == unspecified {
		return got != yes
	}
	return got == want
}

// membershipOf returns the membership that follows from the decision about a
// document whose date is past.
func membershipOf(d policy.Decision) truth {
	switch {
	case d.State == policy.Expired:
		return yes
	case d.Rule.ID() == "mongo.filter-unspecified":
		return unspecified
	}
	return no
}

// TestRefusedFilters: a filter with one forbidden part is refused with code 67,
// whatever allowed parts are beside it.
func TestRefusedFilters(t *testing.T) {
	for i, release := range filterReleases {
		t.Run(release.title(), func(t *testing.T) {
			profile := release.profile(t)
			c := &filterCase{dice: newDice(uint64(200 + i)), release: release}
			for range max(documents()/50, 100) {
				refused := c.drawRefused()
				if !c.Percent(30) {
					beside := policy.A{policy.ObjectValue(c.write(c.drawPredicate())), policy.ObjectValue(refused)}
					c.Shuffle(2, func(i, j int) { beside[i], beside[j] = beside[j], beside[i] })
					refused = policy.D{{Key: "$and", Value: policy.ListValue(beside)}}
				}
				_, err := partialIndex(refused, profile)
				if byServer := new(mongo.SpecError); !errors.As(err, &byServer) || byServer.Code != codes.CannotCreateIndex {
					t.Fatalf("CompileIndex with %v on %s: %v, want code 67", policy.ObjectValue(refused), release.title(), err)
				}
			}
		})
	}
}

// drawRefused returns a well-formed filter that an index cannot have.
func (c *filterCase) drawRefused() policy.D {
	valid := func() policy.Value { return policy.ObjectValue(c.write(c.drawPredicate())) }
	list := func(v ...policy.Value) policy.Value { return policy.ListValue(policy.A(v)) }
	path := strings.Join(c.drawPath(), ".")
	on := func(op string, v policy.Value) policy.D {
		return policy.D{{Key: path, Value: policy.ObjectValue(policy.D{{Key: op, Value: v}})}}
	}
	one := policy.Int32Value(1)
	refused := []policy.D{
		on("$ne", one), on("$nin", list(one)), on("$exists", policy.BoolValue(false)), on("$exists", policy.Int32Value(0)), on("$size", one),
		on("$mod", list(policy.Int32Value(2), one)), on("$elemMatch", policy.ObjectValue(policy.D{{Key: "x", Value: one}})),
		on("$not", policy.ObjectValue(policy.D{{Key: "$gt", Value: one}})),
		{{Key: "$nor", Value: list(valid(), valid())}},
		{{Key: path, Value: policy.RegexValue("x", "")}},
	}
	if c.release.nested {
		return fuzzing.Pick(c.Random, append(refused, c.drawDeep(4))...)
	}
	nested := policy.ObjectValue(policy.D{{Key: "$and", Value: list(valid(), valid())}})
	return fuzzing.Pick(c.Random, append(refused, policy.D{{Key: "$or", Value: list(valid(), valid())}}, on("$in", list(one, policy.Int32Value(2))),
		policy.D{{Key: "$and", Value: list(valid(), nested)}})...)
}

// drawDeep returns predicates under a number of levels of $and and $or, in turn.
func (c *filterCase) drawDeep(levels int) policy.D {
	if levels == 0 {
		return policy.D{{Key: fuzzing.Pick(c.Random, "a", "b"), Value: policy.ObjectValue(policy.D{{Key: "$gt", Value: policy.Int32Value(1)}})}}
	}
	beside := policy.D{{Key: "c", Value: policy.ObjectValue(policy.D{{Key: "$lt", Value: policy.Int32Value(int32(levels))}})}}
	parts := policy.A{policy.ObjectValue(beside), policy.ObjectValue(c.drawDeep(levels - 1))}
	return policy.D{{Key: []string{"$or", "$and"}[levels%2], Value: policy.ListValue(parts)}}
}
