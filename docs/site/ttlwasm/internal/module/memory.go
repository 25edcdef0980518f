package module

import (
	"cmp"
	"slices"
)

// maxMemory limits the memory that a caller holds at a time, in bytes.
const maxMemory = 1 << 30

// A buffer is memory that the caller has asked for.
type buffer struct {
	first uint32 // its address
	bytes []byte
}

// end is the address after the last byte.
func (b buffer) end() uint64 { return uint64(b.first) + uint64(len(b.bytes)) }

// Alloc returns the address of n zero bytes, which stay where they are until
// Free. It returns 0 if n is 0, or more than a caller may hold.
func (m *Module) Alloc(n uint32) uint32 {
	if n == 0 || uint64(n) > maxMemory-m.held {
		return 0
	}
	b := buffer{bytes: make([]byte, n)}
	b.first = m.address(b.bytes)
	i, _ := m.search(b.first)
	m.buffers, m.held = slices.Insert(m.buffers, i, b), m.held+uint64(n)
	return b.first
}

// Free releases memory that Alloc returned.
func (m *Module) Free(address uint32) Code {
	i, ok := m.search(address)
	if !ok {
		return m.fail(BadPointer, "nothing was allocated at this address, or it was freed before")
	}
	m.held -= uint64(len(m.buffers[i].bytes))
	m.buffers = slices.Delete(m.buffers, i, i+1)
	m.recent = [2]buffer{}
	return 0
}

// search returns the position of the buffer that begins at an address. It reports false
// if there is none, with the position where it would be.
func (m *Module) search(address uint32) (int, bool) {
	return slices.BinarySearchFunc(m.buffers, address, func(b buffer, a uint32) int { return cmp.Compare(b.first, a) })
}

// A decision needs two slots in memory.
const (
	input = iota
	output
)

// at returns the n bytes at an address, which lie in one buffer, or nil. It checks the
// buffer last used in the same role first.
func (m *Module) at(role int, address, n uint32) []byte {
	b := &m.recent[role]
	if address < b.first || uint64(address)+uint64(n) > b.end() || b.bytes == nil {
		i, ok := m.search(address)
		if !ok {
			i-- // the last buffer that begins before
		}
		if i < 0 || uint64(address)+uint64(n) > m.buffers[i].end() {
			return nil
		}
		*b = m.buffers[i]
	}
	from := address - b.first
	return b.bytes[from : from+n : from+n]
}
