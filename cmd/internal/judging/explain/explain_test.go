package explain

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestManyDates: the text shortens a long array of dates.
func TestManyDates(t *testing.T) {
	var list policy.A
	for i := range 1000 {
		list = append(list, policy.DateValue(policy.Instant(i)*1000))
	}
	e := explanationOf(t, policyflags.Flags{Index: []string{`{"at":1}`}, ExpireAfter: "1h"}, policy.ObjectValue(policy.D{{Key: "at", Value: policy.ListValue(list)}}), 0)
	var b strings.Builder
	e.Text(&cli.Printer{W: &b, Width: 80})
	if got := strings.Count(b.String(), "●"); got > 2*4 || !strings.Contains(b.String(), "more dates in at") {
		t.Errorf("%d marks of dates, want those of four and a word about the rest:\n%s", got, b.String())
	}
}

func explanationOf(t *testing.T, f policyflags.Flags, doc policy.Value, now policy.Instant) Explanation {
	t.Helper()
	p, err := f.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return Of(p, doc, now)
}

// TestTimeline draws the timeline of a document: its date, 10 days to live, and now.
func TestTimeline(t *testing.T) {
	flags := policyflags.Flags{Index: []string{`{"at":1}`}, ExpireAfter: "10d"}
	const day = 86_400_000
	for _, tc := range []struct {
		why, doc string
		now      policy.Instant
		want     string
	}{
		{"pending", `{"at":{"$date":{"$numberLong":"0"}}}`, 5 * day,
			"●━━━━━━━━━│━━━━━━━━━◆"},
		{"expired", `{"at":{"$date":{"$numberLong":"0"}}}`, 20 * day,
			"●━━━━━━━━━◆─────────│"},
		{"before it begins", `{"at":{"$date":{"$numberLong":"864000000"}}}`, 0,
			"│─────────●━━━━━━━━━◆"},
		{"never", `{"at":1}`, 0,
			"│────────────────────"},
	} {
		e := explanationOf(t, flags, fixture.Value(t, tc.doc), tc.now)
		marks, _ := timeline.Marks(e.Explanation)
		if got := e.scale(marks, 21); got != tc.want {
			t.Errorf("%s is drawn as\n%s\nwant\n%s", tc.why, got, tc.want)
		}
	}
}

func TestText(t *testing.T) {
	flags := policyflags.Flags{Container: `{"defaultTtl":10}`}
	e := explanationOf(t, flags, fixture.Value(t, `{"_ts":1795132800,"ttl":60}`), 1_795_132_830_000)
	e.Why = true
	var b strings.Builder
	e.Text(&cli.Printer{W: &b, Width: 60})
	want := `pending  expires at 2026-11-20T00:01:00.000Z (in 30 s)

Policy  Azure Cosmos DB for NoSQL, defaultTtl 10
`
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("the explanation begins with\n%.200s\nwant\n%s", got, want)
	}
	want = `
Timeline
  ●━━━━━━━━━━━━━━━━━━━━━━━━━━│━━━━━━━━━━━━━━━━━━━━━━━━━━━◆
  ● 2026-11-20T00:00:00.000Z  _ts, 30 s ago
  │ 2026-11-20T00:00:30.000Z  now
  ◆ 2026-11-20T00:01:00.000Z  deadline, in 30 s
`
	if got := b.String(); !strings.HasSuffix(got, want) || !strings.Contains(got, "  ▶ cosmos.item  decides\n") {
		t.Errorf("the explanation is\n%s\nwant it to end with\n%s", got, want)
	}
}

