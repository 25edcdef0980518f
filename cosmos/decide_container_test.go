package cosmos

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDecodedItems: an item that is decoded with UseNumber decides like its text. A float64
// may have been 10.0, which is unspecified, so it keeps the item.
func TestDecodedItems(t *testing.T) {
	var expired, unspecified, noTime, twice = ruleItem.ID(), ruleItemUnspecified.ID(), ruleNoTimestamp.ID(), ruleDuplicateUnspecified.ID()
	tests := []struct{ item, text, floats, numbers string }{
		{`{"_ts":1,"ttl":10}`, expired, unspecified, expired},
		{`{"_ts":1700000000,"ttl":10.0}`, unspecified, unspecified, unspecified},
		{`{"_ts":1,"ttl":1e1}`, unspecified, unspecified, unspecified},
		{`{"_ts":1.0,"ttl":10}`, noTime, unspecified, noTime},
		{`{"_ts":1}`, ruleNoDefault.ID(), ruleNoDefault.ID(), ruleNoDefault.ID()},
		{`{"_ts":1,"ttl":-1,"ttl":10}`, twice, unspecified, expired},
	}
	c := container(t, `{"defaultTtl":-1}`)
	for _, tt := range tests {
		var floats, numbers policy.Map
		d := json.NewDecoder(strings.NewReader(tt.item))
		d.UseNumber()
		if err := errors.Join(json.Unmarshal([]byte(tt.item), &floats), d.Decode(&numbers)); err != nil {
			t.Fatal(err)
		}
		for way, found := range map[string]struct {
			rule string
			policy.Decision
		}{
			"DecideJSON": {tt.text, c.DecideJSON([]byte(tt.item), never)},
			"floats":     {tt.floats, c.Decide(floats, never)}, "UseNumber": {tt.numbers, c.Decide(numbers, never)},
		} {
			if found.Rule.ID() != found.rule {
				t.Errorf("%s(%s) = %s, want %s", way, tt.item, found.Rule, found.rule)
			}
		}
	}
}

