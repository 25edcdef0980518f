// Package part adds up forecasts that were made separately, on several machines or by
// several engines. A part is the exact tally of some inputs. The sum of parts, in any
// order and grouping, is the result of one run over all inputs.
//
// [Make] makes a part from inputs, [Encode] and [Decoder] write and read files,
// [Part.Merge] adds parts, and [Part.Report] returns a report.
package part

import (
	"cmp"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// A Part is the forecast of some inputs. The zero Part is empty. The first part that is
// merged into an empty Part sets the key.
type Part struct {
	Key Key
	// Inputs are the names of all inputs, including inputs that could not be read. No input
	// may be in two parts.
	Inputs      []string
	Collections []Collection
	Unread      []Unread
	// Load is the load of all collections together. The tallies of the collections have no
	// load.
	Load forecast.Load

	place  string            // the file from which the part was read; empty if it was not read from a file
	seen   map[string]string // the place of the part with each input
	total  forecast.Tally    // the sums of all collections
	joined int               // the number of the last joined collection, counted from 1; 0 if there is none
}

// A Collection is the forecast of one collection, or of its parts in the inputs.
type Collection struct {
	Origins []Origin
	// Joined reports whether other parts may hold further documents of the collection. At
	// most one collection of a part is joined.
	Joined bool
	Policy *reasons.Policy // without an evaluator if the part was read from a file
	Digest string          // the digest of the policy, see [digestOf]
	Tally  *forecast.Tally
	Sample *report.Sample // nil if all documents were read
	Err    error          // the reason why the collection was not read to its end; nil if it was
}

// An Origin is a place with documents of a collection.
type Origin struct {
	Input string `json:"input"` // the name of the input, as in [Part.Inputs]
	Index int    `json:"index"` // the position of the collection in the input
	File  string `json:"file"`  // the input, or a place in it
	Title string `json:"title"` // the title of the collection
}

// An Unread is a collection that could not be read at all, or an input whose collections
// are unknown.
type Unread struct {
	Origins []Origin // a single origin with the index -1 for an input
	Err     error
}

// Add adds a collection, whose inputs must be in p.Inputs, and moves its load to p.
func (p *Part) Add(c Collection) error {
	if err := p.total.CheckAdd(c.Tally); err != nil {
		return err
	}
	p.total.Add(c.Tally)
	p.Load.Take(c.Tally)
	if p.Collections = append(p.Collections, c); c.Joined {
		p.joined = len(p.Collections)
	}
	return nil
}

// Merge adds q to p. Do not use q after the call, nor p after an error. The error is the
// reason why the parts cannot be added; it is a [cli.ExitUsage] if they do not belong
// together.
func (p *Part) Merge(q *Part) error {
	if p.seen == nil {
		p.Key, p.seen = q.Key, map[string]string{}
	}
	if err := p.Key.check(q.Key); err != nil {
		return err
	}
	for _, name := range q.Inputs {
		switch before, isSeen := p.seen[name]; {
		case isSeen && before == "":
			return cli.Usagef("%s is in two parts, and would be counted twice", name)
		case isSeen:
			return cli.Usagef("%s is in the part %s too, and would be counted twice", name, before)
		}
		p.seen[name] = q.place
	}
	p.Inputs = append(p.Inputs, q.Inputs...)
	p.Unread = append(p.Unread, q.Unread...)
	for _, c := range q.Collections {
		if err := p.merge(c); err != nil {
			return err
		}
	}
	p.Load.Merge(&q.Load)
	return nil
}

// merge adds a collection of another part. It adds a joined collection to the joined
// collection of p.
func (p *Part) merge(c Collection) error {
	if !c.Joined || p.joined == 0 {
		return p.Add(c)
	}
	to := &p.Collections[p.joined-1]
	if to.Digest != c.Digest {
		return cli.Usagef("%s and %s belong to one collection, but have different policies: %s, and %s", to.Origins[0].File, c.Origins[0].File, to.Policy.Description, c.Policy.Description)
	}
	if err := p.total.CheckAdd(c.Tally); err != nil {
		return err
	}
	if to.Err == nil || c.Err != nil && c.Err.Error() < to.Err.Error() { // the choice does not depend on the order of merging
		to.Err = c.Err
	}
	p.total.Add(c.Tally)
	to.Origins = append(to.Origins, c.Origins...)
	return to.Tally.Merge(c.Tally)
}

func (o Origin) compare(p Origin) int {
	return cmp.Or(forecast.CompareNames(o.Input, p.Input), cmp.Compare(o.Index, p.Index))
}

// Sort sorts p into the order of one run over all inputs, which reads them in the order
// of [forecast.CompareNames].
func (p *Part) Sort() {
	slices.SortFunc(p.Inputs, forecast.CompareNames)
	for _, c := range p.Collections {
		slices.SortFunc(c.Origins, Origin.compare)
	}
	slices.SortFunc(p.Collections, func(a, b Collection) int { return a.Origins[0].compare(b.Origins[0]) })
	p.joined = 1 + slices.IndexFunc(p.Collections, func(c Collection) bool { return c.Joined })
	isPart := func(u Unread) int { return min(u.Origins[0].Index, 0) } // -1 for an input, so that inputs come first
	slices.SortFunc(p.Unread, func(a, b Unread) int {
		return cmp.Or(cmp.Compare(isPart(a), isPart(b)), a.Origins[0].compare(b.Origins[0]))
	})
}

// Expect marks the named inputs that p lacks as not read. It returns an error if p has an
// input that is not named.
func (p *Part) Expect(names []string) error {
	expected := map[string]bool{}
	for _, name := range names {
		expected[name] = true
	}
	for _, name := range p.Inputs {
		if !expected[name] {
			return cli.Usagef("%s is in a part, but is not an expected input", name)
		}
		delete(expected, name)
	}
	for name := range expected {
		p.Unread = append(p.Unread, Unread{Origins: []Origin{{Input: name, Index: -1, File: name, Title: name}}, Err: report.ErrMissing})
	}
	return nil
}

// Report returns p for display. The error is the reason why the report is incomplete.
func (p *Part) Report() (report.Report, error) {
	r := report.Report{Now: p.Key.Now, By: p.Key.By, Load: p.Load}
	for _, c := range p.Collections {
		t := *c.Tally
		t.Groups = t.Groups.Shown()
		r.Collections = append(r.Collections, report.Collection{Name: nameOf(c.Origins), Files: filesOf(c.Origins), Policy: c.Policy, Tally: &t, Sample: c.Sample, Err: c.Err})
	}
	for _, u := range p.Unread {
		r.Unread = append(r.Unread, report.Unread{Name: nameOf(u.Origins), Files: filesOf(u.Origins), Err: u.Err})
	}
	return r, r.Conclude()
}
