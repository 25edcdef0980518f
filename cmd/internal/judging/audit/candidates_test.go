package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
)

// TestCandidates: the audit names the collections without a time to live that may need a
// time to live. It proposes no command, because documents do not show how long they are
// needed.
func TestCandidates(t *testing.T) {
	const rule = "harmless mongo.no-ttl"
	old := hundred(func(i int) string { return hoursAgo("at", i*24) + `,"n":1` })
	for _, tt := range []struct {
		why, indexes, documents string
		candidates              bool
		want                    []string
		text                    string
	}{
		{"old and growing", "", old, true, []string{rule}, "Nothing expires here, and of 100 documents some hold Dates that are old and grow: at in 100, from 2026-08-13T00:00:00.000Z to 2026-11-20T00:00:00.000Z, 28 of them in the last 4 weeks."},
		{"99 documents", "", strings.Join(strings.SplitAfter(old, "\n")[1:], ""), true, nil, ""},
		{"not asked for", "", old, false, nil, ""},
		{"90 days, and the 90th is old", "", hundred(func(i int) string { return hoursAgo("at", min(i, 90)*24) }), true, []string{rule}, ""},
		{"89 days", "", hundred(func(i int) string { return hoursAgo("at", min(i, 89)*24) }), true, nil, ""},
		{"30 days ago it ended", "", hundred(func(i int) string { return hoursAgo("at", (i+30)*24) }), true, []string{rule}, ""},
		{"31 days ago it ended", "", hundred(func(i int) string { return hoursAgo("at", (i+31)*24) }), true, nil, ""},
		{"appointments", "", hundred(func(i int) string { return hoursAgo("at", (i*2-99)*24) }), true, nil, ""},
		{"text", "", hundred(func(i int) string { return `"at":"2020-01-01"` }), true, nil, ""},
		{"a TTL index", ttl("at", 400*daySeconds), old, true, nil, ""},
		{"two fields", "", hundred(func(i int) string { return hoursAgo("at", i*24) + "," + hoursAgo("paidAt", i*36) }), true, []string{rule},
			"Nothing expires here, and of 100 documents some hold Dates that are old and grow: at in 100, from 2026-08-13T00:00:00.000Z to 2026-11-20T00:00:00.000Z, 28 of them in the last 4 weeks; paidAt in 100, from 2026-06-24T12:00:00.000Z to 2026-11-20T00:00:00.000Z, 19 of them in the last 4 weeks."},
	} {
		r := audited(t, with(t, described(t, `{}`, tt.indexes), tt.documents), Options{Options: on(t, "8.0.4").Options, Candidates: tt.candidates})
		t.Run(tt.why, func(t *testing.T) {
			checkFindings(t, r, tt.want...)
			for _, f := range r.Findings {
				if tt.text != "" && f.Text != tt.text || len(f.Repairs) > 0 {
					t.Errorf("it says\n%s\nwith %d repairs, want\n%s\nwith none", f.Text, len(f.Repairs), tt.text)
				}
			}
		})
	}
	secret := audited(t, with(t, described(t, `{}`, ""), old), Options{Options: catalog.Options{Now: now, NoIDs: true}, Candidates: true})
	if text := find(t, secret, "mongo.no-ttl").Text; !strings.HasSuffix(text, ": at in 100, 28 of them in the last 4 weeks.") {
		t.Errorf("without values it says %s", text)
	}
}

// TestCandidateTable: the evidence about all collections is in one table, the largest
// collection first, and nowhere else. Without --candidates, a note names the flag.
func TestCandidateTable(t *testing.T) {
	list := []dumped{
		{"audits", `{}`, "", hundred(func(i int) string { return hoursAgo("at", i*100) })},
		{"orders", `{}`, "", hundred(func(i int) string { return hoursAgo("at", i*24) + "," + hoursAgo("paidAt", i*36) + `,"n":1` })},
		{"sessions", `{}`, ttl("at", month), hundred(func(i int) string { return hoursAgo("at", i) })},
		{"users", `{}`, "", hundred(func(i int) string { return hoursAgo("at", i) })},
		{"years", `{}`, "", hundred(func(i int) string { return hoursAgo("at", 19*24+i*876) })},
	}
	for _, tt := range []struct {
		isAsked, noIDs bool
		want           string
	}{
		{false, false, `nothing found

Without findings, and not shown: 5 of 5 collections and containers.

4 collections have no time to live; --candidates shows which of them grow.
`},
		{true, false, candidateHead + `          100    4.9 kB          7  2026-08-13  2026-11-20  shop.orders  at
          100    4.9 kB          5  2026-06-24  2026-11-20  shop.orders  paidAt
          100    2.6 kB          2  2025-10-03  2026-11-20  shop.audits  at
          100    2.6 kB        < 1  2016-12-09  2026-11-01  shop.years  at
`},
		{true, true, candidateHead + `          100    4.9 kB          7  -           -           shop.orders  at
          100    4.9 kB          5  -           -           shop.orders  paidAt
          100    2.6 kB          2  -           -           shop.audits  at
          100    2.6 kB        < 1  -           -           shop.years  at
`},
	} {
		o := Options{Candidates: tt.isAsked}
		o.NoIDs = tt.noIDs
		var text strings.Builder
		r := Report{Results: auditAll(t, inDump(t, list...), o), Candidates: tt.isAsked}
		if err := r.Text(&cli.Printer{W: &text, Width: 80}); err != nil || text.String() != tt.want {
			t.Errorf("asked %t, without values %t: %v\n%s\nwant\n%s", tt.isAsked, tt.noIDs, err, text.String(), tt.want)
		}
	}
}

