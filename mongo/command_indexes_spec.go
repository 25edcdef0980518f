package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexCommand is one index on its way through the checks.
type indexCommand struct {
	collection CollectionSpec
	index      policy.Value // as it was sent
	spec       IndexSpec    // the same, once it is known to be one
	profile    Profile
	now        policy.Instant
}

// isTTL reports whether the index is to be a TTL index.
func (x *indexCommand) isTTL() bool {
	return x.index.Field("expireAfterSeconds").Kind() != policy.Missing
}

// refuse returns a refusal whose reason ends with the specification.
func (x *indexCommand) refuse(code ErrorCode, rule *policy.Rule, path, format string, args ...any) error {
	return refuseBy(code, rule, path, format+" Specification: %s", append(args, shown(x.index))...)
}

// uncheckedFields are the fields of an index that are looked at later, and those
// that have no bearing on expiry but must be known for an unknown one to be
// refused (mongodb/mongo: src/mongo/db/index_key_validate.cpp).
var uncheckedFields = []string{
	"key", "expireAfterSeconds",
	"v", "ns", "background", "storageEngine", "weights", "default_language", "language_override", "textIndexVersion",
	"2dsphereIndexVersion", "bits", "min", "max", "finestIndexedLevel", "coarsestIndexedLevel", "bucketSize", "dropDups",
	"originalSpec",
}

// idFields are the fields that an index on _id may have.
var idFields = []string{"key", "name", "ns", "v", "collation"}

// checkFields asks whether the release knows each field, and accepts its
// type.
func (x *indexCommand) checkFields() error {
	for f := x.index.Fields(); f.Next(); {
		if err := x.checkField(f.Name(), f.Value()); err != nil {
			return err
		}
	}
	return nil
}

func (x *indexCommand) checkField(name string, v policy.Value) error {
	kind, known := x.kindOf(name)
	switch {
	case name == "sparse" || name == "unique":
		return x.checkFlag(name, v)
	case !known:
		return x.unknownField(name)
	case kind != policy.Missing:
		return checkKind(name, v, kind)
	}
	return nil
}

// kindOf returns the kind of value that a field has, Missing if that is not
// checked, and whether the release knows the field. Releases that do not check
// each option read a name that is not a text as none.
func (x *indexCommand) kindOf(name string) (kind policy.Kind, known bool) {
	switch p := x.profile; {
	case name == "name" && p.optionsChecked:
		return policy.String, true
	case name == "hidden":
		return policy.Bool, p.hiddenIndexes
	case name == "partialFilterExpression":
		return policy.Object, p.filters != filtersNone
	case name == "collation":
		return policy.Object, p.optionsChecked
	case name == "wildcardProjection":
		return policy.Object, p.wildcardIndexes
	case name == "prepareUnique":
		return policy.Bool, p.prepareUnique
	}
	return policy.Missing, name == "name" || slices.Contains(uncheckedFields, name)
}

func checkKind(name string, v policy.Value, k policy.Kind) error {
	if v.Kind() == k {
		return nil
	}
	return refuseBy(TypeMismatch, ruleIndexFieldType, name, "The field '%s' must be a %s, but got %s", name, k, v.Kind())
}

// unknownField returns what becomes of a field that the release does not know. Up
// to 3.2 it is stored and ignored, unless a later release gave it a meaning.
func (x *indexCommand) unknownField(name string) error {
	if !x.profile.optionsChecked {
		return unspecified(ruleIndexUnspecified, name)
	}
	return x.refuse(invalidIndexSpecificationOption, ruleIndexUnknownField, name, "The field '%s' is not valid for an index specification.", name)
}

// checkFlag asks for a boolean or a number. Whether releases up to 4.4 accept
// anything else is not established.
func (x *indexCommand) checkFlag(name string, v policy.Value) error {
	switch k := v.Kind(); {
	case k == policy.Bool || k.IsNumber():
		return nil
	case x.profile.conversion == conversionPlain:
		return unspecified(ruleIndexUnspecified, name)
	}
	return refuseBy(TypeMismatch, ruleIndexFieldType, name, "The field '%s' has value %s, which is not convertible to bool", name, shown(v))
}

// readKey asks for a key pattern, and makes the specification.
func (x *indexCommand) readKey() (err error) {
	switch key := x.index.Field("key"); {
	case key.IsMissing():
		return refuseBy(failedToParse, ruleIndexKey, "key", "The 'key' field is a required property of an index specification")
	case key.Kind() != policy.Object:
		return checkKind("key", key, policy.Object)
	}
	x.spec, err = ParseListedIndex(x.index)
	return err
}

