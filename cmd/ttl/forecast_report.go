package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
)

// reportFlags are the flags about the report of a forecast, which ttl forecast merge has too.
type reportFlags struct {
	format string
	all    bool
	failIf []forecast.Condition
	rate   float64
}

// add adds the flags except --format, whose choices differ.
func (f *reportFlags) add(cmd *cobra.Command) {
	var conditions []string
	set := cmd.Flags()
	set.BoolVar(&f.all, "all", false, "show every collection: those without a TTL, and in text the details of more than ten")
	set.Float64Var(&f.rate, "delete-rate", 0, "say how long a backlog takes at so many deletions a second")
	set.StringArrayVar(&conditions, "fail-if", nil, "end with exit code 4 if this holds for a collection, such as 'expired>1% or 14d>1000 and 14d bytes>1GB' (repeatable: one of them suffices)")
	addCheck(cmd, func() error {
		if cmd.Flags().Changed("delete-rate") && !(f.rate > 0 && f.rate <= 1e9) {
			return cli.Usagef("--delete-rate: want a number of documents a second, more than 0 and up to 1000000000")
		}
		return nil
	})
	addCheck(cmd, func() error {
		for _, text := range conditions {
			list, err := forecast.ParseConditions(text)
			if err != nil {
				return cli.Usagef("--fail-if: %w", err)
			}
			f.failIf = append(f.failIf, list...)
		}
		return nil
	})
	addNeed(cmd, "all delete-rate fail-if", func() bool { return f.format != "part" }, "with --format part, which is not shown; give it to ttl forecast merge")
	addNeed(cmd, "delete-rate", func() bool { return f.format != "prometheus" }, "with --format prometheus, which says nothing about the load")
	addNeed(cmd, "all", func() bool { return f.format != "prometheus" && f.format != "json" }, "with --format json and prometheus, which hold all collections")
}

// horizons returns the horizons that a forecast counts only for the conditions of
// --fail-if.
func (f *reportFlags) horizons() (list []forecast.Horizon) {
	for _, c := range f.failIf {
		list = append(list, c.Horizons()...)
	}
	return list
}

// finish shows r, unless r adds nothing to its error incomplete. It returns that error, or
// the error of --fail-if.
func (f *reportFlags) finish(cmd *cobra.Command, r report.Report, incomplete error) error {
	saysNothing := r.HasNothing() && len(r.Collections)+len(r.Unread) < 2 && f.format != "json" // one input, and nothing of it was read
	if incomplete != nil && saysNothing && cli.ExitCodeOf(incomplete) != cli.ExitInterrupted {
		return incomplete
	}
	r.All, r.DeleteRate = f.all, f.rate
	for _, c := range r.Collections {
		if d := c.Tally.Dialects; d != 0 {
			note(cmd, []string{c.Name + " was read as " + d.String()})
		}
	}
	for _, c := range r.Collections {
		if f.format == "prometheus" {
			note(cmd, c.Policy.Notes) // the other formats hold the notes
		}
	}
	if err := f.write(cmd, r); err != nil {
		return err
	}
	return f.judge(r, incomplete)
}

func (f *reportFlags) write(cmd *cobra.Command, r report.Report) error {
	switch f.format {
	case "prometheus":
		return r.Prometheus(cmd.OutOrStdout())
	case "html":
		return r.HTML(cmd.OutOrStdout())
	}
	return show(cmd, f.format, r.JSON(), r.Text)
}

// judge returns the error of --fail-if for the first collection that meets one of its
// conditions. It judges each time to live of --what-if. An incomplete report is not
// judged: it has an error of its own. If no condition holds, but one depends on documents
// of which it is unknown when they expire, the error has the exit code [cli.ExitIncomplete],
// unless there is a condition on the number of unknown documents.
func (f *reportFlags) judge(r report.Report, incomplete error) error {
	if incomplete != nil {
		return incomplete
	}
	for _, v := range r.Supposed() {
		with := ""
		if v.Seconds != nil {
			with = " with " + v.Name() + " to live"
		}
		for _, c := range v.Collections {
			for _, condition := range f.failIf {
				if n, isBytes, holds := condition.Holds(c.Tally); holds {
					of := fmt.Sprintf("%s of %s", cli.Number(n), cli.Documents(c.Tally.Total().Documents))
					if isBytes {
						of = fmt.Sprintf("%s of %s", cli.Size(n), cli.Size(c.Tally.Total().Bytes))
					}
					return cli.WithExit(cli.ExitFindings, fmt.Errorf("--fail-if %s holds for %s%s: %s", condition, c.Name, with, of))
				}
			}
		}
	}
	return f.judgeUnknown(r)
}

// judgeUnknown returns an error if a condition of --fail-if depends on unknown documents.
func (f *reportFlags) judgeUnknown(r report.Report) error {
	open := slices.IndexFunc(f.failIf, forecast.Condition.DependsOnUnknown)
	if open < 0 || slices.ContainsFunc(f.failIf, forecast.Condition.IsAboutUnknown) {
		return nil
	}
	for _, v := range r.Supposed() {
		for _, c := range v.Collections {
			if n := c.Tally.Unknown.Documents; n > 0 {
				return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("--fail-if %s is not decided for %s: when %s of %s expire is unknown; a condition such as unknown>%d says how many may be unknown",
					f.failIf[open], c.Name, cli.Number(n), cli.Documents(c.Tally.Total().Documents), n))
			}
		}
	}
	return nil
}

// incompleteError returns the error of a report that is incomplete because of err.
func incompleteError(r report.Report, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return readError(err, "interrupted; the forecast counts what was read before")
	case len(r.Collections)+len(r.Unread) == 1 || len(r.Collections) == 0:
		return readError(err, "")
	}
	return cli.WithExit(cli.ExitIncomplete, readError(err, ""))
}
