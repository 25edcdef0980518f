package main

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// compileShape compiles an index with a filter, which may be refused.
func compileShape(name string, n int, filter func(n int) policy.D) shape {
	return shape{name, n, func(n int) func() {
		s := inputs.IndexSpec(inputs.DateField)
		raw := inputs.Must(policy.AppendBSON(nil, policy.ObjectValue(filter(n))))
		s.PartialFilterExpression = inputs.Must(policy.ParseBSON(raw)).Value() // as a catalog holds it
		return func() { _, sink.err = mongo.CompileIndex(mongo.CollectionSpec{}, s, inputs.Profile()) }
	}}
}

// longName returns a name of a hundred bytes for each of n.
func longName(n int) string { return strings.Repeat("x", 100*n) }

// repeat returns n fields of one name.
func repeat(name string, v policy.Value) func(n int) policy.Value {
	return func(n int) policy.Value {
		return policy.ObjectValue(fields(n, func(int) policy.E { return field(name, v) }))
	}
}

var compileShapes = []shape{
	compileShape("compile-in", 4000, func(n int) policy.D { return policy.D{field("a", in(text)(n))} }),
	compileShape("compile-in-alike", 4000, func(n int) policy.D { return policy.D{field("a", in(alike)(n))} }),
	compileShape("compile-in-documents", 100, func(n int) policy.D { return policy.D{field("a", in(documentOf)(n))} }),
	compileShape("compile-and", 300, combined("$and", numberedField)),
	compileShape("compile-or", 300, combined("$or", numberedField)),
	compileShape("compile-fields", 300, wide),
	compileShape("compile-many-on-one-name", 200, func(n int) policy.D { return policy.D{field(longName(n), repeat("$gt", number32(1))(n))} }),
	compileShape("compile-many-on-one-path", 200, func(n int) policy.D {
		return policy.D{field(strings.Repeat("a.", n)+"b", repeat("$gt", number32(1))(n))}
	}),
	compileShape("compile-all-on-one-name", 200, func(n int) policy.D {
		return policy.D{field(longName(n), object(field("$all", array(n, number32))))}
	}),
	compileShape("compile-or-behind-a-name", 200, func(n int) policy.D {
		return policy.D{field(longName(n), number32(1)), field("$or", clauses(n, numberedField))}
	}),
	compileShape("compile-options", 300, func(n int) policy.D {
		d := fields(n, func(int) policy.E { return field("$options", policy.StringValue("i")) })
		return policy.D{field("a", policy.ObjectValue(append(d, field("$regex", policy.StringValue("x")))))}
	}),
	compileShape("compile-types", 500, func(n int) policy.D {
		return policy.D{field("a", object(field("$type", array(n, always(policy.StringValue("int"))))))}
	}),
	compileShape("compile-components", 3000, func(n int) policy.D { return policy.D{field(strings.Repeat("a.", n)+"b", number32(1))} }),
	compileShape("compile-deep", 30, func(n int) policy.D {
		d := policy.D{field("a", number32(1))}
		for range n {
			d = policy.D{field("$and", policy.ListValue(policy.A{policy.ObjectValue(d), object(field("b", number32(1)))}))}
		}
		return d
	}),
	compileShape("compile-operand-large", 300, func(n int) policy.D { return policy.D{field("a", policy.ObjectValue(wide(n)))} }),
	compileShape("compile-operand-deep", 25, func(n int) policy.D { return policy.D{field("a", levels(n, nestedArrays(n, number32(1))))} }),
	compileShape("compile-refused-at-the-end", 300, func(n int) policy.D { return append(wide(n), field(longName(n), object(field("$none", number32(1))))) }),
	compileShape("compile-not", 300, func(n int) policy.D {
		return policy.D{field("a", object(field("$not", repeat("$gt", number32(1))(n))))}
	}),
	compileShape("compile-nin", 4000, func(n int) policy.D { return policy.D{field("a", object(field("$nin", array(n, text))))} }),
	compileShape("compile-nor", 300, combined("$nor", numberedField)),
	compileShape("compile-elem-match", 300, func(n int) policy.D {
		return policy.D{field("a", object(field("$elemMatch", policy.ObjectValue(wide(n)))))}
	}),
	{"compile-collection", 60, func(n int) func() {
		spec := mongo.CollectionSpec{Indexes: indexes(n, func(i int) policy.D { return policy.D{field("a", number32(i))} })}
		return func() { _, sink.err = mongo.CompileCollection(spec, inputs.Profile()) }
	}},
	{"compile-series", 200, func(n int) func() {
		s := inputs.IndexSpec("ts")
		s.PartialFilterExpression = policy.ObjectValue(fields(n, func(i int) policy.E { return field("m."+named(i), number32(1)) }))
		spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{s}, TimeSeries: object(field("timeField", policy.StringValue("ts")), field("metaField", policy.StringValue("m")))}
		return func() { _, sink.err = mongo.CompileCollection(spec, inputs.Profile()) }
	}},
}

