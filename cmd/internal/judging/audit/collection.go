package audit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
	dates       []DatedField  // the Dates in a collection without a time to live, by field
	manyDated   bool          // there are more fields with Dates than dates holds
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

func (a *collectionAudit) split() {
	for _, p := range reasons.Parts(a.Spec) {
		s := &source{Part: p}
		if p.Position >= 0 {
			s.spec, s.raw = a.Spec.Indexes[p.Position], a.ListedIndexes[p.Position]
			s.index = s.spec.Name
		}
		a.sources = append(a.sources, s)
		by, err := mongo.CompileCollection(s.Alone, a.Profile)
		if err == nil {
			s.by, s.idle = by, idleRule(by)
			continue
		}
		why := err.Error()
		if _, reason, ok := strings.Cut(why, "mongo: "); ok { // the text before "mongo: " names the index
			why = reason
		}
		a.report(s, Finding{
			Severity: Unspecified, Rule: reasons.Rule("mongo.filter-unspecified"),
			Text: fmt.Sprintf("%s cannot hold this index (%s), so what it does is unspecified. If another release lists it, name that with --server.", definition.ServerName(a.Release.String()), why),
		})
	}
}

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
	return slices.Compact(names), ok && !a.isUnlimited()
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
	a.findings = groupMoves(a.findings)
	return Result{
		System: reasons.Server(a.Release.String(), a.IsAssumed), IsAssumed: a.IsAssumed, Sources: len(a.sources),
		Documents: a.documents, Bytes: a.bytes, Notes: a.notes(), Findings: a.findings, Dates: a.datedFields(),
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

func (a *collectionAudit) replace(s *source, text string) string {
	return strings.NewReplacer(
		"{release}", definition.ServerName(a.Release.String()), "{option}", catalog.Plain(s.Option), "{field}", cli.Visible(s.Field), "{type}", indexType(s.spec),
	).Replace(text)
}

func indexType(x mongo.IndexSpec) string {
	for _, e := range x.Key {
		if name, ok := e.Value.AsString(); ok && name != "" {
			return cli.Visible(name)
		}
	}
	return "wildcard"
}

// repairs returns the two repairs of s: to keep every document, and to let documents
// expire after the seconds that s or --expire-after gives.
func (a *collectionAudit) repairs(s *source) []Repair {
	all := a.keepRepair(s)
	if n, ok := a.meant(s); ok {
		all = append(all, a.expireRepair(n, a.expiring(s, n))...)
	}
	return all
}

func (a *collectionAudit) keepRepair(s *source) []Repair {
	return a.repair("keep every document", a.keeping(s))
}

func (a *collectionAudit) expireRepair(n int64, x *change.Way) []Repair {
	return a.withAtOnce(n, a.repair("let documents expire after "+catalog.Span(n), x), x)
}

// meant returns the expireAfterSeconds that s should have: the value of --expire-after,
// or the stored value. The result is false if the value is not a valid number; a number
// in quotes is valid.
func (a *collectionAudit) meant(s *source) (int64, bool) {
	option := s.Option
	if !a.options.ExpireAfter.IsMissing() {
		option = a.options.ExpireAfter
	}
	if text, ok := option.AsString(); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		return n, err == nil && 0 < n && n < int64(policy.MaxSeconds)
	}
	n, _ := seconds(option)
	return n, option.Kind().IsNumber() && !option.IsNaN() && 0 <= n && n < int64(policy.MaxSeconds)
}

// repair returns the repair with the commands of a change; nil if there are no commands,
// or if a command cannot be written.
func (a *collectionAudit) repair(purpose string, x *change.Way) []Repair {
	if x == nil {
		return nil
	}
	lines, err := x.Lines()
	if err != nil {
		a.unnamed = a.unnamed || errors.Is(err, change.ErrUnnamed)
		return nil
	}
	return []Repair{{Purpose: purpose, Commands: lines}}
}

