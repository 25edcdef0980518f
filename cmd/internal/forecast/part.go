package forecast

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A part is the tally of one block. It names documents by their number in the
// block, so that counting allocates nothing.
type part struct {
	total, expired, pending, never Sum
	bad                            int64
	firstBad                       error // the first that was skipped
	err                            error // the one that ends the run
	first, last, newest, next      extreme
	sources                        []SourceTally
	findings                       []partFinding
	recent                         int // the finding of the last document
	histogram                      *Histogram
}

// An extreme is a deadline and the first document of the block that has it.
type extreme struct {
	at  policy.Instant
	doc int
	ok  bool
}

func (e *extreme) lower(at policy.Instant, doc int) {
	if !e.ok || at < e.at {
		*e = extreme{at, doc, true}
	}
}

func (e *extreme) raise(at policy.Instant, doc int) {
	if !e.ok || at > e.at {
		*e = extreme{at, doc, true}
	}
}

type partFinding struct {
	key
	expired, pending, never Sum
	samples                 [maxSamples]int
}

// A key is what findings are told apart by.
type key struct {
	rule   *policy.Rule
	source uint8
	kind   policy.Kind
}

func (f *partFinding) documents() int64 {
	return f.expired.Documents + f.pending.Documents + f.never.Documents
}

// reset empties p for another block of the collection that total is about.
func (p *part) reset(sources, level int) {
	*p = part{sources: p.sources[:0], findings: p.findings[:0], histogram: p.histogram}
	p.sources = append(p.sources, make([]SourceTally, sources)...)
	p.histogram.reset(level)
}

// count adds the decision about document doc of the block, of the given size.
// kind is what was found in the source's field, if that matters.
func (p *part) count(d policy.Decision, kind policy.Kind, doc, size int) {
	one := Sum{1, int64(size)}
	p.total.add(one)
	f := p.finding(key{d.Rule, d.Source, kind})
	if n := f.documents(); n < maxSamples {
		f.samples[n] = doc
	}
	switch d.State {
	case policy.Never:
		p.never.add(one)
		f.never.add(one)
		return
	case policy.Expired:
		p.expired.add(one)
		f.expired.add(one)
		p.source(d.Source).Expired.add(one)
		p.newest.raise(d.Deadline, doc)
		p.histogram.add(d.Deadline, Count{Expired: 1, Bytes: one.Bytes})
	case policy.Pending:
		p.pending.add(one)
		f.pending.add(one)
		p.source(d.Source).Pending.add(one)
		p.next.lower(d.Deadline, doc)
		p.histogram.add(d.Deadline, Count{Pending: 1, Bytes: one.Bytes})
	}
	p.first.lower(d.Deadline, doc)
	p.last.raise(d.Deadline, doc)
}

// source returns the tally of a source, also of one that the evaluator was
// not known to have.
func (p *part) source(n uint8) *SourceTally {
	for int(n) >= len(p.sources) {
		p.sources = append(p.sources, SourceTally{})
	}
	return &p.sources[n]
}

// finding returns the finding with this key. Documents that follow one another
// mostly share one.
func (p *part) finding(k key) *partFinding {
	if p.recent < len(p.findings) && p.findings[p.recent].key == k {
		return &p.findings[p.recent]
	}
	for i := range p.findings {
		if p.findings[i].key == k {
			p.recent = i
			return &p.findings[i]
		}
	}
	p.findings = append(p.findings, partFinding{key: k})
	p.recent = len(p.findings) - 1
	return &p.findings[p.recent]
}

// A decider counts blocks. Each belongs to one worker.
type decider struct {
	evaluator policy.Evaluator
	raw       RawEvaluator
	fields    [][]string      // the path of each source's field
	finders   []policy.Finder // of each field that is on top
	now       policy.Instant
	skipBad   bool
	decoder   dump.Decoder
	// The last rule that kept a document, and how to tell of it.
	rule    *policy.Rule
	telling telling
	damage  bool // the rule is that the document is malformed
}

// decide counts the documents of b in p. It stops at the first that cannot be
// read, unless those are to be skipped.
func (d *decider) decide(p *part, b *dump.Block, s *dump.Stream) {
	for i := range b.Spans {
		raw := b.Doc(i)
		decision, kind, err := d.judge(s.Kind(), raw)
		if err != nil {
			bad := s.Damaged(b, i, err)
			if !d.skipBad || !bad.Skippable {
				p.err = bad
				return
			}
			p.skip(bad)
			continue
		}
		p.count(decision, kind, i, len(raw))
	}
	d.decoder = dump.Decoder{} // which holds on to the block
}

func (p *part) skip(bad error) {
	p.bad++
	if p.firstBad == nil {
		p.firstBad = bad
	}
}

