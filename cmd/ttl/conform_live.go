package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/conform"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/liveconform"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/report"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// serverFlags say how to ask a running server.
type serverFlags struct {
	uri, account, sweepCommand, clockHook, cleanup string
	release                                        mongo.Version
	sweepTimeout                                   time.Duration
}

func (f *serverFlags) add(cmd *cobra.Command) {
	f.addMongoDB(cmd)
	set := cmd.Flags()
	set.StringVar(&f.account, "cosmos-endpoint", "", "ask this account of Azure Cosmos DB for NoSQL, such as cosmos://account, in a database of the run's own")
	set.StringVar(&f.clockHook, "clock-hook", "", "command of the shell that has the server's clock stand at TTL_CLOCK, in milliseconds since 1970, and run again if that is empty")
	addNeed(cmd, "server sweep-command clock-hook", func() bool { return f.uri != "" }, "without --mongodb-uri")
	addNeed(cmd, "sweep-timeout cleanup", f.isAsked, "without --mongodb-uri or --cosmos-endpoint")
	addNeed(cmd, "cosmos-endpoint", func() bool { return f.uri == "" }, "beside --mongodb-uri: a run asks one service")
	addNeed(cmd, "server sweep-command clock-hook sweep-timeout id rule known results report answers", f.asks, "beside --cleanup, which asks nothing")
}

// addMongoDB adds the flags for asking a server that speaks MongoDB's protocol.
func (f *serverFlags) addMongoDB(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.uri, "mongodb-uri", "", "ask the server at this address, in a database of the run's own (docs/live-conformance.md)")
	release := set.String("server", "", "judge the server as this release of MongoDB (default: the one that it says that it is)")
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

func (f *serverFlags) isAsked() bool { return f.uri != "" || f.account != "" }

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

// dialAccount returns a client for the run of this name.
func (f *serverFlags) dialAccount(run string) (*live.CosmosClient, error) {
	key := strings.TrimSpace(os.Getenv(live.KeyVariable))
	text := f.account
	if host, ok := strings.CutPrefix(text, "https://"); ok { // Azure shows the address with this prefix
		text = "cosmos://" + host
	}
	if !live.IsCosmos(text) {
		return nil, cli.Usagef("--cosmos-endpoint: want the address of an account, such as cosmos://account or https://account.documents.azure.com:443/")
	}
	address, err := live.ParseCosmos(text, key)
	switch {
	case err != nil:
		return nil, cli.Usagef("--cosmos-endpoint: %w", err)
	case address.Database != "":
		return nil, cli.Usagef("--cosmos-endpoint: name the account alone; the run makes a database of its own")
	}
	client, err := liveconform.DialAccount(address, key, run)
	return client, cli.WithExit(cli.ExitUnable, err)
}

// clean removes the database that an earlier run left.
func (f *serverFlags) clean(cmd *cobra.Command) error {
	if err := f.remove(cmd.Context()); err != nil {
		return cli.WithExit(cli.ExitUnable, err)
	}
	cli.NewPrinter(cmd.OutOrStdout()).Line("%s is removed", f.cleanup)
	return nil
}

func (f *serverFlags) remove(ctx context.Context) error {
	if f.account != "" {
		client, err := f.dialAccount(f.cleanup)
		if err != nil {
			return err
		}
		return liveconform.CleanupAccount(ctx, client, f.cleanup)
	}
	client, err := f.dial(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	return liveconform.Cleanup(ctx, client, f.cleanup)
}

func (f *serverFlags) options() liveconform.Options {
	o := liveconform.Options{Release: f.release, SweepTimeout: f.sweepTimeout}
	if f.sweepCommand != "" {
		o.Sweep = func(ctx context.Context) error { return f.shell(ctx, f.sweepCommand) }
	}
	if f.clockHook != "" {
		o.SetClock = func(ctx context.Context, at *policy.Instant) error {
			clock := ""
			if at != nil {
				clock = strconv.FormatInt(int64(*at), 10)
			}
			return f.shell(ctx, f.clockHook, "TTL_CLOCK="+clock)
		}
	}
	return o
}

// shell runs a command with additional variables. Its time limit is that of
// --sweep-timeout. The error has the command's output. Processes that the command leaves
// in the background, such as a restarted server, are not waited for.
func (f *serverFlags) shell(ctx context.Context, command string, variables ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, f.sweepTimeout, fmt.Errorf("the command did not end in %s", f.sweepTimeout))
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env = append(os.Environ(), variables...)
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

// A liveSystem is a running server that a suite asks.
type liveSystem interface {
	conformance.Batcher
	Name() string // of the run
	Err() error   // the error that ended the run early
	Close() error // removes the database of the run
}

// start claims a database for a run, and describes the server. The documents of several
// questions share collections if isShared. Call hangUp after the run is closed; it ends the
// connection.
func (f *serverFlags) start(ctx context.Context, isShared bool) (s liveSystem, about string, hangUp func(), err error) {
	if f.account != "" {
		run := liveconform.NewRun()
		client, err := f.dialAccount(run)
		if err != nil {
			return nil, "", nil, err
		}
		s, err := liveconform.StartAccount(ctx, client, run, f.sweepTimeout)
		return s, client.Address.Name, client.SDK().Close, cli.WithExit(cli.ExitUnable, err)
	}
	client, err := f.dial(ctx)
	if err != nil {
		return nil, "", nil, err
	}
	o := f.options()
	o.Share = isShared
	server, err := liveconform.Start(ctx, client, o)
	if err != nil {
		client.Close()
		return nil, "", nil, cli.WithExit(cli.ExitUnable, err)
	}
	return server, fmt.Sprintf("%s: %s", client.Address.Name, server.Server()), client.Close, nil
}

// startFor starts a run of a command as start does, and announces it unless it is quiet.
func (f *serverFlags) startFor(cmd *cobra.Command, isQuiet, isShared bool) (s liveSystem, hangUp func(), err error) {
	s, about, hangUp, err := f.start(cmd.Context(), isShared)
	if err == nil && !isQuiet {
		cli.NewPrinter(cmd.ErrOrStderr()).Line("%s, asked in the database %s", about, s.Name())
	}
	return s, hangUp, err
}

// askServer runs the suite on a running server.
func (f *conformRunFlags) askServer(cmd *cobra.Command, s *suite.Suite) (r conform.Run, err error) {
	ctx := cmd.Context()
	defer cleanups.begin()()
	system, hangUp, err := f.server.startFor(cmd, f.quiet, false)
	if err != nil {
		return r, err
	}
	defer hangUp()
	answered, err := f.record(cmd, s, system)
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
