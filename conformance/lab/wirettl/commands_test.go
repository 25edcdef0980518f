package wirettl

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/wire"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// answered runs a command to the database shop of a server, which must succeed.
func answered(tb testing.TB, s *server, pairs ...any) policy.D {
	tb.Helper()
	reply := s.run(request{D: append(document(pairs...), field("$db", "shop"))})
	if !reply.Field("errmsg").IsMissing() || !reply.Field("writeErrors").IsMissing() {
		tb.Fatalf("%v: %v", pairs, reply)
	}
	return reply
}

func list(documents ...policy.D) (a policy.A) {
	for _, d := range documents {
		a = append(a, policy.ObjectValue(d))
	}
	return a
}

// bsonOf returns a document as bytes.
func bsonOf(tb testing.TB, pairs ...any) []byte {
	tb.Helper()
	b, err := policy.AppendBSON(nil, policy.ObjectValue(document(pairs...)))
	must(tb, err)
	return b
}

// TestUnacknowledged: a client that wants no reply gets no reply, and its command is
// carried out. Documents may come beside the command.
func TestUnacknowledged(t *testing.T) {
	s := newTestServer(t, Options{})
	for i, silent := range []bool{false, true} {
		q := wire.Request{Body: bsonOf(t, "insert", "logs", "$db", "shop"), Sequences: map[string][][]byte{"documents": {bsonOf(t, "_id", i)}}, Unacknowledged: silent}
		var out bytes.Buffer
		must(t, s.respond(&out, q))
		if (out.Len() == 0) != silent {
			t.Errorf("silent %t: a reply of %d bytes", silent, out.Len())
		}
	}
	if n := len(s.collections["shop.logs"].documents); n != 2 {
		t.Errorf("stored %d documents, want two", n)
	}
	if err := s.respond(nil, wire.Request{Body: []byte("\x06\x00\x00\x00\x10\x00")}); err == nil {
		t.Error("a damaged command is answered")
	}
}

// TestLargeDocuments: a batch holds about 16 MB, and a document is at most as large.
func TestLargeDocuments(t *testing.T) {
	s := newTestServer(t, Options{})
	for i, size := range []int{maxDocument / 2, maxDocument / 2, maxDocument + 1} {
		reply := s.run(request{D: document("insert", "logs", "documents", list(document("_id", i, "a", strings.Repeat("a", size))), "$db", "shop")})
		if tooLarge := size > maxDocument; reply.Field("writeErrors").IsMissing() == tooLarge {
			t.Errorf("a document of %d bytes: %v, want an error: %v", size, reply, tooLarge)
		}
	}
	c := answered(t, s, "find", "logs").Field("cursor")
	for _, name := range []string{"firstBatch", "nextBatch"} {
		id, _ := c.Field("id").AsInt64()
		if n := len(policy.AOf(c.Field(name))); n != 1 || (id != 0) != (name == "firstBatch") {
			t.Errorf("a %s of %d documents, cursor %d, want one document", name, n, id)
		}
		if id != 0 {
			c = answered(t, s, "getMore", id, "collection", "logs").Field("cursor")
		}
	}
}

func TestCursorsAreFew(t *testing.T) {
	s := newTestServer(t, Options{})
	answered(t, s, "insert", "logs", "documents", list(document("_id", 1), document("_id", 2)))
	for range maxCursors {
		answered(t, s, "find", "logs", "batchSize", 1)
	}
	if reply := s.run(request{D: document("find", "logs", "batchSize", 1, "$db", "shop")}); reply.Field("errmsg").IsMissing() {
		t.Errorf("%d cursors are kept, want an error", maxCursors+1)
	}
	answered(t, s, "getMore", int64(1), "collection", "logs")
	if reply := s.run(request{D: document("getMore", int64(1), "collection", "logs", "$db", "shop")}); reply.Field("errmsg").IsMissing() {
		t.Error("a cursor can be taken twice")
	}
}

// FuzzRequest: no command breaks the server.
func FuzzRequest(f *testing.F) {
	for _, body := range [][]any{
		{"hello", 1, "$db", "admin"},
		{"find", "logs", "filter", document("a", document("$gt", 1)), "projection", document("a.b", 0), "$db", "shop"},
		{"create", "logs", "timeseries", document("timeField", "t"), "$db", "shop"},
		{"aggregate", "logs", "pipeline", list(document("$match", document("a", 1))), "cursor", policy.D{}, "$db", "shop"},
		{"insert", "logs", "documents", list(document("_id", 1)), "$db", "shop"},
		{"update", "logs", "updates", list(document("q", document("_id", 1), "u", document("$set", document("a", 1)))), "$db", "shop"},
		{"delete", "logs", "deletes", list(document("q", policy.D{}, "limit", 1)), "$db", "shop"},
		{"collMod", "logs", "index", document("name", "t_1", "expireAfterSeconds", 1.5), "$db", "shop"},
		{"dropIndexes", "logs", "index", "*", "$db", "shop"},
		{"setParameter", 1, "ttlMonitorSleepSecs", 1, "$db", "admin"},
	} {
		f.Add(bsonOf(f, body...))
	}
	s := newTestServer(f, Options{})
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := parse(wire.Request{Body: b})
		if err != nil {
			return
		}
		if _, err := policy.AppendBSON(nil, policy.ObjectValue(s.run(c))); err != nil {
			t.Fatalf("a reply cannot be written: %v", err)
		}
	})
}