// indexes returns n specifications on one key.
func indexes(n int, filter func(i int) policy.D) []mongo.IndexSpec {
	list := make([]mongo.IndexSpec, n)
	for i := range list {
		list[i] = inputs.IndexSpec(inputs.DateField)
		list[i].Name, list[i].PartialFilterExpression = named(i), policy.ObjectValue(filter(i))
	}
	return list
}

func newIndex(more ...policy.E) policy.D {
	return append(policy.D{field("key", object(field(inputs.DateField, number32(1)))), field("name", policy.StringValue("new")), field("expireAfterSeconds", number32(1))}, more...)
}

var commandShapes = []shape{
	{"parse-specs", 100, func(n int) func() {
		one := policy.ObjectValue(inputs.IndexSpec(inputs.DateField).Document())
		raw := inputs.Must(policy.AppendBSON(nil, object(field("indexes", array(n, always(one))), field("options", object()))))
		d := inputs.Must(policy.ParseBSON(raw))
		return func() { _, sink.err = mongo.ParseCollectionSpec(d.Field("options"), d.Field("indexes")) }
	}},
	{"parse-spec-of-fields", 500, func(n int) func() {
		spec := policy.ObjectValue(append(wide(n), newIndex()...))
		return func() { _, sink.err = mongo.ParseIndexSpec(spec) }
	}},
	{"create-indexes-beside-many", 60, func(n int) func() {
		spec := mongo.CollectionSpec{Indexes: indexes(n, func(i int) policy.D { return policy.D{field("a", number32(i))} })}
		index := newIndex(field("partialFilterExpression", policy.ObjectValue(wide(n))))
		return func() { _, sink.err = mongo.ValidateCreateIndexes(spec, index, inputs.Profile(), inputs.Now) }
	}},
	{"create-indexes-key", 200, func(n int) func() {
		index := policy.D{field("key", policy.ObjectValue(wide(n))), field("name", policy.StringValue("x"))}
		return func() {
			_, sink.err = mongo.ValidateCreateIndexes(mongo.CollectionSpec{}, index, inputs.Profile(), inputs.Now)
		}
	}},
	{"create-indexes-fields", 500, func(n int) func() {
		index := newIndex(fields(n, func(int) policy.E { return field("v", number32(2)) })...)
		return func() {
			_, sink.err = mongo.ValidateCreateIndexes(mongo.CollectionSpec{}, index, inputs.Profile(), inputs.Now)
		}
	}},
	{"create-indexes-filter", 200, func(n int) func() {
		index := newIndex(field("partialFilterExpression", object(field("$or", clauses(n, numberedField)))))
		same := inputs.IndexSpec(inputs.DateField)
		same.PartialFilterExpression = index[3].Value
		spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{same}}
		return func() { _, sink.err = mongo.ValidateCreateIndexes(spec, index, inputs.Profile(), inputs.Now) }
	}},
	{"coll-mod", 500, func(n int) func() {
		spec := mongo.CollectionSpec{Indexes: indexes(n, func(i int) policy.D { return policy.D{field("a", number32(i))} })}
		command := policy.D{field("collMod", policy.StringValue("c")), field("index", object(field("name", policy.StringValue(named(n-1))), field("expireAfterSeconds", number32(5))))}
		return func() { _, sink.err = mongo.ValidateCollMod(spec, command, inputs.Profile(), inputs.Now) }
	}},
	{"create-fields", 300, func(n int) func() {
		command := append(policy.D{field("create", policy.StringValue("c"))}, fields(n, func(int) policy.E { return field("comment", number32(1)) })...)
		return func() { _, sink.err = mongo.ValidateCreate(command, inputs.Profile(), inputs.Now) }
	}},
	{"move-clauses", 100, func(n int) func() {
		return move(policy.ObjectValue(fields(n, func(i int) policy.E { return field("a.b."+named(i), policy.NullValue()) })))
	}},
	{"move-path", 5000, func(n int) func() { return move(object(field(strings.Repeat("a.", n)+"b", policy.NullValue()))) }},
	{"move-in", 300, func(n int) func() { return move(object(field("a", in(number32)(n)))) }},
	{"container-path", 20000, func(n int) func() {
		spec := cosmos.ContainerSpec{DefaultTTL: number32(1), TTLPropertyPath: strings.Repeat("/a", n)}
		return func() { _, sink.err = cosmos.ValidateContainer(spec, nil); _, sink.err = cosmos.Compile(spec) }
	}},
	{"container-spec", 2000, func(n int) func() {
		text := []byte(`{"id":"c"` + strings.Repeat(`,"defaultTtl":5`, n) + `}`)
		return func() { _, sink.err = cosmos.ParseContainerSpec(text) }
	}},
	{"validate-item", 2000, func(n int) func() {
		item := inputs.Must(policy.ParseJSON([]byte(`{"id":"c"` + strings.Repeat(`,"name":5`, n) + `,"ttl":5}`)))
		return func() { sink.err = cosmos.ValidateItem(cosmos.ContainerSpec{DefaultTTL: number32(1)}, &item) }
	}},
	{"api-create-indexes", 1000, func(n int) func() {
		spec := cosmos.CollectionSpec{Indexes: make([]cosmos.IndexSpec, n)}
		for i := range spec.Indexes {
			spec.Indexes[i] = cosmos.IndexSpec{Key: policy.D{field(named(i), number32(1))}}
		}
		index := cosmos.IndexSpec{Key: policy.D{field("_ts", number32(1))}, ExpireAfterSeconds: number32(5)}
		return func() {
			sink.err = cosmos.ValidateCreateIndexes(spec, index)
			_, sink.err = cosmos.CompileCollection(spec)
		}
	}},
}

