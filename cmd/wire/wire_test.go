package wire

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
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

// document returns the bytes of a document with an int32.
func document(name string, n uint32) string {
	return int32s(uint32(4+1+len(name)+1+4+1)) + "\x10" + name + "\x00" + int32s(n) + "\x00"
}

// sequence returns a section of documents.
func sequence(name string, docs ...string) string {
	all := name + "\x00" + strings.Join(docs, "")
	return "\x01" + int32s(uint32(4+len(all))) + all
}

func TestRead(t *testing.T) {
	ping := document("ping", 1)
	for name, tt := range map[string]struct {
		in        []byte
		documents int
		silent    bool
	}{
		"body":                {in: message(opMsg, int32s(0), "\x00", ping)},
		"unacknowledged":      {in: message(opMsg, int32s(moreToCome), "\x00", ping), silent: true},
		"sequence behind":     {in: message(opMsg, int32s(0), "\x00", ping, sequence("documents", document("_id", 1), document("_id", 2))), documents: 2},
		"sequence in front":   {in: message(opMsg, int32s(0), sequence("documents", document("_id", 1)), "\x00", ping), documents: 1},
		"optional flags":      {in: message(opMsg, int32s(1<<16), "\x00", ping)},
		"query":               {in: message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), ping)},
		"query with selector": {in: message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), ping, int32s(5)+"\x00")},
	} {
		q, err := Read(bytes.NewReader(tt.in))
		if err != nil || q.ID != 7 || string(q.Body) != ping || len(q.Sequences["documents"]) != tt.documents || q.Unacknowledged != tt.silent {
			t.Errorf("%s: Read = %+v, %v, want the ping", name, q, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	ping := document("ping", 1)
	good := message(opMsg, int32s(0), "\x00", ping)
	length := func(n uint32) []byte { b := bytes.Clone(good); order.PutUint32(b, n); return b }
	for name, in := range map[string][]byte{
		"length below the header": length(headerSize - 1),
		"length above the limit":  length(MaxMessage + 1),
		"negative length":         length(1 << 31),
		"cut off":                 good[:len(good)-1],
		"opcode":                  message(2001, int32s(0)),
		"no flags":                message(opMsg, "\x00"),
		"unknown flag":            message(opMsg, int32s(1), "\x00", ping),
		"no body":                 message(opMsg, int32s(0)),
		"two bodies":              message(opMsg, int32s(0), "\x00", ping, "\x00", ping),
		"kind":                    message(opMsg, int32s(0), "\x02", ping),
		"body cut off":            message(opMsg, int32s(0), "\x00", ping[:len(ping)-1]),
		"sequence beyond":         message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(1000), "d\x00"),
		"sequence of 0":           message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(0)),
		"sequence without name":   message(opMsg, int32s(0), "\x00", ping, "\x01", int32s(5), "d"),
		"sequence twice":          message(opMsg, int32s(0), "\x00", ping, sequence("d"), sequence("d")),
		"query of documents":      message(opQuery, int32s(0), "shop.logs\x00", int32s(0, 1), ping),
		"query cut off":           message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0)),
	} {
		if q, err := Read(bytes.NewReader(in)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: Read = %+v, %v, want %v", name, q, err, ErrMalformed)
		}
	}
	if _, err := Read(strings.NewReader("")); err != io.EOF {
		t.Errorf("Read at the end = %v, want %v", err, io.EOF)
	}
}

// TestLengthCostsNothing: the server does not allocate memory for a claimed length before
// the data arrives.
func TestLengthCostsNothing(t *testing.T) {
	claim := message(opMsg)
	order.PutUint32(claim, MaxMessage)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(bytes.NewReader(claim)); err == nil {
		t.Error("Read read what is not there")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("a claim of %d bytes allocates %d", MaxMessage, got)
	}
}

// FuzzRead: no message breaks the reader, what it reads has the stated lengths, and the reply
// states its own.
func FuzzRead(f *testing.F) {
	ping := document("ping", 1)
	f.Add(message(opMsg, int32s(0), "\x00", ping, sequence("documents", ping, ping)))
	f.Add(message(opQuery, int32s(0), "admin.$cmd\x00", int32s(0, 1), ping))
	f.Fuzz(func(t *testing.T, b []byte) {
		q, err := Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		documents := [][]byte{q.Body}
		for _, s := range q.Sequences {
			documents = append(documents, s...)
		}
		for _, d := range documents {
			if n := int(order.Uint32(d)); n != len(d) {
				t.Errorf("a document of %d bytes says %d", len(d), n)
			}
		}
		if reply := q.Reply(q.Body); int(order.Uint32(reply)) != len(reply) || !bytes.HasSuffix(reply, q.Body) || order.Uint32(reply[8:]) != uint32(q.ID) {
			t.Errorf("the reply is %x", reply)
		}
	})
}
