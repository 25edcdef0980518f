package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestWhatIsSaid compares the texts and counts of findings with the documents.
func TestWhatIsSaid(t *testing.T) {
	tests := []struct {
		why, release, indexes, documents, rule, text string
		count                                        int64
	}{
		{"who goes by NaN", "5.0.9", nanIndex, dated + dated + text, "mongo.nan-zero", "every document whose t is not in the future expires at once. Of 3 documents here, 2 have expired by it.", 2},
		{"who is 68", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, dated + old, "mongo.seconds-68-years", "whose t is 1958-11-01T20:45:53.000Z or earlier expires. It is also what servers put in the place of NaN", 1},
		{"nobody is 68", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, dated, "mongo.seconds-68-years", "Of 1 document here, none has expired by it.", 0},
		{"what is there", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + text + text + `{"t":5}` + "\n" + missing, "mongo.field-not-date", "3 documents hold something other than a Date in t, and never expire: a string in 2, a number (int) in 1.", 3},
		{"one of them", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, dated + text, "mongo.field-not-date", "1 document holds something other than a Date in t, and never expires: a string in 1.", 1},
		{"no Date at all", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, text + missing + missing, "mongo.field-missing", "t holds a Date in none of 3 documents, so nothing expires by it: missing in 2, a string in 1.", 3},
		{"a longer path", "8.0.0", `{"key":{"a.t":1},"name":"t_1","expireAfterSeconds":1}`, `{"a":{"t":7}}`, "mongo.field-not-date", "a.t holds a Date in none of 1 document, so nothing expires by it: a number (int) in 1.", 1},
		{"arrays", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`, `{"t":[7]}` + "\n" + `{"t":[]}`, "mongo.field-not-date", "an array without a Date in 1, an empty array in 1", 2},
		{"no member of the filter", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"k":{"$gt":5}}}`, dated, "mongo.filter-mismatch", "The partial filter {k: {$gt: 5}} takes in none of 1 document", 1},
		{"the type of a special index", "8.0.0", `{"key":{"t":"2dsphere"},"name":"t_1","expireAfterSeconds":7}`, "", "mongo.index-special", "A 2dsphere index never deletes, so its expireAfterSeconds 7 does nothing.", 0},
		{"a wildcard has no name", "8.0.0", `{"key":{"$**":1},"name":"t_1","expireAfterSeconds":7}`, "", "mongo.index-special", "A wildcard index never", 0},
		{"escapes in names", "8.0.0", `{"key":{"t..\u001b[2J":1},"name":"t_1","expireAfterSeconds":7}`, "", "mongo.path-refused", `The path t..\u{1b}[2J cannot`, 0},
		{"null instead of NaN", "8.0.0", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":null}`, "", "mongo.seconds-not-number", "JSON.stringify writes NaN as null", 0},
		{"what a decimal works as", "6.0.5", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDecimal":"3.5"}}`, "", "mongo.seconds-conversion", "expireAfterSeconds 3.5 works as 4.", 0},
		{"two on one field", "8.0.0", `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":-1},"name":"b","expireAfterSeconds":90}`, "", "mongo.earliest-source", "The index a expires the same documents by t after 60 s already. Each index deletes on its own, so the 90 s of this one never come to bear.", 0},
	}
	for _, tt := range tests {
		r := audited(t, with(t, described(t, `{}`, tt.indexes), tt.documents), on(t, tt.release))
		f := find(t, r, tt.rule)
		if !strings.Contains(f.Text, tt.text) || f.Documents != tt.count || (len(f.Samples) > 0) != (tt.count > 0) || len(f.Samples) > maxSamples {
			t.Errorf("%s: %q of %d documents, %d samples; want %q of %d", tt.why, f.Text, f.Documents, len(f.Samples), tt.text, tt.count)
		}
	}
}

// TestAssumedRelease: if nothing names the release, the finding says that only
// old releases list a NaN.
func TestAssumedRelease(t *testing.T) {
	for release, want := range map[string]bool{"": true, "8.0.0": false} {
		r := audited(t, described(t, `{}`, nanIndex), on(t, release))
		if f := find(t, r, "mongo.nan-skipped"); strings.Contains(f.Text, "Only 4.4 and earlier list it as NaN") != want {
			t.Errorf("release %q: %q, want the hint %v", release, f.Text, want)
		}
	}
}

// report returns a report with every part that Text can write.
func report(t *testing.T) Report {
	t.Helper()
	one := audited(t, with(t, described(t, `{}`, nanIndex), dated+text), on(t, "5.0.9"))
	two := audited(t, with(t, read(t, `{"id":"carts","partitionKey":{}}`)[0], `{"ttl":5}`), Options{})
	three := audited(t, described(t, `{}`, ``), Options{})
	three.Notes, three.Bad = []string{"something is not looked at"}, 7
	return Report{Now: now, Results: []Result{one, two, three}}
}

// TestTextFits: no line except a command is wider than the given width.
func TestTextFits(t *testing.T) {
	r := report(t)
	for _, width := range []int{40, 80, 200} {
		var plain, coloured bytes.Buffer
		if err := r.Text(&cli.Printer{W: &plain, Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(plain.String()) {
			if n := len([]rune(line)) - 1; n > width && !strings.Contains(line, "runCommand(") && !strings.Contains(line, "az cosmosdb") && !strings.Contains(line, "documents.jsonl") {
				t.Errorf("width %d: %d columns in %q", width, n, line)
			}
		}
		if err := r.Text(&cli.Printer{W: &coloured, Style: cli.Coloured(), Width: width}); err != nil {
			t.Fatal(err)
		}
		if got := decoloured(coloured.String()); got != plain.String() {
			t.Errorf("width %d: without its colours the text is\n%s\nwant\n%s", width, got, plain.String())
		}
	}
}

// TestTextKeepsPlaces: output to a file holds the whole name of each place, so that
// programs can search for the name.
func TestTextKeepsPlaces(t *testing.T) {
	r := report(t)
	r.Results[0].Target.Rename("shop." + strings.Repeat("long", 40))
	var b bytes.Buffer
	if err := r.Text(&cli.Printer{W: &b, Width: 80}); err != nil {
		t.Fatal(err)
	}
	summary, _, _ := strings.Cut(b.String(), "\n\nshop.")
	for _, f := range r.Results[0].Findings {
		if want := f.Rule.ID() + "  shop." + strings.Repeat("long", 40) + " " + f.Index + "\n"; !strings.Contains(regexp.MustCompile(" {2,}").ReplaceAllString(summary, "  "), want) {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
}

func decoloured(s string) string {
	for _, code := range []string{"0", "1", "2", "31", "32", "33"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

func TestTextSays(t *testing.T) {
	var b bytes.Buffer
	if err := report(t).Text(&cli.Printer{W: &b, Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"found: 1 deletes what should live, 2 keep what should go\n\n  deletes      mongo.nan-zero        shop.logs t_1\n  keeps ",
		"\n\nshop.logs  policies\nMongoDB 5.0.9, 1 TTL index or option, 2 documents\n\n  deletes what should live  t_1\n",
		"    rule mongo.nan-zero\n    seen in documents such as 1; the first at byte 0 of\n",
		"    To keep every document:\n      db.getSiblingDB(\"shop\").runCommand({dropIndexes: \"logs\", index: \"t_1\"})\n",
		"carts  policies\nAzure Cosmos DB for NoSQL, time to live off, 1 document\n",
		"no time to live, no documents looked into\nNote: something is not looked at\n7 documents could not be read",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	all := Report{Results: []Result{{Findings: []Finding{{Severity: Deletes}, {Severity: Unspecified}, {Severity: Keeps}, {}, {}}}}}
	if got, want := all.Summary(), "found: 1 deletes what should live, 1 unspecified, 1 keeps what should go, 2 harmless"; got != want || all.AtLeast(Keeps) != 3 {
		t.Errorf("Summary = %q, %d wrong, want %q, 3", got, all.AtLeast(Keeps), want)
	}
	if got := (Report{}).Summary(); got != "nothing found" {
		t.Errorf("the summary of nothing is %q", got)
	}
}

// failing is a stream whose Write returns an error.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestTextFails(t *testing.T) {
	if err := report(t).Text(&cli.Printer{W: failing{}, Width: 80}); err == nil {
		t.Error("Text to a closed stream = nil, want its error")
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := cli.WriteJSON(&b, report(t).JSON()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Findings map[string]int
		Complete bool
		Bad      int64
		Now      struct{ Ms int64 }
		Audited  []struct {
			Kind, Judged   string
			Database, Name *string
			Notes          []string
			Documents      int64
			Findings       []struct {
				Severity, Rule, Text string
				Index                *string
				Repairs              []struct{ Commands []string }
				Samples              []struct {
					ID     any
					Offset int64
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if got.Findings["deletes"] != 1 || got.Findings["keeps"] != 2 || got.Findings["harmless"] != 0 || got.Complete || got.Bad != 7 || got.Now.Ms != int64(now) || len(got.Audited) != 3 {
		t.Errorf("the report is\n%s", b.String())
	}
	first, second := got.Audited[0], got.Audited[1]
	if first.Kind != "collection" || *first.Database != "shop" || *first.Name != "logs" || first.Documents != 2 || *first.Findings[0].Index != "t_1" ||
		first.Findings[0].Severity != "deletes" || len(first.Findings[0].Repairs) != 1 || len(first.Findings[0].Samples) != 1 {
		t.Errorf("the collection is %+v", first)
	}
	if second.Kind != "container" || second.Database != nil || *second.Name != "carts" || second.Findings[0].Index != nil || second.Findings[0].Samples[0].ID != nil {
		t.Errorf("the container is %+v", second)
	}
}
