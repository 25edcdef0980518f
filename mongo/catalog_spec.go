package mongo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An IndexSpec is an index as listIndexes shows it and as the catalog keeps it,
// without the options that play no part in TTL. The zero IndexSpec is an index
// on nothing, which deletes nothing.
type IndexSpec struct {
	// Name is the index's name.
	Name string
	// Key is the key pattern, such as {createdAt: 1}.
	Key policy.D
	// Version is the index's format, v: 1 or 2, and 0 in very old catalogs; Missing
	// if it is not known, which means the current format.
	Version policy.Value
	// ExpireAfterSeconds is the option as stored, in seconds; Missing for an
	// index that is not a TTL index.
	ExpireAfterSeconds policy.Value
	// PartialFilterExpression is the filter of a partial index; Missing for none.
	PartialFilterExpression policy.Value
	// Collation is the index's collation; Missing for the simple one, which
	// servers of 9.0 list as {locale: "simple"}.
	Collation policy.Value
	// Sparse, Unique and Hidden change nothing about expiry.
	Sparse, Unique, Hidden bool
	// PrepareUnique marks an index that accepts no new duplicates, before it becomes
	// unique. It does not affect expiry.
	PrepareUnique bool
	// Clustered marks the entry that listIndexes shows for a clustered
	// collection's own key. Its expireAfterSeconds is the collection's.
	Clustered bool
	// Options are the stored options that have no field here: those of text and
	// geospatial indexes, storageEngine, and up to 3.2 options of any name. They play no
	// part in expiry, but distinguish two indexes. Options that are not stored, or that
	// no release reads again, are left out: ns, background, dropDups, _id.
	Options policy.D
}

// ParseIndexSpec reads an index as somebody wrote it, in the form of a document of
// listIndexes: {key: {createdAt: 1}, expireAfterSeconds: 3600}. An index without a name
// gets the name that drivers make, such as "createdAt_1".
//
// A field that is not an option of an index in any release is an error, because it may be
// misspelt: an index without its partialFilterExpression deletes everything. Use
// [ParseListedIndex] for an index that a server or a dump shows.
//
// The error is a [*SpecError] with the field and, if there is one, the similar name. A
// value or a key pattern that is not a document is an error too. The error for a value
// that BSON cannot hold is not a SpecError, because no server has a code for it.
func ParseIndexSpec(v policy.Value) (IndexSpec, error) {
	if v.Kind() == policy.Object {
		if err := checkNames(v, "", catalog.IndexFields, codes.InvalidIndexSpecificationOption, "an option of an index"); err != nil {
			return IndexSpec{}, err
		}
	}
	return ParseListedIndex(v)
}

// ParseListedIndex reads an index as listIndexes returns it or mongodump's metadata holds
// it. Fields that play no part are ignored: up to 3.2 a server stores unknown fields and
// ignores them. An index without a name, which no catalog holds, gets the name that
// drivers make, such as "createdAt_1".
//
// It refuses only what no catalog holds: a value or a key pattern that is not a
// document; the error, a [*SpecError], names the field. The error for a value that
// BSON cannot hold is not a SpecError.
func ParseListedIndex(v policy.Value) (IndexSpec, error) {
	if v.Kind() != policy.Object {
		return IndexSpec{}, wrongType("index", v, "a document")
	}
	key := v.Field("key")
	if key.Kind() != policy.Object {
		return IndexSpec{}, wrongType("key", key, "a document such as {createdAt: 1}")
	}
	spec := IndexSpec{
		Key:                     policy.DOf(key),
		Version:                 v.Field("v"),
		ExpireAfterSeconds:      v.Field("expireAfterSeconds"),
		PartialFilterExpression: v.Field("partialFilterExpression"),
		Collation:               value.Collation(v.Field("collation")),
		Sparse:                  value.IsTrue(v.Field("sparse")),
		Unique:                  value.IsTrue(v.Field("unique")),
		Hidden:                  value.IsTrue(v.Field("hidden")),
		PrepareUnique:           value.IsTrue(v.Field("prepareUnique")),
		Clustered:               value.IsTrue(v.Field("clustered")),
	}
	name, ok := v.Field("name").AsString()
	if !ok {
		name = catalog.DefaultName(spec.Key)
	}
	spec.Name = name
	spec.Options = restOfOptions(v)
	if err := spec.checkStorable(); err != nil {
		return IndexSpec{}, err
	}
	return spec, nil
}

