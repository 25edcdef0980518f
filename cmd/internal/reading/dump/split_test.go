package dump

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
)

// A splitReader returns its text in pieces of drawn sizes, which may be empty, and io.EOF
// with the last piece or after it.
type splitReader struct {
	text  []byte
	r     fuzzing.Random
	empty bool // the last call returned nothing: readers give up after many of these
}

func (s *splitReader) Read(b []byte) (int, error) {
	if s.empty = !s.empty && s.r.Percent(5) && len(s.text) > 0; s.empty {
		return 0, nil
	}
	n := min(len(b), len(s.text), fuzzing.Pick(s.r, 1, 7, 4096, 70_000, len(s.text)))
	copy(b, s.text[:n])
	s.text = s.text[n:]
	if len(s.text) == 0 && (n == 0 || s.r.Percent(50)) {
		return n, io.EOF
	}
	return n, nil
}

// drawInput draws a few documents in one format of dumps. Sometimes they are larger than
// one read of a stream.
func drawInput(r fuzzing.Random) (text []byte, docs []string, kind Kind) {
	kind = fuzzing.Pick(r, BSON, ExtJSON, JSON)
	array := kind != BSON && r.Percent(30)
	n := r.IntN(6)
	if r.IntN(500) == 0 { // seldom, since such an input takes as long as hundreds of others
		n = 4000
	}
	for i := range n {
		doc := r.JSON(2, "a", "b", "é")
		if !array { // each document is on its own line
			doc = bytes.Map(func(c rune) rune {
				if c == '\n' || c == '\r' {
					return ' '
				}
				return c
			}, doc)
		}
		if kind == BSON {
			doc = r.Document(2, "a", "b")
		} else if i > 0 {
			text = append(text, fuzzing.Pick(r, "\n", "\r\n", " \n\n")...)
		}
		if array && i > 0 {
			text = append(text, ',')
		}
		text = append(text, doc...)
		docs = append(docs, string(doc))
	}
	if array {
		text = append(append([]byte("["), text...), ']')
	}
	return text, docs, kind
}

// damagedElement returns the index of the first element of an array that is not JSON,
// -1 if there is none. Reading ends there, because only brackets separate elements.
func damagedElement(text []byte, docs []doc) int {
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		return -1
	}
	return slices.IndexFunc(docs, func(d doc) bool { return !json.Valid([]byte(d.Text)) })
}

// FuzzSplit: an input that arrives in pieces of any size holds the same documents and
// errors. If nothing is damaged, they are the documents that were written, in their
// order.
func FuzzSplit(f *testing.F) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		text, written, kind := drawInput(r)
		damaged := r.Damage(text, "{}[],\"\\\n\x00\x05\xff")
		s, err := NewStream("in", bytes.NewReader(damaged), kind, JSON)
		if err != nil {
			return // for instance, damaged begins with the magic number of another format
		}
		s.Close()
		docs, errs, _ := readAll(t, bytes.NewReader(damaged), kind)
		slow, slowErrs, _ := readAll(t, &splitReader{text: damaged, r: r}, kind)
		if n := damagedElement(damaged, docs); kind != BSON && n >= 0 && damagedElement(damaged, slow) == n {
			docs, slow, errs, slowErrs = docs[:n], slow[:n], nil, nil // no reader continues after a damaged element
		}
		if !slices.Equal(docs, slow) || len(errs) != len(slowErrs) {
			t.Fatalf("%q has the documents %v and %d errors; in pieces %v and %d", damaged, docs, len(errs), slow, len(slowErrs))
		}
		for i, e := range errs {
			if e.Error() != slowErrs[i].Error() {
				t.Fatalf("%q: %v; in pieces %v", damaged, e, slowErrs[i])
			}
		}
		if !bytes.Equal(text, damaged) {
			return
		}
		for i, d := range docs {
			if len(docs) != len(written) || len(errs) > 0 || d.Text != written[i] {
				t.Fatalf("%q holds %v, errors %v, want %q", text, docs, errs, written)
			}
		}
		if len(docs) != len(written) {
			t.Fatalf("%q holds %v, errors %v, want %q", text, docs, errs, written)
		}
	})
}
