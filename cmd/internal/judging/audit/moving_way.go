package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// releaseLines are the lines through which data files are upgraded, one after another
// (MongoDB manual, Upgrade a Standalone to …: only from the line before).
var releaseLines = []mongo.Version{
	{Major: 2, Minor: 2}, {Major: 2, Minor: 4}, {Major: 2, Minor: 6}, {Major: 3}, {Major: 3, Minor: 2}, {Major: 3, Minor: 4}, {Major: 3, Minor: 6},
	{Major: 4}, {Major: 4, Minor: 2}, {Major: 4, Minor: 4}, {Major: 5}, {Major: 6}, {Major: 7}, {Major: 8}, {Major: 9},
}

// lastPatch is beyond the last patch of every line in which a behaviour changes.
const lastPatch = 40

// A stretch is a run of patches of one line to which a move has the same effect.
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

// lastStop returns the newest destination.
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
			rule := x.p.rule()
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

// patches returns the patches of a stretch as text.
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
		effect := Finding{Severity: p.severity(), passage: p}
		effect.extent = a.extentOf(s, &effect)
		if last >= 0 && list[last].p.rule() == p.rule() && compareFindings(&list[last].effect, &effect) == 0 {
			list[last].last, list[last].p = to.Release, p
			continue
		}
		list = append(list, stretch{first: to.Release, last: to.Release, p: p, effect: effect})
	}
	return list
}

// severity returns the severity of what a passage does.
func (p *passage) severity() Severity {
	switch arrival := p.arrival; {
	case arrival.index != nil:
		return effects[arrival.index.Effect]
	case arrival.err != nil, arrival.before != arrival.after && !arrival.after.IsZero() && arrival.after.IsUnspecified():
		return Unspecified
	case !arrival.before.IsZero() && arrival.after.IsZero():
		return Deletes
	}
	return Harmless
}

// losesThere reports whether the last destination loses as much as the stretch, by the same
// rule or because no stretch of the line loses less.
func (a *collectionAudit) losesThere(s *source, x *stretch) bool {
	return slices.ContainsFunc(a.findings, func(f Finding) bool {
		return f.Index == s.index && f.passage != nil && f.passage.To.Release == a.lastStop() && (f.Rule == x.p.rule() || x.isBest && compareFindings(&f, &x.effect) <= 0)
	})
}

// reportWay reports stretches with one rule.
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
	p.way = fmt.Sprintf("The way to MongoDB %s leads through %s", a.destinations(), cli.And(where))
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

// destinations returns the destinations as text.
func (a *collectionAudit) destinations() string {
	var list []string
	for _, to := range a.Arrivals {
		list = append(list, to.Release.String())
	}
	return cli.And(list)
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
