package suite

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// lint makes the checks that need the whole suite to be read.
func (l *loader) lint() {
	l.byID = map[string]*Vector{}
	for _, v := range l.suite.Vectors {
		if first, ok := l.byID[v.ID]; ok {
			l.Add(v.At, "id %q is used at %s:%d too; choose another", v.ID, first.At.File, first.At.Line)
			continue
		}
		l.byID[v.ID] = v
	}
	for _, v := range l.suite.Vectors {
		op := questions.Operations[v.Op]
		if op.System == "" {
			l.Add(v.At, "unknown op %q", v.Op)
			continue
		}
		l.checkVector(v, op)
		l.checkInput(v, op)
		l.checkParameters(v)
		l.checkRows(v, op)
		l.checkGaps(v, op)
		l.checkOverlaps(v)
		l.checkTwin(v)
	}
}

// checkVector checks what belongs to no row.
func (l *loader) checkVector(v *Vector, op questions.Operation) {
	for _, r := range v.Rules {
		if _, ok := l.suite.Untestable[r]; ok {
			l.Add(v.At, "rule %s is listed as untestable in %s; remove it there or here", r, tablesFile)
		}
	}
	if v.Status == retired && v.Comment == "" {
		l.Add(v.At, "retired without a \"comment\" that says why")
	}
	if _, ok := v.Clock(); op.Decides() && !ok {
		l.Add(v.At, "\"now\" is not a date")
	}
	command, _ := v.question.Member("command")
	if name := v.Op[strings.LastIndexByte(v.Op, '.')+1:]; slices.Contains(command.Names, name) {
		l.Add(v.At, "the command of %s stands without the collection's name: leave %q out", v.Op, name)
	}
	if len(v.Want)+len(v.Unspecified) == 0 {
		l.Add(v.At, "neither \"want\" nor \"unspecified\"")
	}
}

// checkInput checks that an input has the members of its operation, and that they can be
// read.
func (l *loader) checkInput(v *Vector, op questions.Operation) {
	in := v.question
	if !in.Is('{') {
		l.Add(v.At, "\"in\" is not an object")
		return
	}
	members := op.Members()
	for _, m := range members {
		if _, ok := in.Member(m.Name); m.Stated && !ok {
			l.Add(v.At, "\"in\" lacks %q", m.Name)
		}
	}
	for i, name := range in.Names {
		if !slices.ContainsFunc(members, func(m questions.Member) bool { return m.Name == name }) {
			l.Add(v.At, "%s has no %q in \"in\"", v.Op, name)
			continue
		}
		if err := checkReadable(op.System, name, in.Nodes[i]); err != nil {
			l.Add(v.At, "%q: %v", name, err)
		}
	}
}

// checkReadable checks a member of an input. Containers and items are plain JSON,
// everything else is Extended JSON.
func checkReadable(system, name string, n jsonfile.Node) error {
	if system == conformance.CosmosNoSQL && name != "now" && name != "steps" {
		_, err := policy.ParseJSON(n.Raw)
		return err
	}
	_, err := valuefunc.F.ParseExtJSONInt32(n.Raw)
	return err
}

// Clock returns the clock of a vector's question. It reports false if the question has
// none.
func (v *Vector) Clock() (policy.Instant, bool) {
	n, ok := v.question.Member("now")
	if !ok {
		return 0, false
	}
	value, _ := valuefunc.F.ParseExtJSONInt32(n.Raw)
	return value.AsDate()
}

func (l *loader) checkParameters(v *Vector) {
	presumed := slices.ContainsFunc(v.ranges(), func(r TargetRange) bool { return r.Parameters != nil })
	switch isNeeded := slices.Contains(v.Needs, featureParameters); {
	case presumed && !isNeeded:
		l.Add(v.At, "a row has \"parameters\": add %q to \"needs\"", featureParameters)
	case !presumed && isNeeded:
		l.Add(v.At, "no row has \"parameters\": remove %q from \"needs\"", featureParameters)
	}
}

