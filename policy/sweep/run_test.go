package sweep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// empty is a store without documents.
type empty struct{ asked []policy.Instant }

func (e *empty) update(_ context.Context, do func(Batch[string]) error) error { return do(e) }

func (e *empty) Due(now policy.Instant, _ int) ([]string, error) {
	e.asked = append(e.asked, now)
	return nil, nil
}
func (*empty) Read(string) (func(policy.Instant) policy.Decision, error) { return nil, nil }
func (*empty) Delete(string, policy.Decision) error                      { return nil }
func (*empty) Correct(string, policy.Decision) error                     { return nil }

// TestRunRefusesLeaps has sweeps a minute apart by the clock that nobody sets.
func TestRunRefusesLeaps(t *testing.T) {
	const minute = policy.Instant(60_000)
	for _, tt := range []struct {
		name    string
		maxLeap time.Duration
		walls   []policy.Instant // at each sweep, beginning with that of Run itself
		swept   int
		leapt   bool
	}{
		{"a clock that keeps time", 0, []policy.Instant{0, minute, 2 * minute, 3 * minute}, 4, false},
		{"one that gains a minute", 0, []policy.Instant{0, 2 * minute}, 2, false},
		{"one that gains a millisecond more", 0, []policy.Instant{0, 2*minute + 1}, 1, true},
		{"less is allowed", time.Second, []policy.Instant{0, minute + 1001}, 1, true},
		{"just that", time.Second, []policy.Instant{0, minute + 1000}, 2, false},
		{"it goes back", 0, []policy.Instant{5 * minute, 0, minute}, 3, false},
		{"it goes back, and ahead again", 0, []policy.Instant{5 * minute, 0, 7 * minute}, 2, true},
		{"the year 58856", 0, []policy.Instant{0, policy.MaxInstant}, 1, true},
		{"from the first instant to the last", 0, []policy.Instant{policy.MinInstant, policy.MaxInstant}, 1, true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		store := &empty{}
		s := &Sweeper[string]{Update: store.update, MaxLeap: tt.maxLeap}
		reads := 0
		s.now = func() reading { // Run reads once to begin, then before and after each sweep
			if reads++; reads == 1 {
				return reading{tt.walls[0], 0}
			}
			i := min((reads-2)/2, len(tt.walls)-1)
			passed := time.Duration(i) * time.Minute
			if reads%2 == 1 { // after a sweep that took long, so that Run does not wait
				passed += time.Hour
			}
			return reading{tt.walls[i], passed}
		}
		s.Swept = func(Result, error) {
			if len(store.asked) == len(tt.walls) {
				cancel()
			}
		}
		err := s.Run(ctx, time.Minute)
		if got := errors.Is(err, ErrLeap); got != tt.leapt || !got && !errors.Is(err, context.Canceled) || len(store.asked) != tt.swept || !slices.Equal(store.asked, tt.walls[:tt.swept]) {
			t.Errorf("%s: Run = %v after sweeps at %v, want %d sweeps, a leap: %t", tt.name, err, store.asked, tt.swept, tt.leapt)
		}
		cancel()
	}
}

// TestRun uses the clocks of this machine.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	store := &empty{}
	s := &Sweeper[string]{Update: store.update, Swept: func(_ Result, err error) {
		if err != nil {
			t.Error(err)
		}
		if len(store.asked) == 3 {
			cancel()
		}
	}}
	begin := policy.InstantOf(time.Now())
	if err := s.Run(ctx, time.Millisecond); !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that the context is done", err)
	}
	end := policy.InstantOf(time.Now())
	if len(store.asked) != 3 || store.asked[0] < begin || store.asked[2] > end || !slices.IsSorted(store.asked) {
		t.Errorf("sweeps at %v, want three from %s to %s", store.asked, begin, end)
	}
	if err := s.Run(ctx, 0); err == nil || !strings.Contains(err.Error(), "want more than 0") {
		t.Errorf("Run every 0 = %v", err)
	}
}

// TestRunGoesOn: a store that fails is asked again.
func TestRunGoesOn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	full := errors.New("the disk is full")
	var got []error
	s := &Sweeper[string]{Update: func(context.Context, func(Batch[string]) error) error { return full }}
	s.Swept = func(_ Result, err error) {
		if got = append(got, err); len(got) == 3 {
			cancel()
		}
	}
	if err := s.Run(ctx, time.Microsecond); !errors.Is(err, context.Canceled) || !slices.Equal(got, []error{full, full, full}) {
		t.Errorf("Run = %v after %v", err, got)
	}
}
