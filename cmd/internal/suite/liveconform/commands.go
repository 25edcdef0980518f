package liveconform

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Commands holds all commands that a run sends. The commands in own go only to the run's
// own database. The only other command that changes something is setParameter, which sets
// the pause of the monitor.
var Commands = append(live.Commands{
	// Commands that the driver sends by itself to connect and to end.
	"hello", "isMaster", "ismaster", "saslStart", "saslContinue", "authenticate", "endSessions", "killCursors",
	// Commands about the server and its monitor's pause.
	"buildInfo", "getParameter", "serverStatus", "setParameter",
}, own...)

// own are the commands to the database of a run.
var own = []string{"create", "createIndexes", "collMod", "dropIndexes", "insert", "update", "delete", "find", "listIndexes", "listCollections", "drop", "dropDatabase"}

// run sends a command to the database of the run, and returns the reply.
func (s *System) run(ctx context.Context, command bson.D) (reply policy.Value, err error) {
	if !slices.Contains(own, command[0].Key) || !isRun(s.name) {
		return reply, fmt.Errorf("the command %s must not be sent to the database %q", command[0].Key, s.name)
	}
	raw, err := s.client.Run(ctx, s.name, command)
	if err != nil {
		return reply, err
	}
	d, err := policy.ParseBSON(raw)
	return d.Value(), err
}

// Codes of errors that say nothing about TTL (mongodb/mongo:
// src/mongo/base/error_codes.yml).
const (
	unauthorized      = 13
	namespaceNotFound = 26
	maxTimeExpired    = 50
)

// refusalOf returns the server's refusal of a command. It reports false for an error that
// is not a server's answer, for missing rights of the user, and for a command that took
// too long.
func refusalOf(err error) (r conformance.Refusal, ok bool) {
	var refused driver.CommandError
	if !errors.As(err, &refused) || driver.IsNetworkError(err) || refused.Code == unauthorized || refused.Code == maxTimeExpired {
		return r, false
	}
	return conformance.Refusal{Code: int(refused.Code), CodeName: refused.Name, Message: refused.Message}, true
}

// commandOf returns a command with any arguments. The driver marshals a [policy.Value].
func commandOf(name, collection string, arguments policy.D) bson.D {
	command := bson.D{{Key: name, Value: collection}}
	for _, e := range arguments {
		command = append(command, bson.E{Key: e.Key, Value: e.Value})
	}
	return command
}

// list runs a command, and returns the first batch of its cursor, which is the whole
// answer here.
func (s *System) list(ctx context.Context, command bson.D) (policy.A, error) {
	reply, err := s.run(ctx, command)
	batch := reply.Field("cursor").Field("firstBatch")
	if err == nil && batch.Kind() != policy.List { // a missing batch is an error; an empty batch means that everything has expired
		err = fmt.Errorf("the server's reply to %s has no list", command[0].Key)
	}
	return policy.AOf(batch), err
}
