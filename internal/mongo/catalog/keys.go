// Package catalog describes the contents of MongoDB's catalogs: key patterns, names of
// options, numbers.
package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// IsWildcard reports whether key is the pattern of a wildcard index.
func IsWildcard(key policy.D) bool {
	return slices.ContainsFunc(key, func(e policy.E) bool { return IsWildcardName(e.Key) })
}

// IsWildcardName reports whether a field of a key pattern stands for all fields of a
// document.
func IsWildcardName(name string) bool { return name == "$**" || strings.HasSuffix(name, ".$**") }

// IDName is the name of the index on _id, which every ordinary collection has.
const IDName = "_id_"

// IDPattern is the key pattern of the index on _id. It must not be changed.
var IDPattern = policy.D{{Key: "_id", Value: policy.Int32Value(1)}}

// DefaultName returns the name that drivers make for a key pattern, such as "a_1_b_-1".
func DefaultName(key policy.D) string {
	var parts []string
	for _, e := range key {
		direction, ok := e.Value.AsString()
		if !ok {
			direction = strconv.FormatInt(value.WholeSeconds(e.Value), 10)
		}
		parts = append(parts, e.Key, direction)
	}
	return strings.Join(parts, "_")
}
