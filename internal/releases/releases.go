// Package releases holds sets of releases of a system, and their notation in a catalogue:
// "up to 3.2, 5.0.0 to 5.0.13, 5.1 to 6.0.1". [List.Text] writes it, and [List.Parse] reads
// what Text writes.
package releases

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// StandIn matches a stand-in for releases in a text. In {in nan@5.0} its groups are "in ",
// "nan" and "5.0". {nan@2.2/2.6} stands for the releases in which nan is the same as in
// 2.2 or as in 2.6.
var StandIn = regexp.MustCompile(`\{((In |in )?(\w+)@([0-9./]+)|newest)\}`)

// A List is the releases of a system that has versions, ascending:
// "2.2.0", … of MongoDB, "3.2", … of the API for MongoDB.
type List []string

// LineOf returns the line of a release: "5.0" of "5.0.14", "3.2" of "3.2".
func LineOf(release string) string {
	if strings.Count(release, ".") < 2 {
		return release
	}
	return release[:strings.LastIndexByte(release, '.')]
}

// First returns the position of a release, or of the first release of a line,
// -1 if there is none.
func (t List) First(name string) int {
	return slices.IndexFunc(t, func(r string) bool { return r == name || LineOf(r) == name })
}

// Last returns the position of a release, or of the last release of a line, -1
// if there is none.
func (t List) Last(name string) int {
	for i, r := range slices.Backward(t) {
		if r == name || LineOf(r) == name {
			return i
		}
	}
	return -1
}

// A Set is a subset of a List, by position.
type Set []bool

// Parse reads the notation that Text writes, such as "5.0.14 and later in 5.0, 6.0.2 and
// later". The empty text and "all" stand for all releases. It reports false for anything
// else.
func (t List) Parse(text string) (Set, bool) {
	all := make(Set, len(t))
	if text == "" || text == "all" {
		all.add(0, len(t)-1)
		return all, true
	}
	for part := range strings.SplitSeq(text, ", ") {
		from, to := t.span(part)
		if from < 0 || to < from {
			return nil, false
		}
		all.add(from, to)
	}
	return all, t.Text(all) == text
}

func (s Set) add(from, to int) {
	for i := from; i <= to; i++ {
		s[i] = true
	}
}

// span returns the positions of the first and the last release of one part of a
// text, -1 for parts that it cannot read.
func (t List) span(part string) (from, to int) {
	if a, rest, ok := strings.Cut(part, " and later"); ok {
		if rest == "" {
			return t.First(a), len(t) - 1
		}
		return t.First(a), t.Last(strings.TrimPrefix(rest, " in "))
	}
	if b, ok := strings.CutPrefix(part, "up to "); ok {
		return 0, t.Last(b)
	}
	if a, b, ok := strings.Cut(part, " to "); ok {
		return t.First(a), t.Last(b)
	}
	return t.First(part), t.Last(part)
}

// Text says in words which releases are in a set: "all", or spans, or "" for
// none.
func (t List) Text(s Set) string {
	var parts []string
	for from, to := range Runs(len(t), func(i, j int) bool { return s[i] == s[j] }) {
		if s[from] {
			parts = append(parts, t.SpanText(from, to))
		}
	}
	return strings.Join(parts, ", ")
}

// SpanText writes in words the releases from one position to another.
func (t List) SpanText(from, to int) string {
	if from == 0 && to == len(t)-1 {
		return "all"
	}
	a, b := t[from], t[to]
	if LineOf(a) != LineOf(b) || t.isLine(from, to) {
		if from == t.First(LineOf(a)) {
			a = LineOf(a)
		}
		if to == t.Last(LineOf(b)) {
			b = LineOf(b)
		}
	}
	switch {
	case to == len(t)-1:
		return a + " and later"
	case a == b:
		return a
	case from == 0:
		return "up to " + b
	case b == t[to] && to == t.Last(LineOf(b)) && LineOf(a) == LineOf(b):
		return fmt.Sprintf("%s and later in %s", a, LineOf(b))
	}
	return a + " to " + b
}

// isLine reports whether a span is one whole line.
func (t List) isLine(from, to int) bool {
	line := LineOf(t[from])
	return from == t.First(line) && to == t.Last(line)
}

// Runs yields the first and the last position of each run of alike neighbours among the
// positions 0 to n-1.
func Runs(n int, alike func(i, j int) bool) iter.Seq2[int, int] {
	return func(yield func(first, last int) bool) {
		for first, i := 0, 1; i <= n; i++ {
			if i < n && alike(i-1, i) {
				continue
			}
			if !yield(first, i-1) {
				return
			}
			first = i
		}
	}
}

// Patches names a part of a line, "14–31", or "" for all of it.
func (t List) Patches(from, to int) string {
	patch := func(i int) string { return t[i][strings.LastIndexByte(t[i], '.')+1:] }
	switch {
	case t.isLine(from, to):
		return ""
	case from == to:
		return patch(from)
	}
	return patch(from) + "–" + patch(to)
}
