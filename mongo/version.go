package mongo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
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
	return behaviour.Version(v).Compare(behaviour.Version(w))
}

// String returns v as "8.0.4".
func (v Version) String() string { return behaviour.Version(v).String() }

// ErrUnknownVersion is wrapped by the error for a release that no profile describes.
var ErrUnknownVersion = errors.New("mongo: no profile for this server version")

// errNoRelease is the error for the zero Profile.
var errNoRelease = fmt.Errorf("%w: the zero Profile belongs to no release; ProfileOf returns that of a release", ErrUnknownVersion)

// Latest is the newest release that this package describes. It may change with each
// version of this library, and decisions for Latest change with it. Use Latest in tools
// that show the behaviour of a current release if the user names none; a program that
// deletes must name its release.
var Latest = Version(behaviour.Latest)

// ProfileOf returns the profile of a release from 2.2 to the line of [Latest]. For any
// other release it returns an error that wraps [ErrUnknownVersion]. A version that was
// never released has the profile of the release before it.
func ProfileOf(version Version) (Profile, error) {
	p, ok := behaviour.Of(behaviour.Version(version))
	if !ok {
		return Profile{}, fmt.Errorf("%w: %s is not from %d.%d to %d.%d", ErrUnknownVersion, version, behaviour.Oldest.Major, behaviour.Oldest.Minor, Latest.Major, Latest.Minor)
	}
	return Profile{p}, nil
}
