package rulebook

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source is a citation of a page, for one release.
type Source struct {
	citations.Entry
	URL string
	Pin citations.Pin // the zero Pin for a source that is not a file
	// Later means that the file was read only in later releases.
	Later bool
	// Unopened is the version for the newest release, if the version for an earlier
	// release was read in its place.
	Unopened string
}

func sourceOf(c policy.Citation, release string) Source {
	entry := citations.Of(c)
	pin, _ := entry.At(release)
	later := release != "" && citations.CompareReleases(pin.From, release) > 0
	return Source{Entry: entry, URL: entry.Link(release), Pin: pin, Later: later}
}

// Place returns the place in a repository: the path, and the function or test; "" for a
// source that is not a file.
func (s Source) Place() string {
	switch p := s.Pin; {
	case p.Path == "":
		return ""
	case p.Symbol == "":
		return p.Path
	default:
		return p.Path + " · " + p.Symbol
	}
}

// Read says when s was read, and in which version.
func (s Source) Read() string {
	switch {
	case s.Accessed == "":
		return ""
	case s.Pin.Ref == "":
		return "read " + s.Accessed
	case s.Pin.Unread:
		return s.Pin.Version() + ", not opened; another version read " + s.Accessed
	}
	read := s.Pin.Version() + ", read " + s.Accessed
	if s.Later {
		read += "; of a later release"
	}
	if s.Unopened != "" {
		read += "; " + s.Unopened + " not opened"
	}
	return read
}

// Sources returns the sources of the rule. Each is in the version for the newest release
// for which the rule holds and at which the source was read. The best sources come first,
// and sources that were not read at any such release come last.
func (p *Page) Sources() (all []Source) {
	claimed := p.claimed()
	for _, c := range p.Citations() {
		all = append(all, newestRead(c, claimed))
	}
	slices.SortStableFunc(all, func(a, b Source) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

// newestRead returns a source in its version for the first of the releases at which it
// was read, or for releases[0] if it was read at none of them.
func newestRead(c policy.Citation, releases []string) Source {
	newest := sourceOf(c, releases[0])
	if !newest.Pin.Unread {
		return newest
	}
	for _, release := range releases[1:] {
		if s := sourceOf(c, release); !s.Pin.Unread && !s.Later {
			s.Unopened = newest.Pin.Version()
			return s
		}
	}
	return newest
}

func (s Source) rank() int {
	rank := citations.Rank(s.Citation)
	if s.Pin.Unread {
		rank += 100
	}
	return rank
}

// claimed returns the releases of MongoDB for which p holds, the newest first. If p is
// known to hold for no release, the result is a single "".
func (p *Page) claimed() (all []string) {
	for _, row := range p.VersionRows {
		for i, release := range slices.Backward(row.releases) {
			if row.System == systems[conformance.MongoDB] && row.supports[i] != DoesNotHold {
				all = append(all, release)
			}
		}
	}
	if all == nil {
		return []string{""}
	}
	return all
}

// Sources returns the sources of a, in their version for the newest release of a.
func (a Answer) Sources() (all []Source) {
	release := ""
	if a.Scope.System == conformance.MongoDB {
		release = a.Latest
	}
	for _, c := range a.Cites {
		all = append(all, sourceOf(c, release))
	}
	return all
}
