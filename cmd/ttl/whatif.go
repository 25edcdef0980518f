package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/audit"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// besideWhatIf are the flags of forecast that have an effect on a comparison.
var besideWhatIf = []string{"what-if", "index", "expire-after", "partial", "metadata", "ns", "exclude-ns", "server", "server-parameter", "now", "format", "input", "quiet", "skip-bad", "no-ids"}

// checkWhatIf refuses what has no effect beside --what-if.
func (f *forecastFlags) checkWhatIf(cmd *cobra.Command) (err error) {
	if f.whatIf == "" {
		return nil
	}
	n, err := policyflags.ParseSeconds(f.whatIf)
	switch {
	case err != nil:
		return cli.Usagef("--what-if: %w", err)
	case n < 0 || n > int64(policy.MaxSeconds):
		return cli.Usagef("--what-if: %d s is not from 0 to 2147483647", n)
	case f.format != "text" && f.format != "json":
		return cli.Usagef("--what-if is shown in --format text or json")
	}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(besideWhatIf, flag.Name) {
			err = cli.Usagef("--%s has no effect beside --what-if", flag.Name)
		}
	})
	return err
}

// compare shows what another time to live would change.
func (f *forecastFlags) compare(cmd *cobra.Command, found dump.Found, groups []policyflags.Group) error {
	n, err := policyflags.ParseSeconds(f.whatIf)
	if err != nil {
		return err
	}
	var subjects []plan.Subject
	for _, g := range groups {
		switch {
		case g.Err != nil:
			return g.Err
		case g.Policy.System != reasons.MongoDB:
			return cli.Usagef("--what-if is for MongoDB; for a container write its defaultTtl into a policy file, and compare with ttl plan")
		}
		subjects = append(subjects, plan.Subject{Name: g.Name(), Policy: g.Policy, Documents: g.Collections})
	}
	parameters, err := policyflags.ParseParameters(f.policy.Parameter)
	if err != nil {
		return err
	}
	progress := f.progress(cmd, found.Inputs)
	defer progress.Finish()
	p, err := plan.WhatIf(cmd.Context(), subjects, n, plan.Options{Options: audit.Options{
		Now: f.options.Now, Kind: f.options.Kind, SkipBad: f.options.SkipBad, NoIDs: f.options.NoIDs, Parameters: parameters, Read: func(n int) { progress.Add(n) },
	}})
	switch {
	case err != nil:
		return readError(err, "interrupted")
	case len(p.Changes) == 0:
		return cli.Usagef("--what-if: %w", plan.ErrNothing)
	}
	progress.Finish()
	if err := show(cmd, f.format, p.JSON(), p.Text); err != nil {
		return err
	}
	return cli.WithExit(cli.ExitIncomplete, p.Lack())
}
