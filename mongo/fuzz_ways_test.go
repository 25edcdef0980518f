package mongo

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/filter"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/record"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// drawer draws policies that a release can have.
type drawer struct {
	fuzzing.Random
	profile  Profile
	version  Version
	decimals bool // the release knows decimal128
}

var fuzzProfiles = someProfiles()

func newDrawer(r fuzzing.Random) drawer {
	i := r.IntN(len(modelVersions))
	v := modelVersions[i]
	return drawer{r, fuzzProfiles[i], v, !before(v, 3, 4, 0)}
}

var pathNames = []string{"a", "a", "a", "t", "b", "a.b", "a.b", "a.0", "a.a", "a.b.a", "0.a", "_id"}

// seconds draws an expireAfterSeconds of any kind of number, and what is not one.
func (d drawer) seconds() policy.Value {
	switch n := d.IntN(16); {
	case n < 7:
		return policy.Int32Value(int32(d.Seconds()))
	case n < 10:
		return policy.Int64Value(d.Seconds())
	case n < 13:
		return policy.DoubleValue(fuzzing.Pick(d.Random, float64(d.Seconds()), d.Double()))
	case n < 15 && d.decimals:
		return policy.DecimalValue(d.Decimal())
	}
	return fuzzing.Pick(d.Random, policy.StringValue("5"), policy.NullValue(), policy.BoolValue(true), policy.Int32Value(1))
}

func (d drawer) index(i int) IndexSpec {
	x := IndexSpec{
		Name:               string(rune('x' + i)),
		Key:                policy.D{{Key: fuzzing.Pick(d.Random, pathNames...), Value: policy.Int32Value(fuzzing.Pick(d.Random, int32(1), -1))}},
		ExpireAfterSeconds: d.seconds(),
		Sparse:             d.Percent(10),
	}
	if d.profile.behaviour.Filters != behaviour.FiltersNone && d.Percent(40) {
		x.PartialFilterExpression = policy.ObjectValue(d.filter())
	}
	return x
}

// filter draws what the release takes as a partialFilterExpression.
func (d drawer) filter() policy.D {
	if d.profile.behaviour.Filters == behaviour.FiltersNested {
		return d.clause(2)
	}
	return d.clause(0)
}

func (d drawer) clause(depth int) policy.D {
	if depth == 0 || d.Percent(60) {
		var all policy.D
		for range 1 + d.IntN(2) {
			all = append(all, policy.E{Key: fuzzing.Pick(d.Random, pathNames...), Value: d.predicates()})
		}
		return all
	}
	var parts policy.A
	for range 1 + d.IntN(3) {
		parts = append(parts, policy.ObjectValue(d.clause(depth-1)))
	}
	return policy.D{{Key: fuzzing.Pick(d.Random, "$and", "$or"), Value: policy.ListValue(parts)}}
}

func (d drawer) predicates() policy.Value {
	if d.Percent(30) {
		return d.operand()
	}
	ops := []string{"$eq", "$gt", "$gte", "$lt", "$lte", "$exists", "$type", "$in"}
	if d.profile.behaviour.Filters != behaviour.FiltersNested {
		ops = ops[:7]
	}
	op := fuzzing.Pick(d.Random, ops...)
	v := d.operand()
	switch op {
	case "$exists":
		v = policy.BoolValue(true)
	case "$type":
		v = policy.StringValue(fuzzing.Pick(d.Random, "date", "array", "object", "null", "int", "string", "long", "double"))
	case "$in":
		v = policy.ListValue(policy.A{v, d.operand(), d.operand()}[:1+d.IntN(3)])
	}
	return policy.ObjectValue(policy.D{{Key: op, Value: v}})
}

// operand draws a value that may stand in the documents, except a regular
// expression, which would be another predicate.
func (d drawer) operand() policy.Value {
	for {
		doc, err := policy.ParseBSON(d.Document(1, "x", "a"))
		if err != nil {
			panic(err)
		}
		for f := doc.Value().Fields(); f.Next(); {
			if v := f.Value(); d.isOperand(v) {
				return v
			}
		}
	}
}

func (d drawer) isOperand(v policy.Value) bool {
	text := v.String()
	return v.Kind() != policy.Undefined && !strings.Contains(text, "$regularExpression") && (d.decimals || !strings.Contains(text, "$numberDecimal"))
}

func (d drawer) collection() CollectionSpec {
	var c CollectionSpec
	switch n := d.IntN(16); {
	case n < 3 && !before(d.version, 5, 0, 0):
		c.TimeSeries = policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}, {Key: "metaField", Value: policy.StringValue("m")},
			{Key: "granularity", Value: policy.StringValue(fuzzing.Pick(d.Random, "seconds", "minutes", "hours"))}})
		c.ExpireAfterSeconds = policy.Int64Value(max(0, d.Seconds()))
		c.ExtendedRange = d.Percent(10)
		return c
	case n < 5 && !before(d.version, 5, 3, 0):
		c.Clustered = true
		c.ExpireAfterSeconds = policy.Int64Value(max(0, d.Seconds()))
	}
	for i := range 1 + d.IntN(3) {
		c.Indexes = append(c.Indexes, d.index(i))
	}
	return c
}

// A way is one of those to hand a document over.
type way struct {
	name string
	doc  policy.Document
}

// ways returns a document as raw BSON, in memory, and as Extended JSON writes it.
func ways(t testing.TB, raw []byte, text bool) []way {
	t.Helper()
	checked, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatalf("ParseBSON(%x): %v", raw, err)
	}
	v := checked.Value()
	all := []way{{"BSON", &checked}, {"a Value", v}, {"another kind", unraw{v}}, {"D", policy.DOf(v)}}
	if !text {
		return all
	}
	written := policy.AppendExtJSON(nil, v)
	again, err := policy.ParseExtJSON(written)
	if err != nil {
		t.Fatalf("ParseExtJSON(%s): %v", written, err)
	}
	return append(all, way{"Extended JSON", again})
}

