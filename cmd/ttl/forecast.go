package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

type forecastFlags struct {
	policy policyflags.Flags
	dumpFlags
	live      liveFlags
	selection namespace.Selection
	options   forecast.Options
	reportFlags
	name     string
	list     bool
	save     string
	whatIf   []string
	seconds  []int64 // the times to live in whatIf
	pushdown string  // the kind of database that counts its documents itself
	finds    bool    // the statement that finds documents is printed
}

func newForecastCommand() *cobra.Command {
	var flags forecastFlags
	cmd := &cobra.Command{
		Use: "forecast FILE… | ADDRESS",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && flags.pushdown == "" {
				return errors.New(`no input; name files, folders, or "-" for standard input`)
			}
			return nil
		},
		RunE: flags.run,
	}
	flags.policy.Add(cmd)
	flags.policy.Hint, flags.policy.Names = "--what-if", true
	addFormat(cmd, &flags.format, "text", "json", "prometheus", "html", "part")
	addFileCheck(cmd, true)
	flags.live.add(cmd)
	flags.live.addSample(cmd)
	flags.dumpFlags.add(cmd, "input")
	addSelection(cmd, &flags.selection)
	set := cmd.Flags()
	set.BoolVar(&flags.options.SkipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3)")
	set.BoolVar(&flags.options.Check, "check", false, "check every document whole, also behind the fields that decide about it")
	set.StringArrayVar(&flags.whatIf, "what-if", nil, "compare with this time to live: what more goes, what less, and the command that does it (repeatable, or with commas between several)")
	addCheck(cmd, func() (err error) {
		flags.seconds, err = policyflags.ParseWhatIf(flags.whatIf)
		return err
	})
	addNeed(cmd, "all", func() bool { return len(flags.seconds) == 0 }, "beside --what-if, which is about collections with a TTL alone")
	addNeed(cmd, "list save-expired", func() bool { return len(flags.seconds) == 0 }, "beside --what-if: the documents are those of what stands")
	flags.addShown(cmd)
	flags.addExpired(cmd)
	flags.addPart(cmd)
	flags.addPushdown(cmd)
	cmd.AddCommand(newMergeCommand())
	return cmd
}

// addShown adds the flags that select the contents of a report.
func (f *forecastFlags) addShown(cmd *cobra.Command) {
	var bucket, from, until string
	set := cmd.Flags()
	set.StringVar(&bucket, "bucket", "", "width of the histogram's bars, such as 1h, 1d, 1mo (default: chosen)")
	set.StringVar(&from, "from", "", "instant at which the histogram begins, as --now has it (default with --until: that of --now)")
	set.StringVar(&until, "until", "", "instant before which the histogram ends, as --now has it")
	set.StringVar(&f.options.By, "by", "", "count by the values of this field too, such as tenant or meta.kind")
	addCheck(cmd, func() error { return cmp.Or(f.complete(bucket), f.setPeriod(from, until)) })
	f.reportFlags.add(cmd)
	addNeed(cmd, "format bucket from until all delete-rate by", func() bool { return !f.list }, "beside --list, which is a form of its own")
	addNeed(cmd, "sample by bucket from until", func() bool { return f.format != "prometheus" }, "with --format prometheus, which holds counts of all documents alone")
	addNeed(cmd, "from until", func() bool { return f.format != "part" }, "with --format part, whose histogram is merged with others")
	addNeed(cmd, "from", func() bool { return until != "" }, "without --until")
}

// addExpired adds the flags about the documents themselves.
func (f *forecastFlags) addExpired(cmd *cobra.Command) {
	set := cmd.Flags()
	set.BoolVar(&f.list, "list", false, "list what has expired instead, a line of JSON for each document")
	set.StringVar(&f.save, "save-expired", "", "write the documents that have expired to this new file, as they are: BSON, or JSON lines")
	addNoIDs(cmd, &f.options.NoIDs)
	addNeed(cmd, "no-ids", func() bool { return f.save == "" }, "on --save-expired, which holds whole documents")
	addCheck(cmd, func() error {
		if field, _, _ := strings.Cut(f.options.By, "."); f.options.NoIDs && (field == "_id" || field == "id") {
			return cli.Usagef("--by %s shows what --no-ids hides; leave one of them out", f.options.By)
		}
		return nil
	})
}

// complete sets the options that are given as texts in flags.
func (f *forecastFlags) complete(bucket string) (err error) {
	o := &f.options
	if o.Now, err = f.policy.Instant(time.Now()); err != nil {
		return err
	}
	if o.Bucket, err = forecast.ParseWidth(bucket); err != nil && bucket != "" {
		return cli.Usagef("--bucket: %w", err)
	}
	o.Kind = f.kind
	return nil
}

// setPeriod sets the period of the histogram. It also sets the width of the bars, unless
// --bucket sets it.
func (f *forecastFlags) setPeriod(from, until string) (err error) {
	if until == "" {
		return nil
	}
	o, p := &f.options, forecast.Period{From: f.options.Now}
	if from != "" {
		if p.From, err = policyflags.ParseInstantFrom("--from", from, o.Now); err != nil {
			return err
		}
	}
	if p.Until, err = policyflags.ParseInstantFrom("--until", until, o.Now); err != nil {
		return err
	}
	if p.Until <= p.From {
		return cli.Usagef("--until: %s is not after %s, where the histogram begins", p.Until, p.From)
	}
	if o.Bucket.IsZero() {
		o.Bucket = p.Bucket(24)
	}
	o.Period = p
	if err := p.Check(o.Bucket); err != nil {
		return cli.Usagef("--bucket: %w", err)
	}
	return nil
}

