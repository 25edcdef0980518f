package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// five returns a store of documents with the dates 0 to 4, whose stored deadlines are
// right.
func five() *memory {
	m := &memory{dates: map[string]*policy.Instant{}, deadlines: map[string]policy.Instant{}}
	for i := range policy.Instant(5) {
		name := fmt.Sprintf("d%d", i)
		m.dates[name], m.deadlines[name] = at(i), i
	}
	return m
}

func TestSweep(t *testing.T) {
	two := func(n int) map[policy.Rule]int { return map[policy.Rule]int{ruleDate: n} }
	for _, tt := range []struct {
		why   string
		store func(*memory)
		want  sweep.Result
		gone  []string // in the order in which they are reported
		err   error
	}{
		{"the deadline itself counts, and later ones stay", func(*memory) {},
			sweep.Result{Deleted: 3, ByRule: two(3), Batches: 2, Lag: 2 * time.Millisecond}, []string{"d0", "d1", "d2"}, nil},
		{"a date that has moved since saves the document", func(m *memory) { m.dates["d0"] = at(9) },
			sweep.Result{Deleted: 2, ByRule: two(2), Corrected: 1, Batches: 2, Lag: 1 * time.Millisecond}, []string{"d1", "d2"}, nil},
		{"so does one that is gone", func(m *memory) { m.dates["d0"] = nil },
			sweep.Result{Deleted: 2, ByRule: two(2), Corrected: 1, Batches: 2, Lag: 1 * time.Millisecond}, []string{"d1", "d2"}, nil},
		{"a document that somebody else has deleted", func(m *memory) { delete(m.dates, "d0") },
			sweep.Result{Deleted: 2, ByRule: two(2), Corrected: 1, Batches: 2, Lag: 1 * time.Millisecond}, []string{"d1", "d2"}, nil},
		{"a document that changes all the time is left alone", func(m *memory) { m.changing = map[string]bool{"d1": true} },
			sweep.Result{Deleted: 2, ByRule: two(2), Changed: 3, Batches: 3, Lag: 2 * time.Millisecond}, []string{"d0", "d2"}, nil},
		{"a transaction that runs twice counts once", func(m *memory) { m.again = true },
			sweep.Result{Deleted: 3, ByRule: two(3), Batches: 2, Lag: 2 * time.Millisecond}, []string{"d0", "d1", "d2"}, nil},
		{"a Delete that does nothing", func(m *memory) { m.lazy = true },
			sweep.Result{Deleted: 4, ByRule: two(4), Batches: 2, Lag: 2 * time.Millisecond}, []string{"d0", "d1", "d0", "d1"}, sweep.ErrStillDue},
		{"a Correct that does nothing", func(m *memory) { m.lazy, m.dates["d0"], m.dates["d1"] = true, nil, nil },
			sweep.Result{Corrected: 4, Batches: 2}, nil, sweep.ErrStillDue},
		{"the store fails before it reads", func(m *memory) { m.fail = 1 }, sweep.Result{}, nil, errStore},
		{"it fails at the first document", func(m *memory) { m.fail = 2 }, sweep.Result{}, nil, errStore},
		{"it fails to delete", func(m *memory) { m.fail = 3 }, sweep.Result{Lag: 2 * time.Millisecond}, nil, errStore},
		{"it fails at the second document", func(m *memory) { m.fail, m.dates["d0"] = 5, nil }, sweep.Result{Lag: 1 * time.Millisecond}, nil, errStore},
		{"the commit fails", func(m *memory) { m.fail = 6 }, sweep.Result{Lag: 2 * time.Millisecond}, nil, errStore},
	} {
		m := five()
		tt.store(m)
		var gone []string
		s := &sweep.Sweeper[string]{Update: m.update, Limit: 2, Deleted: func(name string, d policy.Decision) {
			gone = append(gone, name)
			if d.State != policy.Expired || d.Rule != ruleDate {
				t.Errorf("%s: %s is reported as %s by %s", tt.why, name, d.State, d.Rule)
			}
		}}
		got, err := s.Sweep(context.Background(), 2)
		tt.want.At = 2
		if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, tt.err) || !slices.Equal(gone, tt.gone) {
			t.Errorf("%s: Sweep = %v, reported %v, want %v and %v (-want +got):\n%s", tt.why, err, gone, tt.err, tt.gone, diff)
		}
	}
}

// TestSweepLooksAtWhatIsStoredNow: a sweep decides by the stored documents, even if a
// writer gives one document a later date and another an earlier date between two batches.
func TestSweepLooksAtWhatIsStoredNow(t *testing.T) {
	m := five()
	m.between = func() {
		if m.commits == 1 {
			m.dates["d1"] = at(50) // its stored deadline is still 1
			m.dates["d4"], m.deadlines["d4"] = at(-1), -1
		}
	}
	got, err := (&sweep.Sweeper[string]{Update: m.update, Limit: 1}).Sweep(context.Background(), 2)
	want := sweep.Result{At: 2, Deleted: 3, ByRule: map[policy.Rule]int{ruleDate: 3}, Corrected: 1, Batches: 4, Lag: 3 * time.Millisecond}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || m.dates["d1"] == nil || m.deadlines["d1"] != 50 {
		t.Errorf("Sweep = %v, d1 is %v (-want +got):\n%s", err, m.deadlines["d1"], diff)
	}
}

