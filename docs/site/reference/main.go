// Reference writes the pages of the rules from the two catalogues, the vectors,
// their mutants and the results of other implementations:
//
//	go run ./docs/site/reference
//
// Run it in the checkout. It writes docs/rules, and removes pages that belong to no rule.
// It writes the releases and repairs that the playground knows, and the texts of package reasons. In
// the guides that carry its mark it makes every rule a link to its page. A test fails
// while a file is stale.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/docs/site/records"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

//go:generate sh -c "cd ../../.. && go run ./docs/site/reference"

func main() {
	if err := run("docs"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run brings the pages in a folder up to date.
func run(docs string) error {
	_, book, err := rulebook.Read(filepath.Dir(docs))
	if err != nil {
		return fmt.Errorf("run it in the root of the checkout: %w", err)
	}
	if err := write(filepath.Join(docs, "rules"), book.Markdown()); err != nil {
		return err
	}
	linked, err := guides(docs, book)
	if err != nil {
		return err
	}
	small, err := forPrograms(book)
	if err != nil {
		return err
	}
	maps.Copy(linked, small)
	for name, text := range linked {
		if err := os.WriteFile(filepath.Join(docs, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// forPrograms returns the files by which small programs have parts of the records and of the
// suite, by their names: the texts of package reasons; and for the playground the repairs that it
// proposes, and the releases that it offers.
func forPrograms(book *rulebook.Book) (map[string]string, error) {
	texts, err := records.Texts()
	if err != nil {
		return nil, err
	}
	ways := map[string][]rulebook.Way{}
	for p := range book.Pages() {
		for _, w := range p.Repair.Ways {
			if w.For != "" {
				ways[p.ID()] = append(ways[p.ID()], w)
			}
		}
	}
	list := suite.Embedded().Releases(conformance.MongoDB)
	var last []string // of each line of releases
	for i, release := range list {
		if i+1 == len(list) || releases.LineOf(list[i+1]) != releases.LineOf(release) {
			last = append(last, release)
		}
	}
	recorded, err := json.MarshalIndent(map[string]any{"releases": last, "repairs": ways}, "", " ")
	return map[string]string{"../cmd/judging/reasons/texts.json": string(texts), "site/playground/recorded.json": string(recorded) + "\n"}, err
}

// write writes the pages into a folder in place of all others there.
func write(folder string, pages map[string]string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, text := range pages {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// marker ends the hand-written text of a guide whose rules are links. Below it this program
// writes the addresses of the rules that the guide names.
const marker = "<!-- The links of the rules, written by `go run ./docs/site/reference`. -->\n"

// named finds texts that look like rules, with the brackets around them.
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

// guides returns the updated texts of the guides and problems in a folder that carry the
// marker, by their names.
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
				all[name] = linkRules(string(text), book, rules)
			}
		}
	}
	return all, nil
}
