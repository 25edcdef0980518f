package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/plan"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
)

type planFlags struct {
	targetFlags
	format     string
	maxDeletes int64
}

func newPlanCommand() *cobra.Command {
	var flags planFlags
	cmd := &cobra.Command{
		Use:         "plan POLICY.yaml [FILE | FOLDER | ADDRESS]…",
		Annotations: map[string]string{ownExitCodes: "yes"},
		Args:        someArguments("name the policy file; 'ttl plan init' writes one from stored policies"),
		RunE:        flags.run,
	}
	addFormat(cmd, &flags.format, "text", "json", "mongosh")
	flags.targetFlags.add(cmd, "that of the policy file, the dump's, or the newest known")
	var most string
	cmd.Flags().StringVar(&most, "max-deletes-per-day", "", "do what deletes more in steps, one a day, of at most this many documents of a collection as far as a delay can tell them apart, on the first day with those that have expired already: 100000, 100k or 2M")
	addCheck(cmd, func() (err error) {
		if most != "" {
			flags.maxDeletes, err = parseAmount("--max-deletes-per-day", most)
		}
		return err
	})
	addNeed(cmd, "max-deletes-per-day", func() bool { return !flags.metadataOnly }, "beside --metadata-only: it counts documents")
	cmd.AddCommand(newPlanInitCommand())
	return cmd
}

// parseAmount reads a flag's number of documents: digits, followed by k for thousands or
// M for millions.
func parseAmount(flag, text string) (int64, error) {
	digits, unit := text, int64(1)
	for letter, n := range map[string]int64{"k": 1e3, "K": 1e3, "M": 1e6} {
		if before, ok := strings.CutSuffix(text, letter); ok {
			digits, unit = before, n
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, cli.Usagef("%s %s: want a number of documents, 1 or more, such as 100000, 100k or 2M", flag, text)
	}
	return n * unit, nil
}

func (f *planFlags) run(cmd *cobra.Command, args []string) error {
	if info, err := os.Stat(args[0]); live.IsAddress(args[0]) || err == nil && info.IsDir() {
		return cli.Usagef("name the policy file first, then the database: ttl plan policy.yaml dump/shop; 'ttl plan init' writes a policy file")
	}
	file, err := plan.ReadFile(args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		cmd.Flags().Visit(func(flag *pflag.Flag) { // no flag is about a policy file alone
			err = cli.Usagef("--%s has no effect without a database: name a folder of mongodump, a reply of listIndexes or a container", flag.Name)
		})
		if err != nil {
			return err
		}
		if err := file.CheckIndexes(f.options.Now); err != nil {
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

func (f *planFlags) plan(cmd *cobra.Command, file *plan.File, args []string) (*plan.Plan, error) {
	defer f.live.close()
	targets, others, err := f.targets(cmd, args)
	if err != nil {
		return nil, err
	}
	defer f.watch(cmd, inputsOf(documentsOf(targets)), &f.options.Read).Finish()
	p, err := plan.Of(cmd.Context(), file, targets, plan.Options{Options: change.Options{Options: f.options, MaxDeletes: f.maxDeletes}, Selection: f.selection, Others: others})
	if err != nil {
		return nil, readError(context.Canceled, "interrupted")
	}
	return p, nil
}

// write writes the plan. The exit code says whether there are differences, or else
// whether the plan is complete.
func (f *planFlags) write(cmd *cobra.Command, p *plan.Plan) error {
	err := show(cmd, f.format, p.JSON(), func(out *cli.Printer) error {
		if f.format == "mongosh" {
			return p.Script(&cli.Printer{W: cmd.OutOrStdout()})
		}
		return p.Text(out)
	})
	if err != nil {
		return err
	}
	if lack := p.Lack(); lack != nil {
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("the plan is incomplete: %w", lack))
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
		Args:        someArguments("no input; name folders of mongodump or of programs, replies of listIndexes or containers"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.metadataOnly, flags.sources = true, true
			if flags.quiet {
				cmd.SetErr(io.Discard) // the error must not be written there
			}
			defer flags.live.close()
			targets, _, err := flags.targets(cmd, args)
			if err == nil {
				err = plan.Init(cli.NewPrinter(cmd.OutOrStdout()), targets, flags.options)
			}
			return err
		},
	}
	flags.addServer(cmd, "the dump's, or the newest known")
	flags.addNames(cmd)
	cmd.Flags().BoolVar(&flags.quiet, "quiet", false, "show no notes, such as that a file is named twice")
	addCheck(cmd, flags.chooseServer)
	return cmd
}

// ownExitCodes is the annotation of commands in which exit code 2 does not mean a wrong
// command line.
const ownExitCodes = "own exit codes"
