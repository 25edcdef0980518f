package boltttl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A code is the number of a server's error.
type code int32

func (c code) Error() string { return fmt.Sprint("code ", int32(c)) }

const (
	indexNotFound     code = 27
	cannotCreateIndex code = 67
	invalidOptions    code = 72
)

// isError reports whether err is want, or a refusal with the code want.
func isError(err, want error) bool {
	refused, ok := errors.AsType[*mongo.SpecError](err)
	return errors.Is(err, want) || ok && want == code(refused.Code)
}

// checkNext settles the store, and compares its earliest deadline with want, which is ""
// for no deadline.
func checkNext(t *testing.T, s *Store, what, want string) {
	t.Helper()
	must(t, second(batched(s, 2).Walk(context.Background())))
	next, found, err := s.Next()
	must(t, err)
	got := ""
	if found {
		got = fmt.Sprint(int64(next))
	}
	if got != want {
		t.Errorf("%s: the earliest deadline is %q, want %q", what, got, want)
	}
	checkEntries(t, s)
}

func collMod(t *testing.T, s *Store, command string) {
	t.Helper()
	_, err := changeOption(s, "c", fields(command), 0)
	must(t, err)
}

// TestPolicyChanges: existing documents follow every change.
func TestPolicyChanges(t *testing.T) {
	s := newCollection(t)
	insert(t, s,
		`{"_id":1,"t":{"$date":{"$numberLong":"1000"}},"u":{"$date":{"$numberLong":"500"}}}`,
		`{"_id":2,"t":[5,{"$date":{"$numberLong":"3000"}},{"$date":{"$numberLong":"2000"}}]}`,
		`{"_id":3,"t":"no date"}`)
	checkNext(t, s, "no index", "")
	create := func(index string) {
		t.Helper()
		reply, err := createIndex(s, "c", asDriver(index), 0)
		if err != nil || !isMade(reply) {
			t.Fatalf("CreateIndexes(%s) = %v, %v", index, reply, err)
		}
	}
	create(onT)
	checkNext(t, s, "an index", "11000")
	create(`{"key":{"u":1},"expireAfterSeconds":2}`)
	checkNext(t, s, "a second index, and the earliest wins", "2500")
	collMod(t, s, `{"index":{"name":"u_1","expireAfterSeconds":100}}`)
	checkNext(t, s, "longer than the first", "11000")
	collMod(t, s, `{"index":{"keyPattern":{"t":1},"expireAfterSeconds":0}}`)
	checkNext(t, s, "shorter", "1000")
	must(t, dropIndex(s, "c", policy.StringValue("t_1")))
	checkNext(t, s, "the second alone", "100500")
	must(t, dropIndex(s, "c", policy.StringValue("u_1")))
	checkNext(t, s, "none again", "")
}

// TestShorterDelayIsBounded: documents that become due at once are deleted in
// batches.
func TestShorterDelayIsBounded(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":2147483647}`)
	insertMany(t, s, 20)
	runSweep(t, s, 0)
	collMod(t, s, `{"index":{"name":"t_1","expireAfterSeconds":0}}`)
	did, err := batched(s, 5).Sweep(context.Background(), 100)
	if want := (count{deleted: 20, walked: 20, batches: 4 + 4}); err != nil || countOf(did) != want {
		t.Errorf("Sweep = %+v, %v, want %+v", did, err, want)
	}
}

// TestLongerDelaySaves: a longer delay also keeps documents that were already
// due.
func TestLongerDelaySaves(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	insertMany(t, s, 3)
	collMod(t, s, `{"index":{"name":"t_1","expireAfterSeconds":3600}}`)
	if did := runSweep(t, s, 100); did.deleted != 0 || !has(s, `0`) {
		t.Errorf("Sweep = %+v, want nothing deleted", did)
	}
}

// TestNoChangeNoWalk: a command that changes nothing begins no walk.
func TestNoChangeNoWalk(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 3)
	runSweep(t, s, 0)
	collMod(t, s, `{"index":{"name":"t_1","expireAfterSeconds":10}}`)
	reply, err := createIndex(s, "c", asDriver(onT), 0)
	if did := runSweep(t, s, 0); err != nil || isMade(reply) || did != (count{}) {
		t.Errorf("CreateIndex = %+v, %v, then Sweep = %+v, want nothing made and done", reply, err, did)
	}
}

