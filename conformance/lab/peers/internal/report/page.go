package report

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
)

// Page is the path of the page that Write writes, relative to the checkout's root.
const Page = "docs/performance.md"

const (
	peersSVG  = "docs/images/peers.svg"
	curvesSVG = "docs/images/growth.svg"

	begin = "<!-- What is between this line and its counterpart is written by go run ./conformance/lab/peers --write. -->"
	end   = "<!-- The end of what is written by the program. -->"
)

// ErrNoMarkers means that the page has lost the lines between which the table
// is written.
var ErrNoMarkers = errors.New("the page lacks the two lines that mark the place of the table")

// Write renews the page and its charts under root. It replaces the text between
// the markers, and adds a heading for each goal that is not met and has none.
// The rest of the page is written by hand.
func Write(root string, lines []goals.Line, curves []curve.Curve, c Conditions) error {
	path := filepath.Join(root, Page)
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	table, err := generated(lines, curves, c)
	if err != nil {
		return err
	}
	page, err = renew(page, table, unmet(lines))
	if err != nil {
		return fmt.Errorf("%s: %w", Page, err)
	}
	peers, err := peersChart(lines)
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

// renew replaces the text between the markers, and adds missing headings for the rows.
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
func unmet(lines []goals.Line) (rows []string) {
	for _, l := range lines {
		if !l.Met() && !slices.Contains(rows, l.Row) {
			rows = append(rows, l.Row)
		}
	}
	return rows
}

//go:embed page.tmpl
var pageTemplate string

// generated returns the text between the markers.
func generated(lines []goals.Line, curves []curve.Curve, c Conditions) ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"summary": summarize, "thousands": thousands, "lower": strings.ToLower, "plain": dash,
		"ratio": ratio, "verdict": verdict, "allocations": allocations, "growth": growth, "each": each,
	}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, struct {
		Conditions
		Lines  []goals.Line
		Curves []curve.Curve
	}{c, lines, curves})
	return b.Bytes(), err
}

// A summary is the result of a row.
type summary struct{ Row, About, NS, Peer, Ratio string }

// summarize returns a summary for each row in which the library was measured.
func summarize(lines []goals.Line) (all []summary) {
	for _, row := range goals.Rows(lines) {
		s := summary{Row: row[0].Row, About: row[0].About, Peer: "-", Ratio: "-"}
		least, most, closest := math.Inf(1), math.Inf(-1), math.Inf(1)
		for _, l := range row {
			if !math.IsNaN(l.NS) {
				least, most = min(least, l.NS), max(most, l.NS)
			}
			if l.IsPeer && l.Ratio < closest {
				closest, s.Peer, s.Ratio = l.Ratio, l.Against, ratio(l)
			}
		}
		if least > most {
			continue // nothing of the library's was measured
		}
		if s.NS = plain(least); plain(most) != s.NS {
			s.NS += " – " + plain(most)
		}
		all = append(all, s)
	}
	return all
}

// A column of a curve is one text with the values of all points.
func each(c curve.Curve, column string) string {
	var all []string
	for _, m := range c.Points {
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

func growth(c curve.Curve) string {
	size, cost := c.Growth()
	return fmt.Sprintf("%s times the size at %s times the cost", plain(size), plain(cost))
}

// dash returns "-" for NaN, and otherwise the result of plain.
func dash(f float64) string {
	if math.IsNaN(f) {
		return "-"
	}
	return plain(f)
}

func size(p curve.Point) string {
	if p.Bytes == 0 {
		return "-"
	}
	return fmt.Sprint(p.Bytes)
}

func perByte(p curve.Point) string {
	if p.Bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", p.NS/float64(p.Bytes))
}

// plain returns a number with three significant digits, or as a whole number from 100 on.
func plain(f float64) string {
	if f >= 100 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.3g", f)
}
