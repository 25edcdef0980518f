package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
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

// A move takes a collection from one release to another.
type move struct {
	From, To catalog.Stop
	By       moves.Operation
}

// An arrival is the result of a move for a collection with one index, or with only its own
// option.
type arrival struct {
	index *moves.Move       // the result for the index; nil if the move does not affect it
	there *mongo.Collection // the collection at the destination; nil if that cannot hold it
	err   error             // why the destination cannot hold it
	// before and after are the rules by which the collection deletes nothing; zero if it may
	// delete documents.
	before, after policy.Rule
	stored        mongo.CollectionSpec // as the destination stores it, from which the next move begins
}

// take returns the result of the move.
func (m move) take(alone mongo.CollectionSpec) (a arrival) {
	a.stored = alone
	if len(alone.Indexes) == 1 && !alone.Indexes[0].Clustered {
		move, err := moves.Assess(alone.Indexes[0], m.From.Profile, m.To.Profile, m.By)
		if err == nil {
			option := move.Repaired
			if option.IsMissing() {
				option = move.Arrives
			}
			if move.Effect != moves.EffectNone || move.Refusal != nil {
				a.index = &move
			}
			if a.index != nil || !option.IsMissing() {
				x := alone.Indexes[0]
				x.ExpireAfterSeconds = option
				a.stored.Indexes = []mongo.IndexSpec{x}
			}
		}
	}
	if here, err := mongo.CompileCollection(alone, m.From.Profile); err == nil {
		a.before = idleRule(here)
	}
	if a.there, a.err = mongo.CompileCollection(a.stored, m.To.Profile); a.err == nil {
		a.after = idleRule(a.there)
	}
	return a
}

// idleRule returns the rule by which a collection deletes no document at all; zero if it
// may delete documents.
func idleRule(c *mongo.Collection) policy.Rule {
	if rule := c.Decide(policy.D{}, 0).Rule; reasons.IsIdle(rule) {
		return rule
	}
	return policy.Rule{}
}

// A passage is the move of a source to another release.
type passage struct {
	move
	arrival    arrival
	isOnTheWay bool // the move begins at a release on the way, not at the present one
	here       *mongo.Collection
	there      *mongo.Collection // the source at the destination; nil if the documents need not be compared
	crossing   crossing
	// way is the beginning of the text about releases between the present one and the
	// destination; empty for a move to a destination.
	way    string
	narrow *mongo.Collection // the source with a narrower filter; nil if none is proposed
}

// moveTo returns the move from one release to another, by the operation of the audit.
func (a *collectionAudit) moveTo(from, to catalog.Stop) move {
	switch {
	case a.options.By > moves.Downgrade:
		return move{from, to, a.options.By}
	case to.Release.Compare(from.Release) < 0:
		return move{from, to, moves.Downgrade}
	}
	return move{from, to, moves.Upgrade}
}

// inspectMoves reports the effect on s of the move to each destination. An upgrade or a downgrade
// goes from one destination to the next. Its steps are reported too, unless the direct move
// has the same effect.
func (a *collectionAudit) inspectMoves(s *source) {
	stored := s.Alone
	for i, to := range a.Arrivals {
		last := a.inspectMove(s, a.moveTo(catalog.Stop{Release: a.Release, Profile: a.Profile}, to), s.Alone, nil)
		if i > 0 && last.By <= moves.Downgrade {
			last = a.inspectMove(s, a.moveTo(a.Arrivals[i-1], to), stored, last)
		}
		stored = last.arrival.stored
	}
	a.inspectWay(s)
}

// inspectMove reports the effect of one move on a source with this stored definition,
// unless the direct move has the same effect.
func (a *collectionAudit) inspectMove(s *source, m move, stored mongo.CollectionSpec, direct *passage) *passage {
	p := &passage{move: m, arrival: m.take(stored), isOnTheWay: direct != nil}
	if direct != nil && p.rule() == direct.rule() {
		return p
	}
	if p.isOnTheWay {
		p.here, _ = mongo.CompileCollection(stored, m.From.Profile)
	}
	if p.arrival.index != nil {
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
	case arrival.index != nil:
		return arrival.index.Rule
	case arrival.err == nil && arrival.before != arrival.after:
		return cmp.Or(arrival.after, arrival.before)
	}
	return policy.Rule{}
}

// reportMove reports a finding about a passage. If the finding is about documents, the
// scan compares the documents in both releases.
func (a *collectionAudit) reportMove(s *source, p *passage, f Finding) {
	f.passage, f.moves = p, []move{p.move}
	if f.concern != noDocuments {
		s.passages = append(s.passages, p)
	}
	a.report(s, f)
}

// moved returns the finding about a move of an index.
func (a *collectionAudit) moved(s *source, p *passage) (f Finding) {
	m := p.arrival.index
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
	switch p.there = p.arrival.there; {
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
	before, after := p.arrival.before, p.arrival.after
	f := Finding{Severity: Keeps, Rule: after, Repairs: a.repairs(s)}
	switch {
	case s.by == nil:
		return f, false
	case p.arrival.err != nil:
		f = Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.move-unspecified"),
			Text: fmt.Sprintf("that release does not know collections like this one: %v.", p.arrival.err),
		}
	case after == before:
		return f, false
	case after.IsZero():
		f.Severity, f.Rule, f.concern, p.there = Deletes, before, byMove, p.arrival.there
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
