package command

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A specField is a field that a specification may have. The zero specField is a known
// field that is not checked when the specification is read.
type specField struct {
	known func(p behaviour.Profile) bool // nil if every release knows the field
	check func(x *indexCommand, name string, v policy.Value) error
	typed bool // check applies only in releases that check the types of all fields
	// ignored means that a comparison of two indexes ignores the field, for example
	// because it is not stored.
	ignored bool
}

// specFields are the fields that some release knows (mongodb/mongo:
// src/mongo/db/index_key_validate.cpp; up to 8.0 src/mongo/db/catalog/index_key_validate.cpp).
var specFields = map[string]specField{
	"key":                     {check: (*indexCommand).checkKey},
	"name":                    {check: (*indexCommand).checkText},
	"ns":                      {check: (*indexCommand).checkNamespace, ignored: true},
	"_id":                     {ignored: true},
	"v":                       {check: (*indexCommand).checkVersion},
	"expireAfterSeconds":      {},
	"collation":               {check: (*indexCommand).checkCollationField},
	"partialFilterExpression": {check: (*indexCommand).checkFilterField},
	"storageEngine":           {},
	"background":              {check: (*indexCommand).checkFlag, typed: true, ignored: true},
	"dropDups":                {check: (*indexCommand).checkFlag, typed: true, ignored: true},
	"unique":                  {check: (*indexCommand).checkFlag, typed: true},
	"sparse":                  {check: (*indexCommand).checkFlag, typed: true},
	"weights":                 {check: (*indexCommand).checkWeights, typed: true},
	"default_language":        {check: (*indexCommand).checkText, typed: true},
	"language_override":       {check: (*indexCommand).checkText, typed: true},
	"textIndexVersion":        {check: (*indexCommand).checkNumber, typed: true, ignored: true},
	"2dsphereIndexVersion":    {check: (*indexCommand).checkNumber, typed: true, ignored: true},
	"bits":                    {check: (*indexCommand).checkNumber, typed: true},
	"min":                     {check: (*indexCommand).checkNumber, typed: true},
	"max":                     {check: (*indexCommand).checkNumber, typed: true},
	"finestIndexedLevel":      {check: (*indexCommand).checkLevel, typed: true},
	"coarsestIndexedLevel":    {check: (*indexCommand).checkLevel, typed: true},
	"bucketSize":              {check: (*indexCommand).checkBucketSize, typed: true},
	"wildcardProjection":      {known: func(p behaviour.Profile) bool { return p.WildcardIndexes }, check: (*indexCommand).checkProjection},
	"hidden":                  {known: func(p behaviour.Profile) bool { return p.HiddenIndexes }, check: (*indexCommand).checkHidden},
	"originalSpec":            {known: func(p behaviour.Profile) bool { return p.OriginalSpecs != behaviour.Refused }, check: (*indexCommand).checkOriginal},
	"prepareUnique":           {known: func(p behaviour.Profile) bool { return p.PrepareUnique }, check: (*indexCommand).checkFlag, typed: true},
	"clustered":               {known: func(p behaviour.Profile) bool { return p.Clustered }, check: (*indexCommand).checkFlag, typed: true},
}

// idFields are the fields that an index on _id may have; clusteredFields are the fields
// that an index marked as clustered may have.
var (
	idFields        = []string{"key", "name", "ns", "v", "collation", "_id"}
	clusteredFields = []string{"key", "name", "v", "unique", "clustered"}
)

// checkSpecification makes the checks that need only the specification.
func (x *indexCommand) checkSpecification() error {
	switch x.profile.Specs {
	case behaviour.SpecsInserted:
		return firstFailure(x.checkInserted, x.read)
	case behaviour.SpecsByCatalog:
		return firstFailure(x.checkCatalogued, x.read, x.checkCatalogID, x.checkStorage)
	}
	return firstFailure(x.checkNames, x.checkFields, x.read, x.checkMissing, x.checkTogether, x.checkID)
}

