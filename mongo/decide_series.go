package mongo

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// series holds the options of a time-series collection that affect expiry.
type series struct {
	time      fieldpath.Component // the time field
	metaField string
	unit      policy.Instant // the unit to which a bucket's minimum is rounded, in milliseconds
	span      delay          // bucketMaxSpanSeconds, in milliseconds
	extended  behaviour.ExtendedRangeMeaning
	start     behaviour.ScanStartMeaning
	// roundsDown is the field RoundsDown of [behaviour.Profile].
	roundsDown bool
	// rounds is the field SeriesRounds of [behaviour.Profile].
	rounds  rounding
	flagged bool // the collection is known to hold dates outside 1970 to 2038
}

// rounding says whether a release rounds the time of a bucket.
type rounding uint8

const (
	alwaysRounds rounding = iota
	neverRounds
	mayRound // unspecified
)

func roundingOf(p behaviour.Profile) rounding {
	switch p.SeriesRounds {
	case behaviour.Accepted:
		return alwaysRounds
	case behaviour.Refused:
		return neverRounds
	}
	return mayRound
}

// compileSeries reads the timeseries option. It returns nil for an ordinary collection.
func compileSeries(spec CollectionSpec, p behaviour.Profile) (*series, error) {
	if spec.TimeSeries.IsMissing() {
		return nil, nil
	}
	if !p.TimeSeries {
		return nil, newSpecError(codes.InvalidOptions, "timeseries", "this release has no time-series collections")
	}
	timeField, ok := spec.TimeSeries.Field("timeField").AsString()
	if !ok {
		return nil, newSpecError(codes.BadValue, "timeseries.timeField", "want a string")
	}
	bounds, err := bucketSeconds(spec.TimeSeries)
	if err != nil {
		return nil, err
	}
	metaField, _ := spec.TimeSeries.Field("metaField").AsString()
	return &series{
		time:       fieldpath.ComponentOf(timeField),
		metaField:  metaField,
		unit:       policy.Instant(bounds[0] * 1000),
		span:       delay(bounds[1] * 1000),
		extended:   p.ExtendedRange,
		start:      p.ScanStart,
		roundsDown: p.RoundsDown,
		rounds:     roundingOf(p),
		flagged:    spec.ExtendedRange,
	}, nil
}

// bucketSeconds returns the rounding and the span of buckets.
func bucketSeconds(options policy.Value) ([2]int64, error) {
	granularity, ok := options.Field("granularity").AsString()
	if !ok {
		granularity = "seconds"
	}
	bounds, ok := catalog.Granularities[granularity]
	if !ok {
		return bounds, newSpecError(codes.BadValue, "timeseries.granularity", "want seconds, minutes or hours")
	}
	for i, field := range []string{"bucketRoundingSeconds", "bucketMaxSpanSeconds"} {
		if v := options.Field(field); !v.IsMissingOrNull() {
			bounds[i] = value.WholeSeconds(v)
		}
		if bounds[i] < 1 || bounds[i] > catalog.MaxBucketSeconds {
			return bounds, newSpecError(codes.BadValue, "timeseries."+field, "want 1 to 31536000")
		}
	}
	return bounds, nil
}

// A seriesSource decides by one TTL source of a time-series collection: its
// own option, or an index on the time field.
type seriesSource struct {
	*series
	name  string
	delay delay
	// byIndex means that the scan goes over an index on the buckets' minimum rather
	// than over their identifiers.
	byIndex bool
	// boundWraps means that the bound of the scan may lie before 1970. In 32 bits of
	// seconds such a bound becomes a time after every bucket.
	boundWraps bool
	// The filter of an index sees a measurement under the name of its meta field, and a
	// stored bucket under "meta". The server stores metadata with the fields of its
	// documents sorted. So filter, for measurements, sorts the fields, and bucketFilter,
	// for stored buckets, does not.
	filter, bucketFilter filter.Filter
	failed               policy.Rule
	ladder               []policy.Rule
}

