package wirettl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxConnections is how many clients are served at a time; further ones wait. Each may hold
// a message of 48 MB.
const maxConnections = 200

// idleTimeout ends a connection on which no message arrives whole.
const idleTimeout = 30 * time.Minute

// Options are what a server is. The zero Options are the newest release with a pass of
// the monitor each minute and no log.
type Options struct {
	// Release is the release whose rules are kept; the zero Version is [mongo.Latest].
	Release mongo.Version
	// SleepSecs is the parameter ttlMonitorSleepSecs at the start, in seconds; 0 stands
	// for that of a server, 60.
	SleepSecs policy.Seconds
	// Log, if it is not nil, is told of connections that ended with an error, of
	// passes of the monitor that failed, and of each command.
	Log *slog.Logger
}

// A server serves one store.
type server struct {
	store   *boltttl.Store
	profile mongo.Profile
	started time.Time
	log     *slog.Logger
	monitor *monitor
	cursors cursors
}

// Serve answers the clients that l accepts, from the store in db, and sweeps it, until ctx
// is done; then it closes l and all connections, waits for what it had begun, and returns
// nil. The error is that of [boltttl.Open] or of l.
func Serve(ctx context.Context, l net.Listener, db *bbolt.DB, o Options) error {
	defer l.Close()
	s, err := newServer(db, o)
	if err != nil {
		return err
	}
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

func newServer(db *bbolt.DB, o Options) (*server, error) {
	if o.Release == (mongo.Version{}) {
		o.Release = mongo.Latest
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	store, err := boltttl.Open(db, o.Release)
	if err != nil {
		return nil, err
	}
	return &server{
		store: store, profile: store.Profile(), started: time.Now(), log: o.Log,
		monitor: newMonitor(store, o), cursors: cursors{open: map[int64]*cursor{}},
	}, nil
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
