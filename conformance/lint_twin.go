package conformance

import (
	"slices"
	"strings"
)

// An implementation that never deletes anything is right about every document
// that stays. Therefore each vector by which nothing happens has a twin that
// differs in one place and by which something does. Where two things keep a
// document, each by itself, the flag Twofold allows for a second place.
const twofold = "Twofold"

// checkTwin checks that v has the twin that it needs.
func (l *loader) checkTwin(v *Vector, _ operation) {
	twin := l.byID[v.Twin]
	idle := v.judgedRows(false)
	switch {
	case v.Twin == "" && len(idle) > 0 && v.Status != retired:
		l.Add(v.at, "%s lets nothing happen and names no \"twin\" by which something does", v.ID)
		return
	case v.Twin == "":
		return
	case twin == nil:
		l.Add(v.at, "unknown twin %q", v.Twin)
		return
	case twin.Op != v.Op:
		l.Add(v.at, "the twin %s asks for %s", twin.ID, twin.Op)
	}
	want := 1
	if slices.Contains(v.Flags, twofold) {
		want = 2
	}
	if got := differences(v, twin); got != want {
		l.Add(v.at, "the twin %s differs in %d places, want %d", twin.ID, got, want)
	}
	for _, row := range idle {
		if !slices.ContainsFunc(twin.judgedRows(true), func(other Row) bool {
			_, ok := l.suite.common(row.TargetRange, other.TargetRange)
			return ok
		}) {
			l.Add(row.at, "by the twin %s nothing happens either, in none of these releases", twin.ID)
		}
	}
}

// judgedRows returns the rows of v with one answer by which something happens, or
// nothing does.
func (v *Vector) judgedRows(happens bool) (rows []Row) {
	for _, row := range v.Want {
		if len(row.Answers) == 1 && v.happens(row.Answers[0]) == happens {
			rows = append(rows, row)
		}
	}
	return rows
}

// happens reports whether by an answer of v a document expires, or a definition
// is accepted.
func (v *Vector) happens(e Expectation) bool {
	if e.Refusal != nil || !operations[v.Op].decides() {
		return e.Refusal == nil
	}
	state, _ := e.fields.Field("state").AsString()
	return state == "expired"
}

// differences counts the places in which two questions differ. What they
// presume of the account or of the server is a place too.
func differences(v, w *Vector) int {
	n := v.question.Differences(w.question)
	if n == 0 && v.settings() != w.settings() {
		n++
	}
	return n
}

func (v *Vector) settings() string {
	var all []string
	for _, s := range v.ranges() {
		all = append(all, strings.Join(s.Settings(), "+"))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}
