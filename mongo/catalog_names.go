package mongo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// specNames are the fields that the specification of an index may have in one release or
// another: those of createIndexes, sorted.
var specNames = []string{
	"2dsphereIndexVersion", "_id", "background", "bits", "bucketSize", "clustered", "coarsestIndexedLevel", "collation", "default_language", "dropDups",
	"expireAfterSeconds", "finestIndexedLevel", "hidden", "key", "language_override", "max", "min", "name", "ns", "originalSpec", "partialFilterExpression",
	"prepareUnique", "sparse", "storageEngine", "textIndexVersion", "unique", "v", "weights", "wildcardProjection",
}

// indexFields are the fields that an index has in one release or another, as somebody
// writes it or as listIndexes shows it.
var indexFields = append(slices.Clip(specNames), "columnstoreProjection", "disallowNewDuplicateKeys")

// otherCreateOptions are what create has known in one release or another since it is read
// strictly, and what is not looked at.
var otherCreateOptions = []string{
	"create", "autoIndexId", "idIndex", "storageEngine", "validator", "validationLevel", "validationAction",
	"indexOptionDefaults", "pipeline", "collation", "temp", "flags",
}

var cappedOptions = []string{"capped", "size", "max"}

// collectionFields are the options that a collection has in one release or another, as
// somebody writes them or as listCollections shows them, and its namespace.
var collectionFields = slices.Concat(otherCreateOptions, cappedOptions, []string{
	"ns", "uuid", "viewOn", "recordPreImages", "changeStreamPreAndPostImages", "encryptedFields", "timeseries", "clusteredIndex", "expireAfterSeconds", "requiresExtendedRangeSupport",
	"timeseriesBucketsMayHaveMixedSchemaData", "timeseriesBucketingParametersHaveChanged", "recordIdsReplicated",
})

var (
	timeSeriesNames     = []string{"timeField", "metaField", "granularity", "bucketMaxSpanSeconds", "bucketRoundingSeconds"}
	clusteredIndexNames = []string{"v", "key", "name", "unique"}
)

// checkOptionNames refuses an option of a collection that no release knows.
func checkOptionNames(options policy.Value) error {
	for _, level := range []struct {
		in, at string
		known  []string
		what   string
	}{
		{"", "", collectionFields, "an option of a collection"},
		{"timeseries", "timeseries.", timeSeriesNames, "an option of timeseries"},
		{"clusteredIndex", "clusteredIndex.", clusteredIndexNames, "an option of clusteredIndex"},
	} {
		v := options
		if level.in != "" {
			v = options.Field(level.in)
		}
		if err := checkNames(v, level.at, level.known, InvalidOptions, level.what); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses a field of v that is not known. at is the place of v.
func checkNames(v policy.Value, at string, known []string, code ErrorCode, what string) error {
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		if slices.Contains(known, name) || code == InvalidOptions && isGenericArgument(name) { // as a command may have
			continue
		}
		reason := fmt.Sprintf("%q is not %s in any release", syntax.Clip(name, 64), what)
		if near := spelling.Nearest(name, known); near != "" {
			reason += fmt.Sprintf("; did you mean %q?", near)
		}
		return &SpecError{Code: code, Field: at + syntax.Clip(name, 64), Reason: reason}
	}
	return nil
}

// isGenericArgument reports whether every command accepts a field of this name
// (mongodb/mongo: src/mongo/idl/generic_argument.idl).
func isGenericArgument(name string) bool {
	switch name {
	case "apiVersion", "apiStrict", "apiDeprecationErrors", "comment", "lsid", "maxTimeMS",
		"readConcern", "writeConcern", "txnNumber", "autocommit", "startTransaction":
		return true
	}
	return strings.HasPrefix(name, "$")
}
