package peers

import "math/rand/v2"

// The inputs of benchmarks are random, but the same in every run.
//
// Processors predict the branches of code that gets the same inputs repeatedly, so such a
// measurement is too fast. Therefore there are many inputs, and optional fields are
// missing from some. Half of the inputs that can expire have expired at [Now].

// Now is the instant of every decision, in milliseconds since 1970:
// 2026-11-20T00:00:00Z. It stands on a whole second.
const Now = 1_795_132_800_000

// NowSeconds is Now in seconds.
const NowSeconds = Now / 1000

// source returns random numbers that are the same in every run.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20261120)) }