// TestUnreachable: a deadline beyond all dates costs no entry.
func TestUnreachable(t *testing.T) {
	s := newCollection(t, onT)
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"9223372036854775807"}}}`)
	checkNext(t, s, "unreachable", "")
	j, err := s.Judge("c", value(`1`), policy.MaxInstant)
	if err != nil || j.State != policy.Never || j.Rule.ID() != "mongo.unreachable" || j.Index != "" {
		t.Errorf("Judge = %+v, %v, want never by mongo.unreachable", j, err)
	}
}

func TestCommandErrors(t *testing.T) {
	s := newCollection(t, onT)
	indexes := func(index string) error { return second(createIndex(s, "c", asDriver(index), 0)) }
	for _, tt := range []struct {
		what      string
		got, want error
	}{
		{"Create twice", s.Create("c", nil, 0), ErrCollectionExists},
		{"Create with an option of no kind of collection", s.Create("d", fields(`{"expireAfterSeconds":5}`), 0), invalidOptions},
		{"Adopt what does not compile", s.Adopt("d", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
			Key: fields(`{"t":1}`), ExpireAfterSeconds: value(`5`), PartialFilterExpression: value(`{"a":{"$regex":"x"}}`)}}}), cannotCreateIndex},
		{"Drop nothing", s.Drop("d"), ErrNoCollection},
		{"CreateIndex with NaN", indexes(`{"key":{"u":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`), cannotCreateIndex},
		{"CreateIndex in nothing", second(createIndex(s, "d", asDriver(onT), 0)), ErrNoCollection},
		{"CollMod of nothing", second(changeOption(s, "c", fields(`{"index":{"name":"u_1","expireAfterSeconds":5}}`), 0)), indexNotFound},
		{"DropIndex of nothing", dropIndex(s, "c", policy.StringValue("u_1")), indexNotFound},
	} {
		if !isError(tt.got, tt.want) {
			t.Errorf("%s = %v, want %v", tt.what, tt.got, tt.want)
		}
	}
	insertMany(t, s, 1)
	checkNext(t, s, "after all that", "10000")
}

// TestDrop: the name is free at once, the documents are removed in batches, and
// a new collection of that name is independent of them.
func TestDrop(t *testing.T) {
	s := newCollection(t, onT)
	insertMany(t, s, 5)
	must(t, s.Drop("c"))
	if has(s, `1`) {
		t.Error("a document can be read after Drop")
	}
	must(t, s.Create("c", nil, 0))
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"0"}}}`)
	did, err := batched(s, 2).Sweep(context.Background(), policy.MaxInstant)
	if want := (count{walked: 6, batches: 3 + 1}); err != nil || countOf(did) != want || !has(s, `1`) {
		t.Errorf("Sweep = %+v, %v, want %+v and the new document kept", did, err, want)
	}
	checkNext(t, s, "the new collection has no index", "")
	left := 0
	must(t, s.view(func(t txn) error {
		return t.collections.ForEachBucket(func([]byte) error { left++; return nil })
	}))
	if left != 1 {
		t.Errorf("%d collections are in the file, want the new one alone", left)
	}
}

// TestClustered: a collection clustered by _id has a delay of its own.
func TestClustered(t *testing.T) {
	s := newStore(t)
	must(t, s.Create("c", fields(`{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":1}`), 1e12))
	insert(t, s, `{"_id":{"$date":{"$numberLong":"5000"}}}`, `{"_id":5}`)
	checkNext(t, s, "a second after _id", "6000")
	collMod(t, s, `{"expireAfterSeconds":"off"}`)
	checkNext(t, s, "off", "")
}

