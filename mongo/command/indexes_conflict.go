package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// findExisting reports whether the collection has the same index already, and
// refuses an index that conflicts with another: by name first, then by the
// properties that distinguish indexes (mongodb/mongo:
// src/mongo/db/catalog/index_catalog_impl.cpp, _doesSpecConflictWithExisting).
func (x *indexCommand) findExisting() (bool, error) {
	if err := x.checkClustered(); err != nil {
		return false, err
	}
	if isOnID(x.spec) {
		return x.findID()
	}
	wanted := wantedOf(textForm(x.profile, x.spec))
	if x.spec.Name == idIndex.Name && x.profile.Specs != behaviour.SpecsByField {
		return x.keep(idIndex, x.compareNamed(wanted, idIndex))
	}
	for _, other := range x.collection.Indexes {
		if other.Name == x.spec.Name {
			return x.keep(other, x.compareNamed(wanted, textForm(x.profile, other)))
		}
	}
	for _, other := range x.collection.Indexes {
		if stored := textForm(x.profile, other); !other.Clustered && isSameIndex(x.profile, wanted, stored) {
			return x.keep(other, x.compareUnnamed(wanted, stored))
		}
	}
	return false, x.checkTextIndexes()
}

// textForm returns an index as the catalog stores it since 2.6, and compares it: the text
// fields of its key are one, and weights holds their names (mongodb/mongo:
// src/mongo/db/fts/fts_spec.cpp, fixSpec). It returns other indexes as they are. So two text
// indexes with equal other fields conflict by their options.
func textForm(p behaviour.Profile, s mongo.IndexSpec) mongo.IndexSpec {
	if p.Specs == behaviour.SpecsInserted || indexType(p, policy.ObjectValue(s.Key)) != "text" {
		return s
	}
	weights := map[string]int64{}
	for _, e := range s.Key {
		if value.Text(e.Value) == "text" && e.Key != "_fts" {
			weights[e.Key] = 1
		}
	}
	options := policy.ObjectValue(s.Options)
	given := options.Field("weights")
	for f := given.Fields(); f.Next(); {
		weights[f.Name()] = value.WholeSeconds(f.Value())
	}
	if name := value.Text(given); name != "" {
		weights[name] = 1
	}
	s.Key, s.Options = storedKey(s.Key), slices.Clone(s.Options)
	setOption(&s, "weights", weightsOf(weights))
	for _, option := range textLanguages {
		if options.Field(option.Key).IsMissing() {
			setOption(&s, option.Key, option.Value)
		}
	}
	return s
}

// checkClustered refuses a clustered index in a collection that is not clustered, because
// only create can make one. It also refuses the name of the collection's clustered index
// for another index.
func (x *indexCommand) checkClustered() error {
	own := slices.ContainsFunc(x.collection.Indexes, func(other mongo.IndexSpec) bool { return other.Clustered && other.Name == x.spec.Name })
	return firstOf(
		refusal{x.spec.Clustered && !x.collection.Clustered && x.profile.Clustered, codes.ClusteredNone, rules.IndexClustered, "clustered",
			"Cannot create index with the 'clustered' option on a collection that is not clustered"},
		refusal{x.spec.Clustered && x.profile.Clustered && !isOnID(x.spec), 0, rules.IndexUnspecified, "clustered", ""},
		refusal{own && !isOnID(x.spec), codes.ClusteredName, rules.IndexClustered, "name", "The index has the name of the collection's clustered index"},
	)
}

// findID finds the index on _id. Each ordinary collection has this index or is clustered
// by _id.
func (x *indexCommand) findID() (bool, error) {
	if !x.collection.TimeSeries.IsMissing() {
		return false, unspecified(rules.IndexUnspecified, "key._id")
	}
	if x.profile.Specs == behaviour.SpecsByField {
		x.spec = idIndex // the name of the requested index does not matter
		if i := slices.IndexFunc(x.collection.Indexes, isOnID); i >= 0 {
			x.spec = x.collection.Indexes[i]
		}
		return true, nil
	}
	if x.profile.Specs != behaviour.SpecsByCatalog {
		return true, nil
	}
	// The existing index has no options.
	other := idIndex
	other.Unique = x.spec.Unique
	if !hasSameOptions(x.profile, wantedOf(x.spec), other) {
		return false, refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "key", "Index with name: _id_ already exists with different options")
	}
	return true, nil
}

// checkTextIndexes refuses a second text index.
func (x *indexCommand) checkTextIndexes() error {
	isText := func(key policy.D) bool { return indexType(x.profile, policy.ObjectValue(key)) == "text" }
	if x.profile.Specs == behaviour.SpecsInserted || !isText(x.spec.Key) {
		return nil
	}
	for _, other := range x.collection.Indexes {
		if isText(other.Key) {
			return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, "key", "only one text index per collection allowed, found existing text index %q", other.Name)
		}
	}
	return nil
}

