package dump

import (
	"hash/crc64"

	"golang.org/x/sys/cpu"
)

// foldSize is the number of bytes that are folded at a time, 0 on a processor that cannot
// multiply polynomials.
var foldSize = func() int {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPCLMULQDQ:
		return maxFold
	case cpu.X86.HasAVX && cpu.X86.HasPCLMULQDQ:
		return 64
	}
	return 0
}()

// fold multiplies the first foldSize bytes of state by a power of x and adds the next bytes
// of p, up to its end. p holds a positive multiple of foldSize bytes.
func fold(state *[maxFold]byte, p []byte) {
	if foldSize == maxFold {
		foldWide(state, p, &wideFactors)
	} else {
		foldNarrow(state, p, &narrowFactors)
	}
}

// foldNarrow folds 16 bytes in each of four registers, and foldWide folds 64 bytes.
//
//go:noescape
func foldNarrow(state *[maxFold]byte, p []byte, factors *[2]uint64)

//go:noescape
func foldWide(state *[maxFold]byte, p []byte, factors *[2]uint64)

var narrowFactors, wideFactors = foldFactors(64), foldFactors(maxFold)

// foldFactors returns the factors that move 16 bytes by size bytes. The first factor is
// for the first 8 bytes, which hold the higher powers. The product of two 8-byte halves
// has 127 bits. Its highest power is in the lowest bit, so its true value is x times the
// value of its bits.
func foldFactors(size int) [2]uint64 {
	return [2]uint64{powerOfX(8*size + 64 - 1), powerOfX(8*size - 1)}
}

// powerOfX returns the remainder of x^n, with the highest power in the lowest bit.
func powerOfX(n int) uint64 {
	r := uint64(1) << 63
	for range n {
		r = r>>1 ^ -(r&1)&crc64.ECMA
	}
	return r
}