func TestContainerDecide(t *testing.T) {
	const (
		off     = `{}`
		offNull = `{"defaultTtl":null}`
		on      = `{"defaultTtl":-1}`
		ten     = `{"defaultTtl":10}`
	)
	tests := []struct {
		container, item, rule string
		deadline              policy.Instant
		why                   string
	}{
		// Cases for each cell of the matrix.
		{off, `{"_ts":100}`, ruleOff.ID(), never, "absent × absent"},
		{off, `{"_ts":100,"ttl":-1}`, ruleOff.ID(), never, "absent × -1"},
		{off, `{"_ts":100,"ttl":5}`, ruleOff.ID(), never, "the item's ttl is not looked at"},
		{offNull, `{"_ts":100,"ttl":5}`, ruleOff.ID(), never, "null as a stored state is off"},
		{on, `{"_ts":100}`, ruleNoDefault.ID(), never, "on, no default"},
		{on, `{"_ts":100,"ttl":-1}`, ruleItemNever.ID(), never, "-1 × -1"},
		{on, `{"_ts":100,"ttl":5}`, ruleItem.ID(), 105_000, "-1 on the container is on"},
		{ten, `{"_ts":100}`, ruleDefault.ID(), 110_000, "n × absent"},
		{ten, `{"_ts":100,"ttl":-1}`, ruleItemNever.ID(), never, "n × -1"},
		{ten, `{"_ts":100,"ttl":5}`, ruleItem.ID(), 105_000, "shorter than the default"},
		{ten, `{"_ts":100,"ttl":20}`, ruleItem.ID(), 120_000, "longer than the default: there is no minimum"},
		// Cases at the ends of the range.
		{ten, `{"_ts":100,"ttl":1}`, ruleItem.ID(), 101_000, "the least ttl"},
		{ten, `{"_ts":100,"ttl":2147483647}`, ruleItem.ID(), 2147483747_000, "the greatest ttl"},
		{`{"defaultTtl":2147483647}`, `{"_ts":1700000000}`, ruleDefault.ID(), 3847483647_000, "the sum exceeds 32 bits"},
		{`{"defaultTtl":1}`, `{"_ts":0}`, ruleDefault.ID(), 1000, "the least default"},
		{ten, `{"_ts":-5}`, ruleDefault.ID(), 5000, "a _ts before 1970 is a number like any other"},
		// The service refuses this item while TTL is on, so the outcome is unspecified.
		{ten, `{"_ts":100,"ttl":0}`, ruleItemUnspecified.ID(), never, "0 is invalid, not now"},
		{ten, `{"_ts":100,"ttl":-2}`, ruleItemUnspecified.ID(), never, "negative but not -1"},
		{ten, `{"_ts":100,"ttl":2147483648}`, ruleItemUnspecified.ID(), never, "one too many"},
		{ten, `{"_ts":100,"ttl":9223372036854775808}`, ruleItemUnspecified.ID(), never, "beyond int64"},
		{ten, `{"_ts":100,"ttl":null}`, ruleItemUnspecified.ID(), never, "null on the wire"},
		{ten, `{"_ts":100,"ttl":"5"}`, ruleItemUnspecified.ID(), never, "a string"},
		{ten, `{"_ts":100,"ttl":true}`, ruleItemUnspecified.ID(), never, "a boolean"},
		{ten, `{"_ts":100,"ttl":5.5}`, ruleItemUnspecified.ID(), never, "a fraction"},
		{ten, `{"_ts":100,"ttl":20.0}`, ruleItemUnspecified.ID(), never, "the reply to an integral double is unknown"},
		{ten, `{"_ts":100,"ttl":1e1000000000}`, ruleItemUnspecified.ID(), never, "absurd"},
		{ten, `{"_ts":100,"ttl":[5]}`, ruleItemUnspecified.ID(), never, "an array"},
		{on, `{"_ts":100,"ttl":0}`, ruleItemUnspecified.ID(), never, "also without a default"},
		{`{"defaultTtl":0}`, `{"_ts":100,"ttl":5}`, ruleContainerUnspecified.ID(), never, "0 on the container"},
		{`{"defaultTtl":-5}`, `{"_ts":100}`, ruleContainerUnspecified.ID(), never, "negative on the container"},
		{`{"defaultTtl":2147483648}`, `{"_ts":100}`, ruleContainerUnspecified.ID(), never, "one too many"},
		{`{"defaultTtl":"10"}`, `{"_ts":100}`, ruleContainerUnspecified.ID(), never, "a string"},
		{`{"defaultTtl":10.0}`, `{"_ts":100}`, ruleContainerUnspecified.ID(), never, "an integral double"},
		// The property is exactly ttl, at the root.
		{ten, `{"_ts":100,"TTL":5,"_ttl":6,"TimeToLive":7}`, ruleDefault.ID(), 110_000, "look-alikes are user data"},
		{ten, `{"_ts":100,"a":{"ttl":5}}`, ruleDefault.ID(), 110_000, "nested is user data"},
		{ten, `{"\u005fts":100,"\u0074tl":5}`, ruleItem.ID(), 105_000, "an escaped name is the same name"},
		{ten, `{"_ts":100,"ttl":5,"ttl":6}`, ruleDuplicateUnspecified.ID(), never, "two ttl"},
		{ten, `{"_ts":100,"ttl":5,"\u0074tl":6}`, ruleDuplicateUnspecified.ID(), never, "two ttl, one escaped"},
		{ten, `{"_ts":100,"_ts":101}`, ruleDuplicateUnspecified.ID(), never, "two _ts"},
		{off, `{"_ts":100,"ttl":5,"ttl":6}`, ruleOff.ID(), never, "off is settled first"},
		{`{"defaultTtl":0}`, `{"_ts":100,"ttl":5,"ttl":6}`, ruleContainerUnspecified.ID(), never, "so is the container"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":50,"at":60}`, ruleDuplicateUnspecified.ID(), never, "two of what the default counts from"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b"}`, `{"at":{"b":1},"at":{"b":1}}`, ruleDuplicateUnspecified.ID(), never, "two roots of it"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b"}`, `{"at":{"b":50,"b":60}}`, ruleDuplicateUnspecified.ID(), never, "two at the end of the path"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b/c"}`, `{"at":{"b":{"c":50},"b":{"c":60}}}`, ruleDuplicateUnspecified.ID(), never, "two on the way"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b/c"}`, `{"at":{"b":5,"b":{"c":60}}}`, ruleDuplicateUnspecified.ID(), never, "two on the way, one of them a number"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at/b"}`, `{"at":{"b":50,"c":1,"c":2}}`, rulePath.ID(), 60_000, "two beside it"},
		{`{"ttlPropertyPath":"/at/b"}`, `{"at":{"b":50,"b":60}}`, ruleOff.ID(), never, "off is settled before the path"},
		{ten, `{"_ts":100,"at":50,"at":60}`, ruleDefault.ID(), 110_000, "two of what does not matter"},
		// Items without a time to count from.
		{ten, `{}`, ruleNoTimestamp.ID(), never, "no _ts"},
		{ten, `{"_ts":"100"}`, ruleNoTimestamp.ID(), never, "a string"},
		{ten, `{"_ts":100.5}`, ruleNoTimestamp.ID(), never, "a fraction"},
		{ten, `{"_ts":9223372036854775807}`, ruleUnreachable.ID(), never, "beyond the clock"},
		{ten, `{"_ts":9223372036854775}`, ruleUnreachable.ID(), never, "the sum is beyond the clock"},
		{ten, `{"_ts":9223372036854765}`, ruleDefault.ID(), 9223372036854775_000, "the last second of the clock"},
		// Cases with a ttlPropertyPath.
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":100,"at":50}`, rulePath.ID(), 60_000, "from the property"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/a/b"}`, `{"_ts":100,"a":{"b":50}}`, rulePath.ID(), 60_000, "nested"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/_ts"}`, `{"_ts":100}`, ruleDefault.ID(), 110_000, "_ts itself"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":100}`, rulePathUnspecified.ID(), never, "property missing"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":100,"at":"50"}`, rulePathUnspecified.ID(), never, "no integer"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":100,"at":50,"ttl":5}`, rulePathUnspecified.ID(), never, "with an item ttl"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":50,"ttl":-1}`, rulePathUnspecified.ID(), never, "with an item ttl of -1"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":50,"ttl":0}`, rulePathUnspecified.ID(), never, "with an item ttl that the service refuses"},
		{`{"defaultTtl":-1,"ttlPropertyPath":"/at"}`, `{"at":50,"ttl":-1}`, rulePathUnspecified.ID(), never, "with an item ttl of -1, on without a default"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":1}`, rulePath.ID(), 11_000, "the first second"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":0}`, rulePathUnspecified.ID(), never, "0"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":-1}`, rulePathUnspecified.ID(), never, "a negative number"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":-9223372036854775808}`, rulePathUnspecified.ID(), never, "the least"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":9223372036854775}`, ruleUnreachable.ID(), never, "beyond the clock"},
		{ten, `{"_ts":0}`, ruleDefault.ID(), 10_000, "0 in _ts is 1970"},
		{ten, `{"_ts":-1}`, ruleDefault.ID(), 9_000, "a negative _ts is before"},
		// Cases with the indexing mode none.
		{`{"defaultTtl":10,"indexingPolicy":{"indexingMode":"none"}}`, `{"_ts":100}`, ruleContainerUnspecified.ID(), never, "no index"},
		{`{"defaultTtl":10,"indexingPolicy":{"indexingMode":"None"}}`, `{"_ts":100,"ttl":5,"ttl":6}`, ruleContainerUnspecified.ID(), never, "no index, and two ttl"},
		{`{"defaultTtl":-1,"indexingPolicy":{"indexingMode":"none"}}`, `{"_ts":100,"ttl":5}`, ruleContainerUnspecified.ID(), never, "no index, on without a default"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at","indexingPolicy":{"indexingMode":"none"}}`, `{"at":50}`, ruleContainerUnspecified.ID(), never, "no index, and a path"},
		{`{"indexingPolicy":{"indexingMode":"none"}}`, `{"_ts":100,"ttl":5}`, ruleOff.ID(), never, "no index, off"},
		{`{"defaultTtl":null,"indexingPolicy":{"indexingMode":"none"}}`, `{"_ts":100,"ttl":5}`, ruleOff.ID(), never, "no index, null"},
		{`{"defaultTtl":10,"indexingPolicy":{"indexingMode":"lazy"}}`, `{"_ts":100}`, ruleDefault.ID(), 110_000, "a lazy index"},
		{`{"defaultTtl":-1,"ttlPropertyPath":"/at"}`, `{"at":50}`, ruleNoDefault.ID(), never, "there is nothing to count"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"_ts":100,"at":5000}`, rulePath.ID(), 5_010_000, "ahead of the last write"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/at"}`, `{"at":50.0}`, rulePathUnspecified.ID(), never, "an integral double"},
		{`{"defaultTtl":10,"ttlPropertyPath":"/a/b"}`, `{"a":[{"b":50}]}`, rulePathUnspecified.ID(), never, "through an array"},
		{`{"defaultTtl":10,"ttlPropertyPath":null}`, `{"_ts":100}`, ruleDefault.ID(), 110_000, "null is _ts"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := container(t, tt.container)
			check(t, func(now policy.Instant) policy.Decision {
				return c.DecideJSON([]byte(tt.item), now)
			}, tt.rule, tt.deadline)
			item, err := policy.ParseJSON([]byte(tt.item))
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range []policy.Document{item, &item, item.Value(), policy.DOf(item.Value())} {
				check(t, func(now policy.Instant) policy.Decision { return c.Decide(doc, now) }, tt.rule, tt.deadline)
			}
		})
	}
}

