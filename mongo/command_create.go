package mongo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A CreateResult is what becomes of a create command that a release accepts. The
// zero CreateResult reports an ordinary collection without indexes.
type CreateResult struct {
	// Collection is the collection as the catalog holds it.
	Collection CollectionSpec
}

// ValidateCreate reports what a release does with a create command: what it
// stores, or why it refuses. The command is the body without the collection's
// name:
//
//	{timeseries: {timeField: "t", granularity: "minutes"}, expireAfterSeconds: 3600}
//	{clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: 3600}
//
// What bears on TTL is looked at: timeseries, clusteredIndex, capped, size, max,
// viewOn and expireAfterSeconds. The other options that create knows are not.
// The collection's own expireAfterSeconds is stored as an int64, doubles
// truncated, decimals rounded half to even and NaN as 0, and must not reach
// back before 1970 at now. A time-series collection is returned with the
// granularity and the span that the server fills in.
//
// A clustered collection that is capped is checked as by a server whose test
// commands are enabled; others accept none.
//
// The error is a [*SpecError] as [ValidateCollMod] describes it (mongodb/mongo:
// src/mongo/db/commands/create_command.cpp and
// src/mongo/db/catalog/create_collection.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/create).
func ValidateCreate(command policy.D, p Profile, now policy.Instant) (CreateResult, error) {
	if err := checkStorable(command); err != nil {
		return CreateResult{}, err
	}
	c := createCommand{command: policy.ObjectValue(command), profile: p, now: now}
	if err := c.apply(); err != nil {
		return CreateResult{}, err
	}
	return CreateResult{c.spec}, nil
}

// apply makes the collection, with the checks in the server's order.
func (c *createCommand) apply() error {
	if c.profile.create != readingStrict {
		return c.readByHand()
	}
	return firstFailure(c.read, c.checkCapped, c.checkTimeSeriesOptions, c.checkKind, c.applyTimeSeries, c.applyClustered)
}

// otherCreateOptions are what create knows in one release or another and what
// is not looked at.
var otherCreateOptions = []string{
	"create", "autoIndexId", "idIndex", "storageEngine", "validator", "validationLevel", "validationAction",
	"indexOptionDefaults", "pipeline", "collation", "recordPreImages", "changeStreamPreAndPostImages", "encryptedFields",
	"temp", "flags",
}

// readByHand reads the command of a release that knows no option of TTL, and
// refuses the first that it does not know.
func (c *createCommand) readByHand() error {
	c.spec.Capped, c.spec.View = isTrue(c.command.Field("capped")), c.has("viewOn")
	if c.profile.create == readingUnspecified {
		return c.readOldest()
	}
	if name, ok := c.otherThan(slices.Concat(cappedOptions, []string{"viewOn"}, otherCreateOptions)); ok {
		return refuseBy(InvalidOptions, ruleCommandUnknown, name, "The field '%s' is not a valid collection option.", name)
	}
	return nil
}

// readOldest accepts what every release accepts: a collection without options, and a
// capped one with its size.
func (c *createCommand) readOldest() error {
	name, ok := c.otherThan(cappedOptions)
	if ok || c.profile == (Profile{}) || c.checkCapped() != nil {
		return unspecified(ruleCommandUnspecified, cmp.Or(name, "create"))
	}
	return nil
}

var cappedOptions = []string{"capped", "size", "max"}

// otherThan returns the first option that is not known.
func (c *createCommand) otherThan(known []string) (name string, ok bool) {
	for f := c.command.Fields(); f.Next(); {
		if name := f.Name(); !isGenericArgument(name) && !slices.Contains(known, name) {
			return name, true
		}
	}
	return "", false
}

func (c *createCommand) read() error {
	fields := append(ignoredFields(otherCreateOptions...),
		field{name: "capped", kinds: flagKinds},
		field{name: "size", kinds: numberKinds, checkValue: c.checkSize},
		field{name: "max", kinds: numberKinds, checkValue: c.checkMax},
		field{name: "viewOn", kinds: textKinds, checkValue: checkViewOn},
	)
	if c.profile.timeSeries {
		fields = append(fields,
			field{name: "timeseries", kinds: documentKinds, fields: seriesFields},
			field{name: "expireAfterSeconds", kinds: numberKinds},
			c.clusteredIndexField())
	}
	err := checkCommand("create", c.command, fields)
	c.spec.Capped, c.spec.View = isTrue(c.given("capped")), c.has("viewOn")
	return err
}

// checkSize asks for 1 byte to a petabyte.
func (c *createCommand) checkSize(path string, v policy.Value) error {
	if !c.profile.timeSeries {
		return nil
	}
	return checkWithin(path, wholeSeconds(v), 1, 1<<50)
}

// checkMax asks for what fits 31 bits; 0 and less is no limit.
func (c *createCommand) checkMax(path string, v policy.Value) error {
	if n := wholeSeconds(v); c.profile.timeSeries && n > math.MaxInt32 {
		return refuseBy(BadValue, ruleCommandValue, path, "BSON field '%s' value must be < 2147483648, actual value '%d'", path, n)
	}
	return nil
}

