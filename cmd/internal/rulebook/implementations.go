package rulebook

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

// A Result is what was recorded about one implementation.
type Result struct {
	// Key is the name of its file, and of the folder of its adapter: "nedb".
	Key string
	report.Results
}

// ReadResults reads the results in a folder, in the order of their names.
func ReadResults(folder fs.FS) (all []Result, err error) {
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		r, err := report.ParseResults(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, Result{strings.TrimSuffix(name, ".json"), r})
	}
	return all, nil
}

// Deletes reports whether r takes a document for expired that must stay, in a
// check that bears on a rule.
func (r Result) Deletes(rule string) bool {
	return slices.ContainsFunc(r.Checks, func(c report.CheckResult) bool {
		return c.DeletesLive() && slices.Contains(c.Rules, rule)
	})
}

// An Implementation is what another implementation makes of a rule.
type Implementation struct {
	Key, Name, Version string
	Verdict            string // "conforms", "fails", "deletes what must stay", …
}

// implementations fills in what other implementations make of the rules that
// they were asked about.
func (b *Book) implementations(results []Result) {
	for _, r := range results {
		for _, rule := range r.Rules {
			p := b.pages[rule.ID]
			if p == nil || rule.Verdict == conformance.Untested {
				continue
			}
			p.Implementations = append(p.Implementations, Implementation{
				r.Key, r.Implementation.Name, r.Implementation.Version, r.verdict(rule),
			})
		}
	}
}

// verdict puts the verdict on a rule into words.
func (r Result) verdict(rule report.RuleResult) string {
	switch rule.Verdict {
	case conformance.Conformant:
		return "conforms"
	case conformance.Incomplete:
		return "conforms in what applies to it"
	case conformance.Unproven:
		return "unproven: conforms as one would that never expires anything"
	}
	if r.Deletes(rule.ID) {
		return "fails, and deletes what must stay"
	}
	return "fails"
}

// State is the kind of verdict, a word: "conforms", "unproven", "fails".
func (i Implementation) State() string {
	word, _, _ := strings.Cut(i.Verdict, " ")
	return strings.Trim(word, ":,")
}
