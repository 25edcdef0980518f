package rawbson_test

import (
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

func TestFinderRefuses(t *testing.T) {
	tests := []struct{ why, doc string }{
		{"nothing", ""},
		{"four bytes", "\x04\x00\x00\x00"},
		{"a length beyond the bytes", "\x06\x00\x00\x00\x00"},
		{"a length short of the bytes", "\x05\x00\x00\x00\x00\x00"},
		{"no NUL at the end", "\x05\x00\x00\x00\x01"},
		{"an unknown type", "\x10\x00\x00\x00\x20a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"a name without an end, near it", "\x08\x00\x00\x00\x0aab\x00"},
		{"a name without an end, far from it", "\x14\x00\x00\x00\x0aabcdefghijklmn\x00"},
		{"an int64 cut short", "\x0d\x00\x00\x00\x12a\x00\x01\x02\x03\x04\x05\x00"},
		{"an end inside", "\x10\x00\x00\x00\x00a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"a negative length", "\x12\x00\x00\x00\x02a\x00\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00"},
		{"the greatest length", "\x12\x00\x00\x00\x02a\x00\xff\xff\xff\x7f\x00\x00\x00\x00\x00\x00\x00"},
	}
	for _, test := range tests {
		f := rawbson.NewFinder("missing")
		if found, ok := f.Find([]byte(test.doc)); ok {
			t.Errorf("%s: Find = %v, true, want false", test.why, found)
		}
	}
}

// TestFinderNoRoom finds fields for whose values the document has no room.
func TestFinderNoRoom(t *testing.T) {
	for _, name := range []string{"", "n", "sixsix", "seven77", "eighteig", "nineninen"} {
		for room := range 8 {
			raw := append([]byte{0, 0, 0, 0, 0x09}, name...)
			raw = append(raw, make([]byte, 1+room+1)...)
			raw[0] = byte(len(raw))
			f := rawbson.NewFinder(name)
			if found, ok := f.Find(raw); ok {
				t.Errorf("Find(%q) with room for %d bytes = %v, true, want false", name, room, found)
			}
		}
	}
}

func TestAsString(t *testing.T) {
	tests := []struct {
		why  string
		raw  rawbson.Value
		want string
		ok   bool
	}{
		{"a text", rawbson.Value{Type: 2, Body: []byte("\x03\x00\x00\x00ab\x00")}, "ab", true},
		{"an empty one", rawbson.Value{Type: 2, Body: []byte("\x01\x00\x00\x00\x00")}, "", true},
		{"no room for the NUL", rawbson.Value{Type: 2, Body: []byte("\x00\x00\x00\x00")}, "", false},
		{"no NUL", rawbson.Value{Type: 2, Body: []byte("\x02\x00\x00\x00ab")}, "", false},
		{"nothing", rawbson.Value{Type: 2}, "", false},
		{"another kind", rawbson.Value{Type: 0x0E, Body: []byte("\x02\x00\x00\x00a\x00")}, "", false},
	}
	for _, tt := range tests {
		if got, ok := tt.raw.AsString(); string(got) != tt.want || ok != tt.ok {
			t.Errorf("%s: AsString() = %q, %v, want %q, %v", tt.why, got, ok, tt.want, tt.ok)
		}
	}
}

func TestSplit(t *testing.T) {
	empty, one := "\x05\x00\x00\x00\x00", "\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"
	tests := []struct {
		why, bytes string
		want       []string
	}{
		{"nothing", "", nil},
		{"one", one, []string{one}},
		{"several", one + empty + one, []string{one, empty, one}},
		{"cut short", one + one[:len(one)-1], []string{one, one[:len(one)-1]}},
		{"a length cut short", one + "\x05\x00\x00", []string{one, "\x05\x00\x00"}},
		{"a length too small", "\x04\x00\x00\x00" + empty, []string{"\x04\x00\x00\x00" + empty}},
		{"a negative length", empty + "\xff\xff\xff\xff" + empty, []string{empty, "\xff\xff\xff\xff" + empty}},
	}
	for _, tt := range tests {
		var got []string
		next := 0
		for at, doc := range rawbson.Split([]byte(tt.bytes)) {
			if at != next || cap(doc) != len(doc) {
				t.Errorf("%s: a document at %d with room for %d bytes more, want it at %d without", tt.why, at, cap(doc)-len(doc), next)
			}
			got, next = append(got, string(doc)), at+len(doc)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: Split yields %q, want %q", tt.why, got, tt.want)
		}
	}
	for range rawbson.Split([]byte(one + one)) {
		break // Split must not yield again
	}
}

// TestFindNameWithNUL: a name that holds a NUL is not found as a shorter name followed by
// other bytes.
func TestFindNameWithNUL(t *testing.T) {
	const short, long = "\x14\x00\x00\x00\x10a\x00b\x00\x00\x00\x0axxxxxx\x00\x00", "\x12\x00\x00\x00\x0aabcdefgh\x00\x0ax\x00\x00"
	for _, tt := range []struct{ doc, name string }{
		{short, "a\x00b"}, {short, "a\x00"}, {short, "\x00"}, {short, "a\x00b\x00\x00\x00\x00\x00"},
		{long, "abcdefgh\x00\x0ax"}, {long, "abcdefgh\x00"}, {long, "ab\x00"}, {long, "\x00"},
	} {
		f := rawbson.NewFinder(tt.name)
		if v, ok := f.Find([]byte(tt.doc)); v.Type != 0 || !ok {
			t.Errorf("Find(%q) = type %d, %v, want none, true", tt.name, v.Type, ok)
		}
	}
	for doc, name := range map[string]string{short: "a", long: "abcdefgh"} {
		f := rawbson.NewFinder(name)
		if v, ok := f.Find([]byte(doc)); v.Type == 0 || !ok {
			t.Errorf("Find(%s) = type %d, %v, want the field, true", name, v.Type, ok)
		}
	}
}
