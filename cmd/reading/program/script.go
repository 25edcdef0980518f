//go:build !js

package program

import (
	"sort"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readScript reads a program of JavaScript, TypeScript or Python: the calls that package
// policytext knows, and then the options that policytext has skipped.
func (b *Builder) readScript(l language) {
	lexis := scriptLexis
	if l == python {
		lexis = pythonLexis
	}
	t := parseTree(b.Text, lexis)
	evaluate := func(expression string) (policy.Value, bool) {
		at := strings.Index(b.Text, expression)
		if at < 0 {
			return policy.Value{}, false
		}
		e := parseTree(expression, lexis)
		e.assigned, e.text = t.assigned, expression
		if len(e.tokens) == 0 || t.work > maxWork {
			return policy.Value{}, false
		}
		t.work += len(e.tokens)
		return t.compute(e, b.thousands)
	}
	parts, err := policytext.ReadProgram(b.Text, b.now, evaluate)
	if err == nil {
		for _, p := range parts {
			b.addPart(p)
		}
	}
	b.readMentions(t)
	undoing := t.undoing()
	for i, d := range b.definitions {
		for n, r := range undoing {
			if r[0] <= d.at && d.at < r[1] {
				b.definitions[i].scope = n + 1
			}
		}
	}
}

var thousand = pattern.Lazy(`\b(?:1000|1_000|1e3)\s*\*|\*\s*(?:1000|1_000|1e3)\b`)

// multipliesByThousand reports whether a text multiplies by 1000.
func multipliesByThousand(text string) bool { return thousand().MatchString(text) }

// undoing returns the places of functions that revert a migration: down, rollback, revert.
// They do not run after the functions that they revert.
func (t *tree) undoing() (list [][2]int) {
	for i := range t.tokens {
		if !t.is(i, "down", "rollback", "revert", "downgrade") || t.kind(i) != 'n' || t.is(i-1, ".") && !t.is(i-2, "exports") || len(list) == maxUndoing {
			continue
		}
		if t.is(i-1, "def") {
			list = append(list, [2]int{t.tokens[i].at, t.indentedEnd(t.tokens[i-1].at)})
			continue
		}
		k := i + 1
		for k < len(t.tokens) && k < i+30 && !t.is(k, "{", ";", "}", ",") {
			k = t.next(k)
		}
		if t.is(k, "{") && t.pair[k] > 0 {
			list = append(list, [2]int{t.tokens[k].at, t.tokens[t.pair[k]].end})
		}
	}
	return list
}

// indentedEnd returns the end of the Python function that begins at a byte: before the next
// line that is not indented more.
func (t *tree) indentedEnd(at int) int {
	indent := at - strings.LastIndexByte(t.text[:at], '\n') - 1
	end := at + lineEnd(t.text[at:])
	for end < len(t.text) {
		line := t.text[end+1 : end+1+lineEnd(t.text[end+1:])]
		if text := strings.TrimLeft(line, " \t"); text != "" && len(line)-len(text) <= indent {
			break
		}
		end += 1 + len(line)
	}
	return end
}

// maxUndoing bounds the functions of one file that revert a migration.
const maxUndoing = 100

// compute evaluates the tokens of an expression with the names of t. It adds the result
// to thousands if a number was multiplied by 1000.
func (t *tree) compute(expression *tree, thousands map[int64]bool) (v policy.Value, ok bool) {
	n := len(t.tokens)
	joined := *t
	joined.tokens = append(t.tokens[:n:n], expression.tokens...)
	joined.pair = append(t.pair[:n:n], expression.pair...)
	for i := n; i < len(joined.pair); i++ {
		if joined.pair[i] >= 0 {
			joined.pair[i] += n
		}
	}
	q, ok := joined.evaluate([2]int{n, len(joined.tokens)}, 0)
	t.work = joined.work + n // copying the n tokens counts as work
	if !ok || q.isText {
		return v, false
	}
	if q.byThousand {
		thousands[int64(q.n)] = true
	}
	return q.seconds()
}

// ownerOf returns the expression before a call, and the names of its database and
// collection.
func (b *Builder) ownerOf(p policytext.Part) (owner, database, name string) {
	owner = p.Owner
	if owner == "" {
		owner = declaredAt(b.Text, p.At)
	}
	database, name = namesOf(owner)
	if name == "" {
		name = b.modelName(owner, p.At, min(p.End, len(b.Text)))
	}
	if name != "" && database == "" {
		database = b.databaseBefore(p.At)
	}
	return owner, database, name
}

var (
	modelOf      = pattern.Lazy(`\bmodel\s*(?:<[^>(]{0,100}>)?\(\s*["'][^"'\n]{1,200}["']\s*,\s*([\w$]+)\s*,\s*["']([^"'\n]{1,200})["']`)
	modelBefore  = pattern.Lazy(`\bmodel\s*(?:<[^>(]{0,100}>)?\(\s*["'][^"'\n]{1,200}["']\s*,\s*(?:new\s+)?(?:[\w$]+\.)?$`)
	nameBehind   = pattern.Lazy(`^\s*,\s*["']([^"'\n]{1,200})["']`)
	schemaOption = pattern.Lazy(`\{[^{}]{0,500}\bcollection\s*:\s*["']([^"'\n]{1,200})["'][^{}]{0,500}\}\s*\)$`)
)

// modelName returns the collection in which mongoose stores the documents of a schema,
// whose call is from at to end. It finds the name among the schema's options, or in the
// call that makes a model from the schema or its variable. It returns "" if the program has
// no such name.
func (b *Builder) modelName(variable string, at, end int) string {
	if m := schemaOption().FindStringSubmatch(b.Text[max(at, end-1100):end]); m != nil {
		return m[1]
	}
	if modelBefore().MatchString(b.Text[max(at-500, 0):at]) {
		if m := nameBehind().FindStringSubmatch(b.Text[end:min(end+500, len(b.Text))]); m != nil {
			return m[1]
		}
	}
	if b.models == nil {
		b.models = map[string]string{}
		for _, m := range modelOf().FindAllStringSubmatch(b.Text, maxPolicies) {
			b.models[m[1]] = m[2]
		}
	}
	return b.models[variable]
}

var declaration = pattern.Lazy(`([\w$]+)\s*(?::[^=;\n]{0,100})?=\s*(?:new\s+)?(?:[\w$]+\.)?$`)

// declaredAt returns the name that the call at a byte is assigned to.
func declaredAt(text string, at int) string {
	before := text[max(at-160, 0):at]
	if m := declaration().FindStringSubmatch(before); m != nil {
		return m[1]
	}
	return ""
}

var (
	quoted       = `\(?\s*["'` + "`" + `]([^"'` + "`" + `\n]{1,200})["'` + "`" + `]`
	collectionIn = pattern.Lazy(`(?:[cC]ollection|get_collection)(?:<[^>(]{0,60}>)?\s*\(\s*["'` + "`" + `]([^"'` + "`" + `\n]{1,200})["'` + "`" + `]`)
	subscriptIn  = pattern.Lazy(`\[\s*["']([^"'\n]{1,200})["']\s*\]$`)
	databaseIn   = pattern.Lazy(`(?:getSiblingDB|getDB|\.db|get_database)` + quoted)
	pathIn       = pattern.Lazy(`(?:^|\.)db(?:\(\s*["'][^"'\n]{1,200}["']\s*\))?\.([\w$.-]{1,200})$`)
)

// namesOf returns the names of a database and a collection in the expression on which a call
// is made, such as db.logs and client.db("shop").collection("logs").
func namesOf(owner string) (database, name string) {
	if m := databaseIn().FindStringSubmatch(owner); m != nil {
		database = m[1]
	}
	switch {
	case collectionIn().MatchString(owner):
		all := collectionIn().FindAllStringSubmatch(owner, -1)
		name = all[len(all)-1][1]
	case subscriptIn().MatchString(owner):
		name = subscriptIn().FindStringSubmatch(owner)[1]
	case strings.HasPrefix(owner, "db.getSiblingDB(") || strings.HasPrefix(owner, "db.getMongo("):
		if i := strings.LastIndex(owner, ")."); i >= 0 {
			name = owner[i+2:]
		}
	default:
		if m := pathIn().FindStringSubmatch(owner); m != nil {
			name = m[1]
		}
	}
	return database, name
}

var chosen = pattern.Lazy(`(?m)^\s*(?:use\s+([\w-]{1,64})\s*;?\s*$|(?:const |let |var )?db\s*=\s*[\w.()]{0,60}(?:getSiblingDB|getDB)\(\s*["']([^"'\n]{1,64})["'])`)

// databaseBefore returns the last database that a script of the shell chooses before a
// byte. It searches the text once.
func (b *Builder) databaseBefore(at int) string {
	if b.choices == nil {
		b.choices = []choice{{}}
		for _, m := range chosen().FindAllStringSubmatchIndex(b.Text, -1) {
			start, end := max(m[2], m[4]), max(m[3], m[5])
			b.choices = append(b.choices, choice{m[1], b.Text[start:end]})
		}
	}
	next := sort.Search(len(b.choices), func(i int) bool { return b.choices[i].from > at })
	return b.choices[next-1].database
}

var shellCall = pattern.Lazy(`\bdb(?:\.[\w$]+|\.getSiblingDB\(\\?["'][^"'\n]{1,64}["']\)|\[[^\]\n]{1,80}\]|\.getCollection\(\\?["'][^"'\n]{1,64}["']\)){0,4}\.(?:createIndex|createCollection|createIndexes|dropIndex|dropIndexes|runCommand)\(`)

// shellParts reads the calls of MongoDB's shell within a script of another language, one at
// a time.
func shellParts(b *Builder) (parts []policytext.Part) {
	for _, m := range shellCall().FindAllStringIndex(b.Text, maxPolicies) {
		if b.isComment(m[0]) {
			continue
		}
		end := callEnd(b.Text, m[1]-1)
		if end < 0 || b.IsRead(m[0]) {
			continue
		}
		text := strings.ReplaceAll(b.Text[m[0]:end], `\"`, `"`)
		read, err := policytext.ReadProgram(text, b.now, func(string) (policy.Value, bool) { return policy.Value{}, false })
		for _, p := range read {
			if err == nil {
				p.At, p.End = m[0], end
				parts = append(parts, p)
			}
		}
	}
	return parts
}

// callEnd returns the end of the call whose parenthesis is at open, -1 if the call does not
// end within maxCommand bytes.
func callEnd(text string, open int) int {
	depth := 0
	for i := open; i < len(text) && i < open+maxCommand; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
