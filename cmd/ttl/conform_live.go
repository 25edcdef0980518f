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
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/liveconform"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// serverFlags say how to ask a running server.
type serverFlags struct {
	uri, sweepCommand, cleanup string
	release                    mongo.Version
	sweepTimeout               time.Duration
}

func (f *serverFlags) add(cmd *cobra.Command) {
	f.addMongoDB(cmd)
	addNeed(cmd, "server sweep-command sweep-timeout cleanup", f.isAsked, "without --mongodb-uri")
	addNeed(cmd, "server sweep-command sweep-timeout id rule known results report", f.asks, "beside --cleanup, which asks nothing")
}

// addMongoDB adds the flags for asking a server that speaks MongoDB's protocol.
func (f *serverFlags) addMongoDB(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.uri, "mongodb-uri", "", "ask the server at this address, in a database of the run's own (docs/live-conformance.md)")
	release := set.String("server", "", "judge the server as this release of MongoDB, or of DocumentDB, such as documentdb@0.112 (default: the one that it says that it is)")
	set.StringVar(&f.sweepCommand, "sweep-command", "", "command of the shell that makes the server sweep (default: it does so by itself)")
	set.DurationVar(&f.sweepTimeout, "sweep-timeout", 5*time.Minute, "how long the server may delete nothing")
	set.StringVar(&f.cleanup, "cleanup", "", "only remove what this run left on the server, such as ttlconform_0123456789ab")
	addNeed(cmd, "timeout hello-timeout one-shot", func() bool { return !f.isAsked() }, "on a server: it is for programs")
	addCheck(cmd, func() (err error) {
		if f.sweepTimeout <= 0 {
			return cli.Usagef("--sweep-timeout must be more than 0")
		}
		f.release, err = policyflags.ParseRelease("--server", *release)
		return err
	})
}

// asks reports whether the command does more than clean up.
func (f *serverFlags) asks() bool { return f.cleanup == "" }

func (f *serverFlags) isAsked() bool { return f.uri != "" }

// dial connects to the server. A server that cannot be reached is an error of
// the run, not a failed check.
func (f *serverFlags) dial(ctx context.Context) (*live.Client, error) {
	address, err := live.Resolve(f.uri, os.Getenv)
	if err != nil {
		return nil, cli.Usagef("--mongodb-uri: %w", err)
	}
	client, err := live.Dial(ctx, address, liveconform.Commands)
	return client, cli.WithExit(cli.ExitUnable, err)
}

// clean removes the database that an earlier run left.
func (f *serverFlags) clean(cmd *cobra.Command) error {
	client, err := f.dial(cmd.Context())
	if err == nil {
		defer client.Close()
		err = liveconform.Cleanup(cmd.Context(), client, f.cleanup)
	}
	if err != nil {
		return cli.WithExit(cli.ExitUnable, err)
	}
	cli.NewPrinter(cmd.OutOrStdout()).Line("%s is removed", f.cleanup)
	return nil
}

func (f *serverFlags) options() liveconform.Options {
	o := liveconform.Options{Release: f.release, SweepTimeout: f.sweepTimeout}
	if f.sweepCommand != "" {
		o.Sweep = func(ctx context.Context) error { return f.shell(ctx, f.sweepCommand) }
	}
	return o
}

// shell runs a command. Its time limit is that of --sweep-timeout. The error has the
// command's output. Processes that the command leaves in the background are not waited for.
func (f *serverFlags) shell(ctx context.Context, command string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, f.sweepTimeout, fmt.Errorf("the command did not end in %s", f.sweepTimeout))
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.WaitDelay = time.Second // then the output is closed, even if another process still holds it
	text, err := cmd.CombinedOutput()
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return nil
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(text)))
}

// start claims a database for a run, and announces the run unless it is quiet. The documents
// of several questions share collections if isShared. Call hangUp after the run is closed; it
// ends the connection.
func (f *serverFlags) start(cmd *cobra.Command, isQuiet, isShared bool) (s *liveconform.System, hangUp func(), err error) {
	client, err := f.dial(cmd.Context())
	if err != nil {
		return nil, nil, err
	}
	o := f.options()
	o.Share = isShared
	s, err = liveconform.Start(cmd.Context(), client, o)
	if err != nil {
		client.Close()
		return nil, nil, cli.WithExit(cli.ExitUnable, err)
	}
	if !isQuiet {
		cli.NewPrinter(cmd.ErrOrStderr()).Line("%s: %s, asked in the database %s", client.Address.Name, s.Server(), s.Name())
	}
	return s, client.Close, nil
}

// askServer runs the suite on a running server.
func (f *conformRunFlags) askServer(cmd *cobra.Command, s *suite.Suite) (r conform.Run, err error) {
	ctx := cmd.Context()
	defer cleanups.begin()()
	system, hangUp, err := f.server.start(cmd, f.quiet, false)
	if err != nil {
		return r, err
	}
	defer hangUp()
	answered, err := f.record(cmd, s, system)
	left := system.Close()
	err = errors.Join(err, cli.WithExit(cli.ExitUnable, errors.Join(system.Err(), left)))
	switch {
	case ctx.Err() != nil:
		return r, errors.Join(errInterrupted, left)
	case err != nil:
		return r, err
	}
	return conform.Run{Report: results.New(answered, nil), Runner: runner(), Mode: "live", Partial: f.partial()}, nil
}
