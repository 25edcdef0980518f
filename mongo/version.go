package mongo

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Version is a MongoDB server release, such as 8.0.4. Versions compare with
// ==; Compare gives their order. The zero Version is not a release.
type Version struct {
	Major, Minor, Patch uint16
}

// ParseVersion parses a release of two or three numbers: "8.0.4", or "8.0" for
// 8.0.0. It accepts no prefix, no suffix, no sign and no leading zero.
func ParseVersion(s string) (Version, error) {
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return Version{}, fmt.Errorf("mongo: version %q is not of the form 8.0 or 8.0.4", s)
	}
	var numbers [3]uint16
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return Version{}, fmt.Errorf("mongo: version %q: %q is not a number of a release", s, part)
		}
		numbers[i] = uint16(n)
	}
	return Version{numbers[0], numbers[1], numbers[2]}, nil
}

// Compare returns -1, 0 or +1 as v is before, equal to or after w.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// String returns v as "8.0.4".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// ErrUnknownVersion is wrapped by the error for a release that no profile
// describes.
var ErrUnknownVersion = errors.New("mongo: no profile for this server version")

// nextLine returns the first number of the line after that of v. Not all were released.
func (v Version) nextLine() Version {
	if v.Minor < 9 {
		return Version{v.Major, v.Minor + 1, 0}
	}
	return Version{v.Major + 1, 0, 0}
}
