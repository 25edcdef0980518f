package cosmos

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
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
	// AnalyticalStorageTTL is analyticalStorageTtl: the time to live of the
	// rows of the analytical store, which outlive the items
	// (https://learn.microsoft.com/azure/cosmos-db/analytical-store-introduction).
	AnalyticalStorageTTL policy.Value
	// Repeated is the name of a setting that the text of the container has several times,
	// such as "defaultTtl"; empty for none. Which of the values counts is unspecified, so
	// that every item is kept (https://www.rfc-editor.org/rfc/rfc8259, section 4).
	//
	// Experimental: it may change in a minor release.
	Repeated string
}

// The indexing modes. A request for lazy is stored as consistent on today's service; the
// mode none does not allow TTL.
const (
	indexingConsistent = "consistent"
	indexingLazy       = "lazy"
	indexingNone       = "none"
)

// containerProperties are the properties that a container has in the REST API, as
// somebody writes it or as the service shows it. Properties of the system begin with an
// underscore.
var containerProperties = []string{
	"id", "defaultTtl", "ttlPropertyPath", "analyticalStorageTtl", "indexingPolicy", "partitionKey", "uniqueKeyPolicy", "conflictResolutionPolicy",
	"geospatialConfig", "computedProperties", "clientEncryptionPolicy", "changeFeedPolicy", "fullTextPolicy", "vectorEmbeddingPolicy",
	"createMode", "restoreParameters", "materializedViewDefinition", "materializedViews", "allowMaterializedViews", "statistics", "backupPolicy",
	"schemaDiscoveryPolicy", "dataMaskingPolicy", "throughputBuckets",
}

// indexingProperties are the properties of an indexing policy.
var indexingProperties = []string{"automatic", "indexingMode", "includedPaths", "excludedPaths", "compositeIndexes", "spatialIndexes", "vectorIndexes", "fullTextIndexes"}

// ParseContainerSpec reads a container as somebody wrote it, in the JSON of the REST API;
// the letter case of the indexing mode does not matter. An unknown property of the
// container or of its indexing policy is an error, because it may be misspelt, and so is a
// property that occurs twice. Use [ParseListedContainer] for a container that the service shows, which may have further
// properties. The error names the place of malformed JSON, or the property and, if it is
// unknown, a similar name.
func ParseContainerSpec(json []byte) (ContainerSpec, error) { return parseContainer(json, false) }

func parseContainer(json []byte, mayRepeat bool) (ContainerSpec, error) {
	c, err := policy.ParseJSON(bytes.Clone(json))
	if err == nil {
		err = checkNames("container", c.Value(), containerProperties, mayRepeat)
	}
	if err == nil {
		err = checkNames("indexingPolicy", c.Field("indexingPolicy"), indexingProperties, mayRepeat)
	}
	if err != nil {
		return ContainerSpec{}, err
	}
	return containerOf(c)
}

// checkNames refuses an unknown field of v and, unless mayRepeat is set, one that occurs twice.
// The error describes v by the text in what.
func checkNames(what string, v policy.Value, known []string, mayRepeat bool) error {
	seen := map[string]bool{}
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		if seen[name] && !mayRepeat {
			return fmt.Errorf("cosmos: %s has the property %q twice", what, syntax.Clip(name, 64))
		}
		seen[name] = true
		if slices.Contains(known, name) || what == "container" && strings.HasPrefix(name, "_") {
			continue
		}
		near := spelling.Nearest(name, known)
		if near != "" {
			near = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("cosmos: %s has no property %q%s", what, syntax.Clip(name, 64), near)
	}
	return nil
}

// ParseListedContainer reads a container from the JSON that the REST API and the SDKs
// show; the letter case of the indexing mode does not matter. Properties that play no
// part in TTL are ignored. A setting that occurs twice is noted in Repeated. The error names the place of malformed JSON, or the property.
func ParseListedContainer(json []byte) (ContainerSpec, error) {
	c, err := policy.ParseJSON(bytes.Clone(json))
	if err != nil {
		return ContainerSpec{}, err
	}
	return containerOf(c)
}

func containerOf(c policy.JSON) (ContainerSpec, error) {
	path := c.Field("ttlPropertyPath")
	text, ok := path.AsString()
	if !ok && !path.IsMissingOrNull() {
		return ContainerSpec{}, fmt.Errorf("cosmos: ttlPropertyPath is %s, want a string such as \"/createdAt\"", path.Kind())
	}
	mode, _ := c.Field("indexingPolicy").Field("indexingMode").AsString()
	return ContainerSpec{
		DefaultTTL:           c.Field("defaultTtl"),
		TTLPropertyPath:      text,
		IndexingMode:         strings.ToLower(mode),
		AnalyticalStorageTTL: c.Field("analyticalStorageTtl"),
		Repeated:             repeatedSetting(c.Value()),
	}, nil
}

// repeatedSetting returns the name of a setting that a container has several times; "" if
// there is none.
func repeatedSetting(c policy.Value) string {
	for _, name := range []string{"defaultTtl", "ttlPropertyPath", "indexingPolicy", "analyticalStorageTtl"} {
		if isRepeated(c, name) {
			return name
		}
	}
	if isRepeated(c.Field("indexingPolicy"), "indexingMode") {
		return "indexingMode"
	}
	return ""
}

// hasNoIndex reports whether s has the indexing mode none. The service refuses TTL with it.
func (s ContainerSpec) hasNoIndex() bool { return strings.EqualFold(s.IndexingMode, indexingNone) }

// defaultOf returns the default; a null counts as absent, and a repeated setting makes the
// default unknown.
func defaultOf(spec ContainerSpec) TTL {
	if spec.Repeated != "" {
		return TTL{class: ttlRepeated}
	}
	if spec.DefaultTTL.IsMissingOrNull() {
		return TTL{}
	}
	return TTLOf(spec.DefaultTTL)
}
