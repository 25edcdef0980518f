package sweep_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The contracts of docs/implementing.md for snapshots, shards and replicas.

func after(t *testing.T, seconds policy.Seconds) *mongo.Collection {
	t.Helper()
	profile, err := mongo.ProfileOf(mongo.Latest)
	if err != nil {
		t.Fatal(err)
	}
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("t", seconds)}}, profile)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func dated(t policy.Instant) policy.D { return policy.D{{Key: "t", Value: policy.DateValue(t)}} }

// A snapshot shows the same documents whenever it is read: it is decided at its own time, by
// the policy of its own time.
func TestContractSnapshot(t *testing.T) {
	type snapshot struct {
		readAt policy.Instant
		policy *mongo.Collection
	}
	then := snapshot{readAt: 50_000, policy: after(t, 60)}
	doc := dated(0)
	isShown := func(s snapshot) bool { return s.policy.Decide(doc, s.readAt).State != policy.Expired }
	if !isShown(then) {
		t.Error("the snapshot hides a document that had not expired when it was taken")
	}
	if isShown(snapshot{90_000, then.policy}) || isShown(snapshot{then.readAt, after(t, 30)}) {
		t.Error("the clock of now and the policy of now make no difference here, so this test shows nothing")
	}
}

// A document that moves to another shard is decided again there. The deadline that came with
// it is a hint for when to look.
func TestContractShard(t *testing.T) {
	source, target := after(t, 30), after(t, 3600) // the target has heard of a longer delay already
	doc := dated(0)
	hint := fixture.Deadline(source.Decide(doc, 0))
	if hint != 30_000 {
		t.Fatalf("the hint is %v", hint)
	}
	if d := target.Decide(doc, hint); d.State != policy.Pending || fixture.Deadline(d) != 3_600_000 {
		t.Errorf("the target decides %v at the hint, want pending", d)
	}
}

// A replica holds documents by version, and applies deletes that name one.
type replica map[string]versioned

type versioned struct {
	version int
	doc     policy.D
}

// remove deletes the version that was decided about, and no other. A second time it does
// nothing.
func (r replica) remove(id string, version int) {
	if r[id].version == version {
		delete(r, id)
	}
}

// One replica decides. The others apply "delete this version", without a clock or a policy of
// their own, so that a write in between wins on all of them.
func TestContractReplica(t *testing.T) {
	ttl := after(t, 60)
	primary, secondary := replica{}, replica{}
	for _, r := range []replica{primary, secondary} {
		r["gone"], r["touched"] = versioned{1, dated(0)}, versioned{1, dated(0)}
	}
	type removal struct {
		id      string
		version int
	}
	var log []removal
	for id, v := range primary {
		if ttl.Decide(v.doc, 60_000).State == policy.Expired {
			log = append(log, removal{id, v.version})
		}
	}
	if len(log) != 2 {
		t.Fatalf("%d are due, want 2", len(log))
	}
	touched := versioned{2, dated(60_000)}
	primary["touched"], secondary["touched"] = touched, touched // before the deletes arrive
	for range 2 {                                               // a log may be applied again
		for _, r := range []replica{primary, secondary} {
			for _, x := range log {
				r.remove(x.id, x.version)
			}
		}
	}
	for _, r := range []replica{primary, secondary} {
		if _, ok := r["gone"]; ok || len(r) != 1 || r["touched"].version != 2 {
			t.Errorf("a replica holds %v, want the touched document alone", r)
		}
	}
}

// A clock that is an interval has expired a document only if its earliest end has.
func TestContractIntervalClock(t *testing.T) {
	ttl := after(t, 60)
	d := ttl.Decide(dated(0), 0)
	for _, tt := range []struct {
		earliest, latest policy.Instant
		want             bool
	}{{50_000, 59_999, false}, {59_999, 60_001, false}, {60_000, 60_002, true}} {
		if got := d.At(tt.earliest).State == policy.Expired; got != tt.want {
			t.Errorf("from %d to %d: expired %v, want %v", tt.earliest, tt.latest, got, tt.want)
		}
	}
	if d.At(60_001).State != policy.Expired {
		t.Error("the latest end has expired none, so this test shows nothing")
	}
}
