package mongo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Version is a release of a server, such as MongoDB 8.0.4. Versions compare with
// ==; Compare gives their order. The zero Version is not a release.
type Version struct {
	// Product is "" for MongoDB. It is "documentdb" for microsoft/documentdb, an extension of
	// PostgreSQL that speaks MongoDB's protocol: the engine of Azure DocumentDB (Azure Cosmos
	// DB for MongoDB vCore) and of FerretDB 2. Its profiles describe the open source from
	// 0.102 to 0.112, and keep a document where that source settles nothing (the rules
	// "documentdb.…"). Nothing proves that the hosted service runs an unchanged engine.
	//
	// Experimental: it may change in a minor release.
	Product             string
	Major, Minor, Patch uint16
}

// ParseVersion parses a release of two or three numbers: "8.0.4", or "8.0" for
// 8.0.0. A release of DocumentDB has its product in front: "documentdb@0.112". It accepts no
// other prefix, no suffix, no sign and no leading zero.
func ParseVersion(s string) (Version, error) {
	number, isDocumentDB := strings.CutPrefix(s, behaviour.DocumentDB+"@")
	parts := strings.Split(number, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return Version{}, fmt.Errorf("mongo: version %q is not of the form 8.0, 8.0.4 or %s@0.112", s, behaviour.DocumentDB)
	}
	var numbers [3]uint16
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return Version{}, fmt.Errorf("mongo: version %q: %q is not a number of a release", s, part)
		}
		numbers[i] = uint16(n)
	}
	v := Version{Major: numbers[0], Minor: numbers[1], Patch: numbers[2]}
	if isDocumentDB {
		v.Product = behaviour.DocumentDB
	}
	return v, nil
}

// Compare returns -1, 0 or +1 as v is before, equal to or after w. Every release of MongoDB
// is before every release of another product.
func (v Version) Compare(w Version) int {
	return behaviour.Version(v).Compare(behaviour.Version(w))
}

// String returns v as "8.0.4", or as "documentdb@0.112.0".
func (v Version) String() string { return behaviour.Version(v).String() }

// MarshalText returns the text of String, and an error for a product that [ParseVersion] does
// not know.
func (v Version) MarshalText() ([]byte, error) {
	if again, err := ParseVersion(v.String()); err != nil || again != v {
		return nil, fmt.Errorf("mongo: the version %q is of no known product", v)
	}
	return []byte(v.String()), nil
}

// UnmarshalText reads a release as [ParseVersion] does.
func (v *Version) UnmarshalText(text []byte) error {
	read, err := ParseVersion(string(text))
	if err == nil {
		*v = read
	}
	return err
}

// ErrUnknownVersion is wrapped by the error for a release that no profile describes.
var ErrUnknownVersion = errors.New("mongo: no profile for this server version")

// errNoRelease is the error for the zero Profile.
var errNoRelease = fmt.Errorf("%w: the zero Profile belongs to no release; ProfileOf returns that of a release", ErrUnknownVersion)

// Latest returns the newest release that this package describes. It may change with each
// version of this library, and decisions for it change too. Use Latest in tools
// that show the behaviour of a current release if the user names none; a program that
// deletes must name its release.
func Latest() Version { return Version(behaviour.Latest) }

// ProfileOf returns the profile of a release of MongoDB from 2.2 to the line of [Latest], or
// of DocumentDB from 0.102 to 0.112. For any other release it returns an error that wraps
// [ErrUnknownVersion]. A version that was never released has the profile of the release before
// it.
func ProfileOf(version Version) (Profile, error) {
	p, ok := behaviour.Of(behaviour.Version(version))
	if !ok {
		from, to := behaviour.Oldest, behaviour.Latest
		if version.Product == behaviour.DocumentDB {
			from, to = behaviour.OldestDocumentDB, behaviour.LatestDocumentDB
		}
		return Profile{}, fmt.Errorf("%w: %s is not from %d.%d to %d.%d", ErrUnknownVersion, version, from.Major, from.Minor, to.Major, to.Minor)
	}
	return Profile{behaviour: p}, nil
}

// MarshalText returns the first release with the profile, and the parameters that were set, such
// as "9.0.0" or "3.0.0 storageEngine=mmapv1". It fails for the zero Profile.
func (p Profile) MarshalText() ([]byte, error) {
	first, legacyNull, ok := behaviour.FirstRelease(p.behaviour)
	switch {
	case !ok:
		return nil, errNoRelease
	case legacyNull:
		return fmt.Appendf(nil, "%s %s=true", first, behaviour.LegacyNullParameter), nil
	case p.behaviour.EitherEngine && p.behaviour.CollModStores == behaviour.StoresInPlace:
		return fmt.Appendf(nil, "%s %s=mmapv1", first, behaviour.EngineParameter), nil
	case p.behaviour.EitherEngine && p.behaviour.CollModStores == behaviour.StoresAnew:
		return fmt.Appendf(nil, "%s %s=wiredTiger", first, behaviour.EngineParameter), nil
	}
	return []byte(first.String()), nil
}

// UnmarshalText reads what MarshalText writes: any release of [ParseVersion], and a parameter
// of [Profile.WithParameter].
func (p *Profile) UnmarshalText(text []byte) error {
	release, parameter, isSet := strings.Cut(string(text), " ")
	version, err := ParseVersion(release)
	if err != nil {
		return err
	}
	read, err := ProfileOf(version)
	if isSet && err == nil {
		name, setting, _ := strings.Cut(parameter, "=")
		v := policy.StringValue(setting)
		if setting == "true" {
			v = policy.BoolValue(true)
		}
		read, err = read.WithParameter(name, v)
	}
	if err == nil {
		*p = read
	}
	return err
}
