package conform

import (
	_ "embed"
	"html/template"
	"io"
	"net/url"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

//go:embed run.html
var pageText string

var page = cli.NewPage(pageText, template.FuncMap{"rules": rules, "suspect": suspect})

// html writes r as one page that needs nothing else: no script, no network.
func (r Run) html(w io.Writer) error {
	baselines, err := report.Baselines(r.Suite, r.Hello)
	if err != nil {
		return err
	}
	misreadings, err := r.misreadings()
	if err != nil {
		return err
	}
	return page.Write(w, pageView{
		Run: r, Headline: r.headline(), Claims: r.claims(), Verdict: r.verdict(),
		Touched: slices.DeleteFunc(r.RuleSets(), isUntouched), Untouched: r.untouched(),
		Systems: r.systems(), Sections: r.sections(), Baselines: baselines, Observations: r.observations(), Misreadings: misreadings,
	})
}

// A pageView is what the template shows.
type pageView struct {
	Run
	Headline, Claims, Verdict string
	Touched                   []conformance.RuleSetReport // that are claimed, or of which something was asked
	Untouched                 []string                    // the names of the others
	Systems                   []system
	Sections                  []section
	Baselines                 []report.Baseline
	Observations              []conformance.Check
	Misreadings               func([]conformance.Finding) []string
}

// HasSection reports whether what fails of a rule can be linked to.
func (v pageView) HasSection(rule *policy.Rule) bool {
	return slices.ContainsFunc(v.Sections, func(s section) bool { return s.Rule == rule })
}

// suspect is the address at which somebody says that a vector is wrong.
func suspect(v *conformance.Vector) string {
	query := url.Values{"title": {"Vector " + v.ID + " may be wrong"}, "labels": {"vector"}}
	return "https://github.com/ttlpolicy/ttlpolicy/issues/new?" + query.Encode()
}