// own returns the source for the collection's own option.
func (s *series) own(c catalogIndex) *seriesSource {
	source := &seriesSource{series: s, name: c.spec.Name}
	if source.ladder, source.failed = c.consult(ownChecks); !source.failed.IsZero() {
		return source
	}
	source.delay = delayOf(c.profile, c.spec.ExpireAfterSeconds)
	source.boundWraps = source.delay > delay(firstSeriesClock)-s.span
	source.ladder = append(source.ladder, source.ownLadder()...)
	return source
}

// The method index returns the source for a TTL index of the time-series collection.
func (s *series) index(c catalogIndex) (*seriesSource, error) {
	source := &seriesSource{series: s, name: c.spec.Name, byIndex: true}
	if source.ladder, source.failed = c.consult(s.checks()); !source.failed.IsZero() {
		return source, nil
	}
	source.delay = delayOf(c.profile, c.spec.ExpireAfterSeconds)
	source.ladder = append(source.ladder, indexLadder(s)...)
	var refused *filter.Refusal
	if source.filter, refused = filter.Compile(c.spec.PartialFilterExpression, c.spec.Collation, c.profile); refused != nil {
		return nil, specErrorOf(refused)
	}
	source.filter.SortMetadata()
	stored, _ := filter.OnBuckets(c.spec.PartialFilterExpression, s.metaField)
	if source.bucketFilter, refused = filter.Compile(policy.ObjectValue(stored), c.spec.Collation, c.profile); refused != nil {
		return nil, specErrorOf(refused)
	}
	return source, nil
}

// checks returns the checks of an ordinary index, and checks that the server can have
// created the index in a time-series collection.
func (s *series) checks() []check {
	return slices.Concat([]check{checkOption, checkProcessed, checkSingleField, checkPlain}, optionChecks, []check{checkTimeSeriesIndex, s.checkTimeField})
}

func checkTimeSeriesIndex(c *catalogIndex) (policy.Rule, bool) {
	return rules.SeriesIndexRefused, c.profile.TimeSeriesIndexes
}

// checkTimeField requires a key that is the time field, and a filter on only
// the meta field.
func (s *series) checkTimeField(c *catalogIndex) (policy.Rule, bool) {
	_, onMeta := filter.OnBuckets(c.spec.PartialFilterExpression, s.metaField)
	return rules.SeriesIndexShape, c.spec.Key[0].Key == s.time.Name && onMeta
}

// A bucket is a stored bucket, or the bucket that a measurement opens.
type bucket struct {
	min, max policy.Instant
	id       uint32 // seconds since 1970, the first four bytes of the identifier
	stored   bool
}

// The fields of a stored bucket.
var controlField, idField = fieldpath.ComponentOf("control"), fieldpath.ComponentOf("_id")

// bucketOf returns the stored bucket doc, or the bucket that the measurement doc opens.
// It reports false if doc is neither a measurement with a Date as its time nor a bucket
// with bounds.
func (s *series) bucketOf(r *fieldpath.Record) (bucket, bool) {
	if t, ok := r.Field(&s.time).AsDate(); ok && !s.isStored(r) {
		return s.opened(t), true
	}
	control := r.Field(&controlField)
	first, hasMin := valuefunc.F.FieldBy(control.Field("min"), &s.time.Finder).AsDate()
	last, hasMax := valuefunc.F.FieldBy(control.Field("max"), &s.time.Finder).AsDate()
	id, hasID := r.Field(&idField).AsObjectID()
	return bucket{first, last, binary.BigEndian.Uint32(id[:]), true}, hasMin && hasMax && hasID
}

// isStored reports whether a document whose time field is a Date is
// nevertheless a stored bucket. The fields of a bucket are _id, control, meta
// and data; only meta, which holds the metadata, may be a Date (mongodb/mongo:
// src/mongo/db/timeseries/timeseries_constants.h).
func (s *series) isStored(r *fieldpath.Record) bool {
	if s.time.Name != "meta" {
		return false
	}
	control := r.Field(&controlField)
	return control.Field("min").Kind() == policy.Object && control.Field("max").Kind() == policy.Object
}

