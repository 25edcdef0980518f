package conformance

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
)

// ids.lock holds a line for every revision of every vector that ever was:
// identifier, rev and digest. Lines are only ever appended, so that an
// identifier is never used for something else, and no vector changes under the
// same rev.

// A lockLine is one line of ids.lock.
type lockLine struct {
	id   string
	rev  int
	hash string
}

func (l lockLine) String() string { return fmt.Sprintf("%s %d %s", l.id, l.rev, l.hash) }

// Unlocked returns the lines that ids.lock of a suite lacks: those of vectors
// that are new, or have a new rev. It returns none while something else is
// wrong, which [Load] reports.
func Unlocked(files fs.FS) (lines []string) {
	l := newLoader(files)
	l.load()
	if len(l.Problems) != len(l.unlocked) {
		return nil
	}
	for _, line := range l.unlocked {
		lines = append(lines, line.String())
	}
	return lines
}

// lock compares the vectors with ids.lock.
func (l *loader) lock() {
	text, err := fs.ReadFile(l.files, lockFile)
	if err != nil {
		l.Add(jsonfile.Place{File: lockFile, Line: 1}, "%v", err)
		return
	}
	latest, line := map[string]lockLine{}, map[string]int{}
	lines := strings.Split(string(text), "\n")
	for i, text := range lines[:len(lines)-1] {
		entry, ok := parseLockLine(text)
		if !ok {
			l.Add(jsonfile.Place{File: lockFile, Line: i + 1}, "%q is not of the form \"id rev hash\"", text)
			continue
		}
		if before := latest[entry.id]; entry.rev != before.rev+1 {
			l.Add(jsonfile.Place{File: lockFile, Line: i + 1}, "rev %d of %s follows rev %d", entry.rev, entry.id, before.rev)
		}
		latest[entry.id], line[entry.id] = entry, i+1
	}
	if lines[len(lines)-1] != "" {
		l.Add(jsonfile.Place{File: lockFile, Line: len(lines)}, "the last line has no end")
	}
	for _, v := range l.suite.Vectors {
		l.locked(v, latest[v.ID])
		delete(latest, v.ID)
	}
	for id := range latest {
		l.Add(jsonfile.Place{File: lockFile, Line: line[id]}, "%s is locked but gone; a vector that was wrong stays, with \"status\": \"retired\"", id)
	}
}

func parseLockLine(line string) (l lockLine, ok bool) {
	words := strings.Split(line, " ")
	if len(words) != 3 {
		return l, false
	}
	rev, err := strconv.Atoi(words[1])
	return lockLine{words[0], rev, words[2]}, err == nil
}

// locked compares a vector with the last line about it.
func (l *loader) locked(v *Vector, last lockLine) {
	want := lockLine{v.ID, v.Rev, v.Hash}
	switch {
	case last == want:
	case v.Rev == last.rev+1:
		l.unlocked = append(l.unlocked, want)
		l.Add(v.at, "%s@%d is not in %s; append the line\n%s", v.ID, v.Rev, lockFile, want)
	case v.Rev == last.rev:
		l.Add(v.at, "%s@%d has changed; give it rev %d and append the line\n%s", v.ID, v.Rev, v.Rev+1, lockLine{v.ID, v.Rev + 1, v.Hash})
	default:
		l.Add(v.at, "%s has rev %d, want %d or %d", v.ID, v.Rev, last.rev, last.rev+1)
	}
}
