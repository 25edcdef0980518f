package dump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// inputs hold three documents in every format, with the places where they
// begin.
var inputs = []struct {
	name  string
	text  []byte
	kind  Kind
	start []int64
}{
	{"bson", join(bsonInt(1), bsonInt(2), bsonInt(3)), BSON, []int64{0, 12, 24}},
	{"lines", []byte("{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"), ExtJSON, []int64{0, 8, 16}},
	{"lines without a last end", []byte("{\"n\":1}\n{\"n\":2}\n{\"n\":3}"), ExtJSON, []int64{0, 8, 16}},
	{"lines of Windows, blank ones too", []byte("\r\n{\"n\":1}\r\n \t\r\n{\"n\":2}\r\n  {\"n\":3} \r\n"), ExtJSON, []int64{2, 15, 26}},
	{"byte order mark", []byte("\xef\xbb\xbf{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n"), ExtJSON, []int64{3, 11, 19}},
	{"array", []byte(`[{"n":1},{"n":2},{"n":3}]`), ExtJSON, []int64{1, 9, 17}},
	{"array over lines", []byte("\n[\n {\"n\":1} ,\n {\"n\":2},\n{\"n\":3}\n]\n"), ExtJSON, []int64{4, 15, 24}},
	{"brackets and quotes in strings", []byte("[{\"n\":1,\"s\":\"}\\\"]\"},{\"n\":2,\"s\":\"\\\\\"},{\"n\":3,\"s\":\"\\\\\\\"}\"}]"), ExtJSON, []int64{1, 20, 37}},
	{"objects over lines", []byte("{\n\"n\":1}\n{\n\"n\":2}\n{\"n\":3}"), ExtJSON, []int64{0, 9, 18}},
}

