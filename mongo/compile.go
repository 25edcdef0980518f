package mongo

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// compiling is what the checks of one index look at.
type compiling struct {
	spec       IndexSpec
	profile    Profile
	collection CollectionSpec
}

// A check is one thing that the monitor asks of an index before it deletes by
// it. It returns the rule that it consults, nil if the release asks nothing of
// the kind, and whether the index passes.
type check func(*compiling) (consulted *policy.Rule, passes bool)

// indexChecks are made in the order of the monitor's own (mongodb/mongo:
// src/mongo/db/ttl/ttl_monitor.cpp, getValidTTLIndex).
var indexChecks = slices.Concat(
	[]check{hasOption, isProcessed, isSingle, isPlain, hasVersion, hasIndexablePath}, optionChecks, []check{isDeletable, hasFilterLanguage},
)

// ownChecks are made of a collection's own option.
var ownChecks = []check{isProcessed, hasOwnSeconds}

// hasOwnSeconds asks for seconds that a collection's own option can have.
func hasOwnSeconds(c *compiling) (*policy.Rule, bool) {
	return ruleCollectionSecondsUnspecified, isCollectionSeconds(c.spec.ExpireAfterSeconds)
}

// keyChecks are those that tell whether the index holds keys that could expire
// documents, were it not for its option or its collection.
var keyChecks = []check{isSingle, isPlain, hasVersion, hasIndexablePath, hasFilterLanguage}

// run makes the checks. It returns the rules they consulted, and the last of
// these if its check failed, else nil.
func (c *compiling) run(checks []check) (consulted []*policy.Rule, failed *policy.Rule) {
	for _, passes := range checks {
		rule, ok := passes(c)
		if rule != nil && !slices.Contains(consulted, rule) {
			consulted = append(consulted, rule)
		}
		if !ok {
			return consulted, rule
		}
	}
	return consulted, nil
}

func hasOption(c *compiling) (*policy.Rule, bool) {
	return ruleNoTTL, !c.spec.ExpireAfterSeconds.IsMissing()
}

func isSingle(c *compiling) (*policy.Rule, bool) { return ruleCompound, len(c.spec.Key) == 1 }

// isPlain asks for an ascending or descending index. Releases that delete by a
// query do not ask. By a hashed index they delete as by others; what they do by
// another special one is open.
func isPlain(c *compiling) (*policy.Rule, bool) {
	key := c.spec.Key[0]
	switch {
	case c.profile.hashedDeletes && isHashed(key):
		return ruleHashedDeletes, true
	case c.profile.byQuery:
		return ruleSpecialUnspecified, !isSpecial(key)
	}
	return ruleSpecial, !isSpecial(key)
}

func isHashed(key policy.E) bool {
	return key.Value.Kind() == policy.String && key.Value.CompareText("hashed") == 0
}

// hasVersion asks for an index whose keys are compared in one way.
func hasVersion(c *compiling) (*policy.Rule, bool) {
	if c.isVersionZero() && c.profile.versionZero == versionZeroUnspecified {
		return ruleVersionZeroUnspecified, false
	}
	return nil, true
}

func (c *compiling) isVersionZero() bool {
	n, isNumber := WholeSeconds(c.spec.Version)
	return isNumber && n == 0
}

// isSpecial reports whether a key pattern's field asks for anything but a
// plain index: "hashed", "text", "2d", "2dsphere", or a wildcard.
func isSpecial(key policy.E) bool {
	named := key.Value.Kind() == policy.String && key.Value.CompareText("") != 0
	return named || key.Key == "$**" || strings.HasSuffix(key.Key, ".$**")
}

func hasIndexablePath(c *compiling) (*policy.Rule, bool) {
	return rulePathRefused, isIndexable(pathOf(c.spec.Key[0].Key))
}

// isDeletable asks whether deletes from the collection succeed.
func isDeletable(c *compiling) (*policy.Rule, bool) {
	switch {
	case !c.collection.Capped || c.profile.capped == cappedDeletes:
		return nil, true
	case c.profile.capped == cappedKeeps:
		return ruleCapped, false
	}
	return ruleCappedUnspecified, false
}

// hasFilterLanguage asks whether the release knows partial indexes. An older
// one stores the option without looking at it.
func hasFilterLanguage(c *compiling) (*policy.Rule, bool) {
	if c.profile.filters != filtersNone {
		return nil, true
	}
	return ruleFilterLanguageUnspecified, c.spec.PartialFilterExpression.IsMissing()
}
