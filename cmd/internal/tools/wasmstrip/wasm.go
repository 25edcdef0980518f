package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var errNotWasm = errors.New("not a WebAssembly module with a data section")

const dataSection = 11

// A section is one section of a WebAssembly module.
type section struct {
	id   byte
	body []byte
}

// sections splits a module after its header into sections.
func sections(module []byte) (all []section, err error) {
	r := reader{module}
	if !bytes.Equal(r.take(8), []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errNotWasm
	}
	for len(r.rest) > 0 {
		id := r.take(1)
		body := r.take(r.number())
		if body == nil {
			return nil, errNotWasm
		}
		all = append(all, section{id[0], body})
	}
	return all, nil
}

// memoryOf returns the memory that a data section fills, up to its last byte.
func memoryOf(data []byte) (memory []byte, err error) {
	r := reader{data}
	for range r.number() {
		head := r.take(2) // active, i32.const
		at := r.number()
		end := r.take(1)
		bytes := r.take(r.number())
		if head == nil || head[0] != 0 || head[1] != 0x41 || end == nil || end[0] != 0x0B || bytes == nil || at > 1<<30 {
			return nil, errNotWasm
		}
		if n := at + len(bytes); n > len(memory) {
			memory = append(memory, make([]byte, n-len(memory))...)
		}
		copy(memory[at:], bytes)
	}
	return memory, nil
}

// gap is the number of zero bytes that are written to save a segment. Go's linker begins
// a new segment after eight zero bytes, and the heads of many segments compress badly:
// the program of the playground is 1,276 KB after gzip with a gap of 16, and 1,145 KB
// with this gap, although it is a sixth larger before gzip.
const gap = 256

// dataOf returns a data section that fills a memory whose bytes are all 0 at first.
func dataOf(memory []byte) []byte {
	var segments []byte
	count := 0
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := at + segmentLength(memory[at:])
		segments = appendSegment(segments, at, memory[at:end])
		at, count = end, count+1
	}
	return append(binary.AppendUvarint(nil, uint64(count)), segments...)
}

func segmentLength(memory []byte) int {
	if n := bytes.Index(memory, make([]byte, gap)); n >= 0 {
		return n
	}
	return len(memory)
}

func appendSegment(dst []byte, at int, content []byte) []byte {
	dst = appendSigned(append(dst, 0, 0x41), at)
	dst = binary.AppendUvarint(append(dst, 0x0B), uint64(len(content)))
	return append(dst, content...)
}

// appendSigned appends a number that is not negative as signed LEB128.
func appendSigned(dst []byte, n int) []byte {
	for n >= 0x40 {
		dst, n = append(dst, byte(n)|0x80), n>>7
	}
	return append(dst, byte(n))
}

// A reader reads data that may be cut off. After the end, take returns nil and
// number returns -1.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.rest = nil
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// number reads a number in LEB128. The number is not negative, so signed and unsigned
// LEB128 are read alike.
func (r *reader) number() int {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > 1<<31 {
		r.rest = nil
		return -1
	}
	r.rest = r.rest[size:]
	return int(n)
}
