package citations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// An Entry is a line of testdata/sources.json: a source that vectors or rules
// cite, the day when it was read, and the places in it.
type Entry struct {
	policy.Citation
	Kind string `json:"kind"`
	// Versions are the releases of MongoDB that a test can run on.
	Versions string `json:"versions"`
	// Accessed is the day on which it was read last, in ISO 8601.
	Accessed string `json:"accessed"`
	// Asserts says in our words what a test asserts.
	Asserts string `json:"asserts"`
	// Pins are the places in a file, one for each range of releases.
	Pins []Pin `json:"pins"`
}

// A Pin is a place in one version of a file.
type Pin struct {
	// From is the first release that the pin covers; the range ends before the next pin's
	// From. It is "" for a file cited in one version only.
	From string `json:"from"`
	// Ref is the tag of a release, or a commit.
	Ref  string `json:"ref"`
	Path string `json:"path"` // the path of a folder ends with a slash
	// Symbol is the function or test to look for. Line is the line where it begins,
	// 0 if nobody has looked.
	Symbol string `json:"symbol"`
	Line   int    `json:"line"`
	// Unread means that the file exists in this version, but was read only in another
	// version.
	Unread bool `json:"unread"`
}

// Table returns the sources of testdata/sources.json by their addresses.
var Table = sync.OnceValue(func() map[string]Entry {
	text, err := testdata.Files.ReadFile("sources.json")
	if err != nil {
		panic(err) // the table is embedded
	}
	all, err := parse(text)
	if err != nil {
		panic("sources.json: " + err.Error()) // a test would have found the error
	}
	return all
})

func parse(text []byte) (map[string]Entry, error) {
	var file struct {
		Schema  string           `json:"$schema"`
		Format  string           `json:"format"`
		Sources map[string]Entry `json:"sources"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, err
	}
	byAddress := make(map[string]Entry, len(file.Sources))
	for key, s := range file.Sources {
		if other, ok := byAddress[s.Address]; ok {
			return nil, fmt.Errorf("%q and %q have the same address, %s", key, other.Title, s.Address)
		}
		byAddress[s.Address] = s
	}
	return byAddress, nil
}

// Of returns the entry of a citation. If the table has none, it returns an entry
// with only the citation itself.
func Of(c policy.Citation) Entry {
	if s, ok := Table()[c.Address]; ok {
		s.Title = c.Title
		return s
	}
	return Entry{Citation: c, Kind: KindOf(c)}
}

// At returns the pin that covers a release: the last pin if release is "", and the first for
// a release before all pins. It reports false if s has no pins.
func (s Entry) At(release string) (p Pin, ok bool) {
	if len(s.Pins) == 0 {
		return p, false
	}
	p = s.Pins[0]
	for _, next := range s.Pins[1:] {
		if release == "" || CompareReleases(next.From, release) <= 0 {
			p = next
		}
	}
	return p, true
}

// CompareReleases returns -1, 0 or +1 as a is before, equal to or after b. It compares
// by number: 4.10 is after 4.9, and 5.0 is 5.0.0.
func CompareReleases(a, b string) int {
	x, y := numbers(a), numbers(b)
	return slices.Compare(x[:], y[:])
}

func numbers(release string) (n [3]int) {
	for i, part := range strings.SplitN(release, ".", len(n)) {
		n[i], _ = strconv.Atoi(part)
	}
	return n
}

// file and thread match the addresses of files and threads in a repository.
var (
	file   = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (.+)$`)
	thread = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (issue|pull request) (\d+)$`)
)

// Link returns the address at which s can be read in the version for a release; "" means
// the newest version.
func (s Entry) Link(release string) string {
	if m := thread.FindStringSubmatch(s.Address); m != nil {
		kind := map[string]string{"issue": "issues", "pull request": "pull"}[m[2]]
		return "https://github.com/" + m[1] + "/" + kind + "/" + m[3]
	}
	m := file.FindStringSubmatch(s.Address)
	p, pinned := s.At(release)
	switch {
	case m == nil:
		return s.Address
	case !pinned:
		return "https://github.com/" + m[1]
	}
	return "https://github.com/" + m[1] + "/" + p.path()
}

// path returns the path of p in its repository: blob/r4.0.10/src/a.cpp#L5.
func (p Pin) path() string {
	kind := "blob"
	if strings.HasSuffix(p.Path, "/") {
		kind = "tree"
	}
	link := kind + "/" + p.Ref + "/" + strings.TrimSuffix(p.Path, "/")
	if p.Line > 0 {
		link += "#L" + strconv.Itoa(p.Line)
	}
	return link
}

// Version returns the tag of p, or its abbreviated commit.
func (p Pin) Version() string {
	if isCommit.MatchString(p.Ref) {
		return p.Ref[:10]
	}
	return p.Ref
}

var isCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// RunsOn reports whether a test can run on a release of MongoDB, as its Versions
// say: ">=5.0.14 <5.1.0 || >=6.0.2", "*" for all.
func (s Entry) RunsOn(release string) bool {
	within := func(part string) bool {
		for _, bound := range strings.Fields(part) {
			from, isFrom := strings.CutPrefix(bound, ">=")
			before, isBefore := strings.CutPrefix(bound, "<")
			if isFrom && CompareReleases(release, from) < 0 || isBefore && CompareReleases(release, before) >= 0 {
				return false
			}
		}
		return true
	}
	return s.Versions != "" && slices.ContainsFunc(strings.Split(s.Versions, "||"), within)
}
