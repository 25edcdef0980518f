package wirettl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// This file finds the documents that a server refuses because an index can make no keys
// of them. Any index refuses such a document, whether it is for TTL or not, unless a
// partial filter leaves the document out.

// Codes of errors about keys (mongodb/mongo r4.0.10: src/mongo/db/index/btree_key_generator.cpp
// lines 101 and 263, expression_keys_private.cpp lines 139 and 361; r3.2.22:
// btree_key_generator.h).
const (
	parallelArrays    mongo.ErrorCode = 171
	oldParallelArrays mongo.ErrorCode = 10088 // up to 3.2
	ambiguousField    mongo.ErrorCode = 16746
	noGeometry        mongo.ErrorCode = 16755
	hashedArray       mongo.ErrorCode = 16766
)

// A keyed holds the parts of an index that tell which documents the index refuses.
type keyed struct {
	key    policy.D
	inside filter
	paths  []*mongo.Collection // one for each ordinary field of the key
}

// keysOf returns the indexes of a collection. An index with a filter that the release
// cannot hold, which wrong rules may have made, refuses nothing.
func keysOf(spec mongo.CollectionSpec, release mongo.Profile) (all []keyed) {
	for _, x := range spec.Indexes {
		on := func(path string) (*mongo.Collection, error) {
			only := mongo.IndexSpec{Name: "path", Key: document(path, 1), ExpireAfterSeconds: valueOf(0), PartialFilterExpression: x.PartialFilterExpression}
			return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{only}}, release)
		}
		inside, err := on(mark)
		if err != nil {
			continue
		}
		k := keyed{key: x.Key, inside: filter{inside}}
		for _, e := range x.Key {
			isPlugin := e.Value.Kind() == policy.String // such as "2dsphere"
			if path, err := on(e.Key); err == nil && !isPlugin {
				k.paths = append(k.paths, path)
			}
		}
		all = append(all, k)
	}
	return all
}

// refusal returns why no keys can be made of a document, nil if they can.
func (k keyed) refusal(d policy.BSON, release mongo.Version) error {
	if !k.inside.holds(&d) {
		return nil
	}
	for _, path := range k.paths {
		if path.Decide(&d, 0).Rule.String() == "mongo.path-ambiguous" {
			return failed(ambiguousField, "Ambiguous field name found in array")
		}
	}
	var ordinary [][]string
	for _, e := range k.key {
		path := strings.Split(e.Key, ".")
		switch plugin, _ := e.Value.AsString(); plugin {
		case "":
			ordinary = append(ordinary, path)
		case "2dsphere":
			if slices.ContainsFunc(along(d.Value(), path), isNoGeometry) {
				return failed(noGeometry, "Can't extract geo keys")
			}
		case "hashed":
			if stepsToArray(d.Value(), path) == len(path) {
				return failed(hashedArray, "Error: hashed indexes do not currently support array values")
			}
		}
	}
	if !areParallel(d.Value(), ordinary) {
		return nil
	}
	if release.Compare(mongo.Version{Major: 3, Minor: 4}) < 0 {
		return failed(oldParallelArrays, "cannot index parallel arrays")
	}
	return failed(parallelArrays, "cannot index parallel arrays")
}

// isNoGeometry reports whether a value certainly is no geometry: neither a subdocument
// nor two numbers.
func isNoGeometry(v policy.Value) bool {
	switch v.Kind() {
	case policy.Object, policy.Null, policy.Undefined:
		return false
	case policy.List:
		list := policy.AOf(v)
		return len(list) > 0 && !list[0].Kind().IsNumber() && list[0].Kind() != policy.Object
	}
	return true
}

// along returns the values at a path. It follows the path through the elements of arrays
// on the way, and returns an array at the end as one value.
func along(v policy.Value, path []string) (all []policy.Value) {
	if len(path) == 0 {
		return []policy.Value{v}
	}
	switch v.Kind() {
	case policy.Object:
		if next := v.Field(path[0]); !next.IsMissing() {
			return along(next, path[1:])
		}
	case policy.List:
		for _, e := range policy.AOf(v) {
			if e.Kind() == policy.Object {
				all = append(all, along(e, path)...)
			}
		}
	}
	return all
}

// stepsToArray returns the number of fields in a path up to the first array; -1 if there
// is none.
func stepsToArray(v policy.Value, path []string) int {
	for i := 0; ; i++ {
		if v.Kind() == policy.List {
			return i
		}
		if i == len(path) || v.Kind() != policy.Object {
			return -1
		}
		v = v.Field(path[i])
	}
}

// areParallel reports whether the paths of one key lead through different arrays: two
// arrays of v or, if all share an array of v, two arrays in one of its elements. A path
// is not followed into an array if its next name is a position, such as 0.
func areParallel(v policy.Value, paths [][]string) bool {
	var array string
	var inner [][]string
	var elements policy.A
	for _, path := range paths {
		n := stepsToArray(v, path)
		if n < 0 {
			continue
		}
		if at := strings.Join(path[:n], "."); array == "" {
			array, elements = at, policy.AOf(valueAt(v, path[:n]))
		} else if at != array {
			return true
		}
		if rest := path[n:]; len(rest) > 0 && !isPosition(rest[0]) {
			inner = append(inner, rest)
		}
	}
	return len(inner) > 1 && slices.ContainsFunc(elements, func(e policy.Value) bool { return areParallel(e, inner) })
}

func valueAt(v policy.Value, path []string) policy.Value {
	for _, name := range path {
		v = v.Field(name)
	}
	return v
}

func isPosition(name string) bool {
	_, err := strconv.ParseUint(name, 10, 32)
	return err == nil
}

// dollarName returns why a release refuses a document that has a top-level field whose
// name begins with $, nil if the release accepts the document (r4.0.10:
// src/mongo/db/ops/insert.cpp, fixDocumentForInsert).
func dollarName(d policy.BSON, release mongo.Version) error {
	if release.Compare(mongo.Version{Major: 5}) >= 0 {
		return nil
	}
	for _, e := range policy.DOf(d.Value()) {
		if strings.HasPrefix(e.Key, "$") {
			return failed(codes.BadValue, "Document can't have $ prefixed field names: %s", e.Key)
		}
	}
	return nil
}
