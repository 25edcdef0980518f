package rulebook

import (
	"fmt"
	"slices"
	"strings"
)

// releases are those of a system that has versions, ascending:
// "2.2.0", … of MongoDB, "3.2", … of the API for MongoDB.
type releases []string

// LineOf returns the line of a release: "5.0" of "5.0.14", "3.2" of "3.2".
func LineOf(release string) string {
	if strings.Count(release, ".") < 2 {
		return release
	}
	return release[:strings.LastIndexByte(release, '.')]
}

// first and last return where a release or a whole line begins and ends.
func (t releases) first(name string) int {
	return slices.IndexFunc(t, func(r string) bool { return r == name || LineOf(r) == name })
}

func (t releases) last(name string) int {
	for i, r := range slices.Backward(t) {
		if r == name || LineOf(r) == name {
			return i
		}
	}
	return -1
}

// set is a subset of a releases, by position.
type set []bool

// parse reads what catalogues say of releases, such as "5.0.14 and later in
// 5.0, 6.0.2 and later". The empty text is all releases. It reports false for
// what is more than a list of releases.
func (t releases) parse(text string) (set, bool) {
	all := make(set, len(t))
	if text == "" {
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
	return all, true
}

func (s set) add(from, to int) {
	for i := from; i <= to; i++ {
		s[i] = true
	}
}

// span returns the first and the last release of one part of a text, -1 for
// what it cannot read.
func (t releases) span(part string) (from, to int) {
	if a, rest, ok := strings.Cut(part, " and later"); ok {
		if rest == "" {
			return t.first(a), len(t) - 1
		}
		line, _ := strings.CutPrefix(rest, " in ")
		return t.first(a), t.last(line)
	}
	if b, ok := strings.CutPrefix(part, "up to "); ok {
		return 0, t.last(b)
	}
	for _, between := range []string{" to ", " and "} {
		if a, b, ok := strings.Cut(part, between); ok {
			return t.first(a), t.last(b)
		}
	}
	return t.first(part), t.last(part)
}

// text says a set in the words that parse reads.
func (t releases) text(s set) string {
	var parts []string
	for from := 0; from < len(t); from++ {
		if !s[from] {
			continue
		}
		to := from
		for to+1 < len(t) && s[to+1] {
			to++
		}
		parts = append(parts, t.spanText(from, to))
		from = to
	}
	return strings.Join(parts, ", ")
}

func (t releases) spanText(from, to int) string {
	if from == 0 && to == len(t)-1 {
		return "all"
	}
	a, b := t[from], t[to]
	if LineOf(a) != LineOf(b) || t.isLine(from, to) {
		if from == t.first(LineOf(a)) {
			a = LineOf(a)
		}
		if to == t.last(LineOf(b)) {
			b = LineOf(b)
		}
	}
	switch {
	case a == b:
		return a
	case to == len(t)-1:
		return a + " and later"
	case from == 0:
		return "up to " + b
	case b == t[to] && to == t.last(LineOf(b)) && LineOf(a) == LineOf(b):
		return fmt.Sprintf("%s and later in %s", a, LineOf(b))
	}
	return a + " to " + b
}

// isLine reports whether a span is one whole line.
func (t releases) isLine(from, to int) bool {
	line := LineOf(t[from])
	return from == t.first(line) && to == t.last(line)
}
