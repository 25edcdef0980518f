// Command gate runs each hot path of the library a fixed number of times on fixed
// inputs, and every shape of hostile input with two sizes, for .ci/instructions to
// count. The number of instructions is the same on a busy machine and on a quiet one,
// so that CI notices a slower path without a clock; command peers measures times.
//
// It prints "path", a name and how often it has run for each path, and "shape", a
// name and the smaller size for each shape, in the order in which it runs them, all
// within main.measure. With the name of a shape it runs that one alone.
package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	deepen(256)
	for _, p := range paths() {
		if only == "" {
			count(p)
		}
	}
	for _, s := range allShapes() {
		if only == "" || only == s.name {
			grow(s)
		}
	}
}

// deepen makes the stack larger than any shape needs, so that it is never moved:
// callgrind loses track when a stack moves.
func deepen(levels int) byte {
	var frame [1 << 12]byte
	if levels > 0 {
		frame[levels] = deepen(levels - 1)
	}
	return frame[levels/2]
}

// runs is the number of times that a path is counted.
const runs = 5

func count(p path) {
	warm(p)
	for range runs {
		measureTurn(p.run)
	}
	fmt.Println("path", p.name, runs)
}

// grow runs a shape with n and with 2n inputs, after a small run that fills the caches of
// the runtime.
func grow(s shape) {
	s.make(2)()
	for _, n := range []int{s.n, 2 * s.n} {
		measureTurn(s.make(n))
	}
	fmt.Println("shape", s.name, s.n)
}

// measureTurn measures run at the start of a turn of the goroutine, so that the scheduler
// does not interrupt it.
func measureTurn(run func()) {
	runtime.Gosched()
	measure(run)
}

// measure is the function whose instructions callgrind counts.
//
//go:noinline
func measure(run func()) { run() }

// warm runs a path until the caches of type assertions are full. The runtime enters only
// one of 1,024 misses into a cache, chosen at random.
func warm(p path) {
	for range p.warm + 1 {
		p.run()
	}
}
