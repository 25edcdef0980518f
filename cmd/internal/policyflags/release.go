package policyflags

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ParseRelease reads the value of a flag that names a release of MongoDB; empty is
// the zero Version.
func ParseRelease(flag, text string) (mongo.Version, error) {
	if text == "" {
		return mongo.Version{}, nil
	}
	v, err := parseRelease(text)
	if err != nil {
		return v, cli.Usagef("%s: %w", flag, err)
	}
	return v, nil
}

// parseRelease reads a release that is known.
func parseRelease(text string) (v mongo.Version, err error) {
	if v, err = mongo.ParseVersion(text); err == nil {
		_, err = mongo.ProfileOf(v)
	}
	return v, err
}

// DumpedRelease returns the server's release that mongodump noted beside file,
// the zero Version if it noted none. Of a release candidate it is the release that
// it led to.
func DumpedRelease(file dump.File) (v mongo.Version, err error) {
	path, text, err := file.Prelude()
	if err != nil || path == "" {
		return v, err
	}
	prelude, err := policy.ParseExtJSON(text)
	noted, _ := prelude.Field("ServerVersion").AsString()
	if release, _, _ := strings.Cut(noted, "-"); err == nil && release != "" {
		v, err = parseRelease(release)
	}
	if err != nil {
		return mongo.Version{}, fmt.Errorf("%s: %w; --server names the release to judge by", path, err)
	}
	return v, nil
}