func move(filter policy.Value) func() {
	s := inputs.IndexSpec(inputs.DateField)
	s.PartialFilterExpression = filter
	from := inputs.Must(mongo.ProfileOf(mongo.Version{Major: 8}))
	return func() { _, sink.err = mongo.AssessMove(s, from, inputs.Profile(), mongo.DumpRestore) }
}

// textShape reads Extended JSON, what repeats between the two ends of its text.
func textShape(name string, n int, before, repeated, after string) shape {
	return shape{name, n, func(n int) func() {
		text := []byte(before + strings.Repeat(repeated, n) + after)
		return func() { _, sink.err = policy.ParseExtJSON(text) }
	}}
}

// checkShape checks JSON, and says what is wrong with it.
func checkShape(name string, n int, before, repeated, after string) shape {
	return shape{name, n, func(n int) func() {
		text := []byte(before + strings.Repeat(repeated, n) + after)
		return func() { _, sink.err = policy.ParseJSON(text) }
	}}
}

// structureShape checks BSON. A byte of the document, from its end, may be damaged.
func structureShape(name string, n, damaged int, make func(n int) policy.Value) shape {
	return shape{name, n, func(n int) func() {
		raw := inputs.Must(policy.AppendBSON(nil, make(n)))
		if damaged > 0 {
			raw[len(raw)-damaged] = 1
		}
		return func() { _, sink.err = policy.ParseBSON(raw) }
	}}
}

