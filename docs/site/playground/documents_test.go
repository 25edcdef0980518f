package playground

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/reply"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestSeveralDocuments: several documents, pasted in any form, have a table with counts,
// and the other parts of the answer are about the first document.
func TestSeveralDocuments(t *testing.T) {
	const at = "2026-11-20T12:00:00Z"
	index := `{key: {at: 1}, expireAfterSeconds: 3600}`
	old, young, text := `{_id: 1, at: ISODate("2026-11-20T10:30:00Z")}`, `{_id: 2, at: ISODate("2026-11-20T11:30:00Z")}`, `{_id: "x", at: "2026-11-20T10:30:00Z"}`
	want := Batch{Total: 4,
		Counts: []BatchCount{{"Expired", policy.Expired, "mongo.date", 1}, {"Pending", policy.Pending, "mongo.date", 1}, {"Never expires", policy.Never, "mongo.field-not-date", 2}},
		Rows: []BatchRow{
			{"_id: 1", "Expired", policy.Expired, "2026-11-20T11:30:00.000Z", "1 h after at, which is 2026-11-20T10:30:00.000Z", "mongo.date"},
			{"_id: 2", "Pending", policy.Pending, "2026-11-20T12:30:00.000Z", "1 h after at, which is 2026-11-20T11:30:00.000Z", "mongo.date"},
			{`_id: "x"`, "Never expires", policy.Never, "", "at holds a string, not a Date", "mongo.field-not-date"},
			{`_id: "x"`, "Never expires", policy.Never, "", "at holds a string, not a Date", "mongo.field-not-date"},
		}}
	all := []string{old, young, text, text}
	for _, pasted := range []string{
		"[" + strings.Join(all, ", ") + "]", strings.Join(all, "\n"), strings.Join(all, ",\n"), "db.c.insertMany([" + strings.Join(all, ",") + "])", strings.Join(all, ";"),
		`{"_id":1,"at":{"$date":"2026-11-20T10:30:00Z"}}` + "\n" + `{"_id":2,"at":{"$date":"2026-11-20T11:30:00Z"}}` + "\n" + text + "\n" + text + "\n",
	} {
		a := Of(onMongo("8.0.4", index, pasted, at), View{})
		if diff := cmp.Diff(want, a.Batch); diff != "" || a.Verdict != policy.Expired || len(a.Problems) > 0 {
			t.Errorf("Of(%s) = %v, problems %v; the table differs (-want +got):\n%s", pasted, a.Verdict, a.Problems, diff)
		}
	}
	for _, one := range []string{old, "[" + old + "]", "db.c.insertOne(" + old + ")", "db.c.insertMany([" + old + "])"} {
		if a := Of(onMongo("8.0.4", index, one, at), View{}); a.Batch.Total != 0 || len(a.Batch.Rows) != 0 || a.Verdict != policy.Expired {
			t.Errorf("Of(%s) = %v, problems %v, with the table %+v, want expired without one", one, a.Verdict, a.Problems, a.Batch)
		}
	}
	for pasted, fault := range map[string]string{
		"[]": "there is no document in this array", "[" + old + ", 5]": "want a document, or several between [ and ], not int", old + "\n" + `{at: }`: "", old + " junk": "",
	} {
		if a := Of(onMongo("8.0.4", index, pasted, at), View{}); len(a.Problems) != 1 || a.Problems[0].Editor != "document" || !strings.Contains(a.Problems[0].Message, fault) {
			t.Errorf("Of(%s): problems %+v, want one about the document with %q", pasted, a.Problems, fault)
		}
	}
}

