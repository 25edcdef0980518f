package main

import (
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// bsonOf returns a document in BSON, with a date at its end.
func bsonOf(d policy.D) []byte {
	d = append(d, field(inputs.DateField, policy.DateValue(inputs.Now)))
	return inputs.Must(policy.AppendBSON(nil, policy.ObjectValue(d)))
}

// raw decides raw documents by an index on a key.
func rawShape(name string, n int, key string, make func(n int) []byte) shape {
	return shape{name, n, func(n int) func() {
		x, doc := inputs.Index(key, nil), make(n)
		return func() { sink.decision = x.DecideBSON(doc, inputs.Now) }
	}}
}

// drawn decides documents in BSON by an index on a key.
func keyShape(name string, n int, key string, make func(n int) policy.D) shape {
	return rawShape(name, n, key, func(n int) []byte { return bsonOf(make(n)) })
}

var bsonShapes = []shape{
	rawShape("fields", 4000, inputs.DateField, inputs.Wide),
	rawShape("fields-alike", 2000, inputs.DateField, inputs.Prefixed),
	rawShape("dates", 10000, inputs.DateField, inputs.Dates),
	rawShape("documents", 1000, inputs.MetaField+"."+inputs.DateField, inputs.Documented),
	keyShape("levels", 60, strings.Repeat("a.", 60)+"t", func(n int) policy.D { return policy.D{field("a", levels(n, number32(1)))} }),
	keyShape("field-repeated", 4000, inputs.DateField, func(n int) policy.D {
		return fields(n, func(int) policy.E { return field("x", number32(1)) })
	}),
	keyShape("name-long", 1<<20, inputs.DateField, func(n int) policy.D { return policy.D{field(strings.Repeat("x", n), number32(1))} }),
	keyShape("text-long", 1<<20, inputs.DateField, func(n int) policy.D {
		return policy.D{field("x", policy.StringValue(strings.Repeat("x", n)))}
	}),
	keyShape("not-dates", 3000, "a", func(n int) policy.D { return policy.D{field("a", array(n, text))} }),
	keyShape("arrays-in-array", 2000, "a.t", func(n int) policy.D {
		return policy.D{field("a", array(n, always(nestedArrays(3, policy.NullValue()))))}
	}),
	keyShape("documents-in-arrays", 700, "a.b.c", func(n int) policy.D {
		return policy.D{field("a", array(n, always(object(field("b", array(3, always(object(field("c", number32(1))))))))))}
	}),
	keyShape("documents-empty", 3000, "a.b", func(n int) policy.D { return policy.D{field("a", array(n, always(object())))} }),
	keyShape("positions", 2000, "a.0.0.0.t", func(n int) policy.D {
		return policy.D{field("a", policy.ListValue(policy.A{policy.ListValue(policy.A{array(n, always(object(field("0", number32(1)))))})}))}
	}),
	keyShape("codes-with-scope", 1000, "a", func(n int) policy.D {
		return policy.D{field("a", array(n, always(policy.CodeWithScopeValue("f", policy.D{field("x", levels(5, number32(1)))}))))}
	}),
	keyShape("binaries-old", 2000, "a", func(n int) policy.D {
		return policy.D{field("a", array(n, always(policy.BinaryValue(2, []byte("x")))))}
	}),
	{"name-of-key-long", 500, func(n int) func() { // with an element for each hundred bytes of it
		doc, x := bsonOf(policy.D{field("a", array(n, always(object(field("b", number32(1))))))}), inputs.Index("a."+strings.Repeat("x", 100*n), nil)
		return func() { sink.decision = x.DecideBSON(doc, inputs.Now) }
	}},
	{"components", 5000, func(n int) func() {
		doc, x := bsonOf(policy.D{field("a", levels(100, policy.NullValue()))}), inputs.Index(strings.Repeat("a.", n)+"a", nil)
		return func() { sink.decision = x.DecideBSON(doc, inputs.Now) }
	}},
	{"damage-at-the-end", 4000, func(n int) func() {
		x, doc := inputs.Index("none", nil), inputs.Wide(n)
		doc[len(doc)-10] = 1 // in the middle of the last name
		return func() { sink.decision = x.DecideBSON(doc, inputs.Now) }
	}},
	{"indexes", 60, func(n int) func() {
		spec := mongo.CollectionSpec{}
		for i := range n {
			spec.Indexes = append(spec.Indexes, inputs.IndexSpec(named(i)))
		}
		c, doc := inputs.Must(mongo.CompileCollection(spec, inputs.Profile())), inputs.Wide(200)
		return func() { sink.decision = c.DecideBSON(doc, inputs.Now) }
	}},
	{"rows", 4000, func(n int) func() { // a document of one's own
		x := inputs.Index("a", nil)
		doc := &list{array(n, number32)}
		return func() { sink.decision = x.Decide(doc, inputs.Now) }
	}},
	{"ladder", 4000, func(n int) func() {
		doc, c := inputs.Wide(n), inputs.Must(mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{inputs.IndexSpec("none")}}, inputs.Profile()))
		return func() {
			if c.Ladder(c.DecideBSON(doc, inputs.Now)) == nil {
				panic("no rules")
			}
		}
	}},
}

