package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"

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
)

// ErrNoMarkers means that the page has lost the lines between which the table
// is written.
var ErrNoMarkers = errors.New("the page has no place for the table")

// Write renews the page and its charts under root. Of the page it
// replaces what stands between the markers, and adds a heading for each row
// that is not met and has none; the rest is somebody's prose.
func Write(root string, results []race.Result, curves []Drawn, c Conditions) error {
	path := filepath.Join(root, Page)
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table, err := generated(results, curves, c)
	if err != nil {
		return err
	}
	page, err = renew(page, table, unmet(results))
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

//go:embed page.tmpl
var pageTemplate string

// generated returns what stands between the markers.
func generated(results []race.Result, curves []Drawn, c Conditions) ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"summary": summarize, "thousands": thousands, "lower": strings.ToLower,
		"ratio": Ratio, "goal": Goal, "verdict": verdict, "allocations": allocations,
		"ours":   func(r race.Result) string { return dash(r.Medians.Of(race.Ours)) },
		"growth": func(d Drawn) string { return growth(curve.Growth(d.Measured)) },
		"each":   each,
	}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Conditions
		Results []race.Result
		Curves  []Drawn
	}{c, results, curves})
	return b.Bytes(), err
}

// A summary is what a row comes to.
type summary struct{ Row, About, NS, Peer, Ratio string }

// summarize returns a summary for each row that the library offers.
func summarize(results []race.Result) (all []summary) {
	for row := range groups(results) {
		s := summary{Row: row[0].Row, About: row[0].About, Peer: "-", Ratio: "-"}
		var ns []float64
		closest := math.Inf(1)
		for _, r := range row {
			if ours := r.Medians.Of(race.Ours); !math.IsNaN(ours) {
				ns = append(ns, ours)
			}
			for _, o := range r.Outcomes {
				if isPeer(r, o) && o.Ratio < closest {
					closest, s.Peer, s.Ratio = o.Ratio, o.Goal.Name, Ratio(o)
				}
			}
		}
		if len(ns) == 0 {
			continue
		}
		s.NS = plain(slices.Min(ns))
		if most := plain(slices.Max(ns)); most != s.NS {
			s.NS += " – " + most
		}
		all = append(all, s)
	}
	return all
}

// groups returns the results of each row.
func groups(results []race.Result) iter.Seq[[]race.Result] {
	return func(yield func([]race.Result) bool) {
		for len(results) > 0 {
			n := slices.IndexFunc(results, func(r race.Result) bool { return r.Row != results[0].Row })
			if n < 0 {
				n = len(results)
			}
			if !yield(results[:n]) {
				return
			}
			results = results[n:]
		}
	}
}

// each writes one column of all points.
func each(d Drawn, column string) string {
	var all []string
	for _, m := range d.Measured {
		all = append(all, map[string]string{"x": thousands(m.X), "bytes": size(m), "ns": plain(m.NS), "ns a byte": perByte(m)}[column])
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
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", p.X, size(p), plain(p.NS), perByte(p))
		}
		fmt.Fprintf(t, "%s\t\t\t\n", growth(curve.Growth(c.Measured)))
	}
	return t.Flush()
}

func growth(size, cost float64) string {
	return fmt.Sprintf("%s times the size at %s times the cost", plain(size), plain(cost))
}

// dash is plain, and "-" for what is not a number.
func dash(f float64) string {
	if math.IsNaN(f) {
		return "-"
	}
	return plain(f)
}

func size(p curve.Measured) string {
	if p.Bytes == 0 {
		return "-"
	}
	return fmt.Sprint(p.Bytes)
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
	Name  string  `json:"name"`
	Ratio float64 `json:"ratio"` // to three decimals
	Goal  float64 `json:"goal"`
	Met   bool    `json:"met"`
}

// JSON writes {"lines":[…]}.
func JSON(w io.Writer, results []race.Result) error {
	lines := []line{}
	for _, r := range results {
		for _, o := range r.Outcomes {
			lines = append(lines, line{r.Label(o), math.Round(o.Ratio*1000) / 1000, o.Goal.Want, o.Met})
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string][]line{"lines": lines})
}
