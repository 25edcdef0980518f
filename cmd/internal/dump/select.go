package dump

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/spelling"
)

// A Selection says which collections are meant. Its patterns are those of
// mongorestore's --nsInclude and --nsExclude: a whole namespace such as
// "shop.logs", in which * stands for any text, also with a point in it, and \* for
// an asterisk (mongodb/mongo-tools: mongorestore/ns/ns.go, NewMatcher). The zero
// Selection means all.
type Selection struct {
	Include []string // at least one must match, unless there is none
	Exclude []string // none may match
}

// Apply leaves in f what s means. A pattern that matches nothing is an error,
// which names what is nearest to it.
func (s Selection) Apply(f *Found) error {
	include, err := matchers("--ns", s.Include, f)
	if err != nil {
		return err
	}
	exclude, err := matchers("--exclude-ns", s.Exclude, f)
	if err != nil {
		return err
	}
	for _, in := range f.Inputs {
		in.Collections = slices.DeleteFunc(in.Collections, func(c *Collection) bool {
			return len(include) > 0 && !matches(include, c.Title()) || matches(exclude, c.Title())
		})
	}
	f.Inputs = slices.DeleteFunc(f.Inputs, func(in *Input) bool { return in.Err == nil && len(in.Collections) == 0 })
	if len(f.Inputs) == 0 {
		return fmt.Errorf("--ns and --exclude-ns leave no collection")
	}
	return nil
}

func matches(list []*regexp.Regexp, namespace string) bool {
	return slices.ContainsFunc(list, func(m *regexp.Regexp) bool { return m.MatchString(namespace) })
}

// matchers compiles the patterns of a flag. Each must match something.
func matchers(flag string, patterns []string, f *Found) (list []*regexp.Regexp, err error) {
	for _, p := range patterns {
		m := matcher(p)
		known := f.Collections()
		if !slices.ContainsFunc(known, func(c *Collection) bool { return m.MatchString(c.Title()) }) {
			return nil, fmt.Errorf("%s %s matches no collection; there %s", flag, p, nearest(p, known))
		}
		list = append(list, m)
	}
	return list, nil
}

// escapes are the texts with a meaning of their own in a pattern.
var escapes = regexp.MustCompile(`\\[\\*]|\*`)

// matcher compiles one pattern.
func matcher(pattern string) *regexp.Regexp {
	text := `(?s)\A`
	at := 0
	for _, e := range escapes.FindAllStringIndex(pattern, -1) {
		text += regexp.QuoteMeta(pattern[at:e[0]])
		if pattern[e[0]] == '*' {
			text += ".*"
		} else {
			text += regexp.QuoteMeta(pattern[e[1]-1 : e[1]])
		}
		at = e[1]
	}
	return regexp.MustCompile(text + regexp.QuoteMeta(pattern[at:]) + `\z`)
}

// nearest says which names are the most like a pattern.
func nearest(pattern string, known []*Collection) string {
	var names []string
	for _, c := range known {
		names = append(names, c.Title())
	}
	if len(names) == 0 {
		return "is none"
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(spelling.Distance(pattern, a), spelling.Distance(pattern, b))
	})
	if len(names) == 1 {
		return "is " + names[0]
	}
	return "are " + someOf(slices.Compact(names))
}
