package change

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const now = policy.Instant(1_795_132_800_000) // 2026-11-20

// Tests draw collections and wanted policies from these parts.
var (
	drawnOptions = []string{
		``, ``, `"expireAfterSeconds":{"$numberDouble":"NaN"}`, `"expireAfterSeconds":0`, `"expireAfterSeconds":60`, `"expireAfterSeconds":4.5`, `"expireAfterSeconds":-1`,
		`"expireAfterSeconds":2147483647`, `"expireAfterSeconds":"3600"`, `"expireAfterSeconds":{"$numberLong":"2147483648"}`, `"expireAfterSeconds":{"$numberDecimal":"NaN"}`,
	}
	drawnKeys        = []string{`{"t":1}`, `{"t":1}`, `{"t":-1}`, `{"u":1}`, `{"t":1,"u":1}`, `{"t":"hashed"}`}
	drawnExtras      = []string{``, ``, `"sparse":true`, `"hidden":true`, `"unique":true`, `"partialFilterExpression":{"k":{"$gt":1}}`, `"partialFilterExpression":{"k":1}`, `"collation":{"locale":"de"}`}
	drawnFilters     = []string{``, ``, `{"k":{"$gt":1}}`, `{"k":{"$gt":{"$numberDouble":"1.0"}}}`, `{"k":1}`}
	drawnCollections = []string{`{}`, `{}`, `{}`, `{"capped":true,"size":4096}`, `{"timeseries":{"timeField":"t","metaField":"m"}}`,
		`{"timeseries":{"timeField":"t"},"expireAfterSeconds":3600}`, `{"clusteredIndex":true,"expireAfterSeconds":60}`, `{"clusteredIndex":true}`}
	drawnReleases = []string{"2.6.0", "3.2.0", "3.6.0", "4.2.0", "4.4.0", "5.0.9", "5.0.14", "5.1.0", "6.0.1", "6.1.0", "7.0.0", "7.1.0", "8.2.0", fixture.Latest}
)

// drawCollection draws a collection that the release may hold.
func drawCollection(t *rapid.T) (c collection) {
	draw := func(list []string, label string) string { return rapid.SampledFrom(list).Draw(t, label) }
	release := draw(drawnReleases, "release")
	profile := fixture.Profile(t, release)
	c.Release, _ = mongo.ParseVersion(release)
	c.Collection = catalog.Collection{Database: "shop", Name: "logs", Profile: profile, Now: now}
	for i := range rapid.IntRange(0, 3).Draw(t, "indexes") {
		text := fmt.Sprintf(`{"v":2,"key":%s,"name":"x%d"`, draw(drawnKeys, "key"), i)
		for _, more := range []string{draw(drawnOptions, "option"), draw(drawnExtras, "extra")} {
			if more != "" {
				text += "," + more
			}
		}
		c.ListedIndexes = append(c.ListedIndexes, fixture.Value(t, text+"}"))
	}
	var err error
	if c.Spec, err = mongo.ParseListedCollection(fixture.Value(t, draw(drawnCollections, "collection")), policy.ListValue(c.ListedIndexes)); err != nil {
		t.Skip(err)
	}
	return c
}

// drawWish draws a wanted policy.
func drawWish(t *rapid.T, c *collection) (w Wanted) {
	seconds := func() int64 { return rapid.SampledFrom([]int64{0, 60, 3600, 2147483646}).Draw(t, "seconds") }
	if !IsPlain(c.Spec) && rapid.Bool().Draw(t, "own") {
		n := seconds()
		w.Own = &n
	}
	for range rapid.IntRange(0, 2).Draw(t, "wishes") {
		x := Index{Key: fixture.Value(t, rapid.SampledFrom([]string{`{"t":1}`, `{"u":-1}`}).Draw(t, "key")), Seconds: seconds()}
		if filter := rapid.SampledFrom(drawnFilters).Draw(t, "filter"); filter != "" {
			x.Partial = fixture.Value(t, filter)
		}
		if slices.ContainsFunc(w.Indexes, func(y Index) bool { return IsSameWish(x, y) || bothFilters(x, y) }) {
			continue // a file with both indexes is refused, or only the release can tell their filters apart
		}
		w.Indexes = append(w.Indexes, x)
	}
	return w
}

