package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func (l *loader) checkRows(v *Vector, op questions.Operation) {
	for i := range v.Want {
		row := &v.Want[i]
		l.checkRange(row.TargetRange, op)
		l.checkLevel(row)
		l.checkEvidence(row)
		l.checkLabels(row)
		for _, e := range row.Answers {
			l.checkExpectation(v, row.at, e, op)
		}
	}
}

// checkRange checks that a range consists of known releases of the question's
// system.
func (l *loader) checkRange(r TargetRange, op questions.Operation) {
	known := l.suite.releases[r.System].all
	switch {
	case r.System != op.System:
		l.Add(r.at, "the question is about %q, not %q", op.System, r.System)
		return
	case known == nil && r.Versions != "":
		l.Add(r.at, "%s has no versions", r.System)
		return
	case known != nil && r.Versions == "":
		l.Add(r.at, "\"versions\" is missing")
		return
	case r.Capabilities != nil && r.System != conformance.CosmosMongo:
		l.Add(r.at, "%s has no capabilities", r.System)
	case r.Parameters != nil && r.System != conformance.MongoDB:
		l.Add(r.at, "%s has no server parameters", r.System)
	}
	for _, named := range r.versions.named() {
		if _, isKnown := slices.BinarySearchFunc(known, named, release.compare); !isKnown {
			l.Add(r.at, "%s is not a release that the suite knows", named.text)
		}
	}
	if known != nil && !slices.ContainsFunc(known, r.versions.contains) {
		l.Add(r.at, "versions %q hold for no release", r.Versions)
	}
}

// checkLevel checks that the evidence and the answers of a row fit its level.
func (l *loader) checkLevel(row *Row) {
	binding := row.Level == levelMust || row.Level == levelRuleSet
	switch {
	case binding && engine.Rank(row.Evidence) <= engine.Rank(engine.Inferred):
		l.Add(row.at, "a %q row must not rest on evidence that is %q", row.Level, row.Evidence)
	case binding && len(row.Answers) > 1:
		l.Add(row.at, "a %q row has one answer, not \"anyOf\"", row.Level)
	case !binding && len(row.Answers) < 2:
		l.Add(row.at, "a row that is %q wants \"anyOf\" with two answers or more", row.Level)
	case row.Level == levelDisputed && row.Evidence != engine.Disputed:
		l.Add(row.at, "a row that is disputed has disputed evidence, not %q", row.Evidence)
	case row.Level == levelRuleSet != (row.RuleSet != ""):
		l.Add(row.at, "want a rule set, as \"profile\", beside the level \"profile\", and beside no other level")
	case row.RuleSet != "" && !slices.ContainsFunc(l.suite.RuleSets, func(set RuleSet) bool { return set.Name == row.RuleSet }):
		l.Add(row.at, "unknown rule set %q", row.RuleSet)
	case (row.System == conformance.MongoDB || row.System == conformance.DocumentDB) != (row.AsOf == ""):
		l.Add(row.at, "want \"asOf\" in the row of a service, and in no other")
	}
}

func (l *loader) checkLabels(row *Row) {
	for i, e := range row.Answers {
		for _, other := range row.Answers[:i] {
			if e.Label == other.Label {
				l.Add(row.at, "two answers are labelled %q", e.Label)
			}
		}
	}
}

// checkExpectation checks an answer against the question.
func (l *loader) checkExpectation(v *Vector, at jsonfile.Place, e Expectation, op questions.Operation) {
	if e.Refusal != nil {
		if e.Refusal.Class != "refused" {
			l.Add(at, "the class of an error is %q, want %q", e.Refusal.Class, "refused")
		}
		return
	}
	for fields := e.fields.Fields(); fields.Next(); {
		if !slices.Contains(op.Results(), fields.Name()) {
			l.Add(at, "%s has no %q in \"out\"", v.Op, fields.Name())
		}
	}
	if op.Decides() {
		l.checkDecision(v, at, e)
	}
}

