package forecast

import (
	"sync/atomic"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A blockTally is the tally of one block. It identifies documents by their number in the
// block, so that counting allocates nothing. It holds no sum that follows from other
// sums.
type blockTally struct {
	bad              int64
	firstBad         *Skipped // the first skipped document
	err              error    // the error that ends the run
	expired, pending span
	within           [len(Horizons)]Sum // documents pending up to this horizon and later than the preceding horizon
	due              []Due              // the documents due up to each of [Options.Horizons]
	effect           Effect             // the effect of this policy, unless it is the first policy
	others           []blockTally       // the tallies of [Job.Others], which count decisions only
	ages             []age              // the ages of the documents that [Job.Ages] counts within its days
	gone             int64              // counted for [Ages.Gone]
	unequal          bool               // sets [Ages.Unequal]
	minutes          []uint16           // the minute of each document that counts for the [Load]
	dialects         dump.Dialect
	findings         []blockFinding
	recent           int // the index of the last document's finding
	groups           Groups
	listing          bool      // the run calls Options.Expired, so listed is filled
	listed           []decided // the expired documents of the block
	histogram        *Histogram
}

// A span is the range of the deadlines of a block.
type span struct {
	first, last extreme
	known       bool // false for the zero span
}

// An extreme is a deadline and the first document of the block that has it.
type extreme struct {
	at  policy.Instant
	doc int
}

func (s *span) stretch(at policy.Instant, doc int) {
	one := extreme{at, doc}
	if at < s.first.at || !s.known {
		s.first = one
	}
	if at > s.last.at || !s.known {
		s.last = one
	}
	s.known = true
}

// decided is a document of the block with its decision.
type decided struct {
	doc int
	policy.Decision
}

type blockFinding struct {
	key
	ByState
	samples [MaxSamples]int
}

// A key identifies a finding: its rule, source and kind of value.
type key struct {
	rule   policy.Rule
	source uint8
	kind   policy.Kind
}

// newBlockTally returns an empty tally. It has no tallies of [Job.Others] before the first reset.
func newBlockTally(o Options) blockTally {
	return blockTally{histogram: newHistogram(o.Bucket, o.Period, o.Now), due: dueOf(o.Horizons)}
}

// reset empties p for another block of the job. Each histogram of p begins at the level that
// the job's histogram for the same policy has reached.
func (p *blockTally) reset(j *job, o Options) {
	p.clear(&j.levels[0])
	for len(p.others) < len(j.Others) {
		p.others = append(p.others, newBlockTally(o))
	}
	for i := range j.Others {
		p.others[i].clear(&j.levels[1+i])
	}
}

func (p *blockTally) clear(level *atomic.Int32) {
	*p = blockTally{findings: p.findings[:0], minutes: p.minutes[:0], histogram: p.histogram, ages: p.ages[:0], listing: p.listing, listed: p.listed[:0], due: p.due, others: p.others}
	for i := range p.due {
		p.due[i].Sum = Sum{}
	}
	p.histogram.reset(int(level.Load()))
}

// count adds the verdict about document doc of the block, of the given size.
func (p *blockTally) count(v *verdict, doc, size int) {
	d := v.Decision
	f := p.finding(key{d.Rule, d.Source, v.kind})
	if n := f.Total().Documents; n < MaxSamples {
		f.samples[n] = doc
	}
	one := Sum{1, int64(size)}
	f.of(d.State, v.isUnknown).add(one)
	deadline, _ := d.Deadline()
	switch d.State {
	case policy.Expired:
		if p.listing {
			p.listed = append(p.listed, decided{doc, d})
		}
		p.expired.stretch(deadline, doc)
		p.histogram.add(deadline, Count{Expired: 1, Bytes: one.Bytes})
	case policy.Pending:
		p.pending.stretch(deadline, doc)
		p.countWithin(uint64(deadline)-uint64(p.histogram.now), one)
		p.histogram.add(deadline, Count{Pending: 1, Bytes: one.Bytes})
	}
}

// countWithin counts a document that expires left milliseconds after now. left is at
// least 1.
func (p *blockTally) countWithin(left uint64, one Sum) {
	for i := range p.due {
		if left <= p.due[i].millis {
			p.due[i].add(one)
		}
	}
	for i := range Horizons {
		if left <= Horizons[i].millis {
			p.within[i].add(one)
			p.minutes = append(p.minutes, uint16((left-1)/minute))
			return
		}
	}
}

// finding returns the finding with this key. Successive documents mostly share a finding.
func (p *blockTally) finding(k key) *blockFinding {
	if p.recent < len(p.findings) && p.findings[p.recent].key == k {
		return &p.findings[p.recent]
	}
	for i := range p.findings {
		if p.findings[i].key == k {
			p.recent = i
			return &p.findings[i]
		}
	}
	p.findings = append(p.findings, blockFinding{key: k})
	p.recent = len(p.findings) - 1
	return &p.findings[p.recent]
}

// skip counts a document that cannot be read.
func (p *blockTally) skip(bad error) {
	p.bad++
	if p.firstBad == nil {
		p.firstBad = skippedOf(bad)
	}
}
