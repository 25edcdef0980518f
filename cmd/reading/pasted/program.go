package pasted

import (
	"errors"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Program is the result of [ReadProgram].
type Program struct {
	Parts []Part // in the order of the text
	// IsScript means that the text consists of such commands alone, so that they run in this
	// order. In any other text the order is not known, or whether a command runs at all.
	IsScript bool
}

// A Part is a command in a program, with its definition.
type Part struct {
	Database string // "" if the command does not name it
	At, End  int    // offsets of the command in the text
	Collection
	// Err is the reason why the command is no definition; nil if it is one.
	Err error
}

// errUnnamed is about a command on a collection that a variable holds.
var errUnnamed = errors.New("the command does not name its collection")

// ReadProgram reads the literal commands of a program as [ReadCollection] does, each by
// itself, because a program may define several collections. A command defines something only
// if it names its collection itself; a schema of mongoose needs no name. The error is that of
// [mongosh.Calls].
func ReadProgram(text string, now policy.Instant) (p Program, err error) {
	script, err := mongosh.Calls(text, now, isRead)
	if err != nil {
		return p, err
	}
	for _, c := range script.Calls {
		r := &reading{program: true, steps: true}
		part := Part{At: c.At, End: c.End}
		part.Err = r.add(c)
		part.Collection = r.Collection
		if part.Database, _ = namesIn(c.On); methods[c.Method].onDatabase {
			part.Database = databaseIn(c.On)
		}
		if part.Err == nil && len(r.Indexes) == 0 && r.Options.IsMissing() && r.Change == nil {
			continue
		}
		if part.Err == nil && part.Name == "" && c.Method != "Schema" {
			part.Err = errUnnamed
		}
		if part.Err == nil {
			part.Err = part.CheckNames()
		}
		p.Parts = append(p.Parts, part)
	}
	p.asScript(text, now)
	return p, nil
}

// choice matches a line by which a script of the shell chooses its database.
var choice = pattern.Lazy(`(?m)^[ \t]*(?:use[ \t]+([A-Za-z0-9_-]+)|db[ \t]*=[ \t]*db\.getSiblingDB\((?:"([^"\n]*)"|'([^'\n]*)')\))[ \t]*;?[ \t]*$`)

// asScript sets IsScript. In a script, the commands get the database that it has chosen before
// them.
func (p *Program) asScript(text string, now policy.Instant) {
	plain := choice().ReplaceAllStringFunc(text, func(found string) string { return strings.Repeat(" ", len(found)) })
	shell, err := mongosh.Parse(plain, now)
	if p.IsScript = err == nil && len(shell.Calls) > 0; !p.IsScript {
		return
	}
	choices, database := choice().FindAllStringSubmatchIndex(text, -1), ""
	for i := range p.Parts {
		part := &p.Parts[i]
		for len(choices) > 0 && choices[0][0] < part.At {
			for group := 2; group < len(choices[0]); group += 2 {
				if choices[0][group] >= 0 {
					database = text[choices[0][group]:choices[0][group+1]]
				}
			}
			choices = choices[1:]
		}
		if part.Database == "" {
			part.Database = database
		}
	}
}

// databaseIn returns the name of the database on which a call is made, "" if it is not said.
func databaseIn(owner string) string {
	if m := ofDatabase().FindStringSubmatch(owner); len(owner) <= maxOwner && m != nil && isPlain(m[1]+m[2]) {
		return m[1] + m[2]
	}
	return ""
}

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
