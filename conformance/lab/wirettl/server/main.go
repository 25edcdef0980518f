// Command server keeps a store of package boltttl and serves it to MongoDB's drivers:
//
//	go run ./conformance/lab/wirettl/server --server 4.4.29 --sleep 1
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl/broken"
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
	file := flags.String("db", "", "`file` of the store; without it the store is temporary")
	sleep := flags.Int("sleep", int(mongo.TTLMonitorSleepSecs), "pause between two passes of the monitor, in `seconds`")
	second := flags.Duration("second", time.Second, "`time` that a second of that pause lasts; less is for tests")
	mistake := flags.String("broken", "", "`name` of wrong rules that are kept instead, such as array-latest")
	margin := flags.Duration("margin", 0, "`time` by which the clock may be ahead: documents go that much later")
	clock := flags.String("clock", "", "`file` that the monitor's clock is set by: it stands at the milliseconds since 1970 in it, and runs while it is empty")
	verbose := flags.Bool("v", false, "log each command")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *mistake != "" && *margin != 0 {
		return errors.New("--margin has no effect with --broken")
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
	c := config{*listen, *file, version, *mistake}
	return c.serve(ctx, wirettl.Options{SleepSecs: int32(*sleep), Second: *second, Log: log, Clock: clockOf(*clock), Margin: *margin})
}

// clockOf returns the clock that a file sets, nil without one.
func clockOf(file string) func() time.Time {
	if file == "" {
		return nil
	}
	return func() time.Time {
		text, err := os.ReadFile(file)
		at, numberErr := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil || numberErr != nil {
			return time.Now()
		}
		return time.UnixMilli(at)
	}
}

// A config holds the values of the flags.
type config struct {
	address, file string
	release       mongo.Version
	mistake       string
}

func (c config) serve(ctx context.Context, o wirettl.Options) (err error) {
	options := &bbolt.Options{}
	if c.file == "" {
		dir, err := os.MkdirTemp("", "wirettl")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		c.file, options.NoSync = filepath.Join(dir, "store"), true // nobody opens it again
	}
	db, err := bbolt.Open(c.file, 0o600, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	store, err := boltttl.Open(db, c.release)
	if err != nil {
		return err
	}
	if c.mistake != "" {
		if o.Rules, err = broken.Rules(c.mistake, store); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", c.address)
	if err != nil {
		return err
	}
	fmt.Printf("mongodb://%s\n", l.Addr())
	return wirettl.Serve(ctx, l, store, o)
}
