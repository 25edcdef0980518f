package playground

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/timeline"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A View says how to draw the answer.
type View struct {
	Width int `json:"width"` // of the timeline, in pixels
	// First and Last, if given, fix the scale of the timeline, so that now can be
	// dragged along it. They are milliseconds in digits: a number of JavaScript
	// would round them.
	First string `json:"first"`
	Last  string `json:"last"`
	// ID begins the identifiers within the timeline; "" stands for "now". Two timelines
	// on one page need two different IDs, and neither can be dragged.
	ID string `json:"id"`
}

// An Answer holds everything that the page shows. If there are Problems or a Half, only State
// and Stops are set beside them.
type Answer struct {
	State    State     `json:"state"`    // the question as it was read
	Problems []Problem `json:"problems"` // what could not be read
	Stops    []Stop    `json:"stops"`    // of the slider; empty for a system without versions
	Stop     int       `json:"stop"`     // index of the stop that the answer is for
	// HasLegacyNull reports whether State.LegacyNull has an effect on this release.
	HasLegacyNull bool `json:"hasLegacyNull"`
	// Unknown reports that the requested release does not exist; the answer is for the
	// newest.
	Unknown bool `json:"unknown"`
	// ReleaseNote explains the reading of the release if it is not obvious.
	ReleaseNote string `json:"releaseNote"`
	// Meant is another system that the question seems to be about, "" if there is none.
	Meant string `json:"meant"`

	Verdict  policy.State `json:"verdict"`
	Word     string       `json:"word"` // the verdict as a headline
	Sentence string       `json:"sentence"`
	Because  string       `json:"because"`  // the reason for the verdict
	After    string       `json:"after"`    // what happens to an expired document
	Distance string       `json:"distance"` // of the deadline from now, in words
	Fixes    []Fix        `json:"fixes"`    // at most one, if the answer is likely not what was meant
	Deadline string       `json:"deadline"` // "" for never
	Millis   string       `json:"millis"`   // of the deadline, in digits
	Policy   string       `json:"policy"`   // in words
	Rule     string       `json:"rule"`     // identifier of the rule that decided
	Ladder   []LadderRule `json:"ladder"`   // the rules consulted, the one that decided last
	Each     []Verdict    `json:"each"`     // the verdict of each source, if there are several
	Notices  []string     `json:"notices"`  // how the database answers such a definition or document today
	Timeline string       `json:"timeline"` // SVG
	Segments []Segment    `json:"strip"`    // the answer by release
	Command  string       `json:"command"`  // the command line of ttl that explains the same question
	Batch    Batch        `json:"batch"`    // of several documents; the other fields are about the first
	Half     Half         `json:"half"`     // the answer to a text that is no whole question
}

// A LadderRule is a rule of the ladder.
type LadderRule struct {
	ID         string   `json:"id"`
	Statement  string   `json:"statement"`
	Versions   string   `json:"versions"`
	Confidence string   `json:"confidence"`
	Sources    []Source `json:"sources"`
	Decides    bool     `json:"decides"`
	Applies    bool     `json:"applies"` // the rule decides, or affects the decision
}

// A Source is a source that establishes a rule.
type Source struct {
	Title   string `json:"title"`
	Address string `json:"address"`
	Web     bool   `json:"web"` // the address is a link
}

// A Verdict is the verdict of a single index.
type Verdict struct {
	Name     string       `json:"name"`
	About    string       `json:"about"`
	Verdict  policy.State `json:"verdict"`
	Deadline string       `json:"deadline"`
	Rule     string       `json:"rule"`
	Decides  bool         `json:"decides"`
}

// Of answers a question. It never fails: Problems says which text cannot be read.
func Of(s State, v View) (a Answer) {
	asked := s
	s, mendings := s.mended()
	var q question
	var e reasons.Explanation
	a, q, e = briefly(s)
	defer func() { a.State.Policy, a.State.Document = asked.Policy, asked.Document }() // what the editors hold
	if a.Half.Kind != "" || len(a.Problems) > 0 {
		a.Notices = append(a.Notices, mendings...)
		return a
	}
	s = a.State
	a.Timeline = timeline.SVG(e, timeline.Options{Width: v.Width, ID: cmp.Or(v.ID, "now"), Drag: v.ID == "", Scale: v.scale(), Bare: true})
	a.Notices = append(append(append(a.Notices, mendings...), q.notices(s, q.document, q.now)...), e.Policy.Notes...)
	if q.document.undated && s.Written == "" && a.Verdict != policy.Never {
		a.Notices = append(a.Notices, "The document says no _ts, the time of its last write, which the service keeps. The answer is for one that was written just now.")
	}
	a.Segments = q.segments(s, q.document, q.now)
	if q.document.text != "" {
		s.Document = q.document.text
	}
	a.Command = q.command(s, e, q.document.value)
	a.Batch = q.batch()
	return a
}

