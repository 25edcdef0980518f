package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"
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

// serverMonitor returns a monitor that refuses a server that names more hosts than a replica
// set has, before the driver connects to the hosts.
func (g *guard) serverMonitor() *event.ServerMonitor {
	return &event.ServerMonitor{ServerHeartbeatSucceeded: func(e *event.ServerHeartbeatSucceededEvent) {
		if d := e.Reply; len(d.Hosts)+len(d.Passives)+len(d.Arbiters) > maxHosts {
			g.refuse(refusal(fmt.Sprintf("the server names more than %d hosts, the most that a replica set has", maxHosts)))
		}
	}}
}
