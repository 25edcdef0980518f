//go:build !js

package playground

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A Short is the answer to every question of a kind, with marks in place of the parts that
// differ. The page answers the commonest questions with it before the Go code is ready:
// docs/site/playground/page/short.js finds the kind of a question and replaces the marks. A test
// compares its answers with those of [Of].
type Short struct {
	ShortAnswer
	Strip []ShortStretch `json:"strip"`
	// Others are the answers of releases that differ from the newest.
	Others []ShortOther `json:"others,omitempty"`
}

// A ShortAnswer is the answer of a release.
type ShortAnswer struct {
	Verdict string     `json:"verdict,omitempty"` // "never", or "" for a verdict that depends on now
	Because string     `json:"because"`
	After   string     `json:"after,omitempty"` // of an expired document
	Rule    string     `json:"rule"`
	Policy  string     `json:"policy"`
	Fixes   []ShortFix `json:"fixes,omitempty"` // at most one
	Late    bool       `json:"late,omitempty"`  // the deadline is 1 ms after the date plus the seconds
}

// A ShortFix is a [Fix] without the changed question.
type ShortFix struct {
	Text    string `json:"text"`
	AtOnce  string `json:"atOnce"`
	Count   string `json:"count"`
	Command string `json:"command"`
}

// A ShortStretch is a run of neighbouring stops with one answer, like a [Segment].
type ShortStretch struct {
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Verdict string `json:"verdict,omitempty"`
	Rule    string `json:"rule"`
	Late    bool   `json:"late,omitempty"`
}

// A ShortOther is the answer of some stops.
type ShortOther struct {
	First int `json:"first"`
	Last  int `json:"last"`
	ShortAnswer
}

// markDate is a mark: it stands for the date of a document. Other marks are ttlField and
// otherField for the fields of an index, ttlFilter and ttlValue for its filter, ttlName
// for its collection, 7 for seconds, and 60 for a default that the ttl of an item
// replaces.
const markDate = "2026-11-20T11:30:00.000Z"

// shortDate is markDate as users write it.
const shortDate = `ISODate("` + markDate + `")`

// Shorts are the answers by kind. The name of a kind tells the form of the index and
// the content of the document: see kindOf in docs/site/playground/page/short.js.
func Shorts() map[string]Short {
	all := map[string]Short{}
	values := map[string]string{
		"date": "ttlField: " + shortDate, "missing": "a: 1", "null": "ttlField: null", "text": `ttlField: "x"`, "iso": `ttlField: "` + markDate + `"`,
		"seconds": "ttlField: 1795176000", "millis": "ttlField: 1795176000000",
	}
	delays := map[string]string{"7": "7", "0": "0", "NaN": "NaN", "none": ""}
	add := func(kind, key, options, document string) {
		policy := "db.ttlName.createIndex({" + key + "}, {" + options + "})"
		all[kind] = shortOf(State{System: definition.MongoDB, Policy: policy, Document: "{" + document + "}", Now: "2026-11-20T11:29:00Z"})
	}
	for p, seconds := range delays {
		options := ""
		if seconds != "" {
			options = "expireAfterSeconds: " + seconds
		}
		for v, document := range values {
			isBoth := p == "7" || p == "0"
			if v == "date" || isBoth {
				add(p+" "+v, "ttlField: 1", options, document)
			}
			if isBoth {
				options := options + `, partialFilterExpression: {ttlFilter: "ttlValue"}`
				add(p+" within "+v, "ttlField: 1", options, document+`, ttlFilter: "ttlValue"`)
				add(p+" without "+v, "ttlField: 1", options, document+`, ttlFilter: "x"`)
			}
		}
	}
	add("two date", "ttlField: 1, otherField: 1", "expireAfterSeconds: 7", values["date"])
	settings := map[string]string{"none": `{}`, "-1": `{"defaultTtl": -1}`, "7": `{"defaultTtl": 7}`}
	items := map[string]string{"none": `{"_ts": 1795174200}`, "-1": `{"ttl": -1, "_ts": 1795174200}`, "7": `{"ttl": 7, "_ts": 1795174200}`}
	for d, text := range settings {
		for v, item := range items {
			container := text
			if d == "7" && v == "7" {
				container = `{"defaultTtl": 60}` // the ttl of the item decides, not the default
			}
			container = strings.Replace(strings.Replace(container, "{", `{"id": "ttlName", `, 1), ", }", "}", 1)
			all["container "+d+" "+v] = shortOf(State{System: definition.CosmosNoSQL, Policy: container, Document: item, Now: "2026-11-20T11:29:00Z"})
		}
	}
	return all
}

// shortOf answers a question for each release.
func shortOf(s State) (short Short) {
	short.ShortAnswer, short.Strip = shortAnswerOf(s), []ShortStretch{}
	for _, g := range Of(s, View{}).Segments {
		one := ShortStretch{Rule: g.Rule, First: g.First, Last: g.Last, Late: isLate(g.Deadline)}
		if g.Deadline == "" {
			one.Verdict = g.Verdict.String()
		}
		short.Strip = append(short.Strip, one)
	}
	for i, stop := range s.stops() {
		s.Release = stop.Release
		other := shortAnswerOf(s)
		other.Policy = strings.Replace(other.Policy, "MongoDB "+stop.Release, "MongoDB "+mongo.Latest().String(), 1) // the script replaces this name
		switch n := len(short.Others); {
		case other.equals(short.ShortAnswer):
		case n > 0 && short.Others[n-1].Last == i-1 && short.Others[n-1].equals(other):
			short.Others[n-1].Last = i
		default:
			short.Others = append(short.Others, ShortOther{i, i, other})
		}
	}
	return short
}

func (a ShortAnswer) equals(b ShortAnswer) bool {
	return slices.Equal(a.Fixes, b.Fixes) && a.Verdict == b.Verdict && a.Because == b.Because && a.After == b.After && a.Rule == b.Rule && a.Policy == b.Policy && a.Late == b.Late
}

// shortAnswerOf answers a question twice, before the deadline and after it.
func shortAnswerOf(s State) ShortAnswer {
	a, _, _ := briefly(s)
	s.Now = "2026-11-20T13:00:00Z"
	later, _, _ := briefly(s)
	short := ShortAnswer{Because: a.Because, After: later.After, Rule: a.Rule, Policy: a.Policy, Late: isLate(a.Deadline)}
	if a.Deadline == "" {
		short.Verdict = a.Verdict.String()
	}
	for _, f := range a.Fixes {
		short.Fixes = append(short.Fixes, ShortFix{f.Text, f.AtOnce, f.Count, f.Command})
	}
	return short
}

// isLate reports whether a deadline is 1 ms after a whole second.
func isLate(deadline string) bool { return strings.HasSuffix(deadline, "1Z") }
