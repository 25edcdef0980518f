package rulebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Answer is the expected answer of systems, for some releases.
type Answer struct {
	Releases string // "3.2 and later", "the service, 2025-12-05"
	State    string // "expired", "pending", "never", "accepted", "refused", "unspecified", "either"
	Text     string // the answer in full: a deadline, a code, what is stored
	Rule     string // the rule that decides, "" if none is named
	Decider  *Page  // the page of Rule, nil if none is named
	Index    string // the index that decides, "" if none is named
	Evidence string // "vendor-test", "unspecified"
	Cites    []policy.Citation
	// Scope holds the systems and releases that Releases describes. Latest is the newest
	// release in Scope, "" for a service without versions.
	Scope  suite.TargetRange
	Latest string
	// Newest is Latest, or "the newest" if there is no later release, so that the page
	// does not change with the next release.
	Newest string
}

// answers returns the answers of a vector; unspecified answers come last.
func answers(s *suite.Suite, v *suite.Vector) (all []Answer) {
	for _, row := range v.Want {
		all = append(all, answerOfRow(s, v, row))
	}
	for _, g := range v.Unspecified {
		a := Answer{Releases: releasesOf(s, v, g.TargetRange, ""), State: "unspecified", Text: g.Note, Rule: g.Rule.ID(), Evidence: "unspecified"}
		a.setScope(s, g.TargetRange)
		all = append(all, a)
	}
	return all
}

// answerOfRow puts a row into words. More than one of its answers may conform.
func answerOfRow(s *suite.Suite, v *suite.Vector, row suite.Row) (a Answer) {
	var cites []policy.Citation
	for i, e := range row.Answers {
		one := answerOf(e)
		if i > 0 {
			one = a.or(one)
		}
		a = one
		cites = append(cites, s.Cited(e)...)
	}
	a.setScope(s, row.TargetRange)
	a.Releases, a.Evidence, a.Cites = releasesOf(s, v, row.TargetRange, row.AsOf), row.Evidence, cites
	if row.Level == "disputed" {
		a.Evidence = "disputed"
	}
	return a
}

// or joins two conforming answers into one.
func (a Answer) or(b Answer) Answer {
	if a.State == b.State {
		return Answer{State: a.State, Text: a.Text + " or " + cmp.Or(b.Text, "otherwise")}
	}
	return Answer{State: "either", Text: strings.Join(strings.Fields(a.State+" "+a.Text+" or "+b.State+" "+b.Text), " ")}
}

// output is a result of any operation of the suite.
type output struct {
	State    string          `json:"state"`
	Deadline json.RawMessage `json:"deadline"`
	Rule     string          `json:"rule"`
	Index    string          `json:"index"`
	Created  *bool           `json:"created"`
	Stored   json.RawMessage `json:"expireAfterSeconds"`
	Old      json.RawMessage `json:"expireAfterSeconds_old"`
	New      json.RawMessage `json:"expireAfterSeconds_new"`
}

func outputOf(e suite.Expectation) (o output) {
	if e.Out != nil && json.Unmarshal(e.Out, &o) != nil {
		panic("rulebook: a result of the suite is not an object")
	}
	return o
}

// deadlines are the words before a deadline, and the words in its place where
// vectors leave it unspecified.
var deadlines = map[string]struct{ before, unspecified string }{
	"expired": {"since ", "(the first millisecond is unspecified)"},
	"pending": {"until ", "(the last millisecond is unspecified)"},
}

// answerOf puts one answer that conforms into words.
func answerOf(e suite.Expectation) Answer {
	if e.Refusal != nil {
		return Answer{State: "refused", Text: refusal(e.Refusal)}
	}
	o := outputOf(e)
	if o.State == "" {
		return Answer{State: "accepted", Text: accepted(o)}
	}
	a := Answer{State: o.State, Rule: o.Rule, Index: o.Index, Text: deadlines[o.State].unspecified}
	if words, ok := deadlines[o.State]; ok && o.Deadline != nil {
		a.Text = words.before + instant(o.Deadline)
	}
	return a
}

func refusal(r *conformance.Refusal) string {
	switch {
	case r.Status != 0:
		return fmt.Sprintf("status %d", r.Status)
	case r.CodeName != "":
		return fmt.Sprintf("%d %s", r.Code, r.CodeName)
	case r.Code != 0:
		return fmt.Sprintf("code %d", r.Code)
	}
	return ""
}

func accepted(o output) string {
	var parts []string
	if o.Created != nil && !*o.Created {
		parts = append(parts, "no new index")
	}
	for _, x := range []struct {
		before string
		value  json.RawMessage
	}{{"stored as ", o.Stored}, {"now ", o.New}, {"was ", o.Old}} {
		if x.value != nil {
			parts = append(parts, x.before+literal("mongodb", x.value))
		}
	}
	return strings.Join(parts, ", ")
}

