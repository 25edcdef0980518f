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
	"github.com/ttlpolicy/ttlpolicy/internal/spelling"
)

// Match reports whether a pattern stands for a namespace: * stands for any text, none
// and points included, \* for an asterisk, \\ for a backslash, and everything else for
// itself (mongodb/mongo-tools: mongorestore/ns/ns.go, NewMatcher).
func Match(pattern, name string) bool {
	parts := literals(pattern)
	name, ok := strings.CutPrefix(name, parts[0])
	if len(parts) == 1 {
		return ok && name == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		if ok {
			_, name, ok = strings.Cut(name, part)
		}
	}
	return ok && strings.HasSuffix(name, parts[last])
}

// Covers reports whether a pattern stands for all that another stands for.
func Covers(pattern, other string) bool {
	const any = "\x00" // which is in no name, so that a * alone can stand for it
	return Match(pattern, strings.Join(literals(other), any))
}

// Name returns the only namespace that a pattern stands for. It reports false for a
// pattern that stands for several.
func Name(pattern string) (string, bool) {
	parts := literals(pattern)
	return parts[0], len(parts) == 1
}

// literals returns what a pattern has before, between and behind its asterisks.
func literals(pattern string) []string {
	parts := []string{""}
	for i := 0; i < len(pattern); i++ {
		last := &parts[len(parts)-1]
		switch rest := pattern[i:]; {
		case strings.HasPrefix(rest, `\*`), strings.HasPrefix(rest, `\\`):
			i++
			*last += rest[1:2]
		case rest[0] == '*':
			parts = append(parts, "")
		default:
			*last += rest[:1]
		}
	}
	return parts
}

// A Selection says which collections are meant, by patterns as [Match] reads them.
// The zero Selection means all.
type Selection struct {
	Include []string // at least one must match, unless there is none
	Exclude []string // none may match
}

// Selects reports whether s means the collection of this name.
func (s Selection) Selects(name string) bool {
	return (len(s.Include) == 0 || matchesAny(s.Include, name)) && !matchesAny(s.Exclude, name)
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return Match(p, name) })
}

// Check refuses, in the words of the command line, a pattern that matches none of the
// names that are there, and a selection that leaves none of them.
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

// Nearest says which names are the most like a pattern: "is shop.logs", "are shop.log,
// shop.logs and 4 more".
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
