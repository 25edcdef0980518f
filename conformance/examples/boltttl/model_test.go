package boltttl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestStoreModel applies random writes, sweeps and crashes to a store, and to a
// map that decides with a separate implementation of the rules.
func TestStoreModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	rapid.Check(t, func(rt *rapid.T) {
		must(t, os.RemoveAll(path))
		m := &model{tb: t, indexes: naivePolicy{}, docs: map[int32]policy.D{}}
		m.open(path)
		defer func() { m.store.db.Close() }()
		must(t, m.store.Create("c", nil, 0))
		rt.Repeat(map[string]func(*rapid.T){
			"":            m.check,
			"insert":      m.insert,
			"replace":     m.replace,
			"delete":      m.delete,
			"createIndex": m.createIndex,
			"collMod":     m.collMod,
			"dropIndex":   m.dropIndex,
			"drop":        m.drop,
			"sweep":       m.sweep,
			"reopen":      func(*rapid.T) { m.reopen() },
		})
	})
}

// A model is a store and its expected contents.
type model struct {
	tb      *testing.T
	store   *Store
	indexes naivePolicy
	docs    map[int32]policy.D
}

func (m *model) open(path string) {
	var err error
	m.store, err = Open(openFile(m.tb, path), mongo.Latest())
	must(m.tb, err)
}

func (m *model) reopen() {
	path := m.store.db.Path()
	must(m.tb, m.store.db.Close())
	m.open(path)
}

// try calls do, which may fail at any step, and reports whether do succeeded. After a
// failure the process either dies, and the store is reopened from the file as it was at
// that moment, or continues with its memory.
func (m *model) try(t *rapid.T, do func(*Store) error) bool {
	crash := rapid.IntRange(0, 12).Draw(t, "crash") // the step that fails, 0 for none
	path := m.store.db.Path()
	var wreck []byte
	if crash > 0 {
		die := failAt(crash)
		m.store.step = func() error {
			err := die()
			if err != nil && wreck == nil {
				wreck, _ = os.ReadFile(path)
			}
			return err
		}
	}
	err := do(m.store)
	m.store.step = noCrash
	switch {
	case errors.Is(err, errCrash) && rapid.Bool().Draw(t, "lives"):
	case errors.Is(err, errCrash):
		must(m.tb, m.store.db.Close())
		must(m.tb, os.WriteFile(path, wreck, 0o600))
		m.open(path)
	case err != nil:
		t.Fatal(err)
	}
	return err == nil
}

var ids = rapid.Int32Range(0, 9)

func dateValues() *rapid.Generator[policy.Value] {
	instants := rapid.OneOf(
		rapid.Int64Range(-3, 12),
		rapid.SampledFrom([]int64{int64(policy.MinInstant), int64(policy.MaxInstant)}))
	return rapid.Map(instants, func(ms int64) policy.Value {
		if -3 <= ms && ms <= 12 {
			ms *= 1000 // so that some deadlines are equal
		}
		return policy.DateValue(policy.Instant(ms))
	})
}

func timeValues() *rapid.Generator[policy.Value] {
	other := rapid.SampledFrom([]policy.Value{{}, policy.NullValue(), policy.Int32Value(5), policy.StringValue("x")})
	list := rapid.Map(rapid.SliceOfN(rapid.OneOf(dateValues(), rapid.Just(policy.Int32Value(1))), 0, 3),
		func(all []policy.Value) policy.Value { return policy.ListValue(policy.A(all)) })
	return rapid.OneOf(dateValues(), dateValues(), list, other)
}

// draw returns a document and its bytes.
func draw(t *rapid.T, id int32) (doc policy.D, raw []byte) {
	doc = slices.DeleteFunc(policy.D{
		{Key: "_id", Value: policy.Int32Value(id)},
		{Key: "a", Value: policy.Int32Value(rapid.Int32Range(1, 2).Draw(t, "a"))},
		{Key: "t", Value: timeValues().Draw(t, "t")},
		{Key: "u", Value: timeValues().Draw(t, "u")},
	}, func(e policy.E) bool { return e.Value.IsMissing() }) // BSON has no missing value
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(doc))
	if err != nil {
		t.Fatal(err)
	}
	return doc, raw
}

func (m *model) insert(t *rapid.T) {
	id := ids.Draw(t, "id")
	if m.docs[id] != nil {
		t.Skip("there already")
	}
	doc, raw := draw(t, id)
	if m.try(t, func(s *Store) error { return s.Insert("c", raw) }) {
		m.docs[id] = doc
	}
}

// some returns the _id of one of the documents.
func (m *model) some(t *rapid.T) int32 {
	if len(m.docs) == 0 {
		t.Skip("no document")
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.docs))).Draw(t, "id")
}

func (m *model) replace(t *rapid.T) {
	id := m.some(t)
	doc, raw := draw(t, id)
	if m.try(t, func(s *Store) error { return s.Replace("c", raw) }) {
		m.docs[id] = doc
	}
}

