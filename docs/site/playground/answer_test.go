package playground

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestAnswer(t *testing.T) {
	s := onMongo("8.0.4", `[{key: {a: 1}, expireAfterSeconds: 10}, {key: {b: 1}, expireAfterSeconds: 5}]`, `{a: ISODate("2026-11-20T12:00:00Z"), b: "x"}`, "2026-11-20T12:00:10Z")
	a := Of(s, View{Width: 500})
	if a.Verdict != policy.Expired || a.Millis != "1795176010000" || a.Rule != "mongo.date" || a.Policy != "MongoDB 8.0.4, a_1 (10 s after a), b_1 (5 s after b)" {
		t.Errorf("%v at %s by %s of %s", a.Verdict, a.Millis, a.Rule, a.Policy)
	}
	if last := a.Ladder[len(a.Ladder)-1]; !last.Decides || last.ID != "mongo.date" || last.Confidence != "source" || len(last.Sources) == 0 || a.Ladder[0].Decides {
		t.Errorf("the ladder ends with %+v", last)
	}
	want := []Verdict{{"a_1", "10 s after a", policy.Expired, "2026-11-20T12:00:10.000Z", "mongo.date", true}, {"b_1", "5 s after b", policy.Never, "", "mongo.field-not-date", false}}
	if diff := cmp.Diff(want, a.Each); diff != "" {
		t.Errorf("each (-want +got):\n%s", diff)
	}
	for _, want := range []string{`width="500"`, "data-drag", `role="slider"`} {
		if !strings.Contains(a.Timeline, want) {
			t.Errorf("%q is not in the timeline", want)
		}
	}
	if a.Stops[a.Stop].Label != "8.0.4–8.0.11" {
		t.Errorf("8.0.4 is at %+v", a.Stops[a.Stop])
	}
}

// TestAnswerKeepsScale: dragging now does not change the scale of the picture.
func TestAnswerKeepsScale(t *testing.T) {
	s := Examples()[0].State
	for _, tc := range []struct{ first, last, want string }{
		{"1795175000000", "1795177000000", `data-first="1795175000000" data-last="1795177000000"`},
		{"-9223372036854775808", "9223372036854775807", `data-first="-9223372036854775808" data-last="9223372036854775807"`},
		{"9", "3", `data-first="1795175994375"`}, // Last is before First, so that the scale fits the answer
		{"x", "", `data-first="1795175994375"`},
	} {
		if a := Of(s, View{First: tc.first, Last: tc.last}); !strings.Contains(a.Timeline, tc.want) {
			t.Errorf("from %s to %s: no %s in %.600s", tc.first, tc.last, tc.want, a.Timeline)
		}
	}
}