// A wantedIndex is a requested index, with its filter normalised once for all comparisons
// with existing indexes.
type wantedIndex struct {
	mongo.IndexSpec
	filter policy.Value // Missing if there is no filter
}

func wantedOf(spec mongo.IndexSpec) wantedIndex {
	return wantedIndex{spec, filter.Normal(spec.PartialFilterExpression)}
}

// keep takes the existing index as the result, unless it conflicts.
func (x *indexCommand) keep(other mongo.IndexSpec, conflict error) (bool, error) {
	if conflict != nil {
		return false, conflict
	}
	x.spec = other
	return true, nil
}

// compareNamed returns an error if the wanted index conflicts with other, an index of the
// same name.
func (x *indexCommand) compareNamed(wanted wantedIndex, other mongo.IndexSpec) error {
	sameKey := value.Equal(policy.ObjectValue(wanted.Key), policy.ObjectValue(other.Key))
	switch p := x.profile; {
	case p.Signature == behaviour.SignatureAny:
		return nil
	case sameKey && p.CollationConflict && !hasSameCollation(wanted.IndexSpec, other):
		return refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "collation",
			"An index with the same key pattern, but a different collation already exists with the same name.  Try again with a unique name. Existing index: %s Requested index: %s",
			value.Shown(policy.ObjectValue(other.Document())), value.Shown(x.index))
	case !isSameIndex(p, wanted, other):
		return refuseBy(codes.IndexKeySpecsConflict, rules.IndexName, "name", "%s", x.sameNameReason(other))
	case !hasSameOptions(p, wanted, other):
		return refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "key", "%s", x.sameNameOptionsReason(other))
	case wanted.Hidden != other.Hidden && p.CreateHidden == behaviour.AcceptanceUnspecified:
		return unspecified(rules.IndexConflictUnspecified, "hidden")
	}
	return nil
}

// compareUnnamed returns an error if the wanted index conflicts with other, which has the
// same keys but another name.
func (x *indexCommand) compareUnnamed(wanted wantedIndex, other mongo.IndexSpec) error {
	switch p := x.profile; {
	case p.Signature == behaviour.SignatureAny:
		return nil
	case !hasSameOptions(p, wanted, other):
		return refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "key", "%s", x.sameKeyReason(other))
	case p.NamesConflict && p.Signature != behaviour.SignatureOptions:
		return refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "name", "Index with name: %s already exists with a different name", x.spec.Name)
	case p.NamesConflict:
		return refuseBy(codes.IndexOptionsConflict, rules.IndexConflict, "name", "Index already exists with a different name: %s", other.Name)
	}
	return nil
}

// The texts of conflicts up to 3.2, from 3.4 to 4.4, and since SERVER-25023, in 5.0
// (mongodb/mongo: src/mongo/db/catalog/index_catalog.cpp of 2.6 to 3.4, and
// index_catalog_impl.cpp beside it since 3.6, _doesSpecConflictWithExisting).

// sameNameReason returns the text about an existing index of the same name that is
// another index.
func (x *indexCommand) sameNameReason(other mongo.IndexSpec) string {
	requested, existing := value.Shown(x.index), value.Shown(policy.ObjectValue(other.Document()))
	switch x.profile.Signature {
	case behaviour.SignatureKey:
		return fmt.Sprintf("Trying to create an index with same name %s with different key spec %s vs existing spec %s",
			x.spec.Name, value.Shown(policy.ObjectValue(x.spec.Key)), value.Shown(policy.ObjectValue(other.Key)))
	case behaviour.SignatureCollation:
		return "Index must have unique name.The existing index: " + existing + " has the same name as the requested index: " + requested
	}
	return "An existing index has the same name as the requested index. Requested index: " + requested + ", existing index: " + existing
}

// sameNameOptionsReason returns the text about an existing index of the same name and key
// with other options.
func (x *indexCommand) sameNameOptionsReason(other mongo.IndexSpec) string {
	if x.profile.Signature != behaviour.SignatureOptions {
		return "Index with name: " + x.spec.Name + " already exists with different options"
	}
	return "An equivalent index already exists with the same name but different options. Requested index: " + value.Shown(x.index) +
		", existing index: " + value.Shown(policy.ObjectValue(other.Document()))
}

// sameKeyReason returns the text about an existing index of the same key with another name
// and other options.
func (x *indexCommand) sameKeyReason(other mongo.IndexSpec) string {
	requested, existing := value.Shown(x.index), value.Shown(policy.ObjectValue(other.Document()))
	switch x.profile.Signature {
	case behaviour.SignatureKey:
		return "Index with pattern: " + value.Shown(policy.ObjectValue(x.spec.Key)) + " already exists with different options"
	case behaviour.SignatureCollation:
		return "Index: " + requested + " already exists with different options: " + existing
	}
	return "An equivalent index already exists with a different name and options. Requested index: " + requested + ", existing index: " + existing
}

