package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Ink is how well it is known that a rule holds for a release.
type Ink uint8

// The inks, greater is better known. Those above Unverified are the degrees of
// confidence of the same names.
const (
	Blank      Ink = iota // it does not hold
	Unverified            // not established: the sources are silent, or disagree
	Documented
	Reported
	FromSource
	VendorTest
	Run
)

// Mark returns a character that tells ink without colour.
func (ink Ink) Mark() string { return [...]string{"·", "□", "▤", "▧", "▦", "■", "★"}[ink] }

// String returns ink's name, such as "vendor-test".
func (ink Ink) String() string {
	switch ink {
	case Blank:
		return "does not hold"
	case Unverified:
		return "unverified"
	}
	return (policy.Documented + policy.Confidence(ink-Documented)).String()
}

// inkOf is how a degree of confidence is drawn.
func inkOf(c policy.Confidence) Ink {
	if c < policy.Documented {
		return Unverified
	}
	return Documented + Ink(c-policy.Documented)
}

// A Strip is the releases of one system, and for which of them a rule holds.
type Strip struct {
	System string // "MongoDB"
	AsOf   string // the date of the page that describes a service, "" if none
	Cells  []Cell // none where the catalogue's words cannot be drawn
	// Spans says the same in words, an entry for each ink but Blank.
	Spans []Span

	releases timeline
	inks     []Ink // of releases
}

// A Cell is a line of releases, or the part of one that is drawn alike.
type Cell struct {
	Line    string // "5.0", "the service"
	Patches string // "14–31", "" for the whole line
	Ink     Ink
}

// Label names the releases of c, "5.0.14–31".
func (c Cell) Label() string {
	if c.Patches == "" {
		return c.Line
	}
	return c.Line + "." + c.Patches
}

// HoldsAt reports whether a rule is drawn as one that holds for a release of a
// system, such as "8.0.4" of conformance.MongoDB; "" is a service without
// versions.
func (p *Page) HoldsAt(system, release string) bool {
	for _, s := range p.Strips {
		i := slices.Index(s.releases, release)
		if s.System == systems[system] && (release == "" || i >= 0 && s.inks[i] != Blank) {
			return true
		}
	}
	return false
}

// A Span is the releases of one ink.
type Span struct {
	Ink      Ink
	Releases string // "3.2 and later"; "" for a service without versions
}

// systems are those that vectors speak of, as people know them.
var systems = map[string]string{
	conformance.MongoDB:     "MongoDB",
	conformance.CosmosNoSQL: "Azure Cosmos DB for NoSQL",
	conformance.CosmosMongo: "Azure Cosmos DB for MongoDB",
}

// spoken is what the vectors of a suite say of rules.
type spoken struct {
	suite *conformance.Suite
	rows  []statement
	// decides holds the rules that some answer names.
	decides map[string]bool
}

// A statement is a row or a gap of a vector.
type statement struct {
	evidence
	rules   []*policy.Rule // that the vector bears on
	decider string         // the rule that the answer names, "" if none
}

func newSpoken(s *conformance.Suite) spoken {
	sp := spoken{suite: s, decides: map[string]bool{}}
	for _, v := range s.Vectors {
		for _, row := range v.Want {
			first := row.Answers[0]
			e := evidence{row.TargetRange, inkOf(row.Evidence), row.AsOf, first.Refusal != nil}
			sp.rows = append(sp.rows, statement{e, v.Rules, outputOf(first).Rule})
			sp.decides[outputOf(first).Rule] = true
		}
		for _, g := range v.Unverified {
			sp.rows = append(sp.rows, statement{evidence{g.TargetRange, Unverified, "", true}, nil, g.Rule.ID})
		}
	}
	return sp
}

// strips returns a strip for each system in which a vector shows r, or for the
// one that its identifier names if none does.
func (sp spoken) strips(r *policy.Rule) (all []Strip) {
	for _, system := range []string{conformance.MongoDB, conformance.CosmosNoSQL, conformance.CosmosMongo} {
		if found := sp.about(r, system); len(found) > 0 {
			all = append(all, sp.strip(r, system, found))
		}
	}
	if all == nil {
		all = append(all, sp.strip(r, homeSystem(r), nil))
	}
	return all
}

// homeSystem is the system that the identifier of a rule names.
func homeSystem(r *policy.Rule) string {
	switch {
	case strings.HasPrefix(r.ID, "mongo."):
		return conformance.MongoDB
	case strings.HasPrefix(r.ID, "cosmos.mongo-"):
		return conformance.CosmosMongo
	}
	return conformance.CosmosNoSQL
}

// evidence is a row or a gap of a vector in which a rule speaks.
type evidence struct {
	conformance.TargetRange
	ink  Ink
	asOf string
	// decides tells that it names the rule, or refuses.
	decides bool
}