// list is a database's own document with one array.
type list struct{ a policy.Value }

func (l *list) Field(string) policy.Value { return l.a }

// filterShape decides documents whose field a is an array, in all the ways there are.
func filterShape(name string, n int, predicate, value func(n int) policy.Value) shape {
	return filteredShape(name, n, func(n int) policy.D { return policy.D{field("a", predicate(n))} },
		func(n int) policy.D { return policy.D{field("a", value(n))} })
}

// filteredShape decides documents of an index with a filter, raw and in memory.
func filteredShape(name string, n int, filter, document func(n int) policy.D) shape {
	return shape{name, n, func(n int) func() {
		x, doc := inputs.Index(inputs.DateField, filter(n)), document(n)
		raw := bsonOf(doc)
		if sink.decision = x.DecideBSON(raw, inputs.Now); sink.decision.Rule.IsOpen() {
			panic(name + " is not decided")
		}
		return func() {
			sink.decision = x.DecideBSON(raw, inputs.Now)
		}
	}}
}

func in(at func(i int) policy.Value) func(n int) policy.Value {
	return func(n int) policy.Value { return object(field("$in", array(n, at))) }
}

// few is in with as many operands whatever n is, for those that take long to compare:
// sorting a few hundred would more than double.
func few(at func(i int) policy.Value) func(n int) policy.Value {
	return always(in(at)(50))
}

func arrays(at func(i int) policy.Value) func(n int) policy.Value {
	return func(n int) policy.Value { return array(n, at) }
}

func greater(v policy.Value) func(n int) policy.Value {
	return func(int) policy.Value { return object(field("$gt", v)) }
}

// Decimals that are far from any double, and near to a double of many digits.
func tiny(i int) policy.Value { return policy.DecimalValue((6176-6000)<<49, uint64(i)) }

func least(i int) policy.Value { return policy.DecimalValue((6176-324)<<49, uint64(i%9+1)) }

func denormal(int) policy.Value { return policy.DoubleValue(math.SmallestNonzeroFloat64) }

func documentOf(i int) policy.Value {
	return object(field("x", alike(0)), field("y", array(3, number32)), field("z", number32(i)))
}

var (
	greatest = policy.DecimalValue((6176+6111)<<49|0x1_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF)
	third    = policy.DecimalValue((6176-34)<<49|0xA456_1C8E_0BB0, 0x1234_5678_9ABC_DEF0)
	twoOf3   = policy.DoubleValue(1e-5 / 3)
)

