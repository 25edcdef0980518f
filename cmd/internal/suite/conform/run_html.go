package conform

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"net/url"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

//go:embed run.html
var pageText string

var page = cli.NewPage(pageText, template.FuncMap{"rules": rules, "suspect": suspect, "finding": viewOf})

// html writes r as one page that needs nothing else: no script, no network.
func (r Run) html(w io.Writer) error {
	baselines, err := results.Baselines(r.Suite, r.Hello)
	if err != nil {
		return err
	}
	misreadings, err := r.misreadings()
	if err != nil {
		return err
	}
	causes, sections := r.failures()
	return page.Write(w, pageView{r, causes, sections, baselines, misreadings})
}

// A pageView is the data of the template.
type pageView struct {
	Run
	Causes      []suite.Cause
	Sections    []section
	Baselines   []results.Baseline
	Misreadings func([]suite.Finding) []string
}

// Touched are the rule sets that are claimed or about which something was
// asked.
func (r Run) Touched() []suite.RuleSetReport { return slices.DeleteFunc(r.RuleSets(), isUntouched) }

// A findingView is the template's data of a finding.
type findingView struct {
	suite.Finding
	Suite *suite.Suite
}

func viewOf(v pageView, f suite.Finding) findingView { return findingView{f, v.Suite} }

// HasSection reports whether the page has a section about the failures of a rule.
func (v pageView) HasSection(rule policy.Rule) bool {
	return slices.ContainsFunc(v.Sections, func(s section) bool { return s.Rule == rule })
}

// suspect is the address for reporting that a vector is wrong.
func suspect(v *suite.Vector) string {
	query := url.Values{"title": {"Vector " + v.ID + " may be wrong"}, "labels": {"vector"}}
	return published.Repository + "/issues/new?" + query.Encode()
}

// A system is a table of the verdicts on the rules of one database, with a row for each
// rule and a column for each line of releases.
type system struct {
	Name     string
	Releases []string // such as "5.0"; a single "" for a service without versions
	Rows     []releaseRow
}

// A releaseRow holds the verdicts on one rule by release.
type releaseRow struct {
	Rule  policy.Rule
	Cells []releaseCell
}

// A releaseCell holds the outcomes of one rule's checks in one line of releases.
type releaseCell struct {
	Class string // the key of the class in releaseCells
	Mark  string // a character for Class, for readers who do not see colours
	Text  string
}

var releaseCells = map[string]releaseCell{
	"pass":      {"pass", "✓", "conforms"},
	"fail":      {"fail", "✗", "fails"},
	"recorded":  {"recorded", "·", "recorded, not judged"},
	"unclaimed": {"unclaimed", "–", "not claimed"},
	"unaskable": {"unaskable", "?", "cannot be found out"},
	"known":     {"known", "!", "known failure"},
	"none":      {"none", "", "not asked"},
}

// Systems returns the systems that were asked about.
func (r Run) Systems() (list []system) {
	for _, name := range suite.Systems {
		if s := r.system(name); len(s.Rows) > 0 {
			list = append(list, s)
		}
	}
	return list
}

func (r Run) system(name string) system {
	classes := map[policy.Rule]map[string]string{} // the classes of each rule, by the line of releases
	lines := map[string]bool{}
	for _, c := range r.Checks {
		if c.Target.System != name || c.Outcome == suite.Inapplicable && c.Target.Version == "" && name != conformance.CosmosNoSQL {
			continue
		}
		line := releases.LineOf(c.Target.Version)
		lines[line] = true
		for _, rule := range c.Vector.Rules {
			if classes[rule] == nil {
				classes[rule] = map[string]string{}
			}
			classes[rule][line] = worse(classes[rule][line], c.Outcome)
		}
	}
	s := system{Name: name}
	for _, release := range append([]string{""}, r.Suite.Releases(name)...) {
		if line := releases.LineOf(release); lines[line] && !slices.Contains(s.Releases, line) {
			s.Releases = append(s.Releases, line)
		}
	}
	for rule := range suite.Rules() {
		if of := classes[rule]; of != nil {
			row := releaseRow{Rule: rule}
			for _, line := range s.Releases {
				row.Cells = append(row.Cells, releaseCells[cmp.Or(of[line], "none")])
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// ranks orders the outcomes of a cell: the worst is shown.
var ranks = []string{"", "unclaimed", "unaskable", "recorded", "pass", "known", "fail"}

// classOf is the class of an outcome; every other outcome has the class "fail".
var classOf = map[suite.Outcome]string{
	suite.Pass: "pass", suite.Known: "known", suite.Observed: "recorded", suite.Inapplicable: "unclaimed",
	suite.Unaskable: "unaskable", suite.Boundary: "unaskable",
}

// worse returns the class of a cell once another outcome is added.
func worse(class string, o suite.Outcome) string {
	return ranks[max(slices.Index(ranks, class), slices.Index(ranks, cmp.Or(classOf[o], "fail")))]
}