// opened returns the bucket that a measurement of time t opens. Some releases round the
// time of the bucket towards 1970. There the rounded time of a date before 1970 is later
// than the date, and the date itself becomes the bucket's minimum
// (https://jira.mongodb.org/browse/SERVER-77888).
func (s *series) opened(t policy.Instant) bucket {
	if s.rounds == neverRounds {
		return bucket{min: t, max: t, id: uint32(t / 1000)}
	}
	if t < 0 && !s.roundsDown {
		last := t - t%s.unit
		return bucket{min: t, max: last, id: uint32(last / 1000)}
	}
	first := floor(t, s.unit)
	return bucket{min: first, max: t, id: uint32(first / 1000)}
}

// floor rounds t towards the past to a multiple of unit, but not beyond
// policy.MinInstant.
func floor(t, unit policy.Instant) policy.Instant {
	rest := t % unit
	if rest < 0 {
		rest += unit
	}
	if t < policy.MinInstant+rest {
		return policy.MinInstant
	}
	return t - rest
}

// decide consults the rules in the order of the source's ladder.
func (s *seriesSource) decide(r *fieldpath.Record, now policy.Instant) policy.Decision {
	b, ok := s.bucketOf(r)
	extended := s.flagged || ok && b.isOutside()
	switch {
	case !s.failed.IsZero():
		return keptBy(s.failed)
	case extended && !extendedRules[s.extended].IsZero():
		return keptBy(extendedRules[s.extended])
	case !ok:
		return keptBy(rules.SeriesNoTime)
	case s.byIndex:
		return s.decideByIndex(r, b, now)
	case extended && s.extended == behaviour.ExtendedRangeDeletes:
		return s.decideExtended(b, now)
	case s.rounds == mayRound && !b.stored:
		return s.decideUnrounded(r, s.decideByID(b, now), now)
	}
	return s.decideByID(b, now)
}

// decideUnrounded returns the decision about a measurement in a release that may round
// the time of its bucket or not. rounded is the decision if it rounds. The later deadline
// counts, so that the measurement is kept until it has expired either way.
func (s *seriesSource) decideUnrounded(r *fieldpath.Record, rounded policy.Decision, now policy.Instant) policy.Decision {
	t, _ := r.Field(&s.time).AsDate()
	unrounded := s.decideByID(bucket{min: t, max: t, id: uint32(t / 1000)}, now)
	first, expires := rounded.Deadline()
	last, expiresToo := unrounded.Deadline()
	switch {
	case !expires:
		return rounded
	case !expiresToo || first == last:
		return unrounded
	}
	return expireAt(max(first, last), rules.SeriesRoundingUnspecified, now)
}

// earliestStart is the time of the ObjectId that the server makes from the
// earliest Date, in 32 bits of seconds: 2017-11-28T00:21:29Z.
const earliestStart = uint32(math.MinInt64 / 1000 & math.MaxUint32)

// startRules are the rules that keep a bucket whose identifier lies before
// earliestStart.
var startRules = [...]policy.Rule{
	behaviour.ScanStartUnspecified: rules.SeriesStartUnspecified, behaviour.ScanStartEarliest: rules.SeriesStart, behaviour.ScanStart1970: policy.Rule{},
}

// decideByID decides by the ordinary scan of the buckets' identifiers.
func (s *seriesSource) decideByID(b bucket, now policy.Instant) policy.Decision {
	if rule := startRules[s.start]; !rule.IsZero() && b.id < earliestStart {
		return keptBy(rule)
	}
	if s.boundWraps {
		return keptBy(rules.SeriesBoundUnspecified)
	}
	return s.decideFrom(policy.Instant(b.id)*1000, now)
}

// decideByIndex decides by an index on the time field. Its keys are exact to the
// millisecond; the identifiers of buckets hold seconds only.
func (s *seriesSource) decideByIndex(r *fieldpath.Record, b bucket, now policy.Instant) policy.Decision {
	partial := s.filter
	if b.stored {
		partial = s.bucketFilter
	}
	switch partial.Match(r) {
	case filter.Undecidable:
		return keptBy(rules.FilterUnspecified)
	case filter.Outside:
		return keptBy(rules.FilterMismatch)
	}
	return s.decideFrom(b.min, now)
}

