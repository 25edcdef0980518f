package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
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
	policy  policyflags.Flags
	format  string
	input   string
	bucket  string
	skipBad bool
	check   bool
	quiet   bool
}

var forecastFormats = []string{"text", "json", "csv", "html"}

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
	addFormat(cmd, &flags.format, forecastFormats...)
	set := cmd.Flags()
	set.StringVar(&flags.input, "input", "auto", "kind of the input: auto, bson, extjson, json")
	set.StringVar(&flags.bucket, "bucket", "", "width of the histogram's bars, such as 1h, 1d, 1mo (default: chosen)")
	set.BoolVar(&flags.skipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3)")
	set.BoolVar(&flags.check, "check", false, "check every document whole, also behind what decides about it")
	set.BoolVar(&flags.quiet, "quiet", false, "show no progress")
	return cmd
}

func (f *forecastFlags) run(cmd *cobra.Command, args []string) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	files, err := dump.Find(args)
	if err != nil {
		return err
	}
	groups, err := f.group(files)
	if err != nil {
		return err
	}
	limitMemory()
	progress := newProgress(cmd.ErrOrStderr(), f.quiet, files)
	options.Read = func(n int) { progress.Add(n) }
	r, trouble := forecastAll(cmd.Context(), groups, options)
	progress.Finish()
	if f.format == "csv" {
		for _, g := range groups {
			tell(cmd, g.policy.Notes) // the others hold them
		}
	}
	if err := f.write(cmd.OutOrStdout(), r); err != nil {
		return err
	}
	return trouble
}

// limitMemory asks for more frequent collections when documents of many MiB
// make garbage faster than small ones do. Ordinary inputs stay far below.
func limitMemory() {
	const soft = 96 << 20
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // else somebody has set GOMEMLIMIT
		debug.SetMemoryLimit(soft)
	}
}

func (f *forecastFlags) options() (o forecast.Options, err error) {
	if err = checkFormat(f.format, forecastFormats...); err != nil {
		return o, err
	}
	if o.Now, err = f.policy.Instant(time.Now()); err != nil {
		return o, err
	}
	if o.Kind, err = dump.ParseKind(f.input); err != nil {
		return o, cli.Usagef("--input: %w", err)
	}
	if f.bucket != "" {
		if o.Bucket, err = forecast.ParseWidth(f.bucket); err != nil {
			return o, cli.Usagef("--bucket: %w", err)
		}
	}
	o.SkipBad, o.Check = f.skipBad, f.check
	return o, nil
}

// A group is the files of one collection and their policy.
type group struct {
	name   string
	files  []dump.File
	policy *reasons.Policy
}

// group puts the files that one policy of the flags judges together; without
// one, each file is a collection of its own with the metadata beside it.
func (f *forecastFlags) group(files []dump.File) ([]group, error) {
	if f.policy.Given() {
		p, err := f.policy.Compile()
		if err != nil {
			return nil, err
		}
		var names []string
		for _, file := range files {
			names = append(names, file.Collection())
		}
		return []group{{strings.Join(names, " + "), files, p}}, nil
	}
	var groups []group
	for _, file := range files {
		p, err := f.besides(file)
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

// besides compiles the policy that mongodump's metadata beside file names.
func (f *forecastFlags) besides(file dump.File) (*reasons.Policy, error) {
	path, text, err := file.Metadata()
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, cli.Usagef("%s has no metadata.json beside it; name the policy: --index '{\"createdAt\":1}' --expire-after 30d, or --container '{\"defaultTtl\":3600}'", file.Name())
	}
	flags := f.policy
	if flags.Server == "" && !flags.CosmosMongo {
		if flags.Server, err = policyflags.DumpedRelease(file); err != nil {
			return nil, err
		}
	}
	if flags.Namespace == "" {
		flags.Namespace = file.Namespace()
	}
	p, err := flags.CompileMetadata(path, text)
	if err != nil && cli.ExitCodeOf(err) != cli.ExitUsage && !strings.Contains(err.Error(), path) {
		err = fmt.Errorf("%s: %w; leave the file out, or name the policy with --index", path, err)
	}
	return p, err
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
			return r, troubleOf(err)
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

func troubleOf(err error) error {
	var bad *dump.Error
	switch {
	case errors.Is(err, context.Canceled):
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted; the forecast counts what was read before"))
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

func (f *forecastFlags) write(w io.Writer, r report.Report) error {
	switch f.format {
	case "json":
		return r.JSON(w)
	case "csv":
		return r.CSV(w)
	case "html":
		return r.HTML(w)
	}
	return r.Text(cli.NewPrinter(w))
}

// newProgress returns a bar of the bytes read, which shows on a terminal only.
func newProgress(w io.Writer, quiet bool, files []dump.File) *progressbar.ProgressBar {
	size := int64(0)
	for _, file := range files {
		if size += file.Size; file.Size < 0 {
			size = -1
			break
		}
	}
	if quiet || !cli.IsTerminal(w) {
		w = io.Discard
	}
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("reading"),
	)
}
