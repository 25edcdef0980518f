package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

const (
	// connectTimeout limits finding and connecting to a server.
	connectTimeout = 10 * time.Second
	// commandTimeout limits a command about the server or a collection, at the client and
	// at the server.
	commandTimeout = 30 * time.Second
	// replyTimeout limits the wait for a batch of documents.
	replyTimeout = 2 * time.Minute
	// closeTimeout limits ending sessions and cursors.
	closeTimeout = 2 * time.Second
)

// A Client is a connection to a server. It sends only commands from its list. After it has
// refused another command it sends nothing more.
type Client struct {
	Address Address
	client  *driver.Client
	guard   *guard
	reading *readpref.ReadPref
	info    bson.Raw // the server's buildInfo
}

// Dial connects to a server, and waits until one is available. The defaults for the URI
// suit reading beside other work: secondaryPreferred, and the application name ttl, which
// the server's log shows. A client that inserts always uses the primary. An address of one
// host without a replica set means that host alone: hosts that a server names get no
// connection and no password. Compressors are left out, so that a server that follows the
// protocol sends no compressed reply.
func Dial(ctx context.Context, a Address, may Commands) (*Client, error) {
	return dial(ctx, a, &guard{commands: may})
}

func dial(ctx context.Context, a Address, g *guard) (*Client, error) {
	o := options.Client().ApplyURI(a.uri)
	if o.AppName == nil {
		o.SetAppName("ttl")
	}
	switch {
	case g.commands.writes():
		o.SetReadPreference(readpref.Primary())
	case o.ReadPreference == nil:
		o.SetReadPreference(readpref.SecondaryPreferred())
	}
	if o.ServerSelectionTimeout == nil {
		o.SetServerSelectionTimeout(connectTimeout)
	}
	if o.ConnectTimeout == nil {
		o.SetConnectTimeout(connectTimeout)
	}
	if isOneHost(o) {
		o.SetDirect(true)
	}
	if tellsSecret(o) {
		return nil, a.failed(fmt.Errorf("authMechanism=%s sends the secret unencrypted, and this address does not ask for TLS; add tls=true", o.Auth.AuthMechanism))
	}
	g.hosts.most = len(o.Hosts) + maxHosts
	g.isTLS = o.TLSConfig != nil
	o.SetMonitor(g.monitor()).SetServerMonitor(g.serverMonitor()).SetDialer(g).SetCompressors(nil)
	client, err := driver.Connect(o)
	if err != nil {
		return nil, a.failed(err)
	}
	c := &Client{Address: a, client: client, guard: g, reading: o.ReadPreference}
	if c.info, err = c.Run(ctx, "admin", bson.D{{Key: "buildInfo", Value: 1}}); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// isOneHost reports whether options name exactly one host, no replica set and no load
// balancer, and do not set directConnection.
func isOneHost(o *options.ClientOptions) bool {
	balanced := o.LoadBalanced != nil && *o.LoadBalanced
	return len(o.Hosts) == 1 && o.Direct == nil && o.ReplicaSet == nil && !balanced && !strings.HasPrefix(o.GetURI(), "mongodb+srv://")
}

// tellsSecret reports whether options let anybody on the network read the secret that
// proves the user's identity: the mechanism sends it unencrypted, there is no TLS, and
// the client may connect to other machines than this one. Other mechanisms do not send
// the password.
func tellsSecret(o *options.ClientOptions) bool {
	if o.Auth == nil || o.TLSConfig != nil || !slices.Contains([]string{"PLAIN", "MONGODB-AWS", "MONGODB-OIDC"}, strings.ToUpper(o.Auth.AuthMechanism)) {
		return false
	}
	isAlone := o.Direct != nil && *o.Direct && len(o.Hosts) == 1
	if !isAlone {
		return true
	}
	host, _, err := net.SplitHostPort(o.Hosts[0])
	if err != nil {
		host = strings.Trim(o.Hosts[0], "[]")
	}
	return !isLocal(host)
}

// Close ends the sessions, and closes the connections. It waits for closeTimeout at most: the
// driver's Disconnect waits for a connection that hashes a password, as often as a server has
// asked for, and heeds no context meanwhile.
func (c *Client) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	go func() {
		defer cancel()
		_ = c.client.Disconnect(ctx) // there is nobody to tell
	}()
	<-ctx.Done()
}

