package questions

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestPlain(t *testing.T) {
	const createdAt = `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`
	for _, tt := range []struct{ why, version, in, want string }{
		{"one index", "8.0.4", `"indexes":[` + createdAt + `]`, "t 60000 mongo.date"},
		{"descending", "8.0.4", `"indexes":[{"key":{"t":-1},"expireAfterSeconds":0}]`, "t 0 mongo.date"},
		{"beside one without a delay", "8.0.4", `"indexes":[{"key":{"a":1}},` + createdAt + `]`, "t 60000 mongo.date"},
		{"a release that deletes before the cutoff", "2.4.14", `"indexes":[` + createdAt + `]`, "t 60001 mongo.date-strict"},
		{"NaN that is read as 0", "5.0.9", `"indexes":[{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`, "t 0 mongo.date"},
		{"NaN that is skipped", "8.0.4", `"indexes":[{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`, ""},
		{"a negative delay", "4.0.28", `"indexes":[{"key":{"t":1},"expireAfterSeconds":-1}]`, ""},
		{"two indexes", "8.0.4", `"indexes":[` + createdAt + `,{"key":{"a":1},"expireAfterSeconds":60}]`, ""},
		{"a filter", "8.0.4", `"indexes":[{"key":{"t":1},"expireAfterSeconds":60,"partialFilterExpression":{"a":1}}]`, ""},
		{"a filter on the same field", "8.0.4", `"indexes":[{"key":{"t":1},"expireAfterSeconds":60,"partialFilterExpression":{"t":{"$gt":{"$date":{"$numberLong":"5"}}}}}]`, ""},
		{"a dotted path", "8.0.4", `"indexes":[{"key":{"a.t":1},"expireAfterSeconds":60}]`, ""},
		{"a compound key", "8.0.4", `"indexes":[{"key":{"t":1,"a":1},"expireAfterSeconds":60}]`, ""},
		{"a capped collection", "6.0.26", `"indexes":[` + createdAt + `],"collection":{"capped":true,"size":4096}`, ""},
		{"a clustered collection", "8.0.4", `"indexes":[],"collection":{"clusteredIndex":true,"expireAfterSeconds":60}`, ""},
		{"a time-series collection", "8.0.4", `"indexes":[],"collection":{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, ""},
		{"nothing", "8.0.4", `"indexes":[]`, ""},
	} {
		p, err := CompileListed([]byte(`{"target":{"system":"mongodb","version":"` + tt.version + `"},"in":{` + tt.in + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		got := ""
		if plain, ok := p.Plain(); ok {
			got = fmt.Sprint(plain.Field, " ", plain.Delay, " ", plain.Rule)
		}
		if got != tt.want {
			t.Errorf("%s: Plain() = %q, want %q", tt.why, got, tt.want)
		}
	}
}

// What a plain policy says of a Date is what deciding says, between the clocks that Plain
// looks at.
func TestPlainIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, version := range []string{"2.2.7", "2.6.12", "3.0.15", "4.4.29", "5.0.31", "8.0.16", mongo.Latest.String()} {
		for _, seconds := range []int64{0, 1, 3600, 1325376000, 1325376001, 2147483647} {
			p, err := CompileListed(fmt.Appendf(nil, `{"target":{"system":"mongodb","version":"%s"},"in":{"indexes":[{"key":{"t":1},"expireAfterSeconds":%d}]}}`, version, seconds))
			if err != nil {
				t.Fatal(err)
			}
			plain, ok := p.Plain()
			if !ok {
				t.Fatalf("%s, %d s: not plain", version, seconds)
			}
			for range 1000 {
				date := policy.Instant(random.Int64N(2*int64(lastDate)+1)) - lastDate
				now := policy.Instant(int64(date) + plain.Delay + random.Int64N(5) - 2)
				d := p.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, now)
				if got := int64(d.Deadline() - date); got != plain.Delay || d.Rule != plain.Rule || (d.State == policy.Expired) != (now >= d.Deadline()) {
					t.Fatalf("%s, %d s: Decide(%d, %d) = %v by %v, want %d ms later by %v", version, seconds, date, now, d, d.Rule, plain.Delay, plain.Rule)
				}
			}
		}
	}
}

func TestReads(t *testing.T) {
	for _, tt := range []struct{ question, want string }{
		{`{"target":{"system":"mongodb"},"in":{"indexes":[{"key":{"a.t":1},"expireAfterSeconds":60,"partialFilterExpression":{"b.c":1}}]}}`, "a b"},
		{`{"target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTtl":60}}}`, "_ts ttl"},
		{`{"target":{"system":"cosmos-nosql"},"in":{"container":{}}}`, ""},
		{`{"target":{"system":"cosmos-mongo"},"in":{"indexes":[{"key":{"_ts":1},"expireAfterSeconds":60}]}}`, "_ts ttl"},
	} {
		p, err := Compile([]byte(tt.question))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Reads(), " "); got != tt.want {
			t.Errorf("Reads() of %s = %q, want %q", tt.question, got, tt.want)
		}
	}
}
