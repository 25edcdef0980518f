package dump

import (
	"encoding/binary"
	"hash/crc64"

	"github.com/ttlpolicy/ttlpolicy/internal/swar"
)

var checksums = crc64.MakeTable(crc64.ECMA)

// A summer works out the CRC-64 of archives, by [foldedSum] where the processor can do
// that. Elsewhere it first makes a short text of a long one, with the same sum: the
// polynomial of the sum divides one that has only eight terms, all of them powers of
// x^64, so a word can be struck out if it is added to seven words that follow. That takes
// a third of the time of hash/crc64, whose tables have to be waited for; it reads the rest.
type summer struct {
	words [span + strip]uint64 // what was struck out last, and what is struck out next
	rest  [8 * span]byte
}

// A word is added to those that follow it by 5, 194, … and span words: the polynomial
// x^(64·2209) + x^(64·2204) + x^(64·2015) + x^(64·1083) + x^(64·878) + x^(64·665) +
// x^(64·218) + 1 is a multiple of that of the sum.
const (
	span  = 2209
	strip = 8192 // words that are struck out at a time
)

var steps = [...]int{5, 194, 1126, 1331, 1544, 1991, span}

// sum returns the checksum of a text whose beginning has the checksum before, and which
// goes on with p.
func (s *summer) sum(before uint64, p []byte) uint64 {
	if canFold && len(p) >= 2*foldSize {
		return foldedSum(before, p)
	}
	return s.strikeOut(before, p)
}

// strikeOut is sum for any processor.
func (s *summer) strikeOut(before uint64, p []byte) uint64 {
	left := len(p)/swar.WordBytes - span
	if left < span {
		return crc64.Update(before, checksums, p)
	}
	clear(s.words[:span])
	s.words[span-1] = ^before ^ swar.Load(p, 0)
	p = p[swar.WordBytes:]
	for left--; left > 0; {
		n := min(left, strip)
		s.strike(p, n)
		copy(s.words[:span], s.words[n:])
		p, left = p[n*swar.WordBytes:], left-n
	}
	s.settle(p)
	return crc64.Update(crc64.Update(^uint64(0), checksums, s.rest[:]), checksums, p[len(s.rest):])
}

// strike strikes out the first n words of p.
func (s *summer) strike(p []byte, n int) {
	next := s.words[span:][:n]
	a, b, c, d := s.words[span-5:][:n], s.words[span-194:][:n], s.words[span-1126:][:n], s.words[span-1331:][:n]
	e, f, g := s.words[span-1544:][:n], s.words[span-1991:][:n], s.words[:n]
	for i := range next {
		next[i] = swar.Load(p, i*swar.WordBytes) ^ a[i] ^ b[i] ^ c[i] ^ d[i] ^ e[i] ^ f[i] ^ g[i]
	}
}

// settle makes s.rest the first words of p with what was struck out before them.
func (s *summer) settle(p []byte) {
	rest := s.words[span:][:span]
	for i := range rest {
		rest[i] = swar.Load(p, i*swar.WordBytes)
	}
	for _, step := range steps {
		for i := range step {
			rest[i] ^= s.words[span+i-step]
		}
	}
	for i, w := range rest {
		binary.LittleEndian.PutUint64(s.rest[i*swar.WordBytes:], w)
	}
}
