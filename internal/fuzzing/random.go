// Package fuzzing is for tests that compare two computations of the same answer. Such a
// test draws its policy, document and instant from one source of choices. Go's fuzzer
// mutates the choices, guided by coverage; the flag -generate draws millions of them
// without coverage.
package fuzzing

import (
	"encoding/binary"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// A Random is the source of an input: the same bytes lead to the same input.
type Random struct{ *rand.Rand }

// NewRandom returns a source of choices from data. The first eight bytes are a
// seed, and each further byte decides one choice; the seed decides all later
// ones.
func NewRandom(data []byte) Random {
	var s choices
	s.reset(data)
	return Random{rand.New(&s)}
}

// Drawn draws a source of choices with rapid, which simplifies the choices that make a test
// fail.
var Drawn = rapid.Map(rapid.SliceOfN(rapid.Byte(), 8, 24), NewRandom)

// Percent returns true in p of 100 cases.
func (r Random) Percent(p int) bool { return r.IntN(100) < p }

// Pick returns one of the values, at random.
func Pick[T any](r Random, from ...T) T { return from[r.IntN(len(from))] }

type choices struct {
	data  []byte
	state uint64
}

func (s *choices) reset(data []byte) {
	var seed [8]byte
	s.data = data[copy(seed[:], data):]
	s.state = binary.LittleEndian.Uint64(seed[:])
}

// Uint64 returns the next number of SplitMix64. It replaces the highest and the lowest
// byte by a byte of data, so that this byte decides a choice from any range.
func (s *choices) Uint64() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	if len(s.data) == 0 {
		return z
	}
	b := uint64(s.data[0])
	s.data = s.data[1:]
	return b<<56 | z>>16<<8 | b
}
