package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// Page is the page that Write writes, from the checkout's root.
const Page = "docs/performance.md"

const (
	peersSVG  = "docs/images/peers.svg"
	curvesSVG = "docs/images/growth.svg"

	begin = "<!-- What is between this line and its counterpart is written by go run ./conformance/peers --write. -->"
	end   = "<!-- The end of what is written by the program. -->"
	prose = "## Rows that are not met"
)

// ErrNoMarkers means that the page has lost the lines between which the table
// is written.
var ErrNoMarkers = errors.New("the page has no place for the table")

// Write writes the page and its charts under root. Of an existing page it
// replaces what stands between the markers, and adds a heading for each row
// that is not met and has none; the rest is somebody's prose.
func Write(root string, results []race.Result, curves []Drawn, c Conditions) error {
	path := filepath.Join(root, Page)
	page, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = []byte(blank), nil
	}
	if err != nil {
		return err
	}
	page, err = renew(page, generated(results, curves, c), unmet(results))
	if err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	peers, err := peersChart(results)
	if err != nil {
		return err
	}
	growth, err := curvesChart(curves)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{Page: page, peersSVG: peers, curvesSVG: growth} {
		if err := os.WriteFile(filepath.Join(root, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

const blank = `# Performance

How fast the library is beside everything a user would pick instead, and beside
what bounds any implementation.

` + begin + "\n" + end + "\n\n" + prose + "\n"

// renew replaces what is between the markers and adds the headings that are
// missing.
func renew(page, table []byte, rows []string) ([]byte, error) {
	before, rest, ok := bytes.Cut(page, []byte(begin+"\n"))
	_, after, closed := bytes.Cut(rest, []byte(end+"\n"))
	if !ok || !closed {
		return nil, ErrNoMarkers
	}
	out := bytes.Join([][]byte{before, []byte(begin), []byte("\n\n"), table, []byte("\n"), []byte(end), []byte("\n"), after}, nil)
	for _, row := range rows {
		if heading := "### " + row + "\n"; !bytes.Contains(after, []byte(heading)) {
			out = append(out, "\n"+heading+"\nNothing is written about this row yet.\n"...)
		}
	}
	return out, nil
}

// unmet returns the rows that have a goal that is not met.
func unmet(results []race.Result) (rows []string) {
	for _, r := range results {
		for _, o := range r.Outcomes {
			if !o.Met && (len(rows) == 0 || rows[len(rows)-1] != r.Row) {
				rows = append(rows, r.Row)
			}
		}
	}
	return rows
}

func generated(results []race.Result, curves []Drawn, c Conditions) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n![%s](images/peers.svg)\n\n", c.text(), "For each row and peer, how many times as fast the library is in each work, beside the goals")
	table(&b, results)
	fmt.Fprintf(&b, "\n## How cost grows\n\n![%s](images/growth.svg)\n\n", "Nanoseconds over bytes for documents that grow, beside a line in proportion to the bytes")
	growthTable(&b, curves)
	return b.Bytes()
}

func (c Conditions) text() string {
	return fmt.Sprintf(`Measured on %s with %s.

All sides first answer every input, and must agree except in the exceptions that the
program lists. Then they have their turns, A B C B C A C A B, %d of about %v each. A ratio
is that of two medians of this one run. Sweeps are over %s documents, or fewer if they are
large, columns over %s rows.

A ratio is how many times as long the peer takes as the library. "≤ 5x" is a goal beside a
lower bound: the library may take at most five times as long. A goal below 1 is a share of
the bound's speed. A line without a goal is there for information. The column "ns" is the
library's median, for orientation: it means something on one machine, at one time.`,
		c.Day.UTC().Format(time.DateOnly), c.Machine, c.Rounds, c.Turn, thousands(c.Sweep), thousands(c.Rows))
}

func table(b *bytes.Buffer, results []race.Result) {
	b.WriteString("| row | work | against | ratio | goal | | ns | allocations |\n|---|---|---|--:|--:|---|--:|--:|\n")
	for _, r := range results {
		for _, o := range r.Outcomes {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
				r.Row, r.Name, o.Goal.Name, Ratio(o), Goal(o.Goal), strings.ToLower(verdict(r, o)), ours(r), allocations(r))
		}
	}
}

func ours(r race.Result) string {
	ns := r.Medians.Of(race.Ours)
	if math.IsNaN(ns) {
		return "-"
	}
	return plain(ns)
}

func growthTable(b *bytes.Buffer, curves []Drawn) {
	b.WriteString("| what grows | from, to | bytes | ns | ns a byte | |\n|---|---|---|---|---|---|\n")
	for _, c := range curves {
		size, cost := curve.Growth(c.Measured)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", c.Name,
			each(c, func(m curve.Measured) string { return thousands(m.X) }),
			each(c, func(m curve.Measured) string { return dash(m.Bytes) }),
			each(c, func(m curve.Measured) string { return plain(m.NS) }),
			each(c, perByte), growth(size, cost))
	}
}

func each(c Drawn, write func(curve.Measured) string) string {
	var all []string
	for _, m := range c.Measured {
		all = append(all, write(m))
	}
	return strings.Join(all, " · ")
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// A Drawn curve is one that was measured.
type Drawn struct {
	curve.Curve
	Measured []curve.Measured
}

// Curves writes the points of curves for a terminal.
func Curves(w io.Writer, curves []Drawn) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range curves {
		fmt.Fprintf(t, "\n%s\t\t\t\n%s\tBYTES\tNS\tNS A BYTE\n", c.Name, c.X)
		for _, p := range c.Measured {
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", p.X, dash(p.Bytes), plain(p.NS), perByte(p))
		}
		size, cost := curve.Growth(c.Measured)
		fmt.Fprintf(t, "%s\t\t\t\n", growth(size, cost))
	}
	return t.Flush()
}

func growth(size, cost float64) string {
	return fmt.Sprintf("%s times the size at %s times the cost", plain(size), plain(cost))
}

func dash(bytes int) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprint(bytes)
}

func perByte(p curve.Measured) string {
	if p.Bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", p.NS/float64(p.Bytes))
}

// plain writes a number to three digits, larger ones whole.
func plain(f float64) string {
	if f >= 100 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.3g", f)
}

// A line is one goal, as JSON shows it.
type line struct {
	Name  string   `json:"name"`
	Ratio *float64 `json:"ratio"` // null if the library does not offer the work
	Goal  float64  `json:"goal"`
	Met   bool     `json:"met"`
}

// JSON writes {"lines":[…]}.
func JSON(w io.Writer, results []race.Result) error {
	lines := []line{}
	for _, r := range results {
		for _, o := range r.Outcomes {
			lines = append(lines, line{r.Label(o), number(o.Ratio), o.Goal.Want, o.Met})
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string][]line{"lines": lines})
}

// number is f to three decimals; what JSON has no number for is null.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	f = math.Round(f*1000) / 1000
	return &f
}
