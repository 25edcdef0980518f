package sweep_test

import (
	"context"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// These tests check the contracts of docs/implementing.md for snapshots, shards and
// replicas. Each test runs one implementation that keeps the contract, and several
// implementations that break it, which the test must detect.

func after(t rapid.TB, seconds int32) *mongo.Collection {
	t.Helper()
	return on(t, mongo.Latest(), policy.Int32Value(int32(seconds)))
}

// on compiles a TTL index on t for a release.
func on(t rapid.TB, release mongo.Version, seconds policy.Value) *mongo.Collection {
	t.Helper()
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		t.Fatal(err)
	}
	x := mongo.TTLIndex("t", 0)
	x.ExpireAfterSeconds = seconds
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{x}}, profile)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func dated(t policy.Instant) policy.D { return policy.D{{Key: "t", Value: policy.DateValue(t)}} }

// checkWays fails unless violation finds nothing for the implementation named "kept", and
// finds a violation for every other implementation.
func checkWays[W any](t *testing.T, ways map[string]W, violation func(W) string) {
	t.Helper()
	for name, way := range ways {
		if got := violation(way); (got == "") != (name == "kept") {
			t.Errorf("%s: the violation found is %q", name, got)
		}
	}
}

// A snapshot shows the same documents whenever it is read: its documents are decided at the
// snapshot's time, by the policy of that time.
func TestContractSnapshot(t *testing.T) {
	type state struct {
		now    policy.Instant
		policy *mongo.Collection
	}
	taken, present := state{50_000, after(t, 60)}, state{90_000, after(t, 30)}
	checkWays(t, map[string]func(taken, present state) state{
		"kept":                   func(taken, _ state) state { return taken },
		"by the clock of now":    func(taken, present state) state { return state{present.now, taken.policy} },
		"by the policy of now":   func(taken, present state) state { return state{taken.now, present.policy} },
		"by all that is present": func(_, present state) state { return present },
	}, func(by func(taken, present state) state) string {
		s := by(taken, present)
		if s.policy.Decide(dated(0), s.now).State == policy.Expired {
			return "the snapshot hides a document that had not expired when it was taken"
		}
		return ""
	})
}

// An arrival is a document that moves to a shard from another, with its stored deadline
// and the fingerprint of the policy that decided.
type arrival struct {
	doc         policy.D
	deadline    policy.Instant // meaningful if expires is true
	expires     bool
	fingerprint policy.Fingerprint
}

func sent(by *mongo.Collection, doc policy.D) arrival {
	deadline, expires := by.Decide(doc, 0).Deadline()
	return arrival{doc, deadline, expires, by.Fingerprint()}
}

// A shard keeps the deadline of an arriving document if the fingerprint of the arrival is
// that of the shard's own policy; otherwise the shard decides again.
func TestContractShard(t *testing.T) {
	nan := policy.DoubleValue(math.NaN())
	policies := []*mongo.Collection{
		after(t, 30), after(t, 3600), // two shards whose delays differ
		on(t, mongo.Version{Major: 4, Minor: 4, Patch: 29}, nan), on(t, mongo.Version{Major: 5, Minor: 0, Patch: 9}, nan), // two shards whose releases differ
	}
	decided := func(own *mongo.Collection, a arrival) (policy.Instant, bool) { return own.Decide(a.doc, 0).Deadline() }
	checkWays(t, map[string]func(own *mongo.Collection, a arrival) (policy.Instant, bool){
		"kept": func(own *mongo.Collection, a arrival) (policy.Instant, bool) {
			if a.fingerprint == own.Fingerprint() {
				return a.deadline, a.expires
			}
			return decided(own, a)
		},
		"it takes over every deadline": func(_ *mongo.Collection, a arrival) (policy.Instant, bool) { return a.deadline, a.expires },
		"it takes over every deadline there is": func(own *mongo.Collection, a arrival) (policy.Instant, bool) {
			if a.expires {
				return a.deadline, true
			}
			return decided(own, a)
		},
		"it compares the wrong way": func(own *mongo.Collection, a arrival) (policy.Instant, bool) {
			if a.fingerprint != own.Fingerprint() {
				return a.deadline, a.expires
			}
			return decided(own, a)
		},
	}, func(take func(own *mongo.Collection, a arrival) (policy.Instant, bool)) string {
		for _, source := range policies {
			for _, target := range policies {
				doc := dated(0)
				got, expires := take(target, sent(source, doc))
				if want, should := target.Decide(doc, 0).Deadline(); got != want || expires != should {
					return "a document is remembered with a deadline that is not of the policy here"
				}
			}
		}
		return ""
	})
}

