package dump

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// onDisk writes text to a temporary file of the test.
func onDisk(t *testing.T, name string, text []byte) File {
	t.Helper()
	path := filepath.Join(fixture.Files(t, map[string]string{name: string(text)}), name)
	return File{Path: path, Size: int64(len(text))}
}

// readClaims is readAll for a file, a few blocks at a time. It also returns the number of
// bytes that were reported as read, and the number of claims.
func readClaims(t *testing.T, f File) (docs []doc, errs []*Error, read, claims int) {
	t.Helper()
	s, err := NewInput(f).stream(StreamOptions{Text: ExtJSON, Read: func(n int) { read += n }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var loading sync.WaitGroup
	var blocks []*Block
	for b := new(Block); s.Claim(b); b = new(Block) {
		blocks = append(blocks, b)
		loading.Go(func() { s.Load(b) })
	}
	claims = len(blocks)
	for {
		b := new(Block)
		err := s.Next(b)
		if err == nil {
			blocks = append(blocks, b)
			continue
		}
		var bad *Error
		if errors.As(err, &bad) {
			errs = append(errs, bad)
		}
		if bad == nil || !bad.Skippable {
			break
		}
	}
	loading.Wait()
	for _, b := range blocks {
		for i := range b.Spans {
			docs = append(docs, doc{b.DocOffset(i), string(b.Doc(i))})
		}
	}
	return docs, errs, read, claims
}

// padded returns documents of about the given sizes, repeated until together
// they fill more than a few stretches.
func padded(sizes ...int) []byte {
	var text []byte
	for i := 0; len(text) < 5*blockSize; i++ {
		text = append(text, bsonPadded(sizes[i%len(sizes)]+i%7)...)
	}
	return text
}

// broken applies damage to the first document in text at or after byte from, and returns
// text.
func broken(text []byte, from int, damage func(doc []byte)) []byte {
	pos := 0
	for pos < from {
		n, _ := bsonSize(text[pos:], true)
		pos += n
	}
	damage(text[pos:])
	return text
}

func TestLoadIsNext(t *testing.T) {
	noEnd := func(doc []byte) { n, _ := bsonSize(doc, true); doc[n-1] = 1 }
	const unread = "a length that lies, where reading ends"
	noLength := func(doc []byte) { doc[3] = 0x7f }
	for _, tc := range []struct {
		why    string
		text   []byte
		damage int // errors that are to be expected
	}{
		{"small documents", padded(20), 0},
		{"documents of all sizes", padded(100, 20, 3000, 70_000), 0},
		{"documents nearly as large as a stretch", padded(blockSize - 20), 0},
		{"documents larger than a stretch", padded(20, blockSize+100), 0},
		{"documents larger than two, behind small ones", padded(20, 2*blockSize+100), 0},
		{"one larger than two, in the middle", join(padded(20), bsonPadded(3*blockSize), padded(20)), 0},
		{"little more than was looked at to find out the kind", bytes.Repeat(bsonInt(1), headSize/4), 0},
		{"the last document is cut off", padded(100)[:4*blockSize+5], 1},
		{"a document without an end, which can be skipped", broken(padded(100), 2*blockSize, noEnd), 1},
		{"one right at the beginning", broken(padded(100), 0, noEnd), 1},
		{"two of them", broken(broken(padded(100), 3*blockSize, noEnd), blockSize, noEnd), 2},
		{unread, broken(padded(100), 2*blockSize, noLength), 1},
	} {
		want, wantErrs, _ := readAll(t, bytes.NewReader(tc.text), BSON)
		f := onDisk(t, "in", tc.text)
		docs, errs, read, claims := readClaims(t, f)
		if !slices.Equal(want, docs) {
			t.Errorf("%s: other documents: %d documents, want %d", tc.why, len(docs), len(want))
		}
		for _, e := range wantErrs {
			e.Name = f.Path
		}
		if diff := cmp.Diff(wantErrs, errs, cmp.Comparer(sameText)); diff != "" {
			t.Errorf("%s: errors (-want +got)\n%s", tc.why, diff)
		}
		if claims == 0 || len(errs) != tc.damage {
			t.Errorf("%s: %d claims, %d errors, want some, and %d", tc.why, claims, len(errs), tc.damage)
		}
		if tc.why != unread && read != len(tc.text) {
			t.Errorf("%s: reported %d bytes, want %d", tc.why, read, len(tc.text))
		}
	}
}

func sameText(a, b error) bool { return a.Error() == b.Error() }

// A file may have become shorter or longer since its size was read.
func TestLoadOfAnotherSize(t *testing.T) {
	text := padded(100)
	want, _, _ := readAll(t, bytes.NewReader(text), BSON)
	for _, size := range []int64{int64(len(text)) + 1, int64(len(text)) + 3*blockSize, 3 * blockSize, headSize + 1} {
		f := onDisk(t, "in.bson", text)
		f.Size = size
		shrunk := int64(len(text)) < size
		docs, errs, read, claims := readClaims(t, f)
		if !slices.Equal(want, docs) || shrunk != isShrunk(errs) || read != len(text) || claims == 0 {
			t.Errorf("of size %d: %d documents, %v, reported %d bytes, want %d, %d, and an error: %v", size, len(docs), errs, read, len(want), len(text), shrunk)
		}
	}
}

func isShrunk(errs []*Error) bool { return len(errs) == 1 && errors.Is(errs[0], errShrunk) }

// A file that has become shorter never counts as read to its end, even if it now ends at
// the end of a document.
func TestShrunk(t *testing.T) {
	text := padded(100)
	for _, size := range []int{len(text) - 1, len(text) / 2, len(text) / 103 * 50, blockSize, headSize, 103, 0} {
		f := onDisk(t, "in.bson", text[:size])
		f.Size = int64(len(text))
		docs, err := readThrough(f)
		if !errors.Is(err, errShrunk) || docs > size/100 {
			t.Errorf("%d of %d bytes: %d documents, %v, want no more than are there, and errShrunk", size, len(text), docs, err)
		}
	}
}

// readThrough reads with Next alone.
func readThrough(f File) (docs int, err error) {
	s, err := NewInput(f).stream(StreamOptions{Text: ExtJSON})
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for b := (Block{}); ; {
		if err := s.Next(&b); err != nil {
			return docs, err
		}
		docs += len(b.Spans)
	}
}

// A caller of Next alone gets all documents, and each byte is read once.
func TestNextWithoutClaims(t *testing.T) {
	text, read := padded(100), 0
	s, err := NewInput(onDisk(t, "in.bson", text)).stream(StreamOptions{Text: ExtJSON, Read: func(n int) { read += n }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []byte
	var b Block
	for err = s.Next(&b); err == nil; err = s.Next(&b) {
		got = append(got, b.Data...)
	}
	if err != io.EOF || !bytes.Equal(got, text) || read != len(text) {
		t.Errorf("%d bytes, reported %d, %v, want %d and EOF", len(got), read, err, len(text))
	}
}

// A block that is loaded repeatedly reuses its buffer.
func TestLoadReusesBuffers(t *testing.T) {
	s, err := NewInput(onDisk(t, "in.bson", bytes.Repeat(padded(100), 8))).stream(StreamOptions{Text: ExtJSON})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b Block
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	claims := 0
	for ; s.Claim(&b); claims++ {
		if s.Load(&b); len(b.Spans) == 0 {
			t.Errorf("claim %d has no documents", claims)
		}
	}
	b.Reset()
	runtime.ReadMemStats(&after)
	if buffers := int(after.TotalAlloc-before.TotalAlloc) / len(buffer{}); buffers > claims/2 || claims < 40 {
		t.Errorf("memory for %d buffers for %d claims, want a few for 40 or more", buffers, claims)
	}
}

// TestLoadOfText: lines and arrays are read by several goroutines too.
func TestLoadOfText(t *testing.T) {
	const line = `{"id":"12345","a":{"b":[1,{"c":"},{"}]},"d":"]"}`
	lines := strings.Repeat(line+"\n", 5*blockSize/len(line))
	for _, tc := range []struct{ why, text string }{
		{"lines", lines},
		{"lines with blank ones, and without an end", "\n \n" + strings.ReplaceAll(lines, "5", "5\r\n\n")[:3*blockSize] + "\n" + line},
		{"a long line in the middle", lines + `{"a":"` + strings.Repeat("x", 3*blockSize) + `"}` + "\n" + lines},
		{"an array", "[" + strings.ReplaceAll(lines, "}\n", "},\n") + line + "]"},
		{"an array in one line", "[" + strings.ReplaceAll(lines, "}\n", "},") + line + "]"},
		{"an array that is not closed", "[" + strings.ReplaceAll(lines, "}\n", "},")},
		{"objects one behind the other", strings.ReplaceAll(lines, "{\"id", "{\n\"id")},
	} {
		want, wantErrs, _ := readAll(t, strings.NewReader(tc.text), Auto)
		docs, errs, read, claims := readClaims(t, onDisk(t, "in.json", []byte(tc.text)))
		if !slices.Equal(want, docs) || len(errs) != len(wantErrs) || read != len(tc.text) || claims == 0 {
			t.Errorf("%s: %d documents, errors %v, %d bytes, %d claims; want %d, %v, %d, and some", tc.why, len(docs), errs, read, claims, len(want), wantErrs, len(tc.text))
		}
		for i, e := range errs {
			if e.Offset != wantErrs[i].Offset || !sameText(e.Err, wantErrs[i].Err) {
				t.Errorf("%s: %v, want %v", tc.why, e, wantErrs[i])
			}
		}
	}
}

// Only large plain files are read by several goroutines.
func TestClaimRefused(t *testing.T) {
	small := bytes.Repeat(bsonInt(1), 9)
	for _, tc := range []struct {
		why  string
		name string
		text []byte
	}{
		{"small", "in.bson", small},
		{"compressed", "in.bson.gz", gzipped(t, padded(100))},
	} {
		if _, _, _, claims := readClaims(t, onDisk(t, tc.name, tc.text)); claims != 0 {
			t.Errorf("%s: %d claims, want none", tc.why, claims)
		}
	}
	pipe, w := io.Pipe()
	go func() { w.Write(padded(100)); w.Close() }()
	s, err := NewStream("pipe", pipe, Auto, ExtJSON)
	if err != nil {
		t.Fatal(err)
	}
	if s.Claim(new(Block)) {
		t.Error("a pipe is claimed")
	}
	io.Copy(io.Discard, pipe)
}
