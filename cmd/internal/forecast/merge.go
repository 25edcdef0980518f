package forecast

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
)

// merge adds p, the part of the input that follows what t has counted. sample
// names a document of the block.
func (t *Tally) merge(p *part, sample func(doc int) dump.Sample) {
	t.Bad += p.bad
	if t.FirstBad == nil {
		t.FirstBad = p.firstBad
	}
	t.ExpiredSpan.merge(p.expired, sample)
	t.PendingSpan.merge(p.pending, sample)
	for i := range p.findings {
		t.mergeFinding(&p.findings[i], sample)
	}
	t.Histogram.merge(p.histogram)
}

func (s *Span) merge(p span, sample func(doc int) dump.Sample) {
	if p.first.ok && (!s.First.ok || p.first.at < s.First.At) {
		s.First = Moment{At: p.first.at, Sample: sample(p.first.doc), ok: true}
	}
	if p.last.ok && (!s.Last.ok || p.last.at > s.Last.At) {
		s.Last = Moment{At: p.last.at, Sample: sample(p.last.doc), ok: true}
	}
}

func (t *Tally) mergeFinding(p *partFinding, sample func(doc int) dump.Sample) {
	t.finding(p.key).merge(p, sample)
	t.Total.add(p.total())
	t.Expired.add(p.expired)
	t.Pending.add(p.pending)
	t.Never.add(p.never)
	if p.expired.Documents+p.pending.Documents > 0 {
		source := t.source(int(p.source))
		source.Expired.add(p.expired)
		source.Pending.add(p.pending)
	}
}

// source returns the tally of source n, also of one that the evaluator was not
// known to have.
func (t *Tally) source(n int) *SourceTally {
	for n >= len(t.Sources) {
		t.Sources = append(t.Sources, SourceTally{})
	}
	return &t.Sources[n]
}

// finding returns t's finding with this key.
func (t *Tally) finding(k key) *Finding {
	i := slices.IndexFunc(t.Findings, func(f Finding) bool {
		return key{f.Rule, uint8(f.Source), f.Kind} == k
	})
	if i < 0 {
		i = len(t.Findings)
		t.Findings = append(t.Findings, Finding{Rule: k.rule, Source: int(k.source), Kind: k.kind})
	}
	return &t.Findings[i]
}

func (f *Finding) merge(p *partFinding, sample func(doc int) dump.Sample) {
	f.Expired.add(p.expired)
	f.Pending.add(p.pending)
	f.Never.add(p.never)
	for _, doc := range p.samples[:min(p.total().Documents, maxSamples)] {
		if len(f.Samples) < maxSamples {
			f.Samples = append(f.Samples, sample(doc))
		}
	}
}
