package cases

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// anything maps each operation to a function that draws any question that the claim allows.
// Questions about a definition are near those of vectors.
var anything = map[string]func(Source) Case{
	"mongodb.decide":            Source.anyDecide,
	"mongodb.createIndexes":     func(s Source) Case { return s.nearVector("mongodb.createIndexes", "index") },
	"mongodb.collMod":           func(s Source) Case { return s.nearVector("mongodb.collMod", "command") },
	"mongodb.create":            func(s Source) Case { return s.nearVector("mongodb.create", "command") },
	"mongodb.history":           Source.anyHistory,
	"documentdb.decide":         Source.anyDocumentDB,
	"documentdb.createIndexes":  func(s Source) Case { return s.nearVector("documentdb.createIndexes", "index") },
	"documentdb.collMod":        func(s Source) Case { return s.nearVector("documentdb.collMod", "command") },
	"documentdb.create":         func(s Source) Case { return s.nearVector("documentdb.create", "command") },
	"cosmos.decide":             Source.anyItem,
	"cosmos.history":            Source.anyContainerHistory,
	"cosmos.validateContainer":  func(s Source) Case { return s.ValidContainer(s.orMissing(s.PlainTTL())) },
	"cosmos.validateItem":       func(s Source) Case { return s.ValidItem(s.orMissing(s.DefaultTTL()), s.orMissing(s.PlainTTL())) },
	"cosmosmongo.decide":        Source.anyStored,
	"cosmosmongo.createIndexes": Source.CreateCosmosIndex,
}

// anyDocumentDB draws a question as one about MongoDB 7.0, whose protocol DocumentDB speaks,
// and asks it of DocumentDB. It draws no kind of collection that DocumentDB does not have.
func (s Source) anyDocumentDB() Case {
	t := s.Target("documentdb.decide", "")
	claim := *s.Claim
	claim.features = slices.DeleteFunc(slices.Clone(claim.features), func(f string) bool {
		return slices.Contains([]string{"timeseries", "clustered", "capped", "views", "ns", "state", "stale-catalog", "stored-buckets", "parameters"}, f)
	})
	c := Source{&claim, s.t}.anyIndexes(conformance.Target{System: conformance.MongoDB, Version: "7.0.26"})
	c.Op, c.Target = "documentdb.decide", t
	return c
}

// byOp are the questions of the approved vectors, by operation.
var byOp = sync.OnceValue(func() map[string][]Case {
	all := map[string][]Case{}
	for _, v := range suite.Embedded().Vectors {
		if c, err := OfVector(v, conformance.Target{}); err == nil && v.Status == "approved" {
			all[v.Op] = append(all[v.Op], c)
		}
	}
	return all
})

// nearVector draws the question of a vector, of any claimed release, with up to two places
// changed within the named member of the input. It keeps the places of the vector if the
// question would be unspecified otherwise.
func (s Source) nearVector(op, member string) Case {
	c := Pick(s, byOp()[op]...)
	c.Target = s.Target(op, "")
	near := c
	for range s.Range(0, 2) {
		if within := places(near.At(member), nil); len(within) > 0 {
			place := append([]string{member}, Pick(s, within...)...)
			near = near.With(Pick(s, neighbours(near.At(place...))...), place...)
		}
	}
	if near.Reference().Unspecified {
		return c
	}
	return near
}

// Any draws a question to a claimed operation. Definitions that the release
// would not create are drawn only for systems that claim to know them.
func (s Source) Any(op string) Case {
	c := anything[op](s)
	for !s.presumes(c) || !c.isDecided() {
		c = anything[op](s)
	}
	return c
}

// isDecided reports whether a question about expiry has an answer. It has none if no
// catalog of the release can hold its filter.
func (c Case) isDecided() bool {
	return !strings.HasSuffix(c.Op, ".decide") || library.New().Ask(c.Question()).Kind != conformance.KindRefused
}

// presumes reports whether the claims cover all that a question presumes.
func (c *Claim) presumes(q Case) bool {
	return !slices.ContainsFunc(q.Needs(), func(feature string) bool { return !c.Knows(feature) })
}

