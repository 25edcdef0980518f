package cosmos

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A ContainerSpec is a container's TTL settings as the service stores them.
// The zero ContainerSpec has TTL off.
type ContainerSpec struct {
	// DefaultTTL is defaultTtl: Missing for off, -1 for on without a default, or
	// seconds from 1 to 2147483647. A stored null is off too; the service refuses it
	// in a request.
	DefaultTTL policy.Value
	// TTLPropertyPath is ttlPropertyPath, such as "/createdAt": the property
	// that the default counts from. Empty for _ts.
	TTLPropertyPath string
	// IndexingMode is the indexing policy's mode, "consistent", "lazy" or
	// "none"; empty for the service's default, which is "consistent".
	IndexingMode string
	// AnalyticalStorageTTL is analyticalStorageTtl; see [CompileAnalytical].
	AnalyticalStorageTTL policy.Value
}

// The indexing modes. A request for lazy is stored as consistent on today's service;
// with none there is no TTL.
const (
	indexingConsistent = "consistent"
	indexingLazy       = "lazy"
	indexingNone       = "none"
)

// ParseContainerSpec reads a container from the JSON that the REST API and the
// SDKs show; the indexing mode counts in any case of letters. The error names
// the place of malformed JSON, or the property.
func ParseContainerSpec(json []byte) (ContainerSpec, error) {
	c, err := policy.ParseJSON(json)
	if err != nil {
		return ContainerSpec{}, err
	}
	path := c.Field("ttlPropertyPath")
	text, ok := path.AsString()
	if !ok && !path.IsAbsent() {
		return ContainerSpec{}, fmt.Errorf("cosmos: ttlPropertyPath is %s, want a string such as \"/createdAt\"", path.Kind())
	}
	mode, _ := c.Field("indexingPolicy").Field("indexingMode").AsString()
	return ContainerSpec{
		DefaultTTL:           c.Field("defaultTtl"),
		TTLPropertyPath:      text,
		IndexingMode:         strings.ToLower(mode),
		AnalyticalStorageTTL: c.Field("analyticalStorageTtl"),
	}, nil
}

// hasNoIndex reports whether s has the indexing mode none, with which the service
// refuses TTL.
func (s ContainerSpec) hasNoIndex() bool { return strings.EqualFold(s.IndexingMode, indexingNone) }

// defaultOf returns the default, a null as an absent one.
func defaultOf(spec ContainerSpec) TTL {
	if spec.DefaultTTL.IsAbsent() {
		return TTL{}
	}
	return TTLOf(spec.DefaultTTL)
}
