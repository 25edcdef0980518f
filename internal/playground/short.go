//go:build !js

package playground

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/policies"
)

// A Short is the answer to every question of a kind, with marks in place of what differs
// between them. The page answers the commonest questions by these, before the Go code is
// there: docs/playground/dist/short.js tells the kind of a question and puts in what it says. A test
// compares its answers with those of [Of].
type Short struct {
	Verdict string  `json:"verdict"` // "never", or "" for one that depends on now
	Because string  `json:"because"`
	After   string  `json:"after"` // of an expired document
	Rule    string  `json:"rule"`
	Policy  string  `json:"policy"`
	Fixes   []Fix   `json:"fixes"` // without their states
	Strip   []Short `json:"strip"` // the same for each stretch of releases: rule, verdict, late
	First   int     `json:"first"` // of the stretch
	Last    int     `json:"last"`
	Late    bool    `json:"late"` // the deadline is 1 ms later
}

// markDate stands for the date of a document, as ttlField and otherField stand for the
// fields of an index, and 7, or 60 beside it, for seconds.
const markDate = "2026-11-20T11:30:00.000Z"

// shortDate is markDate as somebody writes it.
const shortDate = `ISODate("` + markDate + `")`

// Shorts are the answers by kind. The name of a kind has what the index says, and what
// the document holds: see kindOf in docs/playground/dist/short.js.
func Shorts() map[string]Short {
	all := map[string]Short{}
	values := map[string]string{
		"date": `{ttlField: ` + shortDate + `}`, "missing": `{a: 1}`, "null": `{ttlField: null}`, "text": `{ttlField: "x"}`, "iso": `{ttlField: "` + markDate + `"}`,
		"seconds": `{ttlField: 1795176000}`, "millis": `{ttlField: 1795176000000}`,
	}
	collections := map[string]string{
		"7": `{key: {ttlField: 1}, expireAfterSeconds: 7}`, "0": `{key: {ttlField: 1}, expireAfterSeconds: 0}`,
		"NaN": `{key: {ttlField: 1}, expireAfterSeconds: NaN}`, "none": `{key: {ttlField: 1}}`, "two": `{key: {ttlField: 1, otherField: 1}, expireAfterSeconds: 7}`,
	}
	for p, text := range collections {
		for v, document := range values {
			if v == "date" || p == "7" || p == "0" {
				all[p+" "+v] = shortOf(State{System: policies.MongoDB, Policy: text, Document: document, Now: "2026-11-20T11:29:00Z"})
			}
		}
	}
	settings := map[string]string{"none": `{}`, "-1": `{"defaultTtl": -1}`, "7": `{"defaultTtl": 7}`}
	items := map[string]string{"none": `{"_ts": 1795174200}`, "-1": `{"ttl": -1, "_ts": 1795174200}`, "7": `{"ttl": 7, "_ts": 1795174200}`}
	for d, text := range settings {
		for v, item := range items {
			container := text
			if d == "7" && v == "7" {
				container = `{"defaultTtl": 60}` // what decides is the item's
			}
			all["container "+d+" "+v] = shortOf(State{System: policies.CosmosNoSQL, Policy: container, Document: item, Now: "2026-11-20T11:29:00Z"})
		}
	}
	return all
}

// shortOf answers a question twice, before the deadline and after it.
func shortOf(s State) Short {
	a := Of(s, View{})
	s.Now = "2026-11-20T13:00:00Z"
	later := Of(s, View{})
	short := Short{Because: a.Because, After: later.After, Rule: a.Rule, Policy: a.Policy, Fixes: []Fix{}, Strip: []Short{}}
	if a.Deadline == "" {
		short.Verdict = a.Verdict.String()
	}
	for _, f := range a.Fixes {
		short.Fixes = append(short.Fixes, Fix{Text: f.Text, Command: f.Command})
	}
	for _, g := range a.Segments {
		one := Short{Rule: g.Rule, First: g.First, Last: g.Last, Late: strings.HasSuffix(g.Deadline, "1Z")}
		if g.Deadline == "" {
			one.Verdict = g.Verdict.String()
		}
		short.Strip = append(short.Strip, one)
	}
	return short
}
