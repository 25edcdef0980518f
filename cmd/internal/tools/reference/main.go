// Reference writes the pages of the rules from the two catalogues, the vectors,
// their mutants and the results of other implementations:
//
//	go run ./cmd/internal/tools/reference
//
// in the checkout writes docs/rules, and removes what is a page of no rule. In
// the guides that carry its mark it makes every rule a link to its page. A test
// fails while what is there is stale.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
)

//go:generate sh -c "cd ../../../.. && go run ./cmd/internal/tools/reference"

func main() {
	if err := run("docs"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run brings the pages in a folder up to date.
func run(docs string) error {
	book, err := rulebook.Embedded()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(docs, "rules")); err != nil {
		return fmt.Errorf("run it in the root of the checkout: %w", err)
	}
	if err := write(filepath.Join(docs, "rules"), book.Markdown()); err != nil {
		return err
	}
	linked, err := guides(docs, book)
	if err != nil {
		return err
	}
	for name, text := range linked {
		if err := output.Replace(filepath.Join(docs, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// write makes folder hold the pages, and no other.
func write(folder string, pages map[string]string) error {
	names, err := written(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := pages[name]; !ok {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	for name, text := range pages {
		if err := output.Replace(filepath.Join(folder, filepath.FromSlash(name)), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// written returns the names of the pages in folder, and in its folders.
func written(folder string) (names []string, err error) {
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := fs.Glob(os.DirFS(folder), pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}
