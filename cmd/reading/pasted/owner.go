package pasted

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The ways in which an expression before a method names a collection itself: db.logs,
// db["logs"], db.getSiblingDB("shop").logs, db.getCollection("logs") and
// client.db("shop").collection("logs"). A variable names none.
var (
	byProperty = pattern.Lazy(`^(\$?db|.*[.>](?:getSiblingDB|getDB)\(\s*(?:"[^"]*"|'[^']*')\s*\))\s*(?:\.|->)\s*([A-Za-z0-9_$]+(?:\.[A-Za-z0-9_$]+)*)$`)
	byIndex    = pattern.Lazy(`^(\$?db|.*[.>](?:getSiblingDB|getDB)\(\s*(?:"[^"]*"|'[^']*')\s*\))\s*\[\s*(?:"([^"]*)"|'([^']*)')\s*\]$`)
	byCall     = pattern.Lazy(`(?s)^(.*)[.>]\s*(?:getCollection|collection|selectCollection|get_collection)\s*(?:<[^()]*>)?\(\s*(?:"([^"]*)"|'([^']*)')[^"'()]*\)$`)
	ofDatabase = pattern.Lazy(`(?:^|[.>])\s*(?:getSiblingDB|getDB|db|selectDatabase|get_database)\(\s*(?:"([^"]*)"|'([^']*)')[^"'()]*\)$`)
)

// maxOwner bounds the length of an expression that names a collection, in bytes.
const maxOwner = 1000

// namesIn returns the names of the database and the collection on which a call is made. A
// name that the expression does not say, or that a text may compute, is "".
func namesIn(owner string) (database, name string) {
	if len(owner) > maxOwner {
		return "", ""
	}
	before := ""
	if m := byProperty().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]
	} else if m := byIndex().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]+m[3]
	} else if m := byCall().FindStringSubmatch(owner); m != nil {
		before, name = m[1], m[2]+m[3]
	}
	if m := ofDatabase().FindStringSubmatch(strings.TrimSpace(before)); m != nil && isPlain(m[1]+m[2]) {
		database = m[1] + m[2]
	}
	if !isPlain(name) {
		return "", ""
	}
	return database, name
}

// isPlain reports whether a name holds no sign by which a language puts a text together.
func isPlain(name string) bool { return !strings.ContainsAny(name, "\\${}%\n") }

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
