package behaviour

import (
	"cmp"
	"fmt"
)

// A Version is the number of a release of a product.
type Version struct {
	Product             string // [DocumentDB]; "" for MongoDB
	Major, Minor, Patch uint16
}

func v(major, minor, patch uint16) Version { return Version{"", major, minor, patch} }

// Compare returns -1, 0 or +1 as r is before, equal to or after s. All releases of MongoDB
// are before those of another product.
func (r Version) Compare(s Version) int {
	return cmp.Or(cmp.Compare(r.Product, s.Product), cmp.Compare(r.Major, s.Major), cmp.Compare(r.Minor, s.Minor), cmp.Compare(r.Patch, s.Patch))
}

// String returns r as "8.0.4", or as "documentdb@0.112.0" for another product.
func (r Version) String() string {
	number := fmt.Sprintf("%d.%d.%d", r.Major, r.Minor, r.Patch)
	if r.Product != "" {
		return r.Product + "@" + number
	}
	return number
}

// isSince reports whether r is the given release or a later one of the same product.
func (r Version) isSince(major, minor, patch uint16) bool {
	return r.Compare(Version{r.Product, major, minor, patch}) >= 0
}

// NextLine returns the first version number of the release line after the line of r. It
// may be a number that was never released.
func (r Version) NextLine() Version {
	if r.Minor < 9 || r.Product != "" {
		return Version{r.Product, r.Major, r.Minor + 1, 0}
	}
	return Version{r.Product, r.Major + 1, 0, 0}
}
