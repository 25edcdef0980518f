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

	"github.com/ttlpolicy/ttlpolicy/cmd/wire"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// maxConnections is the number of clients served at a time; further ones wait. Each may
// hold a message of 48 MB.
const maxConnections = 200

// idleTimeout is the time after which a connection ends if no whole message has arrived.
const idleTimeout = 30 * time.Minute

// Options configure a server. The zero Options mean the newest release, a pass of the monitor
// each minute, and no log.
type Options struct {
	// Release is the release whose rules are kept.
	Release mongo.Version
	// SleepSecs is the parameter ttlMonitorSleepSecs at the start, in seconds; 0 means the
	// server's default, 60.
	SleepSecs int32
	// Second is the length of one of the SleepSecs; 0 means one second. A shorter time
	// makes tests faster.
	Second time.Duration
	// Log, if it is not nil, records connections that ended with an error, and each command.
	Log *slog.Logger
	// Rules, if not nil, replace [Right].
	Rules *Rules
}

// A server holds collections in memory.
type server struct {
	Options
	profile mongo.Profile
	started time.Time
	// changed holds one element after a change of the parameters, so that a short pause
	// begins at once and not after a long one.
	changed chan struct{}

	// mu guards the rest. A command and a pass of the monitor hold it.
	mu sync.Mutex
	monitor
	collections map[string]*collection // by full name
	cursors     map[int64]*cursor
	lastCursor  int64
}

// A collection is a definition with the policy compiled from it, and documents.
type collection struct {
	*mongo.Collection
	documents map[string]policy.BSON // by the key of the _id
}

// Serve answers the clients that l accepts, and deletes what expires, until ctx is done; then
// it closes l and all connections, waits for requests that have begun, and returns nil. It
// returns an error only if l fails, or if no profile describes the release.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	defer l.Close()
	s, err := newServer(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(ctx, func() { l.Close() })()
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { s.watch(ctx) })
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

func newServer(o Options) (*server, error) {
	o.Release = cmp.Or(o.Release, mongo.Latest())
	profile, err := mongo.ProfileOf(o.Release)
	if err != nil {
		return nil, err
	}
	o.Second = cmp.Or(o.Second, time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Rules == nil {
		o.Rules = Right()
	}
	return &server{
		Options: o, profile: profile, started: time.Now(), changed: make(chan struct{}, 1),
		monitor:     monitor{sleepSecs: cmp.Or(o.SleepSecs, behaviour.TTLMonitorSleepSecs), enabled: true, trusted: new(sweep.Clock)},
		collections: map[string]*collection{}, cursors: map[int64]*cursor{},
	}, nil
}

// serve answers the requests of one client until it hangs up.
func (s *server) serve(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	in := bufio.NewReader(conn)
	for {
		conn.SetDeadline(time.Now().Add(idleTimeout)) //nolint:errcheck // reading then fails
		q, err := wire.Read(in)
		if err == nil {
			err = s.respond(conn, q)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				s.Log.Warn("connection closed", "client", conn.RemoteAddr(), "error", err)
			}
			return
		}
	}
}

// respond carries a request out and writes the reply.
func (s *server) respond(w io.Writer, q wire.Request) error {
	c, err := parse(q)
	if err != nil {
		return err
	}
	reply := s.run(c)
	if q.Unacknowledged {
		return nil
	}
	document, err := policy.AppendBSON(nil, policy.ObjectValue(reply))
	if err == nil {
		_, err = w.Write(q.Reply(document))
	}
	return err
}
