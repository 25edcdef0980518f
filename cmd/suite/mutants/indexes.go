package mutants

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// indexes holds misreadings of the shape of an index: its key, its type, its
// options, and its collection if that is capped.
var indexes = []Mutant{
	{Name: "hashed-deletes", Rule: "mongo.index-special", Text: "A hashed index deletes like any other.",
		Wild: "mongomock 4.1.2",
		misread: rewrites(isOfType("hashed"), func(x policy.Value) policy.Value {
			return cases.Put(x, object(pathOf(x), policy.Int32Value(1)), "key")
		})},
}

// option is the name of the option that makes a TTL index or an expiring
// collection.
const option = "expireAfterSeconds"

// rewrites returns the misreading that decides as if edit had changed the indexes of a
// shape. An index that becomes Missing is left out.
func rewrites(when shape, edit change) misreading {
	return alters(decide, "indexes", given(when, edit))
}

// drops returns the misreading that decides as if the indexes of a shape did not exist.
func drops(when shape) misreading { return rewrites(when, drop) }

// sets returns the misreading that decides as if the indexes of a shape had the value v
// at a path; Missing removes the value.
func sets(when shape, v policy.Value, path ...string) misreading {
	return rewrites(when, put(v, path...))
}

// reads returns the misreading that decides as if edit had changed each
// expireAfterSeconds of a shape.
func reads(when shape, edit change) misreading {
	return rewrites(delayed(when), func(x policy.Value) policy.Value { return cases.Put(x, edit(x.Field(option)), option) })
}

// named returns the shape of indexes that have a field. delayed returns the shape of
// indexes whose expireAfterSeconds has a shape.
func named(path ...string) shape { return at(isThere, path...) }
func delayed(such shape) shape   { return at(such, option) }

// nanSeconds is the shape of indexes whose expireAfterSeconds is NaN.
var nanSeconds = delayed(policy.Value.IsNaN)

// keyOf returns the path and the direction of an index of one field.
func keyOf(index policy.Value) (path string, direction policy.Value, ok bool) {
	key := policy.DOf(index.Field("key"))
	if len(key) != 1 {
		return "", missing, false
	}
	return key[0].Key, key[0].Value, true
}

// pathOf returns the path of an index of one field, "" for other indexes.
func pathOf(index policy.Value) string { path, _, _ := keyOf(index); return path }

// isPlainIndex is the shape of ascending and descending indexes of one field.
func isPlainIndex(x policy.Value) bool {
	path, direction, ok := keyOf(x)
	return ok && direction.Kind().IsNumber() && !strings.HasPrefix(path, "$") && !strings.HasSuffix(path, "$**")
}

// isOfType is the shape of indexes of one field that are of a special type.
func isOfType(kind string) shape {
	return func(x policy.Value) bool {
		_, direction, _ := keyOf(x)
		return isText(kind)(direction)
	}
}

// isCompound is the shape of indexes of several fields.
func isCompound(x policy.Value) bool { return len(policy.DOf(x.Field("key"))) > 1 }

// ordinary tests for a document of an ordinary collection.
func ordinary(q query) bool { return q.get("collection").IsMissing() }

// single tests for one TTL index, with a whole number of seconds that fits.
func single(q query) bool {
	_, ok := q.seconds()
	return ok && ordinary(q)
}

// seconds returns the option of the only index, if it is a delay that can be
// converted to milliseconds.
func (q query) seconds() (int64, bool) {
	all := policy.AOf(q.get("indexes"))
	if len(all) != 1 || !isPlainIndex(all[0]) {
		return 0, false
	}
	s, ok := all[0].Field(option).AsInt64()
	return s, ok && s > -math.MaxInt32 && s <= math.MaxInt32
}

// roots returns the top-level fields that indexes of one field read.
func (q query) roots() map[string]bool {
	found := map[string]bool{}
	for _, x := range policy.AOf(q.get("indexes")) {
		path, _, ok := keyOf(x)
		if root, _, _ := strings.Cut(path, "."); ok {
			found[root] = true
		}
	}
	return found
}

// stores returns the misreading that decides as if edit had changed the top-level fields
// that indexes read.
func stores(edit change) misreading {
	return asks(decide, func(q query) query {
		roots, d := q.roots(), policy.D{}
		for _, e := range policy.DOf(q.get("document")) {
			if roots[e.Key] {
				e.Value = edit(e.Value)
			}
			d = append(d, e)
		}
		return q.with(policy.ObjectValue(d), "document")
	})
}

