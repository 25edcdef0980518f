// Package boltttl is a small document store with TTL on go.etcd.io/bbolt: an
// example for those who build TTL into a database. It passes the conformance
// suite for every MongoDB release, and is meant to be read.
//
//	store, err := boltttl.Open(db, mongo.Latest())
//	err = store.Create("sessions", nil, now)
//	_, err = store.Change("sessions", func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
//		return command.CreateIndexes(c, []policy.D{index}, now)
//	})
//	err = store.Insert("sessions", doc)
//	_, err = store.Sweeper(nil).Sweep(ctx, now)
//
// # The idea
//
// A policy turns a document into a deadline, and the clock is read last. A
// write therefore decides once, without a clock, and files the document under
// its deadline in one ordered index for all collections. A sweep reads that
// index from its beginning and stops at the first deadline in the future:
// documents that are not due cost it nothing.
//
// # What has to hold
//
//   - Each record holds its own deadline, so that its entry in the index can be found
//     when the policy that made the entry is gone (layout.go, collection.go).
//   - Before a deletion the policy as it is stored now decides about the document once
//     more: an entry says when to look, never what to do. Package policy/sweep sees to
//     that; the methods at the end of sweep.go are those that it calls.
//   - A change of policy is stored together with the note that documents are to
//     be judged anew; a walk in batches does that, notes how far it came, and
//     can be begun again at any time (commands.go).
//   - Each transaction leaves a file from which a sweep can go on. Nothing else
//     is needed for crash safety (store.go), and the tests crash the store before
//     every single change.
//
// # How to find one's way
//
// layout.go is the file's format; commands.go defines policies and documents.go
// writes documents; sweep.go deletes. collection.go keeps a
// policy as bytes, compiles it once and decides on a write; id.go makes a key from an
// _id of any type. conforms_test.go runs the suite on the store. The guide to all
// this is docs/implementing.md.
package boltttl