// read sets x.spec if the key pattern is a document.
func (x *indexCommand) read() (err error) {
	if x.index.Field("key").Kind() != policy.Object {
		return nil // checkMissing refuses it
	}
	x.spec, err = mongo.ParseListedIndex(x.index)
	return err
}

// checkNames requires fields that the release knows.
func (x *indexCommand) checkNames() error {
	isClustered := x.profile.Clustered && !x.index.Field("clustered").IsMissing()
	for f := x.index.Fields(); f.Next(); {
		name := f.Name()
		switch {
		case isClustered && name == "expireAfterSeconds" && x.profile.ClusteredSeconds == behaviour.AcceptanceUnspecified:
			return unspecified(rules.IndexUnspecified, name)
		case isClustered && name == "expireAfterSeconds" && x.profile.ClusteredSeconds == behaviour.Accepted:
		case isClustered && !slices.Contains(clusteredFields, name):
			return x.refuse(codes.InvalidIndexSpecificationOption, rules.IndexUnknownField, name, "The field '%s' is not valid for a clustered index specification.", name)
		case !isKnownField(x.profile, name):
			return x.refuse(codes.InvalidIndexSpecificationOption, rules.IndexUnknownField, name, "The field '%s' is not valid for an index specification.", name)
		}
	}
	return nil
}

// isKnownField reports whether the specification of an index may have a field of this
// name.
func isKnownField(p behaviour.Profile, name string) bool {
	field, exists := specFields[name]
	return exists && (field.known == nil || field.known(p))
}

