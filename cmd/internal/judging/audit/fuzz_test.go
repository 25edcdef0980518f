package audit

import (
	"io"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// auditLines audits a target with these documents, which need no file.
func auditLines(t *testing.T, target *catalog.Target, lines []string, o Options) Result {
	j := newJob(target, o)
	if j.isOver() {
		return j.result()
	}
	inspectDatabases([]*job{j})
	var decoder dump.Decoder
	text, id := documentForm(target)
	for i, line := range lines {
		doc, err := decoder.View(text, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		j.see(doc, place{file: "documents", offset: int64(i), size: len(line), id: id})
	}
	return j.result()
}

// FuzzAudit: the audit of any input, and its report, causes no panic, and no command
// contains control characters of a terminal.
func FuzzAudit(f *testing.F) {
	for _, seed := range []string{
		"[" + nanIndex + "," + oneIndex + "]",
		`{"cursor":{"id":0,"ns":"shop.logs","firstBatch":[{"key":{"b":1,"0":"hashed"},"name":"x","expireAfterSeconds":"5"}]}}`,
		`{"options":{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1795132799},"indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"m":1}}]}`,
		`{"options":{"clusteredIndex":true,"expireAfterSeconds":5,"capped":true},"indexes":[]}`,
		`{"key":{"\u001b[2J":1},"name":"\u0000\u202e","expireAfterSeconds":{"$numberDecimal":"1E+6000"},"collation":{"locale":"de"}}`,
		`{"$schema":"x","resources":[{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers","properties":{"resource":{"defaultTtl":"[parameters('x')]"}}}]}`,
		`{"id":"\u001b]0;x\u0007","defaultTTL":3600000}`,
		"db.a.createIndex({at: 1}, {expireAfterSeconds: '1m'})\ndb.b.createIndex({createdAt: 1}, {expireAfterSeconds: 0})",
		"schema.index({at: 1}), {expireAfterSeconds: \"\u001b[2J\"}",
	} {
		f.Add([]byte(seed), uint8(3), uint8(9))
	}
	releases := []string{"2.2.0", "3.0.0", "4.0.0", "4.4.0", "5.0.9", "5.0.14", "5.1.0", "6.0.1", "6.1.0", "7.0.0", "8.0.4", "8.2.0"}
	lines := strings.Split(dated+old+text+missing+`{"_id":"x","ttl":3600000,"_ts":5}`, "\n")
	f.Fuzz(func(t *testing.T, input []byte, from, to uint8) {
		targets, err := catalog.ReadText("policies", input)
		if err != nil {
			return
		}
		release := func(i uint8) string { return releases[int(i)%len(releases)] }
		o := Options{Options: on(t, release(from), release(to), release(from/7)).Options, By: moves.Operation(1 + from%4), ExpireAfter: policy.Int32Value(60)}
		if o.By == moves.Downgrade {
			o.By = moves.Upgrade
		}
		r := Report{Now: now}
		for _, target := range targets[:min(len(targets), 3)] {
			if result := auditLines(t, target, lines, o); result.Failed == nil {
				r.Results = append(r.Results, result)
			}
		}
		var b strings.Builder
		if err := r.Text(&cli.Printer{W: &b, Width: 80}); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(b.String(), func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || c == 0x202e }); i >= 0 {
			t.Fatalf("the text holds %q", b.String()[i:min(i+20, b.Len())])
		}
		if err := cli.WriteJSON(io.Discard, r.JSON()); err != nil {
			t.Fatal(err)
		}
	})
}