func (f *forecastFlags) run(cmd *cobra.Command, args []string) error {
	defer f.live.close()
	if f.pushdown != "" {
		return f.runPushdown(cmd, args)
	}
	found, err := f.find(cmd, args)
	if err != nil {
		return err
	}
	if f.format == "part" {
		if slices.ContainsFunc(found.Inputs, func(in *dump.Input) bool { return in.Path == dump.Stdin }) {
			return cli.Usagef("--format part needs --name for standard input, such as --name s3://bucket/shop/logs.bson.gz: two parts must not name the same input")
		}
		part.InOrder(found.Inputs)
	}
	f.options.Horizons = f.horizons()
	groups, err := f.policy.Groups(found.Collections())
	if err != nil {
		return err
	}
	f.live.prepare(groups, f.options.Check || f.options.Whole)
	if f.format == "part" {
		return f.writePart(cmd, found, groups)
	}
	q, err := report.QuestionOf(groups, f.seconds, f.options.Now)
	if err != nil {
		return err
	}
	expired, err := f.newExpiredWriter(cmd.OutOrStdout(), groups)
	if err != nil {
		return err
	}
	if expired != nil {
		f.options.Expired = expired.write
	}
	progress := f.watch(cmd, found.Inputs, &f.options.Read)
	results := forecast.Run(cmd.Context(), q.Jobs(), f.options)
	progress.Finish()
	return f.conclude(cmd, found, q, results, expired)
}

// conclude writes the results of a question's jobs.
func (f *forecastFlags) conclude(cmd *cobra.Command, found dump.Found, q report.Question, results []forecast.Result, expired *expiredWriter) error {
	r, err := report.Of(found, q, results, f.options)
	if err != nil {
		return err
	}
	incomplete := incompleteError(r, r.Conclude())
	if expired != nil {
		reason, unknown := r.Reason, int64(0)
		for _, c := range r.Collections {
			unknown += c.Tally.Unknown.Documents
		}
		if incomplete == nil && unknown > 0 {
			reason = fmt.Sprintf("when %s is unknown", cli.Count(unknown, "document expires", "documents expire"))
			incomplete = cli.WithExit(cli.ExitIncomplete, errors.New(reason))
		}
		incomplete = expired.finish(incomplete, reason)
	}
	if f.list {
		return f.judge(r, incomplete)
	}
	return f.finish(cmd, r, incomplete)
}

// find returns the selected inputs of args.
func (f *forecastFlags) find(cmd *cobra.Command, args []string) (found dump.Found, err error) {
	switch {
	case f.name != "":
		found.Inputs = []*dump.Input{dump.Named(f.name, dump.File{Path: dump.Stdin}.Open)}
		return found, cli.WithExit(cli.ExitUsage, found.Select(f.selection))
	case !isLive(args):
		return find(cmd, args, f.selection)
	}
	if found, err = f.live.find(cmd, args, &f.policy); err == nil {
		err = cli.WithExit(cli.ExitUsage, found.Select(f.selection))
	}
	f.options.Whole = f.save != ""
	return found, err
}

// find returns the selected inputs of args, and reports the skipped files.
func find(cmd *cobra.Command, args []string, selection namespace.Selection) (dump.Found, error) {
	found, err := dump.Find(args)
	if err != nil {
		return found, err
	}
	note(cmd, found.Notes)
	if err := found.Select(selection); err != nil {
		return found, cli.WithExit(cli.ExitUsage, err)
	}
	return found, nil
}

// known returns the found collections, or the error of an input whose collections are not
// known.
func known(found dump.Found) ([]*dump.Collection, error) {
	for _, in := range found.Inputs {
		if in.Err != nil {
			return nil, in.Err
		}
	}
	return found.Collections(), nil
}

// inputsOf returns the inputs that hold these collections, each once.
func inputsOf(collections []*dump.Collection) (list []*dump.Input) {
	for _, c := range collections {
		if !slices.Contains(list, c.Input) {
			list = append(list, c.Input)
		}
	}
	return list
}

// readError returns the error of reading documents, with advice about documents that can
// be skipped. If the reading was interrupted, the parameter interrupted is the text of
// the error.
func readError(err error, interrupted string) error {
	var bad *dump.Error
	if errors.As(err, &bad) && bad.Skippable {
		return fmt.Errorf("%w; --skip-bad counts documents that cannot be read, and goes on", err)
	}
	return orInterrupted(err, interrupted)
}

// orInterrupted returns err, unless the command was interrupted. Then it returns an error
// whose text is the parameter interrupted, with the exit code of interrupted commands.
func orInterrupted(err error, interrupted string) error {
	if errors.Is(err, context.Canceled) {
		return cli.WithExit(cli.ExitInterrupted, errors.New(interrupted))
	}
	return err
}
