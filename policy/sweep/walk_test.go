package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// walked returns a store with the dates 0 to 4 whose policy has just changed from a delay
// of 100 to delay. Its stored deadlines are still those of 100.
func walked(delay policy.Instant) *memory {
	m := five()
	for name, date := range m.dates {
		m.deadlines[name] = *date + 100
	}
	m.walks = true
	m.setDelay(delay)
	return m
}

// TestWalk: a walk replaces the stored deadlines by the deadlines of the policy, in
// batches.
func TestWalk(t *testing.T) {
	all := func(by policy.Instant) map[string]policy.Instant {
		return map[string]policy.Instant{"d0": by, "d1": 1 + by, "d2": 2 + by, "d3": 3 + by, "d4": 4 + by}
	}
	for _, tt := range []struct {
		why   string
		store func(*memory)
		want  sweep.Result
		left  map[string]policy.Instant
		err   error
	}{
		{"every document is decided about again", func(*memory) {}, sweep.Result{Walked: 5, Batches: 3}, all(10), nil},
		{"a transaction that runs twice counts once", func(m *memory) { m.again = true }, sweep.Result{Walked: 5, Batches: 3}, all(10), nil},
		{"there is nothing to finish", func(m *memory) { m.mark = nil }, sweep.Result{}, all(100), nil},
		{"a walk goes on at its mark", func(m *memory) { m.mark = ptr("d2") }, sweep.Result{Walked: 2, Batches: 1},
			map[string]policy.Instant{"d0": 100, "d1": 101, "d2": 102, "d3": 13, "d4": 14}, nil},
		{"a document without a date has no deadline", func(m *memory) { m.dates["d0"] = nil }, sweep.Result{Walked: 5, Batches: 3},
			map[string]policy.Instant{"d1": 11, "d2": 12, "d3": 13, "d4": 14}, nil},
		{"documents that others change are theirs", func(m *memory) { m.changing = map[string]bool{"d0": true, "d1": true} }, sweep.Result{Walked: 3, Changed: 2, Batches: 3},
			map[string]policy.Instant{"d0": 100, "d1": 101, "d2": 12, "d3": 13, "d4": 14}, nil},
		{"a Mark that does nothing", func(m *memory) { m.lazy = true }, sweep.Result{Walked: 10, Batches: 5}, all(100), sweep.ErrStillDue},
		{"a Mark that does nothing, of documents that others change", func(m *memory) { m.lazy, m.changing = true, map[string]bool{"d0": true, "d1": true} },
			sweep.Result{Changed: 10, Batches: 5}, all(100), sweep.ErrStillDue},
		{"the store fails", func(m *memory) { m.fail = 4 }, sweep.Result{}, all(100), errStore},
	} {
		m := walked(10)
		tt.store(m)
		got, err := (&sweep.Sweeper[string]{Update: m.update, Limit: 2}).Walk(context.Background())
		if diff := cmp.Diff(tt.want, got) + cmp.Diff(tt.left, m.deadlines); diff != "" || !errors.Is(err, tt.err) || len(m.dates) != 5 {
			t.Errorf("%s: Walk = %v, want %v; %d of 5 documents are left (-want +got):\n%s", tt.why, err, tt.err, len(m.dates), diff)
		}
	}
}

func ptr(s string) *string { return &s }

// TestWalkDecidesAsOnWrite: a walk decides at 0, whatever the clock shows.
func TestWalkDecidesAsOnWrite(t *testing.T) {
	m := walked(10)
	m.asked = policy.MaxInstant
	if _, err := (&sweep.Sweeper[string]{Update: m.update, Margin: time.Hour}).Walk(context.Background()); err != nil || m.asked != 0 {
		t.Errorf("Walk = %v, and decided at %d, want 0", err, m.asked)
	}
}

// TestSweepWalksFirst: a sweep deletes a document that is due by the new policy although
// its stored deadline is in the future. Without the walk the document stays.
func TestSweepWalksFirst(t *testing.T) {
	for _, walks := range []bool{true, false} {
		m := walked(10)
		m.walks = walks
		want := map[bool]int{true: 3, false: 0}[walks]
		got, err := (&sweep.Sweeper[string]{Update: m.update}).Sweep(context.Background(), 12)
		if err != nil || got.Deleted != want || len(m.dates) != 5-want {
			t.Errorf("a store that can be walked through, %t: Sweep = %+v, %v, want %d deleted", walks, got, err, want)
		}
	}
}

// TestWalkNeedsAWalker: Walk fails for a store that is not a Walker.
func TestWalkNeedsAWalker(t *testing.T) {
	m := five()
	if got, err := (&sweep.Sweeper[string]{Update: m.update}).Walk(context.Background()); err == nil || m.commits != 0 {
		t.Errorf("Walk = %+v, %v after %d transactions, want an error and none", got, err, m.commits)
	}
}

// TestPropertyWalk: although transactions fail and the policy changes again, each
// deadline in the end is that of the last policy, and only expired documents were
// deleted.
func TestPropertyWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &memory{dates: map[string]*policy.Instant{}, deadlines: map[string]policy.Instant{}, walks: true}
		for i := range rapid.IntRange(0, 12).Draw(t, "documents") {
			name, date := fmt.Sprintf("d%02d", i), policy.Instant(rapid.IntRange(0, 20).Draw(t, "date"))
			m.dates[name], m.deadlines[name] = at(date), date
		}
		changes := rapid.IntRange(1, 3).Draw(t, "changes")
		m.between = func() {
			m.fail = rapid.SampledFrom([]int{0, 0, 1, 2, 3, 5, 8}).Draw(t, "failing call")
			if changes > 0 && rapid.Bool().Draw(t, "a change") {
				changes--
				m.setDelay(policy.Instant(rapid.IntRange(-20, 20).Draw(t, "delay")))
			}
		}
		s := &sweep.Sweeper[string]{Update: m.update, Limit: rapid.IntRange(1, 5).Draw(t, "limit")}
		now := policy.Instant(rapid.IntRange(0, 40).Draw(t, "now"))
		s.Deleted = func(name string, d policy.Decision) {
			if d.State != policy.Expired {
				t.Errorf("%s is deleted, and is %s", name, d)
			}
		}
		for range 100 {
			if _, err := s.Sweep(context.Background(), now); err == nil && changes == 0 {
				break
			}
		}
		m.between, m.fail, changes = nil, 0, 0
		if _, err := s.Sweep(context.Background(), now); err != nil || m.mark != nil {
			t.Fatalf("the last sweep ends with %v, and a walk to finish: %t", err, m.mark != nil)
		}
		want := map[string]policy.Instant{}
		for name, date := range m.dates {
			if want[name] = *date + m.delay; want[name] <= now {
				t.Errorf("%s is left, and was due at %d", name, want[name])
			}
		}
		if !maps.Equal(want, m.deadlines) {
			t.Errorf("remembered are %v, want %v", m.deadlines, want)
		}
	})
}
