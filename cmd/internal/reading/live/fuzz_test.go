package live

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

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
