package audit

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// effects say what each effect of a move means for documents.
var effects = map[command.Effect]Severity{
	command.EffectUnspecified: Unspecified, command.EffectNone: Harmless,
	command.EffectKeeps: Keeps, command.EffectDeletes: Deletes,
}

// operation returns the way of the move: by default the data files stay where
// they are.
func (a *collectionAudit) operation() command.Operation {
	switch {
	case a.options.By == command.Upgrade || a.options.By == 0:
		if a.options.MovingTo.Compare(a.Release) < 0 {
			return command.Downgrade
		}
		return command.Upgrade
	}
	return a.options.By
}

// inspectMove reports what becomes of s at the destination of a move.
func (a *collectionAudit) inspectMove(s *source) {
	if a.Arrival == (mongo.Profile{}) {
		return
	}
	arriving := s.Alone
	if s.index != "" {
		move, err := command.AssessMove(s.spec, a.Profile, a.Arrival, a.operation())
		if err == nil && (move.Effect != command.EffectNone || move.Refusal != nil) {
			a.report(s, a.moved(s, move))
			a.watch(s, move)
			return
		}
		if err == nil && !move.Arrives.IsMissing() {
			arriving = s.storing(move.Arrives)
		}
	}
	a.inspectSwitch(s, arriving)
}

// moved is the finding about a move.
func (a *collectionAudit) moved(s *source, m command.Move) Finding {
	if aboutFilter(m) {
		return a.filterMoved(s, m)
	}
	f := Finding{Severity: effects[m.Effect], Rule: m.Rule, Repairs: a.repairs(s)}
	f.Text = a.toward() + m.Rule.Statement
	var refused *mongo.SpecError
	if errors.As(m.Refusal, &refused) && refused.Rule != nil {
		f.Severity = max(f.Severity, Keeps)
		f.Text += " Here it is refused with " + refused.Code.Error() + ". " + refused.Rule.Statement
	}
	if !m.Arrives.IsMissing() {
		f.Text += " Here expireAfterSeconds arrives as " + catalog.Plain(m.Arrives)
		if !m.Repaired.IsMissing() && catalog.Plain(m.Repaired) != catalog.Plain(m.Arrives) {
			f.Text += ", and becomes " + catalog.Plain(m.Repaired)
		}
		f.Text += "."
	}
	return f
}

// watch registers the documents of a move to be counted.
func (a *collectionAudit) watch(s *source, m command.Move) {
	if m.Effect != command.EffectDeletes && !aboutFilter(m) {
		return
	}
	option := m.Repaired
	if option.IsMissing() {
		option = m.Arrives
	}
	found := &a.findings[len(a.findings)-1]
	there, err := mongo.CompileCollection(s.storing(option), a.Arrival)
	switch {
	case err != nil:
		found.concern = noDocuments
	case found.concern == noDocuments:
		found.concern = byMove
	}
	s.there = there
}

// storing is the collection with this index only, and this as its option.
func (s *source) storing(option policy.Value) mongo.CollectionSpec {
	x := s.spec
	x.ExpireAfterSeconds = option
	return s.with(x)
}

// with is the collection with an index in place of this one, and no other.
func (s *source) with(x mongo.IndexSpec) mongo.CollectionSpec {
	alone := s.Alone
	alone.Indexes = []mongo.IndexSpec{x}
	return alone
}

// toward returns the beginning of sentences about the move.
func (a *collectionAudit) toward() string {
	return map[command.Operation]string{
		command.Upgrade: "Upgrade", command.Downgrade: "Downgrade", command.InitialSync: "Initial sync", command.DumpRestore: "Restore",
	}[a.operation()] + " to MongoDB " + a.options.MovingTo.String() + ": "
}

// inspectSwitch reports that the destination treats a collection of s's kind
// otherwise, as capped and time-series collections are.
func (a *collectionAudit) inspectSwitch(s *source, arriving mongo.CollectionSpec) {
	if s.by == nil {
		return
	}
	by, err := mongo.CompileCollection(arriving, a.Arrival)
	if err != nil {
		a.report(s, Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.move-unspecified"),
			Text: fmt.Sprintf("%sthat release does not know collections like this one: %v.", a.toward(), err),
		})
		return
	}
	after := idleRule(by)
	f := Finding{Severity: Keeps, Rule: after, Repairs: a.repairs(s)}
	switch {
	case after == s.idle:
		return
	case after == nil:
		f.Severity, f.Rule, f.concern, s.there = Deletes, s.idle, byMove, by
		f.Text = a.toward() + "what keeps documents here does not hold there, and they expire. " + s.idle.Statement
	case after.IsUnspecified():
		f.Severity = Unspecified
		f.Text = a.toward() + "what becomes of documents there is unspecified. " + after.Statement
	case s.idle != nil:
		return
	default:
		f.Text = a.toward() + "documents that expire here stay there. " + after.Statement
	}
	a.report(s, f)
}