func (l *loader) checkGaps(v *Vector, op questions.Operation) {
	for _, g := range v.Unspecified {
		l.checkRange(g.TargetRange, op)
		switch {
		case g.Rule.IsZero():
			l.Add(g.at, "\"rule\" is missing: name the rule ending in -unspecified by which this library answers")
		case !g.Rule.IsUnspecified():
			l.Add(g.at, "rule %s does not end in -unspecified, as the rule of a gap must", g.Rule)
		}
	}
}

// checkOverlaps adds a problem for releases that two rows or gaps cover.
func (l *loader) checkOverlaps(v *Vector) {
	ranges := v.ranges()
	for i, r := range ranges {
		for _, other := range ranges[:i] {
			if first, ok := l.suite.common(r, other); ok && slices.Equal(r.Settings(), other.Settings()) {
				l.Add(r.at, "%s %s is in the range of line %d too: no two ranges may overlap", r.System, first.text, other.at.Line)
			}
		}
	}
}

// ranges returns the ranges of all rows and gaps.
func (v *Vector) ranges() (all []TargetRange) {
	for _, row := range v.Want {
		all = append(all, row.TargetRange)
	}
	for _, g := range v.Unspecified {
		all = append(all, g.TargetRange)
	}
	return all
}

// common returns the first release that two ranges share. It does not compare their
// settings.
func (suite *Suite) common(r, s TargetRange) (first release, ok bool) {
	known := suite.releases[r.System].all
	if r.System != s.System || known == nil {
		return first, r.System == s.System
	}
	i := slices.IndexFunc(known, func(x release) bool { return r.versions.contains(x) && s.versions.contains(x) })
	if i < 0 {
		return first, false
	}
	return known[i], true
}

// An implementation that never deletes anything is right about every document that stays.
// Therefore each vector in which nothing happens needs a twin: a vector that differs in
// one place, and in which something happens. If a document has two reasons to stay, and
// each is sufficient, the flag Twofold allows a second place.
const twofold = "Twofold"

// checkTwin checks that v has the twin that it needs.
func (l *loader) checkTwin(v *Vector) {
	twin := l.byID[v.Twin]
	idle := v.judgedRows(false)
	switch {
	case v.Twin == "" && len(idle) > 0 && v.Status != retired:
		l.Add(v.At, "%s expects that nothing happens, and names no \"twin\" that expects something", v.ID)
		return
	case v.Twin == "":
		return
	case twin == nil:
		l.Add(v.At, "unknown twin %q", v.Twin)
		return
	case twin.Op != v.Op:
		l.Add(v.At, "the twin %s has the op %s, want %s", twin.ID, twin.Op, v.Op)
	}
	want := 1
	if slices.Contains(v.Flags, twofold) {
		want = 2
	}
	if got := differences(v, twin); got != want {
		l.Add(v.At, "the twin %s differs in %d places, want %d", twin.ID, got, want)
	}
	for _, row := range idle {
		if !slices.ContainsFunc(twin.judgedRows(true), func(other Row) bool {
			_, ok := l.suite.common(row.TargetRange, other.TargetRange)
			return ok
		}) {
			l.Add(row.at, "the twin %s expects that nothing happens in any of these releases either", twin.ID)
		}
	}
}

// judgedRows returns the rows of v with a single answer by which something happens, or,
// if happens is false, by which nothing happens.
func (v *Vector) judgedRows(happens bool) (rows []Row) {
	for _, row := range v.Want {
		if len(row.Answers) == 1 && v.happens(row.Answers[0]) == happens {
			rows = append(rows, row)
		}
	}
	return rows
}

// happens reports whether a document expires, or a definition is accepted, by an answer
// of v.
func (v *Vector) happens(e Expectation) bool {
	if e.Refusal != nil || !questions.Operations[v.Op].Decides() {
		return e.Refusal == nil
	}
	state, _ := e.fields.Field("state").AsString()
	return state == "expired"
}

// differences counts the places in which two questions differ. An assumption
// about the account or the server counts as a place too.
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