// TestNoCandidate: if no collection is a candidate, the report gives a reason for each.
// For a collection with two fields, the reason is that of the field whose Dates come
// nearer to those of a candidate.
func TestNoCandidate(t *testing.T) {
	dates := func(of func(i int) int) string {
		return hundred(func(i int) string { return hoursAgo("at", of(i)*24) })
	}
	texts := hundred(func(i int) string { return `"at":"2020-01-01"` })
	few := "{" + hoursAgo("at", 24*100) + "}\n"
	list := []dumped{{"empty", `{}`, "", ""}, {"few", `{}`, "", few}, {"texts", `{}`, "", texts}, {"young", `{}`, "", dates(func(i int) int { return i % 90 })}, {"plans", `{}`, "", dates(func(i int) int { return 98 - i })}, {"ended", `{}`, "", dates(func(i int) int { return i + 31 })},
		{"both", `{}`, "", hundred(func(i int) string { return hoursAgo("at", (i+31)*24) + "," + hoursAgo("paidAt", 24*i%90) })}}
	const reasons = `
No collection without a time to live is a candidate for one, for these reasons:
  no documents of it were read: shop.empty
  no document holds a Date in a field on top: shop.texts
  fewer than 100 documents hold a Date in the same field on top: shop.few
  no Date is older than 90 days: shop.young
  the newest Date is later than now: shop.plans
  no Date is of the last 30 days: shop.both, shop.ended
`
	var many []dumped
	for i := range 7 {
		many = append(many, dumped{fmt.Sprintf("c%d", i), `{}`, "", few})
	}
	for _, tt := range []struct {
		list []dumped
		want string
	}{
		{list, reasons},
		{many, "\nNo collection without a time to live is a candidate for one, for these reasons:\n  fewer than 100 documents hold a Date in the same field on top: shop.c0,\n  shop.c1, shop.c2, shop.c3, shop.c4, 2 more\n"},
		{[]dumped{{"sessions", `{}`, ttl("at", month), few}, {"tokens", `{}`, ttl("at", month), few}}, "\nNo collection is a candidate for a time to live: each has one.\n"},
	} {
		var text strings.Builder
		r := Report{Results: auditAll(t, inDump(t, tt.list...), Options{Candidates: true}), Candidates: true}
		want := fmt.Sprintf("nothing found\n\nWithout findings, and not shown: %d of %[1]d collections and containers.\n%s", len(tt.list), tt.want)
		if err := r.Text(&cli.Printer{W: &text, Width: 80}); err != nil || text.String() != want {
			t.Errorf("%v\n%s\nwant\n%s", err, text.String(), want)
		}
	}
}

const candidateHead = `found: 3 harmless

Without findings, and not shown: 2 of 5 collections and containers.

These collections have no time to live, and grow: some documents hold Dates in
the field that are older than 90 days, and the newest one is of the last 30
days. Find out how long documents are needed, and by whom, before a TTL index is
made.

    documents      size     a week  oldest      newest      collection and field
`

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
	const want = "Nothing expires here, and of 500 documents some hold Dates that are old and grow: at in 500, from 2026-07-15T00:00:00.000Z to 2026-11-20T00:00:00.000Z, 112 of them in the last 4 weeks."
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
		if len(a.spans) > maxDatedFields {
			t.Errorf("%s: %d fields are noted, want at most %d", name, len(a.spans), maxDatedFields)
		}
		r := j.result()
		if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "More than 100 fields") {
			t.Errorf("%s: notes %q, want that not all fields were looked at", name, r.Notes)
		}
		if len(r.Findings) != 1 || r.Findings[0].Text != want {
			t.Errorf("%s: %v %+v, want\n%s", name, r.Failed, r.Findings, want)
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
