// Package namespace compares names of collections, such as shop.logs, with
// patterns such as shop.*, as mongodump and mongorestore read them.
package namespace

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
)

// A Pattern matches namespaces. In it, * stands for any text, even empty or with dots, \*
// for an asterisk, \\ for a backslash, and everything else for itself (mongodb/mongo-tools:
// mongorestore/ns/ns.go, NewMatcher). The zero Pattern matches the empty text.
type Pattern struct {
	before string   // the text before the first asterisk; the whole text if there is none
	behind []string // the texts after each asterisk, up to the next asterisk
}

// Parse reads a pattern. Every text is a pattern.
func Parse(text string) Pattern {
	var parts []string
	var part []byte
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, `\*`), strings.HasPrefix(rest, `\\`):
			i++
			part = append(part, text[i])
		case rest[0] == '*':
			parts = append(parts, string(part))
			part = nil
		default:
			part = append(part, rest[0])
		}
	}
	parts = append(parts, string(part))
	return Pattern{parts[0], parts[1:]}
}

// Escaped returns the pattern that matches this name alone.
func Escaped(name string) string { return strings.NewReplacer(`\`, `\\`, `*`, `\*`).Replace(name) }

// Match reports whether p matches a namespace.
func (p Pattern) Match(name string) bool {
	name, ok := strings.CutPrefix(name, p.before)
	if len(p.behind) == 0 {
		return ok && name == ""
	}
	last := len(p.behind) - 1
	for _, part := range p.behind[:last] {
		if ok {
			_, name, ok = strings.Cut(name, part)
		}
	}
	return ok && strings.HasSuffix(name, p.behind[last])
}

// Covers reports whether p matches every namespace that another pattern matches.
func (p Pattern) Covers(other Pattern) bool {
	const any = "\x00" // no name has this character, so only a * matches it
	return p.Match(strings.Join(append([]string{other.before}, other.behind...), any))
}

// Name returns the namespace that p matches if there is only one. It reports false
// for a pattern that matches several.
func (p Pattern) Name() (string, bool) { return p.before, len(p.behind) == 0 }

// Match reports whether a pattern matches a namespace, see [Pattern].
func Match(pattern, name string) bool { return Parse(pattern).Match(name) }

// A Table finds the first of many patterns that matches a namespace. The zero Table holds
// no patterns. It compares a namespace with each pattern that has an asterisk, and looks
// up patterns without an asterisk by their text.
type Table struct {
	named    map[string]int // the number of the first pattern that matches this name alone
	patterns []numbered     // the patterns with an asterisk
	next     int
}

type numbered struct {
	Pattern
	number int
}

// none means no pattern.
const none = -1

// Add appends a pattern. It returns the number, from 0, of the first earlier pattern that
// covers p, or -1.
func (t *Table) Add(p Pattern) (covering int) {
	number := t.next
	t.next++
	name, isName := p.Name()
	if !isName {
		covering = t.first(none, func(other Pattern) bool { return other.Covers(p) })
		t.patterns = append(t.patterns, numbered{p, number})
		return covering
	}
	covering = t.Find(name)
	if _, stands := t.named[name]; !stands {
		if t.named == nil {
			t.named = map[string]int{}
		}
		t.named[name] = number
	}
	return covering
}

// Find returns the number, from 0, of the first pattern that matches a namespace, or -1
// if none matches.
func (t *Table) Find(name string) int {
	number, ok := t.named[name]
	if !ok {
		number = none
	}
	return t.first(number, func(p Pattern) bool { return p.Match(name) })
}

// first returns the smaller of number and the number of the first matching pattern with an
// asterisk.
func (t *Table) first(number int, fits func(Pattern) bool) int {
	for _, p := range t.patterns {
		if number != none && number < p.number {
			break
		}
		if fits(p.Pattern) {
			return p.number
		}
	}
	return number
}

// Patterns returns the number of patterns with an asterisk in t.
func (t *Table) Patterns() int { return len(t.patterns) }

// A Selection selects collections by patterns as [Match] reads them. The zero Selection
// selects all.
type Selection struct {
	Include []string // at least one must match, if there are any
	Exclude []string // none may match
}

// Selects reports whether s selects the collection of this name.
func (s Selection) Selects(name string) bool {
	return (len(s.Include) == 0 || matchesAny(s.Include, name)) && !matchesAny(s.Exclude, name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, name) })
}

// Check refuses a pattern that matches no existing name, and a selection that excludes all
// names. The error is worded for flags of the command line.
func (s Selection) Check(names []string) error {
	for _, flag := range []struct {
		name     string
		patterns []string
	}{{"--ns", s.Include}, {"--exclude-ns", s.Exclude}} {
		for _, p := range flag.patterns {
			if !slices.ContainsFunc(names, func(n string) bool { return Match(p, n) }) {
				return fmt.Errorf("%s %s matches no collection; there %s", flag.name, p, Nearest(p, names))
			}
		}
	}
	if len(s.Exclude) > 0 && !slices.ContainsFunc(names, s.Selects) {
		return errors.New("--ns and --exclude-ns leave no collection")
	}
	return nil
}

// Nearest names the names that are most similar to a pattern: "is shop.logs", "are
// shop.log, shop.logs and 4 more".
func Nearest(pattern string, names []string) string {
	far := map[string]int{}
	for _, n := range names {
		far[n] = spelling.Distance(pattern, n)
	}
	names = slices.SortedFunc(maps.Keys(far), func(a, b string) int {
		return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b))
	})
	switch len(names) {
	case 0:
		return "is none"
	case 1:
		return "is " + names[0]
	}
	return "are " + cli.SomeOf(names)
}
