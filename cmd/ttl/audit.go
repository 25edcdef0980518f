package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/audit"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// auditFlags are the flags of audit.
type auditFlags struct {
	server       string
	parameters   []string
	movingTo     string
	by           string
	documents    []string
	metadataOnly bool
	namespace    string
	expireAfter  string
	now          string
	format       string
	input        string
	skipBad      bool
	quiet        bool
}

func newAuditCommand() *cobra.Command {
	var flags auditFlags
	cmd := &cobra.Command{
		Use:   "audit [FILE | FOLDER | -]…",
		Short: "Find what is wrong with stored TTL policies, and how to repair it",
		Long: `audit looks for TTL policies that delete what should live, keep what should go, or do
something else than they seem to; it says by which rule, and prints the commands that
put it right. It runs none of them.

For MongoDB it reads what listIndexes or getIndexes answers, as JSON or BSON, and the
metadata of mongodump, with the documents beside it. For Cosmos DB it reads containers
as JSON, and templates with containers as Bicep compiles them. What is none of these it
reads as people write policies, in the shell or in a program. Without an argument, or
with "-", it reads standard input. With --moving-to it says what becomes of the indexes
in another release.`,
		Example: examples(
			"a dump, with the documents in it", "ttl audit dump/shop",
			"the indexes of one collection", `mongosh shop --quiet --eval 'EJSON.stringify(db.runCommand({listIndexes: "logs"}), {relaxed: false})' | ttl audit --server 7.0.14`,
			"what would an initial sync do?", "ttl audit --server 4.4.29 --moving-to 5.0.9 --by initial-sync dump/shop",
			"a container of Cosmos DB and its items", "ttl audit container.json --documents items.jsonl",
			"for a program", "ttl audit --format json template.json",
		),
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, args) },
	}
	set := cmd.Flags()
	set.StringVar(&flags.server, "server", "", "release of the server, such as 8.0.4 (default: the dump's, or the newest known)")
	policyflags.AddParameters(cmd, &flags.parameters)
	set.StringVar(&flags.movingTo, "moving-to", "", "release that the data is to move to, such as 5.0.9")
	set.StringVar(&flags.by, "by", "upgrade", "how it moves: "+strings.Join(ways, ", "))
	set.StringArrayVar(&flags.documents, "documents", nil, "documents of the one collection or container: a dump or an export (repeatable)")
	set.BoolVar(&flags.metadataOnly, "metadata-only", false, "look at policies alone, not at the documents of a dump")
	set.StringVar(&flags.namespace, "namespace", "", "name of the one collection or container, such as shop.logs, for the commands")
	set.StringVar(&flags.expireAfter, "expire-after", "", "expireAfterSeconds that the commands write: seconds, or a time such as 30d")
	set.StringVar(&flags.now, "now", "", "judge at this instant: 2026-11-20T08:00:00Z, 2026-11-20, or @seconds (default: the clock)")
	set.StringVar(&flags.input, "input", "auto", "kind of the documents: auto, bson, extjson, json")
	set.BoolVar(&flags.skipBad, "skip-bad", false, "count documents that cannot be read and go on (ends with exit code 3 or 4)")
	set.BoolVar(&flags.quiet, "quiet", false, "show no progress")
	addFormat(cmd, &flags.format, "text", "json")
	completeFixed(cmd, "by", ways...)
	return cmd
}

// ways are the values of --by.
var ways = []string{"upgrade", "initial-sync", "restore"}

var operations = map[string]mongo.Operation{
	"upgrade": mongo.Upgrade, "initial-sync": mongo.InitialSync, "restore": mongo.DumpRestore,
}

func (f *auditFlags) run(cmd *cobra.Command, args []string) error {
	options, err := f.options(cmd.Flags().Changed("by"))
	if err != nil {
		return err
	}
	if len(args) == 0 && cli.IsTerminal(cmd.InOrStdin()) {
		return cli.Usagef(`nothing to audit; name a file with indexes or a container, a folder of mongodump, or "-" for standard input`)
	}
	if len(args) == 0 {
		args = []string{dump.Stdin}
	}
	r := audit.Report{Now: options.Now}
	err = interruptible(cmd.Context(), func() error { return f.audit(cmd, args, options, &r) })
	if err != nil {
		return err
	}
	return f.write(cmd.OutOrStdout(), r)
}

