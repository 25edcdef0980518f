package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// A mention is a member of a JSON text that is about a time to live.
type mention struct {
	name string
	path string // the path of the member, as a JSON Pointer without escapes
	at   int    // the offset of the byte after its name
	// isMisspelt means that name is not one of settings: it is a setting's name in an
	// SDK, or has other capital letters.
	isMisspelt bool
	// isExpression means that the member has an expression of a template for its value.
	isExpression bool
}

// settings are the names of the members that are searched for.
var settings = []string{"defaultTtl", "analyticalStorageTtl", secondsOption}

// containerSettings are, in lower case, the names of settings that only containers have.
var containerSettings = []string{"defaultttl", "default_ttl", "defaulttimetolive", "analyticalstoragettl"}

// maxMentions is the largest number of mentions that mentionsIn returns.
const maxMentions = 10_000

// mentionsIn returns the members of a JSON document that are about a time to live, in the
// order of the text. If the text has a fault, mentionsIn returns only the members before
// the fault.
func mentionsIn(text []byte) (list []mention) {
	type level struct {
		name    string // the name of the member, or the position of the element
		index   int
		isArray bool
		isValue bool // the value of name comes next
	}
	var levels []level
	next := func() { // called when a value begins
		if n := len(levels); n > 0 {
			if l := &levels[n-1]; l.isArray {
				l.name, l.index = strconv.Itoa(l.index), l.index+1
			} else {
				l.isValue = false
			}
		}
	}
	isNew := false // the last token was the name of a mention
	for d := json.NewDecoder(bytes.NewReader(text)); len(list) < maxMentions; {
		token, err := d.Token()
		if err != nil {
			return list
		}
		isOfMention := isNew
		isNew = false
		switch token := token.(type) {
		case json.Delim:
			if token == '}' || token == ']' {
				levels = levels[:len(levels)-1]
				continue
			}
			next()
			levels = append(levels, level{isArray: token == '['})
			continue
		case string:
			if n := len(levels); n > 0 && !levels[n-1].isArray && !levels[n-1].isValue {
				levels[n-1].name, levels[n-1].isValue = token, true
				isMisspelt := !slices.Contains(settings, token)
				if isMisspelt && !slices.Contains(containerSettings, strings.ToLower(token)) {
					continue
				}
				names := make([]string, len(levels))
				for i, l := range levels {
					names[i] = l.name
				}
				list, isNew = append(list, mention{name: token, path: "/" + strings.Join(names, "/"), at: int(d.InputOffset()), isMisspelt: isMisspelt}), true
				continue
			}
			if isOfMention {
				list[len(list)-1].isExpression = isExpression(token)
			}
		}
		next()
	}
	return list
}

// unread returns the finding about a mention in text that yields no policy.
func (m mention) unread(text []byte) Unread {
	why := "a resource of this type, or with expressions, is not read"
	if m.isExpression {
		why = "its value is an expression, which is not evaluated"
	}
	return Unread{Line: lineIn(text, m.at), Word: m.name, Why: why, IsCosmos: m.name != secondsOption}
}

// lineIn returns the number of the line that contains a byte of a text, from 1.
func lineIn(text []byte, at int) int { return 1 + bytes.Count(text[:min(at, len(text))], []byte("\n")) }

func isWithin(path, above string) bool { return strings.HasPrefix(path, above+"/") }
