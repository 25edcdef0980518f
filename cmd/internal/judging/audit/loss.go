package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// seeLosses counts a document for each repair that deletes it.
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

// countLosses adds to each repair the number of documents that it deletes.
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

// seeDated counts a document for each field of s.dated that holds a Date in the document.
// The list s.dated is empty unless s is an index of a kind that deletes nothing.
func (s *source) seeDated(doc policy.Document) {
	for _, d := range s.dated {
		if holdsDate(doc, d.field) {
			d.documents++
		}
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

// reviewDated proposes indexes of the fields that hold Dates, in place of repairs to an
// index whose kind deletes nothing.
func (a *collectionAudit) reviewDated() {
	for _, s := range a.sources {
		if len(s.dated) == 0 {
			continue
		}
		var repairs []Repair
		found := false
		for _, d := range s.dated {
			if d.documents > 0 {
				found, repairs = true, append(repairs, d.repair...)
			}
		}
		for i := range a.findings {
			f := &a.findings[i]
			if f.Index != s.index {
				continue
			}
			f.Repairs = slices.DeleteFunc(f.Repairs, func(r Repair) bool { return r.isNew })
			if f.Rule != s.idle {
				continue
			}
			if f.Repairs = append(f.Repairs, repairs...); !found {
				f.Advice = strings.TrimSpace(f.Advice + " " + a.undatedKey(s))
			}
		}
	}
}

// undatedKey returns a text for an index none of whose fields holds Dates. The text names
// these fields, and the fields of other indexes that hold Dates.
func (a *collectionAudit) undatedKey(s *source) string {
	var names, others []string
	for _, d := range s.dated {
		names = append(names, cli.Visible(d.field))
	}
	for _, other := range a.sources {
		for _, d := range other.dated {
			if d.documents > 0 && !slices.Contains(others, cli.Visible(d.field)) {
				others = append(others, cli.Visible(d.field))
			}
		}
	}
	text := fmt.Sprintf("No document of %s here holds a Date in %s, so that nothing would expire by a TTL index of it.", cli.Number(a.documents), strings.Join(names, " or "))
	if len(others) > 0 {
		text += " Dates are in " + strings.Join(others, ", ") + "."
	}
	return text
}

// holdsDate reports whether a document holds, at a path, a Date or an array with a Date.
func holdsDate(doc policy.Document, path string) bool {
	isDate := func(v policy.Value) bool { return v.Kind() == policy.Date }
	v := valueAt(doc, strings.Split(path, "."))
	return isDate(v) || slices.ContainsFunc(policy.AOf(v), isDate)
}
