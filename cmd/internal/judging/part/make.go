package part

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// InOrder sorts inputs into the order in which a merge reads them.
func InOrder(inputs []*dump.Input) {
	slices.SortStableFunc(inputs, func(a, b *dump.Input) int { return forecast.CompareNames(nameOfInput(a), nameOfInput(b)) })
}

func nameOfInput(in *dump.Input) string { return filepath.ToSlash(in.Name()) }

// Make forecasts the groups of the inputs found, and compares other times to live if key says
// so. The part names the inputs that could not be read, and [Part.Report] reports them. The
// error is [forecast.ErrTooLarge] or that of [change.Suppose].
func Make(ctx context.Context, key Key, found dump.Found, groups []policyflags.Group, o forecast.Options) (*Part, error) {
	seconds, err := key.whatIf()
	if err != nil {
		return nil, err
	}
	q, err := report.QuestionOf(groups, seconds, key.Now)
	if err != nil && !errors.Is(err, change.ErrNothing) { // other parts may change something
		return nil, err
	}
	return Of(key, found, q, forecast.Run(ctx, q.Jobs(), o))
}

// Of returns the part of the results of a question's jobs. Its error is
// [forecast.ErrTooLarge].
func Of(key Key, found dump.Found, q report.Question, results []forecast.Result) (*Part, error) {
	p := &Part{Key: key, Loads: make([]forecast.Load, len(q.Seconds))}
	index := map[*dump.Collection]int{}
	for _, in := range found.Inputs {
		for i, c := range in.Collections {
			index[c] = i
			if in.IsFeed {
				p.Inputs = append(p.Inputs, c.Place())
			}
		}
		if !in.IsFeed {
			p.Inputs = append(p.Inputs, nameOfInput(in))
		}
		if in.Err != nil {
			p.Unread = append(p.Unread, Unread{Origins: []Origin{{Input: nameOfInput(in), Index: -1, File: in.Name(), Title: in.Name()}}, Err: in.Err})
		}
	}
	err := q.Each(results, func(g policyflags.Group, whatIf []change.WhatIf, result forecast.Result) error {
		return p.addResult(g, whatIf, result, index)
	})
	return p, err
}

// addResult adds the result of a group. index holds the place of each collection in its
// input.
func (p *Part) addResult(g policyflags.Group, whatIf []change.WhatIf, result forecast.Result, index map[*dump.Collection]int) error {
	var origins []Origin
	for i, c := range g.Collections {
		o := Origin{Input: nameOfInput(c.Input), Index: index[c], File: g.Files()[i], Title: g.Titles[i]}
		if c.Input.IsFeed {
			o.Input = c.Place()
		}
		if s, err := change.SubjectOf(g, i); err == nil && len(whatIf) > 0 {
			o.Database, o.Collection = s.Database, s.Collection
		}
		origins = append(origins, o)
	}
	if result.IsUnread() {
		p.Unread = append(p.Unread, Unread{origins, result.Err})
		return nil
	}
	c := Collection{Origins: origins, Joined: g.Joined, Policy: g.Policy, Digest: DigestOf(g.Policy), Tally: result.Tally, Err: result.Err, container: g.Container}
	if g.SampleOf != nil {
		c.Sample = &report.Sample{Of: *g.SampleOf}
	}
	return p.Add(c)
}

func nameOf(origins []Origin) string {
	var titles []string
	for _, o := range origins {
		titles = append(titles, o.Title)
	}
	return policyflags.NameOf(titles)
}

func filesOf(origins []Origin) (list []string) {
	for _, o := range origins {
		list = append(list, o.File)
	}
	return list
}
