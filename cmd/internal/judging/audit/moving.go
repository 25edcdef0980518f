package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// effects give the severity for each effect of a move.
var effects = map[moves.Effect]Severity{
	moves.EffectUnspecified: Unspecified, moves.EffectNone: Harmless,
	moves.EffectKeeps: Keeps, moves.EffectDeletes: Deletes,
}

// A passage is the move of a source to another release.
type passage struct {
	change.Move
	arrival    change.Arrival
	isOnTheWay bool // the move begins at a release on the way, not at the present one
	here       *mongo.Collection
	there      *mongo.Collection // the source at the destination; nil if the documents need not be compared
	crossing   crossing
	// way is the beginning of the text about releases between the present one and the
	// destination; empty for a move to a destination.
	way    string
	narrow *mongo.Collection // the source with a narrower filter; nil if none is proposed
}

// inspectMoves reports the effect on s of the move to each destination. An upgrade goes
// from one destination to the next. Its steps are reported too, unless the direct move
// has the same effect.
func (a *collectionAudit) inspectMoves(s *source) {
	stored := s.Alone
	for _, moves := range change.MovesTo(catalog.Stop{Release: a.Release, Profile: a.Profile}, a.Arrivals, a.options.By) {
		direct := a.inspectMove(s, moves[0], s.Alone, nil)
		next := direct.arrival.Stored
		if len(moves) > 1 {
			next = a.inspectMove(s, moves[1], stored, direct).arrival.Stored
		}
		stored = next
	}
	a.inspectWay(s)
}

// inspectMove reports the effect of one move on a source with this stored definition,
// unless the direct move has the same effect.
func (a *collectionAudit) inspectMove(s *source, m change.Move, stored mongo.CollectionSpec, direct *passage) *passage {
	p := &passage{Move: m, arrival: m.Take(stored), isOnTheWay: direct != nil}
	if direct != nil && p.rule() == direct.rule() {
		return p
	}
	if p.isOnTheWay {
		p.here, _ = mongo.CompileCollection(stored, m.From.Profile)
	}
	if p.arrival.Index != nil {
		a.reportMove(s, p, a.moved(s, p))
	} else if f, ok := a.switched(s, p); ok {
		a.reportMove(s, p, f)
	}
	return p
}

// rule returns the rule of the change that a passage causes; zero if the passage changes
// nothing.
func (p *passage) rule() policy.Rule {
	switch arrival := p.arrival; {
	case arrival.Index != nil:
		return arrival.Index.Rule
	case arrival.Err == nil && arrival.Before != arrival.After:
		return cmp.Or(arrival.After, arrival.Before)
	}
	return policy.Rule{}
}

// reportMove reports a finding about a passage. If the finding is about documents, the
// scan compares the documents in both releases.
func (a *collectionAudit) reportMove(s *source, p *passage, f Finding) {
	f.passage, f.moves = p, []change.Move{p.Move}
	if f.concern != noDocuments {
		s.passages = append(s.passages, p)
	}
	a.report(s, f)
}

// moved returns the finding about a move of an index.
func (a *collectionAudit) moved(s *source, p *passage) (f Finding) {
	m := p.arrival.Index
	if aboutFilter(m) {
		f = a.filterMoved(s, p)
	} else {
		f = Finding{Severity: effects[m.Effect], Rule: m.Rule, Repairs: a.repairs(s), Text: m.Rule.Statement()}
		var refused *mongo.SpecError
		if errors.As(m.Refusal, &refused) && !refused.Rule.IsZero() {
			f.Severity = max(f.Severity, Keeps)
			f.Text += " Here it is refused with " + refused.Code.Error() + ". " + refused.Rule.Statement()
		}
		if !m.Arrives.IsMissing() {
			f.Text += " Here expireAfterSeconds arrives as " + catalog.Plain(m.Arrives)
			if !m.Repaired.IsMissing() && catalog.Plain(m.Repaired) != catalog.Plain(m.Arrives) {
				f.Text += ", and becomes " + catalog.Plain(m.Repaired)
			}
			f.Text += "."
		}
	}
	switch p.there = p.arrival.There; {
	case m.Effect != moves.EffectDeletes && !aboutFilter(m):
		p.there = nil
	case p.there == nil:
		f.concern = noDocuments
	case f.concern == noDocuments:
		f.concern = byMove
	}
	return f
}