// checkKey asks for fields that can be indexed, in ways that are known.
func (x *indexCommand) checkKey() error {
	if len(x.spec.Key) == 0 {
		return refuseBy(CannotCreateIndex, ruleIndexKey, "key", "Index keys cannot be empty.")
	}
	for _, e := range x.spec.Key {
		if err := x.checkKeyField(e); err != nil {
			return err
		}
		if isWildcard(policy.D{e}) && x.profile.wildcardIndexes {
			continue
		}
		if !isIndexable(e.Key) {
			return refuseBy(CannotCreateIndex, rulePathRefused, "key."+e.Key, "Index key contains an illegal field name: '%s'", e.Key)
		}
	}
	return nil
}

// checkKeyField asks how a field is to be indexed: by a number other than 0, or by
// the name of an index type.
func (x *indexCommand) checkKeyField(e policy.E) error {
	place := "key." + e.Key
	text, isText := e.Value.AsString()
	switch k := e.Value.Kind(); {
	case isText && slices.Contains(indexTypes, text):
		return nil
	case isText:
		return refuseBy(CannotCreateIndex, ruleIndexKey, place, "Unknown index plugin '%s'", text)
	case k.IsNumber() && e.Value.IsNaN(), k.IsNumber() && compareNumbers(e.Value, policy.Int32Value(0)) == 0:
		return refuseBy(CannotCreateIndex, ruleIndexKey, place, "Values in the index key pattern cannot be 0 or NaN.")
	case k.IsNumber():
		return nil
	case !x.profile.optionsChecked:
		return unspecified(ruleIndexUnspecified, place)
	}
	return refuseBy(CannotCreateIndex, ruleIndexKey, place,
		"Values in v:2 index key pattern cannot be of type %s. Only numbers > 0, numbers < 0, and strings are allowed.", e.Value.Kind())
}

var indexTypes = []string{"2d", "2dsphere", "hashed", "text", "geoHaystack"}

// checkName asks for a name, and for none that the server keeps for itself.
func (x *indexCommand) checkName() error {
	const at = "name"
	given, name, p := x.index.Field(at), x.spec.Name, x.profile
	reserved := p.optionsChecked && name == idIndex.Name
	return firstOf(
		refusal{given.IsMissing() && p.optionsChecked, p.nameless, ruleIndexName, at, "The 'name' field is a required property of an index specification"},
		refusal{given.Kind() != policy.String, p.nameless, ruleIndexName, at, "no index name specified"},
		refusal{name == "", CannotCreateIndex, ruleIndexName, at, "index name cannot be empty"},
		refusal{reserved && p.seriesRefusesID && !x.collection.TimeSeries.IsMissing(), BadValue, ruleIndexName, at,
			"The index name '_id_' is reserved for the _id index, which a time-series collection does not have"},
		refusal{p.optionsChecked && name == "*", BadValue, ruleIndexName, at, "The index name '*' is not valid."},
		refusal{reserved && !x.spec.isOnID(), BadValue, ruleIndexName, at,
			"The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}, found " + shown(policy.ObjectValue(x.spec.Key))},
	)
}

// checkID asks an index on _id for nothing but a key and a name.
func (x *indexCommand) checkID() error {
	if !x.spec.isOnID() {
		return nil
	}
	if !x.profile.optionsChecked {
		return unspecified(ruleIndexUnspecified, "key._id")
	}
	for f := x.index.Fields(); f.Next(); {
		if name := f.Name(); !slices.Contains(idFields, name) {
			return x.refuse(invalidIndexSpecificationOption, ruleIndexID, name, "The field '%s' is not valid for an _id index specification.", name)
		}
	}
	if wholeSeconds(x.spec.Key[0].Value) != 1 {
		return refuseBy(BadValue, ruleIndexID, "key", "The field 'key' for an _id index must be {_id: 1}, but got %s", shown(policy.ObjectValue(x.spec.Key)))
	}
	return nil
}

// checkFilterSyntax asks for a filter that is an expression at all.
func (x *indexCommand) checkFilterSyntax() error {
	_, err := parseFilter(x.spec.PartialFilterExpression, x.spec.Collation, x.profile)
	return withRule(err, ruleIndexFilterSyntax)
}

// withRule returns a filter's refusal with the rule that it goes by.
func withRule(err error, rule *policy.Rule) error {
	if refused, ok := err.(*SpecError); ok {
		refused.Rule = rule
	}
	return err
}
