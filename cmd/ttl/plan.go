package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
)

// planFlags are the flags of plan.
type planFlags struct {
	dumpFlags
	targetFlags
	policy  policyflags.Flags // the server, its parameters and the instant
	options plan.Options
	format  string
}

func newPlanCommand() *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:         "plan POLICY.yaml [FILE | FOLDER | ADDRESS]…",
		Annotations: map[string]string{ownExitCodes: "yes"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("name the policy file; 'ttl plan init' writes one from what stands")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, args) },
	}
	set := cmd.Flags()
	set.StringVar(&flags.policy.Server, "server", "", "release of the server, such as 8.0.4 (default: that of the policy file, the dump's, or the newest known)")
	policyflags.AddParameters(cmd, &flags.policy.Parameter)
	set.StringVar(&flags.policy.Now, "now", "", "judge at this instant: 2026-11-20T08:00:00Z, 2026-11-20, or @seconds (default: the clock)")
	set.BoolVar(&flags.options.SkipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3)")
	addFormat(cmd, &flags.format, "text", "json", "markdown")
	flags.dumpFlags.add(cmd, "documents")
	flags.targetFlags.add(cmd)
	addNoIDs(cmd, &flags.options.NoIDs)
	addCheck(cmd, flags.complete)
	cmd.AddCommand(newPlanInitCommand())
	return cmd
}

// complete completes the options by what the flags say in words.
func (f *planFlags) complete() (err error) {
	o := &f.options
	if o.Now, err = f.policy.Instant(time.Now()); err != nil {
		return err
	}
	if o.Release, err = policyflags.ParseRelease("--server", f.policy.Server); err != nil {
		return err
	}
	o.Kind = f.kind
	o.Parameters, err = policyflags.ParseParameters(f.policy.Parameter)
	return err
}

func (f *planFlags) run(cmd *cobra.Command, args []string) error {
	file, err := plan.ReadFile(args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		if err := unused(cmd); err != nil {
			return err
		}
		cli.NewPrinter(cmd.OutOrStdout()).Line("%s: %s", args[0], file.Summary())
		return nil
	}
	p, err := f.plan(cmd, file, args[1:])
	if err != nil {
		return err
	}
	return f.write(cmd, p)
}

// unused refuses the flags that are about what stands, where nothing is given.
func unused(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		err = cli.Usagef("--%s has no effect without what stands: name a folder of mongodump, a reply of listIndexes or a container", flag.Name)
	})
	return err
}

func (f *planFlags) plan(cmd *cobra.Command, file *plan.File, args []string) (*plan.Plan, error) {
	defer f.live.close()
	targets, others, err := f.targets(cmd, args, &f.policy)
	if err == nil {
		err = f.complete() // a server has told its release
	}
	if err != nil {
		return nil, err
	}
	f.options.Others, f.options.Selection = others, f.selection
	documents := documentsOf(targets)
	if err := checkEffects(cmd, targets, len(documents) > 0); err != nil {
		return nil, err
	}
	progress := f.progress(cmd, inputsOf(documents))
	defer progress.Finish()
	f.options.Read = func(n int) { progress.Add(n) }
	p, err := plan.Of(cmd.Context(), file, targets, f.options)
	if err != nil {
		return nil, readError(context.Canceled, "interrupted")
	}
	return p, nil
}

// write writes the plan. The exit code says whether there are differences, or else
// whether the plan is the whole.
func (f *planFlags) write(cmd *cobra.Command, p *plan.Plan) error {
	var err error
	switch f.format {
	case "markdown":
		err = p.Markdown(cli.NewMarkdown(cmd.OutOrStdout()))
	default:
		err = show(cmd, f.format, p.JSON(), p.Text)
	}
	if err != nil {
		return err
	}
	if lack := p.Lack(); lack != nil {
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("the plan is not the whole: %w", lack))
	}
	if p.Differences() > 0 {
		return cli.ExitSilently(cli.ExitDifferences)
	}
	return nil
}

func newPlanInitCommand() *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:         "init FILE… | FOLDER… | ADDRESS",
		Annotations: map[string]string{ownExitCodes: "yes"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("init from what? name folders of mongodump, replies of listIndexes or containers")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.metadataOnly = true
			defer flags.live.close()
			targets, _, err := flags.targets(cmd, args, &flags.policy)
			if err == nil {
				err = checkEffects(cmd, targets, true)
			}
			if err == nil { // a server has told its release
				flags.options.Release, err = policyflags.ParseRelease("--server", flags.policy.Server)
			}
			if err == nil {
				err = plan.Init(cli.NewPrinter(cmd.OutOrStdout()), targets, flags.options)
			}
			return err
		},
	}
	set := cmd.Flags()
	set.StringVar(&flags.policy.Server, "server", "", "release of the server, such as 8.0.4 (default: the dump's, or the newest known)")
	flags.addNames(cmd)
	addCheck(cmd, func() (err error) {
		flags.options.Release, err = policyflags.ParseRelease("--server", flags.policy.Server)
		return err
	})
	return cmd
}

// ownExitCodes is the annotation of commands in which exit code 2 is no wrong command
// line.
const ownExitCodes = "own exit codes"
