// Command ttl says what a TTL policy will do to documents.
//
//	ttl forecast   what a policy does to a dump or an export
//	ttl explain    which rule decides about one document
//	ttl audit      what is wrong with stored policies, and the commands that repair it
//	ttl plan       the changes that bring a database to a policy file, and their deletions
//	ttl migrate    policies for another system, and documents in its form
//	ttl rules      the rules, with their sources
//	ttl conform    judges an implementation in any language, rule by rule
//	ttl adapter    answers questions of other programs, a line of JSON each
//
// docs/cli.md and the pages beside it describe the command in full.
package main

import (
	"context"
	"errors"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/input"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

func main() { os.Exit(tool()) }

// tool is the whole process, and returns its exit code.
func tool() int {
	limitMemory()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)                            // the second Ctrl-C ends the process at once
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // if a pipe's reader has gone, writing returns an error
	code := run(ctx, newRootCommand())
	output.DiscardAll() // removes unfinished files of an interrupted command
	return int(code)
}

// run runs root, and writes its error, unless that has no text, as one line to
// root's standard error.
func run(ctx context.Context, root *cobra.Command) cli.ExitCode {
	done := make(chan error, 1)
	go func() { done <- execute(ctx, root) }()
	err := interruptible(ctx, done)
	input.Forget()
	if err == nil {
		return cli.ExitOK
	}
	if line := cli.ErrorLine(err); line != "" {
		cli.NewPrinter(root.ErrOrStderr()).Line("ttl: %s", line)
	}
	return cli.ExitCodeOf(err)
}

// execute runs the command that the command line names. Output that could not be
// written is an error of every command.
func execute(ctx context.Context, root *cobra.Command) (wrong error) {
	started := false
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		started = true
		if cmd.Name() == cobra.ShellCompRequestCmd {
			complete(root)
		}
		return checkNotEmpty(cmd)
	}
	out := cli.NewOutput(root.OutOrStdout())
	root.SetOut(out)
	cmd, err := root.ExecuteContextC(ctx)
	defer func() {
		if cli.ExitCodeOf(wrong) == cli.ExitUsage && wrong.Error() != "" && cmd.Annotations[ownExitCodes] != "" {
			wrong = cli.WithExit(cli.ExitInput, errors.New(wrong.Error()))
		}
	}()
	switch lost := out.Err(); {
	case errors.Is(lost, syscall.EPIPE): // the reader needs no more, as in "ttl rules | head"
		return cli.ExitSilently(cli.ExitInput)
	case lost != nil && (err == nil || cli.ErrorLine(err) == ""):
		return lost
	case err != nil && !started && !errors.Is(err, lost): // then the error is cobra's, about the command line
		return cli.Usagef("%w; see '%s --help'", err, cmd.CommandPath())
	}
	return err
}

// gracePeriod is the time that an interrupted command has to end and to write its results so
// far.
const gracePeriod = 500 * time.Millisecond

// closingWork is work that an interrupted command must complete: removing what it created
// on a server. The second Ctrl-C ends it at once.
type closingWork struct {
	work  sync.WaitGroup
	begun atomic.Bool
}

// begin records that closing work has started. The caller calls end when the work is done.
func (p *closingWork) begin() (end func()) {
	p.begun.Store(true)
	p.work.Add(1)
	return p.work.Done
}

// wait waits for the end, and reports whether there was something to wait for.
func (p *closingWork) wait() bool {
	p.work.Wait()
	return p.begun.Load()
}

// cleanups are the work that this process must complete before it ends.
var cleanups closingWork

// awaitClosing waits for an interrupted command that has closing work, and returns the error
// of the command. It returns fallback if there is no such work, or if the command does not
// end within gracePeriod after the work.
func awaitClosing(done <-chan error, fallback error) error {
	if !cleanups.wait() {
		return fallback
	}
	select {
	case err := <-done:
		return err
	case <-time.After(gracePeriod):
		return fallback
	}
}

// interruptible returns the error of a command when it is done. It does not wait long for
// an interrupted command, which may be waiting for input that never comes.
func interruptible(ctx context.Context, done <-chan error) (err error) {
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(gracePeriod):
			err = awaitClosing(done, ctx.Err())
		}
	}
	if ctx.Err() != nil && err != nil && cli.ExitCodeOf(err) != cli.ExitInterrupted && err.Error() != "" {
		err = cli.WithExit(cli.ExitInterrupted, errors.New("interrupted"))
	}
	return err
}

// softMemory is the amount of memory from which garbage collections become frequent, in bytes.
const softMemory = 96 << 20

// limitMemory asks for more frequent collections when documents of many MiB make garbage faster
// than small ones do. Ordinary inputs stay far below the limit. The limit grows with the memory
// in use, because the runtime would collect without a pause at a limit below that.
func limitMemory() {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 { // somebody has set GOMEMLIMIT
		return
	}
	debug.SetMemoryLimit(softMemory)
	afterEachCollection(func() { debug.SetMemoryLimit(limitFor(memoryInUse())) })
}

// limitFor returns the memory limit, given the bytes in use by values on the heap, and by
// the rest, such as stacks.
func limitFor(heap, rest int64) int64 {
	return max(softMemory, rest+heap+heap/8)
}

// afterEachCollection calls f after each garbage collection.
func afterEachCollection(f func()) {
	type mark struct{ _ *byte } // a pointer, because smaller values share memory with others
	var again func(*mark)
	again = func(m *mark) {
		f()
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(new(mark), again)
}

// memoryInUse returns the bytes that the last collection has left on the heap, and the memory
// outside the heap.
func memoryInUse() (heap, rest int64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
	}
	metrics.Read(samples)
	at := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	return at(0), at(1) - at(2) - at(3) - at(4) - at(5)
}
