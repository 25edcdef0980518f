package command

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// isIDPattern reports whether key is the pattern of an index on _id, in either
// direction.
func isIDPattern(key policy.Value) bool {
	f := key.Fields()
	if !f.Next() || valuefunc.F.CompareName(&f, "_id") != 0 {
		return false
	}
	direction := value.WholeSeconds(f.Value()) // 0 if the value is not a number
	return !f.Next() && (direction == 1 || direction == -1)
}

// isOnID reports whether an index is on _id.
func isOnID(x mongo.IndexSpec) bool { return isIDPattern(policy.ObjectValue(x.Key)) }

// isClusterKey reports whether key is the pattern of a clustered collection's own key.
func isClusterKey(key policy.Value) bool {
	return value.Equal(key, policy.ObjectValue(catalog.IDPattern))
}

// storedKey returns the key pattern that the catalog holds: a text index is
// given as {a: "text"} and stored with two special fields in the place of the
// text fields.
func storedKey(key policy.D) policy.D {
	isText := func(e policy.E) bool { return value.Text(e.Value) == "text" }
	first := slices.IndexFunc(key, isText)
	if first < 0 || key[first].Key == "_fts" {
		return key
	}
	stored := append(slices.Clone(key[:first]), policy.E{Key: "_fts", Value: policy.StringValue("text")}, policy.E{Key: "_ftsx", Value: policy.Int32Value(1)})
	return append(stored, slices.DeleteFunc(slices.Clone(key[first:]), isText)...)
}

// idIndex is the index that every ordinary collection has.
var idIndex = mongo.IndexSpec{Name: catalog.IDName, Key: catalog.IDPattern}

// isSystemName reports whether a namespace names a system collection, other than a
// collection of buckets.
func isSystemName(namespace string) bool {
	_, collection, _ := strings.Cut(namespace, ".")
	return strings.HasPrefix(collection, "system.") && !strings.HasPrefix(collection, "system.buckets.")
}
