package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collectionAudit is the audit of one collection.
type collectionAudit struct {
	catalog.StoredCollection
	target      *catalog.Target
	lines       []int  // the line of each index, if a program defines the indexes
	byThousand  []bool // for each index, whether the program multiplies its seconds by 1000
	options     Options
	sources     []*source
	documents   int64
	bytes       int64
	findings    []Finding
	unnamed     bool              // a command lacks the collection's name
	stands      *mongo.Collection // all sources together; nil if the release cannot hold them
	losses      []*loss
	overtakings []*overtaking
	deadlines   []*datedField // fields that are named like deadlines and belong to no source
	spans       []span        // the Dates in a collection without a time to live, by field
	lack        lack          // why a collection without a time to live is no candidate for one
	manyDated   bool          // there are more fields with Dates than spans holds
}

// A source is an index, or the collection's own option, that deletes documents or was
// meant to delete them.
type source struct {
	reasons.Part
	index     string // the name of the index; empty for the collection's own option
	spec      mongo.IndexSpec
	raw       policy.Value      // the index as listed
	by        *mongo.Collection // the compiled Part.Alone; nil if the release cannot hold it
	idle      policy.Rule       // the rule by which the source never deletes; zero if it may delete
	passages  []*passage        // the moves to other releases for which the scan compares decisions
	dated     []*datedField     // the fields of the index's key, if no index of this kind deletes
	seen      []entry
	decided   policy.Decision // the decision about the last document
	dates     datesSeen
	others    int64              // documents to which only another source gives a deadline
	spelled   []*datedField      // fields whose names are similar to that of the source's field
	forms     *[forms]conversion // counts of values in place of Dates; nil if no update can convert them
	elsewhere []*datedField      // fields that hold Dates, if no document holds a Date in the source's own field
	millis    map[bool]Finding   // the finding about a delay that may be in milliseconds, by whether that is likely
}

func newCollectionAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.Collection(o.Options)
	if err != nil {
		return nil, err
	}
	a := &collectionAudit{StoredCollection: stored, target: t, options: o}
	a.carryOut()
	a.stands, _ = mongo.CompileCollection(a.Spec, a.Profile)
	a.split()
	for _, s := range a.sources {
		a.inspect(s)
		a.lookForDates(s)
		a.lookForForms(s)
	}
	a.lookForOvertaking()
	a.lookForSpellings()
	a.lookForDeadlines()
	a.inspectNames()
	a.lookForUnlistable()
	a.compare()
	return a, nil
}

// isLive reports whether s is an index that may delete.
func (s *source) isLive() bool { return s.index != "" && s.by != nil && s.idle.IsZero() }

// isOrdinary reports whether s is an index that may delete, of a collection that is no
// time-series collection.
func (s *source) isOrdinary() bool { return s.isLive() && s.Alone.TimeSeries.IsMissing() }

// split finds the sources of the collection, and compiles each of them separately.
func (a *collectionAudit) split() {
	for _, p := range reasons.Parts(a.Spec) {
		s := &source{Part: p}
		if p.Position >= 0 {
			s.spec, s.raw = a.Spec.Indexes[p.Position], a.ListedIndexes[p.Position]
			s.index = s.spec.Name
		}
		a.add(s)
	}
}

func (a *collectionAudit) add(s *source) {
	a.sources = append(a.sources, s)
	by, err := mongo.CompileCollection(s.Alone, a.Profile)
	if err != nil {
		why := err.Error()
		if _, reason, ok := strings.Cut(why, "mongo: "); ok { // the text before "mongo: " names the index
			why = reason
		}
		a.report(s, Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.filter-unspecified"),
			Text: fmt.Sprintf("%s cannot hold this index (%s), so what it does is unspecified. If another release lists it, name that with --server.", definition.ServerName(a.Release.String()), why),
		})
		return
	}
	s.by, s.idle = by, change.IdleRule(by)
}

