package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/protocol"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

func newConformCommand() *cobra.Command {
	return newGroup("conform", newConformRunCommand(), newConformDiffCommand(), newConformRejudgeCommand(), newConformExplainCommand(), newConformListCommand(),
		newConformLintCommand(), newConformCopyCommand(), newConformInitCommand())
}

// suiteFlag names a suite to use in place of the built-in one.
type suiteFlag string

func (f *suiteFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(f), "suite", "", "folder with another suite, laid out like testdata (default: the one in the tool)")
}

// load returns the function that runs a command: it loads the suite, and passes it to
// work.
func (f *suiteFlag) load(work func(*cobra.Command, *suite.Suite, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if *f == "" {
			return work(cmd, suite.Embedded(), args)
		}
		s, err := suite.Load(input.FS(string(*f)))
		if list, ok := err.(interface{ Unwrap() []error }); ok {
			err = list.Unwrap()[0]
		}
		if err != nil {
			return fmt.Errorf("--suite %s: not a valid suite; 'ttl conform lint %s' says: %w", *f, *f, err)
		}
		return work(cmd, s, args)
	}
}

// programFlags say how a program is run.
type programFlags struct {
	timeout, helloTimeout time.Duration
	oneShot               bool
}

func (f *programFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.DurationVar(&f.timeout, "timeout", 2*time.Second, "how long one answer may take")
	set.DurationVar(&f.helloTimeout, "hello-timeout", 10*time.Second, "how long the program may take to start")
	set.BoolVar(&f.oneShot, "one-shot", false, "ask in one batch: write all questions before an answer is read")
	addCheck(cmd, func() error {
		if f.timeout <= 0 || f.helloTimeout <= 0 {
			return cli.Usagef("--timeout and --hello-timeout must be more than 0")
		}
		return nil
	})
}

// start starts the program under test. A program that does not start is an
// error of the run, not a failed check.
func (f programFlags) start(ctx context.Context, argv []string) (*protocol.Program, error) {
	p, err := protocol.Start(ctx, argv, protocol.Options{
		Timeout: f.timeout, HelloTimeout: f.helloTimeout, OneShot: f.oneShot, Runner: runner(),
	})
	if err != nil {
		return nil, cli.WithExit(cli.ExitUnable, fmt.Errorf("%s: %w", argv[0], err))
	}
	return p, nil
}

// runner returns the tool's name and version, for programs under test and for results.
func runner() string { return "ttl " + buildVersion().tool }

// modeOf returns the mode in which a program gets its questions.
func modeOf(p *protocol.Program) string {
	if p.IsOneShot() {
		return "one-shot"
	}
	return "lockstep"
}

// completeVector offers the identifiers of vectors to the shell.
func completeVector(_ *cobra.Command, args []string, _ string) (offers []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, v := range suite.Embedded().Vectors {
		offers = append(offers, cobra.CompletionWithDesc(v.ID, v.Title))
	}
	slices.Sort(offers)
	return offers, cobra.ShellCompDirectiveNoFileComp
}

func newAdapterCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "adapter",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return protocol.Serve(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), released{library.New(), buildVersion().tool})
		},
	}
}

// released is a system that reports the tool's release as its own.
type released struct {
	conformance.System
	version string
}

func (r released) Hello() conformance.Hello {
	h := r.System.Hello()
	h.Version = r.version
	return h
}
