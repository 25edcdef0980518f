package forecast

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

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
	if u.FirstBad != nil && (t.FirstBad == nil || u.FirstBad.Compare(t.FirstBad.Place) < 0) {
		t.FirstBad = u.FirstBad
	}
	t.Dialects |= u.Dialects
	t.ExpiredSpan.First.join(u.ExpiredSpan.First, 1)
	t.ExpiredSpan.Last.join(u.ExpiredSpan.Last, -1)
	t.PendingSpan.First.join(u.PendingSpan.First, 1)
	t.PendingSpan.Last.join(u.PendingSpan.Last, -1)
	for i, s := range u.Sources {
		t.source(i).Add(s)
	}
	for _, v := range u.Findings {
		f := t.finding(key{v.Rule, v.Source, v.Kind})
		f.Add(v.ByState)
		f.Samples = slices.SortedFunc(slices.Values(slices.Concat(f.Samples, v.Samples)), compareSamples)
		f.Samples = slices.Clip(f.Samples[:min(len(f.Samples), MaxSamples)])
	}
	slices.SortFunc(t.Findings, compareFindings)
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

// A Skipped is the error about a document that a run has skipped.
type Skipped struct {
	Place
	Reason string `json:"reason"`
}

// Error returns the reason.
func (e *Skipped) Error() string { return e.Reason }

func skippedOf(err error) *Skipped {
	s := &Skipped{Reason: err.Error()}
	if bad := (*dump.Error)(nil); errors.As(err, &bad) {
		s.Place = Place{bad.Name, bad.Offset}
	}
	return s
}

// join sets m to u if u is the earlier deadline, or with the sign -1 the later one. If the
// deadlines are equal, join sets m to u if u has the earlier document.
func (m *Moment) join(u Moment, sign int) {
	if u.Known && (!m.Known || cmp.Or(sign*cmp.Compare(u.At, m.At), compareSamples(u.Sample, m.Sample)) < 0) {
		*m = u
	}
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
	g.reindex()
}

// A Place is the position at which a document begins; see [dump.Sample].
type Place struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
}

func placeOf(s dump.Sample) Place { return Place{s.File, s.Offset} }

// Compare orders places in the order in which a run reads them, if the run reads files in the
// order of [CompareNames].
func (p Place) Compare(q Place) int {
	return cmp.Or(CompareNames(p.File, q.File), cmp.Compare(p.Offset, q.Offset))
}

// CompareNames orders the names of files as [dump.Find] does: the files of a folder stay
// together, at the position of the folder's name.
func CompareNames(a, b string) int {
	for a != b {
		headA, restA, moreA := strings.Cut(a, "/")
		headB, restB, moreB := strings.Cut(b, "/")
		if headA != headB || !moreA || !moreB {
			return cmp.Or(cmp.Compare(headA, headB), cmp.Compare(len(a), len(b)))
		}
		a, b = restA, restB
	}
	return 0
}

// compareSamples orders documents by their places, and documents with equal or no places
// by their identifiers.
func compareSamples(a, b dump.Sample) int {
	return cmp.Or(placeOf(a).Compare(placeOf(b)), cmp.Compare(a.ID, b.ID))
}
