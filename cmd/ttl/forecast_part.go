package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// addPart adds --name, and refuses flags that parts do not support.
func (f *forecastFlags) addPart(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "name", "", "what standard input is called, such as s3://bucket/shop/logs.bson.gz: it is read as a file with that path")
	addNeed(cmd, "name", func() bool { return slices.Equal(cmd.Flags().Args(), []string{dump.Stdin}) }, "unless standard input alone is read: ttl forecast --name … -")
	isPart := func() bool { return f.format == "part" }
	addNeed(cmd, "list save-expired sample", func() bool { return !isPart() }, "with --format part, which holds sums of all documents alone")
	addNeed(cmd, "what-if", func() bool { return !isPart() }, "with --format part; make other parts by the other time to live, and compare the two sums")
	addCheck(cmd, func() error {
		if isPart() && !f.policy.IsFixed() {
			return cli.Usagef("--format part needs --now with an instant, such as --now 2026-11-20T08:00:00Z: all parts of one job must be judged at the same instant")
		}
		if isPart() {
			f.options.Groups = part.MaxGroups
		}
		return nil
	})
}

func (f *forecastFlags) writePart(cmd *cobra.Command, found dump.Found, groups []policyflags.Group) error {
	key, err := part.KeyOf(&f.policy, f.options)
	if err != nil {
		return err
	}
	progress := f.watch(cmd, found.Inputs, &f.options.Read)
	p, err := part.Make(cmd.Context(), key, found, groups, f.options)
	progress.Finish()
	if err != nil {
		return err
	}
	r, err := p.Report()
	if errors.Is(err, context.Canceled) {
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted; no part was written"))
	}
	if err := part.Encode(cmd.OutOrStdout(), p); err != nil {
		return err
	}
	return incompleteError(r, err)
}