// about collects what vectors say of r in one system. An answer that another
// rule decides says nothing of a rule that decides too.
func (sp spoken) about(r *policy.Rule, system string) (all []evidence) {
	for _, row := range sp.rows {
		beside := slices.Contains(row.rules, r) && (row.decider == "" || !sp.decides[r.ID])
		if row.System == system && (row.decider == r.ID || beside) {
			e := row.evidence
			e.decides = e.decides || row.decider == r.ID
			all = append(all, e)
		}
	}
	return all
}

// strip draws r on the releases of a system.
func (sp spoken) strip(r *policy.Rule, system string, found []evidence) Strip {
	strip := Strip{System: systems[system]}
	for _, e := range found {
		strip.AsOf = max(strip.AsOf, e.asOf)
	}
	releases := timeline(sp.suite.Releases(system))
	if releases == nil {
		ink := best(found, "", inkOf(r.Confidence))
		strip.Cells, strip.Spans = []Cell{{Line: "the service", Ink: ink}}, []Span{{Ink: ink}}
		return strip
	}
	inks := releases.inks(r, found)
	if !slices.ContainsFunc(inks, func(ink Ink) bool { return ink > Blank }) { // prose, and no vector to draw it by
		strip.Spans = []Span{{inkOf(r.Confidence), r.Versions}}
		return strip
	}
	strip.releases, strip.inks = releases, inks
	strip.Cells, strip.Spans = releases.cells(inks), releases.spans(inks)
	return strip
}

// best is the best ink of what was found about a release, "" for a service
// without versions. A vector cannot establish a rule better than its sources
// do. Where no vector speaks, the sources do; but where vectors speak of other
// releases only, nothing was tested in this one.
func best(found []evidence, release string, bySources Ink) Ink {
	ink := Blank
	for _, e := range found {
		if release == "" || e.Contains(release) {
			ink = max(ink, e.ink)
		}
	}
	switch {
	case ink > Blank:
		return min(ink, bySources)
	case len(found) > 0:
		return min(Documented, bySources)
	}
	return bySources
}

// inks returns how well each release is known to keep r. Where the catalogue
// says in prose for which releases a rule holds, the vectors say it.
func (t timeline) inks(r *policy.Rule, found []evidence) []Ink {
	holds, ok := t.parse(r.Versions)
	if !ok {
		holds = make(set, len(t))
		for i, release := range t {
			holds[i] = slices.ContainsFunc(found, func(e evidence) bool { return e.decides && e.Contains(release) })
		}
	}
	inks := make([]Ink, len(t))
	for i, release := range t {
		if holds[i] {
			inks[i] = best(found, release, inkOf(r.Confidence))
		}
	}
	return inks
}

// Align divides strips of one system alike, so that they can be read one below
// the other.
func Align(strips []Strip) []Strip {
	aligned := slices.Clone(strips)
	for i := range aligned {
		s := &aligned[i]
		var beside [][]Ink
		for _, other := range strips {
			beside = append(beside, other.inks)
		}
		s.Cells = s.releases.cells(s.inks, beside...)
	}
	return aligned
}

// cells divides the releases into lines, and lines into parts drawn alike,
// here and in what is drawn beside.
func (t timeline) cells(inks []Ink, beside ...[]Ink) (all []Cell) {
	alike := func(i, j int) bool {
		return lineOf(t[i]) == lineOf(t[j]) && inks[i] == inks[j] &&
			!slices.ContainsFunc(beside, func(other []Ink) bool { return other[i] != other[j] })
	}
	for from := 0; from < len(t); {
		to := from
		for to+1 < len(t) && alike(from, to+1) {
			to++
		}
		all = append(all, Cell{lineOf(t[from]), t.patches(from, to), inks[from]})
		from = to + 1
	}
	return all
}

// patches names a part of a line, "14–31".
func (t timeline) patches(from, to int) string {
	patch := func(i int) string { return t[i][strings.LastIndexByte(t[i], '.')+1:] }
	switch {
	case t.isLine(from, to):
		return ""
	case from == to:
		return patch(from)
	}
	return patch(from) + "–" + patch(to)
}

func (t timeline) spans(inks []Ink) (all []Span) {
	for ink := Run; ink > Blank; ink-- {
		of := make(set, len(t))
		for i := range inks {
			of[i] = inks[i] == ink
		}
		if slices.Contains(of, true) {
			all = append(all, Span{ink, t.text(of)})
		}
	}
	return all
}

// Text draws s in two lines of characters of one width.
func (s Strip) Text() string {
	var labels, marks strings.Builder
	for _, c := range s.Cells {
		width := len([]rune(c.Label())) + 1
		fmt.Fprintf(&labels, "%-*s", width, c.Label())
		fmt.Fprintf(&marks, "%-*s", width, c.Ink.Mark())
	}
	return strings.TrimRight(labels.String(), " ") + "\n" + strings.TrimRight(marks.String(), " ")
}
