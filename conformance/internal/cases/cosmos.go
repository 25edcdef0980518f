package cases

import (
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

// TTL draws a time to live that Cosmos DB takes, other than -1.
func (s Source) TTL() int64 {
	if s.sometimes(3) {
		return Pick(s, 1, longestSeconds, longestSeconds-1, 2_147_483, 2_147_484, 4_294_968)
	}
	return s.Range(1, Pick[int64](s, 100, 100_000))
}

// An Item is a question to cosmos.decide, and what bears on its answer.
type Item struct {
	Case
	Written int64 // _ts
	Default policy.Value
	TTL     policy.Value
}

// Item draws a container with this defaultTtl and an item with this ttl, of
// which either may be Missing. The clock is near the deadline that applies.
func (s Source) Item(defaultTTL, ttl policy.Value) Item {
	x := Item{Written: s.WriteTime(), Default: defaultTTL, TTL: ttl}
	container := withField(s.containerFields(), "defaultTtl", defaultTTL)
	item := policy.D{{Key: "id", Value: policy.StringValue("1")}, {Key: "_ts", Value: policy.Int64Value(x.Written)}}
	item = append(withField(item, "ttl", ttl), s.properties()...)
	x.Case = Case{"cosmos.decide", conformance.Target{System: conformance.CosmosNoSQL}, policy.D{
		{Key: "now", Value: policy.DateValue(s.NowNear(x.due()))},
		{Key: "container", Value: policy.ObjectValue(container)},
		{Key: "item", Value: policy.ObjectValue(item)},
	}}
	return x
}

// due returns the deadline by the item's ttl or else by the default, as far as
// they are numbers.
func (x Item) due() policy.Instant {
	seconds, ok := x.TTL.AsInt64()
	if !ok {
		seconds, _ = x.Default.AsInt64()
	}
	return policy.Instant((x.Written + seconds) * 1000)
}

// containerFields draws members of a container that do not bear on expiry.
func (s Source) containerFields() (d policy.D) {
	if s.sometimes(3) {
		mode := policy.D{{Key: "indexingMode", Value: policy.StringValue("consistent")}}
		d = append(d, policy.E{Key: "indexingPolicy", Value: policy.ObjectValue(mode)})
	}
	return d
}

// properties draws properties of an item that are nearly its ttl.
func (s Source) properties() (d policy.D) {
	for range s.Range(0, 2) {
		d = withField(d, s.propertyName(), s.property())
	}
	return d
}

// Property draws one more such property and gives the item it.
func (s Source) Property(c Case) Case { return c.With(s.property(), "item", s.propertyName()) }

func (s Source) propertyName() string {
	return Pick(s, "_ttl", "TTL", "Ttl", "TimeToLive", "timeToLive", "defaultTtl", "ttl ", "expireAfterSeconds", "_etag", "meta", "created")
}

func (s Source) property() policy.Value {
	n := policy.Int64Value(Pick[int64](s, -1, 1, 10, 0, longestSeconds))
	return Pick(s, n, policy.NullValue(), policy.StringValue("1"), policy.ObjectValue(policy.D{{Key: "ttl", Value: n}}), policy.ListValue(policy.A{n}))
}

// DefaultTTL draws a defaultTtl that switches TTL on.
func (s Source) DefaultTTL() policy.Value {
	if s.sometimes(4) {
		return policy.Int32Value(-1)
	}
	return policy.Int64Value(s.TTL())
}

// ItemTTL draws a ttl that an item can have while TTL is on, or none.
func (s Source) ItemTTL() policy.Value {
	switch s.Range(0, 4) {
	case 0, 1:
		return policy.Value{}
	case 2:
		return policy.Int32Value(-1)
	}
	return policy.Int64Value(s.TTL())
}
