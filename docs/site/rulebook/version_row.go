package rulebook

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Support is the degree to which it is known that a rule holds for a release.
type Support uint8

// The levels of support. A greater level is better known. The levels above Unspecified
// are the degrees of confidence with the same names.
const (
	DoesNotHold Support = iota
	Unspecified         // unspecified: the sources are silent, or disagree
	Documented
	Reported
	FromSource
	VendorTest
	Run
)

var supports = [...]string{
	DoesNotHold: "does not hold",
	Unspecified: "unspecified",
	Documented:  engine.Documented,
	Reported:    engine.Reported,
	FromSource:  engine.FromSource,
	VendorTest:  engine.VendorTest,
	Run:         engine.Run,
}

// String returns the name of s, such as "vendor-test".
func (s Support) String() string { return supports[s] }

// supportOf returns the support that sources of a degree of confidence give.
func supportOf(c string) Support {
	above := engine.Rank(c) - engine.Rank(engine.Documented)
	if above < 0 {
		return Unspecified
	}
	return Documented + Support(above)
}

// A VersionRow shows for which releases of one system a rule holds.
type VersionRow struct {
	System string // "MongoDB"
	AsOf   string // the date of the page that describes a service, "" if none
	Cells  []Cell // empty if the catalogue's words cannot be drawn
	// Spans describes the same releases in words, with an entry for each level of
	// support.
	Spans []Span

	releases releases.List
	supports []Support // the support for each of releases
}

// A Cell is a line of releases with the same support, or a part of a line.
type Cell struct {
	Line    string // "5.0", "the service"
	Patches string // "14–31", "" for the whole line
	Support Support
}

// Label names the releases of c, "5.0.14–31".
func (c Cell) Label() string {
	if c.Patches == "" {
		return c.Line
	}
	return c.Line + "." + c.Patches
}

// HoldsAt reports whether the rule of p holds for a release of a system, such as
// "8.0.4" of conformance.MongoDB; "" is a service without versions.
func (p *Page) HoldsAt(system, release string) bool {
	for _, r := range p.VersionRows {
		i := slices.Index(r.releases, release)
		if r.System == systems[system] && (release == "" || i >= 0 && r.supports[i] != DoesNotHold) {
			return true
		}
	}
	return false
}

// A Span is the releases of one level of support.
type Span struct {
	Support  Support
	Releases string // "3.2 and later"; "" for a service without versions
}

// systems maps the systems of vectors to the names that people use.
var systems = map[string]string{
	conformance.MongoDB:     "MongoDB",
	conformance.DocumentDB:  "DocumentDB",
	conformance.CosmosNoSQL: "Azure Cosmos DB for NoSQL",
	conformance.CosmosMongo: "Azure Cosmos DB for MongoDB",
}

// A claim is the statement of one row or one gap of a vector about rules.
type claim struct {
	suite.TargetRange
	support Support
	asOf    string
	rules   []policy.Rule // the rules that the vector bears on
	decider string        // the rule that the answer names, "" if none
	// decides reports that the answer names a rule, or is a refusal.
	decides bool
}

// claims are the statements of the vectors of a suite about rules.
type claims struct {
	suite *suite.Suite
	list  []claim
	// deciders holds the rules that some answer names.
	deciders map[string]bool
}

func newClaims(s *suite.Suite) claims {
	c := claims{suite: s, deciders: map[string]bool{}}
	for _, v := range s.Vectors {
		for _, row := range v.Want {
			first := row.Answers[0]
			decider := outputOf(first).Rule
			c.list = append(c.list, claim{row.TargetRange, supportOf(row.Evidence), row.AsOf, v.Rules, decider, first.Refusal != nil})
			c.deciders[decider] = true
		}
		for _, g := range v.Unspecified {
			c.list = append(c.list, claim{g.TargetRange, Unspecified, "", nil, g.Rule.ID(), true})
		}
	}
	return c
}

// rows returns a row for each system in which a vector shows r. If there is no such
// vector, it returns a row for the system in r's identifier.
func (c claims) rows(r policy.Rule) (all []VersionRow) {
	for _, system := range suite.Systems {
		if found := c.about(r, system); len(found) > 0 {
			all = append(all, c.row(r, system, found))
		}
	}
	if all == nil {
		all = append(all, c.row(r, homeSystem(r), nil))
	}
	return all
}