// wordOf returns a verdict as a headline. A document whose fate no source establishes is
// kept, which differs from a document that never expires.
func wordOf(d policy.Decision) string {
	switch {
	case d.State == policy.Expired:
		return "Expired"
	case d.State == policy.Pending:
		return "Pending"
	case d.Rule.IsUnspecified():
		return "Kept: not specified"
	}
	return "Never expires"
}

// briefly answers for one release, in words: without pictures, notices and other forms.
func briefly(s State) (a Answer, q question, e reasons.Explanation) {
	r := s.system().readRelease()
	s = s.normal()
	a = Answer{State: s, Unknown: r.unknown, ReleaseNote: r.note, Problems: []Problem{}, Stops: s.stops(), Each: []Verdict{}, Notices: []string{}, Segments: []Segment{}, Fixes: []Fix{}, Ladder: []LadderRule{}, Batch: Batch{Counts: []BatchCount{}, Rows: []BatchRow{}}, Half: Half{Says: []string{}}}
	a.Stop, a.HasLegacyNull = max(stopAt(a.Stops, s.Release), 0), s.hasLegacyNull()
	a.Meant = s.meant()
	q, problems := s.read()
	if h, ok := s.half(problems); ok && (a.Meant == "" || h.Kind != OfProgram) {
		if a.Half = h; h.Kind != OfProgram {
			return a, q, e
		}
	}
	if len(problems) > 0 {
		a.Problems = problems
		return a, q, e
	}
	e = q.explain()
	a.explain(e)
	if f, ok := q.fix(s, e, q.document.value); ok {
		a.Fixes = append(a.Fixes, f)
	}
	return a, q, e
}

// scale returns the scale that the view keeps, or the zero Scale if it keeps none.
func (v View) scale() timeline.Scale {
	first, err1 := readNow(v.First + "ms")
	last, err2 := readNow(v.Last + "ms")
	if err1 != nil || err2 != nil || first >= last {
		return timeline.Scale{}
	}
	return timeline.Scale{First: first, Last: last}
}

// explain fills in the fields that an explanation determines.
func (a *Answer) explain(e reasons.Explanation) {
	d := e.Decision
	a.Verdict, a.Word, a.Sentence, a.Policy, a.Rule, a.Deadline = d.State, wordOf(d), e.Sentence(), e.Policy.Description, d.Rule.String(), deadlineOf(d)
	a.Because, a.After = e.Because(), e.After()
	if deadline, ok := d.Deadline(); ok {
		a.Distance = reasons.Distance(deadline, e.Now)
		a.Millis = strconv.FormatInt(int64(deadline), 10)
	}
	for _, r := range e.Ladder {
		a.Ladder = append(a.Ladder, ladderRuleOf(r, r == d.Rule, e.Applies(r)))
	}
	if len(e.Each) < 2 {
		return
	}
	for i, one := range e.Each {
		a.Each = append(a.Each, Verdict{
			Name: one.Source.Name, About: one.Source.About, Verdict: one.Decision.State, Deadline: deadlineOf(one.Decision),
			Rule: one.Decision.Rule.String(), Decides: i == int(d.Source),
		})
	}
}

func ladderRuleOf(r policy.Rule, decides, applies bool) LadderRule {
	rule := LadderRule{ID: r.ID(), Statement: r.Statement(), Versions: r.Versions(), Confidence: r.Confidence(), Sources: []Source{}, Decides: decides, Applies: applies}
	for _, s := range r.Citations() {
		rule.Sources = append(rule.Sources, Source{s.Title, s.Address, strings.HasPrefix(s.Address, "https://")})
	}
	return rule
}

