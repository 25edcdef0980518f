package forecast

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A decider decides the documents of blocks. Each belongs to one worker.
type decider struct {
	policy   *reasons.Policy
	other    *reasons.Policy  // to compare with; nil for none
	ages     *AgesOf          // nil for none
	raw      RawEvaluator     // nil if every document is checked whole
	rawOther RawEvaluator     // that of other; nil likewise
	items    itemEvaluator    // nil if every item is checked before
	item     policy.JSON      // one that items has accepted
	by       []string         // the path of Options.By; nil without
	fields   [][]string       // the path of each source's field
	finders  []rawbson.Finder // of each field that is on top
	options  Options
	decoder  dump.Decoder
	looks    []look // at the rules that have kept documents; there are few
}

// A look says which part of a document explains why a rule keeps it.
type look struct {
	rule      *policy.Rule
	byKind    bool     // the reason depends on the kind of what a field holds
	path      []string // of that field; nil for the source's
	malformed bool     // the rule is that the document is malformed
}

func newDecider(j Job, o Options) *decider {
	p := j.Policy
	d := &decider{policy: p, other: j.Other, options: o}
	if j.Other != nil {
		d.rawOther, _ = j.Other.Evaluator.(RawEvaluator)
	}
	if d.ages = j.Ages; d.ages != nil {
		d.rawOther = nil // each document is checked whole; simple, and rarely requested
	}
	if !o.Check && o.By == "" && (j.Other == nil || d.rawOther != nil) {
		d.raw, _ = p.Evaluator.(RawEvaluator)
	}
	d.items, _ = p.Evaluator.(itemEvaluator)
	if o.By != "" {
		d.by = strings.Split(o.By, ".")
	}
	for _, s := range p.Sources {
		path := strings.Split(s.Field, ".")
		d.fields = append(d.fields, path)
		d.finders = append(d.finders, rawbson.NewFinder(path[0]))
	}
	return d
}

// decide decides about the documents of b, and counts them in p. It stops at the first that
// cannot be read, unless those are skipped.
func (d *decider) decide(p *blockTally, b *dump.Block, s *dump.Stream) {
	raw := d.raw != nil && s.Kind() == dump.BSON
	isPart := b.Collection != nil && b.Collection.Container // without --check, which has it sent whole
	if _, ok := d.policy.Evaluator.(RawEvaluator); d.options.Check && !isPart && (!ok || s.Kind() != dump.BSON) {
		p.err = cli.Usagef("--check has no effect on %s: all of it is checked anyway", s.Name())
		return
	}
	items := d.items != nil && s.Kind() == dump.JSON
	for i := range b.Spans {
		if raw && d.decideRaw(p, b, i) || items && d.decideItem(p, b, i) { // nearly always
			continue
		}
		if p.err = d.decideChecked(p, b, i, s); p.err != nil {
			break
		}
	}
	p.dialects = d.decoder.Dialects
	d.decoder.Release()
}

// decideRaw counts a document of BSON that nobody has checked. It reports false
// if it has to be checked first.
func (d *decider) decideRaw(p *blockTally, b *dump.Block, doc int) bool {
	raw := b.Doc(doc)
	decision, kind, ok := d.raw.DecideBSON(raw, d.options.Now), policy.Missing, true
	if decision.State == policy.Never {
		kind, ok = d.kindInRaw(raw, decision)
	}
	if ok && d.other != nil {
		ok = d.compareRaw(p, decision, raw, b.DocSize(doc))
	}
	if ok {
		p.count(decision, kind, doc, b.DocSize(doc))
	}
	return ok
}

