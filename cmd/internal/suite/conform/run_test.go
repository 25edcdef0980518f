package conform

import (
	"bytes"
	"encoding/xml"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// stubborn answers as the reference does, except that nothing in an array
// expires and that it breaks on a partial index.
type stubborn struct{}

func (stubborn) Hello() conformance.Hello {
	return conformance.Hello{
		Name: "stub|born", Version: "1.0 <b>", Ops: []string{"mongodb.decide", "cosmos.decide", "mongodb.fly"},
		Systems:  map[string]string{"mongodb": "8.0.4", "cosmos-nosql": "*", "cosmos-mongo": ">=99.0", "oracle": "*"},
		RuleSets: []string{"mongodb-core"}, Features: []string{"deadline", "partial-index", "telepathy"},
	}
}

func (stubborn) Ask(q conformance.Question) conformance.Answer {
	switch in := string(q.In); {
	case strings.Contains(in, "partialFilterExpression"):
		return conformance.Answer{Kind: conformance.KindCrash, Text: "exit status 1 # \x1b[2J"}
	case strings.Contains(in, `"t":[`):
		return conformance.Answer{Kind: conformance.KindOut, Out: []byte(`{"state":"never","deadline":null}`)}
	case strings.Contains(in, `"ttl":null`):
		return conformance.Unknown("no <item> has null")
	case strings.Contains(in, `"ttl":-1`):
		return conformance.OnBoundary("it was too late")
	}
	return library.New().Ask(q)
}

// stubbornReport is the suite's report about stubborn. The system is asked once, so the
// report is diagnosed once.
var stubbornReport = sync.OnceValues(func() (*results.Report, error) {
	answered, err := suite.Run(suite.Embedded(), stubborn{})
	if err != nil {
		return nil, err
	}
	return results.New(answered, results.KnownFailures{
		{ID: "mongodb-array-one-date", Reason: "arrays # are new", Issue: "https://example.org/1", Since: "0.1.0"},
		{ID: "mongodb-date-on-deadline", Reason: "was wrong", Issue: "https://example.org/2", Since: "0.1.0"},
	}), nil
})

// sample returns a run with all outcomes in it.
func sample(t *testing.T) Run {
	t.Helper()
	judged, err := stubbornReport()
	if err != nil {
		t.Fatal(err)
	}
	r := Run{Report: judged, Runner: "ttl test", Mode: "lockstep", Ended: 3, Command: []string{"./stub"}}
	count := r.Count()
	for _, o := range []suite.Outcome{suite.Pass, suite.Fail, suite.Broken, suite.Known, suite.Observed, suite.Inapplicable, suite.Unaskable, suite.Boundary} {
		if count[o] == 0 {
			t.Fatalf("the sample has no check that is %s: %v", o, count)
		}
	}
	return r
}

func written(t *testing.T, r Run, form string) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b, form); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(b.String(), '\x1b') {
		t.Errorf("%s: a terminal would obey what the program said", form)
	}
	return b.String()
}

func TestWriteRefuses(t *testing.T) {
	if err := sample(t).Write(&bytes.Buffer{}, "pdf"); err == nil || !strings.Contains(err.Error(), "html, json") {
		t.Errorf("Write(pdf): %v", err)
	}
}

// TestText: only findings that need action are shown.
func TestText(t *testing.T) {
	r := sample(t)
	var short, long bytes.Buffer
	if err := r.Text(&cli.Printer{W: &short}, false); err != nil {
		t.Fatal(err)
	}
	if err := r.Text(&cli.Printer{W: &long}, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"stub|born 1.0 <b>", "mongodb 8.0.4", "mongodb-core           nonconformant",
		"FAIL  mongo.array-earliest", "mongodb-array-old-and-future@", "likely misreading: ", "NOTE  the program ended 3 times", "does not know: op mongodb.fly, releases of cosmos-mongo in >=99.0, system oracle, feature telepathy",
		"more of this rule; --all shows them", "PASSES  mongodb-date-on-deadline", "KNOWN  1 vector fails",
		"does not conform to what it claims: ", "always answers never passes", `exit status 1 # \u{1b}[2J`,
	} {
		if !strings.Contains(short.String(), want) {
			t.Errorf("no %q in\n%s", want, short.String())
		}
	}
	if strings.Contains(short.String(), "mongodb-array-one-date@") {
		t.Error("a known failure is shown as one that needs action")
	}
	for _, f := range r.Findings() {
		if !strings.Contains(long.String(), f.First().Vector.ID+"@") {
			t.Errorf("--all does not show %s", f.First().Vector.ID)
		}
	}
	if long.Len() <= short.Len() || strings.Contains(long.String(), "--all shows") {
		t.Error("--all leaves something out")
	}
}