// TestNothingIsReportedThatIsNotStored: whichever call of the second transaction fails,
// the reported documents are exactly the deleted ones.
func TestNothingIsReportedThatIsNotStored(t *testing.T) {
	failed := 0
	for n := 1; ; n++ {
		m := five()
		m.between = func() { m.fail = n * m.commits }
		reported := 0
		s := &sweep.Sweeper[string]{Update: m.update, Limit: 2, Deleted: func(string, policy.Decision) { reported++ }}
		got, err := s.Sweep(context.Background(), 4)
		if reported != 5-len(m.dates) || got.Deleted != reported {
			t.Errorf("call %d fails: %d reported, %d counted, %d gone", n, reported, got.Deleted, 5-len(m.dates))
		}
		if err == nil {
			break
		}
		failed++
		m.between, m.fail = nil, 0
		if again, err := s.Sweep(context.Background(), 4); err != nil || len(m.dates) != 0 || got.Deleted+again.Deleted != 5 {
			t.Errorf("call %d fails: the next sweep = %+v, %v, and %d are left", n, again, err, len(m.dates))
		}
	}
	if failed < 5 {
		t.Errorf("a transaction failed in %d ways, want more", failed)
	}
}

func TestSweepStops(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	m := five()
	s := &sweep.Sweeper[string]{Update: m.update, Limit: 2}
	if got, err := s.Sweep(done, 4); !errors.Is(err, context.Canceled) || m.commits != 0 {
		t.Errorf("Sweep of a context that is done = %+v, %v, want no transaction", got, err)
	}
	if _, err := (&sweep.Sweeper[string]{}).Sweep(context.Background(), 4); err == nil {
		t.Error("a sweeper without a store sweeps")
	}
}

// TestMargin: if the clock is ahead by at most the margin, nothing is deleted early.
func TestMargin(t *testing.T) {
	for _, tt := range []struct {
		margin  time.Duration
		now     policy.Instant
		deleted int // the number of deleted documents of those with deadlines 0 to 4
		lag     time.Duration
	}{
		{0, 2, 3, 2 * time.Millisecond},
		{time.Millisecond, 2, 2, 2 * time.Millisecond},
		{time.Microsecond, 2, 2, 2 * time.Millisecond}, // rounded up
		{2 * time.Millisecond, 2, 1, 2 * time.Millisecond},
		{3 * time.Millisecond, 2, 0, 0},
		{time.Hour, policy.MinInstant + 1, 0, 0},
		{time.Hour, policy.MaxInstant, 5, math.MaxInt64 / time.Millisecond * time.Millisecond},
	} {
		m := five()
		got, err := (&sweep.Sweeper[string]{Update: m.update, Margin: tt.margin}).Sweep(context.Background(), tt.now)
		if err != nil || got.Deleted != tt.deleted || got.Lag != tt.lag {
			t.Errorf("margin %s, Sweep(%d) = %d deleted, lag %s, %v; want %d, %s", tt.margin, tt.now, got.Deleted, got.Lag, err, tt.deleted, tt.lag)
		}
	}
	m := five()
	if _, err := (&sweep.Sweeper[string]{Update: m.update, Margin: -1}).Sweep(context.Background(), 2); err == nil || m.commits > 0 {
		t.Errorf("a margin below 0: %v after %d transactions", err, m.commits)
	}
}

// TestSharedPace: two sweepers wait for the same limiter, which gets the number of
// documents of each batch.
func TestSharedPace(t *testing.T) {
	var handled []int
	full := errors.New("no more today")
	pace := func(_ context.Context, n int) error {
		if handled = append(handled, n); len(handled) == 4 {
			return full
		}
		return nil
	}
	for i, want := range []error{nil, full} {
		m := five()
		_, err := (&sweep.Sweeper[string]{Update: m.update, Limit: 2, Pace: pace}).Sweep(context.Background(), 2)
		if !errors.Is(err, want) {
			t.Errorf("sweeper %d: %v, want %v", i, err, want)
		}
	}
	if want := []int{2, 1, 2, 1}; !slices.Equal(handled, want) {
		t.Errorf("the limiter was told %v, want %v", handled, want)
	}
}

// TestPropertySweep: whatever deadlines are stored, a sweep removes exactly the
// expired documents, and leaves the right deadlines.
func TestPropertySweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		instants := rapid.OneOf(rapid.Int64Range(-3, 12), rapid.SampledFrom([]int64{int64(policy.MinInstant), int64(policy.MaxInstant)}))
		m := &memory{dates: map[string]*policy.Instant{}, deadlines: map[string]policy.Instant{}}
		now := policy.Instant(instants.Draw(t, "now"))
		expired := map[string]bool{}
		for i := range rapid.IntRange(0, 20).Draw(t, "documents") {
			name := fmt.Sprint(i)
			if date := policy.Instant(instants.Draw(t, "date")); rapid.Bool().Draw(t, "has a date") {
				m.dates[name], expired[name] = at(date), date <= now
				m.deadlines[name] = min(date, policy.Instant(instants.Draw(t, "remembered"))) // never later than the date
			} else {
				m.dates[name] = nil
				m.deadlines[name] = policy.Instant(instants.Draw(t, "remembered"))
			}
		}
		s := &sweep.Sweeper[string]{Update: m.update, Limit: rapid.IntRange(0, 5).Draw(t, "limit")}
		s.Deleted = func(name string, _ policy.Decision) {
			if !expired[name] {
				t.Errorf("%s is deleted, and was not expired", name)
			}
			delete(expired, name)
		}
		if _, err := s.Sweep(context.Background(), now); err != nil {
			t.Fatal(err)
		}
		for name, due := range expired {
			if _, there := m.dates[name]; due || !there {
				t.Errorf("%s: due %t, still there %t", name, due, there)
			}
		}
		for name, deadline := range m.deadlines {
			if date := m.dates[name]; deadline <= now || date != nil && deadline > *date {
				t.Errorf("%s has the deadline %d after a sweep at %d", name, deadline, now)
			}
		}
	})
}
