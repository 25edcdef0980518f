package mongo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// isIDPattern reports whether key is the pattern of an index on _id, whose
// direction may be either.
func isIDPattern(key policy.Value) bool {
	f := key.Fields()
	if !f.Next() || f.CompareName("_id") != 0 {
		return false
	}
	direction := value.WholeSeconds(f.Value()) // 0 for what is not a number
	return !f.Next() && (direction == 1 || direction == -1)
}

func (s IndexSpec) isOnID() bool { return isIDPattern(policy.ObjectValue(s.Key)) }

// isWildcard reports whether key is the pattern of a wildcard index.
func isWildcard(key policy.D) bool {
	return slices.ContainsFunc(key, func(e policy.E) bool { return e.Key == "$**" || strings.HasSuffix(e.Key, ".$**") })
}

// isSpecial reports whether a key pattern's field asks for anything but a
// plain index: "hashed", "text", "2d", "2dsphere", or a wildcard.
func isSpecial(key policy.E) bool {
	named := key.Value.Kind() == policy.String && value.Text(key.Value) != ""
	return named || key.Key == "$**" || strings.HasSuffix(key.Key, ".$**")
}

func isHashed(key policy.E) bool {
	return key.Value.Kind() == policy.String && value.Text(key.Value) == "hashed"
}

// isOfLaterType reports whether a key pattern's field asks for a type of index that
// 2.2 does not know.
func isOfLaterType(key policy.E) bool {
	switch value.Text(key.Value) {
	case "", "2d", "geoHaystack", "hashed":
		return false
	}
	return !isWildcard(policy.D{key})
}

// storedKey returns the key pattern that the catalog holds: a text index is
// given as {a: "text"} and keeps two fields of its own in the place of those
// that it searches.
func storedKey(key policy.D) policy.D {
	isText := func(e policy.E) bool { return value.Text(e.Value) == "text" }
	first := slices.IndexFunc(key, isText)
	if first < 0 || key[first].Key == "_fts" {
		return key
	}
	stored := append(slices.Clone(key[:first]), policy.E{Key: "_fts", Value: policy.StringValue("text")}, policy.E{Key: "_ftsx", Value: policy.Int32Value(1)})
	return append(stored, slices.DeleteFunc(slices.Clone(key[first:]), isText)...)
}

// defaultName returns the name that drivers make.
func defaultName(key policy.D) string {
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
