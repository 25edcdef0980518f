package command

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxKeySize is the maximum size of an index's key pattern as BSON, in bytes.
const maxKeySize = 2048

// Types of indexes that a key pattern may request. A string value requests its
// type; the name of a wildcard field requests a wildcard index.
const (
	typePlain    = ""
	typeWildcard = "wildcard"
	typeBuckets  = "2dsphere_bucket"
	typeHaystack = "geoHaystack"
)

var indexTypes = []string{typePlain, "2d", "2dsphere", "hashed", "text", typeHaystack}

// indexType returns the index type that a key pattern requests: the first string among
// its values, or typeWildcard if a wildcard field precedes that string (mongodb/mongo:
// src/mongo/db/index_names.cpp, findPluginName).
func indexType(p behaviour.Profile, key policy.Value) string {
	for f := key.Fields(); f.Next(); {
		if f.Value().Kind() == policy.String {
			return value.Text(f.Value())
		}
		if p.WildcardIndexes && catalog.IsWildcardName(f.Name()) {
			return typeWildcard
		}
	}
	return typePlain
}

// checkKey requires a document without repeated fields.
func (x *indexCommand) checkKey(name string, key policy.Value) error {
	if err := checkKind(name, key, policy.Object); err != nil {
		return err
	}
	seen := map[string]bool{}
	for f := key.Fields(); f.Next(); {
		if seen[f.Name()] {
			return refuseBy(codes.BadValue, rules.IndexKey, "key."+f.Name(), "The field '%s' appears multiple times in the index key pattern %s", f.Name(), value.Shown(key))
		}
		seen[f.Name()] = true
	}
	return x.checkPattern(key)
}

// checkPattern requires fields that can be indexed, each with a known direction or index
// type (mongodb/mongo: src/mongo/db/index_key_validate.cpp, validateKeyPattern).
func (x *indexCommand) checkPattern(key policy.Value) error {
	kind := indexType(x.profile, key)
	fields := len(policy.DOf(key))
	wildcard := kind == typeWildcard
	if err := firstOf(
		refusal{sizeOf(key) > maxKeySize, codes.CannotCreateIndex, rules.IndexKey, "key", "Index key pattern too large."},
		refusal{fields == 0, codes.CannotCreateIndex, rules.IndexKey, "key", "Index keys cannot be empty."},
		refusal{kind == typeHaystack && x.profile.HaystackOption != behaviour.Accepted, codes.CannotCreateIndex, rules.IndexKey, "key", "GeoHaystack indexes cannot be created in version 5.0 and above"},
		refusal{kind == typeBuckets && x.profile.TimeSeries, 0, rules.IndexUnspecified, "key", ""},
		refusal{!wildcard && !slices.Contains(indexTypes, kind), codes.CannotCreateIndex, rules.IndexKey, "key", "Unknown index plugin '" + value.Shown(policy.StringValue(kind)) + "'"},
		refusal{wildcard && fields > 1 && !x.profile.CompoundWildcards, codes.CannotCreateIndex, rules.IndexKey, "key", "wildcard indexes do not allow compounding"},
	); err != nil {
		return err
	}
	for f := key.Fields(); f.Next(); {
		if err := x.checkKeyField(kind, f.Name(), f.Value()); err != nil {
			return err
		}
	}
	return nil
}

// checkKeyField checks that a field can be indexed, and its value: since 3.4 a number other
// than 0 or the name of an index type, earlier anything that is not a document.
func (x *indexCommand) checkKeyField(kind, name string, v policy.Value) error {
	place, k := "key."+name, v.Kind()
	byField, isText := x.profile.Specs == behaviour.SpecsByField, k == policy.String
	text := value.Text(v)
	isZero := k.IsNumber() && value.CompareNumbers(v, policy.Int32Value(0)) == 0
	typed := !byField || isText || k.IsNumber()
	wildcard := x.profile.WildcardIndexes && catalog.IsWildcardName(name) && (kind == typeWildcard || k.IsNumber())
	ofText := name == "$**" && isText && text == "text"
	return firstOf(
		refusal{k == policy.Object || k == policy.List, codes.CannotCreateIndex, rules.IndexKey, place, "Values in the index key pattern cannot be of type " + k.String()},
		refusal{byField && (isZero || v.IsNaN()), codes.CannotCreateIndex, rules.IndexKey, place, "Values in the index key pattern cannot be 0 or NaN."},
		refusal{!typed, codes.CannotCreateIndex, rules.IndexKey, place,
			"Values in v:2 index key pattern cannot be of type " + k.String() + ". Only numbers > 0, numbers < 0, and strings are allowed."},
		refusal{kind == typeWildcard && !x.profile.CompoundWildcards && k.IsNumber() && value.CompareNumbers(v, policy.Int32Value(0)) < 0, codes.CannotCreateIndex, rules.IndexKey, place,
			"A numeric value in a $** index key pattern must be positive."},
		refusal{isText && text != kind, codes.CannotCreateIndex, rules.IndexKey, place, "Can't use more than one index plugin for a single index."},
		refusal{isText && text == typeWildcard && x.profile.WildcardIndexes, codes.CannotCreateIndex, rules.IndexKey, place,
			"The key pattern value for an 'wildcard' index must be a non-zero number, not a string."},
		refusal{isText && text == "" && x.profile.EmptyTypeRefused, codes.CannotCreateIndex, rules.IndexKey, place, "Values in the index key pattern cannot be empty strings"},
		refusal{name == "_fts" && text != "text" && x.profile.FtsReserved, codes.CannotCreateIndex, rules.PathRefused, place, "Index key contains an illegal field name: '_fts'"},
		refusal{!wildcard && !ofText && !fieldpath.IsIndexable(name), codes.CannotCreateIndex, rules.PathRefused, place, "Index key contains an illegal field name: '" + name + "'"},
	)
}

// sizeOf returns the size of a document as BSON, in bytes.
func sizeOf(v policy.Value) int {
	raw, err := policy.AppendBSON(nil, v)
	if err != nil {
		return 0 // cannot happen: an earlier check found v storable
	}
	return len(raw)
}
