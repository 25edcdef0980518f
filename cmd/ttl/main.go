// Command ttl says what a TTL policy does to documents, before it does it.
//
//	ttl forecast   what a policy does to a dump or an export
//	ttl explain    which rule decides about one document
//	ttl audit      what is wrong with stored policies, and the commands that repair it
//	ttl migrate    what carries over to another system, and documents as they must be there
//	ttl rules      the rules, with their sources
//	ttl docs       the reference, as a site
//	ttl conform    judges an implementation in any language, rule by rule
//	ttl adapter    answers questions of other programs, a line of JSON each
//
// docs/cli.md describes it in full.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second Ctrl-C ends the process at once
	os.Exit(int(run(ctx, newRootCommand())))
}

// run runs root, and writes its error, unless that has no text, as one line to
// root's standard error.
func run(ctx context.Context, root *cobra.Command) cli.ExitCode {
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return cli.ExitOK
	}
	if !started { // then it is the command line that cobra objects to
		err = cli.Usagef("%w; see '%s --help'", err, cmd.CommandPath())
	}
	if line := cli.ErrorLine(err); line != "" {
		cli.NewPrinter(root.ErrOrStderr()).Line("ttl: %s", line)
	}
	return cli.ExitCodeOf(err)
}

// interruptible runs work, which may be waiting for input, until ctx ends.
func interruptible(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return cli.WithExit(cli.ExitInterrupted, errors.New("interrupted"))
	}
}
