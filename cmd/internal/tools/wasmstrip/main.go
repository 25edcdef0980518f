// Command wasmstrip strips a WebAssembly module that Go has linked of the data that only
// stack traces need: the lines of the source, and the names of functions outside the
// runtime. It makes the compressed playground a sixth smaller. The linker has no option
// for it. A trace has question marks in their place.
//
//	go run ./cmd/internal/tools/wasmstrip module.wasm
//
// It knows the tables of Go 1.20 to 1.26 (src/runtime/symtab.go and runtime2.go), and
// refuses a module that has others.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wasmstrip:", err)
		os.Exit(1)
	}
}
