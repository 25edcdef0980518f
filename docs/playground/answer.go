package playground

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A View is how the answer is to be drawn.
type View struct {
	Width int `json:"width"` // of the timeline, in pixels
	// First and Last, if given, keep the scale of the timeline as it was, so
	// that now can be dragged along it. They are milliseconds in digits: a
	// number of JavaScript would round them.
	First string `json:"first"`
	Last  string `json:"last"`
}

// An Answer is all that the page shows. With Problems there is nothing else
// but State, Stops and Fragment.
type Answer struct {
	State    State     `json:"state"`    // as it was understood
	Fragment string    `json:"fragment"` // of a link to it
	Problems []Problem `json:"problems"` // what could not be read
	Stops    []Stop    `json:"stops"`    // of the slider; none if there are no versions
	Stop     int       `json:"stop"`     // the one that is judged by
	// HasLegacyNull reports whether State.LegacyNull bears on this release.
	HasLegacyNull bool `json:"hasLegacyNull"`

	Verdict  policy.State `json:"verdict"`
	Sentence string       `json:"sentence"`
	Deadline string       `json:"deadline"` // "" for never
	Millis   string       `json:"millis"`   // of the deadline, in digits
	Policy   string       `json:"policy"`   // in words
	Rule     string       `json:"rule"`     // the identifier of the one that decided
	Ladder   []LadderRule `json:"ladder"`   // the rules consulted, the one that decided last
	Each     []Verdict    `json:"each"`     // what each of several sources says
	Notices  []string     `json:"notices"`  // what the database says of such a definition or document today
	Timeline string       `json:"timeline"` // SVG
	Segments []Segment    `json:"strip"`    // the answer by release
	Copies   []Copy       `json:"copies"`
}

// A LadderRule is one rule of the ladder.
type LadderRule struct {
	ID         string   `json:"id"`
	Statement  string   `json:"statement"`
	Versions   string   `json:"versions"`
	Confidence string   `json:"confidence"`
	Sources    []Source `json:"sources"`
	Decides    bool     `json:"decides"`
	Applies    bool     `json:"applies"` // decides, or shapes what is decided
}

// A Source is where a rule is established.
type Source struct {
	Title   string `json:"title"`
	Address string `json:"address"`
	Web     bool   `json:"web"` // the address is a link
}

// A Verdict is what one index says by itself.
type Verdict struct {
	Name     string       `json:"name"`
	About    string       `json:"about"`
	Verdict  policy.State `json:"verdict"`
	Deadline string       `json:"deadline"`
	Rule     string       `json:"rule"`
	Decides  bool         `json:"decides"`
}

// Of answers. It never fails: what cannot be read is among the Problems.
func Of(s State, v View) Answer {
	s = s.normal()
	a := Answer{State: s, Fragment: s.Fragment(), Problems: []Problem{}, Stops: stopsFor(s.System), Each: []Verdict{}, Notices: []string{}, Segments: []Segment{}, Copies: []Copy{}, Ladder: []LadderRule{}}
	a.Stop, a.HasLegacyNull = max(stopAt(a.Stops, s.Release), 0), s.hasLegacyNull()
	q, problems := s.read()
	if len(problems) > 0 {
		a.Problems = problems
		return a
	}
	e := q.explain()
	a.explain(e)
	a.Timeline = timeline.Of(e).SVG(timeline.Options{Width: v.Width, ID: "now", Drag: true, Scale: v.scale()})
	a.Notices = append(q.notices(s, q.document, q.now), e.Policy.Notes...)
	a.Segments = q.segments(s, q.document, q.now)
	a.Copies = q.copies(s, e, q.document.value)
	return a
}

// scale returns the scale that the view keeps, the zero Scale if none.
func (v View) scale() timeline.Scale {
	first, err1 := readNow(v.First + "ms")
	last, err2 := readNow(v.Last + "ms")
	if err1 != nil || err2 != nil || first >= last {
		return timeline.Scale{}
	}
	return timeline.Scale{First: first, Last: last}
}

// explain fills in what an explanation says.
func (a *Answer) explain(e reasons.Explanation) {
	d := e.Decision
	a.Verdict, a.Sentence, a.Policy, a.Rule, a.Deadline = d.State, e.Sentence(), e.Policy.Description, d.Rule.String(), deadlineOf(d)
	if a.Verdict != policy.Never {
		a.Millis = strconv.FormatInt(int64(d.Deadline()), 10)
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

func ladderRuleOf(r *policy.Rule, decides, applies bool) LadderRule {
	rule := LadderRule{ID: r.ID, Statement: r.Statement, Versions: r.Versions, Confidence: r.Confidence.String(), Sources: []Source{}, Decides: decides, Applies: applies}
	for _, s := range r.Citations {
		rule.Sources = append(rule.Sources, Source{s.Title, s.Address, strings.HasPrefix(s.Address, "https://")})
	}
	return rule
}
