package report

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
)

// lines has a line of each kind: a goal met, a goal not met, and a limit.
func lines() []goals.Line {
	peer := func(against, text string, want, ratio float64) goals.Line {
		return goals.Line{Goal: goals.Goal{Row: "G1", Against: against, Text: text, Want: want, Unit: "x"}, About: "items", Ratio: ratio, NS: 4.5, IsPeer: true}
	}
	limit := peer("reading", "≤ 5x", 5, 3.5)
	limit.AtMost, limit.IsPeer = true, false
	apd := peer("apd", "≥ 3x", 3, 10)
	apd.Row, apd.Work, apd.About, apd.NS, apd.Allocations = "G9", "20", "", 1234.5, 0.25
	return []goals.Line{peer("expr", "≥ 45x", 45, 44.44444), limit, apd}
}

func curves() []curve.Curve {
	return []curve.Curve{
		{Name: "fields", X: "fields", Points: []curve.Point{{X: 2, Bytes: 100, NS: 50}, {X: 2000, Bytes: 1000, NS: 400}}},
		{Name: "terms", X: "terms", Points: []curve.Point{{X: 1, NS: 50}, {X: 4, NS: 150}}},
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, lines()); err != nil {
		t.Fatal(err)
	}
	want := `ROW  WORK  AGAINST  RATIO  GOAL            ALLOCS
G1         expr     44.4x  ≥ 45x  NOT MET  0
G1         reading  3.50x  ≤ 5x   met      0
G9   20    apd      10.0x  ≥ 3x   met      0.25

2 of 3 goals met
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Text() (-want +got):\n%s", diff)
	}
}

// TestInformation: a line without a goal counts neither as met nor as unmet, and is in no
// sum and no chart.
func TestInformation(t *testing.T) {
	list := []goals.Line{{Goal: goals.Goal{Row: "G6", Work: "sweep", Against: "Lookup", Text: "none", Unit: "x", Open: true}, NS: 10, Ratio: 0.9}}
	var b strings.Builder
	if err := Text(&b, list); err != nil {
		t.Fatal(err)
	}
	want := `ROW  WORK   AGAINST  RATIO  GOAL               ALLOCS
G6   sweep  Lookup   0.90x  none  information  0

0 of 0 goals met
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Text() (-want +got):\n%s", diff)
	}
	if bands := bandsOf(list); len(bands) != 0 {
		t.Errorf("bandsOf() = %+v, want none", bands)
	}
}

// TestWrite: handwritten text around the table stays, an unmet goal gets one heading, and
// the charts are XML.
func TestWrite(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "docs/images"), 0o755); err != nil {
		t.Fatal(err)
	}
	empty := "# Performance\n\n" + begin + "\n" + end + "\n\n## Rows that are not met\n"
	if err := os.WriteFile(filepath.Join(root, Page), []byte(empty), 0o644); err != nil {
		t.Fatal(err)
	}
	conditions := Conditions{Day: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Machine: "a machine", Rounds: 51, Turn: time.Millisecond, Sweep: 1_000_000, Rows: 16_777_216}
	write := func() string {
		t.Helper()
		if err := Write(root, lines(), curves(), conditions); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(root, Page))
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	page := write()
	for _, want := range []string{
		"| G1 |  | expr | 44.4x | ≥ 45x | not met | 4.5 | 0 |\n",
		"| G1 | items | 4.5 | expr | 44.4x |\n", "| G9 |  | 1234 | apd | 10.0x |\n",
		"| terms | 1 · 4 | - · - | 50 · 150 | - · - | 4 times the size at 3 times the cost |\n",
		"Measured on 2026-11-21 with a machine.", "51 of about 1ms each", "1,000,000 documents", "\n### G1\n",
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("the page contains %q %d times, want once:\n%s", want, strings.Count(page, want), page)
		}
	}
	if strings.Contains(page, "### G9") {
		t.Error("the page has a heading for a row that is met")
	}
	edited := strings.Replace(page, "Nothing is written about this row yet.", "CEL folds constants.", 1)
	edited = strings.Replace(edited, "| G1 |  | expr | 44.4x", "| G1 |  | expr | 99.9x", 1)
	if err := os.WriteFile(filepath.Join(root, Page), []byte(edited), 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Replace(edited, "99.9x", "44.4x", 1), write()); diff != "" {
		t.Errorf("written again (-want +got):\n%s", diff)
	}
	for _, name := range []string{peersSVG, curvesSVG} {
		checkXML(t, filepath.Join(root, name))
	}
}

func checkXML(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := xml.NewDecoder(f); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
}

// TestRenewWithoutMarkers: a page without the markers of the table is not overwritten.
func TestRenewWithoutMarkers(t *testing.T) {
	for _, page := range []string{"", "# Performance\n", end + "\n" + begin + "\n"} {
		if _, err := renew([]byte(page), []byte("table"), nil); !errors.Is(err, ErrNoMarkers) {
			t.Errorf("renew(%q) = %v, want ErrNoMarkers", page, err)
		}
	}
}

// TestBands: the first row is on top, works of one peer share a line, and
// limits are left out.
func TestBands(t *testing.T) {
	bands := bandsOf(lines())
	if len(bands) != 2 || bands[1].name != "G1 expr" || bands[0].name != "G9 apd" {
		t.Fatalf("bandsOf() = %+v, want G9 apd below G1 expr", bands)
	}
	if got := bands[1].ratios[0]; got.X != 44.44444 || got.Y != 1 {
		t.Errorf("G1 expr is drawn at %v", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 16777216: "16,777,216"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want)
		}
	}
}
