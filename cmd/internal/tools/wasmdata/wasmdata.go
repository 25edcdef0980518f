// Command wasmdata makes a WebAssembly module smaller once it is compressed. Go's
// linker leaves every run of zeros out of the data, which makes tens of thousands of
// pieces; their headers stand in the way of a compressor, and of whoever starts the
// module. wasmdata joins those that lie close together, with the zeros between them.
// The module does the same as before.
//
//	go run ./cmd/internal/tools/wasmdata FILE.wasm
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wasmdata:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("want one file")
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if module, err = join(module); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return output.Replace(args[0], module)
}

// zeros is how many of them may stand between two pieces that are joined. Sizes
// compressed by gzip, of one program: 1363 KB as linked, 1230 KB at 32, 1228 KB at 256.
const zeros = 256

// Parts of the binary format (WebAssembly Core Specification, section 5).
const (
	preamble    = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	i32Const    = 0x41
	endOfCode   = 0x0b
)

var errForm = errors.New("not a module of WebAssembly as Go's linker writes it")

// join returns a module with the pieces of its data joined.
func join(module []byte) ([]byte, error) {
	r := &reader{rest: module}
	if string(r.take(len(preamble))) != preamble {
		return nil, errForm
	}
	out := []byte(preamble)
	for len(r.rest) > 0 && !r.failed {
		id := r.take(1)
		body := r.sized()
		if !r.failed && id[0] == dataSection {
			data := &reader{rest: body}
			body = appendPieces(nil, data.pieces())
			r.failed = data.failed
		}
		out = append(out, id...)
		out = appendSized(out, body)
	}
	if r.failed {
		return nil, errForm
	}
	return out, nil
}

// A piece is data at an address.
type piece struct {
	at   int64
	data []byte
}

func (p piece) end() int64 { return p.at + int64(len(p.data)) }

// A reader reads from the front of rest. Once it has failed, it reads nothing.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) take(n int) []byte {
	if r.failed || n < 0 || n > len(r.rest) {
		r.failed = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.take(max(n, 0))
	r.failed = r.failed || n <= 0
	return v
}

// signed reads a number in LEB128 with a sign, as addresses are written.
func (r *reader) signed() (v int64) {
	for shift := 0; shift < 63; shift += 7 {
		c := r.take(1)
		if r.failed {
			return 0
		}
		v |= int64(c[0]&0x7f) << shift
		if c[0] < 0x80 {
			return v << (57 - shift) >> (57 - shift)
		}
	}
	r.failed = true
	return 0
}

// sized reads bytes that follow their number.
func (r *reader) sized() []byte { return r.take(int(min(r.unsigned(), 1<<31-1))) }

// pieces reads a data section, and joins.
func (r *reader) pieces() (list []piece) {
	for range r.unsigned() {
		mode, op := r.take(1), r.take(1)
		if r.failed || mode[0] != 0 || op[0] != i32Const {
			r.failed = true
			return nil
		}
		p := piece{at: r.signed()}
		end := r.take(1)
		p.data = r.sized()
		if r.failed || end[0] != endOfCode {
			r.failed = true
			return nil
		}
		list = joined(list, p)
	}
	return list
}

// joined adds a piece to the last of a list, or to the list.
func joined(list []piece, p piece) []piece {
	if len(list) > 0 {
		last := &list[len(list)-1]
		if gap := p.at - last.end(); gap >= 0 && gap <= zeros {
			last.data = append(append(last.data, make([]byte, gap)...), p.data...)
			return list
		}
	}
	return append(list, piece{p.at, append([]byte(nil), p.data...)})
}

func appendPieces(dst []byte, list []piece) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, p := range list {
		dst = appendSigned(append(dst, 0, i32Const), p.at)
		dst = appendSized(append(dst, endOfCode), p.data)
	}
	return dst
}

func appendSized(dst, data []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(data))), data...)
}

func appendSigned(dst []byte, v int64) []byte {
	for v < -0x40 || v >= 0x40 {
		dst = append(dst, byte(v&0x7f)|0x80)
		v >>= 7
	}
	return append(dst, byte(v&0x7f))
}
