package live

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

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
