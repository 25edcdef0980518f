package forecast

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Effect compares the deletions by another policy with those by the first policy,
// document by document. The zero Effect has no difference.
type Effect struct {
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

// More reports whether, up to any horizon, the other policy deletes a document that the
// first policy has not deleted by then.
func (e *Effect) More() bool {
	return e.Now.More.Documents > 0 || e.Ever.More.Documents > 0 || slices.ContainsFunc(e.Within[:], func(d Difference) bool { return d.More.Documents > 0 })
}

func (e *Effect) add(f *Effect) {
	e.Now.add(f.Now)
	e.Ever.add(f.Ever)
	for i := range e.Within {
		e.Within[i].add(f.Within[i])
	}
}

// count counts a document by the decisions of both policies about it.
func (e *Effect) count(before, after policy.Decision, now policy.Instant, one Sum) {
	if before.State == policy.Never && after.State == policy.Never {
		return
	}
	e.Now.count(before.State == policy.Expired, after.State == policy.Expired, one)
	for i, h := range Horizons {
		e.Within[i].count(isDue(before, now, h), isDue(after, now, h), one)
	}
	e.Ever.count(before.State != policy.Never, after.State != policy.Never, one)
}

// isDue reports whether a document expires up to the end of a horizon.
func isDue(d policy.Decision, now policy.Instant, h Horizon) bool {
	deadline, _ := d.Deadline()
	return d.State == policy.Expired || d.State == policy.Pending && uint64(deadline)-uint64(now) <= h.millis
}
