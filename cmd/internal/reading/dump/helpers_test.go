package dump

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// bsonInt returns the BSON document {"n": n}, of 12 bytes.
func bsonInt(n int32) []byte {
	doc := []byte("\x0c\x00\x00\x00\x10n\x00....\x00")
	binary.LittleEndian.PutUint32(doc[7:], uint32(n))
	return doc
}

// bsonPadded returns a BSON document of exactly size bytes, {"p": binary}.
func bsonPadded(size int) []byte {
	doc := make([]byte, size)
	binary.LittleEndian.PutUint32(doc, uint32(size))
	copy(doc[4:], "\x05p\x00")
	binary.LittleEndian.PutUint32(doc[7:], uint32(size-13))
	return doc
}

func join(docs ...[]byte) []byte { return bytes.Join(docs, nil) }

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstded(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(b)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A doc is a document and its place in the input.
type doc struct {
	Offset int64
	Text   string
}

// readAll returns all documents of an input, and the errors of reading it. It goes on
// after a skippable error.
func readAll(t testing.TB, r io.Reader, kind Kind) (docs []doc, errs []*Error, got Kind) {
	t.Helper()
	s, err := NewStream("in", r, kind, ExtJSON)
	if err != nil {
		t.Fatalf("NewStream: %v", err)
	}
	defer s.Close()
	var b Block
	for {
		err := s.Next(&b)
		for i := range b.Spans {
			if err == nil {
				docs = append(docs, doc{b.DocOffset(i), string(b.Doc(i))})
			}
		}
		var bad *Error
		switch {
		case err == io.EOF:
			return docs, errs, s.Kind()
		case errors.As(err, &bad):
			errs = append(errs, bad)
			if !bad.Skippable {
				return docs, errs, s.Kind()
			}
		case err != nil:
			t.Fatalf("Next = %v, want an *Error", err)
		}
	}
}