// takes returns the misreading that decides as if a field that an index reads held dates
// in place of all values, at any depth, that the function date can convert.
func takes(date func(policy.Value) (policy.Instant, bool)) misreading {
	return stores(leaves(dateBy(date)))
}

// several holds misreadings of several TTL indexes together.
var several = []Mutant{
	{Name: "several-shortest-delay", Rule: "mongo.earliest-source", Text: "The index with the shortest delay decides, whatever the dates are.",
		Wild: "a report about an index that was left behind (Automattic/mongoose#6633)",
		misread: asks(decide, func(q query) query {
			all := slices.DeleteFunc(policy.AOf(q.get("indexes")), not(named(option)))
			if len(all) == 0 {
				return q
			}
			shortest := slices.MinFunc(all, func(x, y policy.Value) int { return cmp.Compare(number(x.Field(option)), number(y.Field(option))) })
			return q.with(policy.ListValue(policy.A{shortest}), "indexes")
		})},
}

// filters holds misreadings of partial filters.
var filters = []Mutant{
	{Name: "filter-ignored", Rule: "mongo.filter-mismatch", Text: "The partial filter bears on queries, not on what expires.",
		Wild:    "mongomock 4.1.2 and 256dpi/lungo, which delete documents outside of it",
		misread: sets(named(partial), missing, partial)},
}

// partial is the name of the option that makes an index partial.
const partial = "partialFilterExpression"

// seconds holds misreadings of a stored expireAfterSeconds: its type, its
// fraction, its range, and NaN release by release.
var seconds = []Mutant{
	{Name: "nan-is-zero", Rule: "mongo.nan-skipped", Text: "NaN is 0 in every release.",
		Wild:    "MongoDB 5.0.0 to 5.0.13, 6.0.0 and 6.0.1 (SERVER-68477)",
		misread: sets(nanSeconds, policy.Int32Value(0), option)},
	{Name: "nan-never", Rule: "mongo.nan-zero", Text: "An index with NaN has never deleted anything.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: drops(nanSeconds)},
	{Name: "seconds-with-fraction", Rule: "mongo.seconds-conversion", Text: "The fraction of a double counts.",
		Wild: "@seald-io/nedb 4.1.2",
		misread: moves(decide, ordinary, func(q query, due policy.Instant) policy.Instant {
			for _, x := range policy.AOf(q.get("indexes")) {
				if f, ok := x.Field(option).AsDouble(); ok && math.Abs(f) < math.MaxInt32 {
					due += policy.Instant((f - math.Trunc(f)) * 1000)
				}
			}
			return due
		})},
	{Name: "seconds-decimal-is-none", Rule: "mongo.seconds-conversion", Text: "A Decimal128 is no number.",
		Wild:    "documentdb 0.108 and mongomock 4.1.2",
		misread: drops(every(delayed(ofType(policy.Decimal)), not(nanSeconds)))},
	{Name: "seconds-text-of-digits", Rule: "mongo.seconds-not-number", Text: "A text of digits is a number.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: reads(ofType(policy.String), numerals)},
	{Name: "seconds-true-is-one", Rule: "mongo.seconds-not-number", Text: "true is 1.",
		Wild:    "mongomock 4.1.2 and @seald-io/nedb 4.1.2",
		misread: sets(delayed(ofType(policy.Bool)), policy.Int32Value(1), option)},
	{Name: "seconds-negative-never", Rule: "mongo.seconds-invalid", Text: "-1, and whatever is below 0, has always meant never.",
		Wild:    "256dpi/lungo",
		misread: drops(func(x policy.Value) bool { return number(x.Field(option)) <= -1 })},
}

// threshold holds misreadings of the comparison: its direction, its unit, and
// dates at the ends of their range.
var threshold = []Mutant{
	{Name: "date-exclusive", Rule: "mongo.date", Text: "A document on its deadline has not expired yet.",
		Wild:    "@seald-io/nedb 4.1.2, 256dpi/lungo and documentdb 0.108 (`microsoft/documentdb: pg_documentdb/src/ttl/ttl_index.c`)",
		misread: shifts(decide, every(ordinary, since("3.2.0")), 1)},
	{Name: "date-delay-in-milliseconds", Rule: "mongo.date", Text: "expireAfterSeconds is milliseconds.",
		Wild: "clients, which mix the two up (Azure/Microsoft.Extensions.Caching.Cosmos#51, arangodb/arangodb#11522)",
		misread: moves(decide, single, func(q query, due policy.Instant) policy.Instant {
			s, _ := q.seconds()
			return due + policy.Instant(s-s*1000)
		})},
	{Name: "zero-is-off", Rule: "mongo.seconds-zero", Text: "expireAfterSeconds 0 switches the index off.",
		Wild:    "`hashicorp/terraform-provider-azurerm` before 2022, for Azure Cosmos DB (hashicorp/terraform-provider-azurerm#15736)",
		misread: drops(delayed(equals(0)))},
	{Name: "zero-is-not-yet", Rule: "mongo.seconds-zero", Text: "With expireAfterSeconds 0 a document on its date has not expired yet.",
		Wild:    "256dpi/lungo, which keeps 0 as a nanosecond, and in documentdb 0.108 and @seald-io/nedb 4.1.2, which compare strictly",
		misread: shifts(decide, every(lasts(0), since("3.2.0")), 1)},
	{Name: "no-option-is-zero", Rule: "mongo.no-ttl", Text: "An index without expireAfterSeconds is one of 0 seconds.",
		Wild:    "@seald-io/nedb 4.1.2, for null",
		misread: sets(func(x policy.Value) bool { return isPlainIndex(x) && x.Field(option).IsMissing() }, policy.Int32Value(0), option)},
}

// floor rounds an instant down to a multiple of a unit.
func floor(i, unit policy.Instant) policy.Instant {
	r := i % unit
	if r < 0 {
		r += unit
	}
	if i < policy.MinInstant+r {
		return i
	}
	return i - r
}

// lasts tests for a TTL index with this number of seconds.
func lasts(seconds int64) test {
	return func(q query) bool { s, ok := q.seconds(); return ok && s == seconds }
}

// timeseries holds misreadings of time-series collections: buckets, their
// rounding and span, dates outside 1970 to 2038, and TTL indexes.
var timeseries = []Mutant{
	{Name: "timeseries-by-measurement", Rule: "mongo.timeseries-bucket", Text: "A measurement expires by its own time, not with its bucket.",
		Wild:    "the MongoDB manual's first sentence about it",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() + q.rounded() }).ofBuckets()},
	{Name: "timeseries-span-ignored", Rule: "mongo.timeseries-bucket", Text: "A bucket expires by its minimum, without its span.",
		misread: moves(decide, inRange, func(q query, due policy.Instant) policy.Instant { return due - q.span() }).ofBuckets()},
}

