package wirettl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A command is a client's request: the fields of the body in order, whose first names the
// command, and the documents sent beside the body.
type command struct {
	policy.D
	sequences map[string][]policy.BSON
	database  string
	ns        string // the collection's full name, in commands about a collection
}

// handlers holds the functions that carry out commands, by the name of the command in
// lower case. inCollection holds the functions for commands about one collection.
var (
	handlers = map[string]func(*server, command) (policy.D, error){
		"hello": (*server).hello, "ismaster": (*server).hello, "ping": nothing, "endsessions": nothing,
		"buildinfo": (*server).buildInfo, "serverstatus": (*server).serverStatus,
		"getparameter": (*server).getParameter, "setparameter": (*server).setParameter,
		"listdatabases": (*server).listDatabases, "listcollections": (*server).listCollections, "dropdatabase": (*server).dropDatabase,
		"getmore": (*server).getMore,
	}
	inCollection = map[string]func(*server, command) (policy.D, error){
		"create": (*server).create, "createindexes": (*server).createIndexes, "collmod": (*server).collMod,
		"listindexes": (*server).listIndexes, "dropindexes": (*server).dropIndexes, "drop": (*server).drop,
		"insert": (*server).insert, "update": (*server).update, "delete": (*server).delete,
		"find": (*server).find, "killcursors": (*server).killCursors, "count": (*server).count, "aggregate": (*server).aggregate,
	}
)

func nothing(*server, command) (policy.D, error) { return nil, nil }

// run carries out a request, and returns the reply; an error is a reply too.
func (s *server) run(q request) policy.D {
	reply, err := s.dispatch(command{D: policy.DOf(q.body.Value()), sequences: q.sequences})
	if err == nil {
		return append(reply, field("ok", 1.0))
	}
	f := s.failureOf(err)
	return append(document("ok", 0.0, "errmsg", f.reason, "code", int32(f.code)), field("codeName", s.codeName(f.code)))
}

func (s *server) dispatch(c command) (reply policy.D, err error) {
	if len(c.D) == 0 {
		return nil, failed(commandNotFound, "no command")
	}
	for i, e := range c.D {
		if slices.ContainsFunc(c.D[:i], func(before policy.E) bool { return before.Key == e.Key }) {
			return nil, failed(duplicateField, "BSON field '%s.%s' is a duplicate field", c.D[0].Key, e.Key)
		}
	}
	c.database, _ = c.Field("$db").AsString()
	name := strings.ToLower(c.D[0].Key)
	handle := handlers[name]
	if other := inCollection[name]; other != nil {
		collection, _ := c.D[0].Value.AsString()
		if handle = other; collection == "" {
			return nil, failed(codes.InvalidNamespace, "collection name has invalid type or is empty")
		}
		c.ns = c.database + "." + collection
	}
	if handle == nil {
		return nil, failed(commandNotFound, "no such command: '%s'", c.D[0].Key)
	}
	reply, err = handle(s, c)
	s.log.Debug("command", "name", name, "database", c.database, "ns", c.ns, "error", err)
	return reply, err
}

// arguments returns the fields after the first, without those that today's drivers add to
// every command and old releases do not know.
func (c command) arguments() policy.D {
	return slices.DeleteFunc(slices.Clone(c.D[1:]), func(e policy.E) bool { return e.Key == "lsid" || strings.HasPrefix(e.Key, "$") })
}

// list returns the documents of an argument, which are in the body or in a section beside
// it.
func (c command) list(name string) (all []policy.Value, err error) {
	for _, d := range c.sequences[name] {
		all = append(all, d.Value())
	}
	for e := c.Field(name).Elements(); e.Next(); {
		if e.Value().Kind() != policy.Object {
			return nil, failed(codes.TypeMismatch, "%s must hold objects, not %s", name, e.Value().Kind())
		}
		all = append(all, e.Value())
	}
	return all, nil
}

// number returns a numeric argument; other if it is missing.
func (c command) number(name string, other int64) (int64, error) {
	v := c.Field(name)
	n, ok := whole(v)
	switch {
	case v.IsMissingOrNull():
		return other, nil
	case !ok || n < 0:
		return 0, failed(codes.BadValue, "%s must be a number of 0 or more", name)
	}
	return n, nil
}

// whole returns a number that a client sends, without its fraction. It reports false for
// a decimal, for a double that is NaN or of 2^53 and more, and for a value that is no
// number.
func whole(v policy.Value) (int64, bool) {
	if f, ok := v.AsDouble(); ok && math.Abs(f) < 1<<53 {
		return int64(f), true
	}
	return v.AsInt64()
}

