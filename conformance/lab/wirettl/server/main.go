// Command server serves MongoDB's drivers by package wirettl:
//
//	go run ./conformance/lab/wirettl/server --server 4.4.29 --sleep 1
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl/broken"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	release := flags.String("server", mongo.Latest().String(), "`release` of MongoDB whose rules are kept")
	listen := flags.String("listen", "127.0.0.1:27017", "`address` to listen at; port 0 stands for a free one")
	sleep := flags.Int("sleep", int(behaviour.TTLMonitorSleepSecs), "pause between two passes of the monitor, in `seconds`")
	second := flags.Duration("second", time.Second, "`time` that a second of that pause lasts; less is for tests")
	mistake := flags.String("broken", "", "`name` of wrong rules that are kept instead, such as array-latest")
	verbose := flags.Bool("v", false, "log each command")
	if err := flags.Parse(args); err != nil {
		return err
	}
	version, err := mongo.ParseVersion(*release)
	if err != nil {
		return err
	}
	level := slog.LevelInfo
	if *verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	o := wirettl.Options{Release: version, SleepSecs: int32(*sleep), Second: *second, Log: log}
	if *mistake != "" {
		if o.Rules, err = broken.Rules(*mistake, version); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	fmt.Printf("mongodb://%s\n", l.Addr())
	return wirettl.Serve(ctx, l, o)
}