// isSameIndex reports whether two specifications agree in the properties that
// distinguish indexes.
func isSameIndex(p behaviour.Profile, a wantedIndex, b mongo.IndexSpec) bool {
	return value.Equal(policy.ObjectValue(a.Key), policy.ObjectValue(b.Key)) &&
		(p.Signature < behaviour.SignatureCollation || hasSameCollation(a.IndexSpec, b)) &&
		(p.Signature < behaviour.SignatureOptions || hasSameExtent(p, a, b)) &&
		(!p.ProjectionsDistinguish || isSameOption(projectionOf(a.IndexSpec), projectionOf(b)))
}

// projectionOf returns the wildcardProjection of an index as servers compare it: without
// regard to the order of fields, each path with true or false, and without _id unless it is
// asked for (mongodb/mongo: src/mongo/db/index/index_descriptor.cpp, compareIndexOptions).
func projectionOf(s mongo.IndexSpec) policy.Value {
	given := policy.ObjectValue(s.Options).Field("wildcardProjection")
	if given.IsMissing() {
		return given
	}
	paths := projectedPaths(nil, "", given)
	if !slices.ContainsFunc(paths, func(e policy.E) bool { return e.Key == "_id" }) {
		paths = append(paths, policy.E{Key: "_id", Value: policy.BoolValue(false)})
	}
	slices.SortStableFunc(paths, func(a, b policy.E) int { return strings.Compare(a.Key, b.Key) })
	return policy.ObjectValue(paths)
}

// projectedPaths appends the paths of a projection, each with whether it is included.
func projectedPaths(paths policy.D, prefix string, projection policy.Value) policy.D {
	for f := projection.Fields(); f.Next(); {
		path := prefix + f.Name()
		if f.Value().Kind() == policy.Object {
			paths = projectedPaths(paths, path+".", f.Value())
			continue
		}
		paths = append(paths, policy.E{Key: path, Value: policy.BoolValue(value.IsTrue(f.Value()))})
	}
	return paths
}

// hasSameOptions reports whether two specifications of one index agree in the
// options that do not distinguish indexes.
func hasSameOptions(p behaviour.Profile, a wantedIndex, b mongo.IndexSpec) bool {
	return isSameOption(a.ExpireAfterSeconds, b.ExpireAfterSeconds) && hasSameExtent(p, a, b) &&
		(p.CreateHidden != behaviour.Refused || a.Hidden == b.Hidden) &&
		(p.Signature >= behaviour.SignatureCollation || isSameOption(a.Collation, b.Collation)) &&
		(!p.PrepareUnique || a.PrepareUnique == b.PrepareUnique) && hasSameRest(p, a.IndexSpec, b)
}

// hasSameRest reports whether two specifications agree in the options without a field in
// IndexSpec, regardless of their order.
func hasSameRest(p behaviour.Profile, a, b mongo.IndexSpec) bool {
	first, second := comparedOptions(p, a), comparedOptions(p, b)
	return len(first) == len(second) && !slices.ContainsFunc(first, func(e policy.E) bool {
		i := slices.IndexFunc(second, func(other policy.E) bool { return other.Key == e.Key })
		return i < 0 || !isSameOption(e.Value, second[i].Value)
	})
}

// comparedOptions returns the options of s that hasSameRest compares.
func comparedOptions(p behaviour.Profile, s mongo.IndexSpec) policy.D {
	return slices.DeleteFunc(slices.Clone(s.Options), func(e policy.E) bool {
		return specFields[e.Key].ignored || e.Key == "sparse" || e.Key == "wildcardProjection" && p.ProjectionsDistinguish
	})
}

// isSameOption reports whether two options are equal; null differs from an absent option.
func isSameOption(a, b policy.Value) bool {
	return a.IsMissing() == b.IsMissing() && (a.IsMissing() || value.Equal(a, b))
}

// hasSameExtent reports whether two specifications agree in unique, sparse and the
// partial filter. Up to 4.4 filters are compared without normalising them.
func hasSameExtent(p behaviour.Profile, a wantedIndex, b mongo.IndexSpec) bool {
	sameFilter := isSameOption(a.PartialFilterExpression, b.PartialFilterExpression)
	if p.Signature == behaviour.SignatureOptions {
		sameFilter = filter.IsNormalOf(a.filter, b.PartialFilterExpression)
	}
	return sameFilter && a.Unique == b.Unique && a.Sparse == b.Sparse
}

// hasSameCollation compares collations with all their fields filled in.
func hasSameCollation(a, b mongo.IndexSpec) bool {
	return isSameOption(fullCollation(a.Collation), fullCollation(b.Collation))
}
