package citations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// A Behaviour is one difference between releases of MongoDB, with the releases
// at which it changes.
type Behaviour struct {
	// Name is the name of a field of the profile in package mongo, or "namespaces."
	// and the kind of a namespace.
	Name       string     `json:"behaviour"`
	About      string     `json:"about"` // a sentence
	Boundaries []Boundary `json:"boundaries"`
}

// A Boundary is a release whose behaviour differs from that of the release
// before it, with the places where both were read.
type Boundary struct {
	Since string `json:"since"` // the release
	Does  string `json:"does"`  // the behaviour from that release on
	// Before and First are the places where the behaviour was read: in the last release
	// without the change and in the first with it, as "r3.2.22 src/mongo/db/ttl.cpp:205";
	// "" for a place that was not read.
	Before string `json:"before"`
	First  string `json:"first"`
	// Commit is the commit that brought the change; nil if it is not known.
	Commit *Commit `json:"commit"`
	// Inferred says why the release counts as the first although one or both places were
	// not read; "" if both were read, or if Commit is before the branch of the release.
	Inferred string `json:"inferred"`
	// Run lists releases, and states of the main branch, that were run to observe the
	// behaviour.
	Run []string `json:"run"`
}

// A Commit is a commit of MongoDB's server, and a line that it changes. The release of a
// boundary follows from the ancestry of the commit, not from its date: a commit is in
// x.0.0 if it is an ancestor of the commit at which the branch of x.0 begins. The program
// conformance/lab/boundaries checks that in the public histories.
type Commit struct {
	Hash   string `json:"hash"`
	Parent string `json:"parent"`
	Date   string `json:"date"`   // in ISO 8601, of the committer
	Ticket string `json:"ticket"` // "" if its message names none
	// Line is a line that the commit adds, as "src/mongo/db/ttl.cpp:205", and Gone one of
	// the parent that it removes. One of them is "".
	Line string `json:"line"`
	Gone string `json:"gone"`
	// Backport means that the commit is after the branch of the release, and came to it by
	// a backport that no public history holds.
	Backport bool `json:"backport"`
}

var commitLine = regexp.MustCompile(`^([\w./-]+):([1-9]\d*)$`)

// Place returns the file and the line that c changes. It reports false if c lacks a whole
// hash, its parent, a date or exactly one line.
func (c *Commit) Place() (path string, line int, removed, ok bool) {
	text := c.Line + c.Gone
	m := commitLine.FindStringSubmatch(text)
	if m == nil || c.Line != "" && c.Gone != "" || !isCommit.MatchString(c.Hash) || !isCommit.MatchString(c.Parent) {
		return "", 0, false, false
	}
	if _, err := time.Parse(time.DateOnly, c.Date); err != nil {
		return "", 0, false, false
	}
	line, err := strconv.Atoi(m[2])
	return m[1], line, c.Gone != "", err == nil
}

// Link returns the address of c in the repository of MongoDB's server.
func (c *Commit) Link() string { return "https://github.com/mongodb/mongo/commit/" + c.Hash }

// Boundaries returns the behaviours of testdata/boundaries, by file and in the
// order within each.
var Boundaries = sync.OnceValue(func() []Behaviour {
	all, err := readBoundaries(testdata.Files)
	if err != nil {
		panic(err) // the files are embedded, and a test reads them
	}
	return all
})

func readBoundaries(files fs.FS) (all []Behaviour, err error) {
	names, err := fs.Glob(files, "boundaries/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var some []Behaviour
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&some); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// place matches a line of a file of MongoDB's server in one version.
var place = regexp.MustCompile(`^(r\d+\.\d+\.\d+(?:-rc\d+)?|[0-9a-f]{40}) ([\w./-]+):([1-9]\d*)$`)

// ParsePlace reads "r3.2.22 src/mongo/db/ttl.cpp:205": a tag or a whole commit, a
// file and a line. It reports false for any other text.
func ParsePlace(text string) (p Pin, ok bool) {
	m := place.FindStringSubmatch(text)
	if m == nil {
		return p, false
	}
	line, err := strconv.Atoi(m[3])
	return Pin{Ref: m[1], Path: m[2], Line: line}, err == nil
}

// ServerLink returns the address of p in the repository of MongoDB's server.
func (p Pin) ServerLink() string { return "https://github.com/mongodb/mongo/" + p.path() }
