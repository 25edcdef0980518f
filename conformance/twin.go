package conformance

import (
	"slices"
	"strings"
)

// An implementation that never deletes anything is right about every document
// that stays. Therefore each vector by which nothing happens has a twin that
// differs in one place and by which something does. Where two things keep a
// document, each by itself, the flag Twofold allows for a second place.

// effect is what a row lets happen.
type effect uint8

const (
	nothing effect = iota // the document stays, or the definition is refused
	something
)

// effectOf returns what an answer of v lets happen.
func (v *Vector) effectOf(e Expectation) effect {
	if e.Refusal != nil {
		return nothing
	}
	if !operations[v.Op].decides() {
		return something
	}
	if state, _ := e.fields.Field("state").AsString(); state == "expired" {
		return something
	}
	return nothing
}

// binding yields the rows of v that are judged, with what they let happen.
func (v *Vector) binding(want effect) (rows []Row) {
	for _, row := range v.Want {
		if len(row.Answers) == 1 && v.effectOf(row.Answers[0]) == want {
			rows = append(rows, row)
		}
	}
	return rows
}

// twin checks that v has the twin that it needs.
func (l *loader) twin(v *Vector) {
	twin := l.suite.Vector(v.Twin)
	idle := v.binding(nothing)
	switch {
	case v.Twin == "" && len(idle) > 0 && v.Status != Retired:
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
	if got, want := differences(v, twin), v.apart(); got != want {
		l.Add(v.at, "the twin %s differs in %d places, want %d", twin.ID, got, want)
	}
	active := twin.binding(something)
	for _, row := range idle {
		if !slices.ContainsFunc(active, func(other Row) bool { return l.suite.meet(row.TargetRange, other.TargetRange) }) {
			l.Add(row.at, "by the twin %s nothing happens either, in none of these releases", twin.ID)
		}
	}
}

// twofold is the flag of vectors in which two things keep a document, each by
// itself, so that no single change lets it expire.
const twofold = "Twofold"

// apart returns in how many places v and its twin must differ.
func (v *Vector) apart() int {
	if slices.Contains(v.Flags, twofold) {
		return 2
	}
	return 1
}

// meet reports whether two scopes of one system have a release in common.
func (suite *Suite) meet(s, t TargetRange) bool {
	_, ok := suite.commonRelease(s, t)
	return ok && s.System == t.System
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
	for _, s := range v.scopes() {
		all = append(all, strings.Join(s.Settings(), "+"))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}