// switched returns the finding about a destination that treats collections of s's kind
// differently, such as capped and time-series collections.
func (a *collectionAudit) switched(s *source, p *passage) (Finding, bool) {
	before, after := p.arrival.Before, p.arrival.After
	f := Finding{Severity: Keeps, Rule: after, Repairs: a.repairs(s)}
	switch {
	case s.by == nil:
		return f, false
	case p.arrival.Err != nil:
		f = Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.move-unspecified"),
			Text: fmt.Sprintf("that release does not know collections like this one: %v.", p.arrival.Err),
		}
	case after == before:
		return f, false
	case after.IsZero():
		f.Severity, f.Rule, f.concern, p.there = Deletes, before, byMove, p.arrival.There
		f.Text = "what keeps documents " + p.origin() + " does not hold there, and they expire. " + before.Statement()
	case after.IsUnspecified():
		f.Severity = Unspecified
		f.Text = "what becomes of documents there is unspecified. " + after.Statement()
	case !before.IsZero():
		return f, false
	default:
		f.Text = "documents that expire " + p.origin() + " stay there. " + after.Statement()
	}
	return f, true
}

// origin returns words for the release at which a passage begins.
func (p *passage) origin() string {
	if p.isOnTheWay {
		return "in MongoDB " + p.From.Release.String()
	}
	return "here"
}

// see compares the decisions about a document in both releases of a passage. d is the
// decision of the source in the present release.
func (p *passage) see(d policy.Decision, doc policy.Document, w place, now policy.Instant) {
	if p.here != nil {
		d = p.here.Decide(doc, now)
	}
	if p.there != nil {
		p.crossing.see(d, p.there.Decide(doc, now), doc, w)
	}
	if p.narrow != nil && d.State != policy.Never && p.narrow.Decide(doc, now).State == policy.Never {
		p.crossing.left++
	}
}

// groupMoves merges findings that differ only in the destination, and puts the move and
// its destinations before each text.
func groupMoves(list []Finding) (out []Finding) {
	for _, f := range list {
		i := slices.IndexFunc(out, func(g Finding) bool { return f.isSameMove(&g) })
		if i >= 0 {
			out[i].moves = append(out[i].moves, f.moves...)
		} else {
			out = append(out, f)
		}
	}
	for i := range out {
		if f := &out[i]; len(f.moves) > 0 {
			f.Text = f.toward() + ": " + f.Text
		}
	}
	return out
}

// isSameMove reports whether two findings differ only in the destination.
func (f *Finding) isSameMove(g *Finding) bool {
	return len(f.moves) > 0 && len(g.moves) > 0 && f.passage.way == "" && g.passage.way == "" && f.towards() == g.towards() && f.Index == g.Index && f.Severity == g.Severity && f.Rule == g.Rule &&
		f.Text == g.Text && f.Advice == g.Advice && slices.EqualFunc(f.Repairs, g.Repairs, Repair.isSame)
}

func (r Repair) isSame(q Repair) bool {
	return r.Purpose == q.Purpose && r.AtOnce == q.AtOnce && slices.Equal(r.Commands, q.Commands)
}

// toward returns the beginning of a sentence about a move, with its destinations.
func (f *Finding) toward() string {
	if f.passage.way != "" {
		return f.passage.way
	}
	return f.towards() + cli.And(f.MovingTo())
}

// towards returns the beginning of a sentence about a move, up to its destinations.
func (f *Finding) towards() string {
	m := f.moves[0]
	text := map[moves.Operation]string{
		moves.Upgrade: "Upgrade", moves.Downgrade: "Downgrade", moves.InitialSync: "Initial sync", moves.DumpRestore: "Restore",
	}[m.By]
	if f.passage.isOnTheWay {
		return text + " from MongoDB " + m.From.Release.String() + " to "
	}
	return text + " to MongoDB "
}
