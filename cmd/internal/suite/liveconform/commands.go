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

// run sends a command to the database of the run.
func (s *System) run(ctx context.Context, command bson.D) (bson.Raw, error) {
	if !slices.Contains(own, command[0].Key) || !isRun(s.name) {
		return nil, fmt.Errorf("the command %s must not be sent to the database %q", command[0].Key, s.name)
	}
	return s.client.Run(ctx, s.name, command)
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

// rawOf returns a document as BSON.
func rawOf(d policy.D) (bson.Raw, error) { return policy.AppendBSON(nil, policy.ObjectValue(d)) }

// commandOf returns a command with any arguments.
func commandOf(name, collection string, arguments policy.D) (bson.D, error) {
	raw, err := rawOf(arguments)
	if err != nil {
		return nil, err
	}
	elements, err := raw.Elements()
	if err != nil {
		return nil, err
	}
	command := bson.D{{Key: name, Value: collection}}
	for _, e := range elements {
		command = append(command, bson.E{Key: e.Key(), Value: e.Value()})
	}
	return command, nil
}

// valueOf returns a reply of the server as a value.
func valueOf(reply bson.Raw) (policy.Value, error) {
	d, err := policy.ParseBSON(reply)
	if err != nil {
		return policy.Value{}, err
	}
	return d.Value(), nil
}

// list runs a command, and returns the first batch of its cursor, which is the whole
// answer here.
func (s *System) list(ctx context.Context, command bson.D) (all []policy.Value, err error) {
	reply, err := s.run(ctx, command)
	if err != nil {
		return nil, err
	}
	v, err := valueOf(reply)
	if err != nil {
		return nil, err
	}
	batch := v.Field("cursor").Field("firstBatch")
	if batch.Kind() != policy.List { // a missing batch is an error; an empty batch means that everything has expired
		return nil, fmt.Errorf("the server's reply to %s has no list", command[0].Key)
	}
	for e := batch.Elements(); e.Next(); {
		all = append(all, e.Value())
	}
	return all, nil
}
