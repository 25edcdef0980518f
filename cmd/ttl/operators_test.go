package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

var update = flag.Bool("update", false, "name the newest release where a page shows an older one, and the command does not")

// TestConsoles runs every command that a page shows, and compares the page with its
// output. If only the newest release of MongoDB differs, -update corrects the page.
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
		page := contents(t, name)
		sessions := consoles(page)
		if len(sessions) < least {
			t.Fatalf("%s: %d commands, want %d", name, len(sessions), least)
		}
		if text := checkConsoles(t, name, page, sessions); text != page {
			writeFile(t, name, []byte(text))
		}
	}
}

// checkConsoles compares the output of a page's commands with the page, and returns the
// text of the page, which -update corrects.
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
		if today := refit(s.output, r.out+r.err); *update && missing != "" && follow(today, r.out+r.err) == "" {
			text = strings.ReplaceAll(text, strings.Join(s.output, "\n"), strings.Join(today, "\n"))
			missing = ""
		}
		if missing != "" || (r.err != "") != shown {
			t.Errorf("%s prints\n%s%s\nand not, as %s says,\n%s", s.command, r.out, r.err, page, missing)
		}
	}
	return text
}

// refit replaces an excerpt of a command's earlier output by the same excerpt of its
// output today. Each part between omitted lines begins and ends at the same lines as
// before, if these are still in the output. If none of its lines is still in the output,
// a part stays as it was, except that the newest release replaces another.
func refit(excerpt []string, out string) (today []string) {
	rest := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	isLast := func(i int) bool { return i == len(excerpt) }
	for start := 0; start < len(excerpt); {
		end := start + slices.Index(append(slices.Clone(excerpt[start:]), leftOut), leftOut)
		part := excerpt[start:end]
		from, to := stretch(part, rest)
		if start == 0 {
			from, to = 0, max(to, min(len(part), len(rest)))
		}
		if isLast(end) {
			to = len(rest)
		}
		if from < to {
			part = rest[from:to]
		} else {
			part = ofToday(part)
		}
		today, rest = append(today, part...), rest[to:]
		if !isLast(end) {
			today = append(today, leftOut)
		}
		start = end + 1
	}
	return today
}

var shownRelease = regexp.MustCompile(`MongoDB \d+\.\d+\.\d+`)

// ofToday returns lines with the newest release of MongoDB in the place of any other.
func ofToday(lines []string) (today []string) {
	for _, line := range lines {
		today = append(today, shownRelease.ReplaceAllString(line, "MongoDB "+fixture.Latest))
	}
	return today
}

// stretch returns the place of a part of an excerpt in lines: from the first to the last
// line of the part that is still in lines. If the part goes on after that last line, its
// place extends to the end of the paragraph.
func stretch(part, lines []string) (from, to int) {
	first, last := -1, -1 // in lines
	tail := 0             // the number of lines of the part after the last
	for i, line := range part {
		at := slices.Index(lines[max(last, 0):], line)
		if at < 0 || line == "" {
			continue
		}
		last, tail = max(last, 0)+at, len(part)-1-i
		if first < 0 {
			first = max(last-i, 0)
		}
	}
	if first < 0 {
		return 0, 0
	}
	if to = last + 1; tail > 0 {
		paragraph := slices.Index(append(slices.Clone(lines[to:]), ""), "")
		to = min(max(to+paragraph, to), len(lines))
	}
	return first, to
}

// A console is a command that a page shows, with its output.
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

// arguments splits a command line as a shell does. It supports only single
// quotes.
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

// leftOut is a line of a page that matches any lines.
const leftOut = "…"

// follow returns the lines of a page that are missing in out, or "" if no line is
// missing. Lines of the page between two leftOut lines must stand together in out, in
// order.
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

// TestRefit: refit updates an excerpt if the output has changed.
func TestRefit(t *testing.T) {
	t.Parallel()
	const out = "head 2\n\nrule\n  says\n  more\n  and more\n\nlist\n  one\n  two\n  three\n"
	for excerpt, want := range map[string]string{
		"head 1\n…":                          "head 2\n…",
		"…\nrule\n  said\n…":                 "…\nrule\n  says\n  more\n  and more\n…",
		"…\nrule\n  says\n  more\n…":         "…\nrule\n  says\n  more\n…",
		"…\nlist\n  one\n  2\n  three":       "…\nlist\n  one\n  two\n  three",
		"…\nrule\n…\n  zwei\n  three":        "…\nrule\n…\n  two\n  three",
		"…\nnothing of it\n…":                "…\nnothing of it\n…",
		"head 1\n…\nrule\n  said\n\nlist\n…": "head 2\n…\nrule\n  says\n  more\n  and more\n\nlist\n…",
	} {
		if got := strings.Join(refit(strings.Split(excerpt, "\n"), out), "\n"); got != want {
			t.Errorf("refit(%q) = %q, want %q", excerpt, got, want)
		}
	}
}

// TestFollow: follow accepts right pages, and detects wrong ones.
func TestFollow(t *testing.T) {
	t.Parallel()
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
