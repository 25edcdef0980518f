// Command boundaries checks the commits of testdata/boundaries in clones of the server's
// public histories:
//
//	boundaries CLONE…
//
// CLONE is the folder of a clone, such as of axelfast/mongo, cswanson310/mongo and
// check-spelling/mongo, which end at different days. For each boundary that names a commit
// the program checks that the commit has the parent, the date and the ticket that the
// boundary names, that it changes the cited line, and that its ancestry gives the release:
//
//   - up to 4.2.0 the commit is an ancestor of the first release's tag, and not of the tag
//     before;
//   - of 4.4.0 it is an ancestor of the commit at which the branch of 4.4 begins;
//   - of 5.0.0 it is not, and is an ancestor of the state of May 2021 that was run, from
//     which 5.0.0 is inferred;
//   - a backport is after the branch of its release.
//
// A state of the main branch is not a release, and a date proves nothing. The program
// prints a line for each boundary, and fails if a check fails, or if no clone has a commit.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const (
	branch44      = "c593d0fb6eec6b4f3c7ae02a5c3de73ad6e3af95" // the commit at which the branch of 4.4 begins
	development50 = "5c9288ff2d32ef9b24625883e6f67d279f344356" // the state of the main branch of 2021-05-18
)

func run(w io.Writer, clones []string) error {
	if len(clones) == 0 {
		return errors.New("boundaries: want the folders of clones")
	}
	all, inferred, checked, failed := 0, 0, 0, 0
	for _, behaviour := range citations.Boundaries() {
		for _, b := range behaviour.Boundaries {
			if all++; b.Inferred != "" {
				inferred++
			}
			if b.Commit == nil {
				continue
			}
			checked++
			how, err := check(clones, b)
			if err != nil {
				failed++
				how = "FAILED: " + err.Error()
			}
			fmt.Fprintf(w, "%-34s %-7s %.10s %s %-12s %s\n", behaviour.Name, b.Since, b.Commit.Hash, b.Commit.Date, b.Commit.Ticket, how)
		}
	}
	fmt.Fprintf(w, "%d boundaries: %d established, %d inferred; %d commits checked, %d failed\n", all, all-inferred, inferred, checked, failed)
	if failed > 0 {
		return fmt.Errorf("boundaries: %d of %d commits failed", failed, checked)
	}
	return nil
}

// check checks the commit of a boundary in the first clone that can, and returns how its ancestry
// gives the release.
func check(clones []string, b citations.Boundary) (how string, err error) {
	err = errors.New("no clone has the commit")
	for _, clone := range clones {
		h := history(clone)
		if !h.has(b.Commit.Hash) {
			continue
		}
		if err := h.checkChange(b.Commit); err != nil {
			return "", err
		}
		if how, err = h.checkRelease(b); err == nil {
			return how, nil
		}
	}
	return "", err
}

// A history is the folder of a clone.
type history string

func (h history) git(args ...string) (string, error) {
	command := exec.Command("git", append([]string{"-C", string(h)}, args...)...)
	out, err := command.Output()
	return strings.TrimRight(string(out), "\n"), err
}

func (h history) has(commit string) bool {
	_, err := h.git("rev-parse", "--verify", "--quiet", commit+"^{commit}")
	return err == nil
}

// isAncestor reports whether a commit is an ancestor of another one, or of a tag.
func (h history) isAncestor(commit, of string) bool {
	_, err := h.git("merge-base", "--is-ancestor", commit, of)
	return err == nil
}

var ticket = regexp.MustCompile(`[A-Z]+-\d+`)

// checkChange checks that a commit is the one that a boundary describes, and that it
// changes the cited line.
func (h history) checkChange(c *citations.Commit) error {
	path, line, removed, ok := c.Place()
	if !ok {
		return errors.New("the commit is described incompletely")
	}
	parents, err := h.git("log", "-1", "--format=%P", c.Hash)
	if err != nil || !slices.Contains(strings.Fields(parents), c.Parent) {
		return fmt.Errorf("its parent is %s, not %s", parents, c.Parent)
	}
	if date, _ := h.git("log", "-1", "--format=%cs", c.Hash); date != c.Date {
		return fmt.Errorf("its date is %s", date)
	}
	if subject, _ := h.git("log", "-1", "--format=%s", c.Hash); ticket.FindString(subject) != c.Ticket {
		return fmt.Errorf("it is about %q", subject)
	}
	diff, err := h.git("diff", "--no-renames", "--no-color", "-U0", c.Parent, c.Hash, "--", path)
	if err != nil {
		return err
	}
	if !changesLine(diff, line, removed) {
		return fmt.Errorf("it does not change %s:%d", path, line)
	}
	return nil
}

var hunk = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// changesLine reports whether a diff without context adds a line of the new version, or
// removes one of the old version.
func changesLine(diff string, line int, removed bool) bool {
	for text := range strings.SplitSeq(diff, "\n") {
		m := hunk.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		first, count := m[3], m[4]
		if removed {
			first, count = m[1], m[2]
		}
		from, _ := strconv.Atoi(first)
		n := 1
		if count != "" {
			n, _ = strconv.Atoi(count)
		}
		if from <= line && line < from+n {
			return true
		}
	}
	return false
}

// checkRelease checks that the ancestry of a commit gives the release of a boundary, and
// returns how.
func (h history) checkRelease(b citations.Boundary) (how string, err error) {
	commit := b.Commit.Hash
	// The commit is an ancestor of the state in, and none of the state after.
	var in, after string
	switch {
	case citations.CompareReleases(b.Since, "4.4.0") < 0:
		in, after = tagOf(b.First), tagOf(b.Before)
		how = "in " + strings.TrimPrefix(in, tagPrefix) + ", and not in " + strings.TrimPrefix(after, tagPrefix)
	case b.Commit.Backport:
		after, how = branch44, "after the branch of 4.4, to which it came by a backport"
	case b.Since == "4.4.0":
		in, how = branch44, "before the branch of 4.4"
	case b.Since == "5.0.0":
		in, after, how = development50, branch44, "after the branch of 4.4, and in 5.0-dev"
	default:
		return "", fmt.Errorf("no branch point is known for %s", b.Since)
	}
	for _, state := range []string{in, after} {
		if state != "" && !h.has(state) {
			return "", fmt.Errorf("no clone has %s", state)
		}
	}
	if in != "" && !h.isAncestor(commit, in) || after != "" && h.isAncestor(commit, after) {
		return "", fmt.Errorf("it is not %s", how)
	}
	return how, nil
}

const tagPrefix = "refs/tags/"

// tagOf returns the tag of a place.
func tagOf(place string) string {
	p, _ := citations.ParsePlace(place)
	return tagPrefix + p.Ref
}