// harmless are arguments without which a command has the same result here.
var harmless = []string{"allowPartialResults", "batchSize", "comment", "hint", "maxTimeMS", "noCursorTimeout", "readConcern", "singleBatch"}

// A command with an argument that is neither in names nor in harmless gets an error,
// because the result would be wrong if the server ignored the argument.
func (c command) only(names ...string) error {
	for _, e := range c.arguments() {
		if !slices.Contains(harmless, e.Key) && !slices.Contains(names, e.Key) {
			return failed(notImplemented, "%s is not implemented", e.Key)
		}
	}
	return nil
}

// The codes of errors other than the refusals of TTL definitions (mongodb/mongo:
// src/mongo/base/error_codes.yml).
const (
	internalError     mongo.ErrorCode = 1
	namespaceNotFound mongo.ErrorCode = 26
	cursorNotFound    mongo.ErrorCode = 43
	namespaceExists   mongo.ErrorCode = 48
	invalidIDField    mongo.ErrorCode = 53
	immutableField    mongo.ErrorCode = 66
	commandNotFound   mongo.ErrorCode = 59
	notImplemented    mongo.ErrorCode = 238
	duplicateKey      mongo.ErrorCode = 11000
	duplicateField    mongo.ErrorCode = 40413
)

// codeNames are the names of error codes that the library has no rule about.
var codeNames = map[mongo.ErrorCode]string{
	internalError: "InternalError", namespaceNotFound: "NamespaceNotFound", cursorNotFound: "CursorNotFound",
	namespaceExists: "NamespaceExists", invalidIDField: "InvalidIdField", immutableField: "ImmutableField", commandNotFound: "CommandNotFound",
	notImplemented: "NotImplemented", duplicateKey: "DuplicateKey",
}

func (s *server) codeName(c mongo.ErrorCode) string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	if name := s.store.Profile().CodeName(c); name != "" {
		return name
	}
	return codes.Name(int32(c)) // the name that the release sends is unspecified
}

// A failure is an error with the code that the client gets.
type failure struct {
	code   mongo.ErrorCode
	reason string
}

func (f failure) Error() string { return f.reason }

func failed(code mongo.ErrorCode, format string, args ...any) error {
	return failure{code, fmt.Sprintf(format, args...)}
}

// codeOf holds the codes that this server sends for errors without a code of their own. A
// definition whose outcome is unspecified gets NotImplemented.
var codeOf = map[error]mongo.ErrorCode{
	policy.ErrUnspecified:       notImplemented,
	boltttl.ErrNoCollection:     namespaceNotFound,
	boltttl.ErrCollectionExists: namespaceExists,
	boltttl.ErrNoIndex:          codes.IndexNotFound,
	boltttl.ErrIsView:           codes.CommandNotSupportedOnView,
	boltttl.ErrDuplicate:        duplicateKey,
	boltttl.ErrBadID:            invalidIDField,
}

// failureOf returns the reply to a client about an error.
func (s *server) failureOf(err error) failure {
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	if refusal, ok := errors.AsType[*mongo.SpecError](err); ok && refusal.Code != 0 {
		return failure{refusal.Code, refusal.Reason}
	}
	for known, code := range codeOf {
		if errors.Is(err, known) {
			return failure{code, err.Error()}
		}
	}
	s.log.Error("command failed", "error", err)
	return failure{internalError, err.Error()}
}

// document returns the fields that pairs lists, as names and values in turn.
func document(pairs ...any) (d policy.D) {
	for i := 0; i < len(pairs); i += 2 {
		d = append(d, field(pairs[i].(string), pairs[i+1]))
	}
	return d
}

func field(name string, v any) policy.E { return policy.E{Key: name, Value: valueOf(v)} }

// valueOf returns the value of one of the Go types that replies are made of.
func valueOf(v any) policy.Value {
	switch v := v.(type) {
	case policy.Value:
		return v
	case policy.D:
		return policy.ObjectValue(v)
	case []policy.Value:
		return policy.ListValue(policy.A(v))
	case string:
		return policy.StringValue(v)
	case bool:
		return policy.BoolValue(v)
	case int: // a length or a constant, which fits an int32
		return policy.Int32Value(int32(v))
	case int32:
		return policy.Int32Value(v)
	case int64:
		return policy.Int64Value(v)
	case float64:
		return policy.DoubleValue(v)
	case time.Time:
		return policy.DateValue(policy.InstantOf(v))
	}
	panic(fmt.Sprintf("wirettl: a reply cannot hold a %T", v)) // a mistake of this package, which any call shows
}

// withoutMissing leaves out the fields that are Missing.
func withoutMissing(d policy.D) policy.D {
	return slices.DeleteFunc(d, func(e policy.E) bool { return e.Value.IsMissing() })
}
