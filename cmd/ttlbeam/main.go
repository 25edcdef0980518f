// Command ttlbeam is "ttl forecast" for many files, on Apache Beam: in this process, or on
// a cluster of Flink or Dataflow. Each file is counted separately, once. The sum of all is
// the part that one process would write.
//
//	ttlbeam --index '{"createdAt":1}' --expire-after 30d 's3://backups/shop/*.bson.gz' | ttl forecast merge -
//
// docs/scale.md describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

func main() {
	if slices.ContainsFunc(os.Args[1:], func(arg string) bool { return arg == "--worker" || arg == "--worker=true" }) {
		flag.Parse()
		beam.Init() // in a worker of a cluster, it does the work and ends the process
		return
	}
	debug.SetGCPercent(400) // files are read one after the other, each into new buffers
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second Ctrl-C ends the process at once
	err := newCommand().ExecuteContext(ctx)
	switch {
	case err == nil:
		return
	case ctx.Err() != nil:
		err = cli.WithExit(cli.ExitInterrupted, errors.New("interrupted"))
	}
	cli.NewPrinter(os.Stderr).Line("ttlbeam: %s", cli.Clip(cli.ErrorLine(err), 2000))
	os.Exit(int(cli.ExitCodeOf(err)))
}