// releasesOf describes the releases for which an answer to v holds.
func releasesOf(s *suite.Suite, v *suite.Vector, scope suite.TargetRange, asOf string) string {
	text := "the service"
	if t := releases.List(s.Releases(scope.System)); t != nil {
		within := make(releases.Set, len(t))
		for i, r := range t {
			within[i] = scope.Contains(r)
		}
		text = t.Text(within)
	}
	switch settings := scope.Settings(); {
	case len(settings) > 0:
		text += " with " + strings.Join(settings, ", ")
	case asksCapability(v):
		text += " without the capability"
	}
	if asOf != "" {
		text += ", as of " + asOf
	}
	return text
}

// setScope sets the systems and releases for which a holds.
func (a *Answer) setScope(s *suite.Suite, scope suite.TargetRange) {
	a.Scope = scope
	all := s.Releases(scope.System)
	for i, release := range slices.Backward(all) {
		if scope.Contains(release) {
			a.Latest, a.Newest = release, release
			if i == len(all)-1 {
				a.Newest = "the newest"
			}
			return
		}
	}
}

func asksCapability(v *suite.Vector) bool {
	return slices.ContainsFunc(v.Want, func(r suite.Row) bool { return len(r.Capabilities) > 0 }) ||
		slices.ContainsFunc(v.Unspecified, func(g suite.Gap) bool { return len(g.Capabilities) > 0 })
}

// A Line is one part of a question: a label such as "document", and the text of that
// part.
type Line struct{ Label, Text string }

// members are the parts of questions, in the order in which people read them.
var members = []string{
	"collection", "existing", "previous", "container", "index", "indexes", "command", "document", "item", "_ts", "now", "steps",
}

// parse reads the members of a question. The loader of the suite has checked that the
// question is an object.
func parse(in json.RawMessage) (parts map[string]json.RawMessage) {
	if err := json.Unmarshal(in, &parts); err != nil {
		panic("rulebook: a question of the suite is not an object")
	}
	return parts
}

// question writes the question of c the way people do: MongoDB's values as
// mongosh does, items of Cosmos DB as the JSON that they are.
func (c *Case) question() (lines []Line) {
	for _, name := range members {
		text, ok := c.in[name]
		if !ok {
			continue
		}
		switch name {
		case "now":
			lines = append(lines, Line{name, instant(text)})
		case "_ts":
			lines = append(lines, Line{name, seconds(text)})
		case "indexes":
			lines = append(lines, each("index", "mongodb", text)...)
		case "existing":
			lines = append(lines, each("existing", "mongodb", text)...)
		case "steps":
			lines = append(lines, each("step", c.Op, text)...)
		default:
			lines = append(lines, Line{name, literal(c.Op, text)})
		}
	}
	return lines
}

// Member returns the shown text of a part of c's question, such as "document"; an array
// of indexes is one text. It reports false if c has no such part.
func (c *Case) Member(name string) (string, bool) {
	text, ok := c.in[name]
	if !ok {
		return "", false
	}
	return literal(c.Op, text), true
}

// Now returns the instant that c asks about. It reports false if it asks about
// none.
func (c *Case) Now() (policy.Instant, bool) {
	v, err := policy.ParseExtJSON(c.in["now"])
	i, ok := v.AsDate()
	return i, ok && err == nil
}

// each returns a line for each index or step of a list.
func each(label, op string, list json.RawMessage) (lines []Line) {
	var texts []json.RawMessage
	if json.Unmarshal(list, &texts) != nil {
		return []Line{{label, string(list)}}
	}
	for _, text := range texts {
		lines = append(lines, Line{label, literal(op, text)})
	}
	return lines
}

// literal writes one value. It keeps the vector's text if mongosh has no literal for the
// value, or if Extended JSON cannot hold the value.
func literal(op string, text json.RawMessage) string {
	if !strings.HasPrefix(op, "cosmos.") {
		if v, err := valuefunc.F.ParseExtJSONInt32(text); err == nil {
			if written, ok := mongosh.Literal(v); ok {
				return written
			}
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, text) != nil {
		return string(text)
	}
	return compact.String()
}

// instant returns the text of {"$date": …} for people, or the JSON itself if it is no date.
func instant(text json.RawMessage) string {
	v, err := policy.ParseExtJSON(text)
	if i, ok := v.AsDate(); err == nil && ok {
		return i.String()
	}
	return string(text)
}

// seconds returns a _ts with its instant in brackets, or the _ts alone if it is not in the years
// 1970 to 9999.
func seconds(text json.RawMessage) string {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || n > 253402300799 {
		return string(text)
	}
	return string(text) + " (" + time.Unix(n, 0).UTC().Format(time.RFC3339) + ")"
}
