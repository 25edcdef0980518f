// Reference writes the pages of the rules from the two catalogues:
//
//	go run ./cmd/internal/reference
//
// in the checkout writes docs/rules. A test fails while what is there is stale.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	for name, text := range pages() {
		path := filepath.Join("docs", "rules", name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