func (f *auditFlags) options(way bool) (o audit.Options, err error) {
	if err = checkFormat(f.format, "text", "json"); err != nil {
		return o, err
	}
	shared := policyflags.Flags{Now: f.now, ExpireAfter: f.expireAfter}
	if o.Now, err = shared.Instant(time.Now()); err != nil {
		return o, err
	}
	if o.ExpireAfter, err = shared.Seconds(); err != nil {
		return o, err
	}
	if n, ok := o.ExpireAfter.AsInt64(); ok && (n < 0 || n > int64(policy.MaxSeconds)) {
		return o, cli.Usagef("--expire-after: %d s is not from 0 to 2147483647", n)
	}
	if o.Kind, err = dump.ParseKind(f.input); err != nil {
		return o, cli.Usagef("--input: %w", err)
	}
	if o.Release, err = release("--server", f.server); err != nil {
		return o, err
	}
	if o.MovingTo, err = release("--moving-to", f.movingTo); err != nil {
		return o, err
	}
	if o.Parameters, err = policyflags.ParseParameters(f.parameters); err != nil {
		return o, err
	}
	switch {
	case !slices.Contains(ways, f.by):
		return o, cli.Usagef("--by %s: want one of %s", f.by, strings.Join(ways, ", "))
	case way && f.movingTo == "":
		return o, cli.Usagef("--by says how to move; say where with --moving-to")
	}
	o.By, o.SkipBad = operations[f.by], f.skipBad
	return o, nil
}

// release parses the value of a flag, empty for none.
func release(flag, text string) (mongo.Version, error) {
	if text == "" {
		return mongo.Version{}, nil
	}
	v, err := mongo.ParseVersion(text)
	if err == nil {
		_, err = mongo.ProfileOf(v)
	}
	if err != nil {
		return v, cli.Usagef("%s: %w", flag, err)
	}
	return v, nil
}

// audit audits all that args stand for.
func (f *auditFlags) audit(cmd *cobra.Command, args []string, o audit.Options, r *audit.Report) error {
	targets, err := f.targets(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	var files []dump.File
	for _, t := range targets {
		files = append(files, t.Documents...)
	}
	progress := newProgress(cmd.ErrOrStderr(), f.quiet || len(files) == 0, files)
	defer progress.Finish()
	o.Read = func(n int) { progress.Add(n) }
	for _, t := range targets {
		result, err := audit.Audit(cmd.Context(), t, o)
		if err != nil {
			return skippable(err)
		}
		r.Results = append(r.Results, result)
	}
	return nil
}

// skippable adds to an error that --skip-bad would get past it.
func skippable(err error) error {
	var bad *dump.Error
	switch {
	case errors.Is(err, context.Canceled):
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted"))
	case errors.As(err, &bad) && bad.Skippable:
		return fmt.Errorf("%w; --skip-bad counts such documents and goes on", err)
	}
	return err
}

// targets finds what is to be audited, and tells it what the flags know.
func (f *auditFlags) targets(stdin io.Reader, args []string) (targets []*audit.Target, err error) {
	for _, path := range args {
		found, err := audit.Find(path, stdin, !f.metadataOnly && len(f.documents) == 0)
		if err != nil {
			return nil, err
		}
		targets = append(targets, found...)
	}
	if len(targets) != 1 && (f.namespace != "" || len(f.documents) > 0) {
		return nil, cli.Usagef("--namespace and --documents are about one collection or container, and there are %d", len(targets))
	}
	if f.namespace != "" {
		targets[0].Rename(f.namespace)
	}
	if len(f.documents) > 0 {
		targets[0].Documents, err = dump.Find(f.documents)
	}
	return targets, err
}

// write writes the report. What was found makes the exit code; what was
// skipped does if nothing was.
func (f *auditFlags) write(w io.Writer, r audit.Report) error {
	var err error
	if f.format == "json" {
		err = r.JSON(w)
	} else {
		err = r.Text(cli.NewPrinter(w))
	}
	switch {
	case err != nil:
		return err
	case r.Wrong() > 0:
		return cli.ExitSilently(cli.ExitFindings)
	case r.Bad() > 0:
		return cli.WithExit(cli.ExitIncomplete, errors.New(skipped(r.Bad())))
	}
	return nil
}
