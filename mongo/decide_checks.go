package mongo

import (
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// catalogIndex is the input of the checks of one index.
type catalogIndex struct {
	spec       IndexSpec
	profile    behaviour.Profile
	collection CollectionSpec
}

// A check is one requirement of the monitor on an index. It returns the rule
// that it consults, or nil if the release has no such requirement, and whether
// the index passes.
type check func(*catalogIndex) (consulted policy.Rule, passes bool)

// indexChecks are made in the order of the monitor's own (mongodb/mongo:
// src/mongo/db/ttl/ttl_monitor.cpp, getValidTTLIndex).
var indexChecks = slices.Concat(
	[]check{checkOption, checkProcessed, checkSingleField, checkPlain, checkDirection, checkVersion, checkPath}, optionChecks, []check{checkDeletable, checkFilterLanguage},
)

// ownChecks are the checks of a collection's own option.
var ownChecks = []check{checkProcessed, checkOwnSeconds}

// checkOwnSeconds requires seconds that a collection's own option can have.
func checkOwnSeconds(c *catalogIndex) (policy.Rule, bool) {
	return rules.CollectionSecondsUnspecified, isCollectionSeconds(c.spec.ExpireAfterSeconds)
}

// keyChecks decide whether the index holds keys by which documents could expire,
// apart from its option and its collection.
var keyChecks = []check{checkSingleField, checkPlain, checkDirection, checkVersion, checkPath}

// consult makes the checks. It returns the rules they consulted, and the last of
// these if its check failed, else nil.
func (c *catalogIndex) consult(checks []check) (consulted []policy.Rule, failed policy.Rule) {
	for _, passes := range checks {
		rule, ok := passes(c)
		if !rule.IsZero() && !slices.Contains(consulted, rule) {
			consulted = append(consulted, rule)
		}
		if !ok {
			return consulted, rule
		}
	}
	return consulted, policy.Rule{}
}

func checkOption(c *catalogIndex) (policy.Rule, bool) {
	return rules.NoTTL, !c.spec.ExpireAfterSeconds.IsMissing()
}

func checkSingleField(c *catalogIndex) (policy.Rule, bool) {
	return rules.Compound, len(c.spec.Key) == 1
}

// checkPlain requires an ascending or descending index. Releases that delete by a query
// do not require it. They delete by a hashed index as by an ordinary index; the effect of
// another special index is unspecified, unless the release takes that index for an
// ordinary one.
func checkPlain(c *catalogIndex) (policy.Rule, bool) {
	key := c.spec.Key[0]
	switch {
	case c.profile.HashedDeletes && value.Text(key.Value) == "hashed":
		return rules.HashedDeletes, true
	case c.profile.UnknownTypesPlain && isOfLaterType(key):
		return rules.TypeUnknown, true
	case c.profile.ByQuery:
		return rules.SpecialUnspecified, !isSpecial(key)
	}
	return rules.Special, !isSpecial(key)
}

// checkDirection requires a direction in which the scan finds the dates. NaN is no such
// direction: the scan runs backward because NaN is not at least 0, but the keys ascend
// because NaN is not below 0.
func checkDirection(c *catalogIndex) (policy.Rule, bool) {
	switch {
	case !c.spec.Key[0].Value.IsNaN():
		return policy.Rule{}, true
	case c.profile.ByQuery:
		return rules.DirectionUnspecified, false
	}
	return rules.DirectionNaN, false
}

// checkVersion fails for an index of version 0 if its effect in the release is
// unspecified.
func checkVersion(c *catalogIndex) (policy.Rule, bool) {
	if c.isVersionZero() && c.profile.VersionZero == behaviour.VersionZeroUnspecified {
		return rules.VersionZeroUnspecified, false
	}
	return policy.Rule{}, true
}

func (c *catalogIndex) isVersionZero() bool {
	return c.spec.Version.Kind().IsNumber() && value.WholeSeconds(c.spec.Version) == 0
}

// checkPath requires a path that can be indexed. From 3.2 on a server does not start if
// an index is on another path (r3.2.0 src/mongo/db/catalog/index_catalog.cpp:134).
func checkPath(c *catalogIndex) (policy.Rule, bool) {
	rule := rules.PathRefused
	if c.profile.ByQuery {
		rule = rules.PathUnspecified
	}
	return rule, fieldpath.IsIndexable(c.spec.Key[0].Key)
}

// checkDeletable checks that deletes from the collection succeed.
func checkDeletable(c *catalogIndex) (policy.Rule, bool) {
	switch {
	case !c.collection.Capped || c.profile.Capped == behaviour.CappedDeletes:
		return policy.Rule{}, true
	case c.profile.DocumentDB:
		return rules.DocumentDBCollectionUnspecified, false
	case c.profile.Capped == behaviour.CappedKeeps:
		return rules.Capped, false
	}
	return rules.CappedUnspecified, false
}

// checkFilterLanguage consults a rule if the release stores a partial filter
// without reading it. It never fails.
func checkFilterLanguage(c *catalogIndex) (policy.Rule, bool) {
	if c.hasFilter() || c.spec.PartialFilterExpression.IsMissing() {
		return policy.Rule{}, true
	}
	return rules.FilterIgnored, true
}

// hasFilter reports whether the index has a partial filter that the release
// reads.
func (c *catalogIndex) hasFilter() bool {
	return c.profile.Filters != behaviour.FiltersNone && !c.spec.PartialFilterExpression.IsMissing()
}

// optionChecks are the checks of an index's expireAfterSeconds.
var optionChecks = []check{checkNumeric, checkNaN, checkSeconds, checkMilliseconds, checkClock}

// checkNumeric checks the option's type. The first releases have no such check: they read
// a value that is not a number as 0, and do not know the type Decimal128.
func checkNumeric(c *catalogIndex) (policy.Rule, bool) {
	kind := c.spec.ExpireAfterSeconds.Kind()
	switch {
	case kind == policy.Decimal && !c.profile.Decimals:
		return rules.SecondsUnspecified, false
	case c.profile.NotNumber == behaviour.OptionZero:
		return rules.SecondsNotNumberZero, true
	}
	return rules.SecondsNotNumber, kind.IsNumber()
}

var nanRules = [...]policy.Rule{
	behaviour.OptionAborts: rules.NaNAborts, behaviour.OptionZero: rules.NaNZero, behaviour.OptionSkipped: rules.NaNSkipped,
}

func checkNaN(c *catalogIndex) (policy.Rule, bool) {
	return nanRules[c.profile.Nan], c.profile.Nan == behaviour.OptionZero || !c.spec.ExpireAfterSeconds.IsNaN()
}

// checkSeconds requires a delay from 0 to 2147483647 seconds, in releases that require
// it.
func checkSeconds(c *catalogIndex) (policy.Rule, bool) {
	inRange := value.InSeconds(value.WholeSeconds(c.spec.ExpireAfterSeconds))
	switch c.profile.OutOfRange {
	case behaviour.OptionSkipped:
		return rules.SecondsInvalid, inRange
	case behaviour.OptionUnspecified:
		return rules.SecondsUnspecified, inRange
	}
	return policy.Rule{}, true
}

// checkMilliseconds checks that the pass can convert the delay to milliseconds:
// a conversion that overflows aborts the pass, or wraps.
func checkMilliseconds(c *catalogIndex) (policy.Rule, bool) {
	n := value.WholeSeconds(c.spec.ExpireAfterSeconds)
	fits := n <= math.MaxInt64/1000 && n >= math.MinInt64/1000
	switch {
	case c.profile.OutOfRange != behaviour.OptionUsed:
		return policy.Rule{}, true // checkSeconds has checked the range
	case c.profile.SecondsWrap:
		return rules.SecondsWrap, true
	}
	return rules.SecondsOverflow, fits
}

// checkClock checks that the pass can compute the cutoff of a negative delay at
// every clock that a server may have.
func checkClock(c *catalogIndex) (policy.Rule, bool) {
	last, limited := delayOf(c.profile, c.spec.ExpireAfterSeconds).lastClock()
	if !limited || c.profile.OutOfRange != behaviour.OptionUsed {
		return policy.Rule{}, true
	}
	return c.lateRule(), last >= firstServerClock
}

// lateRule returns the rule for a pass that cannot compute the cutoff.
func (c *catalogIndex) lateRule() policy.Rule {
	if c.profile.CutoffChecked {
		return rules.SecondsOverflow
	}
	return rules.SecondsUnspecified
}

// checkProcessed checks that the release deletes in the collection's namespace. A
// collection without a namespace is an ordinary one. A time-series collection may have its
// own name or that of its buckets; TTL deletes its buckets.
func checkProcessed(c *catalogIndex) (policy.Rule, bool) {
	database, name, ok := strings.Cut(c.collection.Namespace, ".")
	if !ok {
		return policy.Rule{}, true
	}
	p := c.profile.ProcessingIn(database, name)
	if !c.collection.TimeSeries.IsMissing() && !strings.HasPrefix(name, behaviour.BucketsPrefix) && p == behaviour.Processed {
		p = c.profile.ProcessingIn(database, behaviour.BucketsPrefix+name)
	}
	if p == behaviour.ProcessingUnspecified {
		return rules.NamespaceUnspecified, false
	}
	return rules.NamespaceExcluded, p == behaviour.Processed
}

// isCollectionSeconds reports whether v can be a collection's own expireAfterSeconds: at
// least 0 seconds, which fit 64 bits as milliseconds. NaN is stored as 0, so no catalog
// holds it.
func isCollectionSeconds(v policy.Value) bool {
	n := value.WholeSeconds(v)
	return v.Kind().IsNumber() && !v.IsNaN() && n >= 0 && n <= int64(policy.MaxInstant/1000)
}

// EndsPass reports whether the server's error at an index x of a collection c ends the pass
// over its whole database, so that TTL indexes made after x, in any collection of the
// database, delete nothing. It is true up to 2.6 for an index by which the monitor tries to
// delete, in a capped collection or in a namespace that the delete refuses. It is false for
// the zero Profile (mongodb/mongo: src/mongo/db/ttl.cpp of the branches v2.2 to v2.6,
// TTLMonitor::run; rule mongo.monitor-stops).
func (functions) EndsPass(c CollectionSpec, x IndexSpec, p Profile) bool {
	index := &catalogIndex{x, p.behaviour, c}
	if !p.behaviour.ErrorsEndPass {
		return false
	}
	if _, skipped := index.consult([]check{checkOption, checkSingleField, checkNumeric}); !skipped.IsZero() {
		return false
	}
	_, processed := checkProcessed(index)
	_, deletable := checkDeletable(index)
	return !processed || !deletable
}

// isSpecial reports whether a key pattern's field asks for anything but a
// plain index: "hashed", "text", "2d", "2dsphere", or a wildcard.
func isSpecial(key policy.E) bool {
	return value.Text(key.Value) != "" || catalog.IsWildcardName(key.Key)
}

// isOfLaterType reports whether a key pattern's field asks for a type of index that
// 2.2 does not know.
func isOfLaterType(key policy.E) bool {
	switch value.Text(key.Value) {
	case "", "2d", "geoHaystack", "hashed":
		return false
	}
	return !catalog.IsWildcardName(key.Key)
}