// decideItem counts an item of Cosmos DB that nobody has checked. It reports false if
// that has to be done first, to tell what is wrong with it.
func (d *decider) decideItem(p *blockTally, b *dump.Block, i int) bool {
	raw := b.Doc(i)
	decision, kind := d.items.DecideJSON(raw, d.options.Now), policy.Missing
	if decision.State == policy.Never {
		l := d.look(decision.Rule)
		if l.malformed {
			return false
		}
		if l.byKind {
			d.item = policy.UncheckedJSON(raw) // but it is
			kind = d.kindAt(&d.item, decision, l)
		}
	}
	if d.other != nil || d.by != nil {
		d.item = policy.UncheckedJSON(raw)
		d.countBeside(p, &d.item, decision, i, b.DocSize(i))
	}
	p.count(decision, kind, i, b.DocSize(i))
	return true
}

// compareRaw counts what the other policy decides about BSON that nobody has checked.
// It reports false if the document has to be checked first.
func (d *decider) compareRaw(p *blockTally, decision policy.Decision, raw []byte, size int) bool {
	other := d.rawOther.DecideBSON(raw, d.options.Now)
	if other.State == policy.Never && d.look(other.Rule).malformed {
		return false
	}
	p.change.count(decision, other, d.options.Now, Sum{1, int64(size)})
	return true
}

// decideChecked counts document i of b once it is checked whole. The error is for
// one that cannot be read, unless those are skipped.
func (d *decider) decideChecked(p *blockTally, b *dump.Block, i int, s *dump.Stream) error {
	raw := b.Doc(i)
	doc, err := d.decoder.View(s.Kind(), raw)
	if err != nil {
		bad := s.Damaged(b, i, err)
		if !d.options.SkipBad || !bad.Skippable {
			return bad
		}
		p.skip(bad)
		return nil
	}
	decision, kind := d.policy.Decide(doc, d.options.Now), policy.Missing
	if decision.State == policy.Never {
		kind = d.kindAt(doc, decision, d.look(decision.Rule))
	}
	d.countBeside(p, doc, decision, i, b.DocSize(i))
	p.count(decision, kind, i, b.DocSize(i))
	return nil
}

// countBeside counts document i of a block for the other policy and for its group.
func (d *decider) countBeside(p *blockTally, doc policy.Document, decision policy.Decision, i, size int) {
	if d.other != nil {
		other := d.other.Decide(doc, d.options.Now)
		p.change.count(decision, other, d.options.Now, Sum{1, int64(size)})
		if d.ages != nil {
			d.ages.count(p, doc, decision, other, d.options.Now)
		}
	}
	if d.by != nil {
		p.groups.count(valueAt(doc, d.by), decision.State, i, Sum{1, int64(size)})
	}
}

// kindAt returns the kind of the value on which l, the reason for keeping doc, depends.
func (d *decider) kindAt(doc policy.Document, decision policy.Decision, l *look) policy.Kind {
	path := l.path
	if path == nil && int(decision.Source) < len(d.fields) {
		path = d.fields[decision.Source]
	}
	if !l.byKind || path == nil {
		return policy.Missing
	}
	return reasons.KindAt(doc, path)
}

// kindInRaw is kindAt for BSON that nobody has checked and that is kept. It
// reports false if the document has to be checked first.
func (d *decider) kindInRaw(raw []byte, decision policy.Decision) (policy.Kind, bool) {
	l, source := d.look(decision.Rule), int(decision.Source)
	switch {
	case l.malformed:
		return policy.Missing, false
	case !l.byKind:
		return policy.Missing, true
	case l.path != nil || source >= len(d.fields) || len(d.fields[source]) > 1:
		return policy.Missing, false
	}
	found, ok := d.finders[source].Find(raw)
	return policy.Kind(found.Type), ok
}

// look returns the look for a rule that keeps documents.
func (d *decider) look(rule *policy.Rule) *look {
	for i := range d.looks {
		if d.looks[i].rule == rule {
			return &d.looks[i]
		}
	}
	l := look{rule: rule, malformed: strings.HasSuffix(rule.String(), ".malformed")}
	if text := reasons.TextOf(rule); text != nil {
		l.byKind = text.ByKind != nil
		if text.Field != "" {
			l.path = []string{text.Field}
		}
	}
	d.looks = append(d.looks, l)
	return &d.looks[len(d.looks)-1]
}
