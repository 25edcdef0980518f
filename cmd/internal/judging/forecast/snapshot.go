package forecast

import (
	"errors"
	"fmt"
	"slices"
)

// A Snapshot is a histogram as plain data.
type Snapshot struct {
	Width   string    `json:"width"`
	Before  Count     `json:"before"`
	After   Count     `json:"after"`
	Buckets [][]int64 `json:"buckets"` // each list is a bucket: its number, and the expired, pending and bytes of its Count
}

// Snapshot returns the counts of h.
func (h *Histogram) Snapshot() Snapshot {
	s := Snapshot{Width: h.width.String(), Before: h.before, After: h.after, Buckets: [][]int64{}}
	for _, b := range h.table.list() {
		s.Buckets = append(s.Buckets, []int64{b.number, b.Expired, b.Pending, b.Bytes})
	}
	return s
}

var errUneven = errors.New("the buckets do not add up to the documents with deadlines")

// Restore adds the counts of a snapshot to the empty histogram h, whose buckets must be those
// of the snapshot's histogram. all is the sum of the counts. The error names an impossible
// value.
func (h *Histogram) Restore(s Snapshot, all Count) error {
	level := slices.IndexFunc(levels, func(w Width) bool { return w.String() == s.Width })
	switch {
	case h.given && s.Width == h.width.String():
	case h.given || level < 0:
		return fmt.Errorf("a bucket cannot have the width %q", s.Width)
	case s.Before.Documents()+s.After.Documents() != 0:
		return errors.New("before and after must be 0 unless the width of the buckets was given")
	default:
		h.setLevel(level)
	}
	if len(s.Buckets) > MaxBuckets {
		return fmt.Errorf("%d buckets, want up to %d", len(s.Buckets), MaxBuckets)
	}
	if h.before, h.after = s.Before, s.After; !all.take(s.Before) || !all.take(s.After) {
		return errUneven
	}
	last := h.lo - 1
	for i, b := range s.Buckets {
		if len(b) != 4 {
			return fmt.Errorf("buckets[%d]: got %d numbers, want 4", i, len(b))
		}
		c := Count{b[1], b[2], b[3]}
		switch {
		case b[0] <= last && (h.given || i > 0), h.given && b[0] > h.hi, h.width.index(h.width.start(b[0])) != b[0]:
			return fmt.Errorf("buckets[%d]: the bucket's number is out of order, or out of range", i)
		case c.Documents() == 0:
			return fmt.Errorf("buckets[%d]: the bucket counts no documents", i)
		case !all.take(c):
			return fmt.Errorf("buckets[%d]: %w", i, errUneven)
		}
		last = b[0]
		h.place(b[0], c)
	}
	if all != (Count{}) {
		return errUneven
	}
	return nil
}

// take subtracts d from c. If a number of d is negative or above that of c, take returns
// false and changes nothing.
func (c *Count) take(d Count) bool {
	if min(d.Expired, d.Pending, d.Bytes) < 0 || d.Expired > c.Expired || d.Pending > c.Pending || d.Bytes > c.Bytes {
		return false
	}
	*c = Count{c.Expired - d.Expired, c.Pending - d.Pending, c.Bytes - d.Bytes}
	return true
}

// A Skipped is the error about a document that another run has skipped.
type Skipped struct {
	Place
	Reason string `json:"reason"`
}

// Error returns the text of the error in the other run.
func (e *Skipped) Error() string { return e.Reason }

// SkippedOf returns the error about a document in the form of another run; nil for nil.
func SkippedOf(err error) *Skipped {
	if err == nil {
		return nil
	}
	return &Skipped{errorPlace(err), err.Error()}
}

// AddFinding adds a finding, and adds its documents to the sums of t. The error is
// [ErrTooLarge], or that t has a finding of this kind.
func (t *Tally) AddFinding(f Finding) error {
	to := t.finding(key{f.Rule, uint8(f.Source), f.Kind})
	if to.Total().Documents > 0 {
		return errors.New("the finding appears twice")
	}
	*to = f
	if err := t.CheckAdd(&Tally{ByState: f.ByState}); err != nil {
		return err
	}
	t.addDecided(f.Source, f.ByState)
	return nil
}
