package rules

import (
	"cmp"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// rule returns a rule with the texts of e, in which names of releases replace the
// placeholders.
func rule(e engine.Entry) policy.Rule {
	e.Versions, e.Statement = filled(cmp.Or(versionsOf[e.ID], e.Versions)), filled(e.Statement)
	return engine.Rule(e)
}

// filled replaces placeholders in a text by names of releases. {nan@5.0} stands for the
// releases in which the behaviour nan is the same as in 5.0: "5.0.0 to 5.0.13, 5.1 to
// 6.0.1". {specs@2.2/2.6} stands for the releases in which specs is the same as in 2.2 or
// as in 2.6. {in nan@5.0} and {In nan@5.0} name these releases by a phrase: the first
// within a sentence, such as "since 7.1", and the second at its beginning, such as "Since
// 7.1".
func filled(text string) string {
	for {
		at := strings.IndexByte(text, '@')
		if at < 0 {
			return text
		}
		from, to := strings.LastIndexByte(text[:at], '{'), at+strings.IndexByte(text[at:], '}')
		text = text[:from] + releasesOf[text[from+1:to]] + text[to+1:]
	}
}
