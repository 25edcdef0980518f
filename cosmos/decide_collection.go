package cosmos

import (
	"fmt"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Collection decides by the TTL index of one collection. It is immutable and
// safe for concurrent use; deciding does not allocate. Make one with
// [CompileCollection]. The zero Collection has TTL off, and so has a nil one.
type Collection struct {
	noJSON
	idle    policy.Rule // the rule that keeps every document if active is false; zero for ruleMongoOff
	active  bool        // the TTL index is used
	seconds TTL         // of an index on _ts
	noTTL   bool        // the account's version may ignore the ttl of documents
	path    []string    // of an index on another field; nil for _ts
	delay   int32
}

// CompileCollection prepares a collection for deciding. An index that the service would
// refuse compiles, and keeps every document by an -unspecified rule. CompileCollection
// fails for a key pattern without fields, a malformed server version, or a version that
// no account has ([ErrUnknownVersion]); the collection is nil then.
func CompileCollection(spec CollectionSpec) (*Collection, error) {
	version, err := spec.version()
	if err != nil {
		return nil, err
	}
	var found []IndexSpec
	for _, x := range spec.Indexes {
		if len(x.Key) == 0 {
			return nil, fmt.Errorf("cosmos: index %q has no key, want one such as {_ts: 1}", x.Name)
		}
		if !x.ExpireAfterSeconds.IsMissingOrNull() {
			found = append(found, x)
		}
	}
	switch {
	case len(found) == 0:
		return &Collection{idle: ruleMongoOff}, nil
	case len(found) > 1 || len(found[0].Key) > 1:
		return &Collection{idle: ruleMongoIndexUnspecified}, nil
	}
	return compileTTLIndex(found[0], spec, version), nil
}

// compileTTLIndex compiles a single-field TTL index.
func compileTTLIndex(x IndexSpec, account CollectionSpec, version int) *Collection {
	switch onTS := x.Key[0].Key == "_ts"; {
	case onTS && checkTSIndex(x) == nil:
		return &Collection{active: true, seconds: coerce(x.ExpireAfterSeconds), noTTL: !account.allowsTTL(version)}
	case !onTS && account.allowsCustomPath(version) && checkFieldIndex(x) == nil:
		n, _ := wholeInt32(x.ExpireAfterSeconds)
		return &Collection{active: true, path: strings.Split(x.Key[0].Key, "."), delay: int32(n)}
	}
	return &Collection{idle: ruleMongoIndexUnspecified}
}

// Decide returns the decision about doc at now. It reads _ts from the document,
// as exports hold it: an integer or an integral double of seconds. If you keep
// the time of the last write elsewhere, use [Collection.DecideAt].
func (c *Collection) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	return c.decide(policy.ObjectValue(doc), now)
}

// DecideAt is Decide for a document that was last written at ts, whatever _ts it
// holds.
func (c *Collection) DecideAt(doc policy.Document, ts Timestamp, now policy.Instant) policy.Decision {
	return c.decideAt(policy.ObjectValue(doc), ts, now)
}

// DecideBSON is Decide for raw BSON, which it checks first. The rule
// cosmos.malformed keeps malformed bytes; [policy.ParseBSON] returns the place
// of the fault.
func (c *Collection) DecideBSON(doc []byte, now policy.Instant) policy.Decision {
	b, err := policy.ParseBSON(doc)
	if err != nil {
		return keptBy(ruleMalformed)
	}
	return c.decide(b.Value(), now)
}

// Consulted returns the rules that were consulted on the way to d.
func (c *Collection) Consulted(d policy.Decision) []policy.Rule {
	if c != nil && c.path != nil {
		return engine.Consulted(fieldLadder, d.Rule)
	}
	return engine.Consulted(mongoLadder, d.Rule)
}

func (c *Collection) decide(doc policy.Value, now policy.Instant) policy.Decision {
	return c.decideAt(doc, exported(doc.Field("_ts")), now)
}

