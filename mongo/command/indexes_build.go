package command

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkBuild checks the key and the options that belong to the index type. The server
// makes these checks when it begins to build the index, after it has found no existing
// index (mongodb/mongo: src/mongo/db/index/expression_params.cpp and the access methods
// beside it).
func (x *indexCommand) checkBuild() error {
	p := x.profile
	if p.Specs == behaviour.SpecsInserted {
		return x.checkInsertedBuild()
	}
	if p.Specs == behaviour.SpecsByCatalog && !p.VersionFirst {
		if err := x.checkInsertedVersion(); err != nil {
			return err
		}
	}
	if len(x.spec.Key) > maxFields {
		return refuseBy(codes.TooManyFields, rules.IndexKey, "key", "too many compound keys")
	}
	switch indexType(x.profile, policy.ObjectValue(x.spec.Key)) {
	case "hashed":
		hashed := 0
		for _, e := range x.spec.Key {
			if e.Value.Kind() == policy.String {
				hashed++
			}
		}
		return firstOf(
			refusal{len(x.spec.Key) > 1 && !p.CompoundHashed, codes.HashedCompound, rules.IndexSpecial, "key", "Currently only single field hashed index supported."},
			refusal{x.spec.Unique, codes.HashedUnique, rules.IndexSpecial, "unique", "Currently hashed indexes cannot guarantee uniqueness. Use a regular index."},
			refusal{hashed > 1, codes.HashedFields, rules.IndexSpecial, "key",
				fmt.Sprintf("A maximum of one index field is allowed to be hashed but found %d for 'key' %s", hashed, value.Shown(policy.ObjectValue(x.spec.Key)))},
		)
	case "2d":
		return x.checkPlane()
	case "2dsphere":
		return x.checkSphere()
	case typeHaystack:
		return x.checkHaystack()
	}
	return nil
}

// maxFields is the maximum number of fields of an index.
const maxFields = 32

// checkPlane checks an index of type 2d.
func (x *indexCommand) checkPlane() error {
	key, count := x.spec.Key, 0
	for _, e := range key {
		if e.Value.Kind() == policy.String {
			count++
		}
	}
	bits := int64(26)
	if v := x.index.Field("bits"); !v.IsMissing() {
		bits = value.WholeSeconds(v)
	}
	notNumber := func(name string) bool {
		v := x.index.Field(name)
		return !v.IsMissing() && !v.Kind().IsNumber()
	}
	first := key[0].Value.Kind() == policy.String
	return firstOf(
		refusal{first && count > 1, 16800, rules.IndexSpecial, "key", "can't have 2 geo fields"},
		refusal{!first, 16801, rules.IndexSpecial, "key", "2d has to be first in index"},
		refusal{notNumber("bits"), codes.InvalidOptions, rules.IndexSpecial, "bits", "wrong type for 'bits' field, expected number"},
		refusal{notNumber("max"), codes.InvalidOptions, rules.IndexSpecial, "max", "wrong type for 'max' field, expected number"},
		refusal{notNumber("min"), codes.InvalidOptions, rules.IndexSpecial, "min", "wrong type for 'min' field, expected number"},
		refusal{bits < 1 || bits > 32, codes.InvalidOptions, rules.IndexSpecial, "bits", "bits for hash must be > 0 and <= 32"},
		refusal{x.isEmptyRegion(), codes.InvalidOptions, rules.IndexSpecial, "min", "region for hash must be valid and have positive area"},
	)
}

// isEmptyRegion reports whether the number max, by default 180, is not above the number
// min, by default -180. It is false for NaN.
func (x *indexCommand) isEmptyRegion() bool {
	highest, lowest := x.index.Field("max"), x.index.Field("min")
	if highest.IsMissing() {
		highest = policy.Int32Value(180)
	}
	if lowest.IsMissing() {
		lowest = policy.Int32Value(-180)
	}
	return !highest.IsNaN() && !lowest.IsNaN() && value.CompareNumbers(highest, lowest) <= 0
}

// checkSphere checks an index of type 2dsphere.
func (x *indexCommand) checkSphere() error {
	level := func(name string, initial int64) (n int64, err error) {
		switch v := x.index.Field(name); {
		case v.IsMissing():
			return initial, nil
		case !v.Kind().IsNumber():
			return 0, refuseBy(codes.TypeMismatch, rules.IndexSpecial, name, "Expected field \"%s\" to have numeric type, but found %s", name, v.Kind())
		default:
			n, isWhole := value.ExactInt64(v)
			if !isWhole {
				return 0, refuseBy(codes.BadValue, rules.IndexSpecial, name, "Expected field \"%s\" to have a value exactly representable as a 64-bit integer, but found %s", name, value.Shown(v))
			}
			return n, nil
		}
	}
	version, err := level("2dsphereIndexVersion", 3)
	if err != nil {
		return err
	}
	initialFinest, initialCoarsest := int64(16), int64(2)
	if version <= 2 {
		initialFinest, initialCoarsest = 14, 6
	}
	finest, err := level("finestIndexedLevel", initialFinest)
	if err != nil {
		return err
	}
	coarsest, err := level("coarsestIndexedLevel", initialCoarsest)
	if err != nil {
		return err
	}
	special := false
	for _, e := range x.spec.Key {
		special = special || e.Value.Kind() != policy.String && !e.Value.Kind().IsNumber()
	}
	return firstOf(
		refusal{coarsest < 0, 16747, rules.IndexSpecial, "coarsestIndexedLevel", "coarsestIndexedLevel must be >= 0"},
		refusal{finest > 30, 16748, rules.IndexSpecial, "finestIndexedLevel", "finestIndexedLevel must be <= 30"},
		refusal{finest < coarsest, 16749, rules.IndexSpecial, "finestIndexedLevel", "finestIndexedLevel must be >= coarsestIndexedLevel"},
		refusal{special, 16823, rules.IndexSpecial, "key", "Cannot use 2dsphere index with other special index types"},
	)
}

// checkHaystack checks an index of type geoHaystack.
func (x *indexCommand) checkHaystack() error {
	size, key := x.index.Field("bucketSize"), x.spec.Key
	var others, geo int
	for _, e := range key {
		if e.Value.Kind() == policy.String {
			geo++
		} else {
			others++
		}
	}
	first := key[0].Value.Kind() == policy.String
	return firstOf(
		refusal{!size.Kind().IsNumber(), 16777, rules.IndexSpecial, "bucketSize", "need bucketSize"},
		refusal{size.Kind().IsNumber() && value.CompareNumbers(size, policy.Int32Value(0)) == 0, 16769, rules.IndexSpecial, "bucketSize", "bucketSize cannot be zero"},
		refusal{first && geo > 1 && key[1].Value.Kind() == policy.String, 16770, rules.IndexSpecial, "key", "can't have more than one geo field"},
		refusal{!first && key[1].Value.Kind() == policy.String, 16771, rules.IndexSpecial, "key", "the geo field has to be first in index"},
		refusal{others > 1, 16772, rules.IndexSpecial, "key", "geoSearch can only have 1 non-geo field for now"},
		refusal{geo > 1, 16770, rules.IndexSpecial, "key", "can't have more than one geo field"},
		refusal{others == 0, 16774, rules.IndexSpecial, "key", "no non-geo fields specified"},
	)
}