// A question is a State whose texts have been read.
type question struct {
	stored
	document  document   // the first document, the subject of most of the answer
	documents []document // all documents
	now       policy.Instant
	policy    *reasons.Policy
}

// read reads all parts of s, or returns the problems of each part.
func (s State) read() (q question, problems []Problem) {
	note := func(editor, text string, err error) {
		if err != nil {
			problems = append(problems, problemOf(editor, text, err))
		}
	}
	var err error
	q.now, err = readNow(s.Now)
	note("now", s.Now, err)
	q.stored, err = readDefinition(s, q.now)
	note("policy", s.Policy, err)
	written := q.now
	if s.Written != "" {
		written, err = readNow(s.Written)
		note("written", s.Written, err)
	}
	q.documents, err = readDocuments(s, q.now, written)
	note("document", s.Document, err)
	if len(q.documents) > 0 {
		q.document = q.documents[0]
	}
	if len(problems) == 0 {
		q.policy, err = q.compile(s)
		note("policy", s.Policy, err)
	}
	if len(problems) == 0 {
		for _, d := range q.documents {
			if err := reasons.Of(q.policy, d.Document, q.now).Check(); err != nil {
				note("document", s.Document, err)
				break
			}
		}
	}
	return q, problems
}

func (q question) explain() reasons.Explanation {
	return reasons.Of(q.policy, q.document.Document, q.now)
}

// Explain returns the explanation behind the answer of [Of], for callers that
// present it in another form. It reports false if something in s cannot be
// read.
func Explain(s State) (e reasons.Explanation, ok bool) {
	q, problems := s.normal().read()
	if len(problems) > 0 {
		return e, false
	}
	return q.explain(), true
}

// A Segment is a run of neighbouring stops with one answer.
type Segment struct {
	First    int          `json:"first"` // index of the first stop; Last is that of the last one
	Last     int          `json:"last"`
	Verdict  policy.State `json:"verdict"`
	Deadline string       `json:"deadline"`
	Rule     string       `json:"rule"`
	// Applies is another rule that affects the decision of Rule; "" if there is none.
	Applies string `json:"applies"`
	// Refused says why the release does not accept such a definition. Then there is
	// no verdict.
	Refused string `json:"refused"`
}

// segments returns the answers of all releases. It joins neighbours that agree.
func (d stored) segments(s State, doc document, now policy.Instant) []Segment {
	list := []Segment{}
	for i, stop := range s.stops() {
		s.Release = stop.Release
		one := d.segment(s, doc, now)
		if n := len(list); n > 0 && list[n-1].agrees(one) {
			list[n-1].Last = i
			continue
		}
		one.First, one.Last = i, i
		list = append(list, one)
	}
	return list
}

func (d stored) segment(s State, doc document, now policy.Instant) Segment {
	p, err := d.compile(s)
	if err != nil {
		return Segment{Refused: messageOf(err)}
	}
	e := reasons.Of(p, doc.Document, now)
	one := Segment{Verdict: e.Decision.State, Deadline: deadlineOf(e.Decision), Rule: e.Decision.Rule.String()}
	for _, r := range e.Ladder {
		if e.Applies(r) && r != e.Decision.Rule {
			one.Applies = r.ID()
		}
	}
	return one
}

// deadlineOf writes the deadline of a decision, "" for never.
func deadlineOf(d policy.Decision) string {
	if deadline, ok := d.Deadline(); ok {
		return deadline.String()
	}
	return ""
}

func (a Segment) agrees(b Segment) bool {
	a.First, a.Last = b.First, b.Last
	return a == b
}

// A Stop is a place on the slider: releases of one line that decide alike.
type Stop struct {
	Release string `json:"release"` // the last release of the stop, for which the page answers
	Label   string `json:"label"`   // "5.0.0–5.0.13", or "8.2" for a whole line
}

// mongoStops and documentDBStops are all stops of MongoDB and of DocumentDB, oldest first.
var (
	mongoStops = sync.OnceValue(func() (stops []Stop) {
		for _, line := range lines() {
			nextPatch := func(v mongo.Version) mongo.Version { v.Patch++; return v }
			stops = append(stops, stopsOf(mongo.Version{Major: line.Major, Minor: line.Minor}, line, nextPatch)...)
		}
		return stops
	})
	documentDBStops = sync.OnceValue(func() []Stop {
		nextLine := func(v mongo.Version) mongo.Version { v.Minor++; return v }
		return stopsOf(mongo.Version(behaviour.OldestDocumentDB), mongo.Version(behaviour.LatestDocumentDB), nextLine)
	})
)

