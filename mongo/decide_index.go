package mongo

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The routes by which an index decides. All of them return the result of decide;
// most are short cuts for frequent documents, and tests compare them with decide.
//
//	Decide      a policy.BSON                    → DecideBSON
//	            plain.onTop without a filter     → DecideKey for a Date, else decideKeys
//	            any other                        → decide
//	DecideBSON  plain.within                     → decideWithin → DecideKey for a Date, else decideKeys
//	            any other that is not onTop      → decideRaw → decide
//	            the filter's field is not a text → decideRaw → decide
//	            the filter excludes the document → kept
//	            a Date at the top                → DecideKey
//	            anything else at the top         → decideFound → decideKeys
//	DecideKey   plain                            → the key plus the delay
//	            any other                        → decideKey → decideID or decideKeys
//	decide      idle, late, outside the filter   → kept
//	            clustered                        → decideClustered → decideID
//	            any other                        → decideKeys
//	decideKeys  no Date                          → kept
//	            the earliest Date                → the Date plus the delay

// An indexSource decides by one index. It is immutable and safe for concurrent use;
// deciding does not allocate. The zero indexSource keeps every document.
type indexSource struct {
	name   string
	path   []fieldpath.Component // the path of the keys that the index holds; see holdsKeys
	delay  delay
	filter filter.Filter
	// since is the earliest date of the scan, and floor the rule that keeps earlier
	// dates; floor is nil if the scan has no such limit.
	since policy.Instant
	floor policy.Rule
	// until is the last clock at which the index deletes, and late the rule by
	// which it keeps everything afterwards; late is nil if there is no such clock.
	until policy.Instant
	late  policy.Rule
	// clustered means that the scan is of a collection clustered by _id.
	clustered bool
	// plain decides about a single Date; see plainIndex.
	plain plainIndex
	// strict is the rule of dates where the date of the cutoff itself is not expired, or zero.
	strict policy.Rule
	// terms are the paths of the index and its filter in DocumentDB, which keeps index terms
	// of its own; nil in MongoDB.
	terms []string
	// timestamps means that a replication timestamp counts as a Date, and
	// timestampsUnspecified that the treatment of a replication timestamp is unspecified.
	timestamps, timestampsUnspecified bool
	// failed is the rule by which the index deletes nothing at all, or zero; ladder holds
	// all rules of the index in order.
	failed policy.Rule
	ladder []policy.Rule
}

func compileIndex(c catalogIndex) (*indexSource, error) {
	spec, p := c.spec, c.profile
	if spec.Clustered && !spec.ExpireAfterSeconds.IsMissing() {
		return compileClustered(c)
	}
	x := &indexSource{name: spec.Name, since: policy.MinInstant, strict: strictRule(p)}
	x.ladder, x.failed = c.consult(indexChecks)
	err := x.hold(&c)
	if !x.failed.IsZero() {
		return x, nil // a skipped index is not checked further
	}
	if err != nil {
		return nil, err
	}
	x.delay = delayOf(p, spec.ExpireAfterSeconds)
	if last, limited := x.delay.lastClock(); limited {
		x.until, x.late = last, c.lateRule()
	}
	x.ladder = append(x.ladder, x.dateLadder(c.hasFilter())...)
	x.plain = x.shortCut()
	return x, nil
}

// strictRule returns the rule of dates where a date must be before the cutoff, or zero.
func strictRule(p behaviour.Profile) policy.Rule {
	switch {
	case p.DocumentDB:
		return rules.DocumentDBDate
	case p.ByQuery:
		return rules.DateStrict
	}
	return policy.Rule{}
}