// keeping returns the commands that stop s from deleting: they switch off the
// collection's option, or create the index again without expireAfterSeconds.
func (a *collectionAudit) keeping(s *source) *change.Way {
	if s.index == "" {
		return a.accepted(a.CollMod(policy.E{Key: "expireAfterSeconds", Value: policy.StringValue("off")}))
	}
	return a.recreate(s, a.WithoutTTL(s.raw))
}

// expiring returns the commands that make s delete after n seconds.
func (a *collectionAudit) expiring(s *source, n int64) *change.Way {
	switch {
	case s.index == "":
		return a.accepted(a.CollMod(secondsOption(n)))
	case !a.deletes(s.spec, n):
		return nil
	}
	reached := func(after mongo.CollectionSpec) bool { return catalog.HasSeconds(after, s.index, n) }
	x, _ := change.First(a.Collection, a.Spec, reached, a.SecondsWays(s.raw, n)...)
	return x
}

// deletes reports whether an index like x with a delay of n seconds deletes documents.
func (a *collectionAudit) deletes(x mongo.IndexSpec, n int64) bool {
	x.ExpireAfterSeconds = pasted.Integer(n)
	alone := a.Spec
	alone.Indexes, alone.ExpireAfterSeconds = []mongo.IndexSpec{x}, policy.Value{}
	by, err := mongo.CompileCollection(alone, a.Profile)
	return err == nil && idleRule(by).IsZero()
}

func secondsOption(n int64) policy.E {
	return policy.E{Key: "expireAfterSeconds", Value: pasted.Integer(n)}
}

// indexing returns the command that creates a TTL index of one field; nil if the index
// would delete nothing.
func (a *collectionAudit) indexing(field string, n int64) *change.Way {
	plain := mongo.IndexSpec{Name: field + "_1", Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}}
	if !a.deletes(plain, n) {
		return nil
	}
	return a.accepted(a.CreateIndexes(policy.D{
		{Key: "key", Value: policy.ObjectValue(plain.Key)}, {Key: "name", Value: policy.StringValue(plain.Name)}, secondsOption(n),
	}))
}

func (a *collectionAudit) recreate(s *source, index policy.D) *change.Way {
	return a.accepted(a.DropIndexes(s.index), a.CreateIndexes(index))
}

// accepted returns the commands if the server accepts them one after another. It returns
// nil if the server refuses a command, or if it is unspecified whether the server does.
func (a *collectionAudit) accepted(commands ...catalog.Command) *change.Way {
	x, err := change.By(a.Collection, a.Spec, commands...)
	if err != nil {
		return nil
	}
	return x
}

// A loss counts the documents that a repair deletes as soon as it runs, and that stay
// without the repair.
type loss struct {
	lines     []string // of the repair
	spec      mongo.CollectionSpec
	after     *mongo.Collection
	documents int64
}

// withAtOnce adds to a repair the description of the documents that it deletes as soon as
// it runs, and has the scan count them. The list repairs holds at most one repair. The
// commands x of the repair make an index or the collection's option delete after n
// seconds.
func (a *collectionAudit) withAtOnce(n int64, repairs []Repair, x *change.Way) []Repair {
	if len(repairs) > 0 {
		repairs[0].AtOnce, repairs[0].Count = x.AtOnce(n), x.Count(n)
		repairs[0].loss = a.lossBy(repairs[0].Commands, x.After)
	}
	return repairs
}

// lossBy returns the loss by the commands in lines. The argument after is the
// collection's definition after the commands. Equal commands share a loss. The loss is
// nil if the release cannot hold the collection before or after the commands.
func (a *collectionAudit) lossBy(lines []string, after mongo.CollectionSpec) *loss {
	if i := slices.IndexFunc(a.losses, func(l *loss) bool { return slices.Equal(l.lines, lines) }); i >= 0 {
		return a.losses[i]
	}
	by, err := mongo.CompileCollection(after, a.Profile)
	if err != nil || a.stands == nil {
		return nil
	}
	l := &loss{lines: lines, spec: after, after: by}
	a.losses = append(a.losses, l)
	return l
}