func TestNext(t *testing.T) {
	for _, in := range inputs {
		for name, text := range map[string][]byte{
			"plain": in.text, "gzip": gzipped(t, in.text), "zstd": zstded(t, in.text),
			"gzip in two members":           join(gzipped(t, in.text[:5]), gzipped(t, in.text[5:])),
			"zstd behind a skippable frame": join([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zstded(t, in.text)),
		} {
			docs, errs, kind := readAll(t, bytes.NewReader(text), Auto)
			if errs != nil || kind != in.kind {
				t.Errorf("%s, %s: kind %v, errors %v, want %v and none", in.name, name, kind, errs, in.kind)
			}
			var starts []int64
			for i, d := range docs {
				starts = append(starts, d.Offset)
				if got := strings.Join(strings.Fields(d.Text), ""); !strings.HasPrefix(got, fmt.Sprintf(`{"n":%d`, i+1)) && d.Text != string(bsonInt(int32(i+1))) {
					t.Errorf("%s, %s: document %d is %q", in.name, name, i, d.Text)
				}
			}
			if diff := cmp.Diff(in.start, starts); diff != "" {
				t.Errorf("%s, %s: offsets (-want +got)\n%s", in.name, name, diff)
			}
		}
	}
}

// The documents are the same, however little a reader gives at a time.
func TestNextOfSlowReaders(t *testing.T) {
	for _, in := range inputs {
		want, _, _ := readAll(t, bytes.NewReader(in.text), Auto)
		for name, r := range map[string]io.Reader{
			"a byte at a time": iotest.OneByteReader(bytes.NewReader(in.text)),
			"data with EOF":    iotest.DataErrReader(bytes.NewReader(in.text)),
		} {
			if got, errs, _ := readAll(t, r, Auto); len(errs) != 0 || !cmp.Equal(want, got) {
				t.Errorf("%s, %s: %v, errors %v, want %v and none", in.name, name, got, errs, want)
			}
		}
	}
}

// chunks gives up to n bytes at a time, as a pipe does.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(b []byte) (int, error) { return c.r.Read(b[:min(len(b), c.n)]) }

// Documents of all sizes around the size of a block are read whole, in order and at the
// right offset, also from pipes, which may deliver growing pieces up to a block.
func TestNextAcrossBlocks(t *testing.T) {
	var text []byte
	var want []doc
	for _, size := range []int{13, blockSize - 26, 14, blockSize, blockSize + 1, 3*blockSize + 7, 20, 20, 2*blockSize - 1, 5 * blockSize, 13} {
		d := bsonPadded(size)
		want = append(want, doc{int64(len(text)), string(d)})
		text = append(text, d...)
	}
	for _, n := range []int{len(text), blockSize / 8, blockSize/8 - 1, 4096} {
		got, errs, _ := readAll(t, chunks{bytes.NewReader(text), n}, Auto)
		if len(errs) != 0 || !cmp.Equal(want, got) {
			t.Errorf("%d bytes at a time: %d documents, errors %v, want %d and none", n, len(got), errs, len(want))
		}
	}

	var lines bytes.Buffer
	var wantLines []doc
	for _, n := range []int{1, blockSize, 2, 3 * blockSize, 1} {
		line := `{"p":"` + strings.Repeat("x", n) + `"}`
		wantLines = append(wantLines, doc{int64(lines.Len()), line})
		lines.WriteString(line + "\n")
	}
	if got, errs, _ := readAll(t, &lines, Auto); len(errs) != 0 || !cmp.Equal(wantLines, got) {
		t.Errorf("%d lines, errors %v, want %d and none", len(got), errs, len(wantLines))
	}
}

func TestNextOfNothing(t *testing.T) {
	for _, text := range []string{"", "\n \n", "[]", " [ ] \n", "\xef\xbb\xbf"} {
		if docs, errs, _ := readAll(t, strings.NewReader(text), Auto); len(docs)+len(errs) != 0 {
			t.Errorf("Next of %q: %v, errors %v, want neither", text, docs, errs)
		}
	}
}

func TestNextOfDamage(t *testing.T) {
	long := func(n int32) []byte { // a document that claims to be n bytes long
		d := bsonInt(7)
		d[0], d[1], d[2], d[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
		return d
	}
	ok := bsonInt(1)
	for _, tc := range []struct {
		why  string
		text []byte
		docs int // documents before and after the damage
		at   int64
		skip bool
		says string
	}{
		{"a length below the least", join(ok, long(4), ok), 1, 12, false, "length 4 is outside"},
		{"a negative length", join(ok, ok, long(-1), ok), 2, 24, false, "length -1 is outside"},
		{"a length above the limit", join(ok, long(MaxBSON+1)), 1, 12, false, "outside"},
		{"a length that leaves the file", join(ok, long(13)), 1, 12, true, "13 bytes wanted, 12 left"},
		{"a file that ends in a length", join(ok, []byte{12, 0}), 1, 12, true, "4 bytes wanted, 2 left"},
		{"a length one short: what follows is not a document", join(ok, []byte("\x0b\x00\x00\x00\x10n\x00....\x00"), ok), 1, 12, false, "does not end"},
		{"no NUL at the end, but a document follows", join(ok, []byte("\x0c\x00\x00\x00\x10n\x00....!"), ok), 2, 12, true, "does not end"},
		{"no NUL at the end of the file", join(ok, []byte("\x0c\x00\x00\x00\x10n\x00....!")), 1, 12, true, "does not end"},
		{"no NUL and a stray byte behind", join(ok, []byte("\x0c\x00\x00\x00\x10n\x00....!"), []byte{0}), 1, 12, false, "does not end"},

		{"an array cut off", []byte(`[{"n":1},`), 1, 9, false, "not closed"},
		{"an array cut off in an element", []byte(`[{"n":1},{"n":`), 1, 9, false, "5 bytes left"},
		{"no comma", []byte(`[{"n":1} {"n":2}]`), 1, 9, false, "comma"},
		{"two commas", []byte(`[{"n":1},,{"n":2}]`), 1, 9, false, "want an object"},
		{"a comma at the end", []byte(`[{"n":1},]`), 1, 9, false, "bracket"},
		{"a number in an array", []byte(`[{"n":1},2]`), 1, 9, false, "want an object"},
		{"text behind an array", []byte(`[{"n":1}]{}`), 1, 9, false, "follows"},
		{"an object that does not end", []byte("{\n}\n{\n\"}"), 1, 4, false, "4 bytes left"},
		{"a bracket too many", []byte("{\n}}"), 1, 3, false, "bracket"},
	} {
		docs, errs, _ := readAll(t, bytes.NewReader(tc.text), Auto)
		if len(docs) != tc.docs || len(errs) != 1 {
			t.Errorf("%s: %d documents, errors %v, want %d and one", tc.why, len(docs), errs, tc.docs)
			continue
		}
		e := errs[0]
		if e.Offset != tc.at || e.Skippable != tc.skip || !strings.Contains(e.Error(), tc.says) {
			t.Errorf("%s: %v, offset %d, skippable %v, want offset %d, %v and %q", tc.why, e, e.Offset, e.Skippable, tc.at, tc.skip, tc.says)
		}
	}
}

func TestNextOfLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("lines of 33 MiB are read")
	}
	long := strings.Repeat("x", MaxText+blockSize)
	text := "{\"n\":1}\n" + long + "\n{\"n\":2}\n" + long
	docs, errs, _ := readAll(t, strings.NewReader(text), ExtJSON)
	want := []doc{{0, `{"n":1}`}, {int64(len(long)) + 9, `{"n":2}`}}
	if !cmp.Equal(want, docs) {
		t.Errorf("%d documents, want those at %d and %d", len(docs), want[0].Offset, want[1].Offset)
	}
	if len(errs) != 2 || errs[0].Offset != 8 || errs[1].Offset != int64(len(long))+17 || !errs[0].Skippable {
		t.Errorf("errors %v, want skippable ones at 8 and %d", errs, len(long)+17)
	}
}