// restOfOptions returns the options that have no field in IndexSpec. It includes the
// option sparse if that is not true, because up to 4.4 listIndexes shows it as it was given.
func restOfOptions(v policy.Value) (options policy.D) {
	for f := v.Fields(); f.Next(); {
		switch name := f.Name(); name {
		case "v", "key", "name", "expireAfterSeconds", "partialFilterExpression", "collation", "unique", "hidden", "prepareUnique", "clustered",
			"ns", "background", "dropDups", "_id":
		case "sparse":
			if on, isBool := f.Value().AsBool(); !isBool || !on {
				options = append(options, policy.E{Key: name, Value: f.Value()})
			}
		default:
			options = append(options, policy.E{Key: name, Value: f.Value()})
		}
	}
	return options
}

// A CollectionSpec holds the options and indexes that decide about the
// documents of one collection. The zero CollectionSpec is an ordinary
// collection without indexes.
type CollectionSpec struct {
	// Namespace is the collection's name with its database, such as "shop.logs"; for a
	// time-series collection its own name, or the name of its buckets. Empty means an
	// ordinary name. The name counts because nothing is deleted in most system
	// collections.
	Namespace string
	// Indexes are the collection's indexes; those without
	// expireAfterSeconds play no part.
	Indexes []IndexSpec
	// Capped means that the collection is capped.
	Capped bool
	// TimeSeries is the timeseries option; Missing for an ordinary collection.
	TimeSeries policy.Value
	// Clustered means that the collection is clustered by _id.
	Clustered bool
	// View marks a view, which has no documents of its own.
	View bool
	// ExpireAfterSeconds is the collection's own option, in seconds, of a
	// time-series or clustered collection; Missing for none.
	ExpireAfterSeconds policy.Value
	// Encrypted means that the collection has encryptedFields, so that encrypted fields
	// can be queried. It changes nothing about expiry.
	Encrypted bool
	// ExtendedRange means that a time-series collection is flagged as holding
	// dates outside 1970-01-01T00:00:00Z to 2038-01-19T03:14:07Z.
	ExtendedRange bool
}

// ParseCollectionSpec reads a collection as somebody wrote it: its options, in the form of
// listCollections (Missing or null for none), and its indexes, an array of documents for
// [ParseIndexSpec] (Missing or null for none). An option that is null counts as absent. The
// options may also hold the collection's namespace as ns, which no server shows there.
//
// An option that no release knows, also of timeseries and clusteredIndex, is an error, as
// for [ParseIndexSpec]. Use [ParseListedCollection] for a collection that a server or a
// dump shows. The error wraps a [*SpecError], which names the field.
func ParseCollectionSpec(options, indexes policy.Value) (CollectionSpec, error) {
	spec, err := parseCollection(options, indexes, ParseIndexSpec)
	if err == nil {
		err = checkOptionNames(options)
	}
	if err != nil {
		return CollectionSpec{}, err
	}
	return spec, nil
}

// ParseListedCollection reads a collection's options, as listCollections or mongodump's
// metadata holds them (Missing or null for none), and its indexes, an array of documents
// for [ParseListedIndex] (Missing or null for none). An option that is null counts as
// absent, and one that plays no part is ignored. The options may hold the collection's
// namespace, ns, as well, which no server shows there. The error wraps a [*SpecError],
// which names the field.
func ParseListedCollection(options, indexes policy.Value) (CollectionSpec, error) {
	return parseCollection(options, indexes, ParseListedIndex)
}

