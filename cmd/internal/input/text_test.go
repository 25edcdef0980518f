package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// encoded returns a text in UTF-16, written apart from the code under test.
func encoded(order binary.AppendByteOrder, text string, mark bool) []byte {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var out []byte
	for _, u := range units {
		out = order.AppendUint16(out, u)
	}
	return out
}

func TestText(t *testing.T) {
	const text = "db.c.createIndex({at: 1}) // ü 😀\r\n"
	for why, in := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text),
		"little, with a mark": encoded(binary.LittleEndian, text, true), "big, with a mark": encoded(binary.BigEndian, text, true),
		"little": encoded(binary.LittleEndian, text, false), "big": encoded(binary.BigEndian, text, false),
	} {
		got, err := Text(in)
		if err != nil || string(got) != text {
			t.Errorf("%s: Text = %q, %v", why, got, err)
		}
		if want := why != "UTF-8"; IsEncoded(in) != want {
			t.Errorf("%s: IsEncoded = %v", why, !want)
		}
		src := bufio.NewReader(io.MultiReader(bytes.NewReader(in[:5]), bytes.NewReader(in[5:])))
		r, skipped, isDecoded, err := Reader(src)
		if err != nil {
			t.Fatal(err)
		}
		piece, err := io.ReadAll(r)
		if err != nil || string(piece) != text || isDecoded != !strings.HasPrefix(why, "UTF-8") || (skipped > 0) != strings.Contains(why, "mark") {
			t.Errorf("%s: Reader = %q, %d, %v, %v", why, piece, skipped, isDecoded, err)
		}
	}
	for why, tc := range map[string]struct{ in, out string }{
		"empty": {"", ""}, "one byte": {"x", "x"}, "a mark alone": {"\xef\xbb\xbf", ""}, "UTF-16 without text": {"\xff\xfe", ""},
		"a character of another script first, with a mark": {"\xff\xfe\x3f\x04", "п"}, "a half": {"\xff\xfea\x00b", "a\ufffd"},
	} {
		if got, err := Text([]byte(tc.in)); err != nil || string(got) != tc.out {
			t.Errorf("%s: Text(%q) = %q, %v, want %q", why, tc.in, got, err, tc.out)
		}
	}
	for in, want := range map[string]string{
		"a\x00b": "byte 1 is NUL", "\xef\xbb\xbfab\x00": "byte 5 is NUL", "\xff\xfea\x00\x00\x00": "is NUL", "\x00\x00\xfe\xff\x00\x00\x00a": "UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00": "UTF-32",
		"ab\x00\x00c": "byte 2 is NUL",
	} {
		if got, err := Text([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Text(%q) = %q, %v, want an error with %q", in, got, err, want)
		}
	}
	if _, _, _, err := Reader(bufio.NewReader(strings.NewReader("\x00\x00\xfe\xff\x00\x00\x00a"))); err == nil {
		t.Error("Reader takes UTF-32")
	}
}

// TestTextOfAnyEncoding: a text is the same in each encoding with a mark; in UTF-16 without a
// mark, if it begins with ASCII.
func TestTextOfAnyEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ReplaceAll(rapid.String().Draw(t, "text"), "\x00", "")
		for _, begin := range []string{"", "db"} {
			want := begin + strings.TrimPrefix(text, "\ufeff")
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				for _, mark := range []bool{true, false} {
					if !mark && begin == "" {
						continue
					}
					if got, err := Text(encoded(order, want, mark)); err != nil || string(got) != want {
						t.Fatalf("%v, mark %v: Text = %q, %v, want %q", order, mark, got, err, want)
					}
				}
			}
			if got, err := Text([]byte("\ufeff" + want)); err != nil || string(got) != want {
				t.Fatalf("UTF-8: Text = %q, %v, want %q", got, err, want)
			}
		}
	})
}

// FuzzText: no bytes make Text or Reader panic, and the results of both agree. A text in UTF-8
// without NUL is returned unchanged.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"a", "\ufeffa", "\xff\xfea\x00", "\xfe\xff\x00a", "a\x00b\x00", "\x00a\x00b", "\xff\xfe\x00\xd8", "\x00\x00\xfe\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		text, err := Text(bytes.Clone(in))
		if err == nil && bytes.IndexByte(text, 0) >= 0 {
			t.Errorf("Text(%q) = %q", in, text)
		}
		if utf8.Valid(in) && bytes.IndexByte(in, 0) < 0 && !bytes.HasPrefix(in, []byte("\ufeff")) && (err != nil || !bytes.Equal(text, in)) {
			t.Errorf("Text(%q) = %q, %v, want it unchanged", in, text, err)
		}
		r, _, _, failed := Reader(bufio.NewReader(bytes.NewReader(in)))
		if failed != nil {
			return
		}
		if piece, err := io.ReadAll(r); err == nil && !bytes.Equal(piece, text) {
			t.Errorf("Text(%q) = %q, and Reader %q", in, text, piece)
		}
	})
}