var filterShapes = []shape{
	filterShape("in-decimals", 1200, in(tiny), arrays(denormal)),
	filterShape("in-decimals-close", 100, few(least), arrays(denormal)),
	filterShape("in-numbers", 1200, in(number32), arrays(func(i int) policy.Value { return number32(-i - 1) })),
	filterShape("in-texts-alike", 1200, in(alike), arrays(func(i int) policy.Value { return alike(-i - 1) })),
	filterShape("in-documents", 60, few(documentOf), arrays(func(i int) policy.Value { return documentOf(-i - 1) })),
	filterShape("in-arrays", 100, few(func(i int) policy.Value { return nestedArrays(5, number32(i)) }), arrays(func(i int) policy.Value { return nestedArrays(5, number32(-i-1)) })),
	filterShape("in-patterns", 1200, in(func(i int) policy.Value { return policy.RegexValue("x"+named(i), "i") }), arrays(func(i int) policy.Value { return policy.RegexValue(named(i), "") })),
	filterShape("in-codes-with-scope", 80, few(func(i int) policy.Value { return policy.CodeWithScopeValue("f", policy.D{field("x", number32(i))}) }),
		arrays(func(i int) policy.Value { return policy.CodeWithScopeValue("f", policy.D{field("x", number32(-i-1))}) })),
	filterShape("in-pointers", 1200, in(func(i int) policy.Value { return policy.DBPointerValue(named(i), [12]byte{}) }), arrays(func(i int) policy.Value { return policy.DBPointerValue("f"+named(i), [12]byte{}) })),
	filterShape("in-binaries", 1200, in(func(i int) policy.Value { return policy.BinaryValue(0, []byte("xxxxxxxxxxxxxxxx"+named(i))) }), arrays(func(i int) policy.Value { return policy.BinaryValue(0, []byte("xxxxxxxxxxxxxxxx"+named(-i-1))) })),
	filterShape("in-of-all-types", 1200, in(anyType), arrays(func(i int) policy.Value { return anyType(i + 5) })),
	filterShape("in-same", 1200, in(always(number32(1))), arrays(always(number32(2)))),
	filterShape("decimal-of-doubles", 1500, greater(greatest), arrays(denormal)),
	filterShape("decimal-close-to-doubles", 200, greater(third), arrays(always(twoOf3))),
	filterShape("double-of-decimals", 200, greater(denormal(0)), arrays(least)),
	filterShape("decimal-of-decimals", 1500, greater(greatest), arrays(tiny)),
	filterShape("texts-alike", 2000, greater(alike(9)), arrays(alike)),
	filterShape("text-long-equal", 1<<19, func(n int) policy.Value { return policy.StringValue(strings.Repeat("x", n)) }, func(n int) policy.Value { return policy.StringValue(strings.Repeat("x", n)) }),
	filterShape("document-equal", 1000, func(n int) policy.Value { return policy.ObjectValue(fields(n, numberedField)) }, func(n int) policy.Value { return policy.ObjectValue(fields(n, numberedField)) }),
	filterShape("documents-nested-equal", 20, always(levels(90, number32(1))), arrays(always(levels(90, number32(1))))),
	filterShape("types", 1000, func(n int) policy.Value {
		return object(field("$type", array(n, always(policy.StringValue("string")))))
	}, arrays(number32)),
	filterShape("exists", 3000, always(object(field("$exists", policy.BoolValue(true)))), arrays(number32)),
	filterShape("null-in-arrays", 3000, always(policy.NullValue()), arrays(number32)),
	filteredShape("path-through-arrays", 500, func(int) policy.D { return policy.D{field("a.b.c", number32(-1))} }, func(n int) policy.D {
		return policy.D{field("a", array(n, always(object(field("b", array(3, always(object(field("c", number32(1))))))))))}
	}),
	filteredShape("path-broken-off", 2000, func(int) policy.D { return policy.D{field("a.b.c.d", policy.NullValue())} }, func(n int) policy.D { return policy.D{field("a", array(n, text))} }),
	filteredShape("path-of-positions", 300, func(int) policy.D { return policy.D{field("a.0.0.0.0.0.0.0.0", number32(-1))} }, func(n int) policy.D {
		return policy.D{field("a", array(n, func(int) policy.Value { return object(field("0", array(2, always(object(field("0", number32(1))))))) }))}
	}),
	{"in-collated", 1200, func(n int) func() { // which another collation may find equal
		s := inputs.IndexSpec(inputs.DateField)
		s.PartialFilterExpression = object(field("a", in(text)(n)))
		s.Collation = object(field("locale", policy.StringValue("en")))
		x, doc := inputs.Must(mongo.CompileIndex(mongo.CollectionSpec{}, s, inputs.Profile())), bsonOf(policy.D{field("a", array(n, alike))})
		return func() { sink.decision = x.DecideBSON(doc, inputs.Now) }
	}},
	{"in-of-rows", 1200, func(n int) func() {
		x := inputs.Index(inputs.DateField, policy.D{field("a", in(number32)(n))})
		doc := &list{array(n, func(i int) policy.Value { return number32(-i - 1) })}
		return func() { sink.decision = x.Decide(doc, inputs.Now) }
	}},
}