func parseCollection(options, indexes policy.Value, parseIndex func(policy.Value) (IndexSpec, error)) (CollectionSpec, error) {
	if !options.IsMissingOrNull() && options.Kind() != policy.Object {
		return CollectionSpec{}, wrongType("options", options, "a document")
	}
	if !indexes.IsMissingOrNull() && indexes.Kind() != policy.List {
		return CollectionSpec{}, wrongType("indexes", indexes, "an array")
	}
	ns, ok := options.Field("ns").AsString()
	if !ok && !options.Field("ns").IsMissingOrNull() {
		return CollectionSpec{}, wrongType("ns", options.Field("ns"), "a namespace such as \"shop.logs\"")
	}
	spec := CollectionSpec{
		Namespace:          ns,
		Capped:             value.IsTrue(options.Field("capped")),
		TimeSeries:         value.Present(options.Field("timeseries")),
		Clustered:          value.IsTrue(options.Field("clusteredIndex")), // true, or the document that create accepts
		ExpireAfterSeconds: value.Present(options.Field("expireAfterSeconds")),
		ExtendedRange:      value.IsTrue(options.Field("requiresExtendedRangeSupport")),
		View:               !options.Field("viewOn").IsMissingOrNull(),
		Encrypted:          !options.Field("encryptedFields").IsMissingOrNull(),
	}
	if err := spec.checkStorable(); err != nil {
		return CollectionSpec{}, err
	}
	for e := indexes.Elements(); e.Next(); {
		x, err := parseIndex(e.Value())
		if err != nil {
			return CollectionSpec{}, fmt.Errorf("indexes[%d]: %w", len(spec.Indexes), err)
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	if err := checkFilterSize(spec.Indexes); err != nil {
		return CollectionSpec{}, err
	}
	return spec, nil
}

// Document returns the index as listIndexes shows it: [ParseIndexSpec] reads it
// back as the same index. Options that are off or Missing are left out. An
// index with the simple collation is written without a collation, so add
// {locale: "simple"} for createIndexes in a collection with a default
// collation.
func (s IndexSpec) Document() policy.D {
	sparse := flagOf("sparse", s.Sparse)
	if slices.ContainsFunc(s.Options, func(e policy.E) bool { return e.Key == "sparse" }) {
		sparse.Value = policy.Value{}
	}
	return catalog.WithoutMissing(append(policy.D{
		{Key: "v", Value: s.Version},
		{Key: "key", Value: policy.ObjectValue(s.Key)},
		{Key: "name", Value: policy.StringValue(s.Name)},
		{Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds},
		{Key: "partialFilterExpression", Value: s.PartialFilterExpression},
		{Key: "collation", Value: s.Collation},
		sparse,
		flagOf("unique", s.Unique),
		flagOf("hidden", s.Hidden),
		flagOf("prepareUnique", s.PrepareUnique),
		flagOf("clustered", s.Clustered),
	}, s.Options...))
}

// Documents returns the collection's options, with its namespace as ns, and its
// indexes, an array: [ParseListedCollection] reads them back as the same collection.
// Details that the CollectionSpec does not hold are filled in: clusteredIndex has
// the only form that servers accept, viewOn is empty, and encryptedFields has no
// fields.
func (s CollectionSpec) Documents() (options, indexes policy.Value) {
	var clusteredIndex, viewOn, ns, encrypted policy.Value
	if s.Encrypted {
		encrypted = policy.ObjectValue(policy.D{{Key: "fields", Value: policy.ListValue(nil)}})
	}
	if s.Clustered {
		clusteredIndex = policy.ObjectValue(policy.D{
			{Key: "v", Value: policy.Int32Value(2)}, {Key: "key", Value: policy.ObjectValue(catalog.IDPattern)},
			{Key: "name", Value: policy.StringValue(catalog.IDName)}, {Key: "unique", Value: policy.BoolValue(true)},
		})
	}
	if s.View {
		viewOn = policy.StringValue("")
	}
	if s.Namespace != "" {
		ns = policy.StringValue(s.Namespace)
	}
	list := policy.A{}
	for _, x := range s.Indexes {
		list = append(list, policy.ObjectValue(x.Document()))
	}
	return policy.ObjectValue(catalog.WithoutMissing(policy.D{
		{Key: "ns", Value: ns},
		{Key: "timeseries", Value: s.TimeSeries},
		{Key: "clusteredIndex", Value: clusteredIndex},
		{Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds},
		flagOf("capped", s.Capped),
		flagOf("requiresExtendedRangeSupport", s.ExtendedRange),
		{Key: "viewOn", Value: viewOn},
		{Key: "encryptedFields", Value: encrypted},
	})), policy.ListValue(list)
}

// flagOf returns an option for a flag: Missing if the flag is off.
func flagOf(name string, on bool) policy.E {
	if !on {
		return policy.E{Key: name}
	}
	return policy.E{Key: name, Value: policy.BoolValue(true)}
}

// checkNamespaceName refuses a text that is not a namespace such as "shop.logs". The
// empty text is accepted.
func checkNamespaceName(ns string) error {
	database, name, _ := strings.Cut(ns, ".")
	if ns == "" || database != "" && name != "" && name[0] != '.' && !strings.Contains(ns, "\x00") {
		return nil
	}
	return newSpecError(codes.InvalidNamespace, "ns", "want a database and a collection, such as shop.logs")
}

// checkStorable refuses values that BSON cannot hold in the fields of an index that decide
// about expiry.
func (s IndexSpec) checkStorable() error { return catalog.CheckStorable(s.Document()) }

// checkStorable refuses values that BSON cannot hold in the collection's own options.
func (s CollectionSpec) checkStorable() error {
	return catalog.CheckStorable(policy.D{{Key: "timeseries", Value: s.TimeSeries}, {Key: "expireAfterSeconds", Value: s.ExpireAfterSeconds}})
}

// checkFilterSize refuses partial filters that are too large together.
func checkFilterSize(indexes []IndexSpec) error {
	return filter.CheckSizes(func(yield func(string, policy.Value) bool) {
		for _, x := range indexes {
			if !yield(x.Name, x.PartialFilterExpression) {
				return
			}
		}
	})
}

// TTLIndex returns the index that createIndexes stores for the key {field: 1} and a delay in
// seconds; [policy.SecondsOf] makes them of a duration. Its expireAfterSeconds is an int32, and
// its name is the one that drivers make, such as "createdAt_1". The field may be a dotted
// path. The format is left out, which means the current one.
//
// TTLIndex does not check whether a release accepts the index: pass the result of
// [IndexSpec.Document] to CreateIndexes of package mongo/command. Current releases
// refuse an empty field and a negative number of seconds. [CompileCollection] decides about
// either if it is stored nevertheless.
func TTLIndex(field string, after int32) IndexSpec {
	key := policy.D{{Key: field, Value: policy.Int32Value(1)}}
	return IndexSpec{Name: catalog.DefaultName(key), Key: key, ExpireAfterSeconds: policy.Int32Value(after)}
}

// checkOptionNames refuses an option of a collection that no release knows.
func checkOptionNames(options policy.Value) error {
	for _, level := range []struct {
		in, at string
		known  []string
		what   string
	}{
		{"", "", catalog.CollectionFields, "an option of a collection"},
		{"timeseries", "timeseries.", catalog.TimeSeriesNames, "an option of timeseries"},
		{"clusteredIndex", "clusteredIndex.", catalog.ClusteredIndexNames, "an option of clusteredIndex"},
	} {
		v := options
		if level.in != "" {
			v = options.Field(level.in)
		}
		if err := checkNames(v, level.at, level.known, codes.InvalidOptions, level.what); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses a field of v that is not known. at is the place of v.
func checkNames(v policy.Value, at string, known []string, code int32, what string) error {
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		if slices.Contains(known, name) || code == codes.InvalidOptions && behaviour.IsGenericArgument(name) { // an argument that every command may have
			continue
		}
		reason := fmt.Sprintf("%q is not %s in any release", syntax.Clip(name, 64), what)
		if near := spelling.Nearest(name, known); near != "" {
			reason += fmt.Sprintf("; did you mean %q?", near)
		}
		return newSpecError(code, at+syntax.Clip(name, 64), reason)
	}
	return nil
}
