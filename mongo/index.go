package mongo

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Index decides by one index. It is immutable and safe for concurrent use;
// deciding does not allocate. Make one with [Compile]. The zero Index keeps
// every document.
type Index struct {
	name   string
	path   []component
	delay  delay
	strict bool
	filter Filter
	// idle is the rule by which the index deletes nothing at all, nil for one
	// that does.
	idle *policy.Rule
}

// Compile prepares an index that stands in the catalog of a release, whether
// or not that release would create it today. An index without
// expireAfterSeconds, or one that the server skips, compiles and decides
// [policy.Never]. The error, a [*SpecError], is for a partial filter that the
// release cannot hold.
func Compile(spec IndexSpec, p Profile) (*Index, error) {
	return compileIndex(spec, p, false)
}

func compileIndex(spec IndexSpec, p Profile, capped bool) (*Index, error) {
	x := &Index{name: spec.Name, strict: p.Strict}
	if x.idle = shapeRule(spec); x.idle != nil {
		return x, nil
	}
	x.path = pathOf(spec.Key[0].Key)
	if x.delay, x.idle = delayOf(spec.ExpireAfterSeconds, p.Stored); x.idle != nil {
		return x, nil
	}
	if capped && p.Capped != CappedDeletes {
		x.idle = map[CappedMeaning]*policy.Rule{CappedKeeps: ruleCappedKeeps, CappedOpen: ruleCappedUnspecified}[p.Capped]
	}
	var err error
	x.filter, err = compileFilter(spec.PartialFilter, spec.Collation, p)
	return x, err
}

// shapeRule returns the rule by which an index of this shape deletes nothing,
// or nil.
func shapeRule(spec IndexSpec) *policy.Rule {
	switch {
	case spec.ExpireAfterSeconds.IsMissing():
		return ruleNoTTL
	case len(spec.Key) != 1:
		return ruleCompound
	case isSpecial(spec.Key[0]):
		return ruleSpecial
	}
	return nil
}

// isSpecial reports whether a key pattern's field asks for anything but a
// plain index: "hashed", "text", "2d", "2dsphere", or a wildcard.
func isSpecial(key policy.E) bool {
	return key.Value.Kind() == policy.String || key.Key == "$**" || strings.HasSuffix(key.Key, ".$**")
}

// Name returns the index's name.
func (x *Index) Name() string { return x.name }

// Decide reports what the index does to doc at now.
func (x *Index) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	return x.decide(policy.ObjectValue(doc), now)
}

// DecideBSON is Decide for raw BSON, which it checks first. Malformed bytes
// are kept by the rule mongo.malformed; [policy.ParseBSON] tells the place.
func (x *Index) DecideBSON(doc []byte, now policy.Instant) policy.Decision {
	b, err := policy.ParseBSON(doc)
	if err != nil {
		return policy.Keep(ruleMalformed)
	}
	return x.decide(b.Value(), now)
}

// Ladder returns the rules that were consulted on the way to d.
func (x *Index) Ladder(d policy.Decision) []*policy.Rule {
	return policy.Consulted(indexLadder, d.Rule)
}

// decide consults the rules in the order of indexLadder.
func (x *Index) decide(doc policy.Value, now policy.Instant) policy.Decision {
	if x.path == nil || x.idle != nil {
		return policy.Keep(x.idleRule())
	}
	switch x.filter.match(doc) {
	case Undecidable:
		return policy.Keep(ruleFilterUnspecified)
	case Outside:
		return policy.Keep(ruleFilterMismatch)
	}
	k := keysOf(doc, x.path)
	if !k.found || k.why == rulePathAmbiguous {
		return policy.Keep(k.why)
	}
	deadline, ok := x.delay.deadlineAfter(k.earliest, x.strict)
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	return policy.ExpireAt(deadline, x.dateRule(k), now)
}

func (x *Index) idleRule() *policy.Rule {
	if x.idle == nil {
		return ruleNoTTL
	}
	return x.idle
}

// dateRule returns the rule by which a date decides.
func (x *Index) dateRule(k keys) *policy.Rule {
	switch {
	case k.expanded:
		return ruleEarliest
	case x.strict:
		return ruleDateStrict
	}
	return ruleDate
}

// Cutoff returns the latest date that is expired at now, so that a storage
// engine can scan the index from [policy.MinInstant] up to it, both included.
// It reports false if the index deletes nothing at now. The filter is not part
// of it: the scan must be of the partial index.
func (x *Index) Cutoff(now policy.Instant) (policy.Instant, bool) {
	if x.path == nil || x.idle != nil {
		return 0, false
	}
	cutoff := now - policy.Instant(x.delay)
	if x.delay > 0 && cutoff > now || x.strict && cutoff == policy.MinInstant {
		return 0, false
	}
	if x.delay < 0 && cutoff < now {
		cutoff = policy.MaxInstant // further ahead than any date
	}
	if x.strict {
		cutoff--
	}
	return cutoff, true
}
