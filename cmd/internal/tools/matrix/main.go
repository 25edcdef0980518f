// Matrix writes the page on which implementations stand beside each other,
// rule by rule, from what "ttl conform run" wrote about each:
//
//	go run ./cmd/internal/tools/matrix
//
// in the checkout writes docs/results/README.md. A test fails while that is
// stale. With -drift it compares the results in another folder, just made, with
// the committed ones, and fails if a verdict has changed or a run broke down:
//
//	go run ./cmd/internal/tools/matrix -drift /tmp/results
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

const folder = "docs/results"

func main() {
	fresh := flag.String("drift", "", "compare the results in this folder with the committed ones, and write nothing")
	flag.Parse()
	if err := run(*fresh); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

func run(fresh string) error {
	committed, err := load(folder)
	if err != nil {
		return err
	}
	if fresh == "" {
		return output.Replace(filepath.Join(folder, "README.md"), []byte(page(committed)))
	}
	now, err := load(fresh)
	if err != nil {
		return err
	}
	changes := drift(committed, now)
	for _, change := range changes {
		fmt.Println(change)
	}
	if len(changes) > 0 {
		return fmt.Errorf("the results of %s are not those of %s: if they are right, .ci/thirdparties %s writes them again", fresh, folder, folder)
	}
	return nil
}
