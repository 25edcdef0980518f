package timeline

import (
	"fmt"
	"strings"
)

// A canvas collects the elements of an SVG. Every text and attribute that
// comes from outside passes escape.
type canvas struct{ strings.Builder }

// add writes an element. Its numbers are rounded to a tenth of a pixel.
func (c *canvas) add(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case float64:
			args[i] = round(a)
		case string:
			args[i] = escape(a)
		}
	}
	fmt.Fprintf(c, format+"\n", args...)
}

func round(f float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
}

// escape writes text such that it is text in XML and in HTML, in an element
// and in an attribute. What XML cannot hold becomes a mark.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF || r >= 0x7F && r < 0xA0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return escaper.Replace(s)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// shorten cuts text to at most n characters.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= max(n, 1) {
		return s
	}
	return string(runes[:max(n, 1)-1]) + "…"
}

// advance is about how wide a character of the labels is, in pixels.
const advance = 6.6

// A tag is a text of one or two lines that belongs to a place on the axis.
type tag struct {
	x     float64
	class string
	lines []string
}

func (t tag) wide() float64 {
	n := 0
	for _, line := range t.lines {
		n = max(n, len([]rune(line)))
	}
	return float64(n) * advance
}

// arrange puts tags into rows such that none covers another nor leaves the
// picture. It moves a tag no further than that needs.
func arrange(tags []tag, left, right float64) (rows [][]tag) {
	for _, t := range tags {
		half := t.wide() / 2
		t.x = min(max(t.x, left+half), max(right-half, left+half))
		rows = place(rows, t)
	}
	return rows
}

func place(rows [][]tag, t tag) [][]tag {
	for i, row := range rows {
		free := true
		for _, other := range row {
			free = free && distance(t.x, other.x) > (t.wide()+other.wide())/2+10
		}
		if free {
			rows[i] = append(row, t)
			return rows
		}
	}
	return append(rows, []tag{t})
}

func distance(a, b float64) float64 { return max(a-b, b-a) }
