package forecast

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A RawEvaluator decides about stored BSON without a check of the document. If the
// evaluator of a policy is a RawEvaluator, a document is checked whole only if the
// evaluator calls it malformed, or if the reason depends on the kind of a value.
// Otherwise every document is checked before the decision.
type RawEvaluator interface {
	DecideBSON(doc []byte, now policy.Instant) policy.Decision
}

// An itemEvaluator decides about JSON and checks it in the same pass.
type itemEvaluator interface {
	DecideJSON(item []byte, now policy.Instant) policy.Decision
}

// A Tally counts the documents of a collection by the decisions of a policy. Its JSON, for parts of
// a forecast, has neither the findings nor the load, which parts hold in other forms.
type Tally struct {
	ByState
	// Within counts the pending documents that expire up to each of [Horizons].
	Within [len(Horizons)]Sum
	// Due counts the pending documents that expire up to each of [Options.Horizons].
	Due []Due `json:"-"`
	// Others are the tallies of the same documents by [Job.Others]. In each, Effect is
	// the effect of its policy, and Dialects and Bad are zero.
	Others []*Tally `json:"-"`
	Effect Effect   `json:"-"`
	// Ages are the ages for [Job.Ages]; nil if that is nil.
	Ages *Ages `json:"-"`
	// Load counts, by the minute, the documents that expire up to the longest horizon.
	Load Load `json:"-"`
	// Bad counts documents that were skipped because they could not be read; no other
	// number includes them. FirstBad is the error about the first of them.
	Bad      int64
	FirstBad *Skipped
	// Dialects are the dialects of Extended JSON in the input other than version 2.
	Dialects dump.Dialect
	// ExpiredSpan is the range of the past deadlines, and PendingSpan that of the future
	// deadlines.
	ExpiredSpan, PendingSpan Span
	// Sources counts documents by the deciding source. A document with deadlines from
	// several sources counts for the source of the earliest deadline. Documents without a
	// known deadline count for no source.
	Sources []ByState
	// Findings are the findings of the rules that decided, in the order of their first
	// documents.
	Findings  []Finding `json:"-"`
	Histogram *Histogram
	// Groups counts documents by the values of the field [Options.By].
	Groups Groups
}

// A Horizon is a span of time that begins now.
type Horizon struct {
	Name   string
	millis uint64
}

// is reports whether h and g are equally long.
func (h Horizon) is(g Horizon) bool { return h.millis == g.millis }

// Seconds returns the length of h.
func (h Horizon) Seconds() int64 { return int64(h.millis / second) }

// A Due is a horizon with the documents that expire up to its end.
type Due struct {
	Horizon
	Sum
}

// dueOf returns a Due with zero counts for each horizon.
func dueOf(list []Horizon) (out []Due) {
	for _, h := range list {
		out = append(out, Due{Horizon: h})
	}
	return out
}

// Horizons are the spans for which a tally counts expiring documents, the shortest first.
var Horizons = [...]Horizon{{"24 h", day}, {"7 d", 7 * day}, {"30 d", 30 * day}}

// A Sum is a number of documents and their size.
type Sum struct {
	Documents int64 `json:"documents"`
	Bytes     int64 `json:"bytes"`
}

func (s *Sum) add(t Sum) {
	s.Documents += t.Documents
	s.Bytes += t.Bytes
}

// ByState counts documents by their state. Unknown counts the documents of which
// [reasons.IsUnknown] is true: when they expire, or whether, depends on a value that the
// input lacks. They are in no other state.
type ByState struct {
	Expired Sum `json:"expired"`
	Pending Sum `json:"pending"`
	Never   Sum `json:"never"`
	Unknown Sum `json:"unknown"`
}

// Total returns the sum of all states.
func (b ByState) Total() Sum {
	sum := b.Expired
	sum.add(b.Pending)
	sum.add(b.Never)
	sum.add(b.Unknown)
	return sum
}

// of returns the sum of the documents in a state. isUnknown is the result of
// [reasons.IsUnknown] for the rule that decided.
func (b *ByState) of(s policy.State, isUnknown bool) *Sum {
	switch {
	case isUnknown:
		return &b.Unknown
	case s == policy.Expired:
		return &b.Expired
	case s == policy.Pending:
		return &b.Pending
	}
	return &b.Never
}

// Add adds the counts of c to b.
func (b *ByState) Add(c ByState) {
	b.Expired.add(c.Expired)
	b.Pending.add(c.Pending)
	b.Never.add(c.Never)
	b.Unknown.add(c.Unknown)
}

// A Span is a range of deadlines. Without a deadline, First and Last are the zero Moment.
type Span struct{ First, Last Moment }

