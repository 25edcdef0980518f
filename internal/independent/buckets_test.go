package independent

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The model of time-series buckets. Its sources are timeseries_options.cpp,
// bucket_catalog_internal.cpp and metadata.cpp for how a bucket is made (mongodb/mongo:
// src/mongo/db/timeseries), and ttl.cpp and ttl_monitor.cpp for which bucket is deleted
// (mongodb/mongo: src/mongo/db/ttl). The changelogs of 5.0.24, 6.0.13, 7.0.5 and 8.0.12
// name the changes of these files.

// A seriesRelease holds the behaviour of a release with buckets.
type seriesRelease struct {
	name string
	// firstID is the start of the scan of identifiers, in seconds. Up to 7.0.4 it is the
	// low 32 bits of the earliest Date.
	firstID uint32
	// skips: the monitor skips a collection with dates outside 1970 to 2038.
	skips bool
	// twoScans: a collection with dates outside 1970 to 2038 is scanned twice, and the
	// greatest time of a bucket counts as well.
	twoScans bool
	// roundsDown: times before 1970 are rounded to the past, not towards 1970.
	roundsDown bool
	// eitherRounding: the source of no release says whether the time of a bucket is
	// rounded, and the later deadline counts.
	eitherRounding bool
	// indexes: a TTL index with a filter on the metadata deletes too, and the
	// span of the buckets can be set.
	indexes bool
	filters filterRelease
}

// firstClock is 2021-07-13, the day of 5.0, in seconds: no server with buckets has an
// earlier clock.
const firstClock = 1_626_134_400

// earliestID is the low 32 bits of the earliest Date in seconds. As seconds since 1970
// they mean 2017-11-28T00:21:29Z.
const earliestID = 1511828489

var seriesReleases = []seriesRelease{
	{name: "5.0.13", eitherRounding: true},
	{name: "6.0.12", firstID: earliestID},
	{name: "6.0.13", skips: true},
	{name: "7.0.4", firstID: earliestID, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{name: "7.0.5", skips: true, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true, undefinedIsNull: true}},
	{name: "8.0.11", skips: true, roundsDown: true, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true}},
	{name: "8.0.12", twoScans: true, roundsDown: true, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true}},
	{name: "8.2.11", twoScans: true, roundsDown: true, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true}},
	{name: fixture.Latest, twoScans: true, roundsDown: true, indexes: true, filters: filterRelease{nested: true, arrays: true, ordered: true, late: true}},
}

// A bucket is the stored form of some measurements.
type bucket struct {
	id       uint32 // the seconds of its identifier
	min, max int64  // its bounds, in milliseconds
	meta     *node  // nil if the bucket has no metadata
}

// bucketOf returns the bucket that a measurement opens.
func (r seriesRelease) bucketOf(time int64, meta *node, rounding int64) bucket {
	ms := rounding * 1000
	first := time - time%ms
	if first > time && r.roundsDown {
		first -= ms
	}
	return bucket{id: uint32(first / 1000), min: min(first, time), max: time, meta: sorted(meta)}
}

// sorted returns the stored form of metadata: the fields of objects are sorted by name,
// and the elements of arrays stay in place.
func sorted(n *node) *node {
	if n == nil || n.fields == nil {
		return n
	}
	same := byPosition(n)
	for i := range same.fields {
		same.fields[i].value = sorted(same.fields[i].value)
	}
	if n.typ == tObject {
		slices.SortStableFunc(same.fields, func(a, b member) int { return strings.Compare(a.name, b.name) })
	}
	return same
}

// A due is the deadline of a bucket. It is zero for a bucket that stays.
type due struct {
	at policy.Instant
	ok bool
	// unspecified means that the server decides by a time cut to 32 bits of seconds. No
	// test asserts this, and the library may keep the bucket instead.
	unspecified bool
}

// isExtended reports whether a bucket begins outside 1970 to 2038.
func (b bucket) isExtended() bool { return b.min < 0 || b.min > 2_147_483_647_000 }

