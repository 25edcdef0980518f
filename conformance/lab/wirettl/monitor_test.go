package wirettl

import (
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// TestMonitorAfterALeap: a clock that leaps ahead disables the monitor, and deletes nothing
// until a client enables it again.
func TestMonitorAfterALeap(t *testing.T) {
	s := newTestServer(t, Options{})
	carts(t, s, time.UnixMilli(1000))
	s.trusted = &sweep.Clock{LastKnown: 0, MaxDowntime: time.Hour} // whose first reading is beyond
	s.pass()
	if has := len(s.collections["shop.carts"].documents) == 1; s.enabled || s.passes != 0 || !has {
		t.Errorf("after a leap: enabled %t, %d passes, the document is there: %t; want disabled and kept", s.enabled, s.passes, has)
	}
	s.enable(true)
	s.pass()
	if has := len(s.collections["shop.carts"].documents) == 1; !s.enabled || s.passes != 1 || s.deleted != 1 || has {
		t.Errorf("enabled again: enabled %t, %d passes, %d deleted; want a pass that deletes", s.enabled, s.passes, s.deleted)
	}
}

// carts makes a collection with a document whose deadline is at.
func carts(t *testing.T, s *server, at time.Time) {
	t.Helper()
	answered(t, s, "createIndexes", "carts", "indexes", list(document("key", document("at", 1), "name", "at_1", "expireAfterSeconds", 0)))
	answered(t, s, "insert", "carts", "documents", list(document("_id", 1, "at", at)))
}