func (a *collectionAudit) seeLosses(doc policy.Document) {
	if len(a.losses) == 0 || a.stands.Decide(doc, a.Now).State == policy.Expired {
		return
	}
	for _, l := range a.losses {
		if l.after.Decide(doc, a.Now).State == policy.Expired {
			l.documents++
		}
	}
}

func (a *collectionAudit) countLosses() {
	for i := range a.findings {
		for j := range a.findings[i].Repairs {
			if r := &a.findings[i].Repairs[j]; r.loss != nil {
				r.Count = ""
				r.AtOnce += fmt.Sprintf(" Of %s here, %s that would have stayed.", cli.Documents(a.documents), countOr("none goes", r.loss.documents, "goes", "go"))
			}
		}
	}
}

// lookForDates records the fields of an index of a kind that deletes nothing. Each field
// gets a repair that makes a TTL index of the field. The documents decide which repair
// the audit proposes.
func (a *collectionAudit) lookForDates(s *source) {
	n, ok := a.meant(s)
	if s.index == "" || s.idle.IsZero() || !ok || a.deletes(s.spec, n) {
		return
	}
	for _, e := range s.spec.Key {
		if e.Key == "_id" || strings.Contains(e.Key, "$") {
			continue
		}
		repair := a.indexRepair("let documents expire "+catalog.Span(n)+" after "+cli.Visible(e.Key), e.Key, n)
		s.dated = append(s.dated, &datedField{field: e.Key, repair: repair})
	}
}

// indexRepair returns the repair that makes documents expire n seconds after the Date in
// a field: by a new index, or by an existing index of the field.
func (a *collectionAudit) indexRepair(purpose, field string, n int64) []Repair {
	x := a.indexing(field, n)
	if x == nil {
		x = a.reviving(field, n)
	}
	return a.withAtOnce(n, a.repair(purpose, x), x)
}

// reviving returns the commands that make an existing single-field index of this field
// delete after n seconds; nil if no such index exists, or if it deletes already.
func (a *collectionAudit) reviving(field string, n int64) *change.Way {
	for i, x := range a.Spec.Indexes {
		alone := &source{index: x.Name, spec: x, raw: a.ListedIndexes[i]}
		isIdle := x.ExpireAfterSeconds.IsMissing() || slices.ContainsFunc(a.sources, func(s *source) bool { return s.index == x.Name && !s.idle.IsZero() })
		if len(x.Key) == 1 && x.Key[0].Key == field && isIdle && a.deletes(x, n) {
			return a.expiring(alone, n)
		}
	}
	return nil
}

// reviewDated adds repairs by indexes of the fields that hold Dates to the finding about an index
// whose kind deletes nothing.
func (a *collectionAudit) reviewDated() {
	for _, s := range a.sources {
		i := slices.IndexFunc(a.findings, func(f Finding) bool { return f.Index == s.index && f.Rule == s.idle })
		if len(s.dated) == 0 || i < 0 {
			continue
		}
		f, found := &a.findings[i], false
		var names []string
		for _, d := range s.dated {
			names = append(names, cli.Visible(d.field))
			if d.documents > 0 {
				found, f.Repairs = true, append(f.Repairs, d.repair...)
			}
		}
		if !found {
			f.Advice = strings.TrimSpace(fmt.Sprintf("%s No document of %s here holds a Date in %s, so that nothing would expire by a TTL index of it.", f.Advice, cli.Number(a.documents), strings.Join(names, " or ")))
		}
	}
}

func holdsDate(doc policy.Document, path string) bool {
	isDate := func(v policy.Value) bool { return v.Kind() == policy.Date }
	v := valueAt(doc, strings.Split(path, "."))
	return isDate(v) || slices.ContainsFunc(policy.AOf(v), isDate)
}
