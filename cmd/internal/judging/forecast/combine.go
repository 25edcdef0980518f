package forecast

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// ErrTooLarge is the error if a sum of documents or bytes is above 2^63-1.
var ErrTooLarge = errors.New("the sum is above 9223372036854775807")

// CheckAdd returns [ErrTooLarge] if a sum of the counts of t and u is above 2^63-1.
func (t *Tally) CheckAdd(u *Tally) error {
	a, b := t.Total(), u.Total()
	for _, pair := range [][2]int64{{a.Documents, b.Documents}, {a.Bytes, b.Bytes}, {t.Bad, u.Bad}} {
		if pair[0] > math.MaxInt64-pair[1] {
			return ErrTooLarge
		}
	}
	return nil
}

// Merge adds the counts of u. The tallies must be of different documents of one
// collection, at the same instant, with buckets of the same width and no other policies.
// Tallies can be merged in any order: the result equals that of one run
// over all documents in the order of [Place.Compare]. t shares no memory with u. If Merge
// returns an error, t is unchanged.
//
// If a field has more than [Options.Groups] values, the order of merging decides which
// values get a group.
func (t *Tally) Merge(u *Tally) error {
	if err := t.CheckAdd(u); err != nil {
		return err
	}
	t.Add(u)
	t.Load.Merge(&u.Load)
	if isBefore(u.FirstBad, t.FirstBad) {
		t.FirstBad = u.FirstBad
	}
	t.Dialects |= u.Dialects
	t.ExpiredSpan.join(u.ExpiredSpan)
	t.PendingSpan.join(u.PendingSpan)
	for i, s := range u.Sources {
		t.source(i).Add(s)
	}
	t.joinFindings(u.Findings)
	t.Histogram.merge(u.Histogram)
	t.Groups.join(&u.Groups)
	return nil
}

// Take moves the load of t to l, and releases memory that only further additions to t
// need.
func (l *Load) Take(t *Tally) {
	l.Merge(&t.Load)
	t.Load = Load{}
	t.Histogram.table.pack()
}

// isBefore reports whether the document of the error a comes before the document of the
// error b. A nil error comes last.
func isBefore(a, b error) bool {
	if a == nil || b == nil {
		return a != nil
	}
	return errorPlace(a).Compare(errorPlace(b)) < 0
}

// errorPlace returns the place of the document that err is about.
func errorPlace(err error) Place {
	var read *dump.Error
	var told *Skipped
	switch {
	case errors.As(err, &told):
		return told.Place
	case errors.As(err, &read):
		return Place{read.Name, read.Offset}
	}
	return Place{}
}

func (s *Span) join(u Span) {
	s.First.join(u.First, cmp.Compare(u.First.At, s.First.At))
	s.Last.join(u.Last, cmp.Compare(s.Last.At, u.Last.At))
}

// join sets m to u if order is negative, which means that u is the more extreme deadline.
// If the deadlines are equal, join sets m to u if u has the earlier document.
func (m *Moment) join(u Moment, order int) {
	if u.ok && (!m.ok || cmp.Or(order, compareSamples(u.Sample, m.Sample)) < 0) {
		*m = u
	}
}

// joinFindings adds findings about other documents, and sorts all findings by their first
// documents.
func (t *Tally) joinFindings(list []Finding) {
	for _, u := range list {
		f := t.finding(key{u.Rule, uint8(u.Source), u.Kind})
		f.Add(u.ByState)
		f.Samples = slices.SortedFunc(slices.Values(slices.Concat(f.Samples, u.Samples)), compareSamples)
		f.Samples = slices.Clip(f.Samples[:min(len(f.Samples), MaxSamples)])
	}
	slices.SortFunc(t.Findings, compareFindings)
}

// compareFindings orders findings by their first documents. Findings without a document
// come last.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		-cmp.Compare(min(len(a.Samples), 1), min(len(b.Samples), 1)),
		slices.CompareFunc(a.Samples, b.Samples, compareSamples),
		cmp.Compare(a.Rule.String(), b.Rule.String()), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Kind, b.Kind))
}

// join adds groups of other documents, and sorts all groups by their first documents.
func (g *Groups) join(u *Groups) {
	for _, group := range u.List {
		if !g.Add(group) {
			to := &g.List[g.index[group.Value]]
			if group.First.Compare(to.First) < 0 {
				to.First = group.First
			}
		}
	}
	g.Other.Add(u.Other.ByState)
	slices.SortFunc(g.List, func(a, b Group) int { return cmp.Or(a.First.Compare(b.First), cmp.Compare(a.Value, b.Value)) })
	for i, group := range g.List {
		g.index[group.Value] = i
	}
}
