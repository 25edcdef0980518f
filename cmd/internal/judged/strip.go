package judged

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A system is the strips of all rules of one database: a rule a row, a line of
// releases a column.
type system struct {
	Name     string
	Releases []string // such as "5.0"; one that is empty for a service without versions
	Rows     []strip
}

// A strip is how a rule fared, release by release.
type strip struct {
	Rule  *policy.Rule
	Cells []stripCell
}

// A stripCell is how the checks of one rule about one line of releases ended.
type stripCell struct {
	Class string // pass, fail, mixed, recorded, unclaimed or none
	Mark  string // the same for those who see no colours
	Text  string
}

var stripCells = map[string]stripCell{
	"pass":      {"pass", "✓", "conforms"},
	"fail":      {"fail", "✗", "fails"},
	"recorded":  {"recorded", "·", "recorded, not judged"},
	"unclaimed": {"unclaimed", "–", "not claimed"},
	"known":     {"known", "!", "known failure"},
	"none":      {"none", "", "not asked"},
}

// strips returns the strips of every system that was asked about.
func (r Run) strips() (list []system) {
	for _, name := range []string{conformance.MongoDB, conformance.CosmosNoSQL, conformance.CosmosMongo} {
		if s := r.stripsOf(name); len(s.Rows) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func (r Run) stripsOf(name string) system {
	s := system{Name: name}
	cells := map[*policy.Rule]map[string]string{}
	for _, c := range r.Checks {
		if c.Target.System != name || c.Outcome == conformance.Inapplicable && c.Target.Version == "" && name != conformance.CosmosNoSQL {
			continue
		}
		line := lineOf(c.Target.Version)
		if !slices.Contains(s.Releases, line) {
			s.Releases = append(s.Releases, line)
		}
		for _, rule := range c.Vector.Rules {
			if cells[rule] == nil {
				cells[rule] = map[string]string{}
			}
			cells[rule][line] = worse(cells[rule][line], c.Outcome)
		}
	}
	slices.SortFunc(s.Releases, compareReleases)
	for rule := range conformance.Rules() {
		if of := cells[rule]; of != nil {
			s.Rows = append(s.Rows, stripOf(rule, s.Releases, of))
		}
	}
	return s
}

func stripOf(rule *policy.Rule, releases []string, cells map[string]string) strip {
	row := strip{Rule: rule}
	for _, release := range releases {
		row.Cells = append(row.Cells, stripCells[cmp.Or(cells[release], "none")])
	}
	return row
}

// ranks orders what a cell can say: the worst is shown.
var ranks = []string{"", "unclaimed", "recorded", "pass", "known", "fail"}

// worse returns the class of a cell to which another outcome comes.
func worse(class string, o conformance.Outcome) string {
	other := "fail"
	switch o {
	case conformance.Pass:
		other = "pass"
	case conformance.Known:
		other = "known"
	case conformance.Observed:
		other = "recorded"
	case conformance.Inapplicable:
		other = "unclaimed"
	}
	return ranks[max(slices.Index(ranks, class), slices.Index(ranks, other))]
}

// lineOf returns the line of releases of a version: "5.0" of "5.0.14".
func lineOf(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

func compareReleases(a, b string) int {
	v, errA := mongo.ParseVersion(a + ".0")
	w, errB := mongo.ParseVersion(b + ".0")
	if errA != nil || errB != nil {
		return strings.Compare(a, b)
	}
	return v.Compare(w)
}
