package wirettl

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// message returns a message with a header that states its length.
func message(opcode uint32, parts ...string) []byte {
	body := strings.Join(parts, "")
	b := make([]byte, headerSize)
	order.PutUint32(b, uint32(headerSize+len(body)))
	order.PutUint32(b[4:], 7)
	order.PutUint32(b[12:], opcode)
	return append(b, body...)
}

func int32s(all ...uint32) string {
	var b []byte
	for _, n := range all {
		b = order.AppendUint32(b, n)
	}
	return string(b)
}

// bsonOf returns a document as bytes.
func bsonOf(pairs ...any) string {
	b, err := policy.AppendBSON(nil, policy.ObjectValue(document(pairs...)))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// sequence returns a section of documents.
func sequence(name string, docs ...string) string {
	all := name + "\x00" + strings.Join(docs, "")
	return "\x01" + int32s(uint32(4+len(all))) + all
}

func TestReadRequest(t *testing.T) {
	ping := bsonOf("ping", 1, "$db", "admin")
	for name, tt := range map[string]struct {
		in        []byte
		documents int
		silent    bool
	}{
		"body":                {in: message(opMsg, int32s(0), "\x00", ping)},
		"unacknowledged":      {in: message(opMsg, int32s(moreToCome), "\x00", ping), silent: true},
		"sequence behind":     {in: message(opMsg, int32s(0), "\x00", ping, sequence("documents", bsonOf("_id", 1), bsonOf("_id", 2))), documents: 2},
		"sequence in front":   {in: message(opMsg, int32s(0), sequence("documents", bsonOf("_id", 1)), "\x00", ping), documents: 1},
		"optional flags":      {in: message(opMsg, int32s(1<<16), "\x00", ping)},
		"query":               {in: message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), ping)},
		"query with selector": {in: message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), ping, bsonOf())},
	} {
		q, err := readRequest(bytes.NewReader(tt.in))
		if err != nil || q.id != 7 || string(q.body.Bytes()) != ping || len(q.sequences["documents"]) != tt.documents || q.unacknowledged != tt.silent {
			t.Errorf("%s: readRequest = %+v, %v, want the ping", name, q, err)
		}
	}
}

func TestReadRequestRefuses(t *testing.T) {
	ping := bsonOf("ping", 1)
	good := message(opMsg, int32s(0), "\x00", ping)
	length := func(n uint32) []byte { b := bytes.Clone(good); order.PutUint32(b, n); return b }
	deep := bsonOf()
	for range policy.MaxDepth {
		inner := "\x03a\x00" + deep + "\x00"
		deep = int32s(uint32(4+len(inner))) + inner
	}
	for name, in := range map[string][]byte{
		"length below the header": length(headerSize - 1),
		"length above the limit":  length(maxMessage + 1),
		"negative length":         length(1 << 31),
		"cut off":                 good[:len(good)-1],
		"opcode":                  message(2001, int32s(0)),
		"no flags":                message(opMsg, "\x00"),
		"unknown flag":            message(opMsg, int32s(1), "\x00", ping),
		"no body":                 message(opMsg, int32s(0)),
		"two bodies":              message(opMsg, int32s(0), "\x00", ping, "\x00", ping),
		"kind":                    message(opMsg, int32s(0), "\x02", ping),
		"body cut off":            message(opMsg, int32s(0), "\x00", ping[:len(ping)-1]),
		"damaged body":            message(opMsg, int32s(0), "\x00", "\x06\x00\x00\x00\x10\x00"),
		"sequence beyond":         message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(1000), "d\x00"),
		"sequence of 0":           message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(0)),
		"sequence without name":   message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(5), "d"),
		"sequence twice":          message(opMsg, int32s(0), "\x00", ping, sequence("d"), sequence("d")),
		"query of documents":      message(opQuery, int32s(0), "shop.logs\x00", int32s(0, 1), ping),
		"query cut off":           message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0)),
		"nested too deep":         message(opMsg, int32s(0), "\x00", deep),
	} {
		if q, err := readRequest(bytes.NewReader(in)); !errors.Is(err, errWire) {
			t.Errorf("%s: readRequest = %+v, %v, want %v", name, q, err, errWire)
		}
	}
	if _, err := readRequest(strings.NewReader("")); err != io.EOF {
		t.Errorf("readRequest at the end = %v, want %v", err, io.EOF)
	}
}

// TestLengthCostsNothing: the server does not allocate memory for a claimed length before
// the data arrives.
func TestLengthCostsNothing(t *testing.T) {
	claim := message(opMsg)
	order.PutUint32(claim, maxMessage)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readRequest(bytes.NewReader(claim)); err == nil {
		t.Error("readRequest read what is not there")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("a claim of %d bytes allocates %d", maxMessage, got)
	}
}

