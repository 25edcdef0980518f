package boltttl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// newStore returns a store in a new file, and a function that removes it.
func newStore() (*boltttl.Store, func()) {
	dir, err := os.MkdirTemp("", "boltttl")
	check(err)
	// NoSync makes the example fast. A real store leaves it out, so that each commit
	// waits for the disk.
	db, err := bbolt.Open(filepath.Join(dir, "store"), 0o600, &bbolt.Options{NoSync: true})
	check(err)
	store, err := boltttl.Open(db, mongo.Latest())
	check(err)
	return store, func() { check(errors.Join(db.Close(), os.RemoveAll(dir))) }
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// document returns the fields of a document in Extended JSON.
func document(text string) policy.D {
	v, err := policy.ParseExtJSON([]byte(text))
	check(err)
	return policy.DOf(v)
}

// createIndex returns the change that makes an index.
func createIndex(index string, now policy.Instant) func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
	return func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.CreateIndexes(c, []policy.D{document(index)}, now)
	}
}

// bson returns a document as the store accepts it.
func bson(d policy.D) []byte {
	b, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	check(err)
	return b
}

// A sweep removes a session that was last seen an hour ago or earlier.
func Example() {
	store, remove := newStore()
	defer remove()
	now := policy.InstantOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	check(store.Create("sessions", nil, now))
	_, err := store.Change("sessions", createIndex(`{"key":{"seen":1},"name":"seen_1","expireAfterSeconds":3600}`, now))
	check(err)
	check(store.Insert("sessions", bson(document(`{"_id":"ann","seen":{"$date":"2026-11-20T10:59:59Z"}}`))))
	check(store.Insert("sessions", bson(document(`{"_id":"bob","seen":{"$date":"2026-11-20T11:30:00Z"}}`))))

	sweeper := store.Sweeper(func(j boltttl.Judgement) { fmt.Println(j.ID, "of", j.Index, j.Decision) })
	_, err = sweeper.Sweep(context.Background(), now)
	check(err)
	next, _, err := store.Next()
	fmt.Println("next", next, err)
	// Output:
	// "ann" of seen_1 expired at 2026-11-20T11:59:59.000Z by mongo.date
	// next 2026-11-20T12:30:00.000Z <nil>
}

// A shorter delay makes many documents due at once. Each transaction handles one batch,
// and a sweep may stop after any batch. Here the first sweep is canceled as soon as two
// documents are gone, and the second sweep continues.
func ExampleStore_Change() {
	store, remove := newStore()
	defer remove()
	check(store.Create("log", nil, 0))
	_, err := store.Change("log", createIndex(`{"key":{"at":1},"name":"at_1","expireAfterSeconds":86400}`, 0))
	check(err)
	for i := range int32(5) {
		check(store.Insert("log", bson(policy.D{
			{Key: "_id", Value: policy.Int32Value(i)},
			{Key: "at", Value: policy.DateValue(policy.Instant(i))},
		})))
	}
	reply, err := store.Change("log", func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
		return command.CollMod(c, document(`{"index":{"name":"at_1","expireAfterSeconds":60}}`), 0)
	})
	fmt.Println(policy.ObjectValue(reply), err)

	ctx, cancel := context.WithCancel(context.Background())
	sweeper := store.Sweeper(func(boltttl.Judgement) { cancel() })
	sweeper.Limit = 2
	did, err := sweeper.Sweep(ctx, 60_004)
	fmt.Println(did.Walked, "walked", did.Deleted, "deleted", err)
	did, err = sweeper.Sweep(context.Background(), 60_004)
	fmt.Println(did.Walked, "walked", did.Deleted, "deleted", err)
	// Output:
	// {"expireAfterSeconds_old":{"$numberLong":"86400"},"expireAfterSeconds_new":{"$numberLong":"60"}} <nil>
	// 5 walked 2 deleted context canceled
	// 0 walked 3 deleted <nil>
}

// A definition that a server refuses is refused with the server's code. A definition from
// a catalog is accepted unchanged, and the rule explains its effect.
func ExampleStore_Adopt() {
	store, remove := newStore()
	defer remove()
	check(store.Create("orders", nil, 0))
	_, err := store.Change("orders", createIndex(`{"key":{"at":1,"who":1},"name":"at_1_who_1","expireAfterSeconds":60}`, 0))
	refused, isRefused := errors.AsType[*mongo.SpecError](err)
	fmt.Println(isRefused && refused.Code == 67)

	check(store.Adopt("old", mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{
		Name: "at_1", Key: document(`{"at":1}`), ExpireAfterSeconds: policy.StringValue("60"),
	}}}))
	check(store.Insert("old", bson(document(`{"_id":1,"at":{"$date":"2001-01-01T00:00:00Z"}}`))))
	j, err := store.Judge("old", policy.Int32Value(1), policy.MaxInstant)
	fmt.Println(j.State, j.Rule, err)
	// Output:
	// true
	// never mongo.seconds-not-number <nil>
}

// A background sweeper runs until it is stopped.
func ExampleStore_Run() {
	store, remove := newStore()
	defer remove()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		sweeper := store.Sweeper(nil)
		sweeper.Margin, sweeper.Clock.MaxDowntime = time.Second, 30*24*time.Hour
		ended <- store.Run(ctx, sweeper, time.Minute)
	}()
	stop()
	fmt.Println(<-ended)
	// Output: context canceled
}
