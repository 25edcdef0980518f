package command

import (
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The functions of this file answer as the engine of DocumentDB does. It shares no check
// with MongoDB's server. They follow its reading of a command field by field, and leave
// unspecified what does not bear on TTL (microsoft/documentdb at b2e220c4:
// pg_documentdb/src/commands).

// documentDBUnspecified returns the error for what is not decided about DocumentDB.
func documentDBUnspecified(path string) error {
	return unspecified(rules.DocumentDBCommandUnspecified, path)
}

// checkDocumentDBKind returns an error for a kind of collection that DocumentDB does not have,
// and for a view.
func checkDocumentDBKind(c mongo.CollectionSpec) error {
	if c.Capped || c.Clustered || c.View || c.Encrypted || !c.TimeSeries.IsMissing() {
		return unspecified(rules.DocumentDBCollectionUnspecified, "collection")
	}
	return nil
}

// createInDocumentDB answers createIndexes for one index. If the very index exists, it
// returns that index, and created is false.
func createInDocumentDB(c mongo.CollectionSpec, index policy.Value, p behaviour.Profile) (spec mongo.IndexSpec, created bool, err error) {
	if err := checkDocumentDBKind(c); err != nil {
		return mongo.IndexSpec{}, false, err
	}
	for f := index.Fields(); f.Next(); {
		if err := checkDocumentDBField(f.Name(), f.Value(), p); err != nil {
			return mongo.IndexSpec{}, false, err
		}
	}
	if err := checkDocumentDBIndex(index); err != nil {
		return mongo.IndexSpec{}, false, err
	}
	if spec, err = mongo.ParseListedIndex(index); err != nil {
		return mongo.IndexSpec{}, false, err
	}
	if !spec.ExpireAfterSeconds.IsMissing() {
		spec.ExpireAfterSeconds = policy.Int32Value(int32(value.WholeSeconds(spec.ExpireAfterSeconds)))
	}
	for _, other := range c.Indexes {
		switch isSame := value.Equal(policy.ObjectValue(other.Key), policy.ObjectValue(spec.Key)); {
		case other.Name == spec.Name && isSame && isSameInDocumentDB(other, spec):
			return other, false, nil
		case other.Name == spec.Name || isSame:
			return mongo.IndexSpec{}, false, documentDBUnspecified("name")
		}
	}
	return spec, true, nil
}

// isSameInDocumentDB reports whether two indexes of one name and key have equal options.
func isSameInDocumentDB(a, b mongo.IndexSpec) bool {
	return a.Unique == b.Unique && a.Sparse == b.Sparse &&
		value.Equal(a.ExpireAfterSeconds, b.ExpireAfterSeconds) && value.Equal(a.PartialFilterExpression, b.PartialFilterExpression)
}

// checkDocumentDBField checks one field of a specification, in the order in which they are
// given.
func checkDocumentDBField(name string, v policy.Value, p behaviour.Profile) error {
	switch name {
	case "key":
		return checkDocumentDBKey(v)
	case "name":
		if value.Text(v) == "" {
			return documentDBUnspecified(name)
		}
	case "expireAfterSeconds":
		return checkDocumentDBSeconds(v)
	case "partialFilterExpression":
		return checkDocumentDBFilter(v, p)
	case "unique", "sparse", "hidden":
		if name == "hidden" {
			return firstOf(
				refusal{v.Kind() != policy.Bool, codes.CannotCreateIndex, rules.DocumentDBCreateOptions, name, "The 'hidden' field must contain a boolean value"},
				refusal{value.IsTrue(v), codes.CommandNotSupported, rules.DocumentDBCreateOptions, name, "hidden indexes are not supported yet."},
			)
		}
		if v.Kind() != policy.Bool && !v.Kind().IsNumber() {
			return documentDBUnspecified(name)
		}
	case "collation":
		return refuseBy(codes.CommandNotSupported, rules.DocumentDBCreateOptions, name, "createIndex.collation is not implemented yet")
	case "v":
		if n := value.WholeSeconds(v); !v.Kind().IsNumber() || n != 1 && n != 2 {
			return documentDBUnspecified(name)
		}
	case "background", "ns", "dropDups": // ignored
	default:
		return documentDBUnspecified(name)
	}
	return nil
}

// checkDocumentDBKey checks the fields of a key pattern by themselves.
func checkDocumentDBKey(key policy.Value) error {
	if key.Kind() != policy.Object {
		return documentDBUnspecified("key")
	}
	for f := key.Fields(); f.Next(); {
		name, direction := f.Name(), f.Value()
		path := strings.TrimSuffix(strings.TrimSuffix(name, "$**"), ".")
		isKind := slices.Contains(documentDBKinds, value.Text(direction))
		switch {
		case path != "" && !fieldpath.IsIndexable(path), name == "":
			return documentDBUnspecified("key")
		case !isKind && (!direction.Kind().IsNumber() || direction.IsNaN() || value.WholeSeconds(direction) == 0):
			return documentDBUnspecified("key")
		}
	}
	return nil
}

// documentDBKinds are the kinds of indexes that cannot be TTL indexes.
var documentDBKinds = []string{"hashed", "text", "2d", "2dsphere", "cosmosSearch"}

// checkDocumentDBSeconds checks expireAfterSeconds. The engine reads a double and cuts its
// fraction after it has compared it with the greatest int32, and before it compares it with
// 0.
func checkDocumentDBSeconds(v policy.Value) error {
	const path = "expireAfterSeconds"
	f, isDouble := v.AsDouble()
	if n, isInteger := v.AsInt64(); isInteger {
		f, isDouble = float64(n), true
	}
	if isDouble && math.IsNaN(f) {
		return documentDBUnspecified(path)
	}
	return firstOf(
		refusal{!isDouble, codes.CannotCreateIndex, rules.DocumentDBCreateSeconds, path, "The 'expireAfterSeconds' option for a TTL index must be a numeric value"},
		refusal{f < math.MinInt32 || f > math.MaxInt32, codes.CannotCreateIndex, rules.DocumentDBCreateSeconds, path, "TTL index 'expireAfterSeconds' option must be within an acceptable range"},
		refusal{math.Trunc(f) < 0, codes.CannotCreateIndex, rules.DocumentDBCreateSeconds, path, negativeReason},
	)
}

// checkDocumentDBFilter checks a partial filter. The faults of its form have codes of the
// engine's own, which are not known here.
func checkDocumentDBFilter(v policy.Value, p behaviour.Profile) error {
	const path = "partialFilterExpression"
	if v.Kind() != policy.Object {
		return documentDBUnspecified(path)
	}
	_, refused := filter.Compile(v, policy.Value{}, p)
	switch {
	case refused == nil:
		return nil
	case refused.Code != codes.CannotCreateIndex:
		return documentDBUnspecified(path)
	}
	return refuseBy(codes.CannotCreateIndex, rules.DocumentDBCreateFilter, refused.Place, "Expression not supported in partial index")
}

// checkDocumentDBIndex checks the specification as a whole.
func checkDocumentDBIndex(index policy.Value) error {
	key, name := index.Field("key"), index.Field("name")
	isTTL := !index.Field("expireAfterSeconds").IsMissing()
	fields, ids, kind, isWildcard := 0, 0, "", false
	for f := key.Fields(); f.Next(); {
		if f.Name() != "$**" { // the engine does not list it among the paths
			fields++
		}
		if f.Name() == "_id" {
			ids++
		}
		kind, isWildcard = kind+value.Text(f.Value()), isWildcard || catalog.IsWildcardName(f.Name())
	}
	isSparse, isPartial := value.IsTrue(index.Field("sparse")), !index.Field("partialFilterExpression").IsMissing()
	if err := firstOf(
		refusal{key.IsMissing(), codes.FailedToParse, rules.DocumentDBCreateOptions, "key", "The 'key' field is a required property of an index specification"},
		refusal{name.IsMissing(), codes.FailedToParse, rules.DocumentDBCreateOptions, "name", "The 'name' field is a required property of an index specification"},
		refusal{isTTL && ids == fields, codes.InvalidIndexSpecificationOption, rules.DocumentDBCreateKey, "expireAfterSeconds", "The field 'expireAfterSeconds' is not valid for an _id index specification."},
		refusal{isTTL && fields > 1, codes.CannotCreateIndex, rules.DocumentDBCreateKey, "key", singleFieldReason},
		refusal{isTTL && isWildcard, codes.CannotCreateIndex, rules.DocumentDBCreateKey, "key", "Index type 'wildcard' cannot be a TTL index."},
		refusal{isTTL && kind != "", codes.CommandNotSupported, rules.DocumentDBCreateKey, "key", "Creating a " + kind + " index as ttl index is not supported."},
		refusal{isSparse && (isWildcard || isPartial), codes.InvalidIndexSpecificationOption, rules.DocumentDBCreateOptions, "sparse", "cannot mix \"partialFilterExpression\" and \"sparse\" options"},
	); err != nil {
		return err
	}
	if kind != "" || isWildcard || ids == fields {
		return documentDBUnspecified("key")
	}
	return nil
}

// A documentDBChange is the outcome of collMod: the position of the index, and its number
// before and after.
type documentDBChange struct {
	at          int
	before, now int32
}

// collModInDocumentDB answers collMod of an index.
func collModInDocumentDB(c mongo.CollectionSpec, command policy.Value, p behaviour.Profile) (documentDBChange, error) {
	if err := checkDocumentDBKind(c); err != nil {
		return documentDBChange{}, err
	}
	var index policy.Value
	for f := command.Fields(); f.Next(); {
		switch name := f.Name(); name {
		case "index":
			if index = f.Value(); index.Kind() != policy.Object {
				return documentDBChange{}, refuseBy(codes.TypeMismatch, rules.DocumentDBCollModType, name, "BSON field 'collMod.index' is the wrong type")
			}
			if err := checkDocumentDBChange(index, p); err != nil {
				return documentDBChange{}, err
			}
		case "expireAfterSeconds":
			return documentDBChange{}, refuseBy(codes.IDLUnknownField, rules.DocumentDBCollModType, name, "The BSON field 'collMod.%s' is not recognized as a valid field.", name)
		default:
			return documentDBChange{}, documentDBUnspecified(name)
		}
	}
	if index.IsMissing() {
		return documentDBChange{}, documentDBUnspecified("index")
	}
	return changeInDocumentDB(c, index)
}

// checkDocumentDBChange reads the member index of collMod field by field.
func checkDocumentDBChange(index policy.Value, p behaviour.Profile) error {
	hasName, hasKey := false, false
	for f := index.Fields(); f.Next(); {
		path := "index." + f.Name()
		var err error
		switch v := f.Value(); f.Name() {
		case "name":
			hasName = true
			err = firstOf(
				refusal{v.Kind() != policy.String, codes.TypeMismatch, rules.DocumentDBCollModType, path, "want a string"},
				refusal{hasKey, codes.InvalidOptions, rules.DocumentDBCollModType, path, "Both name and key pattern cannot be present"})
		case "keyPattern":
			hasKey = true
			err = firstOf(
				refusal{v.Kind() != policy.Object, codes.TypeMismatch, rules.DocumentDBCollModType, path, "want a document"},
				refusal{hasName, codes.InvalidOptions, rules.DocumentDBCollModType, path, "Both name and key pattern cannot be present"})
		case "expireAfterSeconds":
			_, err = documentDBLong(v)
		case "hidden", "unique", "prepareUnique", "reindex":
			switch {
			case p.DocumentDBLater:
				err = documentDBUnspecified(path)
			case f.Name() == "hidden":
				err = refuseBy(codes.CommandNotSupported, rules.DocumentDBCollModType, path, "'collMod.index.hidden' is not supported yet.")
			default:
				err = refuseBy(codes.IDLUnknownField, rules.DocumentDBCollModType, path, "The BSON field 'collMod.index.%s' is not recognized as a valid field.", f.Name())
			}
		default:
			err = refuseBy(codes.IDLUnknownField, rules.DocumentDBCollModType, path, "The BSON field 'collMod.index.%s' is not recognized as a valid field.", f.Name())
		}
		if err != nil {
			return err
		}
	}
	return firstOf(
		refusal{!hasName && !hasKey, codes.InvalidOptions, rules.DocumentDBCollModType, "index", "Must specify either index name or key pattern."},
		refusal{index.Field("expireAfterSeconds").IsMissing(), codes.InvalidOptions, rules.DocumentDBCollModType, "index", "no expireAfterSeconds or hidden field"},
	)
}

// documentDBLong reads collMod's expireAfterSeconds as 64 bits.
func documentDBLong(v policy.Value) (int64, error) {
	const path = "index.expireAfterSeconds"
	n := value.WholeSeconds(v)
	f, isDouble := v.AsDouble()
	switch {
	case !v.Kind().IsNumber():
		return 0, refuseBy(codes.TypeMismatch, rules.DocumentDBCollModType, path, "want a number")
	case isDouble && !(f > math.MinInt64 && f < math.MaxInt64):
		return 0, documentDBUnspecified(path)
	case v.Kind() == policy.Decimal:
		var ok bool
		if n, ok = documentDBDecimal(v); !ok {
			return 0, documentDBUnspecified(path)
		}
	}
	if n < 0 {
		return 0, refuseBy(codes.InvalidOptions, rules.DocumentDBCollModType, path, "BSON field 'collMod.index.expireAfterSeconds' cannot be less than 0.")
	}
	return n, nil
}

// documentDBDecimal returns a decimal as the engine cuts it. It reports false for a
// decimal near a half or beyond 64 bits, about which the rounding and the error are not
// decided here.
func documentDBDecimal(v policy.Value) (int64, bool) {
	n := value.WholeSeconds(v) // rounded half to even
	if v.IsNaN() || n == math.MaxInt64 || n == math.MinInt64 {
		return 0, false
	}
	switch c, ok := value.Compare(policy.Int64Value(n), v); {
	case !ok:
		return 0, false
	case c > 0 && n > 0:
		return n - 1, true
	case c < 0 && n < 0:
		return n + 1, true
	}
	return n, true
}

// changeInDocumentDB makes the change of an index that the command addresses.
func changeInDocumentDB(c mongo.CollectionSpec, index policy.Value) (documentDBChange, error) {
	at := -1
	for i, x := range c.Indexes {
		if name := index.Field("name"); name.IsMissing() && !value.Equal(policy.ObjectValue(x.Key), index.Field("keyPattern")) || !name.IsMissing() && x.Name != value.Text(name) {
			continue
		}
		if at >= 0 {
			return documentDBChange{}, documentDBUnspecified("index.keyPattern")
		}
		at = i
	}
	isID := value.Text(index.Field("name")) == catalog.IDName || isIDPattern(index.Field("keyPattern"))
	seconds, _ := documentDBLong(index.Field("expireAfterSeconds"))
	stored := int32(seconds)
	if err := firstOf(
		refusal{at < 0 && !isID, codes.IndexNotFound, rules.DocumentDBCollModType, "index", "cannot find index"},
		refusal{at < 0 || c.Indexes[max(at, 0)].ExpireAfterSeconds.IsMissing(), codes.InvalidOptions, rules.DocumentDBCollModType, "index", "no expireAfterSeconds field to update"},
		refusal{stored < 0, 0, rules.DocumentDBCommandUnspecified, "index.expireAfterSeconds", ""},
	); err != nil {
		return documentDBChange{}, err
	}
	return documentDBChange{at, int32(value.WholeSeconds(c.Indexes[at].ExpireAfterSeconds)), stored}, nil
}

// createCollectionInDocumentDB answers create.
func createCollectionInDocumentDB(command policy.Value) error {
	for f := command.Fields(); f.Next(); {
		v := f.Value()
		isRefused := false
		switch name := f.Name(); name {
		case "capped":
			if isRefused = value.IsTrue(v); v.Kind() != policy.Bool {
				return documentDBUnspecified(name)
			}
		case "timeseries":
			if isRefused = len(policy.DOf(v)) > 0; v.Kind() != policy.Object {
				return documentDBUnspecified(name)
			}
		case "clusteredIndex":
			isRefused = true
		case "expireAfterSeconds": // ignored
		default:
			return documentDBUnspecified(name)
		}
		if isRefused {
			return refuseBy(codes.CommandNotSupported, rules.DocumentDBCreateCollection, f.Name(), "%s is not supported", f.Name())
		}
	}
	return nil
}