// checkWays: however a document is handed over, the decision is the same; it is that
// of the earliest of its sources; and it can be judged again.
func checkWays(t testing.TB, r fuzzing.Random) {
	draw := newDrawer(r)
	spec := draw.collection()
	c, err := CompileCollection(spec, draw.profile)
	if err != nil {
		t.Fatalf("CompileCollection(%+v) on %s: %v", spec, draw.version, err)
	}
	raw, now := r.Document(3, "a", "b", "t", "m", "_id", "0"), policy.Instant(r.Instant())
	d := c.DecideBSON(raw, now)
	failed := func(why string, got policy.Decision) {
		options, indexes := spec.Documents()
		t.Fatalf("%s: %+v\nDecideBSON(%x, %d) = %+v\nby %s %s on %s", why, got, raw, now, d, options, indexes, draw.version)
	}
	all := ways(t, raw, r.Percent(25))
	for _, w := range all {
		if got := c.Decide(w.doc, now); got != d {
			failed(w.name, got)
		}
	}
	if got := earliestAlone(c, raw, now); got != d {
		failed("the sources alone", got)
	}
	checkReads(t, c, raw, now)
	for _, s := range c.sources {
		if s.index != nil {
			checkKey(t, s.index, all[1].doc.(policy.Value), now)
		}
	}
	if !slices.ContainsFunc(c.sources, func(s source) bool { return s.index != nil && s.index.late != nil }) { // TestModelLater
		checkAgainLater(c, d, raw, policy.Instant(r.Instant()), failed)
	}
	if ladder := c.Consulted(d); ladder[len(ladder)-1] != d.Rule {
		failed("the ladder ends elsewhere", d)
	}
}

// earliestAlone asks each source of a collection alone.
func earliestAlone(c *Collection, raw []byte, now policy.Instant) (first policy.Decision) {
	for i := range c.Sources() {
		d := c.OnlySource(i).DecideBSON(raw, now)
		d.Source = uint8(i)
		if i == 0 || d.State != policy.Never && (first.State == policy.Never || deadlineOf(d) < deadlineOf(first)) {
			first = d
		}
	}
	return first
}

// checkAgainLater judges a decision again at another instant and around its deadline,
// and reads it from the text that it is stored as.
func checkAgainLater(c *Collection, d policy.Decision, raw []byte, later policy.Instant, failed func(string, policy.Decision)) {
	for _, at := range []policy.Instant{later, deadlineOf(d), deadlineOf(d) - 1} {
		if got, want := d.At(at), c.DecideBSON(raw, at); got != want {
			failed("At "+at.String()+", where DecideBSON says "+want.State.String(), got)
		}
	}
	if (d.At(deadlineOf(d)).State == policy.Expired) != (d.State != policy.Never) {
		failed("at its deadline", d.At(deadlineOf(d)))
	}
	text, err := d.AppendText(nil, c.Sources())
	again, errAgain := policy.ParseDecision(text, RuleByID, c.Sources())
	isNamed := c.SourceOf(again) == c.SourceOf(d) // sources may have one name
	again.Source = d.Source
	if err != nil || errAgain != nil || again != d || !isNamed {
		failed("as text "+string(text), again)
	}
}

func FuzzWays(f *testing.F) { fuzzing.Run(f, checkWays) }

// checkPrintedFilter: a filter that is printed for mongosh or as Extended JSON and read
// again takes in the same documents.
func checkPrintedFilter(t testing.TB, r fuzzing.Random) {
	draw := newDrawer(r)
	if draw.profile.behaviour.Filters == behaviour.FiltersNone {
		draw.profile, draw.decimals = fuzzProfiles[len(fuzzProfiles)-1], true
	}
	expression := policy.ObjectValue(draw.filter())
	match := matcher(t, expression, draw.profile)
	literal, ok := mongosh.Literal(expression)
	read, _, err := mongosh.ParseValue(literal, 0)
	if ok && (err != nil || read.String() != expression.String()) {
		t.Fatalf("%s for mongosh is %s, which is read as %s, %v", expression, literal, read, err)
	}
	stored, err := policy.ParseExtJSON([]byte(expression.String()))
	if err != nil || stored.String() != expression.String() {
		t.Fatalf("%s is read as %s, %v", expression, stored, err)
	}
	byText, byLiteral := matcher(t, stored, draw.profile), match
	if ok {
		byLiteral = matcher(t, read, draw.profile)
	}
	for range 4 {
		raw := r.Document(3, "a", "b", "t", "0")
		doc, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		want := match(doc)
		if got, again := byText(doc), byLiteral(doc); got != want || again != want {
			t.Fatalf("%s takes %s (%x): %d, as Extended JSON %d, as %s %d", expression, doc.Value(), raw, want, got, literal, again)
		}
	}
}

// matcher returns whether an index with a filter holds the keys of a document.
func matcher(t testing.TB, expression policy.Value, p Profile) func(policy.Document) filter.Membership {
	t.Helper()
	f, refused := filter.Compile(expression, policy.Value{}, p.behaviour)
	if refused != nil {
		t.Fatalf("%s: %v", expression, refused)
	}
	return func(doc policy.Document) filter.Membership {
		r := record.Of(doc)
		return f.Match(&r)
	}
}

func FuzzPrintedFilter(f *testing.F) { fuzzing.Run(f, checkPrintedFilter) }