// homeSystem returns the system that the identifier of a rule names.
func homeSystem(r policy.Rule) string {
	switch {
	case strings.HasPrefix(r.ID(), "mongo."):
		return conformance.MongoDB
	case strings.HasPrefix(r.ID(), "documentdb."):
		return conformance.DocumentDB
	case strings.HasPrefix(r.ID(), "cosmos.mongo-"):
		return conformance.CosmosMongo
	}
	return conformance.CosmosNoSQL
}

// about collects the claims of vectors about r in one system. If r decides some answer in
// the suite, answers that other rules decide do not count as claims about r.
func (c claims) about(r policy.Rule, system string) (all []claim) {
	for _, x := range c.list {
		bears := slices.Contains(x.rules, r) && (x.decider == "" || !c.deciders[r.ID()])
		if x.System == system && (x.decider == r.ID() || bears) {
			x.decides = x.decides || x.decider == r.ID()
			all = append(all, x)
		}
	}
	return all
}

// row returns the row of r for the releases of a system.
func (c claims) row(r policy.Rule, system string, found []claim) VersionRow {
	row := VersionRow{System: systems[system]}
	for _, x := range found {
		row.AsOf = max(row.AsOf, x.asOf)
	}
	list := releases.List(c.suite.Releases(system))
	if list == nil {
		s := best(found, "", supportOf(r.Confidence()))
		row.Cells, row.Spans = []Cell{{Line: "the service", Support: s}}, []Span{{Support: s}}
		return row
	}
	supports := supportsOf(list, r, found)
	if slices.Max(supports) == DoesNotHold { // the catalogue has only prose, and no vector tells the releases
		row.Spans = []Span{{supportOf(r.Confidence()), r.Versions()}}
		return row
	}
	row.releases, row.supports = list, supports
	row.Cells, row.Spans = cellsOf(list, supports), spansOf(list, supports)
	return row
}

// best returns the best support among the claims about a release. The release is "" for a
// service without versions. The result is at most bySources, because a vector cannot
// establish a rule better than the rule's sources do. Without claims the result is
// bySources. If all claims are about other releases, the result is at most Documented,
// because nothing was tested in this release.
func best(found []claim, release string, bySources Support) Support {
	s := DoesNotHold
	for _, x := range found {
		if release == "" || x.Contains(release) {
			s = max(s, x.support)
		}
	}
	switch {
	case s > DoesNotHold:
		return min(s, bySources)
	case len(found) > 0:
		return min(Documented, bySources)
	}
	return bySources
}

// supportsOf returns the support of r in each release. If the catalogue names the
// releases of r only in prose, the rule holds for the releases in which a vector decides
// by it.
func supportsOf(t releases.List, r policy.Rule, found []claim) []Support {
	holds, isList := t.Parse(r.Versions())
	all := make([]Support, len(t))
	for i, release := range t {
		decides := func(x claim) bool { return x.decides && x.Contains(release) }
		if isList && holds[i] || !isList && slices.ContainsFunc(found, decides) {
			all[i] = best(found, release, supportOf(r.Confidence()))
		}
	}
	return all
}

// cellsOf divides the releases into lines, and lines into parts with the same support.
func cellsOf(t releases.List, supports []Support) (all []Cell) {
	alike := func(i, j int) bool {
		return releases.LineOf(t[i]) == releases.LineOf(t[j]) && supports[i] == supports[j]
	}
	for from, to := range releases.Runs(len(t), alike) {
		all = append(all, Cell{releases.LineOf(t[from]), t.Patches(from, to), supports[from]})
	}
	return all
}

func spansOf(t releases.List, supports []Support) (all []Span) {
	for s := Run; s > DoesNotHold; s-- {
		of := make(releases.Set, len(t))
		for i := range supports {
			of[i] = supports[i] == s
		}
		if slices.Contains(of, true) {
			all = append(all, Span{s, t.Text(of)})
		}
	}
	return all
}

// Varies reports whether the support differs between releases.
func (r VersionRow) Varies() bool {
	return slices.ContainsFunc(r.supports, func(s Support) bool { return s != r.supports[0] })
}
