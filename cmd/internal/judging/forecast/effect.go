package forecast

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Effect compares the deletions by another policy with those by the first policy,
// document by document. The zero Effect has no difference.
type Effect struct {
	// Unknown counts the documents about which one of the two policies leaves the deadline
	// open, so that the difference is not known. They count in no difference.
	Unknown Sum `json:"unknown"`

	Now    Difference                `json:"now"`  // at once
	Within [len(Horizons)]Difference `json:"-"`    // up to each of [Horizons], from now on
	Ever   Difference                `json:"ever"` // without a limit of time
}

// A Difference counts documents that only one of two policies deletes. Less counts the
// documents that only the first policy deletes. More counts the documents that only the
// other policy deletes.
type Difference struct {
	More Sum `json:"more"`
	Less Sum `json:"less"`
}

func (d *Difference) add(e Difference) {
	d.More.add(e.More)
	d.Less.add(e.Less)
}

// count adds a document if exactly one policy deletes it. before reports whether the first
// policy does, and after whether the other policy does.
func (d *Difference) count(before, after bool, one Sum) {
	switch {
	case after && !before:
		d.More.add(one)
	case before && !after:
		d.Less.add(one)
	}
}

// More reports whether, up to any horizon, the other policy may delete a document that the
// first policy has not deleted by then. It may delete each document of Unknown.
func (e *Effect) More() bool {
	return e.Unknown.Documents > 0 || e.Now.More.Documents > 0 || e.Ever.More.Documents > 0 || slices.ContainsFunc(e.Within[:], func(d Difference) bool { return d.More.Documents > 0 })
}

func (e *Effect) add(f *Effect) {
	e.Unknown.add(f.Unknown)
	e.Now.add(f.Now)
	e.Ever.add(f.Ever)
	for i := range e.Within {
		e.Within[i].add(f.Within[i])
	}
}

// count counts a document by the verdicts of both policies about it.
func (e *Effect) count(before, after *verdict, now policy.Instant, one Sum) {
	if before.isUnknown || after.isUnknown {
		e.Unknown.add(one)
		return
	}
	if before.State == policy.Never && after.State == policy.Never {
		return
	}
	e.Now.count(before.State == policy.Expired, after.State == policy.Expired, one)
	for i, h := range Horizons {
		e.Within[i].count(isDue(before.Decision, now, h), isDue(after.Decision, now, h), one)
	}
	e.Ever.count(before.State != policy.Never, after.State != policy.Never, one)
}

// isDue reports whether a document expires up to the end of a horizon.
func isDue(d policy.Decision, now policy.Instant, h Horizon) bool {
	deadline, _ := d.Deadline()
	return d.State == policy.Expired || d.State == policy.Pending && uint64(deadline)-uint64(now) <= h.millis
}