// TestReleaseMoves: a store that moves to another release decides anew. NaN is the case
// that cost people their data: 4.4 keeps the documents, 5.0.0 reads NaN as 0, and 5.0.14
// keeps the documents again.
func TestReleaseMoves(t *testing.T) {
	db := openFile(t, filepath.Join(t.TempDir(), "store"))
	open := func(v mongo.Version) *Store {
		t.Helper()
		s, err := Open(db, v)
		must(t, err)
		return s
	}
	s := open(mongo.Version{Major: 4, Minor: 4})
	must(t, s.Adopt("c", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name: "t_1", Key: fields(`{"t":1}`), ExpireAfterSeconds: value(`{"$numberDouble":"NaN"}`)}}}))
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"7"}}}`)
	checkNext(t, s, "4.4 keeps", "")
	checkNext(t, open(mongo.Version{Major: 5, Minor: 0, Patch: 14}), "5.0.14 keeps", "")
	if did := runSweep(t, open(mongo.Version{Major: 5, Minor: 0, Patch: 14}), 0); did != (count{}) {
		t.Errorf("Sweep = %+v, want nothing to do for the same release", did)
	}
	s = open(mongo.Version{Major: 5, Minor: 0, Patch: 0})
	checkNext(t, s, "5.0.0 deletes", "7")
	if did := runSweep(t, open(mongo.Version{Major: 5, Minor: 0, Patch: 14}), 100); did != (count{walked: 1, batches: 1}) {
		t.Errorf("Sweep = %+v, want it saved by 5.0.14", did)
	}
	if _, err := Open(db, mongo.Version{Major: 99}); !errors.Is(err, mongo.ErrUnknownVersion) {
		t.Errorf("Open = %v, want ErrUnknownVersion", err)
	}
}

// TestFingerprintRefuses: deadlines of another policy, such as those from a replica, are
// decided anew, once.
func TestFingerprintRefuses(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`)
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"0"}}}`)
	runSweep(t, s, 0) // which judges by the new index
	for _, another := range []bool{false, true, false} {
		if another {
			must(t, s.db.Update(func(tx *bbolt.Tx) error {
				return tx.Bucket(collectionsBucket).ForEachBucket(func(number []byte) error {
					f := policy.Fingerprint{1}
					return tx.Bucket(collectionsBucket).Bucket(number).Put(fingerprint, f[:])
				})
			}))
		}
		s, err := Open(s.db, mongo.Latest())
		must(t, err)
		if did := runSweep(t, s, 0); (did.batches == 1) != another {
			t.Errorf("deadlines of another policy: %v; Sweep = %+v", another, did)
		}
	}
}

// TestReleaseThatCannotHold: a store whose filter the new release does not know
// stays at its release.
func TestReleaseThatCannotHold(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"$or":[{"a":1},{"b":1}]}}`)
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"7"}},"b":1}`)
	if _, err := Open(s.db, mongo.Version{Major: 4, Minor: 4}); !isError(err, cannotCreateIndex) {
		t.Errorf("Open = %v, want CannotCreateIndex", err)
	}
	back, err := Open(s.db, mongo.Latest())
	must(t, err)
	checkNext(t, back, "as before", "7")
}

// TestCreateIndexesMakesAllOrNone: if the second of two indexes is refused, neither is
// made.
func TestCreateIndexesMakesAllOrNone(t *testing.T) {
	s := newCollection(t)
	good, bad := asDriver(`{"key":{"a":1}}`), asDriver(`{"key":{"b":1,"c":1},"expireAfterSeconds":1}`)
	_, err := s.Change("c", func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.CreateIndexes(c, []policy.D{good, bad}, 0)
	})
	if !isError(err, cannotCreateIndex) {
		t.Errorf("CreateIndexes = %v, want %v", err, cannotCreateIndex)
	}
	c, err := s.Collection("c")
	must(t, err)
	if indexes := c.Spec().Indexes; len(indexes) != 0 {
		t.Errorf("CreateIndexes left %+v, want none", indexes)
	}
}

// TestKeptInSpiteOfRefusal: 2.4 keeps a new delay in spite of its refusal, and so does the store.
func TestKeptInSpiteOfRefusal(t *testing.T) {
	s, err := Open(openFile(t, filepath.Join(t.TempDir(), "store")), mongo.Version{Major: 2, Minor: 4})
	must(t, err)
	must(t, s.Create("c", nil, 0))
	must(t, second(createIndex(s, "c", asDriver(`{"key":{"t":1},"expireAfterSeconds":10}`), 0)))
	insertMany(t, s, 1)
	if _, err := changeOption(s, "c", fields(`{"index":{"keyPattern":{"t":1},"expireAfterSeconds":60},"no":1}`), 0); err == nil {
		t.Error("collMod with an unknown field is not refused")
	}
	checkNext(t, s, "after the refusal", "60001")
}