func bothFilters(x, y Index) bool { return !x.Partial.IsMissing() && !y.Partial.IsMissing() }

// drawDocuments draws documents with dates around now, and documents without a date.
func drawDocuments(t *rapid.T) (docs []policy.D) {
	date := func(label string) policy.Value {
		return policy.DateValue(now - policy.Instant(rapid.SampledFrom([]int64{-1000, 0, 1, 30_000, 60_000, 61_000, 3_600_000, 7_300_000, 1 << 40}).Draw(t, label)))
	}
	for range 8 {
		d := policy.D{{Key: "_id", Value: date("_id")}, {Key: "t", Value: date("t")}}
		if rapid.Bool().Draw(t, "hasU") {
			d = append(d, policy.E{Key: "u", Value: date("u")})
		}
		if k := rapid.Int32Range(0, 2).Draw(t, "k"); k > 0 {
			d = append(d, policy.E{Key: "k", Value: policy.Int32Value(k)})
		}
		docs = append(docs, d)
	}
	return docs
}

// TestPropertyPlan: for all present and wanted policies, the release accepts every
// command, one after another. After each command, no document expires before the earlier
// of its deadlines under the present and the wanted policy. After the last command, no
// item needs a change.
func TestPropertyPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCollection(t)
		w := drawWish(t, &c)
		docs := drawDocuments(t)
		items, after := c.changes(w)
		first, err := mongo.CompileCollection(c.Spec, c.Profile)
		if err != nil {
			t.Skip(err)
		}
		last, err := mongo.CompileCollection(after, c.Profile)
		if err != nil {
			t.Fatalf("the release cannot hold what the plan leaves: %v", err)
		}
		spec, refused := c.Spec, false
		for _, item := range items {
			refused = refused || item.Refused != ""
			if item.Action != Nothing && item.Refused == "" && len(item.Steps) == 0 {
				t.Fatalf("no command does %+v", item)
			}
			server := serverOf(t, &c, spec, docs)
			for _, s := range item.Steps {
				if spec, err = c.After(spec, s.Run); err != nil {
					t.Fatalf("%s is refused: %v", s.Command, err)
				}
				if script, err := mongosh.Parse(s.Command, now); err != nil || len(script.Calls) != 1 {
					t.Fatalf("%s cannot be read: %v", s.Command, err)
				}
				checkNotEarly(t, docs, s.Command, compiled(t, &c, spec), first, last)
			}
			checkSaid(t, server, item, docs)
		}
		if !refused {
			checkReached(t, &c, w, spec)
			checkWished(t, &c, w, docs, compiled(t, &c, spec))
		}
	})
}

// serverOf returns a server that holds the collection with this spec, and documents.
func serverOf(t *rapid.T, c *collection, spec mongo.CollectionSpec, docs []policy.D) *catalogtest.Server {
	one := &catalogtest.Collection{Mongo: spec}
	for i, d := range docs {
		one.Documents = append(one.Documents, catalogtest.Document{Name: fmt.Sprint(i), Value: d})
	}
	return &catalogtest.Server{System: definition.MongoDB, Release: c.Release.String(), Now: now, Collections: map[string]*catalogtest.Collection{"logs": one}}
}

var saysGone = regexp.MustCompile(`This deletes every (document|bucket) (that the filter takes in and )?whose (\S+) (?:is|ended) (past|more than (.+) ago), as soon as it runs\.$`)