func TestProblems(t *testing.T) {
	core := func(container, item string) State { return onCore(container, item, "") }
	for _, tc := range []struct {
		why          string
		state        State
		editor       string
		line, column int
		offset       int
		message      string
	}{
		{"a date", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", "{\n  a: ISODat(\"x\")\n}", ""), "document", 2, 6, 7, "ISODat cannot be read here: put text between quotes, as in \"ISODat\", and write a date as"},
		{"beyond 16 bits", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", "{'👋': ]}", ""), "document", 1, 7, 7, "want a value"},
		{"no index either", onMongo("", "5", "{}", ""), "policy", 1, 1, 0, "want an index such as"},
		{"a method", onMongo("", "db.a.createIndex({a: 1}, {expireAfterSeconds: 1})\ndb.a.drop()", "{}", ""), "policy", 2, 1, 50, "drop is not read here"},
		{"options", onMongo("", "db.a.createIndex({a: 1}, 5)", "{}", ""), "policy", 1, 1, 0, "want a document"},
		{"a filter", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1,\n partialFilterExpression: {a: {$ne: 1}}}", "{}", ""), "policy", 2, 32, 68, "$ne"},
		{"a list for a document", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", "[1]", ""), "document", 1, 1, 0, "want a document, or several between [ and ], not int"},
		{"a find", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", "db.a.find({})", ""), "document", 1, 1, 0, "insertOne"},
		{"now", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", "{}", "soon"), "now", 1, 1, 0, "want an instant"},
		{"a container", core("{\n \"defaultTtl\": 010}", "{}"), "policy", 2, 17, 18, ""},
		{"an item", core("{}", "{'a': 1}"), "document", 1, 2, 1, ""},
		{"a path", core(`{"defaultTtl": 1, "ttlPropertyPath": 5}`, "{}"), "policy", 1, 1, 0, "ttlPropertyPath"},
		{"a path that is not one", core(`{"defaultTtl": 1, "ttlPropertyPath": "a"}`, "{}"), "policy", 1, 1, 0, "is not a path"},
		{"no key for the API", onAPI("{key: {}, expireAfterSeconds: 1}", "{}", ""), "policy", 1, 1, 0, "has no key"},
		{"too long", onMongo("", "{key: {a: 1}, expireAfterSeconds: 1}", strings.Repeat(" ", 300<<10), ""), "document", 1, 262145, 262144, "longer than"},
		{"a _ts of text", core(`{"defaultTtl": 10}`, "{\n\"_ts\": \"1795176000\"}"), "document", 2, 2, 3, "_ts is no whole number (string)"},
		{"too long for an item", core("{}", strings.Repeat(" ", 300<<10)), "document", 1, 262145, 262144, "longer than"},
	} {
		a := Of(tc.state, View{})
		if len(a.Problems) != 1 {
			t.Errorf("%s: problems %v, want one", tc.why, a.Problems)
			continue
		}
		p := a.Problems[0]
		if p.Editor != tc.editor || p.Line != tc.line || p.Column != tc.column || p.Offset != tc.offset || !strings.Contains(p.Message, tc.message) {
			t.Errorf("%s: %+v, want line %d, column %d, offset %d of %s, and %q", tc.why, p, tc.line, tc.column, tc.offset, tc.editor, tc.message)
		}
		if a.Timeline != "" || a.Command != "" {
			t.Errorf("%s: an answer beside the problem", tc.why)
		}
	}
}

// TestSegments: the segments cover the stops in order, neighbours differ, and they
// flip where the vendor says.
func TestSegments(t *testing.T) {
	flips := func(s State) (list []string) {
		a := Of(s, View{})
		for i, segment := range a.Segments {
			if i == 0 && segment.First != 0 || i > 0 && segment.First != a.Segments[i-1].Last+1 || i == len(a.Segments)-1 && segment.Last != len(a.Stops)-1 {
				t.Errorf("segment %d of %d stops is %+v", i, len(a.Stops), segment)
			}
			first, _, _ := strings.Cut(a.Stops[segment.First].Label, "–")
			list = append(list, first+" "+segment.Verdict.String()+" "+segment.Rule)
		}
		return list
	}
	want := []string{"2.2 expired mongo.date-strict", "3.2.0 expired mongo.date", "3.4 never mongo.nan-aborts", "4.2.22 never mongo.nan-skipped", "4.4.0 never mongo.nan-aborts", "4.4.16 never mongo.nan-skipped", "5.0.0 expired mongo.date", "5.0.14 never mongo.nan-skipped", "5.1 expired mongo.date", "6.0.2 never mongo.nan-skipped"}
	got := flips(onMongo("", nanIndex, oldDate, ""))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("NaN by release (-want +got):\n%s", diff)
	}
	want = []string{"2.2 expired mongo.date-strict", "3.2.0 never mongo.filter-mismatch", "9.0 expired mongo.date"}
	if diff := cmp.Diff(want, flips(example(t, "null on a dotted path, by release").State)); diff != "" {
		t.Errorf("null on a dotted path by release (-want +got):\n%s", diff)
	}
	want = []string{"2.2 pending mongo.date-strict", "3.2.0 expired mongo.date"}
	if diff := cmp.Diff(want, flips(example(t, "Exactly at the deadline in 3.0").State)); diff != "" {
		t.Errorf("the threshold by release (-want +got):\n%s", diff)
	}
	want = []string{"3.2 never cosmos.mongo-index-unspecified", "4.2 pending cosmos.mongo-field"}
	if diff := cmp.Diff(want, flips(example(t, "TTL on another field, by capability").State)); diff != "" {
		t.Errorf("a field of the API for MongoDB (-want +got):\n%s", diff)
	}
	if a := Of(example(t, "No default, no ttl").State, View{}); len(a.Segments)+len(a.Stops) > 0 {
		t.Errorf("Cosmos DB has no releases, got %v", a.Segments)
	}
}

// TestReleases compares the lines of releases with those of the vectors, and the stops with
// the profiles.
func TestReleases(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/suite.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Releases map[string]struct{ All []string }
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	var got, api []string
	for _, line := range lines() {
		name := line.String()
		if line.Patch > 0 {
			name = mongo.Version{Major: line.Major, Minor: line.Minor}.String() + "-" + name
		}
		got = append(got, name)
	}
	for _, stop := range cosmosStops {
		api = append(api, stop.Release)
	}
	if diff := cmp.Diff(suite.Releases["mongodb"].All, got); diff != "" {
		t.Errorf("lines (-suite +playground):\n%s", diff)
	}
	if diff := cmp.Diff(suite.Releases["cosmos-mongo"].All, api); diff != "" {
		t.Errorf("the API's versions (-suite +playground):\n%s", diff)
	}
	for _, line := range lines() {
		for v := (mongo.Version{Major: line.Major, Minor: line.Minor}); v.Patch <= line.Patch; v.Patch++ {
			stop, err := mongo.ParseVersion(mongoStops()[stopAt(mongoStops(), v.String())].Release)
			if err != nil || profileOf(stop) != profileOf(v) || stop.Major != v.Major || stop.Minor != v.Minor {
				t.Errorf("%s is judged as %s, which is another profile", v, stop)
			}
		}
	}
}

func TestNotices(t *testing.T) {
	for _, tc := range []struct {
		state State
		want  string // "" for none
	}{
		{onMongo(fixture.Latest, "{key: {a: 1, b: 1}, expireAfterSeconds: 10}", "{}", ""), "MongoDB " + fixture.Latest + " refuses index a_1_b_1 today: key: TTL indexes are single-field"},
		{onMongo("4.0.28", "{key: {a: 1, b: 1}, expireAfterSeconds: 10}", "{}", ""), ""},
		{onMongo("6.2.1", nanIndex, "{}", ""), "Whether MongoDB 6.2.1 accepts index at_1 today is unspecified"},
		{onCore(`{"defaultTtl": 0}`, `{}`, ""), "Azure Cosmos DB refuses this container today"},
		{onCore(`{"defaultTtl": 5}`, `{"ttl": 0}`, ""), "Azure Cosmos DB refuses this item today"},
		{onCore(`{"defaultTtl": 5}`, `{"ttl": 5, "_ts": 1795170000}`, ""), ""},
		{onCore(`{"defaultTtl": 5}`, `{"ttl": 5}`, ""), "The document says no _ts, the time of its last write, which the service keeps. The answer is for one that was written just now."},
		{onCore(`{}`, `{"ttl": 5}`, ""), ""},
		{onMongo(fixture.Latest, "{key: {a: 1}, expireAfterSeconds: 10}", "{}", "1795176000"), "The number 1795176000 is read as 2026-11-20T12:00:00.000Z."},
		{onMongo(fixture.Latest, `db.createCollection("c", {timeseries: {timeField: "t"}, expireAfterSeconds: 3600})`, "{}", ""), "from which nothing has been deleted"},
	} {
		got := Of(tc.state, View{}).Notices
		if (tc.want == "") != (len(got) == 0) || !strings.Contains(strings.Join(got, "\n"), tc.want) {
			t.Errorf("%s in %s: notices %q, want %q", tc.state.Policy, tc.state.Release, got, tc.want)
		}
	}
}

// TestDocumentDB: DocumentDB has stops of its own, and the strip shows where its releases differ.
func TestDocumentDB(t *testing.T) {
	s := onMongo("documentdb", `{key: {at: 1}, expireAfterSeconds: 3600}`, `{at: ISODate("2026-11-20T11:00:00Z")}`, "2026-11-20T12:00:00Z")
	a := Of(s, View{})
	last := len(a.Stops) - 1
	if last < 0 || a.State.Release != "documentdb@0.112" || a.Stops[last].Release != a.State.Release || a.Stop != last || a.Stops[0].Release == "" || !strings.HasPrefix(a.Stops[0].Label, "0.102") {
		t.Errorf("the newest is %q, at %d of %+v", a.State.Release, a.Stop, a.Stops)
	}
	if len(a.Segments) == 0 || a.Segments[len(a.Segments)-1].Last != last || a.Rule != "documentdb.date" || a.Verdict != policy.Pending {
		t.Errorf("it answers %v by %s, in %+v; want pending at the deadline by documentdb.date", a.Verdict, a.Rule, a.Segments)
	}
	s.Release = "documentdb@0.105"
	if a := Of(s, View{}); a.State.Release != s.Release || a.Stop != 0 {
		t.Errorf("0.105 is read as %q, at the stop %d of %+v", a.State.Release, a.Stop, a.Stops)
	}
}

// TestNaN: the rule that deletes the document is named in the sentence, on the
// ladder and in the segments.
func TestNaN(t *testing.T) {
	a := Of(onMongo("5.0.9", nanIndex, oldDate, ""), View{})
	if want := "; expireAfterSeconds is NaN, which MongoDB 5.0.9 reads as 0 (mongo.nan-zero). "; !strings.Contains(a.Sentence, want) {
		t.Errorf("the sentence is %q, want %q in it", a.Sentence, want)
	}
	for _, r := range a.Ladder {
		if want := r.ID == "mongo.nan-zero" || r.ID == "mongo.date"; r.Applies != want {
			t.Errorf("%s applies: %v, want %v", r.ID, r.Applies, want)
		}
	}
	for _, s := range a.Segments {
		if want := map[policy.State]string{policy.Expired: "mongo.nan-zero"}[s.Verdict]; s.Applies != want {
			t.Errorf("%s: %q applies beside %s, want %q", a.Stops[s.First].Label, s.Applies, s.Rule, want)
		}
	}
	for _, r := range Of(onMongo("5.0.9", `{key: {at: 1}, expireAfterSeconds: 5}`, oldDate, ""), View{}).Ladder {
		if r.Applies != r.Decides {
			t.Errorf("without a NaN %s applies: %v, and decides: %v", r.ID, r.Applies, r.Decides)
		}
	}
}

// TestTypedDates: a value that is not a Date in the shell is not a date, and the
// page says so.
func TestTypedDates(t *testing.T) {
	for _, tc := range []struct {
		document string
		verdict  policy.State
		rule     string
		notice   string // "" for none
	}{
		{`{at: Date()}`, policy.Never, "mongo.field-not-date", "Date() without new is a string; a TTL index ignores it"},
		{`db.a.insertOne({at: Date("2026-11-20T11:00:00Z")})`, policy.Never, "mongo.field-not-date", "Date() without new is a string; a TTL index ignores it"},
		{`{at: Date.now()}`, policy.Never, "mongo.field-not-date", "Date.now() is a number; a TTL index of MongoDB ignores it"},
		{`{at: [Date(), ISODate("2026-11-20T11:00:00Z")]}`, policy.Expired, "mongo.array-earliest", "Date() without new is a string"},
		{`{at: new Date("2026-11-20T11:00:00Z")}`, policy.Expired, "mongo.date", ""},
		{`{at: new Date("2026-11-20 11:00")}`, policy.Expired, "mongo.date", ""},
		{`{"at": {"$date": 1795172400000}}`, policy.Expired, "mongo.date", ""},
		{`{"at": {"$date": 1795172400}}`, policy.Expired, "mongo.date", "If it was meant in seconds, add three zeros"},
		{`{"at": {"$date": "2026-11-20 11:00"}}`, policy.Expired, "mongo.date", ""},
	} {
		a := Of(onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60}`, tc.document, "2026-11-20 12:00"), View{})
		if len(a.Problems) > 0 || a.Verdict != tc.verdict || a.Rule != tc.rule {
			t.Errorf("%s is %v by %s, problems %v, want %v by %s", tc.document, a.Verdict, a.Rule, a.Problems, tc.verdict, tc.rule)
		}
		if got := strings.Join(a.Notices, "\n"); (tc.notice == "") != (got == "") || !strings.Contains(got, tc.notice) {
			t.Errorf("%s: notices %q, want %q", tc.document, got, tc.notice)
		}
	}
	a := Of(onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60, partialFilterExpression: {s: {$gt: Date()}}}`, `{at: ISODate("2026-11-20T11:00:00Z"), s: "Z"}`, ""), View{})
	if a.Verdict != policy.Expired || len(a.Notices) != 1 || !strings.Contains(a.Notices[0], "Date() without new") {
		t.Errorf("a filter with Date(): %v, notices %q, want expired, for a string compares with the string, and a word about it", a.Verdict, a.Notices)
	}
}

// TestLegacyNull: the parameter of 9.0 restores the older reading of null, is
// offered where a server has it, and is in every form that is copied
// (9.0-compatibility: Null Equality Match on Dotted Paths).
func TestLegacyNull(t *testing.T) {
	s := example(t, "null on a dotted path, by release").State
	s.LegacyNull = true
	for _, tc := range []struct {
		release string
		offered bool
		want    policy.State
	}{
		{"8.3.11", false, policy.Never},
		{fixture.Latest, true, policy.Never},
	} {
		s.Release = tc.release
		if a := Of(s, View{}); a.HasLegacyNull != tc.offered || a.Verdict != tc.want || len(a.Problems) > 0 {
			t.Errorf("%s: offered %v, %v, problems %v, want %v, %v", tc.release, a.HasLegacyNull, a.Verdict, a.Problems, tc.offered, tc.want)
		}
	}
	s.System, s.Release = definition.CosmosMongo, "7.0"
	if Of(s, View{}).HasLegacyNull {
		t.Error("the API for MongoDB is offered the parameter, which it does not have")
	}
	s.System, s.Release = definition.MongoDB, fixture.Latest
	if got := Of(s, View{}).Command; !strings.Contains(got, "--server-parameter internalQueryLegacyDottedPathNullSemantics=true ") {
		t.Errorf("the command is\n%s\nwithout the parameter", got)
	}
	if s.LegacyNull = false; Of(s, View{}).Verdict != policy.Expired {
		t.Error("without the parameter the document stays, want expired")
	}
}

// TestFragmentProperty: a link holds the State that it was made from.
func TestFragmentProperty(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "#&=+%", "{a: 1}\n", "👋 \x00", "a+b c"}))
	rapid.Check(t, func(t *rapid.T) {
		s := State{System: rapid.SampledFrom([]string{definition.MongoDB, definition.CosmosMongo, definition.CosmosNoSQL, "x"}).Draw(t, "system"), Release: rapid.SampledFrom([]string{"", "8.0.4", "4.2", "99.0", "x"}).Draw(t, "release"),
			CustomPath: rapid.Bool().Draw(t, "custom"), LegacyNull: rapid.Bool().Draw(t, "legacy"), Policy: text.Draw(t, "policy"), Document: text.Draw(t, "document"), Now: text.Draw(t, "now")}.normal()
		got, ok := ParseFragment(s.Fragment())
		if ok != (s.Policy+s.Document != "") || ok && got != s {
			t.Fatalf("%+v becomes %s and then %+v", s, s.Fragment(), got)
		}
	})
}

