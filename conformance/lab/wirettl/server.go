package wirettl

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// maxConnections is the number of clients served at a time; further ones wait. Each may
// hold a message of 48 MB.
const maxConnections = 200

// idleTimeout is the time after which a connection ends if no whole message has arrived.
const idleTimeout = 30 * time.Minute

// Options configure a server. The zero Options mean a pass of the monitor each minute, and
// no log.
type Options struct {
	// SleepSecs is the parameter ttlMonitorSleepSecs at the start, in seconds; 0 means the
	// server's default, 60.
	SleepSecs int32
	// Second is the length of one of the SleepSecs; 0 means one second. A shorter time
	// makes tests faster.
	Second time.Duration
	// Log, if it is not nil, records connections that ended with an error, failed passes
	// of the monitor, and each command.
	Log *slog.Logger
	// Rules, if not nil, replace the rules of the store's release.
	Rules Rules
	// Clock, if it is not nil, is the monitor's clock, and is trusted whatever it shows.
	// Without it the monitor takes the clock of this machine, and is disabled if that
	// clock leaps ahead.
	Clock func() time.Time
	// Margin is the maximum by which the clock may be ahead of the true time, if Rules is
	// nil. Documents are deleted that much later.
	Margin time.Duration
}

// A server serves one store.
type server struct {
	store   *boltttl.Store
	rules   Rules
	started time.Time
	log     *slog.Logger
	monitor monitor
	cursors cursors

	updating sync.Mutex // held while documents are updated
}

// Serve answers the clients that l accepts, from a store, and sweeps it, until ctx is
// done; then it closes l and all connections, waits for requests that have begun, and
// returns nil. It returns an error only if l fails.
func Serve(ctx context.Context, l net.Listener, store *boltttl.Store, o Options) error {
	defer l.Close()
	s := newServer(store, o)
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(ctx, func() { l.Close() })()
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { s.monitor.run(ctx) })
	free := make(chan struct{}, maxConnections)
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			s.serve(ctx, conn)
		})
	}
}

func newServer(store *boltttl.Store, o Options) *server {
	o.SleepSecs = cmp.Or(o.SleepSecs, mongo.TTLMonitorSleepSecs)
	o.Second = cmp.Or(o.Second, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Rules == nil {
		o.Rules = rules{store, &boltttl.Sweeper{Store: store, Batch: batch, Margin: o.Margin}}
	}
	trust := trusted(o.Clock)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &server{
		store: store, rules: o.Rules, started: time.Now(), log: o.Log, cursors: cursors{open: map[int64]*cursor{}},
		monitor: monitor{rules: o.Rules, clock: o.Clock, trust: trust, second: o.Second, log: o.Log, changed: make(chan struct{}, 1),
			status: status{sleepSecs: o.SleepSecs, enabled: true, now: trust()}},
	}
}

// serve answers the requests of one client until it hangs up.
func (s *server) serve(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	in := bufio.NewReader(conn)
	for {
		conn.SetDeadline(time.Now().Add(idleTimeout)) //nolint:errcheck // reading then fails
		q, err := readRequest(in)
		if err == nil {
			err = s.respond(conn, q)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				s.log.Warn("connection closed", "client", conn.RemoteAddr(), "error", err)
			}
			return
		}
	}
}

// respond carries a request out and writes the reply.
func (s *server) respond(w io.Writer, q request) error {
	reply := s.run(q)
	if q.unacknowledged {
		return nil
	}
	b, err := q.appendReply(nil, reply)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
