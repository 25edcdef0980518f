package boltttl

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// newStore returns an empty store that stands for the newest release.
func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(openFile(t, filepath.Join(t.TempDir(), "store")), mongo.Latest)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newCollection makes a collection "c" with these TTL indexes in a new store.
func newCollection(t *testing.T, indexes ...string) *Store {
	t.Helper()
	s := newStore(t)
	must(t, s.Create("c", nil, 0))
	for _, x := range indexes {
		_, err := s.CreateIndex("c", fields(x), 0)
		must(t, err)
	}
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fields reads a document of Extended JSON.
func fields(text string) policy.D { return extJSON{value(text)}.fields() }

func value(text string) policy.Value {
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

// bson returns a document of Extended JSON as bytes.
func bson(text string) []byte {
	b, err := policy.AppendBSON(nil, value(text))
	if err != nil {
		panic(err)
	}
	return b
}

func insert(t testing.TB, s *Store, docs ...string) {
	t.Helper()
	for _, doc := range docs {
		must(t, s.Insert("c", bson(doc)))
	}
}

func sweep(t testing.TB, s *Store, now policy.Instant) Swept {
	t.Helper()
	did, err := (&Sweeper{Store: s}).Sweep(context.Background(), now)
	must(t, err)
	return did
}

// has reports whether a document of "c" is stored.
func has(s *Store, id string) bool {
	_, err := s.Get("c", value(id))
	return err == nil
}