// TestDatesElsewhere: if the index is on a field without a Date, the explanation names
// the fields with Dates.
func TestDatesElsewhere(t *testing.T) {
	date := `{"$date":{"$numberLong":"0"}}`
	for _, tc := range []struct{ why, policy, doc, want string }{
		{"another name", `{"at":1}`, `{"a":` + date + `,"m":{"b":` + date + `}}`, "at holds no Date. The document has Dates in a, m.b."},
		{"another type", `{"at":1}`, `{"at":5,"a":` + date + `}`, "at holds no Date. The document has Dates in a."},
		{"a path", `{"m.at":1}`, `{"m":{"a":` + date + `}}`, "m.at holds no Date. The document has Dates in m.a."},
		{"an array", `{"at":1}`, `{"a":[5,` + date + `,` + date + `]}`, "at holds no Date. The document has Dates in a[]."},
		{"documents in an array", `{"at":1}`, `{"l":[{"at":` + date + `},{"at":` + date + `,"m":[[{"x":` + date + `}]]}]}`, "at holds no Date. The document has Dates in l[].at, l[].m[][].x."},
		{"the field itself", `{"at":1}`, `{"at":` + date + `,"a":` + date + `}`, ""},
		{"five at most", `{"at":1}`, `{"a":` + date + `,"b":` + date + `,"c":` + date + `,"d":` + date + `,"e":` + date + `,"f":` + date + `}`, "at holds no Date. The document has Dates in a, b, c, d, e."},
		{"hidden characters", `{"at":1}`, `{"a\u001b[2J":` + date + `}`, `at holds no Date. The document has Dates in a\u{1b}[2J.`},
		{"a long name", `{"at":1}`, `{"` + strings.Repeat("x", 100) + `":` + date + `}`, "at holds no Date. The document has Dates in " + strings.Repeat("x", 59) + "…."},
	} {
		e := explanationOf(t, policyflags.Flags{Index: []string{tc.policy}, ExpireAfter: "1"}, fixture.Value(t, tc.doc), 5000)
		if got := e.DatesElsewhere(); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.why, got, tc.want)
		}
	}
	many := `{` + strings.Repeat(`"x":1,`, 1000) + `"a":` + date + `}`
	if got := explanationOf(t, policyflags.Flags{Index: []string{`{"at":1}`}, ExpireAfter: "1"}, fixture.Value(t, many), 0).DatesElsewhere(); got != "" {
		t.Errorf("behind 1000 fields: %q", got)
	}
	long := `{"a":[` + strings.Repeat(`1,`, 1000) + date + `]}`
	if got := explanationOf(t, policyflags.Flags{Index: []string{`{"at":1}`}, ExpireAfter: "1"}, fixture.Value(t, long), 0).DatesElsewhere(); got != "" {
		t.Errorf("behind 1000 elements: %q", got)
	}
	e := explanationOf(t, policyflags.Flags{Container: `{"defaultTtl":-1}`}, fixture.Value(t, `{"_ts":1,"a":`+date+`}`), 0)
	if got := e.DatesElsewhere(); got != "" {
		t.Errorf("Cosmos DB: %q", got)
	}
}

// TestEach: each of several indexes has its own explanation, and the index that decides
// is marked.
func TestEach(t *testing.T) {
	flags := policyflags.Flags{Index: []string{`{"key":{"a":1},"expireAfterSeconds":10}`, `{"key":{"b":1},"expireAfterSeconds":5}`}}
	e := explanationOf(t, flags, fixture.Value(t, `{"b":{"$date":{"$numberLong":"0"}}}`), 0)
	var b strings.Builder
	e.Text(&cli.Printer{W: &b, Width: 80})
	if want := "    a_1: never  mongo.field-missing\n  ▶ b_1: pending 1970-01-01T00:00:05.000Z  mongo.date\n"; !strings.Contains(b.String(), want) {
		t.Errorf("the explanation is\n%s\nwant in it\n%s", b.String(), want)
	}
}

// TestNaN: a rule by which a document expires is not listed among the rules without effect.
func TestNaN(t *testing.T) {
	flags := policyflags.Flags{Index: []string{`{"key":{"at":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`}, Server: "5.0.9"}
	e := explanationOf(t, flags, fixture.Value(t, `{"at":{"$date":{"$numberLong":"0"}}}`), 0)
	e.Why = true
	var text strings.Builder
	e.Text(&cli.Printer{W: &text, Width: 80})
	js, err := json.Marshal(e.JSON())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ where, got, want string }{
		{"text", text.String(), "Policy  MongoDB 5.0.9, at_1 (expireAfterSeconds NaN, read as 0, after at)\n"},
		{"text", text.String(), "  • mongo.nan-zero  applies\n"},
		{"text", text.String(), "The server reads expireAfterSeconds NaN as 0"},
		{"text", text.String(), "  ▶ mongo.date  decides\n"},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: no %q in\n%s", tc.where, tc.want, tc.got)
		}
	}
	var out struct {
		Ladder []struct {
			ID      string
			Applies bool
		}
	}
	if err := json.Unmarshal(js, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Ladder {
		if want := r.ID == "mongo.nan-zero" || r.ID == "mongo.date"; r.Applies != want {
			t.Errorf("JSON: %s applies: %v, want %v", r.ID, r.Applies, want)
		}
	}
}

