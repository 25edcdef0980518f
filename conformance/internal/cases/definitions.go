package cases

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// asked returns the question about a definition with the clock at now.
func asked(op string, t conformance.Target, now policy.Instant, members ...policy.E) Case {
	return Case{op, t, append(policy.D{{Key: "now", Value: policy.DateValue(now)}}, members...)}
}

func member(name string, v policy.Value) policy.E { return policy.E{Key: name, Value: v} }

// settings are numbers and others that expireAfterSeconds may be asked to be.
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

// Setting draws an expireAfterSeconds as somebody may ask for it.
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

// CreateIndex draws a createIndexes of a TTL index with this number on an
// ordinary collection without others.
func (s Source) CreateIndex(t conformance.Target, seconds policy.Value) Case {
	index := Index(Pick(s, "t", "a"), seconds, s.options(t.Version)...)
	return asked("mongodb.createIndexes", t, s.ClockOfToday(), member("index", index))
}

// ChangeIndex draws a collMod that gives an index another number.
func (s Source) ChangeIndex(t conformance.Target, seconds policy.Value) Case {
	existing := policy.ListValue(policy.A{Index("t", policy.Int32Value(int32(s.Seconds())))})
	address := member("name", policy.StringValue("t_1"))
	if s.Either() {
		address = member("keyPattern", policy.ObjectValue(policy.D{{Key: "t", Value: policy.Int32Value(1)}}))
	}
	index := policy.ObjectValue(policy.D{address, member("expireAfterSeconds", seconds)})
	command := policy.ObjectValue(policy.D{member("index", index)})
	return asked("mongodb.collMod", t, s.ClockOfToday(), member("existing", existing), member("command", command))
}

// CreateSeries draws a create of a time-series or of a clustered collection
// with this number.
func (s Source) CreateSeries(t conformance.Target, seconds policy.Value) Case {
	kind := member("timeseries", parsed(`{"timeField": "t"}`))
	if s.Knows("clustered") && !Before(t.Version, "5.3.0") && (!s.Knows("timeseries") || s.Either()) {
		kind = member("clusteredIndex", parsed(`{"key": {"_id": 1}, "unique": true}`))
	}
	command := withField(policy.D{kind}, "expireAfterSeconds", seconds)
	return asked("mongodb.create", t, s.ClockOfToday(), member("command", policy.ObjectValue(command)))
}

// plain are values of JSON that a time to live may be asked to be.
var plain = []policy.Value{
	policy.Int32Value(10), policy.Int32Value(-1), policy.Int32Value(1), policy.Int32Value(0), policy.Int32Value(-2), policy.Int32Value(math.MaxInt32),
	policy.Int64Value(math.MaxInt32 + 1), policy.Int32Value(math.MinInt32), policy.NullValue(),
}

// PlainTTL draws a ttl or a defaultTtl as somebody may ask for it; what is
// neither a number nor null is left open by the sources, and not drawn.
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
	return Case{"cosmos.validateItem", c.Target, policy.D{member("container", c.At("container")), member("item", c.At("item"))}}
}

// ValidContainer draws a question whether a container can have this
// defaultTtl.
func (s Source) ValidContainer(defaultTTL policy.Value) Case {
	container := withField(s.containerFields(), "defaultTtl", defaultTTL)
	t := conformance.Target{System: conformance.CosmosNoSQL}
	return Case{"cosmos.validateContainer", t, policy.D{member("container", policy.ObjectValue(container))}}
}

// CreateCosmosIndex draws a createIndexes of the API for MongoDB.
func (s Source) CreateCosmosIndex() Case {
	t := s.Target("cosmosmongo.createIndexes", "")
	seconds := policy.Int32Value(int32(s.TTL()))
	return Case{"cosmosmongo.createIndexes", t, policy.D{member("index", Index(Pick(s, "_ts", "at", "ttl"), seconds))}}
}
