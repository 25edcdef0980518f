// Package mongosh writes values and commands in the syntax of MongoDB's shell, and reads
// values and scripts that people write for the shell.
package mongosh

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Command returns the line that runs a command in mongosh. It reports false if the
// command holds a value that has no literal in mongosh.
func Command(database string, command policy.D) (string, bool) {
	name, okName := jsString(database)
	text, okText := Literal(policy.ObjectValue(command))
	return "db.getSiblingDB(" + name + ").runCommand(" + text + ")", okName && okText
}

// Literal returns v as an expression that mongosh stores as the same value. It reports
// false for a value that no expression in mongosh denotes, such as a document with a
// field twice. The expression keeps the type of a number: a whole number without a constructor is
// stored as an int.
func Literal(v policy.Value) (string, bool) {
	n, _ := v.AsInt64()
	switch v.Kind() {
	case policy.Object:
		return jsDocument(v)
	case policy.List:
		var parts []string
		for e := v.Elements(); e.Next(); {
			text, ok := Literal(e.Value())
			if !ok {
				return "", false
			}
			parts = append(parts, text)
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case policy.String:
		s, _ := v.AsString()
		return jsString(s)
	case policy.Bool, policy.Null:
		return v.String(), true
	case policy.Date:
		const last = 8_640_000_000_000_000 // dates of JavaScript end with the year 275760
		i, _ := v.AsDate()
		if y := i.Time().Year(); y >= 1 && y <= 9999 {
			return `ISODate("` + i.String() + `")`, true
		}
		return fmt.Sprintf("new Date(%d)", int64(i)), -last <= i && i <= last
	case policy.ObjectID:
		id, _ := v.AsObjectID()
		return `ObjectId("` + hex.EncodeToString(id[:]) + `")`, true
	case policy.Binary:
		subtype, data, _ := v.AsBinary()
		return fmt.Sprintf("BinData(%d, %q)", subtype, base64.StdEncoding.EncodeToString(data)), true
	case policy.Timestamp:
		seconds, ordinal, _ := v.AsTimestamp()
		return fmt.Sprintf("Timestamp({t: %d, i: %d})", seconds, ordinal), true
	case policy.MinKey:
		return "MinKey()", true
	case policy.MaxKey:
		return "MaxKey()", true
	case policy.Int32:
		return strconv.FormatInt(n, 10), true
	case policy.Int64:
		return fmt.Sprintf(`NumberLong("%d")`, n), true
	case policy.Decimal:
		text := strings.TrimPrefix(v.String(), `{"$numberDecimal":`)
		return "NumberDecimal(" + strings.TrimSuffix(text, "}") + ")", true
	case policy.Double:
		f, _ := v.AsDouble()
		text := strings.Replace(strconv.FormatFloat(f, 'g', -1, 64), "Inf", "Infinity", 1)
		if f == math.Trunc(f) && !math.IsInf(f, 0) {
			text = "Double(" + text + ")"
		}
		return text, true
	}
	return "", false
}

// Collection returns the expression for a collection, such as
// db.getSiblingDB("shop").getCollection("logs"); with an empty database, that of the
// current one. A collection is never a property of its database, as in db.logs: db.stats,
// db._x and db.version are something else. It reports false for a name that is not UTF-8.
func Collection(database, name string) (string, bool) {
	quoted, ok := jsString(name)
	of, okOf := jsString(database)
	if database == "" {
		return "db.getCollection(" + quoted + ")", ok
	}
	return "db.getSiblingDB(" + of + ").getCollection(" + quoted + ")", ok && okOf
}

// CountOlder returns the command that counts the documents of a collection whose date in a field
// is at least some seconds old, among those that a filter takes in; a Missing filter takes in all.
// The argument on is an expression of the collection.
func CountOlder(on, field string, filter policy.Value, seconds int64) (string, bool) {
	name, ok := jsString(field)
	query := "{" + name + ": {$lte: " + Before(seconds) + "}}"
	if !filter.IsMissing() {
		text, isText := Literal(filter)
		query, ok = "{$and: ["+text+", "+query+"]}", ok && isText
	}
	return on + ".countDocuments(" + query + ")", ok
}

// Before returns an expression for the instant some seconds before the present.
func Before(seconds int64) string {
	if seconds == 0 {
		return "new Date()"
	}
	return fmt.Sprintf("new Date(Date.now() - %de3)", seconds)
}

// jsDocument returns an object literal, or a Map where a literal would not
// keep the order of the fields: JavaScript puts names that are numbers before others. The name
// __proto__ would set the object's prototype. No expression has a field twice.
func jsDocument(v policy.Value) (string, bool) {
	var names, literal, pairs []string
	isMap := false
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		value, ok := Literal(f.Value())
		quoted, okName := jsString(name)
		if !ok || !okName || slices.Contains(names, name) || len(names) == maxFields {
			return "", false
		}
		isMap = isMap || name != "" && strings.Trim(name, "0123456789") == ""
		names = append(names, name)
		pairs = append(pairs, "["+quoted+", "+value+"]")
		switch {
		case name == "__proto__":
			name = "[" + quoted + "]"
		case !isIdentifier(name):
			name = quoted
		}
		literal = append(literal, name+": "+value)
	}
	if len(names) > 1 && isMap {
		return "new Map([" + strings.Join(pairs, ", ") + "])", true
	}
	return "{" + strings.Join(literal, ", ") + "}", true
}

// maxFields is the maximum number of fields of a document that has a literal; a server's
// index has at most 32 fields.
const maxFields = 1000

// isIdentifier reports whether a name needs no quotes in JavaScript.
func isIdentifier(name string) bool {
	r := reader{src: name}
	return name != "" && r.identifier() == name && strings.IndexFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// jsString returns s between quotes, with escapes for all characters that a
// terminal might not show unchanged. It reports false for a string that is not
// UTF-8.
func jsString(s string) (string, bool) {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	b.WriteByte('"')
	return b.String(), utf8.ValidString(s)
}
