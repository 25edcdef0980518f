package wirettl

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// TestMonitorAfterALeap: a clock that leaps ahead disables the monitor, and deletes nothing
// until a client enables it again.
func TestMonitorAfterALeap(t *testing.T) {
	store, db := open(t, filepath.Join(t.TempDir(), "store"), mongo.Latest())
	t.Cleanup(func() { db.Close() })
	s := newServer(store, Options{})
	must(t, s.rules.Create("shop.carts", nil, 0))
	must(t, s.rules.CreateIndexes("shop.carts", []policy.D{document("key", document("at", 1), "name", "at_1", "expireAfterSeconds", 0)}, 0))
	must(t, store.Insert("shop.carts", []byte(bsonOf("_id", 1, "at", time.UnixMilli(1000)))))
	has := func() bool { _, err := store.Get("shop.carts", policy.Int32Value(1)); return err == nil }

	leapt := true
	s.monitor.trust = func() func() (policy.Instant, error) {
		return func() (policy.Instant, error) {
			if leapt {
				return 0, sweep.ErrLeap
			}
			return 2000, nil
		}
	}
	s.monitor.enable(true)
	s.monitor.pass(t.Context())
	if got := s.monitor.get(); got.enabled || got.passes != 0 || !has() {
		t.Errorf("after a leap: enabled %t, %d passes, the document is there: %t; want disabled and kept", got.enabled, got.passes, has())
	}
	leapt = false
	s.monitor.enable(true)
	s.monitor.pass(t.Context())
	if got := s.monitor.get(); !got.enabled || got.passes != 1 || got.deleted != 1 || has() {
		t.Errorf("enabled again: enabled %t, %d passes, %d deleted; want a pass that deletes", got.enabled, got.passes, got.deleted)
	}
}

// TestMonitorTrustsThisMachine: without the option Clock the monitor uses the clock of
// package sweep.
func TestMonitorTrustsThisMachine(t *testing.T) {
	s := newServer(nil, Options{Rules: rules{}})
	begin := policy.InstantOf(time.Now())
	if at, err := s.monitor.get().now(); err != nil || at < begin || at > policy.InstantOf(time.Now()) {
		t.Errorf("the time of a pass is %v, %v, want the present one", at, err)
	}
	set := newServer(nil, Options{Rules: rules{}, Clock: func() time.Time { return time.UnixMilli(7) }})
	if at, err := set.monitor.get().now(); err != nil || at != 7 {
		t.Errorf("the time of a pass is %v, %v, want that of the clock", at, err)
	}
}

// TestMargin: the monitor deletes a document once its deadline has passed by the margin.
func TestMargin(t *testing.T) {
	store, db := open(t, filepath.Join(t.TempDir(), "store"), mongo.Latest())
	t.Cleanup(func() { db.Close() })
	now := int64(10_500)
	s := newServer(store, Options{Margin: time.Second, Clock: func() time.Time { return time.UnixMilli(now) }})
	must(t, s.rules.Create("shop.carts", nil, 0))
	must(t, s.rules.CreateIndexes("shop.carts", []policy.D{document("key", document("at", 1), "name", "at_1", "expireAfterSeconds", 0)}, 0))
	must(t, store.Insert("shop.carts", []byte(bsonOf("_id", 1, "at", time.UnixMilli(10_000)))))
	for _, want := range []int64{0, 1} {
		s.monitor.pass(t.Context())
		if got := s.monitor.get().deleted; got != want {
			t.Errorf("at %d: %d deleted, want %d", now, got, want)
		}
		now = 11_000
	}
}
