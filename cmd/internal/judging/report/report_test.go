package report

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const now policy.Instant = 1_795_132_800_000 // 2026-11-20T00:00:00Z

// sample returns a forecast of three documents: one expired, one pending, and one with a
// value of a wrong type. The name of the collection has characters with a meaning in
// HTML.
func sample(t *testing.T) Report {
	t.Helper()
	const lines = `{"_id":1,"at":{"$date":"2026-11-19T22:00:00Z"}}
{"_id":2,"at":{"$date":"2026-11-22T22:00:00Z"}}
{"_id":"<script>alert(1)</script>","at":"x"}
`
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := reasons.Compile(definition.OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name: "at_1", Key: policy.D{{Key: "at", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(3600),
	}}}, mongo.Latest(), nil))
	if err != nil {
		t.Fatal(err)
	}
	job := forecast.Job{Collections: dump.NewInput(dump.File{Path: path, Size: int64(len(lines))}).Collections, Policy: p}
	result := forecast.Run(context.Background(), []forecast.Job{job}, forecast.Options{Now: now})[0]
	tally, err := result.Tally, result.Err
	if err != nil {
		t.Fatal(err)
	}
	return Report{Now: now, Complete: true, Load: tally.Load, Collections: []Collection{{
		Name: "lines", Files: []string{path}, Policy: p, Tally: tally,
	}}}
}

