package audit

import (
	"strings"
	"testing"
)

// TestMisspelt: an option that servers ignore is a finding, which names the intended option. If
// an index deletes without its filter, a repair keeps every document.
func TestMisspelt(t *testing.T) {
	tests := []struct {
		why, options, indexes string
		want                  []string
		text                  string
		command               string // the command of a repair; "" without a repair
	}{
		{"as it should be", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`, nil, "", ""},
		{"a letter less", `{}`, `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSecond":3600}`, []string{"keeps mongo.no-ttl t_1"}, "expireAfterSecond is not an option of an index; expireAfterSeconds is.", ""},
		{"another case", `{}`, `{"key":{"t":1},"name":"t_1","expireafterseconds":3600}`, []string{"keeps mongo.no-ttl t_1"}, "expireafterseconds is not an option", ""},
		{"ttl", `{}`, `{"key":{"t":1},"name":"t_1","ttl":"1h"}`, []string{"keeps mongo.no-ttl t_1"}, "ttl is not an option", ""},
		{"within another", `{}`, `{"key":{"t":1},"name":"t_1","extra":{"expireAfterSeconds":3600}}`, []string{"keeps mongo.no-ttl t_1"}, "expireAfterSeconds stands within extra", ""},
		{"in the key", `{}`, `{"key":{"t":1,"expireAfterSeconds":3600},"name":"t_1_expireAfterSeconds_3600"}`, []string{"keeps mongo.no-ttl t_1_expireAfterSeconds_3600"}, "expireAfterSeconds stands within the key", ""},
		{"beside the right one", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600,"ttl":5}`, []string{"keeps mongo.createindexes-unknown-field t_1", "harmless mongo.createindexes-unknown-field t_1"}, "ttl is not an option", ""},
		{"a filter", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600,"partialFilter":{"a":1}}`, []string{"deletes mongo.createindexes-unknown-field t_1", "keeps mongo.createindexes-unknown-field t_1"}, "Without partialFilterExpression the index is not partial, and holds every document.",
			`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`},
		{"a filter that deletes nothing", `{}`, `{"key":{"t":1},"name":"t_1","partialFilter":{"a":1}}`, []string{"harmless mongo.createindexes-unknown-field t_1"}, "partialFilter is not an option", ""},
		{"of a collection", `{"timeseries":{"timeField":"t"},"expireAfter":60}`, ``, []string{"keeps mongo.no-ttl"}, "expireAfter is not an option of a collection", ""},
	}
	for _, tt := range tests {
		r := audited(t, described(t, tt.options, tt.indexes), on(t, "8.0.4"))
		checkFindings(t, r, tt.want...)
		if len(r.Findings) == 0 {
			continue
		}
		var texts, commands []string
		for _, f := range r.Findings {
			texts = append(texts, f.Text)
			for _, repair := range f.Repairs {
				commands = append(commands, repair.Commands...)
			}
		}
		if all := strings.Join(texts, "\n"); !strings.Contains(all, tt.text) {
			t.Errorf("%s: %q, want %q", tt.why, all, tt.text)
		}
		if all := strings.Join(commands, "\n"); (tt.command == "") != (all == "") || !strings.Contains(all, tt.command) {
			t.Errorf("%s: repaired by\n%s\nwant\n%s", tt.why, all, tt.command)
		}
	}
}

// TestMillisRepair: a repair multiplies dates only if no document expires because of it.
func TestMillisRepair(t *testing.T) {
	const index = `{"key":{"at":1},"name":"at_1","expireAfterSeconds":86400}`
	for _, tt := range []struct {
		why, release, indexes string
		want                  bool
	}{
		{"one index", "8.0.4", index, true},
		{"the first release with pipelines", "4.2.0", index, true},
		{"the last one without", "4.0.28", index, false},
		{"a filter, which the new date may meet", "8.0.4", `{"key":{"at":1},"name":"at_1","expireAfterSeconds":86400,"partialFilterExpression":{"at":{"$lt":{"$date":"2026-01-01T00:00:00Z"}}}}`, false},
		{"another index, whose filter it may meet", "8.0.4", index + `,{"key":{"u":1},"name":"u_1","expireAfterSeconds":0,"partialFilterExpression":{"at":{"$gt":{"$date":"2000-01-01T00:00:00Z"}}}}`, false},
	} {
		documents := strings.Repeat(`{"at":{"$date":{"$numberLong":"1795132800"}}}`+"\n", 5)
		r := audited(t, with(t, described(t, `{}`, tt.indexes), documents), on(t, tt.release))
		got := false
		for _, f := range r.Findings {
			for _, repair := range f.Repairs {
				got = got || strings.Contains(strings.Join(repair.Commands, "\n"), "update:")
			}
		}
		if len(r.Findings) == 0 || got != tt.want {
			t.Errorf("%s: an update is %v, want %v", tt.why, got, tt.want)
		}
	}
}

// TestTypedNotes: a note says how a typed policy was read, and a finding names each part
// without effect.
func TestTypedNotes(t *testing.T) {
	r := audited(t, read(t, "new Schema({ t: { type: Date, expires: '1h' } })")[0], on(t, "8.0.4"))
	if r.Sources != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "Read as mongoose reads it") {
		t.Errorf("%d sources, notes %q, want 1 and how it was read", r.Sources, r.Notes)
	}
	r = audited(t, read(t, "[{v: 2, key: {t: 1}, name: 't_1', expire_after_seconds: 5}]")[0], on(t, "8.0.4"))
	checkFindings(t, r, "keeps mongo.no-ttl t_1")
	if f := r.Findings[0]; len(r.Notes) != 0 || !strings.Contains(f.Advice, "spelled expireAfterSeconds") {
		t.Errorf("notes %q and advice %q beside the finding, want none and the option", r.Notes, f.Advice)
	}
	r = audited(t, read(t, "{DefaultTimeToLive: 86400000}")[0], Options{})
	checkFindings(t, r, "keeps cosmos.off")
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "its name in .NET") {
		t.Errorf("notes %q, want how it was read", r.Notes)
	}
}
