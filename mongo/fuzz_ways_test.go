package mongo

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A way is one form in which a document can be passed.
type way struct {
	name string
	doc  policy.Document
}

// ways returns a document as raw BSON, as values in memory and, if text is true, as read
// back from Extended JSON.
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

// drawnCollection draws a collection and compiles it.
func drawnCollection(t rapid.TB, draw drawer) *Collection {
	t.Helper()
	options, indexes := draw.Collection()
	spec, err := ParseListedCollection(options, indexes)
	if err != nil {
		t.Fatal(err)
	}
	c, err := CompileCollection(spec, vectorProfile(t, draw.Release.String()))
	if err != nil {
		t.Fatalf("CompileCollection(%+v) on %s: %v", spec, draw.Release, err)
	}
	return c
}

// checkWays checks that every form of a document has the same decision, that this is the
// decision of the source with the earliest deadline, and that At agrees with Decide.
func checkWays(t testing.TB, r fuzzing.Random) {
	draw := newDrawer(r)
	c := drawnCollection(t, draw)
	raw, now := draw.Document(3, "a", "b", "t", "m", "_id", "0"), policy.Instant(r.Instant())
	d := c.DecideBSON(raw, now)
	failed := func(why string, got policy.Decision) {
		options, indexes := c.definition.collection.Documents()
		t.Fatalf("%s: %+v\nDecideBSON(%x, %d) = %+v\nby %s %s on %s", why, got, raw, now, d, options, indexes, draw.Release)
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
	if !slices.ContainsFunc(c.sources, func(s source) bool { return s.index != nil && !s.index.late.IsZero() }) { // TestModelLater
		checkAgainLater(c, d, raw, policy.Instant(r.Instant()), failed)
	}
	if ladder := c.Consulted(d); ladder[len(ladder)-1] != d.Rule {
		failed("the ladder ends elsewhere", d)
	}
}

// earliestAlone lets each source of the collection decide alone, and returns the decision
// with the earliest deadline.
func earliestAlone(c *Collection, raw []byte, now policy.Instant) (first policy.Decision) {
	for i := range c.Sources() {
		d := hidden.OnlySource(c, i).DecideBSON(raw, now)
		d.Source = uint8(i)
		if i == 0 || d.State != policy.Never && (first.State == policy.Never || drawn.Deadline(d) < drawn.Deadline(first)) {
			first = d
		}
	}
	return first
}

// checkAgainLater compares At with Decide at another instant and around the deadline,
// and reads the decision back from its text.
func checkAgainLater(c *Collection, d policy.Decision, raw []byte, later policy.Instant, failed func(string, policy.Decision)) {
	for _, at := range []policy.Instant{later, drawn.Deadline(d), drawn.Deadline(d) - 1} {
		if got, want := d.At(at), c.DecideBSON(raw, at); got != want {
			failed("At "+at.String()+", where DecideBSON says "+want.State.String(), got)
		}
	}
	if (d.At(drawn.Deadline(d)).State == policy.Expired) != (d.State != policy.Never) {
		failed("at its deadline", d.At(drawn.Deadline(d)))
	}
	var again policy.Decision
	text, err := json.Marshal(d)
	if errAgain := json.Unmarshal(text, &again); err != nil || errAgain != nil || again != d {
		failed("as text "+string(text), again)
	}
}

func FuzzWays(f *testing.F) { fuzzing.Run(f, checkWays) }

// checkPrintedFilter checks that a filter matches the same documents after it is printed as
// Extended JSON, and read again.
func checkPrintedFilter(t testing.TB, r fuzzing.Random) {
	draw := newDrawer(r).WithFilters()
	expression := policy.ObjectValue(draw.Filter())
	match := matcher(t, expression, draw.Profile)
	stored, err := policy.ParseExtJSON([]byte(expression.String()))
	if err != nil || stored.String() != expression.String() {
		t.Fatalf("%s is read as %s, %v", expression, stored, err)
	}
	again := matcher(t, stored, draw.Profile)
	for range 4 {
		raw := draw.Document(3, "a", "b", "t", "0")
		doc, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := again(doc), match(doc); got != want {
			t.Fatalf("%s takes %s (%x): %d, as Extended JSON %d", expression, doc.Value(), raw, want, got)
		}
	}
}

// matcher returns a function that reports whether an index with the filter expression
// holds the keys of a document.
func matcher(t testing.TB, expression policy.Value, p behaviour.Profile) func(policy.Document) filter.Membership {
	t.Helper()
	f, refused := filter.Compile(expression, policy.Value{}, p)
	if refused != nil {
		t.Fatalf("%s: %v", expression, refused)
	}
	return func(doc policy.Document) filter.Membership {
		r := fieldpath.Of(doc)
		return f.Match(&r)
	}
}

func FuzzPrintedFilter(f *testing.F) { fuzzing.Run(f, checkPrintedFilter) }
