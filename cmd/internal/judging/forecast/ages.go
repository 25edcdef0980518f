package forecast

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// AgesOf describes the time to live that will change in steps: an index or the option of
// the first policy of [Job.Others].
type AgesOf struct {
	// Alone has only this time to live, with a delay of Seconds. Longest has only this
	// time to live, with a delay of LongestSeconds. Rest has the times to live of all
	// other indexes and options. The three policies are of the same system.
	Alone, Longest, Rest    *reasons.Policy
	Seconds, LongestSeconds int64
}

// Days is the number of days from now for which ages are counted.
const Days = 366

const daySeconds = 86_400

// An age is the position of a document's date, and the day on which the policy
// [AgesOf.Rest] deletes the document.
type age struct {
	at   int64 // the date, as a number of widths after now, rounded down
	rest int16 // the day on which the policy AgesOf.Rest deletes the document, counted from 0; Days for none
}

// Ages counts documents by the date from which one time to live runs. The counts give the
// number of documents that a delay deletes on each of the next [Days].
type Ages struct {
	// Width is the number of seconds that share a count. It is a power of two.
	Width int64
	// Gone is the number of documents that have expired at now, by the present policy. They
	// have no age.
	Gone int64
	// Unequal reports whether, for some document, the date alone does not determine the
	// time at which a delay deletes it, or that time is unknown.
	Unequal bool

	counts map[age]int64
}

// An Aged counts documents whose dates are in the same span of seconds, and that the
// policy [AgesOf.Rest] deletes on the same day.
type Aged struct {
	// At is the first second of the span, counted from now; negative before now.
	At int64
	// RestDay is the day on which the policy [AgesOf.Rest] deletes the documents: 0 for
	// the first 24 h from now, and [Days] if the policy deletes none on these days.
	RestDay   int
	Documents int64
}

// maxAges is the maximum number of counts. If there are more, the width is doubled.
const maxAges = 1 << 20

// List returns the counts, sorted by date.
func (a *Ages) List() []Aged {
	list := make([]Aged, 0, len(a.counts))
	for k, n := range a.counts {
		list = append(list, Aged{At: k.at * a.Width, RestDay: int(k.rest), Documents: n})
	}
	slices.SortFunc(list, func(x, y Aged) int { return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(x.RestDay, y.RestDay)) })
	return list
}

// count adds the age of doc to p, or counts doc as gone if it has expired at now. before
// is the decision by the present policy, and other is that by the first of [Job.Others].
func (o *AgesOf) count(p *blockTally, doc policy.Document, before, other verdict, now policy.Instant) {
	if before.isUnknown || other.isUnknown {
		p.unequal = true
		return
	}
	if before.State == policy.Expired {
		p.gone++
		return
	}
	alone, rest := o.Alone.Decide(doc, now), o.Rest.Decide(doc, now)
	due := now + Days*daySeconds*second
	byAlone, goesAlone := alone.Deadline()
	byRest, _ := rest.Deadline()
	byOther, _ := other.Deadline()
	first := min(byAlone, byRest)
	goes := goesBefore(alone, due) || goesBefore(rest, due)
	if goes != goesBefore(other.Decision, due) || goes && first != byOther {
		p.unequal = true
		return
	}
	if !goes {
		return
	}
	one := age{at: noDate, rest: Days}
	if goesBefore(rest, due) {
		one.rest = int16(max(0, int64(byRest-now)) / (daySeconds * second))
	}
	if goesAlone {
		date := int64(byAlone-now) - o.Seconds*second
		longest, ok := o.Longest.Decide(doc, now).Deadline()
		p.unequal = p.unequal || !ok || int64(longest-now)-o.LongestSeconds*second != date
		one.at = floorDiv(date, second)
	}
	p.ages = append(p.ages, one)
}

// noDate is the date of a document that the time to live never deletes. It is later than
// every other date.
const noDate = int64(1) << 53

func goesBefore(d policy.Decision, at policy.Instant) bool {
	deadline, ok := d.Deadline()
	return ok && deadline < at
}

// merge adds the ages of a block.
func (a *Ages) merge(list []age, gone int64, unequal bool) {
	if a == nil {
		return
	}
	a.Gone += gone
	a.Unequal = a.Unequal || unequal
	for _, one := range list {
		one.at = floorDiv(one.at, a.Width)
		a.counts[one]++
	}
	for len(a.counts) > maxAges {
		a.Width *= 2
		wider := make(map[age]int64, len(a.counts)/2)
		for one, n := range a.counts {
			wider[age{floorDiv(one.at, 2), one.rest}] += n
		}
		a.counts = wider
	}
}
