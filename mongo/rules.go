package mongo

import (
	"iter"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// RulesVersion numbers what this package decides. It is greater by one in a release
// of the library in which an answer may be another than in the one before. A
// store that keeps deadlines keeps it beside them, and decides anew when it is
// another (docs/releasing.md says what an update may change).
const RulesVersion = 1

// Rules yields the catalogue: first the rules that decide, those of ordinary
// indexes before those of collections that carry the option themselves, each
// set in the order it is consulted; then those by which commands are refused,
// those of a move to another release, and last what holds beside them and
// decides nothing by itself.
func Rules() iter.Seq[*policy.Rule] {
	return slices.Values(slices.Concat(deciding, createIndexRules, collModRules, moveRules, statements, createIndexStatements, collModStatements))
}

// RuleByID returns the rule of the catalogue with an identifier. It reports false
// if there is none: another version of the library may know it.
func RuleByID(id string) (*policy.Rule, bool) {
	r, ok := rulesByID[id]
	return r, ok
}

var rulesByID = func() map[string]*policy.Rule {
	for r := range Rules() {
		if versions := versionsOf(r.ID); versions != "" {
			r.Versions = versions
		}
		r.Versions, r.Statement = filled(r.Versions), filled(r.Statement)
	}
	return engine.ByID(Rules())
}()

// filled replaces what stands for releases in a text. {nan@5.0} stands for those in which
// the field nan of the profile is as in 5.0: "5.0.0 to 5.0.13, 5.1 to 6.0.1". {in nan@5.0}
// stands for the same within a sentence, and {In nan@5.0} at its beginning: "Since 7.1".
func filled(text string) string {
	for {
		at := strings.IndexByte(text, '@')
		if at < 0 {
			return text
		}
		from, to := strings.LastIndexByte(text[:at], '{'), at+strings.IndexByte(text[at:], '}')
		text = text[:from] + releasesOf(text[from+1:to]) + text[to+1:]
	}
}