// Draw returns a question to a claimed operation, the same for the same seed.
func Draw(c *Claim, op string, seed uint64) Case {
	return Of(c, func(s Source) Case { return s.Any(op) }).Example(int(seed))
}

// orMissing draws v, or Missing one time in three.
func (s Source) orMissing(v policy.Value) policy.Value {
	if s.sometimes(3) {
		return policy.Value{}
	}
	return v
}

func (s Source) anyDecide() Case {
	switch t := s.Target("mongodb.decide", ""); {
	case s.Knows("timeseries") && !Before(t.Version, "5.0.0") && s.sometimes(8):
		return s.anySeries(t)
	case s.Knows("clustered") && !Before(t.Version, "5.3.0") && s.sometimes(8):
		return s.anyClustered(t)
	default:
		return s.anyIndexes(t)
	}
}

// anyIndexes draws an ordinary collection with one index or several, and a
// clock near the deadline of one of them.
func (s Source) anyIndexes(t conformance.Target) Case {
	var indexes policy.A
	var document policy.D
	var dues []policy.Instant
	n := int64(1)
	if s.Knows("several-indexes") {
		n = s.Range(1, 3)
	}
	for range n {
		p, seconds := s.anyPath(), s.Seconds()
		if !policy.ObjectValue(document).Field(p[0]).IsMissing() {
			continue
		}
		held := s.held(p, t.Version)
		document = withField(document, p[0], held)
		indexes = append(indexes, s.anyIndex(p, seconds, t.Version, 4))
		dues = append(dues, Plus(earliest(held), seconds*1000))
	}
	now := s.NowNear(Pick(s, dues...))
	document = append(document, s.around(t.Version, document)...)
	c := decide(t, indexes, policy.ObjectValue(document)).WithNow(now)
	if s.Knows("capped") && s.sometimes(10) {
		c = c.With(policy.BoolValue(true), "collection", "capped")
	}
	return c
}

// around draws further fields of a document: unrelated fields, and fields that partial
// filters read, often with constants of such a filter.
func (s Source) around(release string, document policy.D, constants ...policy.Value) policy.D {
	var taken []string
	for _, e := range document {
		taken = append(taken, e.Key)
	}
	d := s.Bystanders(release, taken...)
	for _, name := range []string{"D", "x"} {
		if s.Either() && policy.ObjectValue(d).Field(name).IsMissing() && !slices.Contains(taken, name) {
			d = append(d, fields(name, s.related(release, constants...))...)
		}
	}
	return d
}

// anyPath draws a path in which a number may be a position of an array.
func (s Source) anyPath() Path {
	p := s.Path()
	if s.Knows("array-position") && s.Knows("dotted-path") && s.sometimes(4) {
		p = append(p, Pick(s, "0", "1", "2"))
	}
	return p
}

// held draws the value of the first field of a path. Mostly the path leads to dates in
// the value.
func (s Source) held(p Path, release string) policy.Value {
	switch {
	case s.sometimes(12):
		return s.NonDates(release)
	case s.sometimes(4):
		var list policy.A
		for range s.Range(0, 3) {
			list = append(list, s.inside(p, release))
		}
		return policy.ListValue(list)
	}
	return s.inside(p, release)
}

// inside draws a value on the way along a path, or at its end.
func (s Source) inside(p Path, release string) policy.Value {
	if len(p) == 1 {
		return Pick(s, s.Date(), s.Date(), s.Element(release))
	}
	return object(p[1], s.held(p[1:], release))
}

// anyIndex draws a TTL index on a path, mostly with n seconds. It has a partial filter
// with the probability 1/filtered, if the release has such filters.
func (s Source) anyIndex(p Path, n int64, release string, filtered int) policy.Value {
	seconds := s.Number(n, release)
	if s.Knows("stale-catalog") && s.sometimes(6) {
		seconds = s.Setting(release)
	}
	options := s.options(release)
	if s.Knows("partial-index") && !Before(release, "3.2.0") && s.sometimes(filtered) {
		filter := s.filter(p, release)
		if s.sometimes(3) {
			filter, _ = s.Miss()
		}
		options = append(options, fields("partialFilterExpression", filter)...)
	}
	index := Index(p.String(), seconds, options...)
	if s.sometimes(6) {
		index = Put(index, s.direction(), "key", p.String())
	}
	return index
}

