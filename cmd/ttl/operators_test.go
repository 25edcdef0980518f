package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

var update = flag.Bool("update", false, "name the newest release where a page shows an older one, and the command does not")

// TestConsoles runs every command that a page shows, and holds the page to what
// it prints. Where only the newest release of MongoDB is another, -update writes it.
func TestConsoles(t *testing.T) {
	t.Chdir("../..") // where the pages' commands run
	pages := map[string]int{"docs/operators.md": 5, "docs/plan.md": 1, "docs/null-on-dotted-paths.md": 4, "README.md": 1}
	problems, err := filepath.Glob("docs/problems/*.md")
	if err != nil || len(problems) < 20 {
		t.Fatalf("%d problems, %v; want at least 20", len(problems), err)
	}
	for _, name := range problems {
		if filepath.Base(name) != "README.md" {
			pages[name] = 1
		}
	}
	for name, least := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sessions := consoles(string(page))
		if len(sessions) < least {
			t.Fatalf("%s: %d commands, want %d", name, len(sessions), least)
		}
		if text := checkConsoles(t, name, string(page), sessions); text != string(page) {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkConsoles returns the text of a page, with -update as it should be.
func checkConsoles(t *testing.T, page, text string, sessions []console) string {
	t.Helper()
	for _, s := range sessions {
		words := arguments(strings.Replace(s.command, "go run ./cmd/ttl", "ttl", 1))
		if len(words) < 2 || words[0] != "ttl" {
			t.Errorf("%q is no command of ttl", s.command)
			continue
		}
		r := ttl(t, "", words[1:]...)
		shown := strings.HasPrefix(s.output[len(s.output)-1], "ttl: ") // a page about an error shows it
		missing := follow(s.output, r.out+r.err)
		if today := ofToday(s.output); *update && missing != "" && follow(today, r.out+r.err) == "" {
			text = strings.ReplaceAll(text, strings.Join(s.output, "\n"), strings.Join(today, "\n"))
			missing = ""
		}
		if missing != "" || (r.err != "") != shown {
			t.Errorf("%s prints\n%s%s\nand not, as %s says,\n%s", s.command, r.out, r.err, page, missing)
		}
	}
	return text
}

var shownRelease = regexp.MustCompile(`MongoDB \d+\.\d+\.\d+`)

// ofToday returns lines with the newest release of MongoDB in the place of any other.
func ofToday(lines []string) (today []string) {
	for _, line := range lines {
		today = append(today, shownRelease.ReplaceAllString(line, "MongoDB "+fixture.Latest))
	}
	return today
}

// A console is a command that a page shows, and what it prints.
type console struct {
	command string
	output  []string // lines
}

// consoles returns the commands of a page.
func consoles(page string) (all []console) {
	for _, block := range regexp.MustCompile("(?s)\n```console\n\\$ ([^\n]*)\n(.*?)\n```\n").FindAllStringSubmatch(page, -1) {
		all = append(all, console{block[1], strings.Split(block[2], "\n")})
	}
	return all
}

// arguments splits a command line as a shell does, as far as quotes go that
// are single.
func arguments(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// leftOut is a line of a page that stands for any lines.
const leftOut = "…"

// follow returns the lines that are not in out as a page says, "" if all are:
// those between two lines left out stand together, in order.
func follow(lines []string, out string) string {
	rest := "\n" + strings.TrimSuffix(out, "\n") + "\n"
	anchored := true // the next lines begin where the last ended
	for part := range strings.SplitSeq(strings.Join(lines, "\n")+"\n", leftOut+"\n") {
		if part != "" {
			at := strings.Index(rest, "\n"+part)
			if at < 0 || anchored && at > 0 {
				return part
			}
			rest = rest[at+len(part):]
		}
		anchored = false
	}
	if lines[len(lines)-1] != leftOut && rest != "\n" {
		return fmt.Sprintf("nothing after %q", lines[len(lines)-1])
	}
	return ""
}

// TestFollow tries the check on pages that are wrong.
func TestFollow(t *testing.T) {
	const out = "one\ntwo\nthree\nfour\n"
	for page, want := range map[string]bool{
		"one\ntwo\nthree\nfour": true, "one\n…\nfour": true, "…\ntwo\nthree\n…": true, "one\n…": true, "…\nfour": true, "…": true, "one\ntwo\n…\nfour": true,
		"two\n…": false, "one\n…\nthree": false, "one": false, "…\nthree\ntwo\n…": false, "one\n…\ntw\n…": false, "…\ntwo\n…\none\n…": false, "…\nfive\n…": false, "one\nthree\n…": false,
	} {
		if got := follow(strings.Split(page, "\n"), out) == ""; got != want {
			t.Errorf("follow(%q) finds it right: %v, want %v", page, got, want)
		}
	}
}
