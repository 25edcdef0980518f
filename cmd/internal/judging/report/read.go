package report

import (
	"context"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// Jobs returns the jobs of the groups that have a policy.
func Jobs(groups []policyflags.Group) (jobs []forecast.Job) {
	for _, g := range groups {
		if g.Err == nil {
			jobs = append(jobs, forecast.Job{Name: g.Name(), Collections: g.Collections, Policy: g.Policy})
		}
	}
	return jobs
}

// Of returns the report of what was found, from the results of the [Jobs] of groups. What
// could not be read is in it; [Report.Conclude] says so. The error is
// [forecast.ErrTooLarge].
func Of(found dump.Found, groups []policyflags.Group, results []forecast.Result, o forecast.Options) (r Report, err error) {
	r = Report{Now: o.Now, By: o.By}
	for _, in := range found.Inputs {
		if in.Err != nil {
			r.Unread = append(r.Unread, Unread{Name: in.Name(), Files: []string{in.Name()}, Err: in.Err})
		}
	}
	var total forecast.Tally // sums alone
	for _, g := range groups {
		result := forecast.Result{Err: g.Err}
		if g.Err == nil {
			result, results = results[0], results[1:]
		}
		t := result.Tally
		if result.IsUnread() {
			r.Unread = append(r.Unread, Unread{Name: g.Name(), Files: g.Files(), Err: result.Err})
			continue
		}
		if err := total.CheckAdd(t); err != nil {
			return r, err
		}
		total.Add(t)
		r.Load.Take(t)
		c := Collection{Name: g.Name(), Files: g.Files(), Policy: g.Policy, Tally: t, Err: result.Err}
		if g.SampleOf != nil {
			c.Sample = &Sample{Of: *g.SampleOf}
		}
		r.Collections = append(r.Collections, c)
	}
	return r, nil
}

// ErrMissing is the error of an input that should have been read and was not.
var ErrMissing = errors.New("the input is in no part")

// Conclude says in r whether it is of all that was to be read. The error is why it is not.
func (r *Report) Conclude() error {
	err := r.lack()
	if r.Complete = err == nil; err != nil {
		r.Reason = Reason(err)
	}
	return err
}

func (r *Report) lack() error {
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
	return nil
}
