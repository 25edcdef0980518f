package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxDatedFields is the maximum number of fields with Dates that the audit records for a
// collection.
const maxDatedFields = 100

// A DatedField is a field on top in which documents of a collection without a time to live hold
// Dates.
type DatedField struct {
	Field     string `json:"field"`
	Documents int64  `json:"documents"` // the documents with a Date in the field
	// Oldest and Newest are nil if the report must not show values of documents.
	Oldest      *cli.Time `json:"oldest,omitempty"`
	Newest      *cli.Time `json:"newest,omitempty"`
	first, last policy.Instant
}

// isUnlimited reports whether the audit looks for the Dates in a collection without a time to
// live.
func (a *collectionAudit) isUnlimited() bool { return a.options.Candidates && len(a.sources) == 0 }

// seeDates records the Dates in the fields on top of a document.
func (a *collectionAudit) seeDates(doc policy.Document) {
	if !a.isUnlimited() {
		return
	}
	for top := valueOf(doc).Fields(); top.Next(); {
		at, ok := top.Value().AsDate()
		if !ok {
			continue
		}
		i := slices.IndexFunc(a.dates, func(f DatedField) bool { return f.Field == top.Name() })
		if i < 0 {
			if len(a.dates) == maxDatedFields {
				a.manyDated = true
				continue
			}
			i = len(a.dates)
			a.dates = append(a.dates, DatedField{Field: strings.Clone(top.Name()), first: at, last: at})
		}
		f := &a.dates[i]
		f.Documents++
		f.first, f.last = min(f.first, at), max(f.last, at)
	}
}

// datedFields returns the fields that seeDates found, with their oldest and newest Dates.
func (a *collectionAudit) datedFields() []DatedField {
	for i := range a.dates {
		if f := &a.dates[i]; !a.options.NoIDs {
			oldest, newest := cli.TimeOf(f.first), cli.TimeOf(f.last)
			f.Oldest, f.Newest = &oldest, &newest
		}
	}
	return a.dates
}

// hasNoTTL reports whether the target is a collection of MongoDB that was read to its end and has
// no time to live.
func (r *Result) hasNoTTL() bool {
	return r.Sources == 0 && r.Failed == nil && len(r.Target.Documents) > 0 && r.Target.System() == definition.MongoDB
}

// unlimited writes a table of the collections without a time to live, the largest first, or
// their number unless Candidates is set.
func (t writer) unlimited(r Report) {
	var list []*Result
	for i := range r.Results {
		if r.Results[i].hasNoTTL() {
			list = append(list, &r.Results[i])
		}
	}
	if len(list) == 0 {
		return
	}
	t.Line("")
	if !r.Candidates {
		t.Wrap(cli.Count(int64(len(list)), "collection has", "collections have")+" no time to live; --candidates names them, and the Dates in their documents.", 0)
		return
	}
	slices.SortStableFunc(list, func(x, y *Result) int { return cmp.Compare(y.Bytes, x.Bytes) })
	t.Wrap("These collections have no time to live. Find out how long documents are needed, and by whom, before a TTL index is made on a field with Dates.", 0)
	t.Line("")
	row := func(documents, size, oldest, newest, name string) {
		t.Line("  %11s  %8s  %-10s  %-10s  %s", documents, size, oldest, newest, name)
	}
	row("documents", "size", "oldest", "newest", "collection and field")
	for _, one := range list {
		row(cli.Number(one.Documents), cli.Size(one.Bytes), "", "", one.Target.Title())
		for _, f := range one.Dates {
			row(cli.Number(f.Documents), "", dayOf(f.Oldest), dayOf(f.Newest), "  "+f.Field)
		}
	}
}

func dayOf(at *cli.Time) string {
	if at == nil {
		return "-"
	}
	date, _, _ := strings.Cut(at.Time, "T")
	return date
}