// checkDecision checks that a state, a deadline and the clock of the question
// agree.
func (l *loader) checkDecision(v *Vector, at jsonfile.Place, e Expectation) {
	if id, ok := e.fields.Field("rule").AsString(); ok {
		l.rule(id, at)
	}
	now, _ := v.Clock()
	state, _ := e.fields.Field("state").AsString()
	deadline := e.fields.Field("deadline")
	due, dated := deadline.AsDate()
	switch {
	case state == "never" && deadline.Kind() == policy.Null:
	case state == "expired" && (deadline.IsMissing() || dated && due <= now):
	case state == "pending" && (deadline.IsMissing() || dated && due > now):
	default:
		l.Add(at, "state %q does not go with the deadline %s at the clock %d", state, deadline, now)
	}
	if distance := due - now; dated && -1 <= distance && distance <= 1 && !l.isBoundary(v) {
		l.Add(at, "the deadline is within a millisecond of the clock: add a flag of the kind \"boundary\", or move the clock")
	}
}

func (l *loader) isBoundary(v *Vector) bool {
	return slices.ContainsFunc(v.Flags, func(name string) bool { return l.suite.Flags[name].Kind == "boundary" })
}

// A source is something that vectors cite: a document, a test or a file of the
// vendor's source code.
type source struct {
	policy.Citation
	kind string // kind of evidence that the source can give: as in sourceText
	// text names the releases of MongoDB that a test can run on, as in [TargetRange]. A
	// test of a service, and a source of another kind, has no such text.
	text     string
	versions versions
}

// A sourceText is an entry of sources.json. Package citations reads the last three members,
// which are for people.
type sourceText struct {
	jsonfile.Node
	policy.Citation
	Kind     string        `json:"kind" choice:"documentation specification ticket report source test"`
	Versions string        `json:"versions,omitempty"`
	Accessed string        `json:"accessed,omitempty"`
	Asserts  string        `json:"asserts,omitempty"`
	Pins     jsonfile.Node `json:"pins,omitempty"`
}

func (l *loader) source(text sourceText) source {
	s := source{Citation: text.Citation, kind: text.Kind, text: text.Versions}
	if s.text == "" {
		return s
	}
	if s.kind != citations.Test {
		l.Add(text.Place, "\"versions\" are those that a test can run on, and this is not a test")
	}
	var err error
	if s.versions, err = parseVersions(s.text); err != nil {
		l.Add(text.Place, "%v", err)
	}
	return s
}

// proof lists, for each evidence, kinds of sources. The evidence needs a source of one of
// these kinds.
var proof = map[string][]string{
	engine.VendorTest: {citations.Test},
	engine.FromSource: {citations.Source},
	engine.Documented: {citations.Documentation, citations.Ticket},
	engine.Reported:   {citations.Report},
}

// checkEvidence checks that the sources of a row can give its evidence: one source is of
// the right kind, and a test can run on each release for which it is cited.
func (l *loader) checkEvidence(row *Row) {
	kinds, ok := proof[row.Evidence]
	if !ok {
		return
	}
	var proving []source
	for _, key := range row.cited() {
		if s := l.suite.sources[key]; slices.Contains(kinds, s.kind) {
			proving = append(proving, s)
		}
	}
	switch r, tests := l.untested(row, proving); {
	case len(proving) == 0:
		l.Add(row.at, "evidence is %q, but none of the sources cited is of the kind %s; cite one, or say what the citation really is", row.Evidence, kindsText(kinds))
	case tests != "":
		l.Add(row.at, "evidence is %q, but no test cited can run on %s (%s): split the row there, and say of that part what its own citation is, such as \"source\" or \"documented\"; ids.lock needs no change", row.Evidence, r.text, tests)
	}
}

// untested returns the first release of a row on which no test can run, and a text with the
// releases of each test; "" if there is no such release.
func (l *loader) untested(row *Row, tests []source) (r release, text string) {
	if row.Evidence != engine.VendorTest {
		return r, ""
	}
	for _, r := range l.suite.releases[row.System].all {
		if !row.versions.contains(r) || slices.ContainsFunc(tests, func(s source) bool { return s.versions.contains(r) }) {
			continue
		}
		var all []string
		for _, s := range tests {
			all = append(all, fmt.Sprintf("%s runs on %q", s.Title, s.text))
		}
		return r, strings.Join(all, "; ")
	}
	return r, ""
}

func kindsText(kinds []string) string {
	var all []string
	for _, k := range kinds {
		all = append(all, fmt.Sprintf("%q", k))
	}
	return strings.Join(all, " or ")
}

// cited returns the keys of the sources of all answers, without the places.
func (row Row) cited() (keys []string) {
	for _, e := range row.Answers {
		for _, cite := range e.Cites {
			key, _, _ := strings.Cut(cite, "#")
			keys = append(keys, key)
		}
	}
	return keys
}
