package part

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// InOrder sorts inputs into the order in which a merge reads them.
func InOrder(inputs []*dump.Input) {
	slices.SortStableFunc(inputs, func(a, b *dump.Input) int { return forecast.CompareNames(nameOfInput(a), nameOfInput(b)) })
}

func nameOfInput(in *dump.Input) string { return filepath.ToSlash(in.Name()) }

// Make forecasts the groups of the inputs found, and compares policies if key says so. The
// part names the inputs that could not be read, and [Part.Report] reports them. The error
// is [forecast.ErrTooLarge]; of a comparison also that of an input or a group without a
// policy.
func Make(ctx context.Context, key Key, found dump.Found, groups []policyflags.Group, o forecast.Options) (*Part, error) {
	jobs := report.Jobs(groups)
	if key.WhatIf != "" {
		jobs = nil
		for _, g := range groups {
			job, err := key.compareJob(g)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
		}
	}
	return Of(key, found, groups, forecast.Run(ctx, jobs, o))
}

// Of returns the part of results, one of each group that has a policy. Its error is that
// of [Make].
func Of(key Key, found dump.Found, groups []policyflags.Group, results []forecast.Result) (*Part, error) {
	p := &Part{Key: key}
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
	for _, g := range groups {
		result := forecast.Result{Err: g.Err}
		if g.Err == nil {
			result, results = results[0], results[1:]
		}
		if err := p.addResult(g, result, index); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// addResult adds the result of a group. index holds the place of each collection in its
// input.
func (p *Part) addResult(g policyflags.Group, result forecast.Result, index map[*dump.Collection]int) error {
	var origins []Origin
	for i, c := range g.Collections {
		o := Origin{Input: nameOfInput(c.Input), Index: index[c], File: g.Files()[i], Title: g.Titles[i]}
		if c.Input.IsFeed {
			o.Input = c.Place()
		}
		if p.Key.WhatIf != "" {
			s, err := plan.SubjectOf(g, i)
			if err != nil {
				return err
			}
			o.Database, o.Collection = s.Database, s.Collection
		}
		origins = append(origins, o)
	}
	if p.Key.WhatIf == "" && result.IsUnread() {
		p.Unread = append(p.Unread, Unread{origins, result.Err})
		return nil
	}
	c := Collection{Origins: origins, Joined: g.Joined, Policy: g.Policy, Digest: DigestOf(g.Policy), Tally: result.Tally, Err: result.Err}
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
