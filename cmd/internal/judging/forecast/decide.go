package forecast

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A decider decides about the documents of blocks. Each worker has its own decider.
type decider struct {
	job      Job
	judges   []judge   // one for each policy, the first for the job's own
	verdicts []verdict // the verdicts of the judges about one document
	isRaw    bool      // the decider decides about BSON before a check
	isItem   bool      // the decider decides about items of Cosmos DB before a check
	by       []string  // the path of Options.By; nil if that is empty
	options  Options
	decoder  dump.Decoder
	item     policy.JSON // an item that the evaluators have accepted
}

// A judge decides about documents by one policy.
type judge struct {
	policy  *reasons.Policy
	raw     RawEvaluator     // decides about unchecked BSON; nil if BSON has to be checked first
	items   itemEvaluator    // decides about unchecked items; nil if an item has to be checked first
	fields  [][]string       // the path of each source's field
	finders []rawbson.Finder // for the first name of each path in fields
	looks   []look           // one for each rule that has kept a document
}

// A verdict is a decision, with the kind of the value in the source's field if the reason
// depends on that kind.
type verdict struct {
	policy.Decision
	kind      policy.Kind
	isUnknown bool // the document counts as unknown, see [ByState]
}

// A look describes the part of a document that shows why a rule keeps the document.
type look struct {
	rule      policy.Rule
	byKind    bool     // the reason depends on the kind of a field's value
	path      []string // the path of that field; nil for the source's field
	malformed bool     // the rule keeps malformed documents
	isUnknown bool     // the rule leaves the deadline open
}

func newDecider(j Job, o Options) *decider {
	d := &decider{job: j, options: o}
	for _, p := range j.policies() {
		one := judge{policy: p}
		one.raw, _ = p.Evaluator.(RawEvaluator)
		one.items, _ = p.Evaluator.(itemEvaluator)
		for _, s := range p.Sources {
			path := strings.Split(s.Field, ".")
			one.fields = append(one.fields, path)
			one.finders = append(one.finders, rawbson.NewFinder(path[0]))
		}
		d.judges = append(d.judges, one)
	}
	d.verdicts = make([]verdict, len(d.judges))
	d.isRaw = !o.Check && o.By == "" && j.Ages == nil // otherwise each document is checked whole, which is simpler, and rarely requested
	d.isItem = j.Ages == nil
	for _, one := range d.judges {
		d.isRaw, d.isItem = d.isRaw && one.raw != nil, d.isItem && one.items != nil
	}
	if o.By != "" {
		d.by = strings.Split(o.By, ".")
	}
	return d
}

// decide decides about the documents of b, and counts them in p. It stops at the first
// document that cannot be read, unless the options skip such documents.
func (d *decider) decide(p *blockTally, b *dump.Block, s *dump.Stream) {
	raw := d.isRaw && s.Kind() == dump.BSON
	isOfAccount := b.Collection != nil && b.Collection.Container // the account sends whole items because of --check, and parts without it
	if d.options.Check && !isOfAccount && (d.judges[0].raw == nil || s.Kind() != dump.BSON) {
		p.err = cli.Usagef("--check has no effect on %s: its documents are always checked whole", s.Name())
		return
	}
	items := d.isItem && s.Kind() == dump.JSON
	for i := range b.Spans {
		if raw && d.decideRaw(p, b, i) || items && d.decideItem(p, b, i) { // true for nearly every document
			continue
		}
		if p.err = d.decideChecked(p, b, i, s); p.err != nil {
			break
		}
	}
	p.dialects = d.decoder.Dialects
	d.decoder.Release()
}

// decideRaw counts an unchecked document of BSON. The result is false if the document has
// to be checked first.
func (d *decider) decideRaw(p *blockTally, b *dump.Block, doc int) bool {
	raw := b.Doc(doc)
	for i := range d.judges {
		j, v := &d.judges[i], &d.verdicts[i]
		*v = verdict{Decision: j.raw.DecideBSON(raw, d.options.Now)}
		if v.State == policy.Never {
			var ok bool
			l := j.look(v.Rule)
			if v.kind, ok = j.kindInRaw(raw, v.Decision, l); !ok {
				return false
			}
			v.isUnknown = l.isUnknown
		}
	}
	if d.verdicts[0].State == policy.Never && dump.MayBeReply(dump.BSON, raw) {
		return false
	}
	d.count(p, doc, b.DocSize(doc))
	return true
}

