package main

import (
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A shape is input that somebody hostile would choose. Each is made of a size n and
// of 2n and handed once to a way through the library: the work may not grow faster
// than the input, of which .ci/instructions convinces itself.
type shape struct {
	name string
	n    int
	// make returns the work on input of size n.
	make func(n int) func()
}

func shapes() []shape {
	var all []shape
	for _, group := range [][]shape{bsonShapes, filterShapes, combinedShapes, productShapes(), seriesShapes, jsonShapes, apiForMongoShapes, compileShapes, commandShapes, readerShapes} {
		all = append(all, group...)
	}
	return all
}

// The functions below make values. An index or a field's name stands for the
// position i where a shape needs many that differ.

func object(fields ...policy.E) policy.Value { return policy.ObjectValue(policy.D(fields)) }

func field(name string, v policy.Value) policy.E { return policy.E{Key: name, Value: v} }

// fields returns n fields.
func fields(n int, at func(i int) policy.E) policy.D {
	d := make(policy.D, n)
	for i := range d {
		d[i] = at(i)
	}
	return d
}

// array returns n elements.
func array(n int, at func(i int) policy.Value) policy.Value {
	a := make(policy.A, n)
	for i := range a {
		a[i] = at(i)
	}
	return policy.ListValue(a)
}

func always(v policy.Value) func(int) policy.Value { return func(int) policy.Value { return v } }

func number32(i int) policy.Value { return policy.Int32Value(int32(i)) }

func text(i int) policy.Value { return policy.StringValue("text" + strconv.Itoa(i)) }

// alike returns a text that differs from others at its end.
func alike(i int) policy.Value { return policy.StringValue(strings.Repeat("x", 100) + strconv.Itoa(i)) }

func named(i int) string { return "f" + strconv.Itoa(i) }

// levels returns v within n documents.
func levels(n int, v policy.Value) policy.Value {
	for range n {
		v = object(field("a", v))
	}
	return v
}

// nestedArrays returns v within n arrays.
func nestedArrays(n int, v policy.Value) policy.Value {
	for range n {
		v = policy.ListValue(policy.A{v})
	}
	return v
}
