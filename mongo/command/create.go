package command

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ValidateCreate reports what a release does with a create command: the collection that it
// stores, or why it refuses. Its argument and its errors are those of [Create].
func (functions) ValidateCreate(command policy.D, p mongo.Profile, now policy.Instant) (mongo.CollectionSpec, error) {
	if err := cmp.Or(mongofunc.F.CheckRelease(p), catalog.CheckStorable(command)); err != nil {
		return mongo.CollectionSpec{}, err
	}
	c := createCommand{arguments: arguments{command: policy.ObjectValue(command), profile: mongofunc.F.Behaviour(p)}, now: now}
	if c.profile.DocumentDB {
		return mongo.CollectionSpec{}, named(createCollectionInDocumentDB(c.command), p)
	}
	if err := c.apply(); err != nil {
		return mongo.CollectionSpec{}, named(err, p)
	}
	return c.spec, nil
}

// apply makes the collection, with the checks in the server's order.
func (c *createCommand) apply() error {
	switch c.profile.Create {
	case behaviour.ReadingUnspecified:
		return unspecified(rules.CommandUnspecified, "create")
	case behaviour.ReadingStrict:
		return firstFailure(c.arguments.check, c.read, c.checkCapped, c.checkInternal, c.checkTimeSeriesOptions, c.checkKind, c.checkIDIndex, c.checkSizes, c.applyTimeSeries, c.applyClustered)
	}
	return c.readByHand()
}

// otherOptionsByHand are the other options of create from 3.4 to 4.0.
var otherOptionsByHand = append([]string{"$nExtents"}, catalog.OtherCreateOptions...)

