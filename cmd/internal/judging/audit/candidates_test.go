package audit

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// TestCandidates: which collections without a time to live may need one. No command is
// proposed: how long documents are needed is not in them.
func TestCandidates(t *testing.T) {
	const rule = "harmless mongo.no-ttl"
	old := hundred(func(i int) string { return hoursAgo("at", i*24) + `,"n":1` })
	for _, tt := range []struct {
		why, indexes, documents string
		candidates              bool
		want                    []string
		text                    string
	}{
		{"old and growing", "", old, true, []string{rule}, "Nothing expires here, and of 100 documents some hold Dates that are old and grow: at in 100, from 2026-08-13T00:00:00.000Z to 2026-11-20T00:00:00.000Z."},
		{"not asked for", "", old, false, nil, ""},
		{"90 days, and the 90th is old", "", hundred(func(i int) string { return hoursAgo("at", min(i, 90)*24) }), true, []string{rule}, ""},
		{"89 days", "", hundred(func(i int) string { return hoursAgo("at", min(i, 89)*24) }), true, nil, ""},
		{"30 days ago it ended", "", hundred(func(i int) string { return hoursAgo("at", (i+30)*24) }), true, []string{rule}, ""},
		{"31 days ago it ended", "", hundred(func(i int) string { return hoursAgo("at", (i+31)*24) }), true, nil, ""},
		{"appointments", "", hundred(func(i int) string { return hoursAgo("at", (i*2-99)*24) }), true, nil, ""},
		{"text", "", hundred(func(i int) string { return `"at":"2020-01-01"` }), true, nil, ""},
		{"a TTL index", ttl("at", 400*daySeconds), old, true, nil, ""},
		{"two fields", "", hundred(func(i int) string { return hoursAgo("at", i*24) + "," + hoursAgo("paidAt", i*36) }), true, []string{rule},
			"Nothing expires here, and of 100 documents some hold Dates that are old and grow: at in 100, from 2026-08-13T00:00:00.000Z to 2026-11-20T00:00:00.000Z; paidAt in 100, from 2026-06-24T12:00:00.000Z to 2026-11-20T00:00:00.000Z."},
	} {
		r := audited(t, with(t, described(t, `{}`, tt.indexes), tt.documents), Options{Options: catalogOptions(t, "8.0.4"), Candidates: tt.candidates})
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
	if text := find(t, secret, "mongo.no-ttl").Text; !strings.HasSuffix(text, ": at in 100.") {
		t.Errorf("without values it says %s", text)
	}
}