// byOption returns when the collection's own option deletes b.
func (r seriesRelease) byOption(b bucket, span, delay int64, flagged bool) due {
	wrapped := int64(b.id) != b.min/1000 && b.isExtended()
	bySpan := policy.Instant((int64(b.id) + span + delay) * 1000)
	early := delay+span > firstClock // the bound of the scan may be before 1970, and no source says how it fits 32 bits
	switch {
	case flagged && r.skips, b.id < r.firstID:
		return due{}
	case !flagged || !r.twoScans:
		return due{at: bySpan, ok: !early}
	case b.min < -1<<31*1000, b.min >= 1<<32*1000: // neither scan finds a bucket of such a time
		return due{}
	}
	byMax := policy.Instant(b.max + delay*1000)
	if int64(b.id) >= 1<<31-span {
		return due{at: byMax, ok: true}
	}
	return due{at: max(bySpan, byMax), ok: !early, unspecified: wrapped && !early}
}

// byIndex returns when a TTL index on the time field deletes b.
func (r seriesRelease) byIndex(b bucket, span, delay int64, flagged bool) due {
	if !r.indexes || flagged && r.skips {
		return due{}
	}
	return due{at: policy.Instant(b.min + (span+delay)*1000), ok: true}
}

// A seriesCase is a collection and documents made for it.
type seriesCase struct {
	dice
	release        seriesRelease
	rounding, span int64
	option, delay  int64 // of the collection and of the index; -1 for none
	timeField      string
	flagged        bool
	filter         clause
	collection     *mongo.Collection
	spec           mongo.CollectionSpec
}

func newSeriesCase(t testing.TB, d dice, r seriesRelease, profile mongo.Profile) *seriesCase {
	t.Helper()
	c := &seriesCase{dice: d, release: r, option: -1, delay: -1, timeField: fuzzing.Pick(d.Random, "t", "t", "t", "meta", "data"), flagged: d.Percent(15)}
	series := policy.D{{Key: "timeField", Value: policy.StringValue(c.timeField)}, {Key: "metaField", Value: policy.StringValue("m")}}
	series = append(series, c.drawSpan()...)
	spec := mongo.CollectionSpec{TimeSeries: policy.ObjectValue(series), ExtendedRange: c.flagged}
	if d.Percent(75) {
		c.option = c.drawDelay()
		spec.ExpireAfterSeconds = policy.Int64Value(c.option)
	}
	if d.Percent(60) {
		c.delay = c.drawDelay()
		spec.Indexes = []mongo.IndexSpec{c.drawIndex()}
	}
	c.spec = spec
	collection, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		t.Fatalf("CompileCollection(%s) on %s: %v", c.written(), r.name, err)
	}
	c.collection = collection
	return c
}

func (c *seriesCase) written() string {
	return fmt.Sprintf("timeseries %v, option %d, flagged %v, indexes %v", c.spec.TimeSeries, c.option, c.flagged, c.spec.Indexes)
}

// drawSpan sets rounding and span, and returns the corresponding options.
func (c *seriesCase) drawSpan() policy.D {
	if c.release.indexes && c.Percent(30) {
		c.span = fuzzing.Pick[int64](c.Random, 1, 7, 100, 86400, 31_536_000)
		c.rounding = c.span
		seconds := policy.Int32Value(int32(c.span))
		return policy.D{{Key: "bucketMaxSpanSeconds", Value: seconds}, {Key: "bucketRoundingSeconds", Value: seconds}}
	}
	c.rounding, c.span = 60, 3600
	switch name := fuzzing.Pick(c.Random, "", "seconds", "minutes", "hours"); name {
	case "":
		return nil
	case "minutes":
		c.rounding, c.span = 3600, 86400
	case "hours":
		c.rounding, c.span = 86400, 30*86400
	}
	names := map[int64]string{60: "seconds", 3600: "minutes", 86400: "hours"}
	return policy.D{{Key: "granularity", Value: policy.StringValue(names[c.rounding])}}
}