// Add adds the counts of another collection's documents to t: by state, up to each of
// [Horizons], of the effect, and of bad documents. All other fields of t stay as they are.
func (t *Tally) Add(u *Tally) {
	t.ByState.Add(u.ByState)
	for i := range t.Within {
		t.Within[i].add(u.Within[i])
	}
	t.Effect.add(&u.Effect)
	t.Bad += u.Bad
}

// First returns the earliest deadline.
func (t *Tally) First() Moment {
	if t.ExpiredSpan.First.Known {
		return t.ExpiredSpan.First
	}
	return t.PendingSpan.First
}

// Last returns the latest deadline.
func (t *Tally) Last() Moment {
	if t.PendingSpan.Last.Known {
		return t.PendingSpan.Last
	}
	return t.ExpiredSpan.Last
}

// A Moment is a deadline and the first document that has it. The zero Moment means no
// deadline.
type Moment struct {
	At     policy.Instant
	Sample dump.Sample
	Known  bool // false for the zero Moment
}

// A Finding counts the documents about which one rule decided.
type Finding struct {
	Rule   policy.Rule `json:"-"` // zero if the evaluator names no rule
	Source uint8
	// Kind is the kind of the value in the source's field, if that kind is the reason why
	// the documents have no deadline.
	Kind policy.Kind
	ByState
	Samples []dump.Sample // the first documents, at most MaxSamples
}

// MaxSamples is the maximum number of sample documents of a finding.
const MaxSamples = 3

// merge adds p, the tally of the block that follows the blocks counted by t. sample
// returns the sample of a document in the block. groups is the maximum number of groups.
func (t *Tally) merge(p *blockTally, groups int, sample func(doc int) dump.Sample) {
	t.Bad += p.bad
	t.Dialects |= p.dialects
	if t.FirstBad == nil {
		t.FirstBad = p.firstBad
	}
	t.ExpiredSpan.merge(p.expired, sample)
	t.PendingSpan.merge(p.pending, sample)
	for i := range p.findings {
		t.finding(p.findings[i].key).merge(&p.findings[i], sample)
		t.addDecided(int(p.findings[i].source), p.findings[i].ByState)
	}
	var within Sum
	for i, s := range p.within { // a document counts for its horizon and all longer ones
		within.add(s)
		t.Within[i].add(within)
	}
	for i := range p.due {
		t.Due[i].add(p.due[i].Sum)
	}
	t.Effect.add(&p.effect)
	t.Ages.merge(p.ages, p.gone, p.unequal)
	for _, m := range p.minutes {
		t.Load.Add(int(m), 1)
	}
	t.Groups.merge(&p.groups, groups, sample)
	t.Histogram.merge(p.histogram)
	for i, other := range t.Others {
		other.merge(&p.others[i], groups, sample)
	}
}

// merge adds the deadlines of the next block.
func (s *Span) merge(p span, sample func(doc int) dump.Sample) {
	if !p.known {
		return
	}
	if !s.First.Known || p.first.at < s.First.At {
		s.First = Moment{p.first.at, sample(p.first.doc), true}
	}
	if !s.Last.Known || p.last.at > s.Last.At {
		s.Last = Moment{p.last.at, sample(p.last.doc), true}
	}
}

// addDecided adds b to the counts of t. It also adds the documents with a deadline to the
// counts of source n.
func (t *Tally) addDecided(n int, b ByState) {
	t.ByState.Add(b)
	if b.Never, b.Unknown = (Sum{}), (Sum{}); b != (ByState{}) {
		t.source(n).Add(b)
	}
}

// source returns the counts of source n, and adds the source if it is new.
func (t *Tally) source(n int) *ByState {
	for n >= len(t.Sources) {
		t.Sources = append(t.Sources, ByState{})
	}
	return &t.Sources[n]
}

// finding returns t's finding with this key.
func (t *Tally) finding(k key) *Finding {
	i := slices.IndexFunc(t.Findings, func(f Finding) bool {
		return key{f.Rule, f.Source, f.Kind} == k
	})
	if i < 0 {
		i = len(t.Findings)
		t.Findings = append(t.Findings, Finding{Rule: k.rule, Source: k.source, Kind: k.kind})
	}
	return &t.Findings[i]
}

func (f *Finding) merge(p *blockFinding, sample func(doc int) dump.Sample) {
	f.Add(p.ByState)
	for _, doc := range p.samples[:min(p.Total().Documents, MaxSamples)] {
		if len(f.Samples) < MaxSamples {
			f.Samples = append(f.Samples, sample(doc))
		}
	}
}

// NewTally returns an empty tally for a policy with the given number of sources.
func NewTally(sources int, o Options) *Tally {
	return &Tally{Sources: make([]ByState, sources), Histogram: newHistogram(o.Bucket, o.Period, o.Now), Due: dueOf(o.Horizons)}
}
