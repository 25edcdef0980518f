package behaviour

import (
	"cmp"
	"fmt"
)

// A Version is the number of a release of the server.
type Version struct{ Major, Minor, Patch uint16 }

func v(major, minor, patch uint16) Version { return Version{major, minor, patch} }

// Compare returns -1, 0 or +1 as r is before, equal to or after s.
func (r Version) Compare(s Version) int {
	return cmp.Or(cmp.Compare(r.Major, s.Major), cmp.Compare(r.Minor, s.Minor), cmp.Compare(r.Patch, s.Patch))
}

// String returns r as "8.0.4".
func (r Version) String() string { return fmt.Sprintf("%d.%d.%d", r.Major, r.Minor, r.Patch) }

// isSince reports whether r is the given release or a later one.
func (r Version) isSince(major, minor, patch uint16) bool {
	return r.Compare(Version{major, minor, patch}) >= 0
}

// NextLine returns the first version number of the release line after the line of r. It
// may be a number that was never released.
func (r Version) NextLine() Version {
	if r.Minor < 9 {
		return Version{r.Major, r.Minor + 1, 0}
	}
	return Version{r.Major + 1, 0, 0}
}