func (c *seriesCase) drawDelay() int64 {
	if c.Percent(90) {
		return fuzzing.Pick[int64](c.Random, 0, 1, 3600, 86400, 100_000_000)
	}
	return fuzzing.Pick(c.Random, firstClock-c.span, firstClock-c.span+1, math.MaxInt32)
}

// drawIndex returns a TTL index with a filter on the metadata.
func (c *seriesCase) drawIndex() mongo.IndexSpec {
	path := append([]string{"m"}, fuzzing.Pick(c.Random, nil, nil, []string{"k"}, []string{"k", "b"}, []string{"0"})...)
	c.filter = clause{op: fuzzing.Pick(c.Random, "$eq", "$eq", "$eq", "$gt", "$gte", "$lt", "$lte"), path: path, of: fuzzing.Pick(c.Random, metas...)}
	operand := policy.D{{Key: c.filter.op, Value: c.filter.of.value()}}
	return mongo.IndexSpec{
		Name:                    "index",
		Key:                     policy.D{{Key: c.timeField, Value: policy.Int32Value(1)}},
		ExpireAfterSeconds:      policy.Int32Value(int32(c.delay)),
		PartialFilterExpression: policy.ObjectValue(policy.D{{Key: strings.Join(path, "."), Value: policy.ObjectValue(operand)}}),
	}
}

// metas are metadata, and values for filters to compare with. Some of them become equal
// when the fields of their objects are sorted by name, as in a stored bucket.
var metas = kin{
	int32Of(1), int32Of(2), stringOf("a"), bare(tNull), object(), array(), date(1_600_000_000_000), date(1_700_000_000_000),
	object(member{"k", int32Of(1)}), object(member{"k", int32Of(2)}), object(member{"k", bare(tNull)}),
	object(member{"a", int32Of(1)}, member{"k", int32Of(1)}), object(member{"k", int32Of(1)}, member{"a", int32Of(1)}),
	object(member{"k", object(member{"b", int32Of(1)}, member{"a", int32Of(2)})}), object(member{"k", object(member{"a", int32Of(2)}, member{"b", int32Of(1)})}),
	object(member{"b", int32Of(1)}, member{"a", int32Of(2)}), object(member{"a", int32Of(2)}, member{"b", int32Of(1)}),
	array(object(member{"b", int32Of(1)}, member{"a", int32Of(2)})), array(object(member{"a", int32Of(2)}, member{"b", int32Of(1)})),
	array(int32Of(2), int32Of(1)), array(int32Of(1), int32Of(2)),
	object(member{"k", array(int32Of(2), object(member{"b", int32Of(1)}, member{"a", int32Of(1)}))}),
	object(member{"k", array(int32Of(2), object(member{"a", int32Of(1)}, member{"b", int32Of(1)}))}),
}

// drawTime returns the time of a measurement, in milliseconds.
func (c *seriesCase) drawTime() int64 {
	const first, start, end = 1_300_000_000_000, earliestID * 1000, 2_147_483_647_000
	near := c.Int64N(2*max(c.span, 3600)*1000) - max(c.span, 3600)*1000
	switch n := c.IntN(100); {
	case n < 60:
		return first + c.Int64N(500_000_000_000)
	case n < 75:
		return start + near
	case n < 82:
		return end + near
	case n < 90:
		return near
	}
	return fuzzing.Pick[int64](c.Random, start, start+999, start-1, start+1000, -1, -60_000, -1_000_000_000_000, -2_208_988_800_000, -1<<31*1000, -1<<31*1000-60_000,
		0, end, end+1, end+1000, 3_000_000_000_000, 1<<32*1000-1, 1<<32*1000, 1<<32*1000+1_600_000_000_000, 253_402_300_799_000)
}

