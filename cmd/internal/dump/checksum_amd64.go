package dump

import "golang.org/x/sys/cpu"

// canFold reports whether the processor has the instructions of fold.
var canFold = cpu.X86.HasPCLMULQDQ

// fold multiplies state by factors and adds the next 64 bytes of p, up to its end. It
// holds a multiple of 64 bytes, and not none.
//
//go:noescape
func fold(state *[foldSize]byte, p []byte, factors *[2]uint64)
