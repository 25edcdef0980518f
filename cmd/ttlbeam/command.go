package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/part"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"

	// The runners.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

// runners are the runners of Beam that a job can use. The first, prism, runs in this process.
var runners = []string{"prism", "flink", "dataflow", "universal"}

// A command holds the flags of ttlbeam's only command.
type command struct {
	policy  policyflags.Flags
	job     job
	bucket  string
	runner  string
	partAt  string // where the sum is written
	verbose bool
}

func newCommand() *cobra.Command {
	var c command
	cmd := &cobra.Command{
		Use:   "ttlbeam [flags] GLOB…",
		Short: "Say what a policy does to many files, on Apache Beam",
		Long: `ttlbeam counts what a TTL policy does to the documents of many files, each apart, and
writes their sum as a part, which "ttl forecast merge" shows in any form. It reads what ttl
reads: files by their names, gs:// and s3:// objects; a glob may stand for many. It changes
none of them.

It runs on Apache Beam: in this process, unless --runner names a cluster. The flags below
"runner" are Beam's own. Beside a file of an object store there is no metadata of
mongodump, so that flags name the policy, unless the files are archives.`,
		Example: `  ttlbeam --index '{"createdAt":1}' --expire-after 30d 'dump/shop/*.bson' | ttl forecast merge -
  ttlbeam --metadata logs.metadata.json 's3://backups/*/logs.bson.gz' > sum.json
  ttlbeam --runner dataflow --project p --region r --staging_location gs://b/staging \
      --part gs://b/sum.json --container '{"defaultTtl":3600}' 'gs://b/export/*.jsonl'`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("no input; name files, or globs in quotes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.Usagef("%w", err) })
	c.policy.Add(cmd)
	set := cmd.Flags()
	set.StringVar(&c.partAt, "part", "", "have the workers write the sum to this file or object; a cluster needs it")
	set.StringVar(&c.job.Input, "input", "auto", "kind of the input: auto, bson, extjson, json")
	set.StringVar(&c.bucket, "bucket", "", "width of the histogram's bars, such as 1h, 1d, 1mo (default: chosen)")
	set.StringVar(&c.job.By, "by", "", "count by the values of this field too, such as tenant or meta.kind")
	set.BoolVar(&c.job.SkipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3)")
	set.BoolVar(&c.job.Check, "check", false, "check every document whole, also behind the fields that decide about it")
	set.BoolVar(&c.job.NoIDs, "no-ids", false, "show no identifiers of documents and no values in them, except dates that decide; names of fields are shown")
	set.BoolVar(&c.verbose, "verbose", false, "show what the runner says")
	set.StringVar(&c.runner, "runner", runners[0], "what runs the job: "+strings.Join(runners, ", "))
	flag.CommandLine.VisitAll(func(f *flag.Flag) { // Beam's own
		if set.Lookup(f.Name) == nil {
			set.AddGoFlag(f)
		}
	})
	return cmd
}

// check returns an error for wrong flags, and completes the job.
func (c *command) check() (err error) {
	now, err := c.policy.Instant(time.Now())
	if err != nil {
		return err
	}
	c.job.Now, c.job.Bucket = int64(now), c.bucket
	o, err := c.job.options()
	switch field, _, _ := strings.Cut(c.job.By, "."); {
	case err != nil:
		return cli.WithExit(cli.ExitUsage, err)
	case !slices.Contains(runners, c.runner):
		return cli.Usagef("--runner %s: want one of %s", c.runner, strings.Join(runners, ", "))
	case c.runner != runners[0] && c.partAt == "":
		return cli.Usagef("--runner %s needs --part: where its workers write the sum, such as gs://bucket/sum.json", c.runner)
	case o.NoIDs && (field == "_id" || field == "id"):
		return cli.Usagef("--by %s shows what --no-ids hides; leave one of them out", c.job.By)
	}
	if err := c.policy.Load(); err != nil {
		return err
	}
	c.job.Flags = c.policy
	_, err = part.KeyOf(&c.job.Flags, o) // an impossible policy is an error before the job begins
	return err
}

func (c *command) run(cmd *cobra.Command, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.partAt == "" {
		c.partAt = "memfs://sum.json"
	}
	if err := c.execute(cmd.Context(), args); err != nil {
		return err
	}
	return c.show(cmd.Context(), cmd.OutOrStdout())
}

// execute runs the job, which writes the sum.
func (c *command) execute(ctx context.Context, globs []string) error {
	if err := flag.CommandLine.Parse(nil); err != nil { // cobra has parsed the arguments
		return err
	}
	dir, err := os.MkdirTemp("", "ttlbeam-") // Beam leaves files behind
	if err != nil {
		return err
	}
	before := os.TempDir()
	os.Setenv("TMPDIR", dir)
	defer func() {
		os.Setenv("TMPDIR", before)
		os.RemoveAll(dir)
	}()
	begin(c.verbose)
	p, s := beam.NewPipelineWithRoot()
	c.job.build(s, globs, c.partAt)
	if _, err := beam.Run(ctx, c.runner, p); err != nil {
		return fmt.Errorf("the job failed: %s", causeOf(err))
	}
	return nil
}

// begin initializes Beam. Messages of Beam's runners go to standard error if verbose is set,
// and are dropped otherwise; the command returns the error that ends a job.
func begin(verbose bool) {
	beam.Init()
	if !verbose {
		slog.SetDefault(slog.New(slog.DiscardHandler))
	}
}

// causeOf returns the innermost cause in an error of Beam.
func causeOf(err error) string {
	text := cli.ErrorLine(err)
	if at := strings.LastIndex(text, "caused by: "); at >= 0 {
		text = text[at+len("caused by: "):]
	}
	if _, rest, ok := strings.Cut(text, "] failed: "); ok { // of a DoFn
		text = rest
	}
	for _, of := range []string{"AddInput ", "MergeAccumulators "} { // of a CombineFn
		text = strings.TrimPrefix(text, "invoking "+of)
	}
	return text
}

// show writes the job's sum. The error is the reason why the sum is incomplete.
func (c *command) show(ctx context.Context, out io.Writer) error {
	store, err := filesystem.New(ctx, c.partAt)
	if err != nil {
		return err
	}
	text, err := filesystem.Read(ctx, store, c.partAt)
	if err = errors.Join(err, store.Close()); err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	p, err := part.NewDecoder(c.partAt, bytes.NewReader(text)).Next()
	if err != nil {
		return err
	}
	_, incomplete := p.Report()
	return cli.WithExit(cli.ExitIncomplete, incomplete)
}
