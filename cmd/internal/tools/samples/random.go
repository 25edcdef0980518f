package main

import "math/bits"

// random is a SplitMix64 generator (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, OOPSLA 2014). It is written out here because
// the samples must not change with a Go release.
type random struct{ state uint64 }

// newRandom returns the generator of a part, so that no part depends on how
// many documents another has.
func newRandom(seed uint64, part string) *random {
	r := &random{seed}
	for _, c := range []byte(part) {
		r.state = r.next() ^ uint64(c)
	}
	return r
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// among returns one of several texts.
func (r *random) among(texts []string) string { return texts[r.below(len(texts))] }

// A choice is one of several things to write, and its share.
type choice[T any] struct {
	share int
	pick  T
}

// choose picks by share.
func choose[T any](r *random, choices []choice[T]) T {
	total := 0
	for _, c := range choices {
		total += c.share
	}
	n := r.below(total)
	for _, c := range choices {
		if n -= c.share; n < 0 {
			return c.pick
		}
	}
	panic("unreachable: n is below the total")
}