// TestTextNamesWhatIsMissing: a rule set that is incomplete for a claim says which claim.
func TestTextNamesWhatIsMissing(t *testing.T) {
	hello := conformance.Hello{Name: "modest", Ops: []string{"mongodb.decide"}, Systems: map[string]string{"mongodb": "8.0.4"}, RuleSets: []string{"mongodb-multi-index"}, Features: []string{"several-indexes"}}
	answered, err := suite.Run(suite.Embedded(), conformance.NewSystem(hello, library.New().Ask))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := (Run{Report: results.New(answered, nil)}).Text(&cli.Printer{W: &text}, false); err != nil {
		t.Fatal(err)
	}
	if want := "\n    mongo.earliest-source is incomplete; vectors of it that were not asked: 1, such as mongodb-createindexes-beside-other-field (mongodb.createIndexes is not claimed)\n"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
}

// TestNotFoundOut: an answer that could not be found out is in every form that has
// more than a verdict, with its reason, and is no failure.
func TestNotFoundOut(t *testing.T) {
	r := sample(t)
	var text bytes.Buffer
	if err := r.Text(&cli.Printer{W: &text}, false); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		form, text string
		want       []string
	}{
		{"text", text.String(), []string{"UNASKABLE  ", "checks: no <item> has null", "BOUNDARY  ", "checks: it was too late", " unaskable, ", " on a boundary"}},
		{"html", written(t, r, "html"), []string{"<h2>Not found out</h2>", "<td>no &lt;item&gt; has null</td>", "<td>boundary</td>", " on a boundary."}},
		{"json", written(t, r, "json"), []string{`"outcome":"unaskable"`, `"outcome":"boundary"`, `"answer":{"unknown":"no \u003citem\u003e has null"}`}},
		{"junit", written(t, r, "junit"), []string{`<skipped message="unaskable: no &lt;item&gt; has null">`, `<skipped message="boundary: it was too late">`}},
	} {
		for _, want := range tt.want {
			if !strings.Contains(tt.text, want) {
				t.Errorf("%s: no %q", tt.form, want)
			}
		}
	}
	for _, f := range r.Findings() {
		if k := f.First().Answer.Kind; k == conformance.KindUnknown || k == conformance.KindBoundary {
			t.Errorf("%s fails by %s", f.First().Vector.ID, f.First().Answer)
		}
	}
}

// TestCausesAreShownOnce: a cause that makes several rules fail has a section of its own,
// with the number of failures. Failures that delete live data are marked.
func TestCausesAreShownOnce(t *testing.T) {
	r := sample(t)
	causes, _ := r.failures()
	if len(causes) != 1 || causes[0].Count() < 10 {
		t.Fatalf("%d causes, want one: the crash of partial indexes", len(causes))
	}
	var text bytes.Buffer
	if err := r.Text(&cli.Printer{W: &text}, false); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "mongodb.decide: crash: exit status 1"); n != 1 {
		t.Errorf("the cause is a title %d times, want once", n)
	}
	broken := *r.Report.Report
	broken.Checks = append([]suite.Check(nil), broken.Checks...)
	for i := range broken.Checks {
		if broken.Checks[i].Outcome == suite.Fail {
			broken.Checks[i].Detail = "state is expired, want never"
		}
	}
	r.Report = results.New(&broken, nil)
	if !strings.Contains(written(t, r, "html"), "deletes what must stay") {
		t.Error("the page does not mark what costs data")
	}
}

func TestVerdict(t *testing.T) {
	right, err := suite.Run(suite.Embedded(), library.New())
	if err != nil {
		t.Fatal(err)
	}
	known := *right
	known.Checks = append([]suite.Check(nil), right.Checks...)
	known.Checks[0].Outcome = suite.Known
	for _, tt := range []struct {
		run  Run
		want string
	}{
		{Run{Report: results.New(right, nil)}, "conforms to what it claims"},
		{Run{Report: results.New(right, nil), Partial: true}, "nothing failed in this part of the suite"},
		{Run{Report: results.New(&known, nil)}, "does not conform, because of its known failures alone"},
		{sample(t), "does not conform to what it claims"},
	} {
		if got := tt.run.Verdict(); got != tt.want {
			t.Errorf("verdict %q, want %q", got, tt.want)
		}
	}
}