// TestUnacknowledged: a client that wants no reply gets no reply, and its command is
// carried out.
func TestUnacknowledged(t *testing.T) {
	s := newTestServer(t)
	for flags, want := range map[uint32]bool{0: true, moreToCome: false} {
		q, err := readRequest(bytes.NewReader(message(opMsg, int32s(flags), "\x00", bsonOf("insert", "logs", "$db", "shop"), sequence("documents", bsonOf("_id", int32(flags))))))
		must(t, err)
		var out bytes.Buffer
		must(t, s.respond(&out, q))
		if (out.Len() > 0) != want {
			t.Errorf("flags %d get a reply of %d bytes, want one: %v", flags, out.Len(), want)
		}
	}
	found, err := newCursor("shop.logs", policy.Value{}, policy.Value{}, 0)
	must(t, err)
	if docs, _, err := s.batch(found, 10); err != nil || len(docs) != 2 {
		t.Errorf("stored %v, %v, want two documents", docs, err)
	}
}

// TestLargeDocuments: a batch holds about 16 MB, and a document is at most as large.
func TestLargeDocuments(t *testing.T) {
	s := newTestServer(t)
	must(t, s.rules.Create("shop.logs", nil, 0))
	for i, size := range []int{maxDocument / 2, maxDocument / 2, maxDocument + 1} {
		doc, err := encode(valueOf(document("_id", i, "a", strings.Repeat("a", size))))
		if tooLarge := size > maxDocument; (err != nil) != tooLarge {
			t.Errorf("encode of %d bytes: %v, want an error: %v", size, err, tooLarge)
		}
		if err == nil {
			must(t, s.store.Insert("shop.logs", doc))
		}
	}
	found, err := newCursor("shop.logs", policy.Value{}, policy.Value{}, 0)
	must(t, err)
	for _, more := range []bool{true, false} {
		if docs, got, err := s.batch(found, 10); err != nil || len(docs) != 1 || got != more {
			t.Errorf("a batch of %d documents, more: %v, %v, want one, more: %v", len(docs), got, err, more)
		}
	}
}

func TestCursorsAreFew(t *testing.T) {
	k := cursors{open: map[int64]*cursor{}}
	for range maxCursors {
		if _, err := k.keep(&cursor{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := k.keep(&cursor{}); err == nil {
		t.Errorf("%d cursors are kept, want an error", maxCursors+1)
	}
	if k.take(1) == nil || k.take(1) != nil {
		t.Error("a cursor can be taken twice, or not at all")
	}
}

// FuzzRequest: no message breaks the reader, and no command breaks the server.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		bsonOf("hello", 1, "$db", "admin"),
		bsonOf("find", "logs", "filter", document("a", document("$gt", 1)), "projection", document("a.b", 0), "$db", "shop"),
		bsonOf("create", "logs", "timeseries", document("timeField", "t"), "$db", "shop"),
		bsonOf("aggregate", "logs", "pipeline", []policy.Value{valueOf(document("$match", document("a", 1)))}, "cursor", document(), "$db", "shop"),
		bsonOf("insert", "logs", "documents", []policy.Value{valueOf(document("_id", 1))}, "$db", "shop"),
		bsonOf("collMod", "logs", "index", document("name", "t_1", "expireAfterSeconds", 1.5), "$db", "shop"),
		bsonOf("dropIndexes", "logs", "index", "*", "$db", "shop"),
		bsonOf("setParameter", 1, "ttlMonitorSleepSecs", 1, "$db", "admin"),
	} {
		f.Add(message(opMsg, int32s(0), "\x00", body))
		f.Add(message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), body))
	}
	f.Add(message(opMsg, int32s(0), "\x00", bsonOf("insert", "logs", "$db", "shop"), sequence("documents", bsonOf("_id", 1))))
	f.Add(message(opMsg, int32s(0), "\x00", bsonOf("delete", "logs", "$db", "shop"), sequence("deletes", bsonOf("q", document(), "limit", 1))))
	s := newTestServer(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		q, err := readRequest(bytes.NewReader(b))
		if err != nil {
			return
		}
		reply, err := q.appendReply(nil, s.run(q))
		if err != nil {
			t.Fatalf("a reply cannot be written: %v", err)
		}
		if n := int(order.Uint32(reply)); n != len(reply) {
			t.Errorf("a reply of %d bytes says %d", len(reply), n)
		}
	})
}