func TestContainerDecideJSONKeepsMalformed(t *testing.T) {
	c := container(t, `{"defaultTtl":1}`)
	for _, item := range []string{``, `[]`, `{"_ts":1`, `{"_ts":1}x`, `{"_ts":01}`, `{"ttl":1,"_ts":1,"a":tru}`} {
		check(t, func(now policy.Instant) policy.Decision { return c.DecideJSON([]byte(item), now) }, ruleMalformed.ID(), never)
	}
}

func TestParseContainerSpecErrors(t *testing.T) {
	_, err := ParseContainerSpec([]byte(`{"defaultTtl": 1O}`))
	var syntax *policy.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != 16 {
		t.Errorf("ParseContainerSpec = %v, want a SyntaxError at byte 16", err)
	}
	if _, err := ParseContainerSpec([]byte(`{"ttlPropertyPath":5}`)); err == nil {
		t.Error("ParseContainerSpec accepts a number as ttlPropertyPath")
	}
	for _, path := range []string{"at", "/", "//a", "/a/", "/a//b"} {
		if _, err := CompileContainer(ContainerSpec{TTLPropertyPath: path}); err == nil {
			t.Errorf("CompileContainer accepts ttlPropertyPath %q", path)
		}
	}
}

func TestZeroValuesKeepEverything(t *testing.T) {
	item := policy.D{{Key: "ttl", Value: policy.Int32Value(1)}, {Key: "_ts", Value: policy.Int32Value(1)}}
	for _, e := range []interface {
		Decide(doc policy.Document, now policy.Instant) policy.Decision
	}{&Container{}, &Collection{}} {
		if d := e.Decide(item, policy.MaxInstant); d.State != policy.Never || d.Rule.IsZero() {
			t.Errorf("zero %T decides %v by %v, want never by a rule", e, d.State, d.Rule)
		}
	}
}

// TestIndexingModeByHand: settings that were not parsed may spell the mode as the
// service's SDKs do.
func TestIndexingModeByHand(t *testing.T) {
	for mode, want := range map[string]policy.Rule{"None": ruleContainerUnspecified, "none": ruleContainerUnspecified, "Consistent": ruleDefault, "": ruleDefault} {
		by := ContainerSpec{DefaultTTL: policy.Int32Value(5), IndexingMode: mode}
		c, err := CompileContainer(by)
		if err != nil {
			t.Fatal(err)
		}
		_, _, refused := ValidateContainer(by, nil)
		if d := c.DecideItem(Item{TS: TimestampSeconds(1)}, policy.MaxInstant); d.Rule != want || (refused != nil) != (want != ruleDefault) {
			t.Errorf("indexing mode %q: decided by %s, and refused by %v; want %s", mode, d.Rule, refused, want)
		}
	}
}
