package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
)

// A summary has a row for each shown collection, and one row for all others.
type summary struct {
	Rows []summaryRow
	// Others sums up the collections without a TTL that are not shown; nil if all are
	// shown.
	Others *summaryRow
	// Without names the collections of Others.
	Without []string
	Total   summaryRow
}

// A summaryRow is the row of a collection, or of the sum of several.
type summaryRow struct {
	Name, Policy string
	*forecast.Tally
	Incomplete bool // not all documents are counted
}

// HasUnknown reports whether s has a column of unknown documents.
func (s summary) HasUnknown() bool { return s.Total.Unknown.Documents > 0 }

// Names returns the names of the first collections of Others.
func (s summary) Names() string { return cli.FirstOf(s.Without, 20) }

// summary returns the summary of r, over the collections of [Report.shown].
func (r Report) summary() summary {
	var s summary
	shown := r.shown()
	for _, c := range shown {
		s.Rows = append(s.Rows, summaryRow{c.Name, c.inShort(), c.Tally, c.Err != nil || c.Tally.Bad > 0})
	}
	if n := len(r.Collections) - len(shown); n > 0 {
		rest := slices.DeleteFunc(slices.Clone(r.Collections), r.isShown)
		s.Others = &summaryRow{Name: fmt.Sprintf("%d more", n), Policy: "no TTL", Tally: sum(rest)}
		for _, c := range rest {
			s.Without = append(s.Without, cli.Visible(c.Name))
		}
		slices.Sort(s.Without)
	}
	s.Total = summaryRow{Name: "total", Tally: sum(r.Collections), Incomplete: !r.Complete}
	return s
}

// isShown reports whether c has a row of its own: c has a TTL, reading c had a problem, c
// is the only collection, or the report shows all collections.
func (r Report) isShown(c Collection) bool {
	return r.All || len(r.Collections) == 1 || len(c.Policy.Sources) > 0 || c.Err != nil || c.Tally.Bad > 0
}

// shown returns the collections with a row of their own. They are ordered by the number
// of documents that have expired, then by the number that expire up to each horizon, then
// by the number that ever expire. If these are equal, the larger collection comes first.
func (r Report) shown() []Collection {
	list := slices.DeleteFunc(slices.Clone(r.Collections), func(c Collection) bool { return !r.isShown(c) })
	slices.SortStableFunc(list, func(a, b Collection) int {
		return cmp.Or(slices.Compare(losses(b.Tally), losses(a.Tally)), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// losses returns the numbers by which collections are ranked.
func losses(t *forecast.Tally) []int64 {
	n := []int64{t.Expired.Documents}
	for _, s := range t.Within {
		n = append(n, s.Documents)
	}
	return append(n, t.Pending.Documents, t.Total().Documents)
}

// sum adds up the counts of collections.
func sum(list []Collection) *forecast.Tally {
	t := new(forecast.Tally)
	for _, c := range list {
		t.Add(c.Tally)
	}
	return t
}

// inShort describes c's policy in a few words.
func (c Collection) inShort() string {
	if len(c.Policy.Sources) == 0 {
		return "no TTL"
	}
	var about []string
	for _, s := range c.Policy.Sources {
		about = append(about, s.About)
	}
	return strings.Join(about, ", ")
}