// checkSaid has a server carry out the printed commands of an item. If the commands
// delete further documents, the warning of the last command must describe each of these
// documents.
func checkSaid(t *rapid.T, server *catalogtest.Server, item Item, docs []policy.D) {
	if len(item.Steps) == 0 {
		return
	}
	before, err := server.Gone(now)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range item.Steps {
		if _, err := server.Run(s.Command, nil); err != nil {
			t.Fatalf("%s: %v", s.Command, err)
		}
	}
	after, err := server.Gone(now)
	if err != nil {
		t.Fatal(err)
	}
	said := saysGone.FindStringSubmatch(item.Steps[len(item.Steps)-1].Warning)
	for i, doc := range docs {
		name := fmt.Sprintf("logs/%d", i)
		switch {
		case !after[name] || before[name] || said != nil && said[1] == "bucket":
		case said == nil:
			t.Fatalf("%v goes by %+v, and no step says so", doc, item.Steps)
		default:
			at, ok := doc.Field(said[3]).AsDate()
			age, known := spans[said[5]]
			if !ok || !known || int64(now-at) < age*1000 {
				t.Fatalf("%v goes by %+v, and is not as it says", doc, item.Steps)
			}
		}
	}
}

// spans gives the seconds of each drawn time to live, by its text.
var spans = map[string]int64{"": 0, "1 min": 60, "60 s": 60, "1 h": 3600, "2,147,483,646 s": 2147483646}

func compiled(t *rapid.T, c *collection, spec mongo.CollectionSpec) *mongo.Collection {
	by, err := mongo.CompileCollection(spec, c.Profile)
	if err != nil {
		t.Fatal(err)
	}
	return by
}

// checkNotEarly checks that after a command of the plan, no document expires before the
// earlier of its deadlines in the first and the last state.
func checkNotEarly(t *rapid.T, docs []policy.D, command string, by, first, last *mongo.Collection) {
	for _, doc := range docs {
		d := by.Decide(doc, now)
		if d.State == policy.Never {
			continue
		}
		a, b := first.Decide(doc, now), last.Decide(doc, now)
		isEarly := func(x policy.Decision) bool {
			return x.State == policy.Never || fixture.Deadline(x) > fixture.Deadline(d)
		}
		if isEarly(a) && isEarly(b) {
			t.Fatalf("after %s, %v expires at %v by %s; %v before all of it, %v after", command, doc, fixture.Deadline(d), d.Rule, a, b)
		}
	}
}

// checkReached plans again from the result of the commands, and checks that no item needs
// a change.
func checkReached(t *rapid.T, c *collection, w Wanted, spec mongo.CollectionSpec) {
	again := c.with(spec)
	items, _ := again.changes(w)
	for _, item := range items {
		if item.Action != Nothing {
			t.Fatalf("there is still %s %s to do: %q, %q", item.Action, item.Name, item.Before, item.After)
		}
	}
}

// checkWished compares the deadlines after the last command with the wanted policy. It
// computes the wanted deadline itself: the earliest by the wanted indexes whose filter
// matches the document, and by _id if the collection's own option is wanted.
func checkWished(t *rapid.T, c *collection, w Wanted, docs []policy.D, by *mongo.Collection) {
	if !c.Spec.TimeSeries.IsMissing() || c.Spec.Capped {
		return // documents of a time-series collection expire by bucket, and those of a capped collection not in every release
	}
	for _, doc := range docs {
		want, ok := policy.MaxInstant, false
		add := func(date policy.Value, seconds int64) {
			if at, isDate := date.AsDate(); isDate {
				want, ok = min(want, at+policy.Instant(seconds*1000)), true
			}
		}
		if w.Own != nil {
			add(doc.Field("_id"), *w.Own)
		}
		for _, x := range w.Indexes {
			if takesIn(x.Partial.String(), doc) {
				add(doc.Field(policy.DOf(x.Key)[0].Key), x.Seconds)
			}
		}
		d := by.Decide(doc, now)
		if late := fixture.Deadline(d) - want; (d.State != policy.Never) != ok || ok && late != 0 && late != 1 { // the first releases with TTL indexes delete a millisecond later
			t.Fatalf("in the end %v: %v at %v, want %v at %v", doc, d, fixture.Deadline(d), ok, want)
		}
	}
}

// takesIn reports whether a drawn filter matches a document.
func takesIn(filter string, doc policy.D) bool {
	k, ok := doc.Field("k").AsInt64()
	switch {
	case filter == "missing":
		return true
	case strings.Contains(filter, "$gt"):
		return ok && k > 1
	}
	return k == 1
}
