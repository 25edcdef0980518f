package gates

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// TestEmbedding: what the page leaves to its readers works: arrays of documents,
// embedded documents in a filter, equal numbers of two types, unknown types.
func TestEmbedding(t *testing.T) {
	s := &store{profile: profileOf(t, mongo.Latest), docs: []*Doc{{{"at", noon.Time().Add(-time.Hour)}}}}
	if s.sweep(noon); len(s.docs) != 1 {
		t.Error("a sweep without an index deleted a document")
	}
	index := func(key Doc, more ...Field) Doc {
		return append(Doc{{"key", key}, {"expireAfterSeconds", int32(3600)}}, more...)
	}
	filter := Field{"partialFilterExpression", Doc{{"of", Doc{{"kind", 1}}}}}
	if err := s.createIndex(index(Doc{{"at.start", int32(1)}}, filter), noon); err != nil {
		t.Fatal(err)
	}
	var refused *mongo.SpecError
	if err := s.createIndex(index(Doc{{"a", int32(1)}, {"b", int32(1)}}), noon); !errors.As(err, &refused) || refused.Code != 67 {
		t.Errorf("a compound index: %v, want CannotCreateIndex", err)
	}
	if err := s.createIndex(index(Doc{{"at.start", int32(1)}}, filter), noon); err != nil || len(s.spec.Indexes) != 1 {
		t.Errorf("the index again: %d indexes, %v; want 1", len(s.spec.Indexes), err)
	}
	old, kind := noon.Time().Add(-time.Hour), Doc{{"kind", 1.0}}
	goes := &Doc{{"_id", "goes"}, {"at", List{Doc{{"start", old}}, Doc{{"start", noon.Time()}}}}, {"of", kind}}
	stays := []*Doc{
		{{"_id", "outside"}, {"at", Doc{{"start", old}}}, {"of", Doc{{"kind", int64(2)}}}},
		{{"_id", "text"}, {"at", Doc{{"start", "2026"}}}, {"of", kind}},
		{{"_id", "unknown"}, {"at", Doc{{"start", struct{}{}}}}, {"of", kind}},
		{{"_id", "later"}, {"at", Doc{{"start", noon.Time()}}}, {"of", kind}},
	}
	s.docs = append([]*Doc{goes}, stays...)
	s.sweep(noon)
	if len(s.docs) != len(stays) || (*s.docs[0])[0].Value != "outside" {
		t.Errorf("after the sweep: %v, want %v", s.docs, stays)
	}
}

// TestMemoryStore: a sweep removes what is due, the earliest first, corrects what is not,
// and writes nothing in a transaction that fails.
func TestMemoryStore(t *testing.T) {
	due := func(ms int64) *Doc { return &Doc{{"createdAt", time.UnixMilli(ms)}} }
	s := newStore()
	s.docs = map[string]policy.Document{"first": due(0), "second": due(1), "later": due(int64(noon)), "undated": &Doc{}}
	s.deadlines = map[string]policy.Instant{"second": 2, "first": 1, "later": 3, "undated": 3, "gone": 4}
	errDisk := errors.New("the disk is full")
	failing := sweep.Sweeper[string]{Update: func(ctx context.Context, run func(sweep.Batch[string]) error) error {
		return s.update(ctx, func(b sweep.Batch[string]) error { return errors.Join(run(b), errDisk) })
	}}
	if _, err := failing.Sweep(t.Context(), noon); !errors.Is(err, errDisk) || len(s.docs) != 4 || len(s.deadlines) != 5 {
		t.Errorf("a failed transaction left %v, %v, %v", s.docs, s.deadlines, err)
	}
	var gone []string
	sweeper := sweep.Sweeper[string]{Update: s.update, Limit: 1, Deleted: func(key string, _ policy.Decision) { gone = append(gone, key) }}
	result, err := sweeper.Sweep(t.Context(), noon)
	if err != nil || result.Deleted != 2 || result.Corrected != 3 || !slices.Equal(gone, []string{"first", "second"}) {
		t.Errorf("Sweep = %+v, %v of %v, want 2 deleted, 3 corrected", result, err, gone)
	}
	if want := map[string]policy.Instant{"later": noon + 3_600_000}; !maps.Equal(s.deadlines, want) || len(s.docs) != 2 {
		t.Errorf("deadlines %v of %v, want %v of 2", s.deadlines, s.docs, want)
	}
}
