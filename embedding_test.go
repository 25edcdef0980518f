package ttlpolicy_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The store of docs/implementing.md.

type (
	// A Doc is a document as this store decodes it.
	Doc []Field
	// A Field is one of its fields.
	Field struct {
		Name  string
		Value any // nil, bool, int, int32, int64, float64, string, time.Time, Doc or List
	}
	// A List is an array.
	List []any
)

// docs/implementing.md: begin
func (d Doc) Field(name string) policy.Value {
	for _, f := range d {
		if f.Name == name {
			return valueOf(f.Value)
		}
	}
	return policy.Value{} // missing
}

func (d Doc) Len() int { return len(d) }

func (d Doc) FieldAt(i int) (string, policy.Value) { return d[i].Name, valueOf(d[i].Value) }

func (l List) Len() int { return len(l) }

func (l List) At(i int) policy.Value { return valueOf(l[i]) }

func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case nil:
		return policy.NullValue()
	case bool:
		return policy.BoolValue(v)
	case int:
		return policy.Int64Value(int64(v))
	case int32:
		return policy.Int32Value(v)
	case int64:
		return policy.Int64Value(v)
	case float64:
		return policy.DoubleValue(v)
	case string:
		return policy.StringValue(v)
	case time.Time:
		return policy.DateValue(policy.InstantOf(v))
	case Doc:
		return policy.ObjectValue(v)
	case List:
		return policy.ListValue(v)
	}
	return policy.OpaqueValue() // an ObjectId, say
}

// docs/implementing.md: end

// docs/implementing.md: begin
type store struct {
	profile mongo.Profile
	spec    mongo.CollectionSpec // what listIndexes shows
	ttl     mongo.Collection     // compiled from spec; the zero one keeps every document
	docs    []*Doc
}

// createIndex stores an index, or returns the error of a server of this release.
func (s *store) createIndex(index Doc, now policy.Instant) error {
	definition := mongo.WithName(policy.DOf(policy.ObjectValue(index)))
	result, err := mongo.ValidateCreateIndexes(s.spec, definition, s.profile, now)
	if err != nil || !result.Created {
		return err
	}
	spec := s.spec
	spec.Indexes = append(slices.Clone(spec.Indexes), result.Index)
	ttl, err := mongo.CompileCollection(spec, s.profile)
	if err != nil {
		return err
	}
	s.spec, s.ttl = spec, *ttl
	return nil
}

// sweep deletes what has expired.
func (s *store) sweep(now policy.Instant) {
	s.docs = slices.DeleteFunc(s.docs, func(d *Doc) bool {
		return s.ttl.Decide(d, now).State == policy.Expired
	})
}

// docs/implementing.md: end

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