// decideItem counts an unchecked item of Cosmos DB. The result is false if the item has
// to be checked first, so that the finding names its fault.
func (d *decider) decideItem(p *blockTally, b *dump.Block, doc int) bool {
	raw := b.Doc(doc)
	for i := range d.judges {
		j, v := &d.judges[i], &d.verdicts[i]
		*v = verdict{Decision: j.items.DecideJSON(raw, d.options.Now)}
		if v.State == policy.Never {
			l := j.look(v.Rule)
			if l.malformed {
				return false
			}
			v.isUnknown = l.isUnknown
			if l.byKind {
				d.item = valuefunc.F.UncheckedJSON(raw) // DecideJSON has checked the item
				v.kind = j.kindAt(&d.item, v.Decision, l)
			}
		}
	}
	if d.verdicts[0].State == policy.Never && dump.MayBeReply(dump.JSON, raw) {
		return false
	}
	if d.by != nil {
		d.item = valuefunc.F.UncheckedJSON(raw)
		d.countGroup(p, &d.item, doc, b.DocSize(doc))
	}
	d.count(p, doc, b.DocSize(doc))
	return true
}

// decideChecked checks a whole document of b and counts it. The error is about a document
// that cannot be read, unless the options skip such documents.
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
	for i := range d.judges {
		j, v := &d.judges[i], &d.verdicts[i]
		*v = verdict{Decision: j.policy.Decide(doc, d.options.Now)}
		if v.State == policy.Never {
			l := j.look(v.Rule)
			v.kind, v.isUnknown = j.kindAt(doc, v.Decision, l), l.isUnknown
		}
	}
	if d.job.Ages != nil {
		d.job.Ages.count(p, doc, d.verdicts[0], d.verdicts[1], d.options.Now)
	}
	if d.by != nil {
		d.countGroup(p, doc, i, b.DocSize(i))
	}
	d.count(p, i, b.DocSize(i))
	return nil
}

// count counts a document by its verdicts, each in the tally of its policy.
func (d *decider) count(p *blockTally, doc, size int) {
	first := d.verdicts[0]
	p.count(&first, doc, size)
	for i := range d.verdicts[1:] {
		v, t := &d.verdicts[1+i], &p.others[i]
		t.count(v, doc, size)
		t.effect.count(&first, v, d.options.Now, Sum{1, int64(size)})
	}
}

// countGroup counts a document by the value at the path Options.By through embedded
// documents, in the tally of each policy.
func (d *decider) countGroup(p *blockTally, doc policy.Document, i, size int) {
	last := len(d.by) - 1
	for _, name := range d.by[:last] {
		doc = doc.Field(name)
	}
	value, one := dump.IDOf(doc, d.by[last]), Sum{1, int64(size)}
	p.groups.count(value, &d.verdicts[0], i, one)
	for k := range d.verdicts[1:] {
		p.others[k].groups.count(value, &d.verdicts[1+k], i, one)
	}
}

// kindAt returns the kind of the value on which l, the reason for keeping doc, depends;
// Missing if l depends on no value.
func (j *judge) kindAt(doc policy.Document, decision policy.Decision, l *look) policy.Kind {
	path := l.path
	if path == nil && int(decision.Source) < len(j.fields) {
		path = j.fields[decision.Source]
	}
	if !l.byKind || path == nil {
		return policy.Missing
	}
	return reasons.KindAt(doc, path)
}

// kindInRaw is kindAt for an unchecked BSON document that is kept. The result is false if
// the document has to be checked first.
func (j *judge) kindInRaw(raw []byte, decision policy.Decision, l *look) (policy.Kind, bool) {
	source := int(decision.Source)
	switch {
	case l.malformed:
		return policy.Missing, false
	case !l.byKind:
		return policy.Missing, true
	case l.path != nil || source >= len(j.fields) || len(j.fields[source]) > 1:
		return policy.Missing, false
	}
	found, ok := j.finders[source].Find(raw)
	return policy.Kind(found.Type), ok
}

// look returns the look for a rule that keeps documents, and adds it if it is new.
func (j *judge) look(rule policy.Rule) *look {
	for i := range j.looks {
		if j.looks[i].rule == rule {
			return &j.looks[i]
		}
	}
	l := look{rule: rule, malformed: strings.HasSuffix(rule.String(), ".malformed"), isUnknown: reasons.IsUnknown(rule)}
	if text := reasons.TextOf(rule); text != nil {
		l.byKind = text.ByKind != nil
		if text.Field != "" {
			l.path = []string{text.Field}
		}
	}
	j.looks = append(j.looks, l)
	return &j.looks[len(j.looks)-1]
}