// report adds a finding about s.
func (a *collectionAudit) report(s *source, f Finding) {
	f.Index, f.Text = s.index, cli.Visible(f.Text)
	f.extent = a.extentOf(s, &f)
	if f.Line == 0 {
		f.Line = a.lineOf(s)
	}
	a.findings = append(a.findings, f)
}

// lineOf returns the line of s in a program; 0 if s does not come from a program.
func (a *collectionAudit) lineOf(s *source) int {
	if i := a.position(s); i >= 0 && i < len(a.lines) {
		return a.lines[i]
	}
	return a.target.LineOf(-1)
}

// position returns the position of s among the indexes; -1 if s is no index.
func (a *collectionAudit) position(s *source) int {
	return slices.IndexFunc(a.Spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == s.index && s.index != "" })
}

// fields returns the top-level fields that the audit reads. The result is false if the
// audit needs whole documents.
func (a *collectionAudit) fields() ([]string, bool) {
	names, ok := reasons.FieldsOf(a.Spec)
	for _, l := range a.losses {
		more, known := reasons.FieldsOf(l.spec)
		names, ok = append(names, more...), ok && known
	}
	for _, s := range a.sources {
		for _, f := range slices.Concat(s.dated, s.spelled) {
			top, _, _ := strings.Cut(f.field, ".")
			names = append(names, top)
		}
	}
	for _, f := range a.deadlines {
		names = append(names, f.field)
	}
	if slices.ContainsFunc(a.sources, (*source).isLive) { // from a server, the audit reads these fields alone
		names = append(names, usualDates...)
	}
	slices.Sort(names)
	return slices.Compact(names), ok && !a.isCandidate()
}

func (a *collectionAudit) conclude() Result {
	if a.documents > 0 {
		for _, s := range a.sources {
			a.review(s)
		}
		for _, o := range a.overtakings {
			a.reviewOvertaking(o)
		}
		a.reviewDated()
		a.reviewDeadlines()
		a.countLosses()
	}
	a.reviewSpans()
	a.findings = groupMoves(a.findings)
	return Result{
		System: reasons.Server(a.Release.String(), a.IsAssumed), IsAssumed: a.IsAssumed, Sources: len(a.sources),
		Documents: a.documents, Bytes: a.bytes, Notes: a.notes(), Findings: a.findings, lack: a.lack,
	}
}

// notes returns notes on how the policy was read and why there are no commands. For 9.0 a
// further note says what listings show since that release.
func (a *collectionAudit) notes() []string {
	list := slices.Clone(a.Notes)
	if a.manyDated {
		list = append(list, fmt.Sprintf("More than %d fields on top hold Dates; --candidates looked at the first of them alone.", maxDatedFields))
	}
	if a.unnamed {
		list = append(list, "What is read names no collection, so that no command can be written for it; name it with --namespace, such as --namespace shop.logs.")
	}
	listed := mongofunc.ListsSimpleCollation(a.Profile) && !a.IsAssumed || slices.ContainsFunc(a.Arrivals, func(to catalog.Stop) bool { return mongofunc.ListsSimpleCollation(to.Profile) })
	if !listed || !slices.ContainsFunc(a.sources, func(s *source) bool { return s.index != "" }) {
		return list
	}
	return append(list, `From feature compatibility version 9.0 on listIndexes shows the collation {locale: "simple"} for an index without one, which is the same (rule mongo.index-collation-listed). Clients that compare listings literally may build such an index again, and nothing expires by it meanwhile.`)
}

// replace fills in the placeholders of a text from s.
func (a *collectionAudit) replace(s *source, text string) string {
	return strings.NewReplacer(
		"{release}", definition.ServerName(a.Release.String()), "{option}", catalog.Plain(s.Option), "{field}", cli.Visible(s.Field), "{type}", indexType(s.spec),
	).Replace(text)
}

// indexType returns the kind of a special index, such as "hashed".
func indexType(x mongo.IndexSpec) string {
	for _, e := range x.Key {
		if name, ok := e.Value.AsString(); ok && name != "" {
			return cli.Visible(name)
		}
	}
	return "wildcard"
}