// readByHand reads the command as a release does whose create has no TTL options: up to
// 3.2 such a release ignores unknown fields, even those of views, and later releases
// refuse the first unknown field.
func (c *createCommand) readByHand() error {
	ignores := c.profile.Create == behaviour.ReadingLax
	option := c.command.Field
	c.spec.Capped, c.spec.View = value.IsTrue(option("capped")), !ignores && !option("viewOn").IsMissing()
	idIndex := !ignores && !option("idIndex").IsMissing()
	if err := firstOf(
		refusal{idIndex && c.spec.View, codes.InvalidOptions, rules.CreateIDIndex, "idIndex", "'idIndex' is not allowed with 'viewOn'"},
		refusal{idIndex && !option("autoIndexId").IsMissing(), codes.InvalidOptions, rules.CreateIDIndex, "idIndex", "'idIndex' is not allowed with 'autoIndexId'"},
		refusal{c.spec.Capped && !option("size").Kind().IsNumber() && option("$nExtents").IsMissing(), codes.CappedSizeMissing, rules.CreateCapped, "size", "specify size:<n> when capped is true"},
	); err != nil {
		return err
	}
	for f := c.command.Fields(); f.Next(); {
		name, v := f.Name(), f.Value()
		known := slices.Contains(catalog.CappedOptions, name) || name == "viewOn" || slices.Contains(otherOptionsByHand, name)
		err := c.checkSizeOf(name, v)
		switch {
		case err != nil || ignores:
		case name == "viewOn" && value.Text(v) == "":
			err = refuseBy(codes.BadValue, rules.CommandValue, name, "'viewOn' has to be a string, and cannot be empty")
		case !known && !c.passesOver(name):
			err = refuseBy(codes.InvalidOptions, rules.CommandUnknown, name, "The field '%s' is not a valid collection option.", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// passesOver reports whether create ignores a field of this name because every command
// accepts it. In 3.4 only maxTimeMS and writeConcern are such fields.
func (c *createCommand) passesOver(name string) bool {
	if c.profile.Arguments == behaviour.ArgumentsDollar {
		return name == "maxTimeMS" || name == "writeConcern"
	}
	return c.arguments.passesOver(name)
}

// checkSizes checks size, max and viewOn a second time, as releases without time-series
// collections do. Later releases check the numbers in their parser of commands.
func (c *createCommand) checkSizes() error {
	if c.profile.TimeSeries {
		return nil
	}
	for f := c.command.Fields(); f.Next(); {
		if value.IsOmitted(f.Value()) {
			continue
		}
		if err := c.checkSizeOf(f.Name(), f.Value()); err != nil {
			return err
		}
		isEmpty := len(policy.DOf(f.Value())) == 0
		var err error
		switch name := f.Name(); {
		case name == "viewOn":
			err = checkViewOn(name, f.Value())
		case name == "collation" && isEmpty:
			err = refuseBy(codes.BadValue, rules.CommandValue, name, "'collation' cannot be an empty document.")
		}
		if err != nil {
			return err
		}
	}
	if len(policy.AOf(c.given("pipeline"))) > 0 && !c.has("viewOn") {
		return refuseBy(codes.BadValue, rules.CommandValue, "pipeline", "'pipeline' cannot be specified without 'viewOn'")
	}
	return nil
}

// maxSize is the largest size of a capped collection in bytes: 1 petabyte.
const maxSize = 1 << 50

// checkSizeOf checks an option if its name is size or max. Most releases ignore a value
// that is not a number.
func (c *createCommand) checkSizeOf(name string, v policy.Value) error {
	n := value.WholeSeconds(v)
	if f, ok := v.AsDouble(); ok && c.profile.Create != behaviour.ReadingStrict {
		n = plainInt64(f)
	}
	isSize := name == "size" && v.Kind().IsNumber()
	isMax := name == "max" && v.Kind().IsNumber() && (c.spec.Capped || c.profile.CreateTypes) && n > math.MaxInt32 && n != math.MaxInt64
	noNumber := (name == "size" || name == "max") && !v.Kind().IsNumber()
	return firstOf(
		refusal{noNumber && c.profile.CreateTypes, codes.BadValue, rules.CommandValue, name, name + " has to be a number"},
		refusal{isSize && n < 0, c.profile.CreateSize, rules.CommandValue, name, "size has to be >= 0"},
		refusal{isSize && n > maxSize && c.profile.Create != behaviour.ReadingLax, codes.BadValue, rules.CommandValue, name, "size cannot exceed 1 PB"},
		refusal{isMax && c.profile.CreateMax != 0, c.profile.CreateMax, rules.CommandValue, name, "max in a capped collection has to be < 2^31 or not set"},
	)
}

// read reads the command field by field (mongodb/mongo: src/mongo/db/commands/create.idl).
func (c *createCommand) read() error {
	p := c.profile
	series := p.TimeSeries // the releases with time-series collections check values too
	when := func(check func(string, policy.Value) error) func(string, policy.Value) error {
		if !series {
			return nil
		}
		return check
	}
	fields := []field{
		{name: "create"},
		{name: "capped", kinds: flagKinds},
		{name: "autoIndexId", kinds: flagKinds, unstable: true},
		{name: "idIndex", kinds: documentKinds},
		{name: "size", kinds: numberKinds, unstable: true, checkValue: when(c.checkSize)},
		{name: "max", kinds: numberKinds, unstable: true, checkValue: when(c.checkMax)},
		{name: "storageEngine", kinds: documentKinds, unstable: true},
		{name: "validator", kinds: documentKinds},
		{name: "validationLevel", kinds: textKinds, checkValue: when(oneOfWords("off", "strict", "moderate"))},
		{name: "validationAction", kinds: textKinds},
		{name: "indexOptionDefaults", kinds: documentKinds, unstable: true},
		{name: "viewOn", kinds: textKinds, checkValue: when(checkViewOn)},
		{name: "pipeline", kinds: listKinds, checkValue: checkStages},
		{name: "temp", kinds: flagKinds, unstable: true},
		{name: "flags", kinds: numberKinds, unstable: true},
	}
	collation := field{name: "collation", kinds: documentKinds}
	if series {
		collation.fields = collationFields(p)
	}
	fields = append(fields, collation)
	if p.HiddenIndexes { // hidden indexes and recordPreImages came with 4.4
		fields = append(fields, field{name: "recordPreImages", kinds: flagKinds, unstable: true})
	}
	if p.LaterOptions != behaviour.Refused {
		fields = append(fields, field{name: "changeStreamPreAndPostImages", unspecified: p.LaterOptions != behaviour.Accepted})
	}
	if p.Encrypted {
		fields = append(fields, field{name: "encryptedFields"})
	}
	if series {
		fields = append(fields,
			field{name: "timeseries", kinds: documentKinds, fields: c.seriesFields()},
			field{name: "expireAfterSeconds", kinds: numberKinds},
			c.clusteredIndexField())
	}
	err := checkCommand("create", c.command, fields, &c.arguments)
	c.spec.Capped, c.spec.View = value.IsTrue(c.given("capped")), c.has("viewOn")
	return err
}

// checkStages requires documents in a pipeline.
func checkStages(path string, v policy.Value) error {
	for i, stage := range policy.AOf(v) {
		if k := stage.Kind(); k != policy.Object {
			at := fmt.Sprintf("%s.%d", path, i)
			return refuseBy(codes.TypeMismatch, rules.CommandType, at, "BSON field '%s' is the wrong type '%s', expected type 'object'", at, k)
		}
	}
	return nil
}

// checkSize requires a size from 1 byte to 1 petabyte.
func (c *createCommand) checkSize(path string, v policy.Value) error {
	return checkWithin(c.profile, path, value.WholeSeconds(v), 1, maxSize)
}

// checkMax requires a max that fits 31 bits; 0 or less means no limit.
func (c *createCommand) checkMax(path string, v policy.Value) error {
	n, code := value.WholeSeconds(v), c.profile.RangeCode
	return firstOf(
		refusal{n > math.MaxInt32 && code == 0, 0, rules.CommandUnspecified, path, ""},
		refusal{n > math.MaxInt32, code, rules.CommandValue, path, fmt.Sprintf("BSON field '%s' value must be < 2147483648, actual value '%d'", path, n)},
	)
}

// checkInternal refuses temp, which only other servers may send, and a pipeline without
// a view. Releases without time-series collections look at the pipeline last, and accept
// temp.
func (c *createCommand) checkInternal() error {
	series := c.profile.TimeSeries
	return firstOf(
		refusal{series && c.has("temp"), codes.InvalidOptions, rules.CommandValue, "temp", "the 'temp' field is an invalid option"},
		refusal{series && c.has("pipeline") && !c.has("viewOn"), codes.InvalidOptions, rules.CommandValue, "pipeline", "'pipeline' requires 'viewOn' to also be specified"},
	)
}

// checkIDIndex checks the specification of the index on _id like one that createIndexes
// gets. A clustered collection has no such index, and applyClustered refuses it.
func (c *createCommand) checkIDIndex() error {
	given := c.given("idIndex")
	if given.IsMissing() || c.has("clusteredIndex") {
		return nil
	}
	if err := firstOf(
		refusal{c.spec.View, codes.InvalidOptions, rules.CreateIDIndex, "idIndex", "'idIndex' is not allowed with 'viewOn'"},
		refusal{c.has("autoIndexId"), codes.InvalidOptions, rules.CreateIDIndex, "idIndex", "'idIndex' is not allowed with 'autoIndexId'"},
	); err != nil {
		return err
	}
	x := indexCommand{index: given, profile: c.profile, now: c.now}
	return firstFailure(x.checkNames, x.checkFields, x.read, x.checkMissing, x.checkTogether, x.checkIDFields)
}

// checkCapped requires that a capped collection has a size, that other
// collections have none, and that a capped clustered collection has
// expireAfterSeconds.
func (c *createCommand) checkCapped() error {
	const clusteredReason = "'%s' field for capped collections is not allowed on clustered collections. Did you mean 'capped: true' with 'expireAfterSeconds'?"
	capped, clustered := c.spec.Capped, c.has("clusteredIndex") && c.profile.Clustered
	return firstOf(
		refusal{clustered && c.has("size"), codes.ClusteredSize, rules.CreateCluster, "size", fmt.Sprintf(clusteredReason, "size")},
		refusal{clustered && c.has("max"), codes.ClusteredMax, rules.CreateCluster, "max", fmt.Sprintf(clusteredReason, "max")},
		refusal{clustered && capped && !c.has("expireAfterSeconds"), codes.ClusteredCapped, rules.CreateCluster, "expireAfterSeconds",
			"A capped clustered collection requires the 'expireAfterSeconds' field"},
		refusal{!clustered && capped && !c.has("size"), codes.InvalidOptions, rules.CreateCapped, "size", "the 'size' field is required when 'capped' is true"},
		refusal{!clustered && !capped && (c.has("size") || c.has("max")), codes.InvalidOptions, rules.CreateCapped, "capped",
			"the 'capped' field needs to be true when either the 'size' or 'max' fields are present"},
	)
}

// checkKind checks the names of the time and the meta field, whether this kind
// of collection may have expireAfterSeconds, and that a view is not clustered.
func (c *createCommand) checkKind() error {
	const topReason = "'%s' must be a top-level field and not contain a '.'"
	series, clustered := c.given("timeseries"), c.profile.Clustered
	time, _ := series.Field("timeField").AsString()
	meta, named := series.Field("metaField").AsString()
	ordinary := c.has("expireAfterSeconds") && !c.has("timeseries") && !(clustered && c.has("clusteredIndex"))
	return firstOf(
		refusal{strings.Contains(time, "."), codes.InvalidOptions, rules.CreateSeries, "timeseries.timeField", fmt.Sprintf(topReason, "timeField")},
		refusal{named && meta == "_id", codes.InvalidOptions, rules.CreateSeries, "timeseries.metaField", `'metaField' cannot be "_id"`},
		refusal{named && meta == time, codes.InvalidOptions, rules.CreateSeries, "timeseries.metaField", "'metaField' cannot be the same as 'timeField'"},
		refusal{strings.Contains(meta, "."), codes.InvalidOptions, rules.CreateSeries, "timeseries.metaField", fmt.Sprintf(topReason, "metaField")},
		refusal{ordinary && clustered, codes.InvalidOptions, rules.OwnKind, "expireAfterSeconds",
			"'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified"},
		refusal{ordinary, codes.InvalidOptions, rules.OwnKind, "expireAfterSeconds", "'expireAfterSeconds' is only supported on time-series collections"},
		refusal{c.spec.View && clustered && value.IsTrue(c.given("clusteredIndex")), codes.ClusteredView, rules.CreateCluster, "clusteredIndex",
			"The 'clusteredIndex' option is not supported with views"},
	)
}

// clusterFields are the fields of clusteredIndex.
var clusterFields = []field{
	{name: "v", kinds: numberKinds},
	{name: "key", kinds: documentKinds, required: true},
	{name: "name", kinds: textKinds},
	{name: "unique", kinds: flagKinds, required: true},
}

// clusteredIndexField returns the field clusteredIndex of create. Only releases with
// clustered collections read its fields. Earlier releases accept the field because the
// buckets of time series have it.
func (c *createCommand) clusteredIndexField() field {
	if !c.profile.Clustered {
		return field{name: "clusteredIndex"}
	}
	return field{name: "clusteredIndex", kinds: slices.Concat(flagKinds, documentKinds), nulls: true, expected: "[bool, object]", fields: clusterFields}
}

// applyClustered makes a collection that is clustered by _id.
func (c *createCommand) applyClustered() error {
	const at = "clusteredIndex"
	index := c.given(at)
	isDocument := index.Kind() == policy.Object
	err := firstOf(
		refusal{!index.IsMissing() && !c.profile.Clustered, 0, rules.CommandUnspecified, at, ""},
		refusal{!isDocument && value.IsTrue(index), codes.ClusteredFlag, rules.CreateCluster, at,
			"The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported for specific internal collections and vice versa"},
		refusal{!isDocument && !index.IsMissing() && c.has("expireAfterSeconds"), codes.InvalidOptions, rules.OwnKind, "expireAfterSeconds",
			"'expireAfterSeconds' can be used only for clustered collections or timeseries collections"},
		refusal{isDocument && !isEmptyPattern(c.given("idIndex")), codes.InvalidOptions, rules.CreateCluster, "idIndex",
			"The 'clusteredIndex' option is not supported with the 'idIndex' option"},
		refusal{isDocument && c.has("autoIndexId") && !value.IsTrue(c.given("autoIndexId")), codes.ClusteredWithoutID, rules.CreateCluster, "autoIndexId",
			"The 'clusteredIndex' option does not support {autoIndexId: false}"},
		refusal{isDocument && !value.IsTrue(index.Field("unique")), codes.ClusteredUnique, rules.CreateCluster, at + ".unique",
			"The clusteredIndex option requires unique: true to be specified"},
		refusal{isDocument && !isClusterKey(index.Field("key")), codes.InvalidIndexSpecificationOption, rules.CreateCluster, at + ".key",
			"The clusteredIndex option is only supported for key: {_id: 1}"},
	)
	if err != nil || !isDocument {
		return err
	}
	c.spec.Clustered = true
	if err := c.applySeconds(); err != nil {
		return err
	}
	if v := value.Given(index.Field("v")); !v.IsMissing() && value.WholeSeconds(v) != 2 {
		return refuseBy(codes.ClusteredVersion, rules.CreateCluster, at+".v",
			"Invalid clusteredIndex specification %s; cannot create a clusteredIndex with v=%d", value.Shown(index), value.WholeSeconds(v))
	}
	return nil
}

// createCommand is a create command under check.
type createCommand struct {
	arguments
	now  policy.Instant
	spec mongo.CollectionSpec
}

func (c *createCommand) has(name string) bool { return !c.given(name).IsMissing() }

// applySeconds stores the collection's own expireAfterSeconds.
func (c *createCommand) applySeconds() (err error) {
	if wanted := c.given("expireAfterSeconds"); !wanted.IsMissing() {
		c.spec.ExpireAfterSeconds, err = ownSeconds(wanted, c.profile, c.now)
	}
	return err
}

// seriesFields returns the fields of the timeseries option.
func (c *createCommand) seriesFields() []field {
	return []field{
		{name: "timeField", kinds: textKinds, required: true, checkValue: checkNoNul},
		{name: "metaField", kinds: textKinds},
		{name: "granularity", kinds: textKinds, checkValue: oneOfWords("hours", "minutes", "seconds")},
		{name: "bucketMaxSpanSeconds", kinds: numberKinds, checkValue: c.checkBucketBound},
		{name: "bucketRoundingSeconds", kinds: numberKinds, checkValue: c.checkBucketBound},
	}
}

// checkNoNul refuses a field name that contains a NUL byte.
func checkNoNul(path string, v policy.Value) error {
	if strings.Contains(value.Text(v), "\x00") {
		return refuseBy(codes.BadValue, rules.CommandValue, path, "'%s' cannot contain a null byte", path)
	}
	return nil
}

// checkBucketBound requires a bound from 1 second to 365 days.
func (c *createCommand) checkBucketBound(path string, v policy.Value) error {
	return checkWithin(c.profile, path, bucketBound(v), 1, catalog.MaxBucketSeconds)
}

// bucketBound returns the 32-bit whole number that the server reads from a bound.
func bucketBound(v policy.Value) int64 {
	return min(max(value.WholeSeconds(v), math.MinInt32), math.MaxInt32)
}

// checkTimeSeriesOptions refuses options that cannot be combined with
// timeseries.
func (c *createCommand) checkTimeSeriesOptions() error {
	if !c.has("timeseries") {
		return nil
	}
	allowed := []string{"create", "timeseries", "expireAfterSeconds", "storageEngine", "indexOptionDefaults", "collation"}
	for f := c.command.Fields(); f.Next(); {
		name := f.Name()
		isOff := name == "capped" && !value.IsTrue(f.Value())
		if !isOff && !value.IsOmitted(f.Value()) && !slices.Contains(allowed, name) && !c.arguments.passesOver(name) {
			return refuseBy(codes.InvalidOptions, rules.CreateSeries, name, "'timeseries' is not allowed with '%s'", name)
		}
	}
	return nil
}

// applyTimeSeries makes a time-series collection.
func (c *createCommand) applyTimeSeries() error {
	if !c.has("timeseries") {
		return nil
	}
	if err := c.checkBucketBounds(); err != nil {
		return err
	}
	c.spec.TimeSeries = policy.ObjectValue(withDefaults(c.given("timeseries")))
	return c.applySeconds()
}

// checkBucketBounds requires the usual span of the granularity. In releases with custom
// spans and without a granularity it requires that span and rounding are equal.
func (c *createCommand) checkBucketBounds() error {
	const spanAt, roundingAt = "timeseries.bucketMaxSpanSeconds", "timeseries.bucketRoundingSeconds"
	series, custom := c.given("timeseries"), c.profile.BucketSpans
	span, rounding := value.Given(series.Field("bucketMaxSpanSeconds")), value.Given(series.Field("bucketRoundingSeconds"))
	granular := !value.Given(series.Field("granularity")).IsMissing()
	usual := usualSpan(series)
	unusual := !span.IsMissing() && bucketBound(span) != usual
	return firstOf(
		refusal{!custom && unusual, codes.BucketSpan, rules.CreateBuckets, spanAt,
			fmt.Sprintf("Timeseries 'bucketMaxSpanSeconds' is not configurable to a value other than the default of %d for the provided granularity", usual)},
		refusal{!custom && !rounding.IsMissing(), 0, rules.CommandUnspecified, roundingAt, ""},
		refusal{custom && granular && unusual, codes.InvalidOptions, rules.CreateBuckets, spanAt,
			fmt.Sprintf("Time-series 'bucketMaxSpanSeconds' cannot be set to a value other than the default of %d for the provided granularity", usual)},
		refusal{custom && granular && !rounding.IsMissing(), codes.InvalidOptions, rules.CreateBuckets, roundingAt,
			"Time-series 'bucketRoundingSeconds' cannot be set alongside the granularity parameter"},
		refusal{custom && !granular && bucketBound(span) != bucketBound(rounding), codes.InvalidOptions, rules.CreateBuckets, roundingAt, // bucketBound returns 0 for an absent field
			"Time-series 'bucketRoundingSeconds' must be equal to 'bucketMaxSpanSeconds'"},
	)
}

// usualSpan returns the usual span, in seconds, of a collection's granularity.
func usualSpan(series policy.Value) int64 {
	text, ok := series.Field("granularity").AsString()
	if !ok {
		text = "seconds"
	}
	return catalog.Granularities[text][1]
}

// withDefaults returns the stored timeseries option, with defaults filled in.
func withDefaults(series policy.Value) policy.D {
	d := policy.D{{Key: "timeField", Value: series.Field("timeField")}}
	if meta := value.Given(series.Field("metaField")); !meta.IsMissing() {
		d = append(d, policy.E{Key: "metaField", Value: meta})
	}
	granularity := value.Given(series.Field("granularity"))
	rounding := value.Given(series.Field("bucketRoundingSeconds"))
	if !rounding.IsMissing() {
		seconds := policy.Int32Value(int32(bucketBound(rounding)))
		return append(d, policy.E{Key: "bucketRoundingSeconds", Value: seconds}, policy.E{Key: "bucketMaxSpanSeconds", Value: seconds})
	}
	if granularity.IsMissing() {
		granularity = policy.StringValue("seconds")
	}
	return append(d,
		policy.E{Key: "granularity", Value: granularity},
		policy.E{Key: "bucketMaxSpanSeconds", Value: policy.Int32Value(int32(usualSpan(series)))})
}
