// Command gate runs each hot path of the library a fixed number of times on
// fixed inputs, for .ci/instructions to count. Instructions are the same on a
// busy machine and on a quiet one, so that a slower path is noticed in CI
// without a clock; what they cost is the matter of command peers.
//
// It prints the name of each path, and the bytes of a document that grows, in the
// order in which it runs them, five times each, within main.measure.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	for _, p := range paths() {
		warm(p)
		for range 5 {
			// A turn that has just begun is not cut short by the scheduler.
			runtime.Gosched()
			measure(p.run)
		}
		fmt.Println(p.name, p.bytes)
	}
}

// measure is what callgrind is told to count.
//
//go:noinline
func measure(run func()) { run() }

// warm runs a path until the caches of type assertions are full: the runtime
// enters one miss in 1,024, chosen at random.
func warm(p path) {
	for range p.warm + 1 {
		p.run()
	}
}