func checkViewOn(path string, v policy.Value) error {
	if textOf(v) == "" {
		return refuseBy(BadValue, ruleCommandValue, path, "'viewOn' cannot be empty")
	}
	return nil
}

// checkCapped asks of a capped collection that it has a size, of others that they
// have none, and of a clustered collection that age bounds it rather than size.
func (c *createCommand) checkCapped() error {
	const clusteredReason = "'%s' field for capped collections is not allowed on clustered collections. Did you mean 'capped: true' with 'expireAfterSeconds'?"
	capped, clustered := c.spec.Capped, c.has("clusteredIndex") && c.profile.clustered
	return firstOf(
		refusal{clustered && c.has("size"), clusteredSize, ruleCreateCluster, "size", fmt.Sprintf(clusteredReason, "size")},
		refusal{clustered && c.has("max"), clusteredMax, ruleCreateCluster, "max", fmt.Sprintf(clusteredReason, "max")},
		refusal{clustered && capped && !c.has("expireAfterSeconds"), clusteredCapped, ruleCreateCluster, "expireAfterSeconds",
			"A capped clustered collection requires the 'expireAfterSeconds' field"},
		refusal{!clustered && capped && !c.has("size"), InvalidOptions, ruleCreateCapped, "size", "the 'size' field is required when 'capped' is true"},
		refusal{!clustered && !capped && (c.has("size") || c.has("max")), InvalidOptions, ruleCreateCapped, "capped",
			"the 'capped' field needs to be true when either the 'size' or 'max' fields are present"},
	)
}

// checkKind looks at the names of the time and the meta field, and asks whether
// such a collection may have expireAfterSeconds, and a view be clustered.
func (c *createCommand) checkKind() error {
	const topReason = "'%s' must be a top-level field and not contain a '.'"
	series, clustered := c.given("timeseries"), c.profile.clustered
	time, _ := series.Field("timeField").AsString()
	meta, named := series.Field("metaField").AsString()
	ordinary := c.has("expireAfterSeconds") && !c.has("timeseries") && !(clustered && c.has("clusteredIndex"))
	return firstOf(
		refusal{strings.Contains(time, "."), InvalidOptions, ruleCreateSeries, "timeseries.timeField", fmt.Sprintf(topReason, "timeField")},
		refusal{named && meta == "_id", InvalidOptions, ruleCreateSeries, "timeseries.metaField", `'metaField' cannot be "_id"`},
		refusal{named && meta == time, InvalidOptions, ruleCreateSeries, "timeseries.metaField", "'metaField' cannot be the same as 'timeField'"},
		refusal{strings.Contains(meta, "."), InvalidOptions, ruleCreateSeries, "timeseries.metaField", fmt.Sprintf(topReason, "metaField")},
		refusal{ordinary && clustered, InvalidOptions, ruleOwnKind, "expireAfterSeconds",
			"'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified"},
		refusal{ordinary, InvalidOptions, ruleOwnKind, "expireAfterSeconds", "'expireAfterSeconds' is only supported on time-series collections"},
		refusal{c.spec.View && clustered && isTrue(c.given("clusteredIndex")), clusteredView, ruleCreateCluster, "clusteredIndex",
			"The 'clusteredIndex' option is not supported with views"},
	)
}

// clusterFields are those of clusteredIndex.
var clusterFields = []field{
	{name: "v", kinds: numberKinds},
	{name: "key", kinds: documentKinds, required: true},
	{name: "name", kinds: textKinds},
	{name: "unique", kinds: flagKinds, required: true},
}

// clusteredIndexField is that option, which is read for what it is only by releases
// that have clustered collections. Earlier ones know it from the buckets of time
// series.
func (c *createCommand) clusteredIndexField() field {
	if !c.profile.clustered {
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
		refusal{!index.IsMissing() && !c.profile.clustered, 0, ruleCommandUnspecified, at, ""},
		refusal{!isDocument && isTrue(index), clusteredFlag, ruleCreateCluster, at,
			"The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported for specific internal collections and vice versa"},
		refusal{!isDocument && !index.IsMissing() && c.has("expireAfterSeconds"), InvalidOptions, ruleOwnKind, "expireAfterSeconds",
			"'expireAfterSeconds' can be used only for clustered collections or timeseries collections"},
		refusal{isDocument && !isTrue(index.Field("unique")), clusteredUnique, ruleCreateCluster, at + ".unique",
			"The clusteredIndex option requires unique: true to be specified"},
		refusal{isDocument && !isClusterKey(index.Field("key")), invalidIndexSpecificationOption, ruleCreateCluster, at + ".key",
			"The clusteredIndex option is only supported for key: {_id: 1}"},
	)
	if err != nil || !isDocument {
		return err
	}
	c.spec.Clustered = true
	if err := c.applySeconds(); err != nil {
		return err
	}
	if v := given(index.Field("v")); !v.IsMissing() && wholeSeconds(v) != 2 {
		return refuseBy(clusteredVersion, ruleCreateCluster, at+".v",
			"Invalid clusteredIndex specification %s; cannot create a clusteredIndex with v=%d", shown(index), wholeSeconds(v))
	}
	return nil
}

func isClusterKey(key policy.Value) bool { return isEqual(key, policy.ObjectValue(idIndex.Key)) }
