package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/report"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
)

// forecastFlags are the flags of forecast.
type forecastFlags struct {
	policy policyflags.Flags
	dumpFlags
	options forecast.Options
	format  string
	all     bool
}

func newForecastCommand() *cobra.Command {
	var flags forecastFlags
	cmd := &cobra.Command{
		Use:   "forecast FILE…",
		Short: "Say what a policy does to a dump or an export",
		Long: `forecast reads documents and says how many have expired, when the others will, which
never will and by which rule, and what would be deleted at once. It writes nothing.

It reads mongodump files (.bson, or a folder of them), mongoexport output, and Cosmos DB
exports as JSON lines or an array; plain, gzip or Zstandard; "-" is standard input. The
indexes come from the metadata.json that mongodump puts beside a .bson file, the release
from its prelude.json; flags name them for anything else.`,
		Example: examples(
			"a dump with its metadata beside it", "ttl forecast dump/shop/logs.bson",
			"a whole database, as a page", "ttl forecast --format html dump/shop > forecast.html",
			"a line for each collection, for a spreadsheet", "ttl forecast --format summary dump > summary.csv",
			"what would this index do?", `ttl forecast --index '{"createdAt":1}' --expire-after 30d export.jsonl.gz`,
			"only guests", `ttl forecast --index '{"createdAt":1}' --expire-after 1h --partial '{"kind":"guest"}' dump/shop/sessions.bson`,
			"a Cosmos DB export", `ttl forecast --container '{"defaultTtl":3600}' items.jsonl`,
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New(`forecast of what? name files, folders, or "-" for standard input`)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, args) },
	}
	flags.policy.Add(cmd)
	addFormat(cmd, &flags.format, "text", "json", "csv", "summary", "html")
	flags.dumpFlags.add(cmd, "input")
	var bucket string
	set := cmd.Flags()
	set.StringVar(&bucket, "bucket", "", "width of the histogram's bars, such as 1h, 1d, 1mo (default: chosen)")
	set.BoolVar(&flags.options.SkipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3)")
	set.BoolVar(&flags.options.Check, "check", false, "check every document whole, also behind what decides about it")
	set.BoolVar(&flags.all, "all", false, "show collections without a TTL like the others")
	addCheck(cmd, func() error { return flags.complete(bucket) })
	addNeed(cmd, "all", func() bool { return flags.format == "text" || flags.format == "html" }, "with --format json, csv and summary, which hold all collections")
	addNeed(cmd, "bucket", func() bool { return flags.format != "summary" }, "with --format summary, which has no histogram")
	return cmd
}

// complete completes the options by what the flags say in words.
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

func (f *forecastFlags) run(cmd *cobra.Command, args []string) error {
	files, err := dump.Find(args)
	if err != nil {
		return err
	}
	groups, err := groupFiles(&f.policy, files)
	if err != nil {
		return err
	}
	progress := f.progress(cmd, files)
	f.options.Read = func(n int) { progress.Add(n) }
	r, incomplete := forecastAll(cmd.Context(), groups, f.options)
	progress.Finish()
	if r.All = f.all; r.HasNothing() && f.format != "json" && incomplete != nil && cli.ExitCodeOf(incomplete) != cli.ExitInterrupted {
		return incomplete // there is nothing to show beside the error
	}
	if f.format == "csv" || f.format == "summary" {
		for _, g := range groups {
			note(cmd, g.policy.Notes) // the other formats hold them
		}
	}
	if err := f.write(cmd, r); err != nil {
		return err
	}
	return incomplete
}

// A group is the files of one collection and their policy.
type group struct {
	name   string
	files  []dump.File
	policy *reasons.Policy
}

// groupFiles puts the files that one policy of the flags decides about together;
// without one, each file is a collection of its own with the metadata beside it.
func groupFiles(flags *policyflags.Flags, files []dump.File) (groups []group, err error) {
	if flags.Given() {
		p, err := flags.Compile()
		var names []string
		for _, file := range files {
			names = append(names, file.Collection())
		}
		return []group{{strings.Join(names, " + "), files, p}}, err
	}
	for _, file := range files {
		p, err := flags.CompileBeside(file)
		if err != nil {
			return nil, err
		}
		name := file.Collection()
		if holdsBuckets(file, p) {
			name += " (time-series buckets)"
		}
		groups = append(groups, group{name, []dump.File{file}, p})
	}
	return groups, nil
}

// holdsBuckets reports whether mongodump, which writes a time-series collection
// as its buckets, wrote file.
func holdsBuckets(file dump.File, p *reasons.Policy) bool {
	return file.Buckets() || file.IsBSON() && !p.Collection.TimeSeries.IsMissing()
}

// forecastAll forecasts each group, up to the first that cannot be read to its
// end. Its error is why the report is not the whole.
func forecastAll(ctx context.Context, groups []group, o forecast.Options) (report.Report, error) {
	r := report.Report{Now: o.Now, Complete: true}
	var bad int64
	for _, g := range groups {
		t, err := forecast.Run(ctx, g.files, g.policy, o)
		r.Collections = append(r.Collections, g.collection(t))
		bad += t.Bad
		if err != nil {
			r.Complete, r.Reason = false, reasonFor(err)
			return r, readError(err, "interrupted; the forecast counts what was read before")
		}
	}
	if bad > 0 {
		r.Complete, r.Reason = false, skipped(bad)
		return r, cli.WithExit(cli.ExitIncomplete, errors.New(r.Reason))
	}
	return r, nil
}

func skipped(n int64) string {
	if n == 1 {
		return "1 document could not be read and was skipped"
	}
	return fmt.Sprintf("%d documents could not be read and were skipped", n)
}

func reasonFor(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return cli.ErrorLine(err)
}

// readError returns the error of reading documents, with what to do about it.
func readError(err error, interrupted string) error {
	var bad *dump.Error
	switch {
	case errors.Is(err, context.Canceled):
		return cli.WithExit(cli.ExitInterrupted, errors.New(interrupted))
	case errors.As(err, &bad) && bad.Skippable:
		return fmt.Errorf("%w; --skip-bad counts such documents and goes on", err)
	}
	return err
}

func (g group) collection(t *forecast.Tally) report.Collection {
	c := report.Collection{Name: g.name, Policy: g.policy, Tally: t}
	for _, file := range g.files {
		c.Files = append(c.Files, filepath.ToSlash(file.Name()))
	}
	return c
}

func (f *forecastFlags) write(cmd *cobra.Command, r report.Report) error {
	switch f.format {
	case "csv":
		return r.CSV(cmd.OutOrStdout())
	case "summary":
		return r.SummaryCSV(cmd.OutOrStdout())
	case "html":
		return r.HTML(cmd.OutOrStdout())
	}
	return show(cmd, f.format, r.JSON(), r.Text)
}