// direction draws the value of a field in an index key.
func (s Source) direction() policy.Value {
	if s.Knows("special-index") && s.sometimes(3) {
		return policy.StringValue(Pick(s, "hashed", "2d", "2dsphere", "text"))
	}
	return Pick(s, Directions...)
}

// Directions are the values for an ascending or descending field in an index key.
var Directions = []policy.Value{
	policy.Int32Value(1), policy.Int32Value(-1), policy.DoubleValue(1), policy.DoubleValue(-1), policy.Int64Value(1), policy.Int64Value(-1),
}

// Series draws a time-series collection, and a measurement the given number of
// seconds after 1970.
func (s Source) Series(seconds int64) Case {
	return s.series(s.Target("mongodb.decide", "5.0.0"), policy.Instant(seconds*1000), policy.D{})
}

func (s Source) anySeries(t conformance.Target) Case {
	var options policy.D
	if s.Either() {
		options = fields("granularity", Pick(s, "seconds", "minutes", "hours"))
	}
	return s.series(t, s.Instant(), options)
}

// series draws a measurement at an instant, with the clock near its deadline.
func (s Source) series(t conformance.Target, at policy.Instant, options policy.D) Case {
	const span = 3600 // seconds of a bucket, by default
	seconds := s.Seconds()
	options = append(fields("timeField", "t", "metaField", "m"), options...)
	c := decide(t, policy.A{}, object("t", at, "m", one))
	c = c.With(object("timeseries", options, "expireAfterSeconds", seconds), "collection")
	return c.WithNow(s.NowNear(Plus(at, (seconds+span)*1000)))
}

func (s Source) anyClustered(t conformance.Target) Case {
	at, seconds := s.Instant(), s.Seconds()
	document := append(fields("_id", at), s.Bystanders(t.Version, "_id")...)
	c := decide(t, policy.A{}, policy.ObjectValue(document))
	c = c.With(object("clusteredIndex", clustered, "expireAfterSeconds", seconds), "collection")
	return c.WithNow(s.NowNear(Plus(at, seconds*1000)))
}

// clustered is the option clusteredIndex of a clustered collection.
var clustered = parsed(`{"key": {"_id": 1}, "unique": true}`)

func (s Source) anyItem() Case {
	x := s.Item(s.orMissing(s.DefaultTTL()), s.ItemTTL())
	if s.Knows("ttl-property-path") && s.sometimes(8) {
		x.Case = x.With(policy.StringValue("/created"), "container", "ttlPropertyPath").With(policy.Int64Value(s.WriteTime()), "item", "created")
	}
	return x.Case
}

func (s Source) anyStored() Case {
	switch {
	case s.AsksCustomPath() && s.sometimes(4):
		return s.OnField(Pick(s, s.Date(), s.NonDate(""), policy.ListValue(policy.A{s.Date(), s.NonDate(""), s.Date()})))
	case s.sometimes(3):
		return s.Stored(s.IndexSeconds(), s.IgnoredTTL()).Case
	}
	return s.Stored(s.orMissing(s.IndexSeconds()), s.ItemTTL()).Case
}

// asked returns the question about a definition at the clock now.
func asked(op string, t conformance.Target, now policy.Instant, namesAndValues ...any) Case {
	return Case{op, t, append(fields("now", now), fields(namesAndValues...)...)}
}

// settings are numbers and other values that somebody may write as expireAfterSeconds.
var settings = []policy.Value{
	policy.Int32Value(3600), policy.Int32Value(0), policy.Int32Value(math.MaxInt32), policy.Int32Value(-1), policy.Int32Value(math.MinInt32),
	policy.Int64Value(math.MaxInt32 + 1), policy.Int64Value(math.MinInt32 - 1), policy.Int64Value(math.MaxInt64), policy.Int64Value(math.MinInt64),
	policy.DoubleValue(3600.5), policy.DoubleValue(-0.9), policy.DoubleValue(math.Copysign(0, -1)), policy.DoubleValue(math.MaxInt32 + 0.5),
	policy.DoubleValue(math.NaN()), policy.DoubleValue(math.Inf(1)), policy.DoubleValue(math.Inf(-1)), policy.DoubleValue(math.MaxFloat64),
	policy.NullValue(), policy.BoolValue(true), policy.StringValue("3600"), policy.StringValue("off"), policy.ObjectValue(policy.D{}), policy.DateValue(0),
}