// judge returns the decision about one document, and what found says about it.
func (d *decider) judge(k dump.Kind, raw []byte) (policy.Decision, policy.Kind, error) {
	if d.raw != nil && k == dump.BSON {
		decision := d.raw.DecideBSON(raw, d.now)
		if kind, ok := d.foundRaw(raw, decision); ok {
			return decision, kind, nil
		}
	}
	doc, err := d.decoder.Decode(k, raw)
	if err != nil {
		return policy.Decision{}, policy.Missing, err
	}
	decision := d.evaluator.Decide(doc, d.now)
	return decision, d.found(doc, decision), nil
}

// foundRaw is found for BSON that nobody has checked. It reports false if that
// cannot be told without checking it.
func (d *decider) foundRaw(raw []byte, decision policy.Decision) (policy.Kind, bool) {
	if decision.State != policy.Never {
		return policy.Missing, true
	}
	d.tell(decision)
	source := int(decision.Source)
	switch {
	case d.damage:
		return policy.Missing, false
	case !d.telling.byKind():
		return policy.Missing, true
	case d.telling.field != "" || source >= len(d.fields) || len(d.fields[source]) > 1:
		return policy.Missing, false
	}
	found, ok := d.finders[source].Find(raw)
	return found.Kind, ok
}

// tell finds how to tell of a decision. Documents that follow one another mostly
// share a rule.
func (d *decider) tell(decision policy.Decision) {
	if decision.State == policy.Never && decision.Rule != d.rule {
		id := decision.Rule.String()
		d.rule, d.telling, d.damage = decision.Rule, tellings[id], strings.HasSuffix(id, ".malformed")
	}
}

// found returns what the field that decided holds, if the words for the rule
// depend on it.
func (d *decider) found(doc policy.Document, decision policy.Decision) policy.Kind {
	if decision.State != policy.Never {
		return policy.Missing
	}
	d.tell(decision)
	switch {
	case !d.telling.byKind():
		return policy.Missing
	case d.telling.field != "":
		return doc.Field(d.telling.field).Kind()
	case int(decision.Source) < len(d.fields):
		return kindAt(doc, d.fields[decision.Source])
	}
	return policy.Missing
}

// kindAt returns the kind of what is at path in doc, or of the first array on
// the way.
func kindAt(doc policy.Document, path []string) policy.Kind {
	v := doc.Field(path[0])
	for _, name := range path[1:] {
		if v.Kind() == policy.List {
			break
		}
		v = v.Field(name)
	}
	return v.Kind()
}

// merge adds p, the part of the input that follows what t has counted. name
// makes a sample of a document of the block.
func (t *Tally) merge(p *part, name func(doc int) Sample) {
	t.Total.add(p.total)
	t.Expired.add(p.expired)
	t.Pending.add(p.pending)
	t.Never.add(p.never)
	t.Bad += p.bad
	if t.FirstBad == nil {
		t.FirstBad = p.firstBad
	}
	t.First.take(p.first, p.first.at < t.First.At, name)
	t.Next.take(p.next, p.next.at < t.Next.At, name)
	t.Last.take(p.last, p.last.at > t.Last.At, name)
	t.Newest.take(p.newest, p.newest.at > t.Newest.At, name)
	t.mergeSources(p.sources)
	for i := range p.findings {
		t.finding(&p.findings[i].key).merge(&p.findings[i], name)
	}
	t.Histogram.merge(p.histogram)
}

// take replaces m by e if there is an e and it is better than m.
func (m *Moment) take(e extreme, better bool, name func(doc int) Sample) {
	if e.ok && (better || !m.ok) {
		*m = Moment{At: e.at, Sample: name(e.doc), ok: true}
	}
}

func (t *Tally) mergeSources(sources []SourceTally) {
	for i, s := range sources {
		if i == len(t.Sources) {
			t.Sources = append(t.Sources, SourceTally{})
		}
		t.Sources[i].Expired.add(s.Expired)
		t.Sources[i].Pending.add(s.Pending)
	}
}

// finding returns t's finding with this key.
func (t *Tally) finding(k *key) *Finding {
	i := slices.IndexFunc(t.Findings, func(f Finding) bool {
		return key{f.Rule, uint8(f.Source), f.Kind} == *k
	})
	if i < 0 {
		i = len(t.Findings)
		t.Findings = append(t.Findings, Finding{Rule: k.rule, Source: int(k.source), Kind: k.kind})
	}
	return &t.Findings[i]
}

func (f *Finding) merge(p *partFinding, name func(doc int) Sample) {
	f.Expired.add(p.expired)
	f.Pending.add(p.pending)
	f.Never.add(p.never)
	for _, doc := range p.samples[:min(p.documents(), maxSamples)] {
		if len(f.Samples) < maxSamples {
			f.Samples = append(f.Samples, name(doc))
		}
	}
}
