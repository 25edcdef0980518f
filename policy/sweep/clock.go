package sweep

import (
	"errors"
	"fmt"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ErrLeap is wrapped by the errors of [Clock.Now] and [Sweeper.Run] if the wall clock has
// gained more than [Clock.MaxLeap] on the elapsed time, or if it is more than
// [Clock.MaxDowntime] ahead of [Clock.LastKnown]. No document was removed by the refused
// reading.
var ErrLeap = errors.New("sweep: the clock has leapt ahead")

// A Clock reads the clock of this machine and refuses readings that leap ahead, because a
// document deleted by a wrong clock stays deleted. It compares the wall clock, which can
// be set, with the monotonic clock, which cannot. A wall clock that goes back is
// accepted, but its later gain counts towards a leap.
//
// The zero Clock is ready to use. A Clock is not for concurrent use.
type Clock struct {
	// MaxLeap is the maximum by which the wall clock may gain on the monotonic clock, at
	// once or bit by bit, since the first reading or since the wall clock was furthest
	// behind; 0 or less means one minute. On many systems the monotonic clock stops while
	// a machine sleeps, so the end of a sleep counts as a leap. On Linux both clocks run
	// at the same rate. On other systems they may drift apart by a second a day, and a
	// program that runs for months needs a longer MaxLeap.
	MaxLeap time.Duration
	// LastKnown and MaxDowntime bound the first reading, which has no earlier reading to
	// compare with: it must not be more than MaxDowntime after LastKnown. LastKnown is an
	// instant at which the store is known to have been in use, such as the [Result.At] of a
	// sweep before the restart. A MaxDowntime of 0 or less allows any first reading.
	LastKnown   policy.Instant
	MaxDowntime time.Duration

	read   func() reading // set by tests; nil means the clocks of this machine
	begun  bool
	anchor reading // the reading at which the wall clock was furthest behind
}

// A reading holds both clocks at one moment.
type reading struct {
	wall   policy.Instant
	passed time.Duration // the time since started, by the monotonic clock
}

// started is the moment from which reading.passed counts.
var started = time.Now()

func (c *Clock) reading() reading {
	if c.read != nil {
		return c.read()
	}
	now := time.Now()
	return reading{policy.InstantOf(now), now.Sub(started)}
}

// Now returns the time, or an error that wraps [ErrLeap]. After a leap every call fails
// until the clock is right again. Check the clock, and use a new Clock if the leap was
// intended.
func (c *Clock) Now() (policy.Instant, error) {
	now := c.reading()
	if !c.begun {
		if away := since(c.LastKnown, max(now.wall, c.LastKnown)); c.MaxDowntime > 0 && away > c.MaxDowntime {
			return 0, fmt.Errorf("%w: it shows %s, which is %s after the last known instant, %s", ErrLeap, now.wall, away, c.LastKnown)
		}
		c.begun, c.anchor = true, now
	}
	gained := since(c.anchor.wall, max(now.wall, c.anchor.wall)) - (now.passed - c.anchor.passed)
	switch {
	case gained > c.maxLeap():
		return 0, fmt.Errorf("%w: it shows %s, and since %s it has gained %s on the elapsed time", ErrLeap, now.wall, c.anchor.wall, gained.Round(time.Millisecond))
	case gained <= 0:
		c.anchor = now
	}
	return now.wall, nil
}

func (c *Clock) maxLeap() time.Duration {
	if c.MaxLeap > 0 {
		return c.MaxLeap
	}
	return time.Minute
}
