package policytext

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// nameIn returns the name of the collection that a call is made on, as in db.logs,
// db.getCollection("logs"), db["logs"] and client.db("shop").collection("logs"); "" if it
// is held by a variable.
func nameIn(owner string) string {
	if name, ok := strings.CutPrefix(owner, "db."); ok && isPath(name) {
		return name
	}
	for _, end := range []string{")", "]"} {
		rest, ok := strings.CutSuffix(owner, end)
		if !ok || rest == "" {
			continue
		}
		quote := rest[len(rest)-1]
		if quote != '"' && quote != '\'' {
			continue
		}
		rest = rest[:len(rest)-1]
		at := strings.LastIndexByte(rest, quote)
		if at < 0 || strings.ContainsAny(rest[at:], "\\\n") {
			continue
		}
		before, name := strings.TrimSpace(rest[:at]), rest[at+1:]
		if end == "]" && strings.HasSuffix(before, "[") || strings.HasSuffix(strings.ToLower(before), "collection(") {
			return name
		}
	}
	return ""
}

// isPath reports whether a text is names that dots join.
func isPath(text string) bool {
	for name := range strings.SplitSeq(text, ".") {
		if name == "" || strings.ContainsFunc(name, func(c rune) bool { return !isWordPart(c) }) {
			return false
		}
	}
	return true
}

// setName sets the name of the collection, unless the name is already known.
func (r *reading) setName(name string) {
	if r.Name == "" {
		r.Name = name
	}
}

// setNamespace sets the name of the collection from a namespace such as db.logs. Releases
// before 4.4 list each index with its namespace.
func (r *reading) setNamespace(ns policy.Value) {
	if text, ok := ns.AsString(); ok {
		_, name, _ := strings.Cut(text, ".")
		r.setName(strings.TrimPrefix(name, "$cmd.listIndexes."))
	}
}

// setCommand sets the name of the collection from a command.
func (r *reading) setCommand(name policy.Value) {
	text, _ := name.AsString()
	r.setName(text)
}
