package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
)

// ids.lock holds a line for every revision of every vector that ever existed:
// identifier, rev and digest. Lines are only appended, so that an identifier is
// never reused, and no vector changes without a new rev.

// A lockLine is one line of ids.lock.
type lockLine struct {
	id   string
	rev  int
	hash string
}

func (l lockLine) String() string { return fmt.Sprintf("%s %d %s", l.id, l.rev, l.hash) }

// Unlocked returns the lines that ids.lock of a suite lacks: the lines of vectors that are
// new or have a new rev. It returns none while the suite has other faults, which [Load]
// reports.
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
		l.Add(jsonfile.Place{File: lockFile, Line: len(lines)}, "the last line does not end in a newline")
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
		l.Add(v.At, "%s@%d is not in %s; append the line %q", v.ID, v.Rev, lockFile, want)
	case v.Rev == last.rev:
		l.Add(v.At, "%s@%d has changed; give it rev %d and append the line %q", v.ID, v.Rev, v.Rev+1, lockLine{v.ID, v.Rev + 1, v.Hash})
	default:
		l.Add(v.At, "%s has rev %d, want %d or %d", v.ID, v.Rev, last.rev, last.rev+1)
	}
}

// digest returns a short hash of a vector's question and answers. Titles,
// rules, flags and evidence may change without a new rev, even if that splits a
// row.
func digest(vector jsonfile.Node) string {
	h := sha256.New()
	for _, name := range []string{"op", "in", "want", "unspecified"} {
		n, _ := vector.Member(name)
		if name == "want" {
			n.Raw = comparableRows(n.Raw)
		}
		h.Write(append(jsonfile.Compact(n.Raw), 0))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// A rowFields holds the members of a row, or of an answer in a row.
type rowFields = map[string]json.RawMessage

// comparableRows returns a list of rows without the members about evidence. It joins rows
// that differ only in their versions. Anything but a list of objects is returned
// unchanged.
func comparableRows(list json.RawMessage) json.RawMessage {
	rows, ok := withoutEvidence(list)
	if !ok {
		return list
	}
	if joined, ok := joinedRows(rows); ok {
		rows = joined
	}
	return encode(rows, list)
}

// withoutEvidence reads a list of rows, or of the answers in a row, without the
// members about their evidence.
func withoutEvidence(list json.RawMessage) (rows []rowFields, ok bool) {
	if json.Unmarshal(list, &rows) != nil {
		return nil, false
	}
	for _, row := range rows {
		delete(row, "evidence")
		delete(row, "cites")
		if answers, ok := withoutEvidence(row["anyOf"]); ok {
			row["anyOf"] = encode(answers, row["anyOf"])
		}
	}
	return rows, true
}

// joinedRows joins rows that differ only in their versions, unless they are of
// a service without versions.
func joinedRows(rows []rowFields) (joined []rowFields, ok bool) {
	read := make([]versions, len(rows))
	for i, row := range rows {
		var text string
		json.Unmarshal(row["versions"], &text)
		v, err := parseVersions(text)
		if err != nil {
			return nil, false // a service without versions, or malformed versions, which another check reports
		}
		read[i] = v
	}
	var all []versions // versions of the joined rows
	var rest []string  // other members of the joined rows, as JSON
	for i, row := range rows {
		v := read[i]
		delete(row, "versions")
		key := string(encode(row, nil))
		if i := slices.Index(rest, key); i >= 0 {
			all[i].spans = append(all[i].spans, v.spans...)
			continue
		}
		joined, all, rest = append(joined, row), append(all, v), append(rest, key)
	}
	for i, row := range joined {
		row["versions"] = encode(all[i].normal(), nil)
	}
	return joined, true
}

// encode returns v as JSON, or the text otherwise if v has no JSON.
func encode(v any, otherwise json.RawMessage) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return otherwise
	}
	return b
}