var deepName = strings.Repeat("x", 50)

var readerShapes = []shape{
	structureShape("bson-fields", 2000, 0, func(n int) policy.Value { return policy.ObjectValue(wide(n)) }),
	structureShape("bson-arrays", 1000, 0, func(n int) policy.Value { return object(field("a", array(n, always(nestedArrays(3, number32(1)))))) }),
	structureShape("bson-deep", 20, 0, func(n int) policy.Value { return object(field("a", array(n, always(levels(100, number32(1)))))) }),
	structureShape("bson-damaged", 1000, 5, func(n int) policy.Value { return levels(100, policy.ObjectValue(wide(n))) }),
	structureShape("bson-codes", 500, 0, func(n int) policy.Value {
		return object(field("a", array(n, always(policy.CodeWithScopeValue("f", policy.D{field("x", number32(1))})))))
	}),
	structureShape("bson-patterns", 20000, 0, func(n int) policy.Value { return object(field("a", policy.RegexValue(strings.Repeat("x", n), "i"))) }),
	textShape("text-numbers", 1000, `[0`, `,1.5`, `]`),
	textShape("text-digits", 20000, `{"a":1.`, `1`, `}`),
	textShape("text-double-digits", 20000, `{"a":{"$numberDouble":"1.`, `1`, `"}}`),
	textShape("text-decimal-zeros", 20000, `{"a":{"$numberDecimal":"1.`, `0`, `"}}`),
	textShape("text-decimal-exponent", 20000, `{"a":{"$numberDecimal":"1E`, `9`, `"}}`),
	textShape("text-decimals", 300, `[0`, `,{"$numberDecimal":"1.5E-300"}`, `]`),
	textShape("text-dates", 300, `[0`, `,{"$date":"2026-11-20T08:30:00.000Z"}`, `]`),
	textShape("text-long-dates", 300, `[0`, `,{"$date":{"$numberLong":"5"}}`, `]`),
	textShape("text-binary", 20000, `{"a":{"$binary":{"base64":"`, `AAAA`, `","subType":"00"}}}`),
	textShape("text-escapes", 3000, `{"a":"`, `\u0041`, `"}`),
	textShape("text-names-escaped", 1000, `{"a":1`, `,"\u0024oi":1`, `}`),
	textShape("text-scopes", 10, `[0`, `,`+strings.Repeat(`{"$code":"f","$scope":{"a":`, 50)+`1`+strings.Repeat(`}}`, 50), `]`),
	textShape("text-patterns", 300, `[0`, `,{"$regularExpression":{"pattern":"x","options":""}}`, `]`),
	textShape("text-deep", 20, `[0`, `,`+strings.Repeat(`{"a":`, 100)+`0`+strings.Repeat(`}`, 100), `]`),
	textShape("text-too-deep", 3000, `{"a":`, `[`, ``),
	textShape("text-fields", 1000, `{"a":1`, `,"name":"value"`, `}`),
	textShape("text-wrong-at-the-end", 100, strings.Repeat(`{"`+deepName+`":`, 100)+`["a"`, `,"b"`, `,]`),
	checkShape("check-members", 2000, `{"ttl":5`, `,"name":"value"`, `}`),
	checkShape("check-wrong-at-the-end", 1000, `{"ttl":5`, `,"name":"value"`, `,}`),
	checkShape("check-wrong-deep", 1000, strings.Repeat(`{"`+deepName+`":`, 100)+`["a"`, `,"b"`, `,]`),
	checkShape("check-not-closed", 20000, ``, `{"a":[`, ``),
}
