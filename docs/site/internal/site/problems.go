package site

import (
	"io/fs"
	"path"
	"regexp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook/markdown"
)

// A problem is a link to a page about a problem. The pages of the rules that explain the
// problem have this link.
type problem struct{ File, Title string }

// mostProblems is the largest number of problem pages that a rule names.
const mostProblems = 6

var (
	printedRule = pattern.Lazy(`(?m)^  ((?:mongo|cosmos)\.[a-z0-9-]+)$`)
	linkedRule  = pattern.Lazy("\\[`((?:mongo|cosmos)\\.[a-z0-9-]+)`\\]")
)

// addProblems finds the pages about problems that rules explain. The list of a rule
// begins with the pages on which a command prints the rule.
func (b *builder) addProblems() error {
	names, err := fs.Glob(b.pages, "problems/*.md")
	if err != nil {
		return err
	}
	b.problems = map[string][]problem{}
	for _, rules := range []*regexp.Regexp{printedRule(), linkedRule()} {
		for _, name := range names {
			if path.Base(name) == "README.md" {
				continue
			}
			page, err := fs.ReadFile(b.pages, name)
			if err != nil {
				return err
			}
			p := problem{b.fileOf(name), markdown.Title(page)}
			for _, m := range rules.FindAllSubmatch(page, -1) {
				b.addProblem(string(m[1]), p)
			}
		}
	}
	return nil
}

func (b *builder) addProblem(rule string, p problem) {
	if all := b.problems[rule]; len(all) < mostProblems && !slices.Contains(all, p) {
		b.problems[rule] = append(all, p)
	}
}