// Run sends a command with a time limit for the client and the server, and returns the
// reply. The driver derives maxTimeMS from the context's deadline. A command with its own
// maxTimeMS keeps its value.
func (c *Client) Run(ctx context.Context, database string, command bson.D) (bson.Raw, error) {
	if refused := c.guard.refused.Load(); refused != nil {
		return nil, c.failed(*refused)
	}
	limited := context.WithTimeout
	if slices.ContainsFunc(command, func(e bson.E) bool { return e.Key == "maxTimeMS" }) {
		limited = within
	}
	ctx, cancel := limited(ctx, commandTimeout)
	defer cancel()
	reply, err := c.client.Database(database).RunCommand(ctx, command, options.RunCmd().SetReadPreference(c.reading)).Raw()
	return reply, c.failed(err)
}

// failed returns err with the server's name and a remedy if one is known. It prefers the
// guard's refusal.
func (c *Client) failed(err error) error {
	if refused := c.guard.refused.Load(); err != nil && refused != nil {
		err = *refused
	}
	if err == nil || errors.Is(err, context.Canceled) || tooOld.MatchString(err.Error()) {
		return c.Address.failed(err)
	}
	_, why, isUnreachable := strings.Cut(err.Error(), "server selection error: ") // the error has no public type
	if !isUnreachable {
		return c.Address.failed(err)
	}
	hint := ""
	if c.guard.isTLS && noTLS.MatchString(why) {
		hint = "; if the server does not speak TLS, leave tls=true out, or with mongodb+srv:// add tls=false"
	}
	return fmt.Errorf("%s: no server is available: %w%s", c.Address.Name, c.Address.clipped(errors.New(why)), hint)
}

// noTLS matches the driver's error about a server that hangs up or answers without TLS.
var noTLS = regexp.MustCompile(`EOF|connection reset|first record does not look like a TLS handshake`)

// failed returns err, an error of the driver, with the server's name, without secrets,
// and with a remedy if one is known.
func (a Address) failed(err error) error {
	var refused refusal
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &refused):
		return fmt.Errorf("%s: %w", a.Name, a.clipped(refused))
	case isCode(err, authenticationFailed):
		return fmt.Errorf("%s: %w; if another database holds the user, name it: ?authSource=admin", a.Name, a.clipped(err))
	}
	if oldest := tooOld.FindStringSubmatch(err.Error()); oldest != nil {
		return fmt.Errorf("%s: this server is older than MongoDB %s, the oldest release that the driver in this tool supports; give a dump made by mongodump instead", a.Name, oldest[1])
	}
	return fmt.Errorf("%s: %w", a.Name, a.clipped(err))
}

// maxText is the number of characters of a server's text that an error quotes.
const maxText = 1000

// clipped returns err without secrets, and with its text cut.
func (a Address) clipped(err error) error {
	text := a.scrub(err.Error())
	if len(text) > maxText {
		text = cli.Clip(syntax.Clip(text, utf8.UTFMax*maxText), maxText)
	}
	if text == err.Error() {
		return err
	}
	return scrubbed{err, text}
}

// tooOld is the driver's message about a server that is too old, and finds the oldest release
// that the driver supports. The error has no type of its own.
var tooOld = regexp.MustCompile(`reports wire version \d+, but this version of the Go driver requires at least \d+ \(MongoDB ([\d.]+)\)`)

// Codes of the server's errors (mongodb/mongo: src/mongo/base/error_codes.yml).
const (
	unauthorized         = 13
	authenticationFailed = 18
	namespaceNotFound    = 26
	commandNotFound      = 59
)

func isCode(err error, codes ...int) bool {
	var server driver.ServerError
	return errors.As(err, &server) && slices.ContainsFunc(codes, server.HasErrorCode)
}
