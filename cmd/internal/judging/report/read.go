package report

import (
	"context"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Question is the subject of a forecast: groups of documents, each with its
// policy.
type Question struct {
	Groups []policyflags.Group
	// Seconds are other times to live to compare. WhatIf holds a list for each group,
	// with the change to each time to live. The list is empty for a group without a
	// policy. It is also empty for a group in which nothing counts from a date; the
	// report leaves out such a group.
	Seconds []int64
	WhatIf  [][]change.WhatIf
}

// QuestionOf returns the question about groups and other times to live; seconds may be
// empty. The error comes from [change.SupposeEach].
func QuestionOf(groups []policyflags.Group, seconds []int64, now policy.Instant) (q Question, err error) {
	q = Question{Groups: groups, Seconds: seconds}
	if len(seconds) == 0 {
		q.WhatIf = make([][]change.WhatIf, len(groups))
		return q, nil
	}
	q.WhatIf, err = change.SupposeEach(groups, seconds, now)
	return q, err
}

// isLeftOut reports whether other times to live change nothing in a group.
func (q *Question) isLeftOut(i int) bool {
	return len(q.Seconds) > 0 && q.Groups[i].Err == nil && len(q.WhatIf[i]) == 0
}

// Jobs returns the jobs of the groups that have a policy and are not left out.
func (q *Question) Jobs() (jobs []forecast.Job) {
	for i, g := range q.Groups {
		if g.Err != nil || q.isLeftOut(i) {
			continue
		}
		job := forecast.Job{Name: g.Name(), Collections: g.Collections, Policy: g.Policy}
		for _, w := range q.WhatIf[i] {
			job.Others = append(job.Others, w.After)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// Each calls f for each group that is not left out, with the changes to other times to
// live and the result of the group. results are the results of [Question.Jobs].
func (q *Question) Each(results []forecast.Result, f func(policyflags.Group, []change.WhatIf, forecast.Result) error) error {
	for i, g := range q.Groups {
		if q.isLeftOut(i) {
			continue
		}
		result := forecast.Result{Err: g.Err}
		if g.Err == nil {
			result, results = results[0], results[1:]
		}
		if err := f(g, q.WhatIf[i], result); err != nil {
			return err
		}
	}
	return nil
}

// Of returns the report about the results of a question's jobs. It also covers input that
// could not be read, which [Report.Conclude] reports. The error is [forecast.ErrTooLarge].
func Of(found dump.Found, q Question, results []forecast.Result, o forecast.Options) (r Report, err error) {
	r = Report{Now: o.Now, By: o.By, Seconds: q.Seconds, Loads: make([]forecast.Load, len(q.Seconds))}
	for _, in := range found.Inputs {
		if in.Err != nil {
			r.Unread = append(r.Unread, Unread{Name: in.Name(), Files: []string{in.Name()}, Err: in.Err})
		}
	}
	var total forecast.Tally // only to check that no sum overflows
	err = q.Each(results, func(g policyflags.Group, whatIf []change.WhatIf, result forecast.Result) error {
		t := result.Tally
		if result.IsUnread() {
			r.Unread = append(r.Unread, Unread{Name: g.Name(), Files: g.Files(), Err: result.Err})
			return nil
		}
		if err := total.CheckAdd(t); err != nil {
			return err
		}
		total.Add(t)
		r.Load.Take(t)
		for i, other := range t.Others {
			r.Loads[i].Take(other)
		}
		c := Collection{Name: g.Name(), Files: g.Files(), Policy: g.Policy, Tally: t, WhatIf: whatIf, Err: result.Err}
		if g.SampleOf != nil {
			c.Sample = &Sample{Of: *g.SampleOf}
		}
		r.Collections = append(r.Collections, c)
		return nil
	})
	return r, err
}

// ErrMissing is the error about an expected input that no part of a divided forecast
// contains.
var ErrMissing = errors.New("the input is in no part of the forecast")

// Conclude sets Complete and Reason of r. It returns an error with the reason if some
// input was not read.
func (r *Report) Conclude() error {
	err := r.lack()
	if r.Complete = err == nil; err != nil {
		r.Reason = Reason(err)
	}
	return err
}

// lack returns the reason why r is incomplete, or why a change of --what-if is refused; nil
// without such a reason.
func (r *Report) lack() error {
	bad := int64(0)
	var errs []error
	var missing []string
	var refused error
	for _, c := range r.Collections {
		if bad += c.Tally.Bad; c.Err != nil {
			errs = append(errs, c.Err)
		}
		for _, w := range c.WhatIf {
			if why := w.Refused(); why != "" && refused == nil {
				refused = cli.WithExit(cli.ExitIncomplete, fmt.Errorf("%s: no command makes the change of --what-if %s: %s", c.Name, w.Name(), why))
			}
		}
	}
	for _, u := range r.Unread {
		if errs = append(errs, u.Err); u.Err == ErrMissing {
			missing = append(missing, u.Name)
		}
	}
	switch {
	case errors.Is(errors.Join(errs...), context.Canceled):
		return context.Canceled
	case len(missing) > 0:
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("%s in no part: %s", cli.Count(int64(len(missing)), "input is", "inputs are"), cli.SomeOf(missing)))
	case len(errs) == 1:
		return errs[0]
	case len(errs) > 1:
		return fmt.Errorf("%d of %d collections could not be read to their end", len(errs), len(r.Collections)+len(r.Unread))
	case bad > 0:
		return cli.WithExit(cli.ExitIncomplete, errors.New(Skipped(bad)))
	}
	return refused
}
