package cosmos

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestReads(t *testing.T) {
	for _, tt := range []struct{ settings, want string }{
		{`{}`, ""},
		{`{"defaultTtl":null}`, ""},
		{`{"defaultTtl":0}`, ""},
		{`{"defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`, ""},
		{`{"defaultTtl":-1}`, "_ts ttl"},
		{`{"defaultTtl":5}`, "_ts ttl"},
		{`{"defaultTtl":5,"ttlPropertyPath":"/_ts"}`, "_ts ttl"},
		{`{"defaultTtl":5,"ttlPropertyPath":"/at/b"}`, "_ts at ttl"},
		{`{"defaultTtl":5,"ttlPropertyPath":"/ttl/b"}`, "_ts ttl"},
	} {
		if got := strings.Join(container(t, tt.settings).Reads(), " "); got != tt.want {
			t.Errorf("Reads() of %s = %q, want %q", tt.settings, got, tt.want)
		}
	}
	for _, tt := range []struct{ indexes, want string }{
		{`[]`, ""},
		{`[{"key":{"_ts":1},"expireAfterSeconds":0}]`, ""},
		{`[{"key":{"_ts":1},"expireAfterSeconds":5}]`, "_ts ttl"},
		{`[{"key":{"at.b":1},"expireAfterSeconds":5}]`, "at ttl"},
	} {
		c := collection(t, tt.indexes, CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}})
		if got := strings.Join(c.Reads(), " "); got != tt.want {
			t.Errorf("Reads() of %s = %q, want %q", tt.indexes, got, tt.want)
		}
	}
}

// only returns the fields of a document that have some of the names.
func only(doc policy.Value, names []string) (d policy.D) {
	for f := doc.Fields(); f.Next(); {
		if slices.Contains(names, f.Name()) {
			d = append(d, policy.E{Key: f.Name(), Value: f.Value()})
		}
	}
	return d
}

// TestReadsDecideAlone: an item or a document that is reduced to the names of Reads is
// decided like the whole.
func TestReadsDecideAlone(t *testing.T) {
	indexes := []string{`[]`, `[{"key":{"_ts":1},"expireAfterSeconds":60}]`, `[{"key":{"_ts":1},"expireAfterSeconds":-1}]`, `[{"key":{"a":1},"expireAfterSeconds":60}]`, `[{"key":{"a.b":1},"expireAfterSeconds":0}]`}
	var evaluators []*Collection
	for _, x := range indexes {
		evaluators = append(evaluators, collection(t, x, CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}}))
	}
	ended := 0
	for seed := range uint64(10_000) {
		r := fuzzing.NewRandom(binary.LittleEndian.AppendUint64(nil, seed))
		c, _ := drawContainer(t, r)
		text := r.JSON(2, "ttl", "_ts", "a", "ttl", "_ts", "other", "b")
		item, err := policy.ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		now := policy.Instant(r.Instant())
		d := c.DecideJSON(text, now)
		if got := c.Decide(only(item.Value(), c.Reads()), now); got != d {
			t.Fatalf("%s is decided %+v, and its properties %q %+v", text, d, c.Reads(), got)
		}
		raw := r.Document(2, "ttl", "_ts", "a", "b", "other")
		doc, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		x := fuzzing.Pick(r, evaluators...)
		byIndex := x.DecideBSON(raw, now)
		if got := x.Decide(only(doc.Value(), x.Reads()), now); got != byIndex {
			t.Fatalf("%v is decided %+v, and its fields %q %+v", doc.Value(), byIndex, x.Reads(), got)
		}
		if d.State != policy.Never || byIndex.State != policy.Never {
			ended++
		}
	}
	if ended < 300 {
		t.Errorf("%d had deadlines, want 300", ended)
	}
}