var decimalSettings = []policy.Value{
	decimal("3600"), decimal("3600.00"), decimal("50.5"), decimal("51.5"), decimal("50.7"), decimal("-0.5"), decimal("-0.6"), decimal("-0.9"),
	decimal("2147483647.5"), decimal("NaN"), decimal("Infinity"), decimal("-Infinity"), decimal("1E-6176"), decimal("1E+6111"),
}

// Setting draws an expireAfterSeconds that somebody may write, valid or not.
func (s Source) Setting(release string) policy.Value {
	switch s.Range(0, 5) {
	case 0:
		return s.Number(s.Range(0, longestSeconds), release)
	case 1:
		if s.Knows("decimal128") && !Before(release, "3.4.0") {
			return Pick(s, decimalSettings...)
		}
	}
	return Pick(s, settings...)
}

// ClockOfToday draws a clock of the years in which servers run.
func (s Source) ClockOfToday() policy.Instant {
	return 1_600_000_000_000 + policy.Instant(s.Range(0, 200_000_000))*1000
}

// CreateIndex draws a createIndexes of a TTL index with these seconds, on an ordinary
// collection without other indexes.
func (s Source) CreateIndex(t conformance.Target, seconds policy.Value) Case {
	index := Index(Pick(s, "t", "a"), seconds, s.options(t.Version)...)
	return asked("mongodb.createIndexes", t, s.ClockOfToday(), "index", index)
}

// ChangeIndex draws a collMod that gives an index these seconds.
func (s Source) ChangeIndex(t conformance.Target, seconds policy.Value) Case {
	existing := policy.A{Index("t", policy.Int32Value(int32(s.Seconds())))}
	index := object("name", "t_1", "expireAfterSeconds", seconds)
	if s.Either() {
		index = object("keyPattern", fields("t", one), "expireAfterSeconds", seconds)
	}
	return asked("mongodb.collMod", t, s.ClockOfToday(), "existing", existing, "command", object("index", index))
}

// plain are JSON values that somebody may try as a time to live.
var plain = []policy.Value{
	policy.Int32Value(10), policy.Int32Value(-1), policy.Int32Value(1), policy.Int32Value(0), policy.Int32Value(-2), policy.Int32Value(math.MaxInt32),
	policy.Int64Value(math.MaxInt32 + 1), policy.Int32Value(math.MinInt32), policy.NullValue(),
}

// PlainTTL draws a ttl or a defaultTtl that somebody may write. It draws only numbers and
// null, because other values are unspecified.
func (s Source) PlainTTL() policy.Value {
	if s.sometimes(3) {
		return policy.Int64Value(s.TTL())
	}
	return Pick(s, plain...)
}

// ValidItem draws a question whether an item with this ttl can be written to a
// container that has this defaultTtl.
func (s Source) ValidItem(defaultTTL, ttl policy.Value) Case {
	c := s.Item(defaultTTL, ttl).Case
	return Case{"cosmos.validateItem", c.Target, fields("container", c.At("container"), "item", c.At("item"))}
}

// ValidContainer draws a question whether a container can have this
// defaultTtl.
func (s Source) ValidContainer(defaultTTL policy.Value) Case {
	container := append(s.containerFields(), fields("defaultTtl", defaultTTL)...)
	return Case{"cosmos.validateContainer", conformance.Target{System: conformance.CosmosNoSQL}, fields("container", container)}
}

// CreateCosmosIndex draws a createIndexes of the API for MongoDB.
func (s Source) CreateCosmosIndex() Case {
	t := s.Target("cosmosmongo.createIndexes", "")
	seconds := policy.Int32Value(int32(s.TTL()))
	return Case{"cosmosmongo.createIndexes", t, fields("index", Index(Pick(s, "_ts", "at", "ttl"), seconds))}
}