// exported returns the Timestamp of a _ts in an export.
func exported(v policy.Value) Timestamp {
	if f, ok := v.AsDouble(); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return TimestampSeconds(int64(f))
	}
	return timestampOf(v.AsInt64())
}

// decideAt decides about a document that was last written at ts.
func (c *Collection) decideAt(doc policy.Value, ts Timestamp, now policy.Instant) policy.Decision {
	if c == nil || !c.active {
		return keptBy(c.idleRule())
	}
	ttl := coerce(doc.Field("ttl"))
	switch {
	case !ttl.isAbsent() && isRepeated(doc, "ttl"):
		return keptBy(ruleDuplicateUnspecified)
	case c.path != nil:
		return c.decideField(doc, ttl, now)
	}
	if keep := c.keepRule(ttl); !keep.IsZero() {
		return keptBy(keep)
	}
	rule := ruleItem
	switch ttl.class {
	case ttlAbsent:
		ttl, rule = c.seconds, ruleDefault
	case ttlIgnored:
		ttl, rule = c.seconds, ruleMongoTTLIgnored
	}
	return expireAt(ts, ttl, rule, now)
}

func (c *Collection) idleRule() policy.Rule {
	if c == nil || c.idle.IsZero() {
		return ruleMongoOff
	}
	return c.idle
}

// keepRule returns the rule by which a document with this ttl has no deadline, or zero if
// the document has a deadline.
func (c *Collection) keepRule(ttl TTL) policy.Rule {
	switch {
	case c.noTTL && ttl.isValid():
		return ruleMongoTTLVersion
	case ttl.isNever():
		return ruleItemNever
	case ttl.class == ttlRefused:
		return ruleMongoTTLUnspecified
	case ttl.class != ttlSeconds && c.seconds.isNever():
		return ruleNoDefault
	}
	return policy.Rule{}
}

// decideField consults the rules in the order of fieldLadder.
func (c *Collection) decideField(doc policy.Value, ttl TTL, now policy.Instant) policy.Decision {
	v, ok := along(doc, c.path)
	switch {
	case isRepeatedAlong(doc, c.path):
		return keptBy(ruleDuplicateUnspecified)
	case !ttl.isAbsent() && ttl.class != ttlIgnored:
		return keptBy(ruleMongoFieldTTL)
	case !ok:
		return keptBy(ruleMongoFieldArray)
	case v.IsMissing():
		return keptBy(ruleMongoFieldMissing)
	}
	start, ok := smallest(v)
	if !ok {
		return keptBy(ruleMongoFieldType)
	}
	sum, ok := start.Add(c.delay)
	if !ok || sum == policy.MaxInstant {
		return keptBy(ruleUnreachable)
	}
	return policy.DecisionOf(policy.Pending, sum+1, ruleMongoField).At(now)
}

// along returns the value that the names lead to through embedded documents. It
// reports false if the path leads through an array.
func along(v policy.Value, names []string) (policy.Value, bool) {
	for _, name := range names {
		if v.Kind() == policy.List {
			return v, false
		}
		v = v.Field(name)
	}
	return v, true
}

// smallest returns the instant that v represents, or the earliest instant of an array.
func smallest(v policy.Value) (first policy.Instant, found bool) {
	e := v.Elements()
	for e.Next() {
		if i, ok := milliseconds(e.Value()); ok && (!found || i < first) {
			first, found = i, true
		}
	}
	if found {
		return first, true
	}
	return milliseconds(v)
}

// milliseconds returns the instant that a date or a number of Unix milliseconds stands
// for. A double is rounded down. No document expires too early by that, because it is
// still kept in the millisecond of its deadline.
func milliseconds(v policy.Value) (policy.Instant, bool) {
	if i, ok := v.AsDate(); ok {
		return i, true
	}
	if n, ok := v.AsInt64(); ok {
		return policy.Instant(n), true
	}
	f, ok := v.AsDouble()
	if !ok || !(math.Abs(f) < 1<<62) {
		return 0, false
	}
	return policy.Instant(math.Floor(f)), true
}
