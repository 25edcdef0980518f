package fuzzing_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDrawn: documents are BSON, texts are JSON, many are Extended JSON and some are not,
// and the same choices draw the same input.
func TestDrawn(t *testing.T) {
	dates, read, kinds := 0, 0, map[policy.Kind]int{}
	for seed := range 2000 {
		choices := []byte{byte(seed), byte(seed >> 8), 0, 0, 0, 0, 0, 0, byte(seed), 255, byte(seed / 3)}
		doc := fuzzing.NewRandom(choices).Document(3, "a", "b")
		if again := fuzzing.NewRandom(choices).Document(3, "a", "b"); !bytes.Equal(again, doc) {
			t.Fatalf("%v draws %x and %x", choices, doc, again)
		}
		parsed, err := policy.ParseBSON(doc)
		if err != nil {
			t.Fatalf("%x: %v", doc, err)
		}
		for f := parsed.Value().Fields(); f.Next(); {
			v := f.Value()
			kinds[v.Kind()]++
			if _, ok := v.AsDate(); ok {
				dates++
			}
		}
		if text := fuzzing.NewRandom(choices).JSON(3, "a", "é"); !json.Valid(text) {
			t.Fatalf("%s is not JSON", text)
		}
		if _, err := policy.ParseExtJSON(fuzzing.NewRandom(choices).ExtJSON(2, "a", "é")); err == nil {
			read++
		}
	}
	if len(kinds) < 18 || dates < 500 || read < 500 || read > 1900 {
		t.Errorf("%d kinds of values, %d dates, %d texts of 2000 are Extended JSON; want 18, 500, and 500 to 1900", len(kinds), dates, read)
	}
}

// TestChoices: one byte decides one choice, whatever the number of alternatives.
func TestChoices(t *testing.T) {
	for _, n := range []int{2, 16, 100, 1000} {
		hit := map[int]bool{}
		for b := range 256 {
			hit[fuzzing.NewRandom([]byte{0, 0, 0, 0, 0, 0, 0, 0, byte(b)}).IntN(n)] = true
		}
		if want := min(n, 200); len(hit) < want {
			t.Errorf("a byte makes %d of %d choices, want %d", len(hit), n, want)
		}
	}
}
