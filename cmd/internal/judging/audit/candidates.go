package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection without a time to live is a candidate for one if the earliest Date of a
// field is at least as old as oldDates, and the latest is past and not older than
// youngDates. Such a collection has grown for long, and still grows.
const (
	oldDates   = policy.Instant(90 * daySeconds * 1000)
	youngDates = policy.Instant(30 * daySeconds * 1000)
)

// manyDates is the minimum number of documents with a Date in the field for which a time
// to live is worthwhile.
const manyDates = 100

// fourWeeks is the span before now in which documents are counted, to compute how many are
// added in a week.
const fourWeeks = policy.Instant(28 * daySeconds * 1000)

// maxDatedFields is the maximum number of fields with Dates that the audit records for a
// collection.
const maxDatedFields = 100

// A span is the range of Dates that documents hold in one field.
type span struct {
	field       string
	documents   int64
	recent      int64 // the Dates of the last four weeks
	first, last policy.Instant
}

// A DatedField is the evidence that a collection without a time to live grows: the Dates of its
// documents in one field.
type DatedField struct {
	Field     string `json:"field"`
	Documents int64  `json:"documents"` // the documents with a Date in the field
	// InFourWeeks is the number of Dates within the four weeks before now.
	InFourWeeks int64 `json:"inFourWeeks"`
	// Oldest and Newest are nil if the report must not show values of documents.
	Oldest *cli.Time `json:"oldest,omitempty"`
	Newest *cli.Time `json:"newest,omitempty"`
}

// A lack is the reason why a collection without a time to live is no candidate for one.
// If several fields hold Dates, the greatest of their lacks counts. It is that of the
// field whose Dates come nearest to those of a candidate.
type lack uint8

const (
	nothing lack = iota // the collection is a candidate, or the audit does not look for candidates
	noneRead
	noDates
	fewDates
	noOldDates
	laterDates
	noRecentDates
)

var lacks = [...]string{
	noneRead:      "no documents of it were read",
	noDates:       "no document holds a Date in a field on top",
	fewDates:      "fewer than 100 documents hold a Date in the same field on top",
	noOldDates:    "no Date is older than 90 days",
	laterDates:    "the newest Date is later than now",
	noRecentDates: "no Date is of the last 30 days",
}

// lack returns the reason why the Dates of a field do not make the collection a
// candidate; the constant nothing if they do.
func (s *span) lack(now policy.Instant) lack {
	switch {
	case s.documents < manyDates:
		return fewDates
	case s.first > now-oldDates:
		return noOldDates
	case s.last > now:
		return laterDates
	case s.last < now-youngDates:
		return noRecentDates
	}
	return nothing
}

// isCandidate reports whether the audit looks for a field whose Dates could make the
// collection's documents expire.
func (a *collectionAudit) isCandidate() bool {
	return a.options.Candidates && len(a.sources) == 0
}

func (a *collectionAudit) seeSpans(doc policy.Document) {
	if !a.isCandidate() {
		return
	}
	top := valueOf(doc).Fields()
	for top.Next() {
		at, ok := top.Value().AsDate()
		if !ok {
			continue
		}
		i := slices.IndexFunc(a.spans, func(s span) bool { return s.field == top.Name() })
		if i < 0 {
			if len(a.spans) == maxDatedFields {
				a.manyDated = true
				continue
			}
			i = len(a.spans)
			a.spans = append(a.spans, span{field: strings.Clone(top.Name()), first: at, last: at})
		}
		s := &a.spans[i]
		s.documents++
		if a.Now-fourWeeks < at && at <= a.Now {
			s.recent++
		}
		s.first, s.last = min(s.first, at), max(s.last, at)
	}
}

