package part

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// InOrder brings inputs into the order in which what is to be merged must be read.
func InOrder(inputs []*dump.Input) {
	slices.SortStableFunc(inputs, func(a, b *dump.Input) int { return forecast.CompareNames(nameOfInput(a), nameOfInput(b)) })
}

func nameOfInput(in *dump.Input) string { return filepath.ToSlash(in.Name()) }

// Make forecasts the groups of what was found, and compares them if key says so. What could
// not be read is in the part, and [Part.Report] says so. The error is
// [forecast.ErrTooLarge]; of a comparison also that of an input or a group without a policy.
func Make(ctx context.Context, key Key, found dump.Found, groups []policyflags.Group, o forecast.Options) (*Part, error) {
	var jobs []forecast.Job
	for _, g := range groups {
		if key.WhatIf != "" {
			job, err := key.compareJob(g)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, job)
		} else if g.Err == nil {
			jobs = append(jobs, forecast.Job{Name: g.Name(), Collections: g.Collections, Policy: g.Policy})
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

// addResult adds what came of a group. index has the place of collections in their inputs.
func (p *Part) addResult(g policyflags.Group, result forecast.Result, index map[*dump.Collection]int) error {
	var origins []Origin
	for i, c := range g.Collections {
		o := Origin{Input: nameOfInput(c.Input), Index: index[c], File: g.Files()[i], Title: g.Titles[i]}
		if c.Input.IsFeed {
			o.Input = c.Place()
		}
		if p.Key.WhatIf != "" {
			o.Database, o.Collection = nameInCommands(g, c)
		}
		origins = append(origins, o)
	}
	if t := result.Tally; p.Key.WhatIf == "" && (t == nil || result.Err != nil && t.Total().Documents+t.Bad == 0) {
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

// checkComplete returns why a report is not of all that was to be read.
func checkComplete(r report.Report) error {
	bad := int64(0)
	var errs []error
	var missing []string
	for _, c := range r.Collections {
		if bad += c.Tally.Bad; c.Err != nil {
			errs = append(errs, c.Err)
		}
	}
	for _, u := range r.Unread {
		if errs = append(errs, u.Err); u.Err == ErrMissing {
			missing = append(missing, u.Name)
		}
	}
	all := len(r.Collections) + len(r.Unread)
	switch {
	case errors.Is(errors.Join(errs...), context.Canceled):
		return context.Canceled
	case len(missing) > 0:
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("%s in no part: %s", cli.Count(int64(len(missing)), "input is", "inputs are"), cli.SomeOf(missing)))
	case len(errs) == 1:
		return errs[0]
	case len(errs) > 1:
		return fmt.Errorf("%d of %d collections could not be read to their end", len(errs), all)
	case bad > 0:
		return cli.WithExit(cli.ExitIncomplete, errors.New(report.Skipped(bad)))
	}
	return nil
}
