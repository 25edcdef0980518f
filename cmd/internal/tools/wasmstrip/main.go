// Command wasmstrip removes the data that only stack traces need from a WebAssembly
// module that Go has linked: the lines of the source, and the names of functions outside
// the runtime. It makes the compressed playground a sixth smaller. The linker has no
// option for it. A trace has question marks in their place.
//
//	go run ./cmd/internal/tools/wasmstrip module.wasm
//
// It knows the tables of Go 1.20 to 1.26 (src/runtime/symtab.go and runtime2.go), and
// refuses a module with other tables.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "wasmstrip:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("want the name of one module")
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	stripped, err := strip(module)
	if err != nil {
		return err
	}
	return output.Replace(args[0], stripped)
}

// strip returns a module without the data that only traces need.
func strip(module []byte) ([]byte, error) {
	all, err := sections(module)
	if err != nil {
		return nil, err
	}
	stripped, found := module[:8:8], false
	for _, s := range all {
		if s.id == dataSection {
			if s.body, err = stripData(s.body); err != nil {
				return nil, err
			}
			found = true
		}
		stripped = binary.AppendUvarint(append(stripped, s.id), uint64(len(s.body)))
		stripped = append(stripped, s.body...)
	}
	if !found {
		return nil, errNotWasm
	}
	return stripped, nil
}

func stripData(data []byte) ([]byte, error) {
	memory, err := memoryOf(data)
	if err != nil {
		return nil, err
	}
	t, err := findTable(memory)
	if err != nil {
		return nil, err
	}
	if err := t.strip(); err != nil {
		return nil, err
	}
	return dataOf(memory), nil
}
