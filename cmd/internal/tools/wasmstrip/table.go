package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var errTable = errors.New("want a module with one function table, as Go 1.20 to 1.26 writes it")

// magic begins the table of functions of Go 1.20 and later. Its last two bytes are the
// least length of an instruction, 1, and the length of a pointer, 8 on WebAssembly too.
var magic = []byte{0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8}

// A table is the table of functions: runtime.pcHeader and the data after it.
type table struct {
	bytes                       []byte
	functions                   int
	names, units, files, deltas []byte
	entries                     []byte // for each function its address, and the offset of its record in entries
}

func findTable(memory []byte) (t table, err error) {
	at := bytes.Index(memory, magic)
	if at < 0 || bytes.Contains(memory[at+1:], magic) {
		return t, errTable
	}
	t.bytes = memory[at:]
	if len(t.bytes) < 72 {
		return t, errTable
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(t.bytes[8+8*i:]) }
	offsets := [6]uint64{word(3), word(4), word(5), word(6), word(7), uint64(len(t.bytes))}
	for i := range 5 {
		if offsets[i] > offsets[i+1] {
			return t, errTable
		}
	}
	part := func(i int) []byte { return t.bytes[offsets[i]:offsets[i+1]] }
	t.names, t.units, t.files, t.deltas, t.entries = part(0), part(1), part(2), part(3), part(4)
	if t.functions = int(word(0)); word(0) > uint64(len(t.entries)/8) {
		return t, errTable
	}
	return t, nil
}

// Offsets in runtime._func, the record of a function, whose fields have 4 bytes each.
const (
	pcsp       = 4 * 4
	pcfile     = 5 * 4
	pcln       = 6 * 4
	npcdata    = 7 * 4
	cuOffset   = 8 * 4
	startLine  = 9 * 4
	funcBytes  = 11 * 4 // followed by a number for each of npcdata
	maxPcdata  = 16
	keptPrefix = "runtime." // isSystemGoroutine looks for it
)

// strip clears the data that only traces need.
func (t table) strip() error {
	needed := make([]bool, len(t.deltas))
	for i := range t.functions {
		at := binary.LittleEndian.Uint32(t.entries[8*i+4:])
		if uint64(at)+funcBytes+4*maxPcdata > uint64(len(t.entries)) {
			return errTable
		}
		if err := t.stripFunction(t.entries[at:], needed); err != nil {
			return err
		}
	}
	for i := range needed {
		if !needed[i] {
			t.deltas[i] = 0
		}
	}
	clear(t.units)
	clear(t.files)
	t.stripNames()
	return nil
}

func (t table) stripFunction(f []byte, needed []bool) error {
	word := func(at int) []byte { return f[at : at+4] }
	for _, at := range []int{pcfile, pcln, cuOffset, startLine} {
		clear(word(at))
	}
	n := binary.LittleEndian.Uint32(word(npcdata))
	if n > maxPcdata {
		return errTable
	}
	tables := []int{pcsp}
	for i := range int(n) {
		tables = append(tables, funcBytes+4*i)
	}
	for _, at := range tables {
		if err := t.need(binary.LittleEndian.Uint32(word(at)), needed); err != nil {
			return err
		}
	}
	return nil
}

// need marks the bytes of one list of deltas as needed. A list holds pairs of a value and
// an address, and ends at a value of 0 after the first pair (runtime.step). An offset of
// 0 means that there is no list.
func (t table) need(at uint32, needed []bool) error {
	if at == 0 {
		return nil
	}
	for i, first := int(at), true; ; first = false {
		value, n := uvarint(t.deltas, i)
		if n == 0 {
			return errTable
		}
		mark(needed[i : i+n])
		i += n
		if value == 0 && !first {
			return nil
		}
		if _, n = uvarint(t.deltas, i); n == 0 {
			return errTable
		}
		mark(needed[i : i+n])
		i += n
	}
}

func uvarint(b []byte, at int) (value uint64, n int) {
	if at >= len(b) {
		return 0, 0
	}
	value, n = binary.Uvarint(b[at:])
	return value, max(n, 0)
}

func mark(needed []bool) {
	for i := range needed {
		needed[i] = true
	}
}

// stripNames clears the names of functions outside the runtime.
func (t table) stripNames() {
	for rest := t.names; len(rest) > 0; {
		n := bytes.IndexByte(rest, 0)
		if n < 0 {
			n = len(rest) - 1
		}
		if !bytes.HasPrefix(rest, []byte(keptPrefix)) {
			clear(rest[:n])
		}
		rest = rest[n+1:]
	}
}