// A removal is the log entry of a primary for a document that it has deleted.
type removal struct {
	id          string
	version     int
	fingerprint policy.Fingerprint // the fingerprint of the policy by which the document expired
}

// A replica holds documents by version.
type replica struct {
	docs    map[string]versioned
	policy  *mongo.Collection
	now     policy.Instant // the clock of the replica
	refused bool           // the replica has stopped at a removal, which an operator must check
}

type versioned struct {
	version int
	doc     policy.D
}

// The primary decides, and logs the version of the document and the fingerprint of the
// policy. The replicas delete that version without reading a clock, so that a later write
// survives on every replica, and a log can be applied twice. A replica with another
// policy, or another version of the library, refuses the removal.
func TestContractReplica(t *testing.T) {
	primary := after(t, 60)
	remove := func(r *replica, x removal) {
		if r.docs[x.id].version == x.version {
			delete(r.docs, x.id)
		}
	}
	checkWays(t, map[string]func(*replica, removal){
		"kept": func(r *replica, x removal) {
			if r.refused = r.refused || x.fingerprint != r.policy.Fingerprint(); !r.refused {
				remove(r, x)
			}
		},
		"it does not compare versions": func(r *replica, x removal) {
			if r.refused = r.refused || x.fingerprint != r.policy.Fingerprint(); !r.refused {
				delete(r.docs, x.id)
			}
		},
		"it does not compare fingerprints": remove,
		"it passes over what it refuses": func(r *replica, x removal) {
			if x.fingerprint == r.policy.Fingerprint() {
				remove(r, x)
			}
		},
		"it decides by its own clock": func(r *replica, x removal) {
			if r.policy.Decide(r.docs[x.id].doc, r.now).State == policy.Expired {
				remove(r, x)
			}
		},
	}, func(apply func(*replica, removal)) string {
		docs := map[string]versioned{"gone": {1, dated(0)}, "touched": {1, dated(0)}}
		var log []removal
		for _, id := range []string{"gone", "touched"} {
			if primary.Decide(docs[id].doc, 60_000).State == policy.Expired {
				log = append(log, removal{id, docs[id].version, primary.Fingerprint()})
			}
		}
		docs["touched"] = versioned{2, dated(60_000)} // written before the removals arrive
		same := &replica{docs: maps.Clone(docs), policy: after(t, 60), now: 10_000}
		other := &replica{docs: maps.Clone(docs), policy: after(t, 3600), now: 70_000}
		for _, r := range []*replica{same, other} {
			for _, x := range slices.Concat(log, log) {
				apply(r, x)
			}
		}
		switch _, isGone := same.docs["gone"]; {
		case isGone || len(same.docs) != 1 || same.docs["touched"].version != 2 || same.refused:
			return "the replica does not hold the touched document alone"
		case len(other.docs) != 2 || !other.refused:
			return "a replica with another policy goes on with a removal that it would not have decided"
		}
		return ""
	})
}

// If the clock reads an interval, a document has expired only if it is expired at the
// beginning of the interval. A sweep at the middle, with half the width as its margin,
// removes exactly these documents.
func TestContractIntervalClock(t *testing.T) {
	ttl := after(t, 60)
	checkWays(t, map[string]func(half time.Duration) time.Duration{
		"kept":                   func(half time.Duration) time.Duration { return half },
		"no margin":              func(time.Duration) time.Duration { return 0 },
		"a quarter of the width": func(half time.Duration) time.Duration { return half / 2 },
		"the whole width":        func(half time.Duration) time.Duration { return 2 * half },
	}, func(margin func(half time.Duration) time.Duration) (found string) {
		rapid.Check(t, func(t *rapid.T) {
			store := &memoryStore{ttl: ttl, docs: map[string]policy.Document{}, deadlines: map[string]policy.Instant{}}
			half := policy.Instant(rapid.IntRange(1, 5).Draw(t, "half of the width"))
			middle := policy.Instant(rapid.IntRange(60_000, 60_030).Draw(t, "middle"))
			want := 0
			for i := range policy.Instant(40) {
				store.put(string(rune('a'+i)), dated(i))
				if ttl.Decide(dated(i), middle-half).State == policy.Expired { // at the beginning of the interval
					want++
				}
			}
			s := &sweep.Sweeper[string]{Update: store.update, Margin: margin(time.Duration(half) * time.Millisecond)}
			got, err := s.Sweep(context.Background(), middle)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case got.Deleted > want:
				found = "documents go that may not have expired"
			case got.Deleted < want:
				found = "documents stay that have expired for certain"
			}
		})
		return found
	})
}
