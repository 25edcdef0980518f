package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// besideWhatIf are the flags of forecast that have an effect on a comparison.
var besideWhatIf = []string{"what-if", "index", "expire-after", "partial", "metadata", "ns", "exclude-ns", "server", "server-parameter", "now", "format", "input", "quiet", "skip-bad", "no-ids", "name", "namespace"}

// checkWhatIf refuses flags without effect beside --what-if.
func (f *forecastFlags) checkWhatIf(cmd *cobra.Command) (err error) {
	if f.whatIf == "" {
		return nil
	}
	f.seconds, err = policyflags.ParseWhatIf(f.whatIf)
	switch {
	case err != nil:
		return err
	case f.format != "text" && f.format != "json" && f.format != "part":
		return cli.Usagef("--what-if is shown in --format text or json, or written as a part")
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
	if _, err := known(found); err != nil {
		return err
	}
	progress := f.watch(cmd, found)
	o := f.options
	p, err := plan.WhatIfOf(cmd.Context(), groups, f.seconds, plan.Options{Options: catalog.Options{Now: o.Now, Kind: o.Kind, SkipBad: o.SkipBad, NoIDs: o.NoIDs, Read: o.Read}})
	progress.Finish()
	if err != nil {
		return readError(err, "interrupted")
	}
	return showPlan(cmd, f.format, p)
}

// showPlan shows what --what-if says.
func showPlan(cmd *cobra.Command, format string, p *plan.Plan) error {
	if err := show(cmd, format, p.JSON(), p.Text); err != nil {
		return err
	}
	return cli.WithExit(cli.ExitIncomplete, p.Lack())
}
