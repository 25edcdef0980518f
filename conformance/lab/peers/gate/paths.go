package main

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/columns"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A path is a hot path of the library. A run makes between a few and a few hundred
// decisions.
type path struct {
	name string
	run  func()
	warm int // the number of runs, beside the usual one, before the path is counted
}

// sink keeps the compiler from leaving work out.
var sink struct {
	decision policy.Decision
	number   int64
	err      error
}

func paths() []path {
	return []path{
		items(),
		raw("bson-first", inputs.Small.At(inputs.First), inputs.DateField, nil),
		raw("bson-last", inputs.Medium.At(inputs.Last), inputs.DateField, nil),
		raw("bson-dotted", inputs.Medium.At(inputs.Dotted), inputs.MetaField+"."+inputs.DateField, nil),
		raw("bson-array", inputs.Small.At(inputs.Array), inputs.DateField, nil),
		raw("bson-filter", inputs.Medium.At(inputs.Last), inputs.DateField, inputs.Done()),
		trusted(),
		unchecked("json-1kb", inputs.MediumJSON),
		unchecked("json-texts", inputs.TextJSON),
		number("number", "2592000"),
		number("number-hostile", "1e1000000000"),
		inColumns(),
		document(),
	}
}

// items decides cells of the matrix in memory.
func items() path {
	var all []cosmos.Item
	var containers []*cosmos.Container
	for _, it := range inputs.Items(1000) {
		all, containers = append(all, it.Typed()), append(containers, it.Container())
	}
	return path{name: "items", run: func() {
		for i, it := range all {
			sink.decision = containers[i].DecideItem(it, inputs.Now)
		}
	}}
}

// raw decides unchecked raw BSON.
func raw(name string, shape inputs.Shape, key string, filter policy.D) path {
	x := inputs.Index(key, filter)
	docs := inputs.MakeDocuments(shape, 24, 1<<20)
	return path{name: name, run: func() {
		for i := range docs.Len() {
			sink.decision = x.DecideBSON(docs.At(i), inputs.Now)
		}
	}}
}

// trusted decides items that were checked when they were stored.
func trusted() path {
	c := inputs.Container(inputs.DefaultTTL)
	all := inputs.MakeItems(inputs.MediumJSON, 4)
	var item policy.JSON
	return path{name: "json-trusted", run: func() {
		for _, text := range all {
			item = policy.UncheckedJSON(text)
			sink.decision = c.Decide(&item, inputs.Now)
		}
	}}
}

// unchecked decides raw items and checks them on the way.
func unchecked(name string, shape inputs.JSONShape) path {
	c := inputs.Container(inputs.DefaultTTL)
	all := inputs.MakeItems(shape, 4)
	return path{name: name, run: func() {
		for _, item := range all {
			sink.decision = c.DecideJSON(item, inputs.Now)
		}
	}}
}

// number reads a number in an item.
func number(name, digits string) path {
	picks := []jsontext.Pick{{Name: "ttl"}}
	if _, ok := jsontext.Check(fmt.Appendf(nil, `{"ttl":%s}`, digits), picks); !ok {
		panic(digits)
	}
	return path{name: name, run: func() {
		for range 200 {
			n, _ := picks[0].AsInt64()
			sink.number += n
		}
	}}
}

// inColumns judges columns in both ways that the library offers.
func inColumns() path {
	c := inputs.Container(inputs.ColumnsDefault)
	made := inputs.MakeColumns(1 << 10)
	all := made.Items()
	hours := inputs.Must(columns.NewBuckets(inputs.Now, 3600, 2160))
	counts, bitmap := make([]uint64, hours.Len()), make([]uint64, 0, 1<<4)
	return path{name: "columns", run: func() {
		all.CountDeadlines(counts, hours, c)
		bitmap = all.AppendExpired(bitmap[:0], c, inputs.Now)
	}}
}

// A row is a database's own document with the deciding date alone.
type row struct{ at policy.Value }

func (r *row) Field(name string) policy.Value {
	if name == inputs.DateField {
		return r.at
	}
	return policy.Value{}
}

// document decides through the interface that a database implements.
func document() path {
	x, doc := inputs.Index(inputs.DateField, nil), row{policy.DateValue(inputs.Now)}
	return path{name: "document", run: func() {
		for range 200 {
			sink.decision = x.Decide(&doc, inputs.Now)
		}
	}, warm: 100}
}