// draw returns a measurement or a bucket as stored, and its bucket in the server. Where it
// is unspecified whether a release rounds, the second bucket is the one without rounding;
// otherwise it is the first.
func (c *seriesCase) draw() (*node, bucket, bucket) {
	time := c.drawTime()
	var meta *node
	if c.Percent(85) {
		meta = fuzzing.Pick(c.Random, metas...)
		if meta.typ == tArray {
			meta = c.numbered(elementsOf(meta), "k")
		}
	}
	b := c.release.bucketOf(time, meta, c.rounding)
	if c.Percent(50) {
		doc := object(member{c.timeField, date(time)}, member{"v", int32Of(1)})
		if meta != nil {
			doc.fields = append(doc.fields, member{"m", meta})
		}
		if c.timeField != "meta" && c.Percent(5) {
			doc.fields = append(doc.fields, member{"control", object(member{"min", int32Of(1)})})
		}
		c.Shuffle(len(doc.fields), func(i, j int) { doc.fields[i], doc.fields[j] = doc.fields[j], doc.fields[i] })
		if c.release.eitherRounding {
			return doc, b, bucket{id: uint32(time / 1000), min: time, max: time, meta: b.meta}
		}
		return doc, b, b
	}
	b.max += c.Int64N(c.span * 1000)
	if !b.isExtended() && c.Percent(15) { // its first measurements are gone
		b.min = min(b.min+fuzzing.Pick[int64](c.Random, 1000, c.span*1000/2), b.max)
	}
	return c.stored(b), b, b
}

func elementsOf(n *node) (all []*node) {
	for _, f := range n.fields {
		all = append(all, f.value)
	}
	return all
}

// stored writes a bucket as a dump has it.
func (c *seriesCase) stored(b bucket) *node {
	id := binary.BigEndian.AppendUint32(nil, b.id)
	bounds := func(ms int64) *node { return object(member{"_id", int32Of(1)}, member{c.timeField, date(ms)}) }
	doc := object(member{"_id", &node{typ: tObjectID, text: string(id) + "\x012345678"}},
		member{"control", object(member{"version", int32Of(int64(1 + c.IntN(3)))}, member{"min", bounds(b.min)}, member{"max", bounds(b.max)})})
	if b.meta != nil {
		doc.fields = append(doc.fields, member{"meta", b.meta})
	}
	doc.fields = append(doc.fields, member{"data", object(member{c.timeField, object(member{"0", date(b.min)})})})
	return doc
}

// TestBuckets compares the evaluator with the model of time-series buckets.
func TestBuckets(t *testing.T) {
	for i, release := range seriesReleases {
		t.Run(release.name, func(t *testing.T) {
			profile := profileOf(t, release.name)
			d, hits, total := newDice(uint64(300+i)), tally{}, documents()
			var c *seriesCase
			for n := range total {
				if n%20 == 0 {
					c = newSeriesCase(t, d, release, profile)
				}
				if got := c.ask(hits); got != "" {
					t.Fatalf("document %d of seed %d: %s", n, *seedFlag, got)
				}
			}
			classes := map[string]int{
				"expired": 10, "pending": 20, "never": 10, "on the deadline": 20, "measurement": 5, "stored bucket": 5,
				"outside 1970 to 2038": 20, "before 2017-11-28": 5,
			}
			if release.indexes {
				classes["by the index"], classes["outside the filter"], classes["sorted metadata"] = 200, 5, 1500
			}
			hits.require(t, total, classes)
		})
	}
}