// TestManyDocuments: all documents are counted, and the first ones are listed.
func TestManyDocuments(t *testing.T) {
	text := strings.Repeat(`{"at": 5}`+"\n", 1000)
	b := Of(onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 3600}`, text, ""), View{}).Batch
	if b.Total != 1000 || len(b.Rows) != mostRows || len(b.Counts) != 1 || b.Counts[0].Number != 1000 {
		t.Errorf("of 1000 documents %d are counted as %+v, and %d listed, want 1000 and %d", b.Total, b.Counts, len(b.Rows), mostRows)
	}
}

// TestSeveralItems: several items of Azure Cosmos DB are read from an array, or from one
// line each.
func TestSeveralItems(t *testing.T) {
	items := []string{`{"id": "1", "_ts": 1795172000}`, `{"id": "2", "ttl": -1, "_ts": 1795172000}`}
	for _, pasted := range []string{"[" + strings.Join(items, ",") + "]", strings.Join(items, "\n"), strings.Join(items, ",\n")} {
		a := Of(onCore(`{"defaultTtl": 60}`, pasted, "2026-11-20T12:00:00Z"), View{})
		want := []BatchCount{{"Expired", policy.Expired, "cosmos.default", 1}, {"Never expires", policy.Never, "cosmos.item-never", 1}}
		if diff := cmp.Diff(want, a.Batch.Counts); diff != "" || len(a.Problems) > 0 {
			t.Errorf("Of(%s): problems %v; counts differ (-want +got):\n%s", pasted, a.Problems, diff)
		}
	}
	for pasted, fault := range map[string]string{"[1]": "want items between [ and ], not int", "[]": "there is no item in this array", `[{"a": }]`: ""} {
		if a := Of(onCore(`{"defaultTtl": 60}`, pasted, ""), View{}); len(a.Problems) != 1 || a.Problems[0].Editor != "document" || !strings.Contains(a.Problems[0].Message, fault) {
			t.Errorf("Of(%s): problems %+v, want one about the document with %q", pasted, a.Problems, fault)
		}
	}
}

// TestWritten: the time of the last write replaces a missing _ts of the document.
func TestWritten(t *testing.T) {
	const now, notice = "2026-11-20T12:00:00Z", "The document says no _ts"
	for _, tt := range []struct {
		state    State
		written  string
		deadline string
		isTold   bool
	}{
		{onAPI(tsIndex, `{a: 1}`, now), "2026-11-20T11:00:00Z", "2026-11-20T11:00:10.000Z", false},
		{onAPI(tsIndex, `{a: 1}`, now), "1795172400", "2026-11-20T11:00:10.000Z", false},
		{onAPI(tsIndex, `{a: 1}`, now), "", "2026-11-20T12:00:10.000Z", true},
		{onAPI(tsIndex, `{a: 1, _ts: 1795172400}`, now), "2020-01-01", "2026-11-20T11:00:10.000Z", false},
		{onCore(`{"defaultTtl": 10}`, `{"id": "1"}`, now), "2026-11-20T11:00:00Z", "2026-11-20T11:00:10.000Z", false},
		{onCore(`{"defaultTtl": 10}`, `{}`, now), "", "2026-11-20T12:00:10.000Z", true},
		{onCore(`{"defaultTtl": 10}`, `{"ttl": 5, "ttl": 7}`, now), "2026-11-20T11:00:00Z", "", false},
		{onCore(`{}`, `{"id": "1"}`, now), "", "", false},
	} {
		tt.state.Written = tt.written
		a := Of(tt.state, View{})
		if told := strings.Contains(fmt.Sprint(a.Notices), notice); a.Deadline != tt.deadline || told != tt.isTold || len(a.Problems) > 0 {
			t.Errorf("%s of %s written %q: deadline %q, told %v, problems %v; want %q, %v", tt.state.Policy, tt.state.Document, tt.written, a.Deadline, told, a.Problems, tt.deadline, tt.isTold)
		}
	}
	s := onAPI(tsIndex, `{a: 1}`, now)
	s.Written = "yesterday"
	if a := Of(s, View{}); len(a.Problems) != 1 || a.Problems[0].Editor != "written" {
		t.Errorf("written %q: problems %+v, want one about it", s.Written, a.Problems)
	}
	s = onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60}`, `{at: null}`, now)
	s.Written = "yesterday"
	if a := Of(s, View{}); len(a.Problems) > 0 || a.State.Written != "" {
		t.Errorf("MongoDB, written %q: problems %+v, state %+v; want it left out", s.Written, a.Problems, a.State)
	}
}

// TestInstantsAsWritten: the clock may be written in the forms that people use.
func TestInstantsAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20T13:00+01:00": "2026-11-20T12:00:00.000Z", "2026-11-20T12:00Z": "2026-11-20T12:00:00.000Z", "2026-11-20 13:00:05+01:00": "2026-11-20T12:00:05.000Z", "2026-11-20T13:00:00+0100": "2026-11-20T12:00:00.000Z",
		"1795176000": "2026-11-20T12:00:00.000Z", "@1795176000": "2026-11-20T12:00:00.000Z", "1795176000000": "2026-11-20T12:00:00.000Z", "0": "1970-01-01T00:00:00.000Z",
		"20.11.2026 12:00": "2026-11-20T12:00:00.000Z", "": Clock.String(),
		"-5": "", "17951760000000000000000000": "", "13:00": "", "2026-13-20": "", "now": "",
	} {
		at, err := readNow(text)
		if (err != nil) != (want == "") || err == nil && at.String() != want {
			t.Errorf("readNow(%q) = %v, %v; want %q", text, at, err, want)
		}
	}
}

// TestWords: a document that is kept because its outcome is unspecified is not said to
// "never expire".
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		state State
		want  string
	}{
		{onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60}`, `{at: ISODate("2020-01-01T00:00:00Z")}`, ""), "Expired"},
		{onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60}`, `{at: ISODate("2090-01-01T00:00:00Z")}`, ""), "Pending"},
		{onMongo("8.0.4", `{key: {at: 1}, expireAfterSeconds: 60}`, `{}`, ""), "Never expires"},
		{onCore(`{"defaultTtl": "60"}`, `{"_ts": 1795172399}`, ""), "Kept: not specified"},
	} {
		if a := Of(tt.state, View{}); a.Word != tt.want {
			t.Errorf("%s of %s is %q by %s, want %q", tt.state.Policy, tt.state.Document, a.Word, a.Rule, tt.want)
		}
	}
}

// TestReplies: a reply is no document, but is refused with the place of the documents in it.
func TestReplies(t *testing.T) {
	for _, tt := range []struct{ system, text, in string }{
		{definition.MongoDB, `{cursor: {firstBatch: [{_id: 1}], id: 0, ns: "a.b"}, ok: 1}`, "cursor.firstBatch"},
		{definition.MongoDB, `{"documents": [{"_id": 1}]}`, "documents"},
		{definition.CosmosMongo, `{"_id": {"_data": "82"}, "operationType": "insert", "fullDocument": {"_id": 1}}`, "fullDocument"},
		{definition.CosmosNoSQL, `{"_rid": "x", "Documents": [{"id": "a", "_ts": 1}], "_count": 1}`, "Documents"},
		{definition.CosmosNoSQL, `[{"current": {"id": "a", "_ts": 1}, "metadata": {"crts": 2}}]`, "current"},
		{definition.CosmosNoSQL, `{"id": "a", "Documents": [{"id": "b"}]}`, ""},
	} {
		_, err := readDocuments(State{System: tt.system, Document: tt.text}, 0, 0)
		if refused := new(reply.Error); errors.As(err, &refused) != (tt.in != "") || refused.In != tt.in {
			t.Errorf("%s: %v, want a reply with its documents in %q", tt.text, err, tt.in)
		}
	}
}
