package live

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/ocsp"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

// A security holds the settings of TLS, and of the check whether the server's certificate
// was revoked.
type security struct {
	config          *tls.Config
	verify          ocsp.VerifyOptions
	skipsRevocation bool // do not check whether the certificate was revoked
}

// takeSecurity removes the TLS settings from the options of a driver, and returns them;
// nil if there are none. The guard's connections do TLS themselves, so that they see the
// bytes of a server.
func takeSecurity(o *options.ClientOptions) *security {
	if o.TLSConfig == nil {
		return nil
	}
	s := &security{config: o.TLSConfig}
	s.verify = ocsp.VerifyOptions{Cache: ocsp.NewCache(), HTTPClient: cmp.Or(o.HTTPClient, http.DefaultClient)}
	s.verify.DisableEndpointChecking = o.DisableOCSPEndpointCheck != nil && *o.DisableOCSPEndpointCheck
	s.skipsRevocation = s.config.InsecureSkipVerify || o.DisableCertificateRevocationCheck != nil && *o.DisableCertificateRevocationCheck
	o.TLSConfig = nil
	return s
}

// client secures conn by TLS and returns the secured connection.
func (s *security) client(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	config := s.config.Clone()
	if config.ServerName == "" {
		config.ServerName = address
		if host, _, err := net.SplitHostPort(address); err == nil {
			config.ServerName = host
		}
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		if isPlain(err) {
			return nil, fmt.Errorf("the server at %s does not speak TLS (%w); leave tls=true out, or with mongodb+srv:// add tls=false", address, err)
		}
		return nil, fmt.Errorf("TLS: %w", err)
	}
	if s.skipsRevocation {
		return secure, nil
	}
	if err := ocsp.Verify(ctx, secure.ConnectionState(), &s.verify); err != nil {
		return nil, err
	}
	return secure, nil
}

// isPlain reports whether a handshake failed as it does with a server without TLS, which
// hangs up or answers without TLS.
func isPlain(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, new(tls.RecordHeaderError))
}

// DialContext returns a connection that asks the guard about each command. It uses TLS
// if the address asks for it.
func (g *guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if err := g.hosts.admit(address); err != nil {
		return nil, err
	}
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if g.security == nil {
		return &guarded{Conn: conn, guard: g}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	secure, err := g.security.client(ctx, conn, address)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &guarded{Conn: secure, guard: g}, nil
}

// A guarded connection writes nothing after a refused command. Between two writes it reads at
// most maxReply bytes, because a driver gets one reply to each request. It refuses compressed
// messages, and checks the replies to handshakes.
type guarded struct {
	net.Conn
	guard *guard
	read  atomic.Int64
	shake atomic.Bool // the last message written is a handshake
	reply messages    // used only by the reader
}

// maxReply is the largest reply, in bytes: a message has 48,000,000 at most (mongodb/mongo:
// src/mongo/rpc/message.h, MaxMessageSizeBytes).
const maxReply = 49 << 20

var errLongReply = refusal(fmt.Sprintf("the server's reply is longer than %d MiB", maxReply>>20))

func (c *guarded) Write(b []byte) (int, error) {
	if err := c.guard.refused.Load(); err != nil {
		return 0, *err
	}
	c.read.Store(0)
	c.shake.Store(isHandshake(b))
	return c.Conn.Write(b)
}

func (c *guarded) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	refused := c.reply.check(b[:n], c.shake.Load())
	if c.read.Add(int64(n)) > maxReply {
		refused = errLongReply
	}
	if refused != nil {
		c.Conn.Close()
		return 0, refused
	}
	return n, err
}

// messages find where each message of a server begins and ends. Its bytes may arrive in pieces
// of any size.
type messages struct {
	header []byte // the header of the current message, as far as received
	rest   int    // bytes of the current message behind its header
	shake  bool   // the current message is a reply to a handshake
	body   []byte // the body of such a reply, as far as received
}

const (
	// headerBytes is the length of a header, which holds the message's length, two
	// numbers, and the message's kind.
	headerBytes = 16
	// lengthBytes is the size of the length field in the header. A driver allocates as many
	// bytes as the field says.
	lengthBytes = 4
)

// errCompressed is the error about a compressed message to a client without compressors. A
// driver would nevertheless decompress it, to any size.
const errCompressed refusal = "the server sent a compressed message without agreement"

// check follows the messages. It returns an error for the first message that is not
// allowed. If shake is true, messages that begin in b are replies to a handshake.
func (m *messages) check(b []byte, shake bool) error {
	for len(b) > 0 {
		if m.rest > 0 {
			n := min(m.rest, len(b))
			if m.shake {
				m.body = append(m.body, b[:n]...)
			}
			m.rest -= n
			b = b[n:]
			if m.rest > 0 {
				return nil
			}
			if err := m.end(); err != nil {
				return err
			}
			continue
		}
		n := min(headerBytes-len(m.header), len(b))
		m.header = append(m.header, b[:n]...)
		b = b[n:]
		if len(m.header) >= lengthBytes {
			if err := m.checkLength(shake); err != nil {
				return err
			}
		}
		if len(m.header) == headerBytes {
			if m.code() == wiremessage.OpCompressed {
				return errCompressed
			}
			m.rest, m.shake = m.length()-headerBytes, shake
			if m.rest == 0 {
				if err := m.end(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// length returns the length of the current message, with its header.
func (m *messages) length() int { return int(int32(binary.LittleEndian.Uint32(m.header))) }

// code returns the kind of the current message.
func (m *messages) code() wiremessage.OpCode {
	return wiremessage.OpCode(binary.LittleEndian.Uint32(m.header[headerBytes-4:]))
}

func (m *messages) checkLength(shake bool) error {
	switch n := m.length(); {
	case n < headerBytes:
		return refusal(fmt.Sprintf("the server sent a message of %d bytes, shorter than a header", n))
	case n > maxReply:
		return errLongReply
	case shake && n > maxHandshake:
		return refusal(fmt.Sprintf("the server's reply to a handshake is longer than %d MiB", maxHandshake>>20))
	}
	return nil
}

// end checks the message that ends here, and begins the next.
func (m *messages) end() (err error) {
	if m.shake {
		err = checkHandshake(m.code(), m.body)
	}
	*m = messages{header: m.header[:0]}
	return err
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
