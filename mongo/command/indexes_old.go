package command

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkInserted makes the checks of a release that has no createIndexes: the index is
// inserted into system.indexes (r2.4.14 src/mongo/db/index.cpp, prepareToBuildIndex).
// Such a release does not check field names, and keeps unknown fields.
func (x *indexCommand) checkInserted() error {
	name, key := x.index.Field("name"), x.index.Field("key")
	embedded := false
	for f := key.Fields(); f.Next(); {
		embedded = embedded || f.Value().Kind() == policy.Object || f.Value().Kind() == policy.List
	}
	return firstOf(
		refusal{value.Text(name) == "", codes.NoIndexName, rules.IndexName, "name", "no index name specified"},
		refusal{key.Kind() == policy.List, 0, rules.IndexUnspecified, "key", ""},
		refusal{key.Kind() == policy.Object && sizeOf(key) > maxKeySize, codes.KeyTooLarge, rules.IndexKey, "key", "index key pattern too large"},
		refusal{embedded, codes.BadKeyPattern, rules.IndexKey, "key", "bad index key pattern " + value.Shown(key)},
		refusal{key.Kind() != policy.Object || len(policy.DOf(key)) == 0, codes.NoKeyPattern, rules.IndexKey, "key", "bad add index attempt, key: " + value.Shown(key)},
	)
}

// checkInsertedBuild makes the later checks of a release that has no createIndexes, after
// the release has found no existing index.
func (x *indexCommand) checkInsertedBuild() error {
	if kind := indexType(x.profile, policy.ObjectValue(x.spec.Key)); x.profile.TypesKnown && !isInsertedType(kind) {
		return refuseBy(codes.UnknownPlugin, rules.IndexKey, "key", "Unknown index plugin '%s'", value.Shown(policy.StringValue(kind)))
	}
	return x.checkInsertedVersion()
}

func isInsertedType(kind string) bool {
	switch kind {
	case typePlain, "2d", "2dsphere", "hashed", "text", typeHaystack:
		return true
	}
	return false
}

// checkInsertedVersion requires version 0 or 1.
func (x *indexCommand) checkInsertedVersion() error {
	v := x.index.Field("v")
	isOne := value.Equal(v, policy.Int32Value(0)) || value.Equal(v, policy.Int32Value(1))
	return firstOf(
		refusal{!v.IsMissing() && !v.Kind().IsNumber(), codes.VersionNotNumber, rules.IndexVersion, "v", "unexpected or missing type value in BSON object"},
		refusal{!v.IsMissing() && !isOne, codes.OldVersion, rules.IndexVersion, "v", "this version of mongod cannot build new indexes of version number " + value.Shown(v)},
	)
}

// checkCatalogued makes the checks of a release whose catalog checks the specification as
// a whole (r3.2.22 src/mongo/db/catalog/index_catalog.cpp, _isSpecOk). Unknown fields are
// kept. A namespace of another collection is refused without a code.
func (x *indexCommand) checkCatalogued() error {
	v, name, key, ns := x.index.Field("v"), x.index.Field("name"), x.index.Field("key"), x.index.Field("ns")
	p := x.profile
	isZero := value.Equal(v, policy.Int32Value(0))
	wrong := !v.IsMissing() && !isZero && !value.Equal(v, policy.Int32Value(1))
	if err := firstOf(
		refusal{!ns.IsMissing() && !x.isNamespace(value.Text(ns)), 0, rules.IndexUnspecified, "ns", ""},
		refusal{p.VersionFirst && wrong, codes.CannotCreateIndex, rules.IndexVersion, "v", "this version of mongod cannot build new indexes of version number " + value.Shown(v)},
		refusal{isZero && p.CreateVersionZero == behaviour.Refused, codes.CannotCreateIndex, rules.IndexVersion, "v", "The option v:0 cannot be passed explicitly"},
		refusal{isZero && p.CreateVersionZero == behaviour.AcceptanceUnspecified, 0, rules.IndexUnspecified, "v", ""},
		refusal{name.Kind() != policy.String, codes.CannotCreateIndex, rules.IndexName, "name", "no index name specified"},
		refusal{value.Text(name) == "", codes.CannotCreateIndex, rules.IndexName, "name", "index name cannot be empty"},
		refusal{x.isNameTooLong(value.Text(name)), codes.CannotCreateIndex, rules.IndexName, "name", longNameReason},
		refusal{key.Kind() == policy.List, 0, rules.IndexUnspecified, "key", ""},
		refusal{key.Kind() != policy.Object, codes.CannotCreateIndex, rules.IndexKey, "key", "Index keys cannot be empty."},
	); err != nil {
		return err
	}
	return x.checkPattern(key)
}

// checkCatalogID checks the filter and the options of an index on _id, after
// checkCatalogued has checked the key.
func (x *indexCommand) checkCatalogID() error {
	filter, unique, p := x.index.Field("partialFilterExpression"), x.index.Field("unique"), x.profile
	if key := x.spec.Key; len(key) == 1 && key[0].Key == "_id" && key[0].Value.Kind() == policy.Bool {
		x.spec.Key = idIndex.Key // {_id: true} and {_id: false} mean the index on _id too
	}
	isID := isOnID(x.spec)
	if p.Filters != behaviour.FiltersNone {
		if err := x.checkFilter(); err != nil {
			return err
		}
	}
	return firstOf(
		refusal{isID && p.VersionFirst && !unique.IsMissing() && !value.IsTrue(unique), codes.CannotCreateIndex, rules.IndexID, "unique", "_id index cannot be non-unique"},
		refusal{isID && p.Filters != behaviour.FiltersNone && !filter.IsMissing(), codes.CannotCreateIndex, rules.IndexID, "partialFilterExpression", "_id index cannot be a partial index"},
		refusal{isID && p.Filters != behaviour.FiltersNone && x.spec.Sparse, codes.CannotCreateIndex, rules.IndexID, "sparse", "_id index cannot be sparse"},
	)
}
