package main

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// itemShape decides an item, what repeats between the two ends of its text: unchecked,
// and checked if it is well-formed.
func itemShape(name string, n int, before, repeated, after string) shape {
	return shape{name, n, func(n int) func() {
		c, item := inputs.Container(inputs.DefaultTTL), []byte(before+strings.Repeat(repeated, n)+after)
		checked, err := policy.ParseJSON(item)
		return func() {
			sink.decision = c.DecideJSON(item, inputs.Now)
			if err == nil {
				sink.decision = c.Decide(&checked, inputs.Now)
			}
		}
	}}
}

var jsonShapes = []shape{
	itemShape("members", 3000, `{"ttl":5`, `,"name":"value"`, `,"_ts":1}`),
	itemShape("ttl-repeated", 3000, `{"_ts":1`, `,"ttl":5`, `}`),
	itemShape("ttl-escaped", 1000, `{"_ts":1`, `,"\u0074tl":5`, `}`),
	itemShape("names-escaped", 300, `{"_ts":1,"`, `\u0074\u0074\u006c`, `":5}`),
	itemShape("ttl-digits", 50000, `{"_ts":1,"ttl":1`, `0`, `}`),
	itemShape("ttl-fraction", 50000, `{"_ts":1,"ttl":1.`, `0`, `1}`),
	itemShape("ttl-exponent", 50000, `{"_ts":1,"ttl":1e`, `9`, `}`),
	itemShape("ts-digits", 50000, `{"ttl":5,"_ts":1`, `0`, `}`),
	itemShape("escapes", 10000, `{"ttl":5,"_ts":1,"x":"`, `\"`, `"}`),
	itemShape("backslashes", 10000, `{"ttl":5,"_ts":1,"x":"`, `\\`, `"}`),
	itemShape("surrogates", 5000, `{"ttl":5,"_ts":1,"x":"`, `\ud800`, `"}`),
	itemShape("not-ascii", 20000, `{"ttl":5,"_ts":1,"x":"`, `é`, `"}`),
	itemShape("texts-empty", 10000, `{"ttl":5,"_ts":1,"x":[""`, `,""`, `]}`),
	itemShape("space", 100000, `{"ttl":5,`, ` `, `"_ts":1}`),
	itemShape("space-behind", 100000, `{"ttl":5,"_ts":1}`, ` `, ``),
	itemShape("arrays-empty", 10000, `{"ttl":5,"_ts":1,"x":[[]`, `,[]`, `]}`),
	itemShape("objects-deep", 300, `{"ttl":5,"_ts":1,"x":[0`, `,`+strings.Repeat(`{"a":`, 100)+`0`+strings.Repeat(`}`, 100), `]}`),
	itemShape("too-deep", 10000, `{"ttl":5,"_ts":1,"x":`, `[`, ``),
	itemShape("text-without-end", 10000, `{"ttl":5,"_ts":1,"x":"`, `\"`, ``),
	itemShape("malformed-at-the-end", 3000, `{"ttl":5`, `,"name":"value"`, `,"_ts":1,}`),
	itemShape("commas", 50000, `{"ttl":5`, `,`, `}`),
	itemShape("number-in-array", 5000, `{"ttl":5,"_ts":1,"x":[1`, `,1e99999`, `]}`),
	{"property-path", 60, func(n int) func() { // with as many members on each level
		path := strings.Repeat("/a", 20)
		c := inputs.Must(cosmos.Compile(cosmos.ContainerSpec{DefaultTTL: number32(5), TTLPropertyPath: path}))
		level := strings.Repeat(`"x":[1,"]"],`, n)
		item := []byte(strings.Repeat(`{`+level+`"a":`, 20) + "1" + strings.Repeat("}", 20))
		return func() { sink.decision = c.DecideJSON(item, inputs.Now) }
	}},
	{"property-text", 20000, func(n int) func() {
		c := inputs.Must(cosmos.Compile(cosmos.ContainerSpec{DefaultTTL: number32(5), TTLPropertyPath: "/a/b"}))
		item := []byte(`{"a":{"b":"` + strings.Repeat(`\"`, n) + `"}}`)
		return func() { sink.decision = c.DecideJSON(item, inputs.Now) }
	}},
}

// documentShape decides BSON by a TTL index of the API for MongoDB.
func documentShape(name string, n int, key string, make func(n int) policy.D) shape {
	return shape{name, n, func(n int) func() {
		c := inputs.Must(cosmos.CompileCollection(cosmos.CollectionSpec{
			Capabilities: []string{cosmos.CustomPathCapability},
			Indexes:      []cosmos.IndexSpec{{Key: policy.D{field(key, number32(1))}, ExpireAfterSeconds: number32(5)}},
		}))
		doc := inputs.Must(policy.AppendBSON(nil, policy.ObjectValue(make(n))))
		return func() { sink.decision = c.DecideBSON(doc, inputs.Now) }
	}}
}

var apiForMongoShapes = []shape{
	documentShape("api-fields", 1000, "_ts", wide),
	documentShape("api-ttl-repeated", 1000, "_ts", func(n int) policy.D { return fields(n, func(int) policy.E { return field("ttl", number32(5)) }) }),
	documentShape("api-dates", 2000, "a", func(n int) policy.D {
		return policy.D{field("a", array(n, func(i int) policy.Value { return policy.DateValue(1) }))}
	}),
	documentShape("api-path", 1000, "a.a.a.b", func(n int) policy.D { return append(wide(n), field("a", levels(2, policy.ObjectValue(wide(n))))) }),
	documentShape("api-levels", 60, "a", func(n int) policy.D { return policy.D{field("a", levels(n, policy.NullValue()))} }),
}