// hold sets which keys the index holds, even if it deletes nothing. It sets none for an
// index whose keys are not dates of documents. The error comes from the filter.
func (x *indexSource) hold(c *catalogIndex) error {
	if _, failed := c.consult(keyChecks); !failed.IsZero() {
		return nil
	}
	var expression policy.Value
	if c.hasFilter() {
		expression = c.spec.PartialFilterExpression
	}
	filter, refused := filter.Compile(expression, c.spec.Collation, c.profile)
	if refused != nil {
		return specErrorOf(refused)
	}
	x.path, x.filter = fieldpath.PathOf(c.spec.Key[0].Key), filter
	if c.profile.DocumentDB {
		x.terms = append(filter.Paths(), c.spec.Key[0].Key)
	}
	// If the cutoff may lie before 1970, its comparison with timestamps is unspecified.
	x.timestampsUnspecified = c.profile.TimestampsSort && delayOf(c.profile, c.spec.ExpireAfterSeconds) > delay(firstServerClock)
	x.timestamps = c.profile.TimestampsSort && !x.timestampsUnspecified
	if c.isVersionZero() && c.profile.VersionZero == behaviour.VersionZeroUnsigned {
		x.path, x.since, x.floor = fieldpath.WithoutPositions(x.path), 0, rules.VersionZero
	}
	return nil
}

// compileClustered prepares the option of a collection that is clustered by
// _id. The monitor scans the documents themselves.
func compileClustered(c catalogIndex) (*indexSource, error) {
	if !c.profile.Clustered {
		return nil, newSpecError(codes.InvalidOptions, "clusteredIndex", "this release has no clustered collections")
	}
	x := &indexSource{name: c.spec.Name, path: fieldpath.PathOf("_id"), clustered: true}
	if x.ladder, x.failed = c.consult(ownChecks); !x.failed.IsZero() {
		return x, nil
	}
	x.delay = delayOf(c.profile, c.spec.ExpireAfterSeconds)
	if x.floor = floorRules[c.profile.ScanStart]; x.floor.IsZero() {
		x.since = policy.MinInstant
	}
	x.ladder = append(x.ladder, clusteredLadder(x.floor)...)
	return x, nil
}

// floorRules are the rules that keep a document of a clustered collection whose _id is a
// date before 1970.
var floorRules = [...]policy.Rule{
	behaviour.ScanStartUnspecified: rules.ClusteredFloorUnspecified, behaviour.ScanStart1970: rules.ClusteredFloor,
}

// reasonRules are the rules for documents without a Date among their keys.
var reasonRules = [...]policy.Rule{
	isMissing: rules.FieldMissing, isNull: rules.FieldNull, isEmptyArray: rules.ArrayEmpty, isNestedArray: rules.ArrayNested,
	isOther: rules.FieldNotDate, isOpaque: rules.FieldOpaque, isTimestamp: rules.TimestampUnspecified, isBefore1970: rules.VersionZero, isAmbiguous: rules.PathAmbiguous,
}

// dateLadder returns the rules about a document, in the order in which an index that
// passed its checks consults them.
func (x *indexSource) dateLadder(filtered bool) []policy.Rule {
	var ladder []policy.Rule
	if x.terms != nil {
		ladder = append(ladder, rules.DocumentDBPathUnspecified)
	}
	if filtered {
		ladder = append(ladder, x.undecidedRule(), rules.FilterMismatch)
	}
	for r, rule := range reasonRules {
		if x.terms != nil && reason(r) == isAmbiguous || reason(r) == isTimestamp && !x.timestampsUnspecified || reason(r) == isBefore1970 && x.floor.IsZero() {
			continue
		}
		ladder = append(ladder, rule)
	}
	if x.timestamps {
		ladder = append(ladder, rules.TimestampSorts)
	}
	ladder = append(ladder, rules.Unreachable, rules.Earliest)
	return append(ladder, cmp.Or(x.strict, rules.Date))
}

// undecidedRule returns the rule that keeps a document for which the filter is not decided.
func (x *indexSource) undecidedRule() policy.Rule {
	if x.terms != nil {
		return rules.DocumentDBFilterUnspecified
	}
	return rules.FilterUnspecified
}

// isAmbiguous reports whether it is unspecified which terms DocumentDB's index holds of the
// record.
func (x *indexSource) isAmbiguous(r *fieldpath.Record) bool {
	for _, path := range x.terms {
		if r.IsAmbiguous(path) {
			return true
		}
	}
	return false
}

