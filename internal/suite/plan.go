package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
)

// A claim is the part of a hello about one system.
type claim struct {
	versions
	// known are the releases to ask about: the releases of the suite, and releases that the
	// claim names singly.
	known []release
}

// claimsOf reads what a system claims. The error names the system.
func (suite *Suite) claimsOf(h conformance.Hello) (map[string]claim, error) {
	claims := map[string]claim{}
	for system, text := range h.Systems {
		all, err := parseVersions(text)
		if err != nil {
			return nil, fmt.Errorf("hello: systems: %s: %w", system, err)
		}
		c := claim{versions: all}
		for _, r := range suite.releases[system].all {
			if all.contains(r) {
				c.known = append(c.known, r)
			}
		}
		if suite.releases[system].all != nil {
			c.addNamed()
		}
		claims[system] = c
	}
	return claims, nil
}

// Unknown returns the claims about which no question exists: operations,
// systems and features that the suite does not know, and systems without a
// release in the claimed range.
func (suite *Suite) Unknown(h conformance.Hello) (list []string) {
	for _, op := range h.Ops {
		if _, ok := questions.Operations[op]; !ok {
			list = append(list, "op "+op)
		}
	}
	claims, err := suite.claimsOf(h)
	for _, system := range slices.Sorted(maps.Keys(h.Systems)) {
		switch isKnown := slices.ContainsFunc(conformance.Operations(), func(op string) bool { return conformance.SystemOf(op) == system }); {
		case !isKnown:
			list = append(list, "system "+system)
		case err == nil && suite.releases[system].all != nil && len(claims[system].known) == 0:
			list = append(list, fmt.Sprintf("releases of %s in %s", system, h.Systems[system]))
		}
	}
	for _, feature := range h.Features {
		if _, ok := suite.Features[feature]; !ok && !slices.Contains(gradings, feature) {
			list = append(list, "feature "+feature)
		}
	}
	return list
}

// Claimable returns the features that h does not claim and that vectors of its claimed
// operations need, in alphabetical order.
func (suite *Suite) Claimable(h conformance.Hello) []string {
	lacking := map[string]bool{}
	for _, v := range suite.Vectors {
		if !slices.Contains(h.Ops, v.Op) || v.Status == retired {
			continue
		}
		for _, need := range v.Needs {
			lacking[need] = lacking[need] || !slices.Contains(h.Features, need)
		}
	}
	maps.DeleteFunc(lacking, func(_ string, lacks bool) bool { return !lacks })
	return slices.Sorted(maps.Keys(lacking))
}

// addNamed adds releases that the claim names singly, such as a patch that is newer than
// the suite.
func (c *claim) addNamed() {
	for _, x := range c.spans {
		if at, found := slices.BinarySearchFunc(c.known, x.from, release.compare); x.one && !found {
			c.known = slices.Insert(c.known, at, x.from)
		}
	}
}

// A cell holds a gap, or the rows about one group of releases. The rows have the same
// answers, and differ at most in their evidence.
type cell struct {
	TargetRange
	rows []*Row // none for a gap
}

func (v *Vector) cells() (all []cell) {
	for i := range v.Want {
		row := &v.Want[i]
		at := slices.IndexFunc(all, func(c cell) bool { return c.rows[0].isAlike(row) })
		if at < 0 {
			all = append(all, cell{row.TargetRange, []*Row{row}})
			continue
		}
		all[at].rows = append(all[at].rows, row)
		all[at].versions.spans = append(slices.Clip(all[at].versions.spans), row.versions.spans...)
	}
	for _, g := range v.Unspecified {
		all = append(all, cell{g.TargetRange, nil})
	}
	return all
}

// row returns the row for a release, nil for a gap.
func (c cell) row(r release) *Row {
	for _, row := range c.rows {
		if row.Versions == "" || row.versions.contains(r) {
			return row
		}
	}
	return nil
}

// isAlike reports whether two rows judge the same systems by the same answers.
// Their evidence and their releases may differ.
func (row *Row) isAlike(other *Row) bool {
	return row == other || row.System == other.System && slices.Equal(row.Settings(), other.Settings()) &&
		row.AsOf == other.AsOf && row.Level == other.Level && row.RuleSet == other.RuleSet &&
		slices.EqualFunc(row.Answers, other.Answers, Expectation.isSame)
}

func (e Expectation) isSame(other Expectation) bool {
	return e.Label == other.Label && e.String() == other.String()
}

// A probe is a release about which a vector is asked, with the release's cell.
type probe struct {
	conformance.Target
	row *Row
}

// probes returns the releases about which v is asked within a claim: the first and the last
// release of each range of a cell, and the landmarks between them.
func (suite *Suite) probes(v *Vector, c claim) (all []probe) {
	for _, at := range v.cells() {
		for _, r := range suite.edges(at, c.known) {
			all = append(all, probe{conformance.Target{System: at.System, Version: r.text, Capabilities: at.Capabilities, Parameters: at.Parameters}, at.row(r)})
		}
	}
	return all
}

// edges returns the releases at which a cell is probed, ascending.
func (suite *Suite) edges(at cell, known []release) (found []release) {
	if suite.releases[at.System].all == nil {
		return []release{{}}
	}
	landmarks := suite.releases[at.System].landmarks
	before, isWithin := false, len(known) > 0 && at.versions.contains(known[0])
	for i, r := range known {
		after := i+1 < len(known) && at.versions.contains(known[i+1])
		if isWithin && (!before || !after || slices.Contains(landmarks, r)) {
			found = append(found, r)
		}
		before, isWithin = isWithin, after
	}
	return found
}

// unclaimed returns the reason why a system need not answer v, "" if it must.
func (v *Vector) unclaimed(h conformance.Hello) string {
	system := conformance.SystemOf(v.Op)
	if !slices.Contains(h.Ops, v.Op) {
		return v.Op + " is not claimed"
	}
	if _, ok := h.Systems[system]; !ok {
		return system + " is not claimed"
	}
	if lacking := v.lacking(h); lacking != "" {
		return lacking + " is not claimed"
	}
	return ""
}

// lacking returns the features that v needs and h does not claim.
func (v *Vector) lacking(h conformance.Hello) string {
	missing := slices.DeleteFunc(slices.Clone(v.Needs), func(need string) bool { return slices.Contains(h.Features, need) })
	return strings.Join(missing, ", ")
}

// Releases returns the releases of a system that the suite knows, ascending. It returns
// none for a system without versions.
func (suite *Suite) Releases(system string) (all []string) {
	for _, r := range suite.releases[system].all {
		all = append(all, r.text)
	}
	return all
}

// Claimed returns the releases of one system that h claims, ascending: the releases that
// the suite knows, and releases that h names singly. A system without versions has one
// release, "". It returns an error for unreadable claims.
func (suite *Suite) Claimed(h conformance.Hello, system string) ([]string, error) {
	claims, err := suite.claimsOf(h)
	if err != nil {
		return nil, err
	}
	c, claimed := claims[system]
	if claimed && suite.releases[system].all == nil {
		return []string{""}, nil
	}
	var all []string
	for _, r := range c.known {
		all = append(all, r.text)
	}
	return all, nil
}