// shown returns what write writes.
func shown(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var out strings.Builder
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// textOf returns r as text for a terminal.
func textOf(t *testing.T, r Report, width int, style cli.Style) string {
	t.Helper()
	return shown(t, func(w io.Writer) error { return r.Text(&cli.Printer{W: w, Style: style, Width: width}) })
}

// forms returns r in each form that says whether it is complete.
func forms(t *testing.T, r Report) map[string]string {
	t.Helper()
	return map[string]string{
		"text": textOf(t, r, 80, cli.Style{}), "html": shown(t, r.HTML),
		"json": shown(t, func(w io.Writer) error { return cli.WriteJSON(w, r.JSON()) }),
	}
}

func TestTextSaysWhatMatters(t *testing.T) {
	out := textOf(t, sample(t), 80, cli.Style{})
	for _, want := range []string{
		"Deleted at once if the policy is switched on now: 1 document", "2026-11-19T23:00:00.000Z", "█", "▒",
		"1 document: `at` holds a string, not a Date", "mongo.field-not-date",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
}

// TestFoldsEmptyBars: three or more successive bars of 0 become one line, except the bar
// of now.
func TestFoldsEmptyBars(t *testing.T) {
	w, err := forecast.ParseWidth("1h")
	if err != nil {
		t.Fatal(err)
	}
	const hour = 3_600_000
	v := forecast.View{Width: w}
	for i, n := range []int64{1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0} {
		start := now + policy.Instant(i-7)*hour
		v.Buckets = append(v.Buckets, forecast.Bucket{Start: start, End: start + hour, Count: forecast.Count{Pending: n}})
	}
	var out bytes.Buffer
	textWriter{Printer: &cli.Printer{W: &out, Width: 40}, now: now}.histogram(v)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(strings.ReplaceAll(line, "▒", "")), " "))
	}
	want := []string{
		"Deadlines, UTC, 1 hour a bar", "2026-11-19 17:00 1", "2026-11-19 18:00 0", "2026-11-19 19:00 0", "2026-11-19 20:00 2",
		"2026-11-19 21:00 … 3 bars of 0", "▶ 2026-11-20 00:00 0", "2026-11-20 01:00 … 3 bars of 0", "2026-11-20 04:00 3", "2026-11-20 05:00 … 3 bars of 0",
	}
	if !slices.Equal(lines[:min(len(want), len(lines))], want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestInterruptedCollection: no output format shows Go's error text for a collection whose
// reading was interrupted.
func TestInterruptedCollection(t *testing.T) {
	r := sample(t)
	r.Collections = append(r.Collections, r.Collections[0])
	r.Complete, r.Collections[0].Err = false, fmt.Errorf("lines: %w", context.Canceled)
	for name, out := range forms(t, r) {
		isSaid := name == "summary" || strings.Contains(out, "interrupted") // the table holds no errors of collections
		if !isSaid || strings.Contains(out, "cancel") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

func TestIncompleteIsSaid(t *testing.T) {
	r := sample(t)
	r.Complete, r.Reason = false, "interrupted"
	for name, out := range forms(t, r) {
		if !strings.Contains(out, "interrupted") {
			t.Errorf("the %s does not say that it is incomplete", name)
		}
	}
}

func TestHTMLIsWellFormedAndEscapes(t *testing.T) {
	text := shown(t, sample(t).HTML)
	if strings.Contains(text, "<script") || !strings.Contains(text, "&lt;script&gt;") {
		t.Error("an identifier reaches the page unescaped")
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta"}, xml.HTMLEntity
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	if depth != 0 {
		t.Errorf("%d elements stay open", depth)
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ got, want string }{
		{percent(1, 3), "33.3 %"}, {percent(0, 0), "–"},
		{percent(1, 1e7), "< 0.1 %"}, {percent(1e7-1, 1e7), "> 99.9 %"}, {percent(0, 5), "0.0 %"}, {percent(5, 5), "100.0 %"},
		{instant(0), "1970-01-01T00:00:00.000Z"}, {instant(253404892799999), "the year 10000"}, {instant(policy.MaxInstant), "the year 292278994"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for width, want := range map[string]string{"1s": "1 second", "15m": "15 minutes", "6h": "6 hours", "1d": "1 day", "2w": "2 weeks", "1mo": "1 month", "10y": "10 years"} {
		w, err := forecast.ParseWidth(width)
		if got := span(w); err != nil || got != want {
			t.Errorf("span of %s = %q, %v, want %q", width, got, err, want)
		}
	}
}

func TestBarLength(t *testing.T) {
	for _, tt := range []struct {
		n, most int64
		want    int
	}{{0, 10, 0}, {1, 1_000_000, 1}, {5, 10, 20}, {10, 10, 40}} {
		if got := barLength(tt.n, tt.most, 40); got != tt.want {
			t.Errorf("barLength(%d, %d, 40) = %d, want %d", tt.n, tt.most, got, tt.want)
		}
	}
}

// TestTextFits: no line is wider than the terminal, for any width, and plain text has no
// escapes.
func TestTextFits(t *testing.T) {
	r := sample(t)
	for _, width := range []int{80, 120} {
		for _, style := range []cli.Style{{}, cli.Coloured()} {
			out := textOf(t, r, width, style)
			plain := escape.ReplaceAllString(out, "")
			if style == (cli.Style{}) && plain != out {
				t.Error("plain text has escape codes")
			}
			if style != (cli.Style{}) && plain == out {
				t.Error("coloured text has no escape codes")
			}
			for line := range strings.Lines(strings.ReplaceAll(plain, r.Collections[0].Files[0], "FILE")) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("a line of %d columns for a terminal of %d: %s", n, width, line)
				}
			}
		}
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestJSONAddsUp: every format has the counts of all documents, and the same histogram.
func TestJSONAddsUp(t *testing.T) {
	var out bytes.Buffer
	r := sample(t)
	r.Collections = append(r.Collections, r.Collections[0])
	if err := cli.WriteJSON(&out, r.JSON()); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(strings.Join(strings.Fields(out.String()), ""), `{"documents":6,"expired":2,"pending":2,"never":2,`) {
		t.Errorf("the JSON begins %.100s", out.String())
	}
	var got reportJSON
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if got.Reason != "" || !got.Complete || len(got.Collections) != 2 || got.AtOnce.Documents != 2 || got.Now.Millis != int64(now) {
		t.Errorf("%+v, want a complete report of two collections", got)
	}
	c := got.Collections[0]
	var expired, pending int64
	for i, b := range c.Histogram.Buckets {
		expired, pending = expired+b.Expired, pending+b.Pending
		if i > 0 && b.Start != c.Histogram.Buckets[i-1].End {
			t.Errorf("bucket %d begins at %v, the one before ends at %v", i, b.Start, c.Histogram.Buckets[i-1].End)
		}
	}
	if expired != c.Expired || pending != c.Pending || c.Histogram.Before+c.Histogram.After != 0 {
		t.Errorf("the buckets hold %d and %d, want %d expired and %d pending", expired, pending, c.Expired, c.Pending)
	}
	var never int64
	for _, rule := range c.Rules {
		never += rule.Never
		if rule.Never > 0 && (rule.Found != "string" || rule.Why != "`at` holds a string, not a Date" || string(rule.Samples[0].ID) != `"<script>alert(1)</script>"`) {
			t.Errorf("%+v, want the string and the document that holds it", rule)
		}
	}
	if never != c.Never {
		t.Errorf("the rules keep %d documents, want %d", never, c.Never)
	}
	if c.Newest == nil || c.Newest.Time.Time != "2026-11-19T23:00:00.000Z" || c.Newest.Document.ID.Short() != "1" {
		t.Errorf("the latest expired is %+v, want document 1 an hour before now", c.Newest)
	}
}

// TestHTMLIsSelfContained: the page refers to nothing outside of itself, not even by a
// link.
func TestHTMLIsSelfContained(t *testing.T) {
	page := shown(t, sample(t).HTML)
	if m := regexp.MustCompile(`(?i)https?:|src=|href="[^#]|url\(|@import|<script|<link|<iframe| on[a-z]+=`).FindString(page + shown(t, several(t, 5).HTML)); m != "" {
		t.Errorf("the page holds %q", m)
	}
	pictures := regexp.MustCompile(`<svg[^>]*>`).FindAllString(page, -1)
	if len(pictures) < 3 {
		t.Errorf("%d pictures, want the shares, the histogram and a bar for the reason", len(pictures))
	}
	for _, svg := range pictures {
		if !strings.Contains(svg, "aria-label=") && !strings.Contains(svg, "aria-hidden=") {
			t.Errorf("a picture without words: %s", svg)
		}
	}
}

func TestProseEscapes(t *testing.T) {
	if got, want := string(prose("`a<b` & c")), "<code>a&lt;b</code> &amp; c"; got != want {
		t.Errorf("prose = %s, want %s", got, want)
	}
}

// several returns n collections: in the first no document expires, in the second every
// document has expired, and the others have no TTL.
func several(t *testing.T, n int) Report {
	r := sample(t)
	one := r.Collections[0]
	sums := func(documents int64) forecast.Sum { return forecast.Sum{Documents: documents, Bytes: 10 * documents} }
	r.Collections = nil
	for i := range n {
		c := one
		c.Name, c.Tally = fmt.Sprintf("shop.c%d", i), &forecast.Tally{ByState: forecast.ByState{Never: sums(1000)}, Histogram: one.Tally.Histogram}
		switch i {
		case 0:
		case 1:
			*c.Tally = forecast.Tally{ByState: forecast.ByState{Expired: sums(1999), Never: sums(1)}, Histogram: one.Tally.Histogram}
			c.Name = "shop.日本語のコレクション"
		default:
			p := *c.Policy
			p.Sources = nil
			c.Policy = &p
		}
		r.Collections = append(r.Collections, c)
	}
	return r
}

// TestSummary: the collection with the most deletions comes first, collections without a
// TTL share a row, and the columns are aligned even below wide names.
func TestSummary(t *testing.T) {
	r := several(t, 75)
	text := func(width int) string { return textOf(t, r, width, cli.Style{}) }
	for _, tc := range []struct {
		why, got, want string
	}{
		{"wide", text(120), `75 collections  judged at 2026-11-20T00:00:00.000Z

collection                 policy        documents    now  24 h  7 d  30 d   never      size
shop.日本語のコレクション  1 h after at      2,000  1,999     0    0     0       1   20.0 kB
shop.c0                    1 h after at      1,000      0     0    0     0   1,000   10.0 kB
73 more                    no TTL           73,000      0     0    0     0  73,000  730.0 kB
total                                       76,000  1,999     0    0     0  74,001  760.0 kB

  Without a TTL, and not shown by themselves; --all shows them: shop.c10,`},
		{"narrow", text(60), `
collection  policy
  documents    now  24 h  7 d  30 d   never      size
shop.日本語のコレクション  1 h after at
      2,000  1,999     0    0     0       1   20.0 kB
`},
	} {
		if !strings.Contains(tc.got, tc.want) {
			t.Errorf("%s: the summary is\n%.900s\nwant in it\n%s", tc.why, tc.got, tc.want)
		}
	}
	if n := strings.Count(text(80), "Deleted at once"); n != 2 {
		t.Errorf("%d collections have details, want the 2 with a TTL", n)
	}
	if r.All = true; strings.Count(text(80), "Deleted at once") != 75 || strings.Contains(text(80), "more  no TTL") {
		t.Error("--all does not show all 75 collections")
	}
}

// TestOverviewLinks: each row of the page's overview has a link to the section of its
// collection.
func TestOverviewLinks(t *testing.T) {
	out := shown(t, several(t, 5).HTML)
	for _, want := range []string{
		`<td><a href="#c0">shop.日本語のコレクション</a>`, `<summary><h2>shop.日本語のコレクション</h2> `, `<div id="c0">`, `<summary><h2>shop.c0</h2> 0 of `, `<div id="c1">`, "<td>3 more<span",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(out, `id="c2"`) {
		t.Error("a collection without a TTL has a section")
	}
}

// TestLoad compares the load with numbers that were worked out by hand.
func TestLoad(t *testing.T) {
	r := sample(t) // one document has expired, and another expires on 22 November at 23:00
	r.DeleteRate = 0.01
	text, page := textOf(t, r, 300, cli.Style{}), shown(t, r.HTML)
	for _, want := range []string{
		"  backlog    1 document, 47 B; 1 turn of the monitor at least\n",
		"  peak       1 document in the minute from 2026-11-22 22:59, of 1 within 30 d\n",
		"  at 0.01/s  done after 1 min 40 s; the most that waits later is 1 document\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	if !strings.Contains(page, "<dt>backlog</dt><dd>1 document, 47 B; 1 turn of the monitor at least</dd>") {
		t.Error("the page does not show the load")
	}
	if l := (Report{}).load(); l != nil {
		t.Errorf("nothing has a load of %+v", l)
	}
	for _, tc := range []struct {
		documents, bytes, want int64
	}{{0, 0, 0}, {1, 10, 5}, {1, 1024, 5}, {1, 100 * 1024, 50}, {1000, 1000 * 1024, 5000}, {2, 2 * 50 * 1024, 55}} {
		if got := requestUnits(forecast.Sum{Documents: tc.documents, Bytes: tc.bytes}); got != tc.want {
			t.Errorf("requestUnits(%d documents, %d B) = %d, want %d", tc.documents, tc.bytes, got, tc.want)
		}
	}
}
