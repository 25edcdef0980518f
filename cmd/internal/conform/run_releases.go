package conform

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A system is how the rules of one database fared: a rule a row, a line of
// releases a column.
type system struct {
	Name     string
	Releases []string // such as "5.0"; one that is empty for a service without versions
	Rows     []releaseRow
}

// A releaseRow is how one rule fared, release by release.
type releaseRow struct {
	Rule  *policy.Rule
	Cells []releaseCell
}

// A releaseCell is how the checks of one rule about one line of releases ended.
type releaseCell struct {
	Class string // its key in releaseCells
	Mark  string // the same for those who see no colours
	Text  string
}

var releaseCells = map[string]releaseCell{
	"pass":      {"pass", "✓", "conforms"},
	"fail":      {"fail", "✗", "fails"},
	"recorded":  {"recorded", "·", "recorded, not judged"},
	"unclaimed": {"unclaimed", "–", "not claimed"},
	"known":     {"known", "!", "known failure"},
	"none":      {"none", "", "not asked"},
}

// systems returns the systems that were asked about.
func (r Run) systems() (list []system) {
	for _, name := range []string{conformance.MongoDB, conformance.CosmosNoSQL, conformance.CosmosMongo} {
		if s := r.system(name); len(s.Rows) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func (r Run) system(name string) system {
	s := system{Name: name}
	rules := map[*policy.Rule]map[string]string{} // classes by the line of releases
	for _, c := range r.Checks {
		if c.Target.System != name || c.Outcome == conformance.Inapplicable && c.Target.Version == "" && name != conformance.CosmosNoSQL {
			continue
		}
		line := lineOf(c.Target.Version)
		if !slices.Contains(s.Releases, line) {
			s.Releases = append(s.Releases, line)
		}
		for _, rule := range c.Vector.Rules {
			if rules[rule] == nil {
				rules[rule] = map[string]string{}
			}
			rules[rule][line] = worse(rules[rule][line], c.Outcome)
		}
	}
	slices.SortFunc(s.Releases, compareReleases)
	for rule := range conformance.Rules() {
		if of := rules[rule]; of != nil {
			row := releaseRow{Rule: rule}
			for _, release := range s.Releases {
				row.Cells = append(row.Cells, releaseCells[cmp.Or(of[release], "none")])
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// ranks orders what a cell can say: the worst is shown.
var ranks = []string{"", "unclaimed", "recorded", "pass", "known", "fail"}

// classes are the classes of the outcomes; of another it is "fail".
var classes = map[conformance.Outcome]string{
	conformance.Pass: "pass", conformance.Known: "known", conformance.Observed: "recorded", conformance.Inapplicable: "unclaimed",
}

// worse returns the class of a cell to which another outcome comes.
func worse(class string, o conformance.Outcome) string {
	return ranks[max(slices.Index(ranks, class), slices.Index(ranks, cmp.Or(classes[o], "fail")))]
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