// TestNotes: every output form has the notes on how the policy was read and on parts
// without effect, and escapes names.
func TestNotes(t *testing.T) {
	flags := policyflags.Flags{Index: []string{`{"v":2,"key":{"at":1},"<b>ttl":5}`}}
	e := explanationOf(t, flags, fixture.Value(t, `{}`), 0)
	var text strings.Builder
	e.Text(&cli.Printer{W: &text, Width: 200})
	js, err := json.Marshal(e.JSON())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ got, want string }{
		{text.String(), `  Note: "<b>ttl" is not an option of an index; expireAfterSeconds is.`},
		{string(js), `"notes":["\"\u003cb\u003ettl\" is not an option of an index`},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("no %s in\n%s", tc.want, tc.got)
		}
	}
}

func TestJSON(t *testing.T) {
	e := explanationOf(t, policyflags.Flags{Index: []string{`{"at":1}`}, ExpireAfter: "1"}, fixture.Value(t, `{"at":{"$date":{"$numberLong":"0"}}}`), 1000)
	b, err := json.Marshal(e.JSON())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"state":"expired","deadline":{"time":"1970-01-01T00:00:01.000Z","ms":1000},"rule":"mongo.date","now":{"time":"1970-01-01T00:00:01.000Z","ms":1000},` +
		`"system":"mongodb","release":"` + fixture.Latest + `","assumed":true,"policy":"MongoDB ` + fixture.Latest + ` (assumed), at_1 (1 s after at)","notes":[],"source":"at_1",` +
		`"sources":[{"name":"at_1","about":"1 s after at","state":"expired","deadline":{"time":"1970-01-01T00:00:01.000Z","ms":1000},"rule":"mongo.date"}],` +
		`"dates":[{"time":"1970-01-01T00:00:00.000Z","ms":0}],"datesElsewhere":[],"ladder":[{"id":"mongo.no-ttl",`
	if !strings.HasPrefix(string(b), want) {
		t.Errorf("the JSON begins with\n%.700s\nwant\n%s", b, want)
	}
	e = explanationOf(t, policyflags.Flags{Container: `{}`}, fixture.Value(t, `{}`), 1000)
	if b, _ := json.Marshal(e.JSON()); !strings.HasPrefix(string(b), `{"state":"never","deadline":null,"rule":"cosmos.off",`) || !strings.Contains(string(b), `"dates":[]`) {
		t.Errorf("the JSON of never is %.200s", b)
	}
}

func TestRead(t *testing.T) {
	bson, err := policy.AppendBSON(nil, fixture.Value(t, `{"a":{"$numberInt":"7"}}`))
	if err != nil {
		t.Fatal(err)
	}
	file := func(text string) string {
		return filepath.Join(fixture.Files(t, map[string]string{"document": text}), "document")
	}
	for _, tc := range []struct{ why, arg, stdin string }{
		{"the argument", ` {"a":7}`, ""},
		{"canonical", `{"a":{"$numberInt":"7"}}`, ""},
		{"a file", file(`{"a":7}` + "\n"), ""},
		{"a file over several lines", file("{\n  \"a\": 7\n}\n"), ""},
		{"a BSON file", file(string(bson)), ""},
		{"standard input", "-", `{"a":7}`},
		{"nothing is standard input", "", string(bson)},
		{"UTF-16", "-", "\xff\xfe{\x00\"\x00a\x00\"\x00:\x007\x00}\x00"},
	} {
		v, err := (&Reader{}).Read(tc.arg, strings.NewReader(tc.stdin))
		if n, ok := v.Field("a").AsInt64(); err != nil || !ok || n != 7 {
			t.Errorf("%s: %v, %v, want {a: 7}", tc.why, v, err)
		}
	}
	const marked = 0xfeff // written as an int32, the length begins like text in UTF-16
	bson, err = policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "s", Value: policy.StringValue(strings.Repeat("x", marked-13))}}))
	if err != nil || len(bson) != marked {
		t.Fatalf("a document of %d bytes, %v, want %d", len(bson), err, marked)
	}
	long := file(string(bson))
	if v, err := (&Reader{}).Read(long, nil); err != nil || v.Field("s").Kind() != policy.String || Check(long) != nil {
		t.Errorf("a BSON file of %d bytes: %v, Check = %v, want none", marked, err, Check(long))
	}
	if v, err := (&Reader{Plain: true}).Read(`{"a":{"$numberInt":"7"}}`, nil); err != nil || v.Field("a").Kind() != policy.Object {
		t.Errorf("plain JSON with a wrapper: %v, %v, want it left alone", v, err)
	}
}

func TestReadMistakes(t *testing.T) {
	bson, err := policy.AppendBSON(nil, fixture.Value(t, `{"a":{"$numberInt":"7"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		why, arg, stdin string
		code            cli.ExitCode
		want            string
	}{
		{"no such file", "/no/such/file", "", cli.ExitInput, "begins with {"},
		{"a folder", os.TempDir(), "", cli.ExitInput, "folder"},
		{"empty", "", "", cli.ExitUsage, "no document"},
		{"blank", "-", " \n", cli.ExitUsage, "no document"},
		{"cut off", `{"a":`, "", cli.ExitInput, "the document: malformed Extended JSON at byte 5"},
		{"BSON, cut off", "", string(bson[:len(bson)-1]), cli.ExitInput, "malformed BSON"},
		{"BSON, two documents", "", string(bson) + string(bson), cli.ExitInput, "more than one document"},
		{"UTF-32", "-", "\xff\xfe\x00\x00{\x00\x00\x00}\x00\x00\x00", cli.ExitInput, "standard input: the text is UTF-32; convert it to UTF-8 first"},
		{"NUL", "-", "{\"a\":1} \x00", cli.ExitInput, "standard input: byte 8 is NUL"},
		{"JSON lines", "", "{\"a\":1}\n{\"a\":2}\n", cli.ExitInput, "more than one document"},
		{"an array", "", `[{"a":1}]`, cli.ExitInput, "want a document"},
		{"no JSON", "", `hello`, cli.ExitInput, "standard input: malformed"},
	} {
		_, err := (&Reader{}).Read(tc.arg, strings.NewReader(tc.stdin))
		if err == nil || cli.ExitCodeOf(err) != tc.code || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: exit %d, %v; want %d and %q", tc.why, cli.ExitCodeOf(err), err, tc.code, tc.want)
		}
	}
	broken := errors.New("broken")
	if _, err := (&Reader{}).Read("-", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a broken input: %v, want its error", err)
	}
	if _, err := (&Reader{}).Read("-", endless{}); err == nil || !strings.Contains(err.Error(), "longer than 32 MiB") {
		t.Errorf("an endless input: %v", err)
	}
}

// endless is a reader of an endless sequence of spaces.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// TestPicture: the picture holds the decision, and names appear in it only as text.
func TestPicture(t *testing.T) {
	flags := policyflags.Flags{Index: []string{
		`{"key":{"a":1},"name":"<script>alert(1)</script>","expireAfterSeconds":10}`,
		`{"key":{"b":1},"name":"b_1","expireAfterSeconds":5}`,
	}}
	e := explanationOf(t, flags, fixture.Value(t, `{"a":{"$date":{"$numberLong":"0"}}}`), 10_000)
	var svg strings.Builder
	if err := e.SVG(&svg); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg ", "</svg>\n", "expired now", "&lt;script&gt;"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("%q is not in the picture\n%s", want, svg.String())
		}
	}
	if strings.Contains(svg.String(), "<script") {
		t.Error("the name of an index became a script")
	}
}

// TestLacking: the text says what the indexed field holds in the place of a Date, and the
// value only if it may.
func TestLacking(t *testing.T) {
	for _, tt := range []struct {
		index, doc string
		noValues   bool
		want       string // the beginning; empty for no text
	}{
		{`{"at":1}`, `{"at":"2026-10-15T13:03:04Z"}`, false, `at holds a string, "2026-10-15T13:03:04Z", and not a Date. To let the document expire, `},
		{`{"at":1}`, `{"at":"2026-10-15T13:03:04Z"}`, true, `at holds a string, and not a Date. To let the document expire, `},
		{`{"at":1}`, `{"at":1760533384}`, false, `at holds a number (int), 1760533384, and not a Date. `},
		{`{"m.at":1}`, `{"m":{"at":true}}`, false, `m.at holds a boolean, true, and not a Date. `},
		{`{"at":1}`, `{"at":["x"]}`, false, `at holds an array without a Date, ["x"], and not a Date. `},
		{`{"at":1}`, `{"b":1}`, false, `The document has no field at. `},
		{`{"at":1}`, `{"at":"` + strings.Repeat("x", 500) + `\u001b"}`, false, `at holds a string, "` + strings.Repeat("x", 58) + `…, and not a Date. `},
		{`{"at":1}`, `{"at":{"$date":"2026-10-15T13:03:04Z"}}`, false, ``},
		{`{"v":2,"key":{"at":1,"b":1},"name":"x","expireAfterSeconds":5}`, `{"at":5}`, false, ``},
	} {
		after := "30d"
		if strings.Contains(tt.index, "expireAfterSeconds") {
			after = ""
		}
		e := explanationOf(t, policyflags.Flags{Index: []string{tt.index}, ExpireAfter: after}, fixture.Value(t, tt.doc), 0)
		e.NoValues = tt.noValues
		if got := e.Lacking(); !strings.HasPrefix(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s of %s: %q, want %q", tt.index, tt.doc, got, tt.want)
		}
	}
}