// ofBuckets limits a misreading to time-series collections.
func (m misreading) ofBuckets() misreading { return only(decide, has("collection", "timeseries"), m) }

// timeField returns the name of the field with the time of a measurement, and time
// returns the time.
func (q query) timeField() string {
	name, _ := q.get("collection", "timeseries", "timeField").AsString()
	return name
}

func (q query) time() (policy.Instant, bool) { return q.get("document", q.timeField()).AsDate() }

// inRange tests for a measurement between 1970 and 2038, whose date no release treats as
// extended.
func inRange(q query) bool {
	i, ok := q.time()
	return ok && i >= 0 && i <= math.MaxInt32*1000
}

// rounding and span return the collection's rounding and span in milliseconds.
func (q query) rounding() policy.Instant { return q.bucket(60_000, 3_600_000, 86_400_000) }
func (q query) span() policy.Instant     { return q.bucket(3_600_000, 86_400_000, 30*86_400_000) }

func (q query) bucket(seconds, minutes, hours policy.Instant) policy.Instant {
	switch own := q.get("collection", "timeseries", "bucketMaxSpanSeconds"); {
	case !own.IsMissing():
		return policy.Instant(number(own)) * 1000
	case isText("minutes")(q.get("collection", "timeseries", "granularity")):
		return minutes
	case isText("hours")(q.get("collection", "timeseries", "granularity")):
		return hours
	}
	return seconds
}

// rounded returns the amount by which the time is rounded down.
func (q query) rounded() policy.Instant {
	i, _ := q.time()
	return i - floor(i, q.rounding())
}

// expires tests for a document for which the reference finds a deadline.
func expires(q query) bool { _, ok := q.due(); return ok }

// clustered holds misreadings of collections that are clustered by _id.
var clustered = []Mutant{
	{Name: "clustered-ignored", Rule: "mongo.clustered", Text: "A clustered collection expires by TTL indexes alone.",
		misread: forgets(decide, has("collection", "clusteredIndex"), "collection", option)},
}

// namespaces holds misreadings of the namespaces in which nothing is deleted.
var namespaces = []Mutant{
	{Name: "namespace-ignored", Rule: "mongo.namespace-excluded", Text: "A TTL index deletes wherever it is.",
		Wild:    "every implementation that is asked about an index alone",
		misread: forgets(decide, always, "collection", "ns")},
}
