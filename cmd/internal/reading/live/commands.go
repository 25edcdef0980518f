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

// Read are the commands that reading needs. None of them changes anything: an
// aggregate whose stages are others than those of readStages is refused, and what is
// explained is a find.
var Read = Commands{
	// What the driver does by itself: connecting, and ending.
	"hello", "isMaster", "ismaster", "saslStart", "saslContinue", "authenticate", "endSessions", "killCursors",
	// What the server is, and what is in it.
	"buildInfo", "getParameter", "serverStatus", "listDatabases", "listCollections", "listIndexes", "count",
	// Documents.
	"find", "aggregate", "getMore", "explain",
}

// readStages are the stages of an aggregate that only reads.
var readStages = []string{"$sample", "$match", "$project", "$group", "$collStats"}

// writes reports whether some of them need a primary.
func (c Commands) writes() bool { return slices.Contains(c, "insert") }

// check returns why a command may not be sent, nil if it may. An aggregate may have any
// stages where inserting is allowed too.
func (c Commands) check(name string, command bson.Raw) error {
	if !slices.Contains(c, name) {
		return fmt.Errorf("the command %s is not on the list of what may be sent", name)
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
			return fmt.Errorf("an aggregate with the stage %s may not be sent", s)
		}
	}
	return nil
}

// checkExplained returns why what a command explains may not be sent: a server might run
// it.
func checkExplained(command bson.Raw) error {
	inner, _ := command.Lookup("explain").DocumentOK()
	if first, err := inner.IndexErr(0); err != nil || first.Key() != "find" {
		return errors.New("an explain of anything but a find may not be sent")
	}
	return nil
}

// A guard keeps a client to its commands. The driver shows it each command before it
// writes it; after one that is not allowed the guard's connections write nothing more.
type guard struct {
	commands Commands
	security *security // of the connections; nil for none
	refused  atomic.Pointer[error]
	record   func(name string, command bson.Raw) // for tests; nil for none
}

// monitor returns what the driver calls.
func (g *guard) monitor() *event.CommandMonitor {
	return &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		if g.record != nil {
			g.record(e.CommandName, e.Command)
		}
		if err := g.commands.check(e.CommandName, e.Command); err != nil {
			g.refused.CompareAndSwap(nil, &err)
		}
	}}
}
