package mongo

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// clusterFields are those of clusteredIndex.
var clusterFields = []field{
	{name: "v", kinds: numberKinds},
	{name: "key", kinds: documentKinds, required: true},
	{name: "name", kinds: textKinds},
	{name: "unique", kinds: flagKinds, required: true},
}

// clusteredIndex is that option, which is read for what it is only by releases
// that have clustered collections. Earlier ones know it from the buckets of time
// series.
func (c *creating) clusteredIndex() field {
	if !c.profile.clustered {
		return field{name: "clusteredIndex"}
	}
	return field{name: "clusteredIndex", kinds: slices.Concat(flagKinds, documentKinds), nulls: true, expected: "[bool, object]", fields: clusterFields}
}

// makeClustered makes a collection that is clustered by _id.
func (c *creating) makeClustered() error {
	const at = "clusteredIndex"
	index := c.given(at)
	isDocument := index.Kind() == policy.Object
	switch {
	case !index.IsMissing() && !c.profile.clustered:
		return unspecified(ruleCommandUnspecified, at)
	case !isDocument && isTrue(index):
		return refuseBy(clusteredFlag, ruleCreateCluster, at,
			"The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported for specific internal collections and vice versa")
	case !isDocument && !index.IsMissing() && c.has("expireAfterSeconds"):
		return refuseBy(InvalidOptions, ruleOwnKind, "expireAfterSeconds",
			"'expireAfterSeconds' can be used only for clustered collections or timeseries collections")
	case !isDocument:
		return nil
	case !isTrue(index.Field("unique")):
		return refuseBy(clusteredUnique, ruleCreateCluster, at+".unique", "The clusteredIndex option requires unique: true to be specified")
	case !isClusterKey(index.Field("key")):
		return refuseBy(InvalidIndexSpecificationOption, ruleCreateCluster, at+".key", "The clusteredIndex option is only supported for key: {_id: 1}")
	}
	c.spec.Clustered = true
	if err := c.expire(); err != nil {
		return err
	}
	if v := given(index.Field("v")); !v.IsMissing() && wholeSeconds(v) != 2 {
		return refuseBy(clusteredVersion, ruleCreateCluster, at+".v",
			"Invalid clusteredIndex specification %s; cannot create a clusteredIndex with v=%d", shown(index), wholeSeconds(v))
	}
	return nil
}

func isClusterKey(key policy.Value) bool {
	c, ok := compareValues(key, policy.ObjectValue(idIndex.Key))
	return ok && c == 0
}
