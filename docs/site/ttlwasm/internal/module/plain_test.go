package module

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
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
		{"two indexes", "8.0.4", `"indexes":[` + createdAt + `,{"key":{"a":1}},{"key":{"a":1},"name":"a_1","expireAfterSeconds":5}]`, "t 60000 mongo.date, a 5000 mongo.date"},
		{"one of two with a dotted path", "8.0.4", `"indexes":[` + createdAt + `,{"key":{"a.b":1},"name":"a","expireAfterSeconds":5}]`, "t 60000 mongo.date, a.b 5000 mongo.date"},
		{"a path with a position", "8.0.4", `"indexes":[{"key":{"a.0":1},"expireAfterSeconds":60}]`, ""},
		{"a path through a position", "8.0.4", `"indexes":[{"key":{"a.0.b":1},"expireAfterSeconds":60}]`, ""},
		{"a name of digits on top", "8.0.4", `"indexes":[{"key":{"0":1},"expireAfterSeconds":60}]`, ""},
		{"one of two that deletes nothing", "4.0.28", `"indexes":[` + createdAt + `,{"key":{"a":1,"b":1},"name":"a","expireAfterSeconds":5}]`, ""},
		{"a filter that release ignores", "2.6.12", filtered(`{"a":1}`), ""},
		{"a filter with a collation", "8.0.4", `"indexes":[{"key":{"t":1},"expireAfterSeconds":60,"partialFilterExpression":{"a":"b"},"collation":{"locale":"en","strength":2}}]`, ""},
		{"no condition", "8.0.4", filtered(`{}`), "t 60000 mongo.date"},
		{"a dotted path", "8.0.4", `"indexes":[{"key":{"a.t":1},"expireAfterSeconds":60}]`, "a.t 60000 mongo.date"},
		{"a dotted path of the first release", "2.2.0", `"indexes":[{"key":{"a.b.t":-1},"expireAfterSeconds":60}]`, "a.b.t 60001 mongo.date-strict"},
		{"a compound key", "8.0.4", `"indexes":[{"key":{"t":1,"a":1},"expireAfterSeconds":60}]`, ""},
		{"a capped collection", "6.0.26", `"indexes":[` + createdAt + `],"collection":{"capped":true,"size":4096}`, ""},
		{"a clustered collection", "8.0.4", `"indexes":[],"collection":{"clusteredIndex":true,"expireAfterSeconds":60}`, ""},
		{"a time-series collection", "8.0.4", `"indexes":[],"collection":{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}`, ""},
		{"nothing", "8.0.4", `"indexes":[]`, ""},
	} {
		p, err := answers.CompileListed([]byte(`{"target":{"system":"mongodb","version":"` + tt.version + `"},"in":{` + tt.in + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		var got []string
		for _, x := range plainOf(p) {
			got = append(got, fmt.Sprint(x.Field, " ", x.Delay, " ", x.Rule))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: plainOf() = %q, want %q", tt.why, got, tt.want)
		}
	}
}

func filtered(filter string) string {
	return `"indexes":[{"key":{"t":1},"expireAfterSeconds":60,"partialFilterExpression":` + filter + `}]`
}

func TestPlainFilter(t *testing.T) {
	for filter, want := range map[string]string{
		`{"a":1}`:    `$and(a $eq {"$numberDouble":"1.0"})`,
		`{"a":"b"}`:  `$and(a $eq "b")`,
		`{"a":true}`: `$and(a $eq true)`,
		`{"a":-0.0}`: `$and(a $eq {"$numberDouble":"-0.0"})`,
		`{"a":{"$numberLong":"9007199254740991"}}`:            `$and(a $eq {"$numberDouble":"9.007199254740991E+15"})`,
		`{"a":{"$gt":{"$date":{"$numberLong":"5"}}}}`:         `$and(a $gt {"$date":{"$numberLong":"5"}})`,
		`{"a":{"$exists":true},"b":{"$lte":"x"}}`:             `$and(a $exists missing, b $lte "x")`,
		`{"t":{"$exists":true},"a":{"$eq":"c"}}`:              `$and(t $exists missing, a $eq "c")`,
		`{"a":{"$gt":1,"$lt":5}}`:                             `$and(a $gt {"$numberDouble":"1.0"}, a $lt {"$numberDouble":"5.0"})`,
		`{"$and":[{"a":"b"},{"b":"c"}]}`:                      `$and($and($and(a $eq "b"), $and(b $eq "c")))`,
		`{"$or":[{"a":"b","b":"c"},{"c":"d"}],"d":"e"}`:       `$and($or($and(a $eq "b", b $eq "c"), $and(c $eq "d")), d $eq "e")`,
		`{"a":{"$in":["b","c"]}}`:                             `$and($or(a $eq "b", a $eq "c"))`,
		`{"a":{"$in":[]}}`:                                    "", // no document meets it
		`{"a":{"$in":["b",null]}}`:                            "",
		`{"a":{"$in":[` + strings.Repeat(`"b",`, 32) + `1]}}`: "",
		`{"a":{"$numberLong":"9007199254740992"}}`:            "",
		`{"a":{"$numberDecimal":"1"}}`:                        "",
		`{"a":{"$gte":{"$numberDouble":"NaN"}}}`:              "",
		`{"a":{"$gt":{"$numberDouble":"Infinity"}}}`:          "",
		`{"a":{"$date":{"$numberLong":"8640000000000001"}}}`:  "",
		`{"a":{"$gt":{"$numberDouble":"1E300"}}}`:             "", // no larger number is tried
		`{"a":"ä"}`:                          "", // JavaScript and the database may order this text differently
		`{"a":{"$gt":"b"}}`:                  "",
		`{"a":null}`:                         "",
		`{"a":{"$gte":true}}`:                "",
		`{"a":{"b":1}}`:                      "",
		`{"a":[1]}`:                          "",
		`{"a.b":1}`:                          `$and(a.b $eq {"$numberDouble":"1.0"})`,
		`{"a.b":"x","c.d":{"$exists":true}}`: `$and(a.b $eq "x", c.d $exists missing)`,
		`{"a.b":1,"a.c":1}`:                  "", // two paths that begin with the same field
		`{"a":1,"a.c":1}`:                    "",
		`{"t.b":1}`:                          "",
		`{"a.0":1}`:                          "", // 0 may be a position of an array
		`{"a.$b":1}`:                         "",
		`{"a":{"$type":"date"}}`:             "",
		`{"t":{"$gt":{"$date":{"$numberLong":"5"}}}}`: "",
	} {
		p, err := answers.CompileListed([]byte(`{"target":{"system":"mongodb","version":"8.0.4"},"in":{` + filtered(filter) + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		plain := plainOf(p)
		if want == "" || len(plain) != 1 {
			if want != "" || len(plain) != 0 {
				t.Errorf("%s: %v, want %q", filter, plain, want)
			}
			continue
		}
		x := plain[0]
		if got := textOf(x.Filter); got != want {
			t.Errorf("%s: filter %s, want %s", filter, got, want)
		}
		if strings.Contains(filter, `"t"`) { // a filter on the field t changes the rules below
			continue
		}
		if got := fmt.Sprint(x.Rule, x.Array, x.Missing, x.Null, x.Other, x.Otherwise); got != "mongo.date mongo.array-earliest mongo.field-missing mongo.field-null mongo.field-not-date mongo.filter-mismatch" {
			t.Errorf("%s: by %s", filter, got)
		}
	}
}

func textOf(c condition) string {
	if c.Operator != "$and" && c.Operator != "$or" {
		return fmt.Sprintf("%s %s %s", c.Field, c.Operator, c.Value)
	}
	var parts []string
	for _, part := range c.Parts {
		parts = append(parts, textOf(part))
	}
	return c.Operator + "(" + strings.Join(parts, ", ") + ")"
}

// A plain policy and the evaluator make the same decision about a Date at every clock
// between the clocks that Plain tries.
func TestPlainIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, version := range []string{"2.2.7", "2.6.12", "3.0.15", "4.4.29", "5.0.31", "8.0.16", mongo.Latest().String()} {
		for _, seconds := range []int64{0, 1, 3600, 1325376000, 1325376001, 2147483647} {
			p, err := answers.CompileListed(fmt.Appendf(nil, `{"target":{"system":"mongodb","version":"%s"},"in":{"indexes":[{"key":{"t":1},"expireAfterSeconds":%d}]}}`, version, seconds))
			if err != nil {
				t.Fatal(err)
			}
			all := plainOf(p)
			if len(all) != 1 {
				t.Fatalf("%s, %d s: not plain", version, seconds)
			}
			plain := all[0]
			for range 1000 {
				date := policy.Instant(random.Int64N(2*int64(lastDate)+1)) - lastDate
				now := policy.Instant(int64(date) + plain.Delay + random.Int64N(5) - 2)
				d := p.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, now)
				if got := int64(fixture.Deadline(d) - date); got != plain.Delay || d.Rule != plain.Rule || (d.State == policy.Expired) != (now >= fixture.Deadline(d)) {
					t.Fatalf("%s, %d s: Decide(%d, %d) = %v by %v, want %d ms later by %v", version, seconds, date, now, d, d.Rule, plain.Delay, plain.Rule)
				}
			}
		}
	}
}

func TestPlainContainer(t *testing.T) {
	for settings, want := range map[string]string{
		`{"defaultTtl":60}`: "60 cosmos.default cosmos.item-never cosmos.item",
		`{"defaultTtl":-1}`: "0 cosmos.no-default cosmos.item-never cosmos.item",
		`{}`:                "",
		`{"defaultTtl":0}`:  "",
		`{"defaultTtl":60,"ttlPropertyPath":"/expires"}`: "",
	} {
		p, err := answers.CompileListed([]byte(`{"target":{"system":"cosmos-nosql"},"in":{"container":` + settings + `}}`))
		if err != nil {
			t.Fatalf("%s: %v", settings, err)
		}
		got := ""
		if c, ok := plainContainerOf(p); ok {
			got = fmt.Sprint(c.Default, " ", c.Absent, c.Never, c.Own)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
	}
}

// TestKeeps: keepsOf returns the rule for the policies that keep every document, and zero
// for the others.
func TestKeeps(t *testing.T) {
	const mongodb, cosmos = `{"target":{"system":"mongodb","version":"8.0.4"},"in":{"indexes":[%s]}}`, `{"target":{"system":"cosmos-nosql"},"in":{"container":%s}}`
	for _, tt := range []struct {
		form, in string
		keeps    bool
	}{
		{mongodb, ``, true},
		{mongodb, `{"key":{"t":1,"a":1},"expireAfterSeconds":60}`, true},
		{mongodb, `{"key":{"t":1,"a":1},"expireAfterSeconds":60,"partialFilterExpression":{"a":1}}`, true},
		{mongodb, `{"key":{"t":1},"expireAfterSeconds":60}`, false},
		{mongodb, `{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`, false}, // Reads names the field
		{cosmos, `{}`, true},
		{cosmos, `{"defaultTtl":60}`, false},
	} {
		p, err := answers.CompileListed(fmt.Appendf(nil, tt.form, tt.in))
		if err != nil {
			t.Fatalf("%s: %v", tt.in, err)
		}
		keeps := keepsOf(p)
		if (!keeps.IsZero()) != tt.keeps {
			t.Errorf("keepsOf() of %s = %q, want one: %t", tt.in, keeps, tt.keeps)
			continue
		}
		for _, doc := range []policy.D{{}, {{Key: "t", Value: policy.DateValue(0)}}, {{Key: "_ts", Value: policy.Int32Value(1)}, {Key: "ttl", Value: policy.Int32Value(1)}}} {
			if d := p.Decide(doc, policy.MaxInstant); tt.keeps && (d.State != policy.Never || d.Rule != keeps) {
				t.Errorf("%s: Decide(%v) = %v, want never by %s", tt.in, doc, d, keeps)
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
		p, err := answers.Compile([]byte(tt.question))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(readsOf(p), " "); got != tt.want {
			t.Errorf("readsOf() of %s = %q, want %q", tt.question, got, tt.want)
		}
	}
}