// clusteredLadder returns the rules for a clustered collection's own option in order;
// floor may be nil.
func clusteredLadder(floor policy.Rule) []policy.Rule {
	return withoutNil(rules.ClusteredNotDate, floor, rules.Unreachable, rules.Clustered)
}

func withoutNil(rules ...policy.Rule) []policy.Rule {
	return slices.DeleteFunc(rules, func(r policy.Rule) bool { return r.IsZero() })
}

// consulted returns the rules of ladder up to the rule decided. Its result is decided
// alone in two cases: for damage, which is found before any rule is consulted, and for an
// evaluator without TTL, whose ladder is empty.
func consulted(ladder []policy.Rule, decided policy.Rule) []policy.Rule {
	if decided == rules.Malformed || len(ladder) == 0 && decided == rules.NoTTL {
		return []policy.Rule{decided}
	}
	return engine.Consulted(ladder, decided)
}

// A plainIndex is a short cut for most indexes: it decides about a document with a single
// Date. It returns the result of decide, as tests check, in half the time for a document
// whose first field is the date. An index without this short cut has the zero plainIndex.
type plainIndex struct {
	rule  policy.Rule
	delay policy.Instant // in milliseconds, not negative
	// onTop means that the Date is in a top-level field, and that there is no filter
	// except one of the form {field: "text"}.
	onTop bool
	// within means that the Date is in an embedded document, and that there is no
	// filter.
	within bool
	// filter is the whole filter, or nil.
	filter *filter.TextEquality
}

// shortCut returns the plainIndex of x, which is not clustered.
func (x *indexSource) shortCut() plainIndex {
	if !x.strict.IsZero() || x.delay < 0 {
		return plainIndex{}
	}
	filter := x.filter.Equality()
	return plainIndex{
		rule:   rules.Date,
		delay:  policy.Instant(x.delay),
		onTop:  len(x.path) == 1 && (filter != nil || x.filter.IsAbsent()),
		within: len(x.path) > 1 && x.filter.IsAbsent(),
		filter: filter,
	}
}

// holdsKeys reports whether the index holds keys by which documents could expire,
// whatever its option.
func (x *indexSource) holdsKeys() bool { return x.path != nil }

// isIdle reports whether the index deletes nothing at any instant.
func (x *indexSource) isIdle() bool { return !x.failed.IsZero() || !x.holdsKeys() }

func (x *indexSource) idleRule() policy.Rule {
	if x.failed.IsZero() {
		return rules.NoTTL
	}
	return x.failed
}

// isLate reports whether the index, whose delay is negative, deletes nothing at
// now because its cutoff overflows.
func (x *indexSource) isLate(now policy.Instant) bool { return !x.late.IsZero() && now > x.until }

// reasonRule returns the rule that keeps a document without a Date.
func (x *indexSource) reasonRule(r reason) policy.Rule {
	if r == isTimestamp && !x.timestampsUnspecified {
		r = isOther
	}
	return reasonRules[r]
}

// dateRule returns the rule by which a date decides.
func (x *indexSource) dateRule(k keys) policy.Rule {
	switch {
	case !x.strict.IsZero():
		return x.strict
	case k.expanded:
		return rules.Earliest
	}
	return rules.Date
}

// bounds are the first and the last date that a TTL source deletes in one scan; the dates from
// the first to the last, both included, are expired. Empty bounds have from after to.
type bounds struct{ from, to policy.Instant }

var noBounds = bounds{policy.MaxInstant, policy.MinInstant}

// Bounds does the work of [Collection.Bounds] for one index.
func (x *indexSource) Bounds(now policy.Instant) bounds {
	if x.isIdle() || x.isLate(now) {
		return noBounds
	}
	latest, ok := x.delay.cutoff(now, !x.strict.IsZero())
	if !ok || x.since > latest {
		return noBounds
	}
	return bounds{x.since, latest}
}
