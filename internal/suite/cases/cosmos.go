package cases

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// WriteTime draws the time of an item's last write: seconds since 1970.
func (s Source) WriteTime() int64 {
	if s.sometimes(4) {
		return Pick[int64](s, 0, 1, longestSeconds-10, longestSeconds+1, 1<<32, 946_684_800)
	}
	return 1_700_000_000 + s.Range(-100_000, 100_000)
}

// TTL draws a time to live that Cosmos DB accepts, other than -1.
func (s Source) TTL() int64 {
	if s.sometimes(3) {
		return Pick(s, 1, longestSeconds, longestSeconds-1, 2_147_483, 2_147_484, 4_294_968)
	}
	return s.Range(1, Pick[int64](s, 100, 100_000))
}

// An Item is a question to cosmos.decide, and the values that decide its
// answer.
type Item struct {
	Case
	Written int64 // _ts
	Default policy.Value
	TTL     policy.Value
}

// Item draws a container with this defaultTtl and an item with this ttl; either
// may be Missing. The clock is near the deadline that applies.
func (s Source) Item(defaultTTL, ttl policy.Value) Item {
	x := Item{Written: s.WriteTime(), Default: defaultTTL, TTL: ttl}
	container := append(s.containerFields(), fields("defaultTtl", defaultTTL)...)
	item := append(fields("id", "1", "_ts", x.Written, "ttl", ttl), s.properties()...)
	x.Case = asked("cosmos.decide", conformance.Target{System: conformance.CosmosNoSQL}, s.NowNear(x.due()), "container", container, "item", item)
	return x
}

// due returns the deadline by the item's ttl, or by the container's default if the ttl is
// not a whole number.
func (x Item) due() policy.Instant {
	seconds, ok := x.TTL.AsInt64()
	if !ok {
		seconds, _ = x.Default.AsInt64()
	}
	return policy.Instant((x.Written + seconds) * 1000)
}

// containerFields draws members of a container that do not affect expiry.
func (s Source) containerFields() policy.D {
	if s.sometimes(3) {
		return fields("indexingPolicy", fields("indexingMode", "consistent"))
	}
	return nil
}

// properties draws properties of an item that resemble its ttl.
func (s Source) properties() (d policy.D) {
	for range s.Range(0, 2) {
		d = withField(d, s.propertyName(), s.property())
	}
	return d
}

// Property adds one more property that resembles ttl to the item.
func (s Source) Property(c Case) Case { return c.With(s.property(), "item", s.propertyName()) }

func (s Source) propertyName() string {
	return Pick(s, "_ttl", "TTL", "Ttl", "TimeToLive", "timeToLive", "defaultTtl", "ttl ", "expireAfterSeconds", "_etag", "meta", "created")
}

func (s Source) property() policy.Value {
	n := policy.Int64Value(Pick[int64](s, -1, 1, 10, 0, longestSeconds))
	return Pick(s, n, policy.NullValue(), policy.StringValue("1"), object("ttl", n), policy.ListValue(policy.A{n}))
}

// DefaultTTL draws a defaultTtl that switches TTL on.
func (s Source) DefaultTTL() policy.Value {
	if s.sometimes(4) {
		return policy.Int32Value(-1)
	}
	return policy.Int64Value(s.TTL())
}

// ItemTTL draws a ttl that an item can have while TTL is on, or Missing.
func (s Source) ItemTTL() policy.Value {
	switch s.Range(0, 4) {
	case 0, 1:
		return policy.Value{}
	case 2:
		return policy.Int32Value(-1)
	}
	return policy.Int64Value(s.TTL())
}

// A Stored is a question to cosmosmongo.decide, and the time of the document's last
// write.
type Stored struct {
	Case
	Written int64 // _ts
}

// Stored draws a collection of the API for MongoDB whose TTL index on _ts has
// this expireAfterSeconds, and a document with this ttl; either may be Missing.
// The clock is near the deadline that applies.
func (s Source) Stored(seconds, ttl policy.Value) Stored {
	t := s.Target("cosmosmongo.decide", "")
	x := Stored{Written: s.WriteTime()}
	document := append(fields("_id", one, "ttl", ttl), s.Bystanders(t.Version, "_id", "_ts", "ttl")...)
	now := s.NowNear(policy.Instant((x.Written + effective(seconds, ttl)) * 1000))
	x.Case = asked("cosmosmongo.decide", t, now, "indexes", policy.A{Index("_ts", seconds)}, "document", document, "_ts", x.Written)
	return x
}

// effective returns the time to live that applies, if it is a number.
func effective(seconds, ttl policy.Value) int64 {
	if n, ok := ttl.AsInt64(); ok && int64(int32(n)) == n {
		return n
	}
	n, _ := seconds.AsInt64()
	return n
}

// IndexSeconds draws an expireAfterSeconds on _ts that switches TTL on.
func (s Source) IndexSeconds() policy.Value {
	if s.sometimes(4) {
		return policy.Int32Value(-1)
	}
	return policy.Int32Value(int32(s.TTL()))
}

// Integers returns a ttl in each of the three types that the API for MongoDB
// takes.
func Integers(n int64) []policy.Value {
	return []policy.Value{policy.Int32Value(int32(n)), policy.Int64Value(n), policy.DoubleValue(float64(n))}
}

// IgnoredTTL draws a ttl that the API for MongoDB stores and does not honour.
func (s Source) IgnoredTTL() policy.Value {
	list := []policy.Value{
		policy.DoubleValue(20.5), policy.DoubleValue(0.5), policy.DoubleValue(-1.5), policy.Int64Value(math.MaxInt32 + 2), policy.Int64Value(math.MaxInt64),
		policy.Int64Value(math.MinInt64), policy.Int64Value(math.MinInt32 - 1), policy.Int64Value(1<<32 + 20),
		policy.DoubleValue(1e300), policy.DoubleValue(math.NaN()), policy.DoubleValue(math.Inf(1)), policy.StringValue("20"), policy.BoolValue(true),
		policy.NullValue(), policy.DateValue(0), policy.ListValue(policy.A{policy.Int32Value(20)}),
		object("ttl", int32(20)),
	}
	if s.Knows("decimal128") {
		list = append(list, decimal("20"))
	}
	if s.Knows("bson-types") {
		list = append(list, rareValues...)
	}
	return Pick(s, list...)
}

// AsksCustomPath reports whether TTL indexes on other fields than _ts are claimed.
func (c *Claim) AsksCustomPath() bool {
	return c.Knows("custom-path") && c.Asks("cosmosmongo.decide", customPathSince)
}

// customPathSince is the first server version whose accounts can have the capability
// customPath.
const customPathSince = "4.2"

// OnField draws a collection with a TTL index on a field other than _ts, and a document
// with the value held in that field. Missing leaves the field out.
func (s Source) OnField(held policy.Value) Case {
	t := conformance.Target{
		System: conformance.CosmosMongo, Version: Pick(s, s.since(conformance.CosmosMongo, customPathSince)...), Capabilities: []string{customPath},
	}
	seconds := s.TTL()
	now := s.NowNear(Plus(earliest(held), seconds*1000))
	return asked("cosmosmongo.decide", t, now,
		"indexes", policy.A{Index("at", policy.Int32Value(int32(seconds)))}, "document", object("_id", one, "at", held), "_ts", s.WriteTime())
}

// NoTime draws a value that is not a date, a number or an array.
func (s Source) NoTime() policy.Value {
	return Pick(s, policy.NullValue(), policy.BoolValue(true), policy.StringValue("2001-09-09T01:46:40.000Z"), policy.ListValue(policy.A{policy.StringValue("x")}))
}
