package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/audit"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulelist"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type auditFlags struct {
	targetFlags
	movingTo    []string
	by          string
	expireAfter policy.Value // for repairs, Missing if none is known
	format      string
	candidates  bool
	all         bool

	ignore  []string
	ignored []audit.Ignore // --ignore
	failOn  string
}

func newAuditCommand() *cobra.Command {
	var flags auditFlags
	cmd := &cobra.Command{
		Use:  "audit [FILE | FOLDER | ADDRESS | -]…",
		RunE: flags.run,
	}
	flags.sources = true
	set := cmd.Flags()
	set.StringArrayVar(&flags.movingTo, "moving-to", nil, "release that the data is to move to, such as 5.0.9 (repeatable, or with commas between several)")
	set.StringVar(&flags.by, "by", "upgrade", "how it moves: "+strings.Join(ways, ", "))
	set.StringVar(&flags.policy.ExpireAfter, "expire-after", "", "expireAfterSeconds that the commands write: seconds, or a time such as 30d")
	set.BoolVar(&flags.candidates, "candidates", false, "also show the collections without a time to live, and the Dates in their documents")
	set.BoolVar(&flags.all, "all", false, "describe every finding, also of more than ten collections of which none deletes")
	set.StringArrayVar(&flags.ignore, "ignore", nil, "do not count findings by this rule: RULE, or RULE:NAMESPACE, where shop.* stands for all of shop (repeatable)")
	set.StringVar(&flags.failOn, "fail-on", "keeps", "least severity that ends with exit code 4: "+strings.Join(failures, ", "))
	addFormat(cmd, &flags.format, "text", "json")
	flags.targetFlags.add(cmd, "the dump's, or the newest known")
	addChoice(cmd, "fail-on", &flags.failOn, failures...)
	addCheck(cmd, flags.completeIgnored)
	addCheck(cmd, flags.complete)
	addChoice(cmd, "by", &flags.by, ways...)
	addNeed(cmd, "all", func() bool { return flags.format == "text" }, "without --format text: JSON holds every finding anyway")
	addNeed(cmd, "by", func() bool { return len(flags.movingTo) > 0 }, "without --moving-to: it says how the data moves there")
	return cmd
}

// failures are the values of --fail-on.
var failures = []string{"deletes", "unspecified", "keeps", "harmless", "never"}

// ways are the values of --by.
var ways = []string{"upgrade", "initial-sync", "restore"}

var operations = map[string]moves.Operation{
	"upgrade": moves.Upgrade, "initial-sync": moves.InitialSync, "restore": moves.DumpRestore,
}

// complete sets the options that are given as texts in flags.
func (f *auditFlags) complete() (err error) {
	if f.expireAfter, err = f.policy.Seconds(); err != nil {
		return err
	}
	if n, ok := f.expireAfter.AsInt64(); ok && (n < 0 || n > int64(policy.MaxSeconds)) {
		return cli.Usagef("--expire-after: %d s is not from 0 to 2147483647", n)
	}
	if len(f.movingTo) == 0 {
		return nil
	}
	for text := range strings.SplitSeq(strings.Join(f.movingTo, ","), ",") {
		text = strings.TrimSpace(text)
		release, err := policyflags.ParseRelease("--moving-to", text)
		switch {
		case text == "":
			err = cli.Usagef("--moving-to: a release is missing; write it as 7.0, or 7.0,8.0")
		case err == nil && slices.Contains(f.options.MovingTo, release):
			err = cli.Usagef("--moving-to: %s is given twice", release)
		}
		if err != nil {
			return err
		}
		f.options.MovingTo = append(f.options.MovingTo, release)
	}
	return nil
}

// completeIgnored reads --ignore.
func (f *auditFlags) completeIgnored() error {
	for _, text := range f.ignore {
		id, namespace, _ := strings.Cut(text, ":")
		if list := rulelist.Select(rulelist.All(), id); len(list) != 1 || list[0].ID() != id {
			return cli.Usagef("--ignore: %w", noRule(id))
		}
		f.ignored = append(f.ignored, audit.Ignore{Rule: id, Namespace: namespace})
	}
	return nil
}

func (f *auditFlags) run(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && cli.IsTerminal(cmd.InOrStdin()) {
		return cli.Usagef(`nothing to audit; name a file with indexes or a container, a folder of mongodump, or "-" for standard input`)
	}
	if len(args) == 0 {
		args = []string{dump.Stdin}
	}
	r := audit.Report{Now: f.options.Now, Candidates: f.candidates, All: f.all}
	if err := f.audit(cmd, args, &r); err != nil {
		return err
	}
	for _, idle := range r.Ignore(f.ignored) {
		note(cmd, []string{fmt.Sprintf("--ignore %s: nothing is found by it", idle)})
	}
	return f.write(cmd, r)
}

// audit audits all targets of args.
func (f *auditFlags) audit(cmd *cobra.Command, args []string, r *audit.Report) error {
	defer f.live.close()
	targets, _, err := f.targets(cmd, args)
	if err != nil {
		return err
	}
	defer f.watch(cmd, inputsOf(documentsOf(targets)), &f.options.Read).Finish()
	r.Results = audit.Audit(cmd.Context(), targets, audit.Options{Options: f.options, By: operations[f.by], ExpireAfter: f.expireAfter, Candidates: f.candidates})
	for _, one := range r.Results {
		if err := one.Failed; err != nil && (len(targets) == 1 || errors.Is(err, context.Canceled) || cli.ExitCodeOf(err) == cli.ExitUsage) {
			return readError(err, "interrupted")
		}
	}
	return nil
}

// write writes the report. The exit code says whether there are findings, or
// else whether something could not be read.
func (f *auditFlags) write(cmd *cobra.Command, r audit.Report) error {
	err := show(cmd, f.format, r.JSON(), r.Text)
	var least audit.Severity
	fails := least.UnmarshalText([]byte(f.failOn)) == nil // with any other text it never fails
	n, failed := r.Failed()
	switch {
	case err != nil:
		return err
	case fails && r.AtLeast(least) > 0:
		return cli.ExitSilently(cli.ExitFindings)
	case n > 1:
		return cli.WithExit(cli.ExitIncomplete, fmt.Errorf("%d collections or containers could not be read; the first: %w", n, failed))
	case failed != nil:
		return cli.WithExit(cli.ExitIncomplete, failed)
	case r.Bad() > 0:
		return cli.WithExit(cli.ExitIncomplete, errors.New(report.Skipped(r.Bad())))
	}
	return nil
}
