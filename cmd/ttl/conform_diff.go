package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

type conformDiffFlags struct {
	programFlags
	server  serverFlags
	options differ.Options
	format  string
	quiet   bool
}

// self is the name of this library in place of a program.
const self = "self"

func newConformDiffCommand() *cobra.Command {
	var flags conformDiffFlags
	cmd := &cobra.Command{
		Use:  "diff [flags] [-- A [ARGUMENT…] -- B [ARGUMENT…]]",
		RunE: flags.run,
	}
	cmd.Flags().SetInterspersed(false) // flags after the programs belong to them
	flags.programFlags.add(cmd)
	flags.server.addMongoDB(cmd)
	addNeed(cmd, "server sweep-command sweep-timeout cleanup quiet", flags.server.isAsked, "without --mongodb-uri")
	addNeed(cmd, "server sweep-command sweep-timeout seed n op per-rule format quiet", flags.server.asks, "beside --cleanup, which asks nothing")
	set := cmd.Flags()
	set.BoolVar(&flags.quiet, "quiet", false, "show no progress of a server's answers")
	set.Uint64Var(&flags.options.Seed, "seed", 1, "seed of the random questions")
	set.IntVar(&flags.options.N, "n", 1000, "how many questions are made for each operation")
	set.StringSliceVar(&flags.options.Ops, "op", nil, "ask only this operation (repeatable): "+strings.Join(conformance.Operations(), ", "))
	set.IntVar(&flags.options.PerRule, "per-rule", 1, "how many disagreements about each rule are shown")
	addFormat(cmd, &flags.format, "text", "json", "vectors")
	addCheck(cmd, func() error {
		o := flags.options
		if o.N < 1 || o.PerRule < 1 {
			return cli.Usagef("--n and --per-rule must be 1 or more")
		}
		if product := flags.server.release.Product; product != "" {
			return cli.Usagef("--server: questions are drawn about MongoDB only; ttl conform run asks a server about %s", product)
		}
		for _, op := range o.Ops {
			if conformance.SystemOf(op) == "" {
				return cli.Usagef("--op %s: want one of %s", op, strings.Join(conformance.Operations(), ", "))
			}
		}
		return nil
	})
	policyflags.Complete(cmd, "op", conformance.Operations()...)
	return cmd
}

func (f *conformDiffFlags) run(cmd *cobra.Command, args []string) error {
	report, err := f.report(cmd, args)
	if err != nil || report == nil {
		return err
	}
	w := cmd.OutOrStdout()
	switch f.format {
	case "json":
		err = cli.WriteJSON(w, report)
	case "vectors":
		err = conform.WriteDifferencesAsVectors(w, report)
	default:
		err = conform.WriteDifferences(cli.NewPrinter(w), report)
	}
	switch {
	case err != nil:
		return err
	case !report.Agree():
		return cli.ExitSilently(cli.ExitNonconformant)
	case report.Unasked() > 0 && !f.server.isAsked(): // some questions cannot be put to a server
		return cli.WithExit(cli.ExitUnable, errors.New("a program failed too often and got no further questions; no answers differed until then"))
	}
	return nil
}

// report compares the named systems; it returns nil if the command only removes a database.
func (f *conformDiffFlags) report(cmd *cobra.Command, args []string) (*differ.Report, error) {
	switch {
	case f.server.isAsked() && len(args) > 0:
		return nil, cli.Usagef("--mongodb-uri names the server to compare with this library, and %s is a program; give one of them", args[0])
	case f.server.cleanup != "":
		return nil, f.server.clean(cmd)
	case f.server.isAsked():
		return f.compareServer(cmd)
	}
	at := slices.Index(args, "--")
	if at < 1 || at == len(args)-1 {
		return nil, cli.Usagef("name two programs, each after --, such as: ttl conform diff -- python3 adapter.py -- self")
	}
	return f.compare(cmd.Context(), args[:at], args[at+1:])
}

// compareServer compares a running server with this library.
func (f *conformDiffFlags) compareServer(cmd *cobra.Command) (*differ.Report, error) {
	ctx := cmd.Context()
	defer cleanups.begin()()
	system, hangUp, err := f.server.start(cmd, f.quiet, true)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	f.options.Live = true
	if !f.quiet {
		to := cli.NewPrinter(cmd.ErrOrStderr())
		f.options.Told = func(op differ.Operation) {
			to.Line("%s: %s of %s questions are answered, %s differently", op.Op,
				cli.Number(int64(op.Asked+op.Unspecified+op.Unasked)), cli.Number(int64(f.options.N)), cli.Number(int64(op.Different)))
		}
	}
	report, err := differ.Run(ctx, system, library.New(), f.options)
	left := system.Close()
	switch {
	case ctx.Err() != nil:
		return nil, errors.Join(errInterrupted, left)
	case err != nil || system.Err() != nil || left != nil:
		return nil, cli.WithExit(cli.ExitUnable, errors.Join(err, system.Err(), left))
	}
	return report, nil
}

// compare starts two systems, and asks both the same questions.
func (f *conformDiffFlags) compare(ctx context.Context, first, second []string) (*differ.Report, error) {
	a, stop, err := f.system(ctx, first)
	if err != nil {
		return nil, err
	}
	defer stop()
	b, stop, err := f.system(ctx, second)
	if err != nil {
		return nil, err
	}
	defer stop()
	report, err := differ.Run(ctx, a, b, f.options)
	switch {
	case ctx.Err() != nil:
		return nil, errInterrupted
	case err != nil:
		return nil, cli.WithExit(cli.ExitUnable, err)
	}
	return report, nil
}

// system returns the system to ask: a started program, or this library. Call stop at the
// end.
func (f *conformDiffFlags) system(ctx context.Context, argv []string) (s conformance.System, stop func(), err error) {
	if slices.Equal(argv, []string{self}) {
		return library.New(), func() {}, nil
	}
	p, err := f.start(ctx, argv)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Close, nil
}