// checkFields checks the fields in the given order.
func (x *indexCommand) checkFields() error {
	for f := x.index.Fields(); f.Next(); {
		field := specFields[f.Name()]
		if field.check == nil || field.typed && !x.profile.OptionTypes {
			continue
		}
		if err := field.check(x, f.Name(), f.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (x *indexCommand) checkText(name string, v policy.Value) error {
	return checkKind(name, v, policy.String)
}

func (x *indexCommand) checkHidden(name string, v policy.Value) error {
	return checkKind(name, v, policy.Bool)
}

// checkFlag requires a boolean or a number.
func (x *indexCommand) checkFlag(name string, v policy.Value) error {
	if k := v.Kind(); k == policy.Bool || k.IsNumber() {
		return nil
	}
	return refuseBy(codes.TypeMismatch, rules.IndexFieldType, name, "The field '%s' has value %s, which is not convertible to bool", name, value.Shown(v))
}

func (x *indexCommand) checkNumber(name string, v policy.Value) error {
	if v.Kind().IsNumber() {
		return nil
	}
	return refuseBy(codes.TypeMismatch, rules.IndexFieldType, name, "The field '%s' must be a number, but got %s", name, v.Kind())
}

// checkLevel requires a number as the value of finestIndexedLevel or
// coarsestIndexedLevel. 5.0 checks for a flag instead, and it is unspecified which later
// release is the first to require a number. There the reply to a flag is unspecified.
func (x *indexCommand) checkLevel(name string, v policy.Value) error {
	switch {
	case x.profile.LaterOptions == behaviour.Refused:
		return x.checkFlag(name, v)
	case v.Kind() == policy.Bool:
		return unspecified(rules.IndexUnspecified, name)
	}
	return x.checkNumber(name, v)
}

// checkBucketSize checks bucketSize, an option of geoHaystack indexes. 5.0 refuses this
// option. Later releases accept it again for existing indexes that have it; in which
// release this begins is unspecified.
func (x *indexCommand) checkBucketSize(name string, v policy.Value) error {
	if x.profile.HaystackOption == behaviour.Refused {
		return refuseBy(codes.CannotCreateIndex, rules.IndexSpecial, name, "The 'bucketSize' parameter is disallowed because geoHaystack indexes are no longer supported")
	}
	return unspecified(rules.IndexUnspecified, name)
}

func (x *indexCommand) checkWeights(name string, v policy.Value) error {
	switch v.Kind() {
	case policy.Object, policy.List, policy.String:
		return nil
	}
	return checkKind(name, v, policy.Object)
}

// checkNamespace requires the namespace of the collection. Releases from 4.4 on ignore
// the field.
func (x *indexCommand) checkNamespace(name string, v policy.Value) error {
	given := value.Text(v)
	switch {
	case !x.profile.NamespaceChecked:
		return nil
	case v.Kind() != policy.String:
		return checkKind(name, v, policy.String)
	case given == "":
		return refuseBy(codes.BadValue, rules.IndexNamespace, name, "The field 'ns' cannot be an empty string")
	case !x.isNamespace(given):
		return refuseBy(codes.BadValue, rules.IndexNamespace, name, "The value of the field 'ns' (%s) doesn't match the namespace '%s'", syntax.Clip(given, 200), x.collection.Namespace)
	}
	return nil
}

// checkVersion requires version 1 or 2.
func (x *indexCommand) checkVersion(name string, v policy.Value) error {
	n, isWhole := value.ExactInt64(v)
	switch {
	case !v.Kind().IsNumber():
		return refuseBy(codes.TypeMismatch, rules.IndexVersion, name, "The field 'v' must be a number, but got %s", v.Kind())
	case !isWhole || n != int64(int32(n)):
		return refuseBy(codes.BadValue, rules.IndexVersion, name, "Index version must be representable as a 32-bit integer, but got %s", value.Shown(v))
	case n != 1 && n != 2:
		return refuseBy(codes.CannotCreateIndex, rules.IndexVersion, name, "Invalid index specification %s; cannot create an index with v=%d", value.Shown(x.index), n)
	}
	return nil
}

func (x *indexCommand) checkCollationField(name string, v policy.Value) error {
	if v.Kind() == policy.Object && len(policy.DOf(v)) == 0 {
		return refuseBy(codes.BadValue, rules.IndexCollation, name, "The field 'collation' cannot be an empty object.")
	}
	return checkKind(name, v, policy.Object)
}

// checkFilterField requires a filter that is an expression. Releases up to 3.4 check
// it later.
func (x *indexCommand) checkFilterField(name string, v policy.Value) error {
	if !x.profile.FiltersFirst {
		return nil
	}
	if err := checkKind(name, v, policy.Object); err != nil {
		return err
	}
	_, refused := filter.Parse(v, policy.Value{}, x.profile)
	return refuseFilter(refused, rules.IndexFilterSyntax)
}

// checkProjection allows a projection only in a wildcard index on every field. It does
// not read the projection.
func (x *indexCommand) checkProjection(name string, v policy.Value) error {
	key := x.index.Field("key")
	switch {
	case key.Kind() != policy.Object || indexType(x.profile, key) != typeWildcard:
		return refuseBy(codes.BadValue, rules.IndexSpecial, name, "The field 'wildcardProjection' is only allowed in an 'wildcard' index")
	case v.Kind() != policy.Object:
		return checkKind(name, v, policy.Object)
	case key.Field("$**").IsMissing():
		return refuseBy(codes.FailedToParse, rules.IndexSpecial, name, `The field 'wildcardProjection' is only allowed when 'key' is {"$**": ±1}`)
	case len(policy.DOf(v)) == 0:
		return refuseBy(codes.FailedToParse, rules.IndexSpecial, name, "The 'wildcardProjection' field can't be an empty object")
	}
	return nil
}

// checkIDFields allows an index on _id only the fields idFields, and the key {_id: 1}
// (mongodb/mongo: src/mongo/db/index_key_validate.cpp, validateIdIndexSpec).
func (x *indexCommand) checkIDFields() error {
	for f := x.index.Fields(); f.Next(); {
		if field := f.Name(); !slices.Contains(idFields, field) {
			return x.refuse(codes.InvalidIndexSpecificationOption, rules.IndexID, field, "The field '%s' is not valid for an _id index specification.", field)
		}
	}
	if key := policy.ObjectValue(x.spec.Key); !value.Equal(key, policy.ObjectValue(idIndex.Key)) {
		return refuseBy(codes.BadValue, rules.IndexID, "key", "The field 'key' for an _id index must be {_id: 1}, but got %s", value.Shown(key))
	}
	return nil
}

// checkOriginal checks originalSpec, which a time-series collection stores with the
// index on its buckets.
func (x *indexCommand) checkOriginal(name string, v policy.Value) error {
	switch {
	case x.profile.OriginalSpecs == behaviour.AcceptanceUnspecified:
		return unspecified(rules.IndexUnspecified, name)
	case v.Kind() == policy.Object && len(policy.DOf(v)) == 0:
		return refuseBy(codes.BadValue, rules.IndexFieldType, name, "The field 'originalSpec' cannot be an empty object.")
	}
	return checkKind(name, v, policy.Object)
}

// checkMissing requires a key and a name.
func (x *indexCommand) checkMissing() error {
	return firstOf(
		refusal{x.index.Field("key").IsMissing(), codes.FailedToParse, rules.IndexKey, "key", "The 'key' field is a required property of an index specification"},
		refusal{x.index.Field("name").IsMissing(), codes.FailedToParse, rules.IndexName, "name", "The 'name' field is a required property of an index specification"},
	)
}

// checkTogether checks the combinations of fields.
func (x *indexCommand) checkTogether() error {
	p := x.profile
	clustered := x.index.Field("clustered")
	return firstOf(
		refusal{!clustered.IsMissing() && !value.IsTrue(clustered), codes.ClusteredFalse, rules.IndexClustered, "clustered", "Value 'false' for field 'clustered' is invalid"},
		refusal{!clustered.IsMissing() && !x.spec.Unique, codes.CannotCreateIndex, rules.IndexClustered, "clustered", "The 'unique' field is required when 'clustered' is specified"},
		refusal{!x.index.Field("collation").IsMissing() && value.WholeSeconds(x.index.Field("v")) == 1, codes.CannotCreateIndex, rules.IndexVersion, "collation",
			"Invalid index specification " + value.Shown(x.index) + "; cannot create an index with the 'collation' option and v=1"},
		refusal{p.OptionTypes && !x.index.Field("weights").IsMissing() && indexType(p, x.index.Field("key")) != "text", codes.CannotCreateIndex, rules.IndexSpecial, "weights",
			"Invalid index specification " + value.Shown(x.index) + "; the field 'weights' can only be specified with text indexes"},
		refusal{p.PrepareUnique && x.spec.Unique && x.spec.PrepareUnique, codes.CannotCreateIndex, rules.IndexPrepareUnique, "prepareUnique",
			"Invalid index specification " + value.Shown(x.index) + "; cannot create an index with the 'unique' option and the 'prepareUnique' option"},
	)
}

// checkID checks an index on _id by checkIDFields, and refuses reserved names for other
// indexes. An index of a system collection may not have the option hidden, not even
// as false (mongodb/mongo: src/mongo/db/commands/create_indexes.cpp,
// parseAndValidateIndexSpecs).
func (x *indexCommand) checkID() error {
	name := x.spec.Name
	if isOnID(x.spec) && !x.spec.Clustered {
		if err := x.checkIDFields(); err != nil {
			return err
		}
	}
	key := policy.ObjectValue(x.spec.Key)
	hides := !x.index.Field("hidden").IsMissing()
	noID := name == idIndex.Name && !x.collection.TimeSeries.IsMissing() && x.profile.SeriesRefusesID
	return firstOf(
		refusal{noID, codes.BadValue, rules.IndexName, "name", "The index name '_id_' is reserved for the _id index, which a time-series collection does not have"},
		refusal{!isOnID(x.spec) && name == idIndex.Name, codes.BadValue, rules.IndexName, "name",
			"The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}, found " + value.Shown(key)},
		refusal{!isOnID(x.spec) && name == "*" && x.profile.FiltersFirst, codes.BadValue, rules.IndexName, "name", "The index name '*' is not valid."},
		refusal{hides && isSystemName(x.collection.Namespace), codes.BadValue, rules.IndexHidden, "hidden", "Can't hide an index on a system collection"},
	)
}