// ask decides about one more document, and says where the evaluator and the model
// disagree.
func (c *seriesCase) ask(hits tally) string {
	doc, b, unrounded := c.draw()
	flagged := c.flagged || b.isExtended()
	var all []due
	if c.option >= 0 {
		all = append(all, later(c.release.byOption(b, c.span, c.option, flagged), c.release.byOption(unrounded, c.span, c.option, flagged)))
	}
	if c.delay >= 0 && c.isInside(b) {
		all = append(all, c.release.byIndex(b, c.span, c.delay, flagged))
	}
	want := earliest(all)
	now := c.drawNow(want)
	if hits != nil {
		c.count(hits, doc, b, all, want, now)
	}

	raw := appendDocument(nil, doc.fields)
	parsed, err := policy.ParseBSON(raw)
	if err != nil {
		return fmt.Sprintf("ParseBSON(%s): %v", show(doc), err)
	}
	type way struct {
		name string
		got  policy.Decision
	}
	ways := []way{{"DecideBSON", c.collection.DecideBSON(raw, now)}, {"Decide of BSON", c.collection.Decide(&parsed, now)}}
	if isPlain(doc.fields, false) {
		ways = append(ways, way{"Decide of an own document", c.collection.Decide((*ownDocument)(doc), now)})
	}
	for _, way := range ways {
		if !want.agrees(way.got, now) {
			return fmt.Sprintf("%s(%s)\nby %s on %s at %v\n got %v at %v by %v\nwant %+v of bucket %+v", way.name, show(doc), c.written(),
				c.release.name, now, way.got.State, fixture.Deadline(way.got), way.got.Rule, want, b)
		}
	}
	return ""
}

// isInside reports whether the bucket is in the index.
func (c *seriesCase) isInside(b bucket) bool {
	doc := object()
	if b.meta != nil {
		doc.fields = []member{{"m", b.meta}}
	}
	return c.release.filters.says(c.filter, doc) == yes
}

// later returns the later of two deadlines. A bucket that stays has the latest.
func later(a, b due) due {
	if !a.ok || b.ok && a.at > b.at {
		return a
	}
	return b
}

// earliest returns the earliest of the deadlines, which may be an unspecified one. It
// returns the zero due if there is no deadline.
func earliest(all []due) due {
	all = slices.DeleteFunc(slices.Clone(all), func(d due) bool { return !d.ok })
	if len(all) == 0 {
		return due{}
	}
	return slices.MinFunc(all, func(a, b due) int { return cmp.Compare(a.at, b.at) })
}

// agrees reports whether a decision at now agrees with the model. An unspecified
// deadline may be later.
func (d due) agrees(got policy.Decision, now policy.Instant) bool {
	if d.unspecified {
		return got.State == policy.Never || fixture.Deadline(got) >= d.at
	}
	state := policy.Never
	switch {
	case d.ok && d.at <= now:
		state = policy.Expired
	case d.ok:
		state = policy.Pending
	}
	return got.State == state && (state == policy.Never || fixture.Deadline(got) == d.at)
}

// drawNow returns an instant for a decision: often one near the deadline d, otherwise one
// of four instants from 2017 to 2039.
func (c *seriesCase) drawNow(d due) policy.Instant {
	if d.ok && d.at > 1_300_000_000_000 && c.Percent(60) {
		return d.at + fuzzing.Pick[policy.Instant](c.Random, -1, 0, 0, 1, 1000)
	}
	return fuzzing.Pick[policy.Instant](c.Random, 1_500_000_000_000, 1_600_000_000_000, 1_800_000_000_000, 2_200_000_000_000)
}

// count adds a document to the tally of its classes.
func (c *seriesCase) count(hits tally, doc *node, b bucket, all []due, want due, now policy.Instant) {
	switch {
	case !want.ok:
		hits["never"]++
	case want.unspecified:
		hits["unspecified"]++
	case want.at <= now:
		hits["expired"]++
	default:
		hits["pending"]++
	}
	if want.ok && want.at == now {
		hits["on the deadline"]++
	}
	if named(doc.fields, "v") != nil {
		hits["measurement"]++
	} else {
		hits["stored bucket"]++
	}
	if b.isExtended() {
		hits["outside 1970 to 2038"]++
	} else if b.id < earliestID {
		hits["before 2017-11-28"]++
	}
	if c.delay < 0 {
		return
	}
	if !c.isInside(b) {
		hits["outside the filter"]++
	} else if want.ok && want == all[len(all)-1] {
		hits["by the index"]++
	}
	if meta := named(doc.fields, "m"); meta != nil && c.isInside(bucket{meta: meta}) != c.isInside(b) {
		hits["sorted metadata"]++
	}
}
