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
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
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
		_, err := createIndex(s, "c", asDriver(x), 0)
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

// A count is the work of a sweep without what depends on the time.
type count struct{ deleted, corrected, walked, batches int }

func countOf(did sweep.Result) count {
	return count{did.Deleted, did.Corrected, did.Walked, did.Batches}
}

func runSweep(t testing.TB, s *Store, now policy.Instant) count {
	t.Helper()
	did, err := s.Sweeper(nil).Sweep(context.Background(), now)
	must(t, err)
	return countOf(did)
}

// batched returns a Sweeper whose batches have a number of documents.
func batched(s *Store, limit int) *Sweeper {
	by := s.Sweeper(nil)
	by.Limit = limit
	return by
}

func createIndex(s *Store, name string, index policy.D, now policy.Instant) (policy.D, error) {
	return s.Change(name, func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.CreateIndexes(c, []policy.D{index}, now)
	})
}

func changeOption(s *Store, name string, body policy.D, now policy.Instant) (policy.D, error) {
	return s.Change(name, func(c *mongo.Collection) (*mongo.Collection, policy.D, error) { return command.CollMod(c, body, now) })
}

func dropIndex(s *Store, name string, index policy.Value) error {
	return second(s.Change(name, func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.DropIndexes(c, index)
	}))
}

// isMade reports whether the reply to createIndexes tells of a new index.
func isMade(reply policy.D) bool {
	return !reply.Field("numIndexesAfter").Equal(reply.Field("numIndexesBefore"))
}

// has reports whether a document of "c" is stored.
func has(s *Store, id string) bool {
	_, err := s.Get("c", value(id))
	return err == nil
}
