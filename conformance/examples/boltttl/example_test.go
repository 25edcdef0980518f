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
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
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
	_, err := store.CreateIndex("sessions", document(`{"key":{"seen":1},"name":"seen_1","expireAfterSeconds":3600}`), now)
	check(err)
	check(store.Insert("sessions", bson(document(`{"_id":"ann","seen":{"$date":"2026-11-20T10:59:59Z"}}`))))
	check(store.Insert("sessions", bson(document(`{"_id":"bob","seen":{"$date":"2026-11-20T11:30:00Z"}}`))))

	sweeper := &boltttl.Sweeper{Store: store, Deleted: func(j boltttl.Judgement) {
		fmt.Println(j.ID, "of", j.Index, j.Decision)
	}}
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
func ExampleStore_CollMod() {
	store, remove := newStore()
	defer remove()
	check(store.Create("log", nil, 0))
	_, err := store.CreateIndex("log", document(`{"key":{"at":1},"name":"at_1","expireAfterSeconds":86400}`), 0)
	check(err)
	for i := range int32(5) {
		check(store.Insert("log", bson(policy.D{
			{Key: "_id", Value: policy.Int32Value(i)},
			{Key: "at", Value: policy.DateValue(policy.Instant(i))},
		})))
	}
	reply, err := store.CollMod("log", document(`{"index":{"name":"at_1","expireAfterSeconds":60}}`), 0)
	fmt.Println(reply.Old, reply.New, err)

	ctx, cancel := context.WithCancel(context.Background())
	sweeper := &boltttl.Sweeper{Store: store, Batch: 2, Deleted: func(boltttl.Judgement) { cancel() }}
	did, err := sweeper.Sweep(ctx, 60_004)
	fmt.Printf("%+v %v\n", did, err)
	did, err = sweeper.Sweep(context.Background(), 60_004)
	fmt.Printf("%+v %v\n", did, err)
	// Output:
	// {"$numberLong":"86400"} {"$numberLong":"60"} <nil>
	// {Deleted:2 Rejudged:5 Batches:4} context canceled
	// {Deleted:3 Rejudged:0 Batches:2} <nil>
}

// A definition that a server refuses is refused with the server's code. A definition from
// a catalog is accepted unchanged, and the rule explains its effect.
func ExampleStore_Adopt() {
	store, remove := newStore()
	defer remove()
	check(store.Create("orders", nil, 0))
	_, err := store.CreateIndex("orders", document(`{"key":{"at":1,"who":1},"name":"at_1_who_1","expireAfterSeconds":60}`), 0)
	fmt.Println(errors.Is(err, mongo.ErrorCode(67)))

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
func ExampleSweeper_Run() {
	store, remove := newStore()
	defer remove()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		sweeper := &boltttl.Sweeper{Store: store, Margin: time.Second, Clock: sweep.Clock{MaxDowntime: 30 * 24 * time.Hour}}
		ended <- sweeper.Run(ctx, time.Minute)
	}()
	stop()
	fmt.Println(<-ended)
	// Output: context canceled
}
