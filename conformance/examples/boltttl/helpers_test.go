package boltttl

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// hasty are options with which bbolt does not wait for the disk. They suffice because no
// test cuts the power.
var hasty = &bbolt.Options{NoSync: true, NoFreelistSync: true}

// openFile opens a database, and creates it if the file does not exist.
func openFile(tb testing.TB, path string) *bbolt.DB {
	tb.Helper()
	if _, err := os.Stat(path); err != nil {
		must(tb, os.WriteFile(path, newFile(), 0o600))
	}
	db, err := bbolt.Open(path, 0o600, hasty)
	must(tb, err)
	tb.Cleanup(func() { db.Close() })
	return db
}

// newFile returns the bytes of a new database. bbolt waits for the disk when it makes a
// database, so newFile makes only one.
var newFile = sync.OnceValue(func() []byte {
	dir, err := os.MkdirTemp("", "boltttl")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "new")
	db, err := bbolt.Open(path, 0o600, hasty)
	if err != nil {
		panic(err)
	}
	db.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return file
})

// newStore returns an empty store that behaves as the newest release.
func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(openFile(t, filepath.Join(t.TempDir(), "store")), mongo.Latest())
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
		_, err := s.CreateIndex("c", asDriver(x), 0)
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

// asDriver returns an index as a driver sends it, with a name.
func asDriver(text string) policy.D { return command.WithDefaultName(fields(text)) }

// fields reads a document of Extended JSON.
func fields(text string) policy.D { return policy.DOf(value(text)) }

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

func runSweep(t testing.TB, s *Store, now policy.Instant) Swept {
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
