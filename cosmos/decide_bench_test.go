package cosmos

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// benchItems are items whose ttl takes more and more time to read.
var benchItems = map[string]string{
	"int":              `20`,
	"absent":           ``,
	"fraction":         `20.5`,
	"exponent":         `2e1`,
	"huge-exponent":    `1e1000000000`,
	"tiny-exponent":    `1e-1000000000`,
	"1000-digits":      strings.Repeat("7", 1000),
	"1000000-digits":   strings.Repeat("7", 1_000_000),
	"1000000-decimals": "20." + strings.Repeat("0", 999_999) + "1",
}

func benchItem(ttl string) []byte {
	if ttl != "" {
		ttl = `"ttl":` + ttl + `,`
	}
	return []byte(`{"id":"item-1","pk":"a",` + ttl + `"name":"some text","nested":{"ttl":5},"list":[1,2,3],"_rid":"abc==","_etag":"\"00\"","_ts":1700000000}`)
}

// BenchmarkDecideJSON decides raw JSON items, with and without checking them.
func BenchmarkDecideJSON(b *testing.B) {
	c := container(b, `{"defaultTtl":3600}`)
	for name, ttl := range benchItems {
		item := benchItem(ttl)
		checked, err := policy.ParseJSON(item)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/raw", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchSink = c.DecideJSON(item, 0)
			}
		})
		b.Run(name+"/checked", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchSink = c.Decide(&checked, 0)
			}
		})
	}
}

// BenchmarkCoerce decides documents of the API for MongoDB with a ttl of every
// type that may hold a number.
func BenchmarkCoerce(b *testing.B) {
	c := collection(b, `[{"key":{"_ts":1},"expireAfterSeconds":10}]`, CollectionSpec{})
	for name, ttl := range map[string]policy.Value{
		"int32": policy.Int32Value(20), "int64": policy.Int64Value(1 << 40), "double": policy.DoubleValue(20), "fraction": policy.DoubleValue(20.5),
		"decimal": policy.DecimalValue(0x5FFE000000000000, 1), "string": policy.StringValue(strings.Repeat("7", 1_000_000)),
	} {
		doc := policy.D{{Key: "ttl", Value: ttl}}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchSink = c.DecideAt(&doc, TimestampSeconds(1_700_000_000), 0)
			}
		})
	}
}

var benchSink policy.Decision

// BenchmarkDecideItem decides items whose properties are at hand: items of all kinds in
// containers of all kinds, and items of one container as in a sweep. The items are so many
// that no processor can predict all branches.
func BenchmarkDecideItem(b *testing.B) {
	containers := []*Container{container(b, `{}`), container(b, `{"defaultTtl":-1}`), container(b, `{"defaultTtl":3600}`), container(b, `{"defaultTtl":7}`)}
	var items [1 << 16]Item
	var of [len(items)]uint8
	random := rand.New(rand.NewPCG(1, 2))
	for i := range items {
		of[i] = uint8(random.IntN(len(containers)))
		items[i].TS = TimestampSeconds(1_700_000_000 + random.Int64N(100_000))
		switch random.IntN(4) {
		case 0:
			items[i].TTL = TTLSeconds(-random.Int64N(3))
		case 1, 2:
			items[i].TTL = TTLSeconds(random.Int64N(100_000))
		}
	}
	const now = 1_700_050_000_000
	b.Run("all-kinds", func(b *testing.B) {
		for i := range b.N {
			n := i % len(items)
			benchSink = containers[of[n]].DecideItem(items[n], now)
		}
	})
	b.Run("one-container", func(b *testing.B) {
		for i := range b.N {
			benchSink = containers[2].DecideItem(Item{TS: items[i%len(items)].TS}, now)
		}
	})
}
