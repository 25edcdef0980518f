// Package namespace compares names of collections, such as shop.logs, with
// patterns such as shop.*, as mongodump and mongorestore read them.
package namespace

import "strings"

// Match reports whether a pattern stands for a namespace: * stands for any
// characters, none included, and everything else for itself.
func Match(pattern, name string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, first)
	for ok {
		part, more, another := strings.Cut(rest, "*")
		if !another {
			return strings.HasSuffix(name, part)
		}
		_, name, ok = strings.Cut(name, part)
		rest = more
	}
	return false
}