// stopsOf returns the stops from one release to another, divided where the profile changes. A
// stop that begins a line and ends one has the line as its label.
func stopsOf(first, last mongo.Version, next func(mongo.Version) mongo.Version) (stops []Stop) {
	for v := first; v.Compare(last) <= 0; v = next(v) {
		if v != last && profileOf(v) == profileOf(next(v)) {
			continue
		}
		label := number(first) + "–" + number(v)
		if first.Patch == 0 && v == last && first.Minor == v.Minor {
			label = fmt.Sprintf("%d.%d", v.Major, v.Minor)
		}
		stops = append(stops, Stop{nameOf(v), label})
		first = next(v)
	}
	return stops
}

// nameOf returns the name of a release as people write it: DocumentDB has no patches here.
func nameOf(v mongo.Version) string {
	if v.Product != "" {
		return strings.TrimSuffix(v.String(), ".0")
	}
	return v.String()
}

// number returns the number of a release without its product.
func number(v mongo.Version) string { return nameOf(v)[strings.IndexByte(nameOf(v), '@')+1:] }

func profileOf(v mongo.Version) mongo.Profile {
	p, _ := mongo.ProfileOf(v) // the zero Profile equals no other
	return p
}

// cosmosStops are the server versions of the API for MongoDB.
var cosmosStops = []Stop{{"3.2", "3.2"}, {"3.6", "3.6"}, {"4.0", "4.0"}, {"4.2", "4.2"}, {"5.0", "5.0"}, {"6.0", "6.0"}, {"7.0", "7.0"}}

// stops returns the stops of the system and product, none for one without versions.
func (s State) stops() []Stop {
	switch {
	case s.System == definition.CosmosMongo:
		return cosmosStops
	case s.System == definition.CosmosNoSQL:
		return []Stop{}
	case strings.HasPrefix(s.Release, definition.DocumentDB+"@"):
		return documentDBStops()
	}
	return mongoStops()
}

// stopAt returns the index of the stop that a release of MongoDB belongs to: the first
// stop that is not before the release.
func stopAt(stops []Stop, release string) int {
	want, err := mongo.ParseVersion(release)
	if err != nil {
		return len(stops) - 1
	}
	for i, s := range stops {
		if v, err := mongo.ParseVersion(s.Release); err == nil && v.Compare(want) >= 0 {
			return i
		}
	}
	return len(stops) - 1
}

func extended(v policy.Value) string { return string(policy.AppendExtJSON(nil, v)) }

// command writes the command line that explains the same question.
func (d stored) command(s State, e reasons.Explanation, doc policy.Value) string {
	parts := []string{"ttl explain"}
	switch {
	case s.System == definition.CosmosNoSQL:
		parts = append(parts, "--container "+quoteShell(d.container.JSON))
	case d.Options.Kind() == policy.Object:
		metadata := policy.ObjectValue(policy.D{{Key: "options", Value: d.Options}, {Key: "indexes", Value: policy.ListValue(d.Indexes)}})
		parts = append(parts, "--metadata <(echo "+quoteShell(extended(metadata))+")")
	default:
		for _, index := range d.Indexes {
			parts = append(parts, "--index "+quoteShell(extended(index)))
		}
	}
	if s.System == definition.CosmosMongo {
		parts = append(parts, "--cosmos-mongo")
		if s.CustomPath {
			parts = append(parts, "--capability EnableTtlOnCustomPath")
		}
	}
	if s.Release != "" {
		parts = append(parts, "--server "+s.Release)
	}
	for _, p := range s.parameters() {
		parts = append(parts, fmt.Sprintf("--server-parameter %s=%v", p.Key, p.Value))
	}
	parts = append(parts, "--now "+e.Now.String())
	text := extended(doc)
	if s.System == definition.CosmosNoSQL {
		text = strings.TrimSpace(s.Document)
	}
	return strings.Join(parts, " \\\n  ") + " \\\n  " + quoteShell(text) + "\n"
}

// quoteShell writes text as one word of a POSIX shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