func TestNextOfLongElement(t *testing.T) {
	if testing.Short() {
		t.Skip("an element of 32 MiB is read")
	}
	text := `[{"n":1},{"p":"` + strings.Repeat("x", MaxText) + `"}]`
	docs, errs, _ := readAll(t, strings.NewReader(text), Auto)
	if len(docs) != 1 || len(errs) != 1 || errs[0].Offset != 9 || errs[0].Skippable {
		t.Errorf("%d documents, errors %v, want one and one at 9", len(docs), errs)
	}
}

// A failing reader ends the stream, after the documents that were read.
func TestNextOfFailure(t *testing.T) {
	cause := errors.New("the cable is cut")
	for _, in := range inputs {
		r := io.MultiReader(bytes.NewReader(in.text[:in.start[2]]), iotest.ErrReader(cause))
		docs, errs, _ := readAll(t, r, in.kind)
		if len(docs) != 2 || len(errs) != 1 || !errors.Is(errs[0], cause) || errs[0].Skippable {
			t.Errorf("%s: %d documents, errors %v, want 2 and the cause", in.name, len(docs), errs)
		}
	}
}

// A truncated compressed file is an error, not an end of input.
func TestNextOfCutCompression(t *testing.T) {
	text := bytes.Repeat(bsonInt(1), 100000)
	for name, packed := range map[string][]byte{"gzip": gzipped(t, text), "zstd": zstded(t, text)} {
		_, errs, _ := readAll(t, bytes.NewReader(packed[:len(packed)-5]), BSON)
		if len(errs) != 1 || errs[0].Skippable {
			t.Errorf("%s: errors %v, want one that ends the stream", name, errs)
		}
	}
}

func TestNewStreamRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"\x6d\xe2\x99\x81\x00\x00":         "--archive",
		"\xfd7zXZ\x00\x00":                 "xz -dc",
		"\xff\xfe\x00\x00{\x00\x00\x00":    "UTF-32",
		"PK\x03\x04":                       "unpack",
		"createdAt,level\n":                "neither BSON nor JSON",
		"\x1f\x8b\x08x":                    "gzip",
		"\x00\x00\x00\x00\x00\x00\x00\x00": "neither BSON nor JSON",
	} {
		_, err := NewStream("logs", strings.NewReader(text), Auto, JSON)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "logs: ") {
			t.Errorf("NewStream(%q) = %v, want an error about logs that says %q", text, err, says)
		}
	}
}