// decideFrom returns the decision about a bucket that begins at first: it
// expires when its whole span is old enough.
func (s *seriesSource) decideFrom(first policy.Instant, now policy.Instant) policy.Decision {
	deadline, ok := s.span.deadlineAfter(first, false)
	if ok {
		deadline, ok = s.delay.deadlineAfter(deadline, false)
	}
	if !ok {
		return keptBy(rules.Unreachable)
	}
	return expireAt(deadline, rules.SeriesBucket, now)
}

// A bucket's identifier holds 32 bits of seconds. Buckets that begin before 1970 or after
// the last second of 31 bits flag their collection, because the identifiers are then no
// longer in the order of time.

// lastOrdinary is 2038-01-19T03:14:07.000Z.
const lastOrdinary = policy.Instant(math.MaxInt32) * 1000

// isOutside reports whether the bucket flags its collection.
func (b bucket) isOutside() bool { return b.min < 0 || b.min > lastOrdinary }

// isWrapped reports whether the bucket's time is so far outside 32 bits of seconds that
// its identifier can be that of an ordinary bucket.
func (b bucket) isWrapped() bool {
	return b.min < math.MinInt32*1000 || b.min > math.MaxUint32*1000
}

// extendedRules are the rules that keep every document of a collection that is flagged as
// holding dates outside 1970 to 2038.
var extendedRules = [...]policy.Rule{
	behaviour.ExtendedRangeUnspecified: rules.SeriesExtendedUnspecified, behaviour.ExtendedRangeSkipped: rules.SeriesExtendedSkipped, behaviour.ExtendedRangeDeletes: policy.Rule{},
}

// decideExtended decides about a bucket of a flagged collection. The monitor scans two
// ranges of identifiers. The first is from 1970 to the bound of an unflagged collection's
// scan, and the second from one span before 2038 to 2106. The monitor deletes the buckets
// in these ranges whose last measurement is old enough.
func (s *seriesSource) decideExtended(b bucket, now policy.Instant) policy.Decision {
	if b.isWrapped() {
		return keptBy(rules.SeriesExtendedUnspecified)
	}
	due, ok := s.delay.deadlineAfter(b.max, false)
	if !ok {
		return keptBy(rules.Unreachable)
	}
	if s.boundWraps && !s.isAlwaysVisited(b.id) {
		return keptBy(rules.SeriesBoundUnspecified)
	}
	ordinary := s.decideFrom(policy.Instant(b.id)*1000, now)
	if deadline, expires := ordinary.Deadline(); s.isAlwaysVisited(b.id) || expires && deadline < due {
		return expireAt(due, rules.SeriesExtendedDate, now)
	}
	return ordinary
}

// isAlwaysVisited reports whether an identifier lies in the second range of
// decideExtended.
func (s *seriesSource) isAlwaysVisited(id uint32) bool {
	return int64(id) >= 1<<31-int64(s.span)/1000
}

// indexLadder returns the rules about a document for an index of a time-series
// collection, in order.
func indexLadder(s *series) []policy.Rule {
	return withoutNil(extendedRules[s.extended], rules.SeriesNoTime, rules.FilterUnspecified, rules.FilterMismatch, rules.Unreachable, rules.SeriesBucket)
}

// ownLadder returns the rules about a document for the collection's own option, in order.
func (s *seriesSource) ownLadder() []policy.Rule {
	var bound policy.Rule
	if s.boundWraps {
		bound = rules.SeriesBoundUnspecified
	}
	if s.extended == behaviour.ExtendedRangeDeletes {
		return withoutNil(rules.SeriesNoTime, rules.SeriesExtendedUnspecified, rules.Unreachable, rules.SeriesExtendedDate, bound, rules.SeriesBucket)
	}
	var rounding policy.Rule
	if s.rounds == mayRound {
		rounding = rules.SeriesRoundingUnspecified
	}
	return withoutNil(extendedRules[s.extended], rules.SeriesNoTime, startRules[s.start], bound, rules.Unreachable, rounding, rules.SeriesBucket)
}
