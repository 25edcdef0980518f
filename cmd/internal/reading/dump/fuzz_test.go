package dump

import (
	"bufio"
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Documents lie within the input, in order and without overlap, and the size of
// the reads makes no difference.
func FuzzNext(f *testing.F) {
	for _, in := range inputs {
		f.Add(in.text, uint8(Auto))
		f.Add(in.text[:len(in.text)-3], uint8(in.kind))
		f.Add(gzipped(f, in.text), uint8(Auto))
		f.Add(zstded(f, in.text), uint8(Auto))
	}
	f.Add([]byte("\xff\xff\xff\x7f\x00\x05\x00\x00\x00\x00"), uint8(BSON))
	f.Add([]byte(`[{"a":"\\\""},{"b":"]"}`), uint8(JSON))
	f.Fuzz(func(t *testing.T, text []byte, kind uint8) {
		k := Kind(kind % uint8(len(kindNames)))
		s, err := NewStream("in", bytes.NewReader(text), k, JSON)
		if err != nil {
			return
		}
		s.Close()
		docs, errs, _ := readAll(t, bytes.NewReader(text), k)
		end := int64(0)
		for _, d := range docs {
			if d.Offset < end || d.Text == "" {
				t.Fatalf("document %q at %d, but the one before ends at %d", d.Text, d.Offset, end)
			}
			end = d.Offset + int64(len(d.Text))
			if !compressed(text) && string(text[d.Offset:end]) != d.Text {
				t.Fatalf("document %q at %d, where the input has %q", d.Text, d.Offset, text[d.Offset:end])
			}
		}
		slow, slowErrs, _ := readAll(t, iotest.HalfReader(bytes.NewReader(text)), k)
		if len(slow) != len(docs) || len(slowErrs) != len(errs) {
			t.Fatalf("%d documents, %d errors; read slowly %d and %d", len(docs), len(errs), len(slow), len(slowErrs))
		}
		for i, e := range errs {
			if *e != *slowErrs[i] && e.Error() != slowErrs[i].Error() {
				t.Fatalf("%v; read slowly %v", e, slowErrs[i])
			}
		}
	})
}

func compressed(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\x1f\x8b\x08")) || isZstd(text)
}

// Strict Extended JSON is read the same after documents in any other dialect, and
// any other text is a document or an error.
func FuzzDialects(f *testing.F) {
	for _, text := range []string{`{"a":{"$date":5},"b":[NaN,{"$binary":"AA==","$type":"00"}]}`, `{"a":ISODate("2014-03-03"),"r":/x/i}`, `{a:Long('5')}`, `{"a":{"$date":{"$numberLong":"5"}}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		strict, wrong := valuefunc.F.ExtJSONToBSON(nil, text, MaxBSON)
		for _, before := range []Dialect{0, Version1} {
			d := Decoder{Dialects: before}
			doc, err := d.Decode(ExtJSON, text)
			if wrong == nil && (err != nil || !bytes.Equal(doc.(*policy.BSON).Bytes(), strict.Bytes())) && d.Dialects == before {
				t.Fatalf("%q after %q: %v, want the document", text, before, err)
			}
		}
	})
}

// Reading ends for any bytes after a prelude, and each document of an archive
// belongs to a collection that the archive announced.
func FuzzArchive(f *testing.F) {
	prelude := preludeOf("8.0.4", metadataOf("a.x", "", ""), metadataOf("a.y", "timeseries", ""))
	f.Add(join(blockOf("a.x", bsonInt(1)), endOf("a.x", bsonInt(1)), endOf("a.system.buckets.y")))
	f.Add(join(blockOf("a.x", bsonInt(1)), end, end))
	f.Fuzz(func(t *testing.T, blocks []byte) {
		in := NewInput(File{Path: "in"})
		o := &opened{src: bufio.NewReader(bytes.NewReader(join(prelude, blocks))), done: func() {}, file: io.NopCloser(nil)}
		if err := openArchive(in, o.src); err != nil {
			t.Fatal(err)
		}
		in.held = o
		for s := range in.Streams(StreamOptions{}) {
			rounds := 0
			for b := (Block{}); ; rounds++ {
				err := s.Next(&b)
				if err != nil && b.Collection == nil {
					break
				}
				if len(b.Spans) > 0 && b.Collection == nil || rounds > len(blocks)+10 {
					t.Fatalf("round %d: %d documents of %v, %v", rounds, len(b.Spans), b.Collection, err)
				}
			}
		}
	})
}
