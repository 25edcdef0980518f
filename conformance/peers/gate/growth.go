package main

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// growing returns pairs of paths over one small and one large document, which
// are hostile or merely big. The script compares the two of a pair: what the
// large one costs beyond the small one has to be in proportion to its bytes.
func growing() (pairs []path) {
	for _, kind := range []struct {
		name string
		make func(n int) (doc []byte, key string)
		n    int // of the small one; the large one is 16 times that
	}{
		{"grow-fields", documented(inputs.Wide), 32},
		{"grow-names", documented(inputs.Prefixed), 32},
		{"grow-dates", documented(inputs.Dates), 32},
		{"grow-documents", func(n int) ([]byte, string) { return inputs.Documented(n), inputs.MetaField + "." + inputs.DateField }, 16},
		{"grow-levels", inputs.Nested, 8},
	} {
		for _, size := range sizes {
			doc, key := kind.make(kind.n * size.factor)
			x := inputs.Index(key, nil)
			pairs = append(pairs, path{name: kind.name + size.suffix, bytes: len(doc), run: func() { sink.decision = x.DecideBSON(doc, inputs.Now) }})
		}
	}
	return append(append(pairs, growingItems("grow-members", inputs.Members, 16)...), growingItems("grow-digits", inputs.Digits, 200)...)
}

var sizes = []struct {
	suffix string
	factor int
}{{"-small", 1}, {"-large", 16}}

func documented(make func(n int) []byte) func(n int) ([]byte, string) {
	return func(n int) ([]byte, string) { return make(n), inputs.DateField }
}

func growingItems(name string, make func(n int) []byte, n int) (pair []path) {
	c := inputs.Container(inputs.DefaultTTL)
	for _, size := range sizes {
		item := make(n * size.factor)
		inputs.Must(policy.ParseJSON(item)) // one that is refused costs next to nothing
		pair = append(pair, path{name: name + size.suffix, bytes: len(item), run: func() { sink.decision = c.DecideJSON(item, inputs.Now) }})
	}
	return pair
}
