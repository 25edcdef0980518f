package live

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
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
	if name == "explain" {
		return checkExplained(command)
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

// checkExplained returns an error if the explained command must not be sent, because a
// server might run it.
func checkExplained(command bson.Raw) error {
	inner, _ := command.Lookup("explain").DocumentOK()
	if first, err := inner.IndexErr(0); err != nil || first.Key() != "find" {
		return errors.New("an explain of a command other than find must not be sent")
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

	mu   sync.Mutex
	seen map[string]string // each server's last failure, or the kind of server that it is
}

// refuse makes err the reason for which nothing more is sent, if it is the first.
func (g *guard) refuse(err error) { g.refused.CompareAndSwap(nil, &err) }

// monitor returns the monitor that the driver calls.
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

// serverMonitor returns a monitor that notes why servers cannot be reached, and that refuses
// a server that names more hosts than a replica set has.
func (g *guard) serverMonitor() *event.ServerMonitor {
	return &event.ServerMonitor{
		ServerHeartbeatFailed: func(e *event.ServerHeartbeatFailedEvent) {
			address, _, _ := strings.Cut(e.ConnectionID, "[") // the number of the connection follows
			g.note(address, g.reason(address, e.Failure))
		},
		ServerHeartbeatSucceeded: func(e *event.ServerHeartbeatSucceededEvent) { // before the driver connects to the hosts
			d := e.Reply
			if len(d.Hosts)+len(d.Passives)+len(d.Arbiters) > maxHosts {
				g.refuse(refusal(fmt.Sprintf("the server names more than %d hosts, the most that a replica set has", maxHosts)))
			}
			address, _, _ := strings.Cut(e.ConnectionID, "[")
			if d.Kind == "Unknown" {
				g.note(address, address+" answers hello in a way that the driver does not understand")
				return
			}
			g.note(address, fmt.Sprintf("%s is %s", address, d.Kind))
		},
	}
}

// reason says why a server could not be asked.
func (g *guard) reason(address string, err error) string {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return address + ": " + refused.Error()
	case g.isTLS && isPlain(err):
		return fmt.Sprintf("the server at %s does not speak TLS (%s); leave tls=true out, or with mongodb+srv:// add tls=false", address, err)
	}
	return syntax.Clip(err.Error(), utf8.UTFMax*maxText)
}

// isPlain reports whether a handshake failed as it does with a server without TLS, which
// hangs up or answers without TLS.
func isPlain(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, new(tls.RecordHeaderError))
}

// note keeps the last news of a server. A server that is asked again and again keeps one.
func (g *guard) note(address, text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == nil {
		g.seen = map[string]string{}
	}
	if len(g.seen) < maxReasons || g.seen[address] != "" {
		g.seen[address] = text
	}
}

// maxReasons is the number of servers whose news are kept.
const maxReasons = 2 * maxHosts

// whyNot returns a reason for each server that the driver could not choose.
func (g *guard) whyNot() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.seen) == 0 {
		return "no answer in time"
	}
	var reasons []string
	for _, address := range slices.Sorted(maps.Keys(g.seen)) {
		reasons = append(reasons, g.seen[address])
	}
	return strings.Join(reasons, "; ")
}
