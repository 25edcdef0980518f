package forecast

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A part is the tally of one block. It names documents by their number in the
// block, so that counting allocates nothing, and it holds no sum that follows
// from others.
type part struct {
	bad              int64
	firstBad         error // the first that was skipped
	err              error // the one that ends the run
	expired, pending extent
	findings         []partFinding
	recent           int // the finding of the last document
	histogram        *Histogram
}

// An extent is where the deadlines of a block begin and end.
type extent struct {
	first, last extreme
}

// An extreme is a deadline and the first document of the block that has it.
type extreme struct {
	at  policy.Instant
	doc int
	ok  bool
}

func (e *extent) stretch(at policy.Instant, doc int) {
	if at < e.first.at || !e.first.ok {
		e.first = extreme{at, doc, true}
	}
	if at > e.last.at || !e.last.ok {
		e.last = extreme{at, doc, true}
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

func (f *partFinding) total() Sum {
	total := f.expired
	total.add(f.pending)
	total.add(f.never)
	return total
}

// reset empties p for another block of a collection whose histogram has got
// to level.
func (p *part) reset(level int) {
	*p = part{findings: p.findings[:0], histogram: p.histogram}
	p.histogram.reset(level)
}

// count adds the decision about document doc of the block, of the given size.
// kind is what was found in the source's field, if that matters.
func (p *part) count(d policy.Decision, kind policy.Kind, doc, size int) {
	f := p.finding(key{d.Rule, d.Source, kind})
	if n := f.total().Documents; n < maxSamples {
		f.samples[n] = doc
	}
	one := Sum{1, int64(size)}
	switch d.State {
	case policy.Never:
		f.never.add(one)
	case policy.Expired:
		f.expired.add(one)
		p.expired.stretch(d.Deadline(), doc)
		p.histogram.add(d.Deadline(), Count{Expired: 1, Bytes: one.Bytes})
	case policy.Pending:
		f.pending.add(one)
		p.pending.stretch(d.Deadline(), doc)
		p.histogram.add(d.Deadline(), Count{Pending: 1, Bytes: one.Bytes})
	}
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
	// told are the rules that have kept documents. There are few.
	told []told
}

// told is a rule and how to tell of it.
type told struct {
	rule    *policy.Rule
	telling telling
	damage  bool // the rule is that the document is malformed
}

// decide counts the documents of b in p. It stops at the first that cannot be
// read, unless those are to be skipped.
func (d *decider) decide(p *part, b *dump.Block, s *dump.Stream) {
	stored := d.raw
	if s.Kind() != dump.BSON {
		stored = nil
	}
	for i := range b.Spans {
		if stored != nil {
			raw := b.Doc(i)
			decision, kind, ok := stored.DecideBSON(raw, d.now), policy.Missing, true
			if decision.State == policy.Never {
				kind, ok = d.foundRaw(raw, decision)
			}
			if ok { // nearly always
				p.count(decision, kind, i, len(raw))
				continue
			}
		}
		if p.err = d.check(p, b, i, s); p.err != nil {
			return
		}
	}
	d.decoder = dump.Decoder{} // which holds on to the block
}

// check decides about document i of b once it is checked whole, and counts it
// in p. The error is for one that cannot be read, unless those are to be
// skipped.
func (d *decider) check(p *part, b *dump.Block, i int, s *dump.Stream) error {
	raw := b.Doc(i)
	doc, err := d.decoder.Decode(s.Kind(), raw)
	if err != nil {
		bad := s.Damaged(b, i, err)
		if !d.skipBad || !bad.Skippable {
			return bad
		}
		p.skip(bad)
		return nil
	}
	decision := d.evaluator.Decide(doc, d.now)
	p.count(decision, d.found(doc, decision), i, len(raw))
	return nil
}

func (p *part) skip(bad error) {
	p.bad++
	if p.firstBad == nil {
		p.firstBad = bad
	}
}

// foundRaw is found for BSON that nobody has checked and that is kept. It
// reports false if that cannot be told without checking it.
func (d *decider) foundRaw(raw []byte, decision policy.Decision) (policy.Kind, bool) {
	told := d.tell(decision.Rule)
	source := int(decision.Source)
	switch {
	case told.damage:
		return policy.Missing, false
	case !told.telling.byKind():
		return policy.Missing, true
	case told.telling.field != "" || source >= len(d.fields) || len(d.fields[source]) > 1:
		return policy.Missing, false
	}
	found, ok := d.finders[source].Find(raw)
	return found.Kind, ok
}

// tell returns how to tell of a rule that keeps documents.
func (d *decider) tell(rule *policy.Rule) *told {
	for i := range d.told {
		if d.told[i].rule == rule {
			return &d.told[i]
		}
	}
	id := rule.String()
	d.told = append(d.told, told{rule, tellings[id], strings.HasSuffix(id, ".malformed")})
	return &d.told[len(d.told)-1]
}

// found returns what the field that decided holds, if the words for the rule
// depend on it.
func (d *decider) found(doc policy.Document, decision policy.Decision) policy.Kind {
	if decision.State != policy.Never {
		return policy.Missing
	}
	telling := &d.tell(decision.Rule).telling
	switch {
	case !telling.byKind():
		return policy.Missing
	case telling.field != "":
		return doc.Field(telling.field).Kind()
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
	t.Bad += p.bad
	if t.FirstBad == nil {
		t.FirstBad = p.firstBad
	}
	t.mergeExtent(p.expired, name)
	t.mergeExtent(p.pending, name)
	t.Newest.later(p.expired.last, name)
	t.Next.earlier(p.pending.first, name)
	for i := range p.findings {
		t.mergeFinding(&p.findings[i], name)
	}
	t.Histogram.merge(p.histogram)
}

func (t *Tally) mergeExtent(e extent, name func(doc int) Sample) {
	t.First.earlier(e.first, name)
	t.Last.later(e.last, name)
}

// earlier replaces m by e if there is an e and it is earlier.
func (m *Moment) earlier(e extreme, name func(doc int) Sample) {
	m.take(e, e.at < m.At, name)
}

// later replaces m by e if there is an e and it is later.
func (m *Moment) later(e extreme, name func(doc int) Sample) {
	m.take(e, e.at > m.At, name)
}

// take replaces m by e if there is an e and it is better than m.
func (m *Moment) take(e extreme, better bool, name func(doc int) Sample) {
	if e.ok && (better || !m.ok) {
		*m = Moment{At: e.at, Sample: name(e.doc), ok: true}
	}
}

func (t *Tally) mergeFinding(p *partFinding, name func(doc int) Sample) {
	t.finding(&p.key).merge(p, name)
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
	for _, doc := range p.samples[:min(p.total().Documents, maxSamples)] {
		if len(f.Samples) < maxSamples {
			f.Samples = append(f.Samples, name(doc))
		}
	}
}
