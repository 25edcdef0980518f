package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A source is what vectors cite: a document, a test or a file of the vendor's
// source code.
type source struct {
	policy.Citation
	kind string // of evidence that the source can give: one of sourceKinds
	// text names the releases of MongoDB that a test can run on, as in
	// [TargetRange]. A test of a service has none, nor has anything else.
	text     string
	versions versions
}

var sourceKinds = []string{citations.Documentation, citations.Ticket, citations.Report, citations.Source, citations.Test}

// source reads an entry of sources.json.
func (l *loader) source(o *jsonfile.Object) source {
	s := source{
		Citation: policy.Citation{Title: o.Text("title"), Address: o.Text("address")},
		kind:     o.Choice("kind", sourceKinds), text: o.OptionalText("versions"),
	}
	if s.text == "" {
		return s
	}
	if s.kind != citations.Test {
		l.Add(o.At, "\"versions\" are those that a test can run on, and this is not a test")
	}
	var err error
	if s.versions, err = parseVersions(s.text); err != nil {
		l.Add(o.At, "%v", err)
	}
	return s
}

// proof are the kinds of sources that each evidence needs one of.
var proof = map[policy.Confidence][]string{
	policy.VendorTest: {citations.Test},
	policy.FromSource: {citations.Source},
	policy.Documented: {citations.Documentation, citations.Ticket},
	policy.Reported:   {citations.Report},
}

// checkEvidence checks that the sources of a row can establish what the row says
// they do: one of them is of the kind, and a test can run on each release that
// it is cited for.
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

// untested returns the first release of a row that none of the tests can run on,
// and what each of them runs on; "" if there is none.
func (l *loader) untested(row *Row, tests []source) (r release, text string) {
	if row.Evidence != policy.VendorTest {
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
		for _, cite := range e.cites {
			key, _, _ := strings.Cut(cite, "#")
			keys = append(keys, key)
		}
	}
	return keys
}
