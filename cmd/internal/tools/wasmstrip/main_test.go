package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPropertyData: reading a data section after writing it yields the same memory.
func TestPropertyData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []byte
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 200)).Draw(t, "lengths") {
			want = append(append(want, make([]byte, n)...), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...)
		}
		got, err := memoryOf(dataOf(want))
		if want = bytes.TrimRight(want, "\x00"); err != nil || !bytes.Equal(bytes.TrimRight(got, "\x00"), want) {
			t.Fatalf("memoryOf(dataOf(%x)) = %x, %v", want, got, err)
		}
	})
}

// moduleWith returns a module with one section of data.
func moduleWith(data []byte) []byte {
	module := append([]byte("\x00asm\x01\x00\x00\x00"), dataSection)
	return append(binary.AppendUvarint(module, uint64(len(data))), data...)
}

// linked returns memory with a table of two functions: runtime.a, whose list of stack
// positions is at 1, and main.b, whose list of lines is at 5.
func linked() []byte {
	names, deltas := "runtime.a\x00main.b\x00", "\x00\x02\x08\x00\x00\x04\x10\x00\x00"
	var f [2][funcBytes]byte
	binary.LittleEndian.PutUint32(f[0][pcsp:], 1)
	binary.LittleEndian.PutUint32(f[1][pcln:], 5)
	binary.LittleEndian.PutUint32(f[1][startLine:], 77)
	m := append([]byte("types and strings"), magic...)
	units := 72 + len(names)
	for _, n := range []int{2, 1, 0, 72, units, units + 4, units + 9, units + 9 + len(deltas)} { // functions, files, where code begins, parts
		m = binary.LittleEndian.AppendUint64(m, uint64(n))
	}
	m = append(m, names+"unit"+"file\x00"+deltas...)
	entries := binary.LittleEndian.AppendUint32(nil, 100)
	entries = binary.LittleEndian.AppendUint32(entries, 16)
	entries = binary.LittleEndian.AppendUint32(entries, 200)
	entries = binary.LittleEndian.AppendUint32(entries, 16+funcBytes)
	m = append(append(append(m, entries...), f[0][:]...), f[1][:]...)
	return append(append(m, make([]byte, 4*maxPcdata)...), "what follows"...)
}

// TestStrip: strip clears the data that only traces need, and nothing else.
func TestStrip(t *testing.T) {
	stripped, err := strip(moduleWith(dataOf(linked())))
	if err != nil {
		t.Fatal(err)
	}
	all, err := sections(stripped)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sections, %v", len(all), err)
	}
	got, err := memoryOf(all[0].body)
	if err != nil {
		t.Fatal(err)
	}
	want := string(linked())
	for _, gone := range []string{"main.b", "unit", "file", "\x04\x10\x00\x00"} {
		want = strings.Replace(want, gone, strings.Repeat("\x00", len(gone)), 1)
	}
	before, line, after := want[:strings.LastIndex(want, "\x05\x00\x00\x00")], "\x00\x00\x00\x00", want[strings.LastIndex(want, "\x05\x00\x00\x00")+4:]
	want = before + line + strings.Replace(after, "\x4d", "\x00", 1)
	if string(got) != want {
		t.Errorf("strip() = \n%q, want\n%q", got, want)
	}
}

func TestRefused(t *testing.T) {
	change := func(old, new string) []byte {
		m := string(linked())
		if !strings.Contains(m, old) {
			t.Fatalf("nothing to change: %q", old)
		}
		return moduleWith(dataOf([]byte(strings.Replace(m, old, new, 1))))
	}
	for _, tt := range []struct {
		why    string
		module []byte
		want   error
	}{
		{"nothing", nil, errNotWasm},
		{"another file", []byte("\x7fELF\x01\x00\x00\x00"), errNotWasm},
		{"no data", []byte("\x00asm\x01\x00\x00\x00"), errNotWasm},
		{"a section cut short", []byte("\x00asm\x01\x00\x00\x00\x0b\x05x"), errNotWasm},
		{"a segment that is passive", moduleWith([]byte{1, 1, 0x41, 0, 0x0B, 1, 'x'}), errNotWasm},
		{"no table", moduleWith(dataOf([]byte("types"))), errTable},
		{"the table of another Go", change("\xF1\xFF\xFF\xFF", "\xF0\xFF\xFF\xFF"), errTable},
		{"two tables", moduleWith(dataOf(append(linked(), magic...))), errTable},
		{"more functions than there is room for", change(string(magic)+"\x02\x00\x00", string(magic)+"\x02\x00\xFF"), errTable},
		{"a list without an end", change("\x02\x08\x00\x00\x04\x10\x00\x00", "\x02\x08\x02\x08\x04\x10\x02\x80"), errTable},
		{"a function elsewhere", change("\x64\x00\x00\x00\x10", "\x64\x00\x00\x00\xFF"), errTable},
	} {
		if _, err := strip(tt.module); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, err, tt.want)
		}
	}
}
