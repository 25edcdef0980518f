package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// besideWhatIf are the flags of forecast that have an effect on a comparison.
var besideWhatIf = []string{"what-if", "index", "expire-after", "partial", "metadata", "ns", "exclude-ns", "server", "server-parameter", "now", "format", "input", "quiet", "skip-bad", "no-ids", "name", "namespace"}

// checkWhatIf refuses what has no effect beside --what-if.
func (f *forecastFlags) checkWhatIf(cmd *cobra.Command) (err error) {
	if f.whatIf == "" {
		return nil
	}
	_, err = policyflags.ParseWhatIf(f.whatIf)
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

// compare shows what another time to live would change, or writes that as a part.
func (f *forecastFlags) compare(cmd *cobra.Command, found dump.Found, groups []policyflags.Group) error {
	if _, err := known(found); err != nil {
		return err
	}
	p, err := f.read(cmd, found, groups, nil)
	switch {
	case err != nil:
		return readError(err, "interrupted")
	case cmd.Context().Err() != nil:
		return readError(cmd.Context().Err(), "interrupted")
	case f.format == "part":
		return writePart(cmd, p)
	}
	return showPlan(cmd, f.format, p)
}

// showPlan shows what parts with --what-if say.
func showPlan(cmd *cobra.Command, format string, sum *part.Part) error {
	p, err := sum.Plan()
	if err != nil {
		return err
	}
	if err := show(cmd, format, p.JSON(), p.Text); err != nil {
		return err
	}
	return cli.WithExit(cli.ExitIncomplete, p.Lack())
}
