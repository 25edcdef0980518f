package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/liveconform"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// serverFlags say how a running server is asked.
type serverFlags struct {
	uri, sweepCommand, cleanup string
	release                    mongo.Version
	sweepTimeout               time.Duration
}

func (f *serverFlags) add(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.uri, "mongodb-uri", "", "ask the server at this address, in a database of the run's own (docs/live-conformance.md)")
	release := set.String("server", "", "judge the server as this release of MongoDB (default: the one that it says that it is)")
	set.StringVar(&f.sweepCommand, "sweep-command", "", "command of the shell that makes the server sweep (default: it does so by itself)")
	set.DurationVar(&f.sweepTimeout, "sweep-timeout", 5*time.Minute, "how long the server may sweep nothing")
	set.StringVar(&f.cleanup, "cleanup", "", "only remove what this run left on the server, such as ttlconform_0123456789ab")
	for _, flag := range []string{"server", "sweep-command", "sweep-timeout", "cleanup"} {
		addNeed(cmd, flag, f.isAsked, "without --mongodb-uri")
	}
	for _, flag := range []string{"timeout", "hello-timeout", "one-shot"} {
		addNeed(cmd, flag, func() bool { return !f.isAsked() }, "on a server: it is for programs")
	}
	for _, flag := range []string{"server", "sweep-command", "sweep-timeout", "id", "rule", "known", "results", "report", "answers"} {
		addNeed(cmd, flag, func() bool { return f.cleanup == "" }, "beside --cleanup, which asks nothing")
	}
	addCheck(cmd, func() (err error) {
		if f.sweepTimeout <= 0 {
			return cli.Usagef("--sweep-timeout must be more than nothing")
		}
		f.release, err = policyflags.ParseRelease("--server", *release)
		return err
	})
}

func (f *serverFlags) isAsked() bool { return f.uri != "" }

// dial connects to the server. That it cannot be asked says nothing about it.
func (f *serverFlags) dial(ctx context.Context) (*live.Client, error) {
	address, err := live.Resolve(f.uri, os.Getenv)
	if err != nil {
		return nil, cli.Usagef("--mongodb-uri: %w", err)
	}
	client, err := live.Dial(ctx, address, liveconform.Commands)
	return client, cli.WithExit(cli.ExitUnable, err)
}

// clean removes what an earlier run left.
func (f *serverFlags) clean(cmd *cobra.Command) error {
	client, err := f.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer client.Close()
	if err := liveconform.Cleanup(cmd.Context(), client, f.cleanup); err != nil {
		return cli.WithExit(cli.ExitUnable, err)
	}
	cli.NewPrinter(cmd.OutOrStdout()).Line("%s is removed", f.cleanup)
	return nil
}

// options returns how the server is asked.
func (f *serverFlags) options() liveconform.Options {
	o := liveconform.Options{Release: f.release, SweepTimeout: f.sweepTimeout}
	if f.sweepCommand != "" {
		o.Sweep = func(ctx context.Context) error {
			text, err := exec.CommandContext(ctx, "sh", "-c", f.sweepCommand).CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(text)))
			}
			return nil
		}
	}
	return o
}

// askServer puts a running server to the suite.
func (f *conformRunFlags) askServer(cmd *cobra.Command, suite *conformance.Suite) (r conform.Run, err error) {
	ctx := cmd.Context()
	client, err := f.server.dial(ctx)
	if err != nil {
		return r, err
	}
	defer client.Close()
	defer cleanups.begin()()
	system, err := liveconform.Start(ctx, client, f.server.options())
	if err != nil {
		return r, cli.WithExit(cli.ExitUnable, err)
	}
	if !f.quiet {
		cli.NewPrinter(cmd.ErrOrStderr()).Line("%s: %s, asked in the database %s", client.Address.Name, system.Server(), system.Name())
	}
	answered, err := f.record(cmd, suite, system)
	left := system.Close()
	err = errors.Join(err, cli.WithExit(cli.ExitUnable, errors.Join(system.Err(), left)))
	switch {
	case ctx.Err() != nil:
		return r, errors.Join(f.interrupted(), left)
	case err != nil:
		return r, err
	}
	return conform.Run{Report: report.New(answered, nil), Runner: runner(), Mode: "live", Partial: f.partial()}, nil
}