func TestParseFragment(t *testing.T) {
	for _, fragment := range []string{"", "verdict", "%zz", "s=mongodb"} {
		if s, ok := ParseFragment(fragment); ok {
			t.Errorf("ParseFragment(%q) = %+v, want none", fragment, s)
		}
	}
	got, ok := ParseFragment("s=mongodb&v=1.0&p=a&d=b")
	if want := (State{System: "mongodb", Release: fixture.Latest, Policy: "a", Document: "b"}); !ok || got != want {
		t.Errorf("a release that there is not: %+v, want %+v", got, want)
	}
}

// FuzzOf: every text has an answer, or a problem within the text.
func FuzzOf(f *testing.F) {
	for i, x := range Examples() {
		f.Add(uint8(i), x.State.Release, x.State.Policy, x.State.Document, x.State.Now)
	}
	systems := []string{definition.MongoDB, definition.CosmosMongo, definition.CosmosNoSQL}
	f.Fuzz(func(t *testing.T, system uint8, release, rules, document, now string) {
		s := State{System: systems[int(system)%3], Release: release, CustomPath: system > 100, LegacyNull: system%2 == 1, Policy: rules, Document: document, Now: now}
		a := Of(s, View{})
		isWhole := len(a.Problems) == 0 && a.Half.Kind == ""
		if isWhole != (a.Timeline != "") {
			t.Fatalf("%+v: problems %v and a timeline of %d bytes", s, a.Problems, len(a.Timeline))
		}
		texts := map[string]string{"policy": rules, "document": document, "now": now}
		for _, p := range a.Problems {
			if p.Line < 1 || p.Column < 1 || p.Offset < 0 || p.Offset > len(utf16.Encode([]rune(texts[p.Editor]))) || p.Message == "" {
				t.Fatalf("%+v: %+v", s, p)
			}
		}
		if _, err := json.Marshal(a); err != nil {
			t.Fatal(err)
		}
		if n := len(a.Ladder); isWhole && (n == 0 || !a.Ladder[n-1].Decides || slices.ContainsFunc(a.Ladder[:n-1], func(r LadderRule) bool { return r.Decides })) {
			t.Fatalf("%+v: the ladder is %v", s, a.Ladder)
		}
	})
}

// onMongo returns a State of MongoDB.
func onMongo(release, indexes, document, now string) State {
	return State{System: definition.MongoDB, Release: release, Policy: indexes, Document: document, Now: now}.normal()
}

// onAPI returns a State of the API for MongoDB, version 4.2.
func onAPI(indexes, document, now string) State {
	return State{System: definition.CosmosMongo, Release: "4.2", Policy: indexes, Document: document, Now: now}.normal()
}

// onCore returns a State of Cosmos DB for NoSQL.
func onCore(container, item, now string) State {
	return State{System: definition.CosmosNoSQL, Policy: container, Document: item, Now: now}.normal()
}

const (
	nanIndex = `{ key: { at: 1 }, name: "at_1", expireAfterSeconds: NaN }`
	tsIndex  = `db.coll.createIndex({ "_ts": 1 }, { expireAfterSeconds: 10 })`
	oldDate  = `{ at: ISODate("2026-11-20T11:00:00Z") }`
)
