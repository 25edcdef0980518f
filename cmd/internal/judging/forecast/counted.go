package forecast

import (
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Counted is a count of documents by a database, which did not send the documents. All
// documents have the same rule, source, kind and state.
type Counted struct {
	Sum
	// Rule, Source and Kind have the meaning that they have in a [Finding].
	Rule   *policy.Rule
	Source int
	Kind   policy.Kind
	State  policy.State
	// First and Last are the earliest and the latest deadline, each with a document; both
	// are unset if the documents never expire. If the user gave the width of buckets, both
	// are in one bucket of the histogram, or outside of its buckets on the same side. If
	// First is pending and within the longest of [Horizons], both are in one minute of the
	// [Load].
	First, Last Moment
	// Samples are some of the documents.
	Samples []dump.Sample
}

// MomentAt returns the moment for a deadline and a document with this deadline.
func MomentAt(at policy.Instant, sample dump.Sample) Moment {
	return Moment{At: at, Sample: sample, ok: true}
}

// NewTally returns an empty tally for a policy with the given number of sources.
func NewTally(sources int, o Options) *Tally {
	return &Tally{Sources: make([]ByState, sources), Histogram: newHistogram(o.Bucket, o.Period, o.Now), Due: dueOf(o.Horizons)}
}

// Count adds documents that a database has counted. It returns an error for counts that t
// cannot hold exactly, or that contradict each other. t must not be used after an error.
func (t *Tally) Count(c Counted) error {
	if err := t.checkCounted(c); err != nil {
		return err
	}
	f := t.finding(key{c.Rule, uint8(c.Source), c.Kind})
	f.Samples = append(f.Samples, c.Samples[:min(len(c.Samples), maxSamples-len(f.Samples))]...)
	var counted ByState
	*counted.of(c.State) = c.Sum
	f.Add(counted)
	t.addDecided(c.Source, counted)
	count := Count{Bytes: c.Bytes}
	switch c.State {
	case policy.Never:
		return nil
	case policy.Expired:
		t.ExpiredSpan.stretch(c.First, c.Last)
		count.Expired = c.Documents
	default:
		t.PendingSpan.stretch(c.First, c.Last)
		count.Pending = c.Documents
		if err := t.countWithin(c); err != nil {
			return err
		}
	}
	return t.Histogram.addSpan(c.First.At, c.Last.At, count)
}

// checkCounted checks the counts of a database, which may be wrong.
func (t *Tally) checkCounted(c Counted) error {
	now := t.Histogram.now
	const most = math.MaxInt64 / 4 // this limit keeps sums from overflowing
	switch total := t.Total(); {
	case c.Documents <= 0 || c.Bytes < 0 || c.Documents > most-total.Documents || c.Bytes > most-total.Bytes:
		return fmt.Errorf("an impossible count: %d documents of %d bytes", c.Documents, c.Bytes)
	case c.Rule == nil || c.Source < 0 || c.Source > math.MaxUint8:
		return errors.New("a count with an unknown rule or source")
	case c.State == policy.Never:
		return nil
	case !c.First.ok || !c.Last.ok || c.First.At > c.Last.At:
		return errors.New("a count without a first and a last deadline in this order")
	case c.State == policy.Expired && c.Last.At > now || c.State == policy.Pending && c.First.At <= now:
		return fmt.Errorf("a count of deadlines from %s to %s, which are not all %s", c.First.At, c.Last.At, c.State)
	}
	return nil
}

// countWithin adds pending documents to the horizons and to the load.
func (t *Tally) countWithin(c Counted) error {
	now := uint64(t.Histogram.now)
	first, last := uint64(c.First.At)-now, uint64(c.Last.At)-now
	if longest := Horizons[len(Horizons)-1].millis; first > longest {
		return nil
	}
	if (first-1)/minute != (last-1)/minute {
		return fmt.Errorf("a count of deadlines from %s to %s, which are not all in one minute", c.First.At, c.Last.At)
	}
	for i := range Horizons {
		if first <= Horizons[i].millis {
			t.Within[i].add(c.Sum)
		}
	}
	t.Load.Add(int((first-1)/minute), c.Documents)
	return nil
}

// addSpan counts deadlines from first to last in one bucket, and widens the buckets if
// that is necessary.
func (h *Histogram) addSpan(first, last policy.Instant, c Count) error {
	n, m := h.width.index(first), h.width.index(last)
	for !h.given && n != m && h.level < len(levels)-1 {
		h.widen(h.level + 1)
		n, m = h.width.index(first), h.width.index(last)
	}
	if n != m && !(h.given && (m < h.lo || n > h.hi)) {
		return fmt.Errorf("a count of deadlines from %s to %s, which are not all in one bucket of %s", first, last, h.width)
	}
	h.place(n, c)
	return nil
}

// A Grain is a width in which a database counts deadlines. Deadlines up to Within from
// now are counted in spans of Width, aligned to 1970. Both are in milliseconds.
type Grain struct{ Within, Width int64 }

// GrainsOf returns the grains for a histogram's buckets, the finest first. The last grain
// is for all other deadlines. If all deadlines are near now, a tally that chooses its
// width has fine buckets, as if documents were counted one by one.
func GrainsOf(bucket Width) []Grain {
	switch {
	case bucket.IsZero():
		return []Grain{{MaxBuckets * second, second}, {MaxBuckets * minute, minute}, {MaxBuckets * hour, hour}, {math.MaxInt64, day}}
	case bucket.months > 0 || bucket.shift > 0:
		return []Grain{{math.MaxInt64, day}}
	}
	return []Grain{{math.MaxInt64, bucket.ms}}
}

// Window returns the first and the last deadline for which a histogram has buckets.
// Deadlines before the first are counted in one sum, and deadlines after the last in
// another.
func Window(bucket Width, now policy.Instant) (first, last policy.Instant) {
	h := newHistogram(bucket, Period{}, now)
	if !h.given {
		return policy.MinInstant, policy.MaxInstant
	}
	first, last = h.width.start(h.lo), h.width.start(h.hi+1)
	if last < policy.MaxInstant {
		last--
	}
	return first, last
}
