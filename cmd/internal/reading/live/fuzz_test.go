package live

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"
)

// FuzzMessages: a server's bytes are refused in pieces of any size exactly if they are
// refused in one piece. No more bytes are kept than a reply to a handshake has.
func FuzzMessages(f *testing.F) {
	hello, err := bson.Marshal(bson.D{{Key: "ok", Value: 1}, {Key: "hosts", Value: bson.A{"a:1", "b:2"}}, {Key: "payload", Value: []byte("r=x,s=y,i=4096")}})
	if err != nil {
		f.Fatal(err)
	}
	reply := message(wiremessage.OpMsg, make([]byte, 5), hello)
	f.Add(reply, uint8(1), true)
	f.Add(append(reply, reply...), uint8(7), true)
	f.Add(message(opReply, make([]byte, 16), []byte{1, 0, 0, 0}, hello), uint8(16), true)
	f.Add(message(wiremessage.OpCompressed, hello), uint8(3), false)
	f.Add([]byte{15, 0, 0, 0}, uint8(1), false)
	f.Add(bytes.Replace(reply, []byte("i=4096"), []byte("i=9999999"), 1), uint8(5), true)
	f.Fuzz(func(t *testing.T, text []byte, size uint8, shake bool) {
		var whole, pieces messages
		want := whole.check(text, shake)
		var got error
		for rest := text; len(rest) > 0 && got == nil; {
			n := min(len(rest), int(size)+1)
			got = pieces.check(rest[:n], shake)
			rest = rest[n:]
			if len(pieces.body) > len(text) || len(pieces.header) > headerBytes {
				t.Fatalf("%x: %d bytes are kept", text, len(pieces.body))
			}
		}
		if got != want {
			t.Fatalf("%x: check in pieces of %d bytes = %v, at once %v", text, int(size)+1, got, want)
		}
	})
}

// FuzzReplies: no reply of a server in BSON or JSON ends the process, and each item read
// from a reply occurs in the reply.
func FuzzReplies(f *testing.F) {
	for _, seed := range []bson.D{
		{{Key: "version", Value: "8.0.4"}, {Key: "ferretdb", Value: bson.D{{Key: "version", Value: "v2"}}}},
		{{Key: "stage", Value: "FETCH"}, {Key: "inputStage", Value: bson.D{{Key: "stage", Value: "IXSCAN"}, {Key: "isMultiKey", Value: false}}}, {Key: "shards", Value: bson.A{bson.D{}}}},
		{{Key: sizeField, Value: int32(-5)}},
	} {
		raw, err := bson.Marshal(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Add([]byte(`{"Documents":[{"id":"a"},1,null,[]]}`))
	f.Add([]byte(`{"Documents":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s := recognise([]string{"localhost:1"}, text, text); len(s.Version) > maxWord+3 || len(s.Own) > maxWord+3 {
			t.Fatalf("%x: %d bytes of the version are kept", text, len(s.Version))
		}
		var p plan
		p.read(text, 10)
		if n := sizeIn(text); n < smallest && int(n) != len(text) {
			t.Fatalf("%x: sizeIn = %d", text, n)
		}
		r, err := runOf(&http.Response{Body: io.NopCloser(bytes.NewReader(text))})
		if err != nil {
			return
		}
		for _, s := range r.spans {
			if !bytes.Contains(text, r.data[s.Start:s.End]) {
				t.Fatalf("%q: the item %q is not in it", text, r.data[s.Start:s.End])
			}
		}
	})
}
