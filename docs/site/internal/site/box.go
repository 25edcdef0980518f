package site

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A box takes a question on the home page. This package computes the first answer with the
// library.
type box struct {
	State      playground.State
	Answer     playground.Answer
	Sign, Word string // the verdict
	Stretches  []stretch
	RuleLink   string
	Play       string // the link into the playground, with the question
	Data       boxData
}

// A stretch is a run of releases with the same verdict.
type stretch struct{ Verdict, Sign, Releases string }

// boxData is the initial data of the script of the box.
type boxData struct {
	State  playground.State            `json:"state"`
	Stops  []playground.Stop           `json:"stops"`
	Latest string                      `json:"latest"`
	Shorts map[string]playground.Short `json:"shorts"`
	Title  string                      `json:"title"` // the title of the page without a question
	// Addresses, relative to the page; RULE stands for a rule.
	Rule string `json:"rule"`
	Play string `json:"play"`
	// Addresses relative to the address of the worker, except Worker itself.
	Worker  string `json:"worker"`
	Starter string `json:"starter"`
	Program string `json:"program"`
	Size    int    `json:"size"` // the compressed size of the program in bytes
}

// firstQuestion is the example of home, the most common question.
var firstQuestion = playground.State{
	System: playground.Guess, Now: "2026-11-20T12:00:00Z",
	Policy:   "db.sessions.createIndex(\n  { createdAt: 1 },\n  { expireAfterSeconds: 3600 }\n)",
	Document: "{\n  _id: 1,\n  createdAt: \"2026-11-20T09:30:00Z\"\n}",
}

// newBox makes the box of a page, with the answer to a question.
func (b *builder) newBox(p page, s playground.State) *box {
	a := playground.Of(s, playground.View{})
	x := &box{State: s, Answer: a, Sign: signs[a.Verdict], Word: a.Word, RuleLink: p.To("rules/" + a.Rule + ".html"), Stretches: stretches(a)}
	asked := a.State.Fragment()
	x.Play = p.To("playground/index.html") + "#" + asked
	program := b.site[program]
	x.Data = boxData{
		State: s, Stops: playground.Of(playground.State{}, playground.View{}).Stops, Latest: mongo.Latest.String(), Shorts: playground.Shorts(), Title: p.Title,
		Rule: p.To("rules/RULE.html"), Play: p.To("playground/index.html"),
		Worker: p.To("playground/worker.js"), Starter: "wasm_exec.js", Program: "playground.wasm.gz?v=" + hash(program), Size: len(program),
	}
	return x
}

// Deletes reports whether the fix deletes something at once.
func (x *box) Deletes() bool {
	return len(x.Answer.Fixes) > 0 && reasons.IsLoss(x.Answer.Fixes[0].AtOnce)
}

// When says in the words of the script when the document expires.
func (x *box) When() string {
	if x.Answer.Verdict == policy.Never {
		return ""
	}
	return player{First: x.Answer}.When()
}

// stretches joins neighbouring releases with one verdict.
func stretches(a playground.Answer) (list []stretch) {
	alike := func(i, j int) bool {
		verdict, _ := verdictOf(a.Segments[i])
		next, _ := verdictOf(a.Segments[j])
		return verdict == next
	}
	for first, last := range releases.Runs(len(a.Segments), alike) {
		verdict, sign := verdictOf(a.Segments[first])
		list = append(list, stretch{verdict, sign, spanOf(a.Stops[a.Segments[first].First].Label, a.Stops[a.Segments[last].Last].Label)})
	}
	return list
}

// spanOf names the releases from the first release of one stop to the last release of
// another. A stop of several releases has a label such as "5.0.0–5.0.13".
func spanOf(first, last string) string {
	from, _, _ := strings.Cut(first, "–")
	_, to, isRange := strings.Cut(last, "–")
	if !isRange {
		to = last
	}
	if from == to {
		return from
	}
	return from + " to " + to
}

func verdictOf(g playground.Segment) (verdict, sign string) {
	if g.Refused != "" {
		return "refused", "–"
	}
	return g.Verdict.String(), signs[g.Verdict]
}
