package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
)

// TestDatesWithoutTTL: on request a result has the Dates of a collection without a time to live.
// They are no finding, and no command is proposed.
func TestDatesWithoutTTL(t *testing.T) {
	dates := hundred(func(i int) string { return hoursAgo("at", i*24) + `,"n":1,"deep":{` + hoursAgo("at", 5) + `}` })
	for _, tt := range []struct {
		why, indexes, documents string
		isAsked, noIDs          bool
		want                    []string
	}{
		{"one field", "", dates, true, false, []string{"at 100 2026-08-13 2026-11-20"}},
		{"not asked for", "", dates, false, false, nil},
		{"without values", "", dates, true, true, []string{"at 100 - -"}},
		{"text", "", hundred(func(i int) string { return `"at":"2020-01-01"` }), true, false, nil},
		{"a TTL index", ttl("at", 400*daySeconds), dates, true, false, nil},
		{"two fields", "", dates + hundred(func(i int) string { return hoursAgo("at", -24*i) + "," + hoursAgo("paidAt", i*36) }), true, false, []string{"at 200 2026-08-13 2027-02-27", "paidAt 100 2026-06-24 2026-11-20"}},
	} {
		o := Options{Options: on(t, "8.0.4").Options, Candidates: tt.isAsked}
		o.NoIDs = tt.noIDs
		r := audited(t, with(t, described(t, `{}`, tt.indexes), tt.documents), o)
		checkFindings(t, r)
		var got []string
		for _, f := range r.Dates {
			got = append(got, fmt.Sprint(f.Field, " ", f.Documents, " ", dayOf(f.Oldest), " ", dayOf(f.Newest)))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestCandidateTable: all collections without a time to live are in one table, the largest
// first. Without --candidates, a note names the flag.
func TestCandidateTable(t *testing.T) {
	list := []dumped{
		{"audits", `{}`, "", hundred(func(i int) string { return hoursAgo("at", i*100) })},
		{"empty", `{}`, "", ""},
		{"orders", `{}`, "", hundred(func(i int) string { return hoursAgo("at", i*24) + "," + hoursAgo("paidAt", i*36) + `,"n":1` })},
		{"sessions", `{}`, ttl("at", month), hundred(func(i int) string { return hoursAgo("at", i) })},
	}
	const head = `nothing found

Without findings, and not shown: 4 of 4 collections and containers.

`
	const table = head + `These collections have no time to live. Find out how long documents are needed,
and by whom, before a TTL index is made on a field with Dates.

    documents      size  oldest      newest      collection and field
          100    4.9 kB                          shop.orders
          100            2026-08-13  2026-11-20    at
          100            2026-06-24  2026-11-20    paidAt
          100    2.6 kB                          shop.audits
          100            2025-10-03  2026-11-20    at
            0       0 B                          shop.empty
`
	for _, tt := range []struct {
		list           []dumped
		isAsked, noIDs bool
		want           string
	}{
		{list, false, false, head + "3 collections have no time to live; --candidates names them, and the Dates in\ntheir documents.\n"},
		{list, true, false, table},
		{list, true, true, regexp.MustCompile(`20[0-9-]{8}`).ReplaceAllString(table, "-         ")},
		{[]dumped{list[3], {"tokens", `{}`, ttl("at", month), ""}}, true, false, "nothing found\n\nWithout findings, and not shown: 2 of 2 collections and containers.\n"},
	} {
		o := Options{Candidates: tt.isAsked}
		o.NoIDs = tt.noIDs
		var text strings.Builder
		r := Report{Results: auditAll(t, inDump(t, tt.list...), o), Candidates: tt.isAsked}
		if err := r.Text(&cli.Printer{W: &text, Width: 80}); err != nil || text.String() != tt.want {
			t.Errorf("asked %t, without values %t: %v\n%s\nwant\n%s", tt.isAsked, tt.noIDs, err, text.String(), tt.want)
		}
	}
}

// TestCandidatesInEveryForm: documents give the same evidence in BSON and in each
// Extended JSON form of a Date. Memory stays bounded even if every document has different
// fields.
func TestCandidatesInEveryForm(t *testing.T) {
	forms := map[string]func(ms int64) string{
		"canonical": func(ms int64) string { return fmt.Sprintf(`{"$date":{"$numberLong":"%d"}}`, ms) },
		"relaxed": func(ms int64) string {
			return `{"$date":"` + time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05Z") + `"}`
		},
		"of old":  func(ms int64) string { return fmt.Sprintf(`{"$date":%d}`, ms) },
		"in BSON": func(ms int64) string { return fmt.Sprintf(`{"$date":{"$numberLong":"%d"}}`, ms) },
	}
	for name, form := range forms {
		lines := ""
		for i := range 500 {
			ms := int64(now) - int64(i%129)*86_400_000
			lines += fmt.Sprintf(`{"_id":%d,"f%[1]d":%s,"at":%s,"text":"2020-01-01","deep":{"at":%[3]s}}`+"\n", i, form(int64(now)+1), form(ms))
		}
		target := with(t, described(t, `{}`, ""), lines)
		if name == "in BSON" {
			target = inDump(t, dumped{"logs", `{}`, "", lines})[0]
		}
		o := Options{Options: on(t, "8.0.4").Options, Candidates: true}
		j := newJob(target, o)
		s := scan{options: o, jobs: []*job{j}, of: map[*dump.Collection]*job{target.Documents[0]: j}, parts: map[*dump.Collection]dump.Part{target.Documents[0]: {Whole: true}}}
		s.read(t.Context())
		a := j.auditor.(*collectionAudit)
		if len(a.dates) != maxDatedFields {
			t.Errorf("%s: %d fields are noted, want %d", name, len(a.dates), maxDatedFields)
		}
		r := j.result()
		if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "More than 100 fields") {
			t.Errorf("%s: notes %q, want that not all fields were looked at", name, r.Notes)
		}
		if at := r.Dates[1]; at.Field != "at" || at.Documents != 500 || at.Oldest.Time != "2026-07-15T00:00:00.000Z" || at.Newest.Time != "2026-11-20T00:00:00.000Z" {
			t.Errorf("%s: %v %+v", name, r.Failed, at)
		}
	}
}

// inDump returns the collections of a folder of mongodump.
func inDump(t *testing.T, list ...dumped) []*catalog.Target {
	t.Helper()
	dir := t.TempDir()
	writeDump(t, dir, list)
	return targetsAt(t, dir)
}

// TestArchiveIsReadOnce: the audit of an archive with many collections reads each
// document once.
func TestArchiveIsReadOnce(t *testing.T) {
	var list []dumptest.Collection
	size := 0
	for i := range 20 {
		block := bsonOf(t, `{"_id":1,"at":{"$date":"2026-11-01T00:00:00Z"},"text":"`+strings.Repeat("x", 5000)+`"}`)
		size += len(block)
		list = append(list, dumptest.Collection{Name: fmt.Sprintf("c%d", i), Metadata: `{"indexes":[` + ttl("at", 60) + `]}`, Blocks: [][]byte{block}})
	}
	archive := dumptest.Archive("8.0.4", list...)
	read := 0
	o := Options{Options: catalog.Options{Now: now, Read: func(n int) { read += n }}}
	documents := int64(0)
	for _, r := range Audit(t.Context(), inArchive(t, archive), o) {
		documents += r.Documents
	}
	if documents != 20 || read < size || read > len(archive) {
		t.Errorf("%d documents and %d bytes were read, want 20, and %d to %d", documents, read, size, len(archive))
	}
}
