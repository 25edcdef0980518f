package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var effects = map[moves.Effect]Severity{
	moves.EffectUnspecified: Unspecified, moves.EffectNone: Harmless,
	moves.EffectKeeps: Keeps, moves.EffectDeletes: Deletes,
}

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
	// rule is the rule of the change that the move causes; zero if it changes nothing.
	rule     policy.Rule
	severity Severity
	stored   mongo.CollectionSpec // as the destination stores it, from which the next move begins
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
	switch {
	case a.index != nil:
		a.rule, a.severity = a.index.Rule, effects[a.index.Effect]
	case a.err != nil:
		a.severity = Unspecified
	case a.before != a.after:
		a.rule = cmp.Or(a.after, a.before)
		if a.after.IsZero() {
			a.severity = Deletes
		} else if a.after.IsUnspecified() {
			a.severity = Unspecified
		}
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

type passage struct {
	move
	arrival    arrival
	isOnTheWay bool // the move begins at a release on the way, not at the present one
	here       *mongo.Collection
	there      *mongo.Collection // the source at the destination; nil if the documents need not be compared
	crossing   crossing
	// way is the beginning of the text about releases between the present one and the
	// destination; empty for a move to a destination.
	way string
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
	if direct != nil && p.arrival.rule == direct.arrival.rule {
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

// reportMove reports a finding about a passage. If the finding is about documents, the
// scan compares the documents in both releases.
func (a *collectionAudit) reportMove(s *source, p *passage, f Finding) {
	f.passage, f.moves = p, []move{p.move}
	if f.concern != noDocuments {
		s.passages = append(s.passages, p)
	}
	a.report(s, f)
}

func (a *collectionAudit) moved(s *source, p *passage) (f Finding) {
	m := p.arrival.index
	if aboutFilter(m) {
		f = a.filterMoved(s, p)
	} else {
		f = Finding{Severity: effects[m.Effect], Rule: m.Rule, Repairs: a.repairs(s), Text: m.Rule.Statement()}
		var refused *mongo.SpecError
		if errors.As(m.Refusal, &refused) && !refused.Rule.IsZero() {
			f.Severity = max(f.Severity, Keeps)
			f.Text += " Here it is refused with " + codes.Text(refused.Code) + ". " + refused.Rule.Statement()
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
	f := Finding{Severity: p.arrival.severity, Rule: p.arrival.rule}
	if p.arrival.err == nil {
		f.Repairs = a.repairs(s)
	}
	switch {
	case p.arrival.err != nil:
		f.Rule = reasons.Rule("mongo.move-unspecified")
		f.Text = fmt.Sprintf("that release does not know collections like this one: %v.", p.arrival.err)
	case after.IsZero():
		f.concern, p.there = byMove, p.arrival.there
		f.Text = "what keeps documents " + p.origin() + " does not hold there, and they expire. " + before.Statement()
	case after.IsUnspecified():
		f.Text = "what becomes of documents there is unspecified. " + after.Statement()
	default:
		f.Severity = Keeps
		f.Text = "documents that expire " + p.origin() + " stay there. " + after.Statement()
	}
	isSilent := after == before || !before.IsZero() && !after.IsZero() && !after.IsUnspecified()
	return f, s.by != nil && (p.arrival.err != nil || !isSilent)
}

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
			f.Text = cmp.Or(f.passage.way, f.towards()+cli.And(f.MovingTo())) + ": " + f.Text
		}
	}
	return out
}

func (f *Finding) isSameMove(g *Finding) bool {
	return len(f.moves) > 0 && len(g.moves) > 0 && f.passage.way == "" && g.passage.way == "" && f.towards() == g.towards() && f.Index == g.Index && f.Severity == g.Severity && f.Rule == g.Rule &&
		f.Text == g.Text && f.Advice == g.Advice && slices.EqualFunc(f.Repairs, g.Repairs, Repair.isSame)
}

func (r Repair) isSame(q Repair) bool {
	return r.Purpose == q.Purpose && r.AtOnce == q.AtOnce && slices.Equal(r.Commands, q.Commands)
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

// releaseLines are the lines through which data files are upgraded, one after another
// (MongoDB manual, Upgrade a Standalone to …: only from the line before).
var releaseLines = []mongo.Version{
	{Major: 2, Minor: 2}, {Major: 2, Minor: 4}, {Major: 2, Minor: 6}, {Major: 3}, {Major: 3, Minor: 2}, {Major: 3, Minor: 4}, {Major: 3, Minor: 6},
	{Major: 4}, {Major: 4, Minor: 2}, {Major: 4, Minor: 4}, {Major: 5}, {Major: 6}, {Major: 7}, {Major: 8}, {Major: 9},
}

// lastPatch is beyond the last patch of every line in which a behaviour changes.
const lastPatch = 40

type stretch struct {
	first, last mongo.Version
	p           *passage // the move to last
	effect      Finding  // its severity and extent
	isBest      bool     // no other stretch of the line loses less
	best        string   // the stretch of the line that loses least
}

func lineOf(v mongo.Version) mongo.Version { return mongo.Version{Major: v.Major, Minor: v.Minor} }

// linesOnTheWay returns the lines between the present release and the last destination of an
// upgrade in place, without those of a destination.
func (a *collectionAudit) linesOnTheWay() (list []mongo.Version) {
	if a.options.By != 0 && a.options.By != moves.Upgrade || len(a.Arrivals) == 0 {
		return nil
	}
	last := a.lastStop()
	for _, line := range releaseLines {
		isStop := slices.ContainsFunc(a.Arrivals, func(to catalog.Stop) bool { return lineOf(to.Release) == line })
		if line.Compare(lineOf(a.Release)) > 0 && line.Compare(lineOf(last)) < 0 && !isStop {
			list = append(list, line)
		}
	}
	return list
}

func (a *collectionAudit) lastStop() mongo.Version {
	return slices.MaxFunc(a.Arrivals, func(x, y catalog.Stop) int { return x.Release.Compare(y.Release) }).Release
}

// inspectWay reports what the releases between the present one and the destinations can lose
// of the documents of s: an upgrade passes through one release of each line. What the
// last destination does as well is reported about that alone.
func (a *collectionAudit) inspectWay(s *source) {
	if s.by == nil {
		return
	}
	found := map[policy.Rule][]stretch{}
	var rules []policy.Rule
	for _, line := range a.linesOnTheWay() {
		list := a.stretches(s, line)
		best := slices.MaxFunc(list, func(x, y stretch) int { return compareFindings(&x.effect, &y.effect) })
		for _, x := range list {
			x.isBest, x.best = compareFindings(&x.effect, &best.effect) == 0, best.patches()
			rule := x.p.arrival.rule
			if rule.IsZero() || x.effect.Severity < Unspecified || a.losesThere(s, &x) {
				continue
			}
			if !slices.Contains(rules, rule) {
				rules = append(rules, rule)
			}
			found[rule] = append(found[rule], x)
		}
	}
	for _, rule := range rules {
		a.reportWay(s, found[rule])
	}
}

func (x *stretch) patches() string {
	switch {
	case x.last.Patch == lastPatch-1 && x.first.Patch == 0:
		return fmt.Sprintf("every release of %d.%d", x.first.Major, x.first.Minor)
	case x.last.Patch == lastPatch-1:
		return x.first.String() + " or later"
	case x.first == x.last:
		return x.first.String()
	}
	return fmt.Sprintf("%s to %s", x.first, x.last)
}

// stretches returns the patches of a line by the effect of a move there.
func (a *collectionAudit) stretches(s *source, line mongo.Version) (list []stretch) {
	from := catalog.Stop{Release: a.Release, Profile: a.Profile}
	var before mongo.Profile
	for patch := range uint16(lastPatch) {
		to := catalog.Stop{Release: mongo.Version{Major: line.Major, Minor: line.Minor, Patch: patch}}
		var err error
		if to.Profile, err = mongo.ProfileOf(to.Release); err != nil {
			return list
		}
		for _, e := range a.options.Parameters {
			if with, err := to.Profile.WithParameter(e.Key, e.Value); err == nil {
				to.Profile = with
			}
		}
		last := len(list) - 1
		if to.Profile == before {
			list[last].last, list[last].p.To = to.Release, to
			continue
		}
		before = to.Profile
		m := move{From: from, To: to, By: moves.Upgrade}
		p := &passage{move: m, arrival: m.take(s.Alone)}
		effect := Finding{Severity: p.arrival.severity, passage: p}
		effect.extent = a.extentOf(s, &effect)
		if last >= 0 && list[last].p.arrival.rule == p.arrival.rule && compareFindings(&list[last].effect, &effect) == 0 {
			list[last].last, list[last].p = to.Release, p
			continue
		}
		list = append(list, stretch{first: to.Release, last: to.Release, p: p, effect: effect})
	}
	return list
}

// losesThere reports whether the last destination loses as much as the stretch, by the same
// rule or because no stretch of the line loses less.
func (a *collectionAudit) losesThere(s *source, x *stretch) bool {
	return slices.ContainsFunc(a.findings, func(f Finding) bool {
		return f.Index == s.index && f.passage != nil && f.passage.To.Release == a.lastStop() && (f.Rule == x.p.arrival.rule || x.isBest && compareFindings(&f, &x.effect) <= 0)
	})
}

func (a *collectionAudit) reportWay(s *source, list []stretch) {
	var where, use, unsafe []string
	for _, x := range list {
		where = append(where, x.patches())
		if x.isBest {
			unsafe = append(unsafe, fmt.Sprintf("%d.%d", x.first.Major, x.first.Minor))
		} else {
			use = append(use, x.best)
		}
	}
	p := list[0].p
	var destinations []string
	for _, to := range a.Arrivals {
		destinations = append(destinations, to.Release.String())
	}
	p.way = fmt.Sprintf("The way to MongoDB %s leads through %s", cli.And(destinations), cli.And(where))
	f, ok := Finding{}, true
	if p.arrival.index != nil {
		f = a.moved(s, p)
	} else if f, ok = a.switched(s, p); !ok {
		return
	}
	if len(use) > 0 {
		f.Advice = strings.TrimSpace(f.Advice + " On the way use " + cli.And(use) + ".")
	}
	if len(unsafe) > 0 {
		f.Advice = strings.TrimSpace(f.Advice + " No release of " + cli.And(unsafe) + " loses less: repair the index before the upgrade.")
	}
	a.reportMove(s, p, f)
	last := &a.findings[len(a.findings)-1]
	last.moves = nil
	for _, x := range list {
		last.moves = append(last.moves, x.p.move)
	}
}

// listsStrictly is the first line whose listIndexes reads each stored index by its schema
// (SERVER-52545, src/mongo/db/list_indexes.idl).
var listsStrictly = mongo.Version{Major: 5}

// lookForUnlistable reports the indexes that listIndexes cannot list after an upgrade in place
// to 5.0 or later.
func (a *collectionAudit) lookForUnlistable() {
	isUpgrade := a.options.By == 0 || a.options.By == moves.Upgrade
	if !isUpgrade || a.Release.Compare(listsStrictly) >= 0 || !slices.ContainsFunc(a.Arrivals, func(to catalog.Stop) bool { return to.Release.Compare(listsStrictly) >= 0 }) {
		return
	}
	for _, listed := range a.ListedIndexes {
		field := unlistable(listed)
		if field == "" {
			continue
		}
		name, _ := listed.Field("name").AsString()
		f := Finding{
			Severity: Keeps, Rule: reasons.Rule("mongo.seconds-listed"), Index: name,
			Text: cli.Visible(fmt.Sprintf("Upgrade to MongoDB 5.0 and later: listIndexes of this collection fails there with error 5254501, because it cannot read %s: %s of %s (SERVER-52545). With it fail getIndexes, mongodump and an initial sync of every new member.",
				field, catalog.Plain(listed.Field(field)), name)),
			Advice: "Before the upgrade drop the index, and create it again with a proper value or without the option.",
		}
		if i := slices.IndexFunc(a.sources, func(s *source) bool { return s.index == name }); i >= 0 {
			f.Repairs = a.repairs(a.sources[i])
			f.Line = a.lineOf(a.sources[i])
		}
		a.findings = append(a.findings, f)
	}
}

// unlistable returns the first option of a stored index that the schema of listIndexes does not
// take: a time to live that is no number, or a switch that is neither a boolean nor a number.
// Null counts as absent.
func unlistable(listed policy.Value) string {
	for _, field := range []string{"expireAfterSeconds", "sparse", "unique", "hidden"} {
		v := listed.Field(field)
		isTaken := v.IsMissingOrNull() || v.Kind().IsNumber() || v.Kind() == policy.Undefined || v.Kind() == policy.Bool && field != "expireAfterSeconds"
		if !isTaken {
			return field
		}
	}
	return ""
}

// An extent says how much a finding can lose. The zero extent is that of a finding that loses
// nothing.
type extent uint8

const (
	losesNothing extent = iota
	losesOld            // documents older than 68 years
	losesSome
	losesAll // every document whose date is past
)

// extentOf returns how many documents the option of a finding can delete.
func (a *collectionAudit) extentOf(s *source, f *Finding) extent {
	if f.Severity != Deletes {
		return losesNothing
	}
	option, profile := s.Option, a.Profile
	if p := f.passage; p != nil {
		profile = p.To.Profile
		if m := p.arrival.index; m != nil && !m.Arrives.IsMissing() {
			option = m.Arrives
			if !m.Repaired.IsMissing() {
				option = m.Repaired
			}
		}
	}
	n, ok := mongofunc.WholeSeconds(option)
	switch {
	case option.IsNaN() && mongofunc.ReadsNaNAsZero(profile), ok && !option.IsNaN() && n <= 0:
		return losesAll
	case ok && !option.IsNaN() && n >= math.MaxInt32:
		return losesOld
	}
	return losesSome
}

// compareFindings orders findings by severity, then by how much they can lose; the worst first.
func compareFindings(x, y *Finding) int {
	return cmp.Or(cmp.Compare(y.Severity, x.Severity), cmp.Compare(y.extent, x.extent))
}