// TestNothingExpired: if nothing was ever deleted, the first line says so.
func TestNothingExpired(t *testing.T) {
	never := conformance.NewSystem(library.New().Hello(), func(q conformance.Question) conformance.Answer {
		if strings.HasSuffix(q.Op, ".decide") {
			return conformance.Answer{Kind: conformance.KindOut, Out: []byte(`{"state":"never","deadline":null}`)}
		}
		return library.New().Ask(q)
	})
	answered, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.BearsOn("mongo.array-earliest") }), never)
	if err != nil {
		t.Fatal(err)
	}
	idle := Run{Report: results.New(answered, nil), Partial: true}
	for _, tt := range []struct {
		run  Run
		says bool
	}{{idle, true}, {sample(t), false}} {
		var text strings.Builder
		if err := tt.run.Text(cli.NewPrinter(&text), false); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(text.String(), "\n")
		if got := strings.Contains(first, "nothing was ever seen expired"); got != tt.says {
			t.Errorf("the first line of %s is %q, want that nothing expired in it: %t", tt.run.Headline(), first, tt.says)
		}
		if got := strings.Contains(written(t, tt.run, "html"), "nothing was ever seen expired"); got != tt.says {
			t.Errorf("the page says that nothing expired: %t, want %t", got, tt.says)
		}
	}
}

// TestJSONIsResults: the file can be judged again, and has a line for each
// check.
func TestJSONIsResults(t *testing.T) {
	r := sample(t)
	text := written(t, r, "json")
	back, err := results.ParseResults([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if back.Mode != "lockstep" || back.Runner != "ttl test" {
		t.Errorf("mode %q, runner %q", back.Mode, back.Runner)
	}
	again, err := results.Rejudge(suite.Embedded(), back)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Report.Results(), again.Results()); diff != "" {
		t.Errorf("(-run +judged again):\n%s", diff)
	}
	if lines := strings.Count(text, "\n  {\"id\":"); lines != len(r.Checks) {
		t.Errorf("%d lines of checks, want %d", lines, len(r.Checks))
	}
}

// TestJUnit reads the report back and counts the test cases.
func TestJUnit(t *testing.T) {
	r := sample(t)
	var back junitSuites
	if err := xml.Unmarshal([]byte(written(t, r, "junit")), &back); err != nil {
		t.Fatal(err)
	}
	count := r.Count()
	if back.Tests != len(r.Checks) || back.Failures != count[suite.Fail] || back.Errors != count[suite.Broken]+count[suite.NotRun] ||
		back.Skipped != len(r.Checks)-back.Failures-back.Errors-count[suite.Pass] {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped; want %d checks, %v", back.Tests, back.Failures, back.Errors, back.Skipped, len(r.Checks), count)
	}
	cases, failures := 0, 0
	for _, s := range back.Suites {
		for _, c := range s.Cases {
			cases++
			if c.Failure != nil && strings.Contains(c.Failure.Text, "want ") && c.Failure.Message != "" {
				failures++
			}
		}
	}
	if cases != back.Tests || failures != back.Failures {
		t.Errorf("%d cases of %d, %d explained failures of %d", cases, back.Tests, failures, back.Failures)
	}
}

// TestHTML: the page is whole, escaped, and loads nothing from a network.
func TestHTML(t *testing.T) {
	text := written(t, sample(t), "html")
	for _, want := range []string{
		"stub|born 1.0 &lt;b&gt;", `id="mongo.array-earliest"`, `class="tag nonconformant"`, "Likely misreading:", `<span class="cell fail"`, `<span class="cell known"`,
		"issues/new?labels=vector&amp;title=Vector", "ttl conform run -- ./stub", "</html>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, not := range []string{"<script", "src=", "@import", "url(", "<b>"} {
		if strings.Contains(text, not) {
			t.Errorf("%q in the page", not)
		}
	}
}

// TestCellsShowTheWorst: a cell is as bad as the worst check in it.
func TestCellsShowTheWorst(t *testing.T) {
	for _, tt := range []struct {
		outcomes []suite.Outcome
		want     string
	}{
		{[]suite.Outcome{suite.Pass, suite.Fail, suite.Pass}, "fail"},
		{[]suite.Outcome{suite.Known, suite.Pass}, "known"},
		{[]suite.Outcome{suite.Observed, suite.Pass}, "pass"},
		{[]suite.Outcome{suite.Inapplicable, suite.Observed}, "recorded"},
		{[]suite.Outcome{suite.NotRun, suite.Pass}, "fail"},
	} {
		class := ""
		for _, o := range tt.outcomes {
			class = worse(class, o)
		}
		if class != tt.want {
			t.Errorf("%v make a cell %q, want %q", tt.outcomes, class, tt.want)
		}
	}
}