func numberedField(i int) policy.E { return field(named(i), number32(i)) }

// anyType returns values of ten types in turn.
func anyType(i int) policy.Value {
	switch i % 10 {
	case 0:
		return text(i)
	case 1:
		return policy.DoubleValue(float64(i) / 3)
	case 2:
		return tiny(i)
	case 3:
		return object(field("x", number32(i)))
	case 4:
		return array(2, number32)
	case 5:
		return policy.DateValue(policy.Instant(i))
	case 6:
		return policy.CodeValue(named(i))
	case 7:
		return policy.TimestampValue(1, uint32(i))
	case 8:
		return policy.ObjectIDValue([12]byte{byte(i)})
	}
	return number32(i)
}

// clauses returns n documents of a clause each.
func clauses(n int, at func(i int) policy.E) policy.Value {
	return array(n, func(i int) policy.Value { return object(at(i)) })
}

func combined(op string, at func(i int) policy.E) func(n int) policy.D {
	return func(n int) policy.D { return policy.D{field(op, clauses(n, at))} }
}

func arrayOf(at func(i int) policy.Value) func(n int) policy.D {
	return func(n int) policy.D { return policy.D{field("a", array(n, at))} }
}

func wide(n int) policy.D { return fields(n, numberedField) }

// combinedShapes have n predicates and a document of n fields, or an array of n.
var combinedShapes = []shape{
	filteredShape("or-equal", 1200, combined("$or", func(i int) policy.E { return field("a", number32(-i-1)) }), arrayOf(number32)),
	filteredShape("or-texts", 1200, combined("$or", func(i int) policy.E { return field("a", text(-i-1)) }), arrayOf(text)),
	filteredShape("or-in", 1200, combined("$or", func(i int) policy.E {
		return field("a", object(field("$in", array(2, func(j int) policy.Value { return number32(-i - j - 1) }))))
	}), arrayOf(number32)),
	filteredShape("or-fields", 300, combined("$or", func(i int) policy.E { return field(named(i), number32(-1)) }), wide),
	filteredShape("and-fields", 300, wide, wide),
	filteredShape("and-fields-missing", 300, func(n int) policy.D {
		return fields(n, func(i int) policy.E { return field("x"+named(i), policy.NullValue()) })
	}, wide),
	filteredShape("and-exists", 300, combined("$and", func(i int) policy.E { return field(named(i), object(field("$exists", policy.BoolValue(true)))) }), wide),
	filteredShape("and-paths", 300, func(n int) policy.D {
		return fields(n, func(i int) policy.E { return field(named(i)+".x", policy.NullValue()) })
	}, wide),
}

