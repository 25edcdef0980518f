// Command peers measures the library against everything a user would pick
// instead, and against the limits of any implementation. It makes the table of
// ratios in docs/performance.md.
//
//	go run ./conformance/peers
//
// It first checks that all sides give the same answers, then runs them in turn
// and compares medians of that one run. It measures the public API alone, and
// is a module of its own because the peers are heavy: a database driver, four
// policy languages, five readers of JSON.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := newCommand().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}
