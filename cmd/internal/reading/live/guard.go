package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

// Commands are the names of commands that a [Client] may send.
type Commands []string

// Read holds the commands that only read: an aggregate may only have stages of readStages,
// and an explain must explain a find.
var Read = Commands{
	// Commands that the driver sends by itself to connect and to end.
	"hello", "isMaster", "ismaster", "saslStart", "saslContinue", "authenticate", "endSessions", "killCursors",
	// Commands about the server and its contents.
	"buildInfo", "getParameter", "serverStatus", "listDatabases", "listCollections", "listIndexes", "count",
	// Documents.
	"find", "aggregate", "getMore", "explain",
}

// readStages are the stages of an aggregate that only reads.
var readStages = []string{"$sample", "$match", "$project", "$group", "$collStats"}

// writes reports whether some of the commands need a primary.
func (c Commands) writes() bool { return slices.Contains(c, "insert") }

// check returns an error if a command must not be sent. If inserts are allowed, an
// aggregate may have any stages.
func (c Commands) check(name string, command bson.Raw) error {
	if !slices.Contains(c, name) {
		return fmt.Errorf("the command %s is not one of the allowed commands, and must not be sent", name)
	}
	if name == "explain" { // a server might run the explained command
		inner, _ := command.Lookup("explain").DocumentOK()
		if first, err := inner.IndexErr(0); err != nil || first.Key() != "find" {
			return errors.New("an explain of a command other than find must not be sent")
		}
	}
	if name != "aggregate" || c.writes() {
		return nil
	}
	pipeline, _ := command.Lookup("pipeline").ArrayOK()
	stages, err := pipeline.Values()
	if err != nil {
		return err
	}
	for _, s := range stages {
		d, _ := s.DocumentOK()
		stage, err := d.IndexErr(0)
		if err != nil || !slices.Contains(readStages, stage.Key()) {
			return fmt.Errorf("an aggregate with the stage %s must not be sent", s)
		}
	}
	return nil
}

// A guard makes sure that a client sends only its commands. The driver passes it each
// command before writing it. After a refused command the guard's connections write
// nothing more.
type guard struct {
	commands Commands
	isTLS    bool // the address asks for TLS
	hosts    hosts
	refused  atomic.Pointer[error]
	asked    atomic.Bool                         // the client has sent a command
	record   func(name string, command bson.Raw) // called with each command in tests; nil for none
}

// refuse makes err the reason for which nothing more is sent, if it is the first.
func (g *guard) refuse(err error) { g.refused.CompareAndSwap(nil, &err) }

func (g *guard) monitor() *event.CommandMonitor {
	return &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		g.asked.Store(true)
		if g.record != nil {
			g.record(e.CommandName, e.Command)
		}
		if err := g.commands.check(e.CommandName, e.Command); err != nil {
			g.refuse(err)
		}
	}}
}

// serverMonitor returns a monitor that refuses a server that names more hosts than a replica
// set has, before the driver connects to the hosts.
func (g *guard) serverMonitor() *event.ServerMonitor {
	return &event.ServerMonitor{ServerHeartbeatSucceeded: func(e *event.ServerHeartbeatSucceededEvent) {
		if d := e.Reply; len(d.Hosts)+len(d.Passives)+len(d.Arbiters) > maxHosts {
			g.refuse(refusal(fmt.Sprintf("the server names more than %d hosts, the most that a replica set has", maxHosts)))
		}
	}}
}

// DialContext returns a connection that asks the guard about each command, and that limits
// the size of a reply. The driver itself does TLS over the connection.
func (g *guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if err := g.refused.Load(); err != nil {
		return nil, *err
	}
	if err := g.hosts.admit(address); err != nil {
		return nil, err
	}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &guarded{Conn: conn, guard: g}, nil
}

// A guarded connection writes nothing after a refused command. Between two writes it reads at
// most maxReply bytes, or maxHandshake before the first command, because a driver gets one
// reply to each request.
type guarded struct {
	net.Conn
	guard *guard
	read  atomic.Int64
}

const (
	// maxReply is the largest reply, in bytes, TLS included: a message has 48,000,000 at most
	// (mongodb/mongo: src/mongo/rpc/message.h, MaxMessageSizeBytes).
	maxReply = 49 << 20
	// maxHandshake is the largest reply until the client has sent its first command, in bytes.
	// Until then the driver connects, and a server names its hosts. Real replies have some
	// thousand bytes.
	maxHandshake = 1 << 20
)

func (c *guarded) Write(b []byte) (int, error) {
	if err := c.guard.refused.Load(); err != nil {
		return 0, *err
	}
	c.read.Store(0)
	return c.Conn.Write(b)
}

func (c *guarded) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	most := int64(maxHandshake)
	if c.guard.asked.Load() {
		most = maxReply
	}
	if c.read.Add(int64(n)) > most {
		c.Conn.Close()
		return 0, refusal(fmt.Sprintf("the server's reply is longer than %d MiB", most>>20))
	}
	return n, err
}

// maxHosts is the largest number of hosts that a server may name, which is the largest
// number of members of a replica set (https://www.mongodb.com/docs/manual/reference/limits/).
const maxHosts = 50

// hosts are the hosts to which a client has connected.
type hosts struct {
	most int // the maximum number: the hosts of the address, and of a replica set

	mu  sync.Mutex
	had map[string]bool
}

// admit returns an error for a host beyond the limit. Without a limit, members of a set
// could name further members for ever.
func (h *hosts) admit(address string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.had[address] && len(h.had) >= h.most {
		return refusal(fmt.Sprintf("the servers name more hosts than a replica set has, and no connection to %s is made", address))
	}
	if h.had == nil {
		h.had = map[string]bool{}
	}
	h.had[address] = true
	return nil
}

// dialer makes the connections to servers of MongoDB. [net/http.DefaultTransport] makes the
// connections to Azure Cosmos DB, and to services for certificates and identities.
var dialer = net.Dialer{Timeout: connectTimeout}

// OnlyLoopback calls [loopback.Only], and limits the connections of this package in the
// same way.
func OnlyLoopback() {
	dialer.Control = loopback.Refuse
	loopback.Only()
}