// productShapes have predicates that look at one field each, as the cost of deciding
// is documented: of filter and document one grows, and then the other.
func productShapes() (all []shape) {
	const fixed = 20
	for _, p := range []struct {
		name             string
		filter, document func(n int) policy.D
	}{
		{"or-greater", combined("$or", func(i int) policy.E { return field("a", object(field("$gt", number32(1<<20+i)))) }), arrayOf(number32)},
		{"or-types", combined("$or", func(i int) policy.E {
			return field("a", object(field("$type", policy.StringValue([]string{"string", "date", "object"}[i%3]))))
		}), arrayOf(number32)},
		{"and-all", func(n int) policy.D {
			return policy.D{field("a", object(field("$all", array(n, always(number32(0))))))}
		}, arrayOf(func(i int) policy.Value { return number32(-i) })},
		{"and-greater", combined("$and", func(i int) policy.E { return field("a", object(field("$gt", number32(-i-1)))) }), arrayOf(func(i int) policy.Value { return number32(-i) })},
		{"and-documents", combined("$or", func(i int) policy.E {
			return field("a", object(field("$gt", documentOf(1<<20+i))))
		}), arrayOf(documentOf)},
		{"and-inner-fields", func(n int) policy.D {
			return fields(n, func(i int) policy.E { return field("a.x"+named(i), policy.NullValue()) })
		}, func(n int) policy.D { return policy.D{field("a", policy.ObjectValue(wide(n)))} }},
		{"or-fields-of-elements", combined("$or", func(i int) policy.E { return field("a."+named(i), number32(-1)) }), arrayOf(func(i int) policy.Value { return object(field("x", number32(i))) })},
	} {
		all = append(all,
			filteredShape(p.name+"-predicates", fixed, p.filter, func(int) policy.D { return p.document(fixed) }),
			filteredShape(p.name+"-values", fixed, func(int) policy.D { return p.filter(fixed) }, p.document))
	}
	return all
}

// seriesShape decides measurements of a time-series collection with a filter on a
// field of their metadata.
func seriesShape(name string, n int, predicate, metadata func(n int) policy.Value) shape {
	return shape{name, n, func(n int) func() {
		options := object(field("timeseries", object(field("timeField", policy.StringValue("ts")), field("metaField", policy.StringValue("m")))))
		indexes := policy.ListValue(policy.A{object(
			field("key", object(field("ts", number32(1)))), field("expireAfterSeconds", number32(1)),
			field("partialFilterExpression", object(field("m", predicate(n)))))})
		c := inputs.Must(mongo.CompileCollection(inputs.Must(mongo.ParseCollectionSpec(options, indexes)), inputs.Profile()))
		doc := inputs.Must(policy.AppendBSON(nil, object(field("m", metadata(n)), field("ts", policy.DateValue(inputs.Now)))))
		return func() { sink.decision = c.DecideBSON(doc, inputs.Now) }
	}}
}

func backwards(i int) policy.E { return field(named(1000-i), number32(i)) }

var seriesShapes = []shape{
	seriesShape("series-metadata", 10, always(policy.ObjectValue(fields(50, func(i int) policy.E { return field(named(950+i), number32(49-i)) }))), arrays(always(policy.ObjectValue(fields(50, backwards))))),
	seriesShape("series-in", 1200, in(number32), arrays(func(i int) policy.Value { return number32(-i - 1) })),
	{"series-bucket", 2000, func(n int) func() {
		spec := mongo.CollectionSpec{TimeSeries: object(field("timeField", policy.StringValue("ts"))), ExpireAfterSeconds: number32(1)}
		c := inputs.Must(mongo.CompileCollection(spec, inputs.Profile()))
		bounds := policy.ObjectValue(append(wide(n), field("ts", policy.DateValue(inputs.Now))))
		doc := inputs.Must(policy.AppendBSON(nil, object(field("_id", policy.ObjectIDValue([12]byte{1})), field("control", object(field("min", bounds), field("max", bounds))))))
		return func() { sink.decision = c.DecideBSON(doc, inputs.Now) }
	}},
}
