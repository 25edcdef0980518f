package gates

import (
	"errors"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
)

// TestEmbedding: the parts that the page leaves to its readers work: arrays of documents,
// embedded documents in a filter, equal numbers of two types, unknown types.
func TestEmbedding(t *testing.T) {
	collection, err := command.Create("", nil, fixture.Profile(t, fixture.Latest), noon)
	if err != nil {
		t.Fatal(err)
	}
	s := &store{collection, []*Doc{{{"at", noon.Time().Add(-time.Hour)}}}}
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
	if err := s.createIndex(index(Doc{{"at.start", int32(1)}}, filter), noon); err != nil || len(s.collection.Spec().Indexes) != 1 {
		t.Errorf("the index again: %d indexes, %v; want 1", len(s.collection.Spec().Indexes), err)
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
