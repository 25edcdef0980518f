package sweep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

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

// TestRunRefusesLeaps sweeps once a minute by the monotonic clock.
func TestRunRefusesLeaps(t *testing.T) {
	const minute = policy.Instant(60_000)
	for _, tt := range []struct {
		name  string
		clock Clock
		walls []policy.Instant // the wall clock at each sweep
		swept int
		leapt bool
	}{
		{"a clock that keeps time", Clock{}, []policy.Instant{0, minute, 2 * minute, 3 * minute}, 4, false},
		{"one that gains a minute", Clock{}, []policy.Instant{0, 2 * minute}, 2, false},
		{"one that gains a millisecond more", Clock{}, []policy.Instant{0, 2*minute + 1}, 1, true},
		{"less is allowed", Clock{MaxLeap: time.Second}, []policy.Instant{0, minute + 1001}, 1, true},
		{"just that", Clock{MaxLeap: time.Second}, []policy.Instant{0, minute + 1000}, 2, false},
		{"it goes back", Clock{}, []policy.Instant{5 * minute, 0, minute}, 3, false},
		{"it goes back, and ahead again", Clock{}, []policy.Instant{5 * minute, 0, 7 * minute}, 2, true},
		{"the year 58856", Clock{}, []policy.Instant{0, policy.MaxInstant}, 1, true},
		{"from the first instant to the last", Clock{}, []policy.Instant{policy.MinInstant, policy.MaxInstant}, 1, true},
		{"it gains 59 s a minute", Clock{}, []policy.Instant{0, minute + 59_000, 2*minute + 118_000}, 2, true},
		{"it gains 21 s a minute", Clock{}, []policy.Instant{0, minute + 21_000, 2*minute + 42_000, 3*minute + 63_000}, 3, true},
		{"it gains 20 s twice, and loses them", Clock{}, []policy.Instant{0, minute + 20_000, 2*minute + 40_000, 3 * minute, 4*minute + 60_000}, 5, false},
		{"it gains as much, once it has lost some", Clock{}, []policy.Instant{minute, minute + 30_000, 2*minute + 60_000, 3*minute + 91_000}, 3, true},
		{"long after the last known instant", Clock{LastKnown: 5, MaxDowntime: time.Hour}, []policy.Instant{60*minute + 6}, 0, true},
		{"a long time after the last known instant", Clock{LastKnown: 5, MaxDowntime: time.Hour}, []policy.Instant{60*minute + 5, 61*minute + 5}, 2, false},
		{"before the last known instant", Clock{LastKnown: policy.MaxInstant, MaxDowntime: 1}, []policy.Instant{0}, 1, false},
		{"an age after the last known instant", Clock{LastKnown: policy.MinInstant, MaxDowntime: time.Hour}, []policy.Instant{policy.MaxInstant}, 0, true},
		{"no bound", Clock{LastKnown: policy.MinInstant}, []policy.Instant{policy.MaxInstant}, 1, false},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		store := &empty{}
		s := &Sweeper[string]{Update: store.update, Clock: tt.clock}
		sweeps := 0
		s.Clock.read = func() reading {
			i := min(sweeps, len(tt.walls)-1)
			return reading{tt.walls[i], time.Duration(i) * time.Minute}
		}
		s.Swept = func(did Result, _ error) {
			if did.At != tt.walls[sweeps] {
				t.Errorf("%s: sweep %d is of %s, want %s", tt.name, sweeps, did.At, tt.walls[sweeps])
			}
			if sweeps++; sweeps == len(tt.walls) { // at the next reading the pause has passed, so that Run does not wait
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

// TestClockStaysRefused: the clock is refused while it is ahead, and accepted when it is
// right again.
func TestClockStaysRefused(t *testing.T) {
	at := reading{}
	c := Clock{read: func() reading { return at }}
	for i, tt := range []struct {
		reading
		leapt bool
	}{{reading{0, 0}, false}, {reading{90_000, time.Second}, true}, {reading{91_000, 2 * time.Second}, true}, {reading{4_000, 3 * time.Second}, false}} {
		at = tt.reading
		got, err := c.Now()
		if errors.Is(err, ErrLeap) != tt.leapt || !tt.leapt && got != tt.wall {
			t.Errorf("reading %d: Now() = %v, %v, want a leap: %t", i, got, err, tt.leapt)
		}
	}
}

// TestPropertyClock: Now returns an instant only if the clock has gained no more than
// MaxLeap since every earlier instant.
func TestPropertyClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{MaxLeap: time.Duration(rapid.IntRange(1, 5).Draw(t, "max leap")) * time.Second}
		var all []reading
		now := reading{}
		c.read = func() reading { return now }
		for range rapid.IntRange(1, 20).Draw(t, "readings") {
			passed := rapid.IntRange(0, 3000).Draw(t, "passed")
			now.passed += time.Duration(passed) * time.Millisecond
			now.wall += policy.Instant(passed + rapid.IntRange(-4000, 4000).Draw(t, "gained"))
			all = append(all, now)
			want := true
			for _, before := range all {
				gained := int64(now.wall-before.wall) - (now.passed - before.passed).Milliseconds()
				want = want && gained <= c.MaxLeap.Milliseconds()
			}
			if got, err := c.Now(); (err == nil) != want || want && got != now.wall {
				t.Fatalf("Now() = %v, %v after %v, want it trusted: %t", got, err, all, want)
			}
		}
	})
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

// TestLimit: a transaction of a sweeper without a limit is bounded too.
func TestLimit(t *testing.T) {
	for given, want := range map[int]int{-1: 1000, 0: 1000, 1: 1, 5000: 5000} {
		if got := (&Sweeper[string]{Limit: given}).limit(); got != want {
			t.Errorf("a sweeper with Limit %d takes %d, want %d", given, got, want)
		}
	}
}

// TestRunGoesOn: Run sweeps again after the store has failed.
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