// TestForeign: files that people mistake for dumps are recognized by their first bytes
// and their names.
func TestForeign(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"x.png", "\x89PNG\r\n\x1a\n\x00\x00", "picture (PNG)"}, {"x", "\xff\xd8\xff\xe0\x00\x10JFIF", "picture (JPEG)"}, {"x", "GIF89a", "picture (GIF)"},
		{"x.pdf", "%PDF-1.7\n", "a PDF"}, {"x.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"}, {"x.rtf", "{\\rtf1", "an Office document"},
		{"x.docx", "PK\x03\x04", "a zip file or an Office document"}, {"x.7z", "7z\xbc\xaf\x27\x1c", "a 7z file"},
		{"x.db", "SQLite format 3\x00", "SQLite"}, {"x.html", "\n<!DOCTYPE html>", "a page (HTML)"}, {"x.xml", "\xef\xbb\xbf<?xml version=\"1.0\"?>", "XML"},
		{"README.md", "# Shop\n", "this is prose"}, {"dump/README", "hello", "this is prose"}, {"notes.txt", "Shop\n====\n\nhello", "this is prose"},
		{"policy.yaml", "# ours\n\nversion: 1\nrules:\n", "a policy file"},

		{"x", "", ""}, {"x", "P", ""}, {"README.md", "", ""}, {"README.md", "{\"a\":1}\n", ""}, {"readme.json", "hello", ""}, {"x", "# a comment of some program\n", ""},
		{"compose.yaml", "version: 1\nservices:\n", ""}, {"x", "{\"a\":1}\n---\n", ""}, {"x.csv", "_id,at\n1,2\n", ""}, {"x", "\x05\x00\x00\x00\x00", ""},
	} {
		err := Foreign(tt.name, []byte(tt.head))
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Foreign(%s, %q) = %v, want %q", tt.name, tt.head, err, tt.want)
		}
	}
}

// TestSniffLengthsThatSpellText: the length of a BSON document is read as a length even
// if its bytes are a bracket, or the mark of UTF-16, gzip, bzip2 or JPEG.
func TestSniffLengthsThatSpellText(t *testing.T) {
	for _, size := range []int{'{', '[', ' ', '\r', '{' | '"'<<8, 0xfeff, 0xfffe, 0x8b1f, 0x685a42, 0xffd8ff} {
		docs, errs, kind := readAll(t, bytes.NewReader(bsonPadded(size)), Auto)
		if len(docs) != 1 || len(errs) != 0 || kind != BSON {
			t.Errorf("a document of %d bytes: %d documents, %v, %v, want one of BSON", size, len(docs), errs, kind)
		}
	}
}

func TestKindOverridesWhatTheInputLooksLike(t *testing.T) {
	_, errs, kind := readAll(t, strings.NewReader(`{"n":1}`), BSON)
	if kind != BSON || len(errs) != 1 {
		t.Errorf("text read as BSON: kind %v, errors %v, want BSON and one", kind, errs)
	}
	_, _, kind = readAll(t, strings.NewReader(`{"n":1}`), JSON)
	if kind != JSON {
		t.Errorf("kind = %v, want JSON as asked for", kind)
	}
}

func TestDecode(t *testing.T) {
	var d Decoder
	for _, in := range inputs {
		docs, _, kind := readAll(t, bytes.NewReader(in.text), Auto)
		for i, raw := range docs {
			doc, err := d.Decode(kind, []byte(raw.Text))
			if err != nil {
				t.Errorf("%s: Decode(%q): %v", in.name, raw.Text, err)
				continue
			}
			if n, ok := doc.Field("n").AsInt64(); !ok || n != int64(i+1) {
				t.Errorf("%s: document %d has n = %d, %v", in.name, i, n, ok)
			}
		}
	}
}

func TestDecodeNamesTheByte(t *testing.T) {
	broken := bsonInt(1)
	broken[4] = 0x1c // no element type
	for _, tc := range []struct {
		kind Kind
		raw  []byte
		at   int
	}{
		{BSON, broken, 4}, {JSON, []byte(`{"n":}`), 5}, {ExtJSON, []byte(`{"n":}`), 5},
	} {
		_, err := new(Decoder).Decode(tc.kind, tc.raw)
		var syntax *policy.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != tc.at {
			t.Errorf("Decode(%v, %q) = %v, want a syntax error at byte %d", tc.kind, tc.raw, err, tc.at)
		}
	}
}

// An element of an array can be skipped after a failure to decode it only if the element
// is JSON, because brackets alone show where it ends.
func TestDamagedInArrays(t *testing.T) {
	for _, tc := range []struct {
		text string
		skip bool
	}{
		{`[{"at":{"$date":"soon"}}]`, true},
		{`[{"at":soon}]`, false},
		{"{\"at\":soon}\n", true},
	} {
		s, err := NewStream("in", strings.NewReader(tc.text), Auto, ExtJSON)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if err := s.Next(&b); err != nil {
			t.Fatal(err)
		}
		if got := s.Damaged(&b, 0, errors.New("bad")); got.Skippable != tc.skip {
			t.Errorf("Damaged of %s = %+v, want skippable %v", tc.text, got, tc.skip)
		}
	}
}
