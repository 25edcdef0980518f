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
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

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
			if err := output.Remove(filepath.Join(folder, name)); err != nil {
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

// marker ends the text of a guide whose rules are links. What stands below it
// is written here: the addresses of the rules that the guide names.
const marker = "<!-- The links of the rules, written by `go run ./cmd/internal/tools/reference`. -->\n"

// named finds what looks like a rule, with what stands around it.
var named = regexp.MustCompile("(\\[?)`((?:mongo|cosmos)\\.[a-z0-9-]+)`(\\]?)")

// linkRules makes every rule that a guide names a link to its page. It returns
// a guide without the marker as it is. rules is the folder of the pages, as
// seen from the guide.
func linkRules(guide string, book *rulebook.Book, rules string) string {
	text, _, ok := strings.Cut(guide, marker)
	if !ok {
		return guide
	}
	links := map[string]string{}
	link := func(found string) string {
		m := named.FindStringSubmatch(found)
		p := book.Page(m[2])
		if p == nil {
			return found
		}
		links[m[2]] = rules + p.Path()
		return "[`" + m[2] + "`]"
	}
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			line = named.ReplaceAllStringFunc(line, link)
		}
		b.WriteString(line)
	}
	b.WriteString(marker + "\n")
	for _, id := range slices.Sorted(maps.Keys(links)) {
		fmt.Fprintf(&b, "[`%s`]: %s\n", id, links[id])
	}
	return b.String()
}

// guides returns the guides and the problems in a folder that carry the marker, by
// their names, as they should be.
func guides(folder string, book *rulebook.Book) (map[string]string, error) {
	all := map[string]string{}
	for pattern, rules := range map[string]string{"*.md": "rules/", "problems/*.md": "../rules/"} {
		names, err := fs.Glob(os.DirFS(folder), pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return nil, err
			}
			if strings.Contains(string(text), marker) {
				all[name] = drawVersions(linkRules(string(text), book, rules), book)
			}
		}
	}
	return all, nil
}

// drawn finds the mark of a row of releases in a guide, and what stands below.
var drawn = regexp.MustCompile("(?m)^<!-- The releases of ([a-z0-9.-]+)\\. -->\n```text\n(?:[^`]+\n)?```\n")

// drawVersions draws below its mark the releases for which a rule holds, as the
// page of the rule does.
func drawVersions(guide string, book *rulebook.Book) string {
	return drawn.ReplaceAllStringFunc(guide, func(found string) string {
		id := drawn.FindStringSubmatch(found)[1]
		p := book.Page(id)
		if p == nil {
			return found
		}
		return "<!-- The releases of " + id + ". -->\n```text\n" + p.VersionRows[0].Text() + "\n```\n"
	})
}
