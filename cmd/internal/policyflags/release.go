package policyflags

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// DumpedRelease returns the server's release that mongodump noted beside file,
// empty if it noted none. Of a release candidate it is the release that it led
// to.
func DumpedRelease(file dump.File) (string, error) {
	path, text, err := file.Prelude()
	if err != nil || path == "" {
		return "", err
	}
	v, err := policy.ParseExtJSON(text)
	if err != nil {
		return "", fmt.Errorf("%s: %w; --server names the release to judge by", path, err)
	}
	noted, _ := v.Field("ServerVersion").AsString()
	release, _, _ := strings.Cut(noted, "-")
	if release == "" {
		return "", nil
	}
	version, err := mongo.ParseVersion(release)
	if err == nil {
		_, err = mongo.ProfileOf(version)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w; --server names the release to judge by", path, err)
	}
	return release, nil
}