// reviewSpans reports the fields in which a collection without a time to live holds old
// Dates and receives new ones. It proposes no time to live, because documents do not show
// how long they are needed.
func (a *collectionAudit) reviewSpans() {
	if !a.isCandidate() {
		return
	}
	var fields []DatedField
	var texts []string
	a.lack = noDates
	if a.documents == 0 {
		a.lack = noneRead
	}
	for _, s := range a.spans {
		if lack := s.lack(a.Now); lack != nothing {
			a.lack = max(a.lack, lack)
			continue
		}
		f := DatedField{Field: s.field, Documents: s.documents, InFourWeeks: s.recent}
		text := fmt.Sprintf("%s in %s", cli.Visible(s.field), cli.Number(s.documents))
		if !a.options.NoIDs {
			oldest, newest := cli.TimeOf(s.first), cli.TimeOf(s.last)
			f.Oldest, f.Newest = &oldest, &newest
			text += fmt.Sprintf(", from %s to %s", s.first, s.last)
		}
		fields, texts = append(fields, f), append(texts, text+fmt.Sprintf(", %s of them in the last 4 weeks", cli.Number(s.recent)))
	}
	if len(fields) == 0 {
		return
	}
	a.lack = nothing
	a.report(&source{}, Finding{
		Rule: reasons.Rule("mongo.no-ttl"), Documents: a.documents, Fields: fields,
		Text:   fmt.Sprintf("Nothing expires here, and of %s some hold Dates that are old and grow: %s.", cli.Documents(a.documents), strings.Join(texts, "; ")),
		Advice: "Find out how long documents are needed, and by whom, before a TTL index is made.",
	})
}

// candidates writes a table of the growing collections without a time to live, the largest
// first.
func (t writer) candidates(r Report) {
	type row struct {
		of *Result
		DatedField
	}
	var rows []row
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			for _, field := range f.Fields {
				rows = append(rows, row{&r.Results[i], field})
			}
		}
	}
	if len(rows) == 0 {
		t.lacks(r)
		return
	}
	slices.SortStableFunc(rows, func(x, y row) int { return cmp.Compare(y.of.Bytes, x.of.Bytes) })
	t.Line("")
	t.Wrap("These collections have no time to live, and grow: some documents hold Dates in the field that are older than 90 days, and the newest one is of the last 30 days. Find out how long documents are needed, and by whom, before a TTL index is made.", 0)
	t.Line("")
	t.Line("  %11s  %8s  %9s  %-10s  %-10s  %s", "documents", "size", "a week", "oldest", "newest", "collection and field")
	for _, one := range rows {
		week := cli.Number((one.InFourWeeks + 2) / 4)
		if 0 < one.InFourWeeks && one.InFourWeeks < 2 {
			week = "< 1"
		}
		t.Line("  %11s  %8s  %9s  %-10s  %-10s  %s", cli.Number(one.Documents), cli.Size(one.of.Bytes), week, dayOf(one.Oldest), dayOf(one.Newest), one.of.Target.Title()+"  "+one.Field)
	}
}

// maxNamed is the maximum number of collections that the report names for one reason.
const maxNamed = 5

// lacks writes, for each collection without a time to live, the reason why it is no
// candidate for one.
func (t writer) lacks(r Report) {
	names := make([][]string, len(lacks)) // the collections by their lack
	for i := range r.Results {
		if why := r.Results[i].lack; why != nothing {
			names[why] = append(names[why], cli.Visible(r.Results[i].Target.Title()))
		}
	}
	isWithout := func(one Result) bool {
		return one.Sources == 0 || one.Failed != nil || one.Target.System() != definition.MongoDB
	}
	switch {
	case !r.Candidates:
		return
	case slices.ContainsFunc(names, func(list []string) bool { return len(list) > 0 }):
		t.Line("")
		t.Wrap("No collection without a time to live is a candidate for one, for these reasons:", 0)
	case len(r.Results) > 0 && !slices.ContainsFunc(r.Results, isWithout):
		t.Line("")
		t.Wrap("No collection is a candidate for a time to live: each has one.", 0)
	}
	for why, list := range names {
		if more := len(list) - maxNamed; more > 0 {
			list = append(list[:maxNamed], cli.Number(int64(more))+" more")
		}
		if len(list) > 0 {
			t.Wrap(lacks[why]+": "+strings.Join(list, ", "), 2)
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