func (m *model) delete(t *rapid.T) {
	id := m.some(t)
	if m.try(t, func(s *Store) error { return s.Delete("c", policy.Int32Value(id)) }) {
		delete(m.docs, id)
	}
}

var delays = rapid.SampledFrom([]int64{0, 1, 2, 5, 2147483647})

func (m *model) createIndex(t *rapid.T) {
	x := naiveIndex{rapid.SampledFrom([]string{"t", "u"}).Draw(t, "field"), delays.Draw(t, "seconds"), rapid.Int64Range(0, 2).Draw(t, "filter")}
	name := x.field + "_1"
	if _, there := m.indexes[name]; there {
		t.Skip("there already")
	}
	index := asDriver(fmt.Sprintf(`{"key":{"%s":1},"expireAfterSeconds":%d}`, x.field, x.seconds))
	if x.a != 0 {
		index = append(index, policy.E{Key: "partialFilterExpression", Value: value(fmt.Sprintf(`{"a":%d}`, x.a))})
	}
	if m.try(t, func(s *Store) error { return second(createIndex(s, "c", index, 0)) }) {
		m.indexes[name] = x
	}
}

// index returns the name of one of the indexes.
func (m *model) index(t *rapid.T) string {
	if len(m.indexes) == 0 {
		t.Skip("no index")
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.indexes))).Draw(t, "index")
}

func (m *model) collMod(t *rapid.T) {
	name := m.index(t)
	x := m.indexes[name]
	x.seconds = delays.Draw(t, "seconds")
	command := fields(fmt.Sprintf(`{"index":{"name":"%s","expireAfterSeconds":%d}}`, name, x.seconds))
	if m.try(t, func(s *Store) error { return second(changeOption(s, "c", command, 0)) }) {
		m.indexes[name] = x
	}
}

func (m *model) dropIndex(t *rapid.T) {
	name := m.index(t)
	if m.try(t, func(s *Store) error { return dropIndex(s, "c", policy.StringValue(name)) }) {
		delete(m.indexes, name)
	}
}

func (m *model) drop(t *rapid.T) {
	if m.try(t, func(s *Store) error { return s.Drop("c") }) {
		m.indexes, m.docs = naivePolicy{}, map[int32]policy.D{}
		must(m.tb, m.store.Create("c", nil, 0))
	}
}

// sweep sweeps, whole or until some batches are done, at an instant that may
// lie before the last. Each removed document must have been due; after a whole
// sweep, each due document must be gone.
func (m *model) sweep(t *rapid.T) {
	now := policy.Instant(rapid.Int64Range(-5, 20).Draw(t, "now") * 1000)
	ctx := &impatient{Context: context.Background(), batches: rapid.IntRange(0, 20).Draw(t, "batches")}
	sweeper := batched(m.store, rapid.IntRange(1, 4).Draw(t, "batch"))
	done := m.try(t, func(s *Store) error {
		_, err := sweeper.Sweep(ctx, now)
		return orCanceled(err)
	})
	for id, doc := range m.docs {
		deadline, found := m.indexes.deadline(doc)
		due := found && deadline <= now
		_, err := m.store.Get("c", policy.Int32Value(id))
		switch gone := errors.Is(err, ErrNoDocument); {
		case err != nil && !gone:
			t.Fatal(err)
		case gone && !due:
			t.Fatalf("%v is gone at %d, its deadline is %d, %v", doc, now, deadline, found)
		case !gone && due && done && ctx.batches >= 0:
			t.Fatalf("%v is there at %d after a whole sweep, its deadline is %d", doc, now, deadline)
		case gone:
			delete(m.docs, id)
		}
	}
}

// impatient is a context that ends after a number of calls of Err.
type impatient struct {
	context.Context
	batches int
}

func (c *impatient) Err() error {
	if c.batches--; c.batches < 0 {
		return context.Canceled
	}
	return nil
}

// check compares the file with the model.
func (m *model) check(t *rapid.T) {
	checkEntries(m.tb, m.store)
	got, unfinished := dump(m.tb, m.store)
	if len(got) != len(m.docs) {
		t.Fatalf("%d documents are stored, want %d", len(got), len(m.docs))
	}
	for id, doc := range m.docs {
		d := got["c "+policy.Int32Value(id).String()]
		if want, _ := policy.AppendBSON(nil, policy.ObjectValue(doc)); string(want) != string(d.doc) {
			t.Fatalf("%d is stored as %x, want %x", id, d.doc, want)
		}
		deadline, found := m.indexes.deadline(doc)
		if !unfinished && (d.listed != found || found && d.deadline != deadline) {
			t.Fatalf("%v is stored with the deadline %d, %v, want %d, %v", doc, d.deadline, d.listed, deadline, found)
		}
	}
	if m.tb.Failed() {
		t.Fatal("the deadline index is not that of the records")
	}
}
