package audit

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
)

// TestMoves: what --moving-to adds to the findings.
func TestMoves(t *testing.T) {
	const (
		ordinary = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`
		capped   = `{"capped":true,"size":4096}`
		series   = `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":{"$numberLong":"60"}}`
	)
	tests := []struct {
		why, options, indexes, from, to string
		by                              command.Operation
		want                            []string // of the move
	}{
		{"an ordinary index", `{}`, ordinary, "4.4.0", "8.0.0", 0, nil},
		{"initial sync into data loss", `{}`, nanIndex, "4.4.0", "5.0.9", command.InitialSync, []string{"deletes mongo.move-nan-zero t_1"}},
		{"initial sync out of data loss, which brings a 0", `{}`, nanIndex, "5.0.9", "4.4.0", command.InitialSync, nil},
		{"data files out of data loss, which keep the NaN", `{}`, nanIndex, "5.0.9", "4.4.0", command.Downgrade, []string{"keeps mongo.move-sleeps t_1"}},
		{"upgrade into data loss", `{}`, nanIndex, "4.4.0", "6.0.1", command.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"backwards it is a downgrade", `{}`, nanIndex, "5.0.14", "5.0.13", command.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"the way is upgrade if none is given", `{}`, nanIndex, "4.4.0", "5.0.13", 0, []string{"deletes mongo.move-nan-zero t_1"}},
		{"restore into data loss", `{}`, nanIndex, "4.4.0", "5.0.13", command.DumpRestore, []string{"deletes mongo.move-nan-zero t_1"}},
		{"a restore that is refused", `{}`, nanIndex, "4.4.0", "8.0.0", command.DumpRestore, []string{"keeps mongo.move-refused t_1"}},
		{"68 years", `{}`, nanIndex, "4.4.0", "8.0.0", command.Upgrade, []string{"deletes mongo.move-68-years t_1"}},
		{"the rapid releases lose data too", `{}`, nanIndex, "4.4.0", "5.1.0", command.Upgrade, []string{"deletes mongo.move-nan-zero t_1"}},
		{"a collection that was capped to no effect", capped, ordinary, "4.4.0", "7.1.0", command.Upgrade, []string{"deletes mongo.capped t_1"}},
		{"one that becomes unspecified", capped, ordinary, "4.4.0", "6.0.25", command.Upgrade, []string{"unspecified mongo.capped-unspecified t_1"}},
		{"one that is idle for another reason", `{"timeseries":{"timeField":"t"}}`, `{"key":{"u":1},"name":"u_1","expireAfterSeconds":1}`, "6.0.0", "7.0.0", command.Upgrade, nil},
		{"one that becomes idle", capped, ordinary, "7.1.0", "4.4.0", command.Upgrade, []string{"keeps mongo.capped t_1"}},
		{"one that becomes unspecified from deleting", capped, ordinary, "7.1.0", "6.0.25", command.Upgrade, []string{"unspecified mongo.capped-unspecified t_1"}},
		{"extended range, mended", strings.Replace(series, `}}`, `},"requiresExtendedRangeSupport":true}`, 1), ``, "8.0.4", "8.1.0", command.Upgrade, []string{"deletes mongo.timeseries-extended-range"}},
		{"time-series unknown", series, ``, "5.0.0", "4.4.0", command.Upgrade, []string{"unspecified mongo.move-unspecified"}},
		{"time-series as ever", series, ``, "5.0.0", "8.0.0", command.Upgrade, nil},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			target := described(t, tt.options, tt.indexes)
			o := Options{Options: catalog.Options{Release: version(t, tt.from), MovingTo: version(t, tt.to)}, By: tt.by}
			r := audited(t, target, o)
			r.Findings = only(r.Findings, " to MongoDB "+tt.to+": ")
			checkFindings(t, r, tt.want...)
		})
	}
}

// only returns the findings with this in their text.
func only(all []Finding, text string) (some []Finding) {
	for _, f := range all {
		if strings.Contains(f.Text, text) {
			some = append(some, f)
		}
	}
	return some
}

// TestMovesCount: the documents that are lost by a move.
func TestMovesCount(t *testing.T) {
	const future = `{"_id":9,"t":{"$date":"2030-01-01T00:00:00Z"}}` + "\n"
	tests := []struct {
		why, options, indexes, from, to string
		rule, text                      string
		lost                            int64
	}{
		{"NaN", `{}`, nanIndex, "4.4.0", "5.0.9", "mongo.move-nan-zero", "Upgrade to MongoDB 5.0.9: ", 2},
		{"NaN arrives", `{}`, nanIndex, "4.4.0", "5.0.9", "mongo.move-nan-zero", "Here expireAfterSeconds arrives as NaN. Of 4 documents here, 2 have expired there and not here.", 2},
		{"68 years", `{}`, nanIndex, "4.4.0", "8.0.0", "mongo.move-68-years", "arrives as NaN, and becomes 2147483647. Of 4 documents here, 1 has expired there and not here.", 1},
		{"what had expired before is not lost", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberLong":"2147483648"}}`, "6.0.0", "8.0.0", "mongo.move-68-years", "Of 4 documents here, none has expired there and not here.", 0},
		{"a capped collection", `{"capped":true}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`, "4.4.0", "8.0.0", "mongo.capped", "Of 4 documents here, 2 have expired there and not here.", 2},
	}
	for _, tt := range tests {
		target := with(t, described(t, tt.options, tt.indexes), dated+old+text+future)
		r := audited(t, target, Options{Options: catalog.Options{Release: version(t, tt.from), MovingTo: version(t, tt.to)}, By: command.Upgrade})
		for _, f := range only(r.Findings, " to MongoDB ") {
			if f.Rule.ID != tt.rule || !strings.Contains(f.Text, tt.text) || f.Documents != tt.lost {
				t.Errorf("%s: %s, %q, %d documents; want %s, %q, %d", tt.why, f.Rule, f.Text, f.Documents, tt.rule, tt.text, tt.lost)
			}
		}
	}
}
