package wirettl

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/wire"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A request is a command of a client: the fields of the body in order, whose first names the
// command, and the documents sent beside the body.
type request struct {
	policy.D
	sequences map[string]policy.A
	database  string
	ns        string // the collection's full name, in commands about a collection
}

// parse checks the documents of a message.
func parse(q wire.Request) (request, error) {
	body, err := policy.ParseBSON(q.Body)
	if err != nil {
		return request{}, err
	}
	c := request{D: policy.DOf(body.Value()), sequences: map[string]policy.A{}}
	for name, documents := range q.Sequences {
		for _, raw := range documents {
			d, err := policy.ParseBSON(raw)
			if err != nil {
				return c, err
			}
			c.sequences[name] = append(c.sequences[name], d.Value())
		}
	}
	return c, nil
}

// handlers holds the functions that carry out commands, by the name of the command in
// lower case. inCollection holds the functions for commands about one collection.
var (
	handlers = map[string]func(*server, request) (policy.D, error){
		"hello": (*server).hello, "ismaster": (*server).hello, "ping": nothing, "endsessions": nothing,
		"buildinfo": (*server).buildInfo, "serverstatus": (*server).serverStatus,
		"getparameter": (*server).getParameter, "setparameter": (*server).setParameter,
		"listdatabases": (*server).listDatabases, "listcollections": (*server).listCollections, "dropdatabase": (*server).dropDatabase,
		"getmore": (*server).getMore,
	}
	inCollection = map[string]func(*server, request) (policy.D, error){
		"create": (*server).create, "createindexes": (*server).createIndexes, "collmod": (*server).collMod,
		"listindexes": (*server).listIndexes, "dropindexes": (*server).dropIndexes, "drop": (*server).drop,
		"insert": (*server).insert, "update": (*server).update, "delete": (*server).delete,
		"find": (*server).find, "killcursors": (*server).killCursors, "count": (*server).count, "aggregate": (*server).aggregate,
	}
)

func nothing(*server, request) (policy.D, error) { return nil, nil }

// run carries out a request, and returns the reply; an error is a reply too.
func (s *server) run(c request) policy.D {
	reply, err := s.dispatch(c)
	if err == nil {
		return append(reply, field("ok", 1.0))
	}
	code, reason := refusalOf(err)
	return append(document("ok", 0.0, "errmsg", reason, "code", int32(code)), field("codeName", s.codeName(code)))
}

func (s *server) dispatch(c request) (reply policy.D, err error) {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	reply, err = handle(s, c)
	s.Log.Debug("command", "name", name, "database", c.database, "ns", c.ns, "error", err)
	return reply, err
}

// arguments returns the fields after the first, without those that today's drivers add to
// every command and old releases do not know.
func (c request) arguments() policy.D {
	return slices.DeleteFunc(slices.Clone(c.D[1:]), func(e policy.E) bool { return e.Key == "lsid" || strings.HasPrefix(e.Key, "$") })
}

// list returns the documents of an argument, which are in the body or in a section beside
// it.
func (c request) list(name string) (policy.A, error) {
	all := append(slices.Clone(c.sequences[name]), policy.AOf(c.Field(name))...)
	for _, v := range all {
		if v.Kind() != policy.Object {
			return nil, failed(codes.TypeMismatch, "%s must hold objects, not %s", name, v.Kind())
		}
	}
	return all, nil
}

// number returns a numeric argument; other if it is missing.
func (c request) number(name string, other int64) (int64, error) {
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
func (c request) only(names ...string) error {
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
	internalError     int32 = 1
	namespaceNotFound int32 = 26
	cursorNotFound    int32 = 43
	invalidIDField    int32 = 53
	immutableField    int32 = 66
	commandNotFound   int32 = 59
	notImplemented    int32 = 238
	duplicateKey      int32 = 11000
	ambiguousField    int32 = 16746
	duplicateField    int32 = 40413
)

// codeNames are the names of error codes that the library has no rule about.
var codeNames = map[int32]string{
	internalError: "InternalError", namespaceNotFound: "NamespaceNotFound", cursorNotFound: "CursorNotFound",
	codes.NamespaceExists: "NamespaceExists", invalidIDField: "InvalidIdField", immutableField: "ImmutableField", commandNotFound: "CommandNotFound",
	notImplemented: "NotImplemented", duplicateKey: "DuplicateKey",
}

func (s *server) codeName(c int32) string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	if name := mongofunc.F.CodeName(s.profile, c); name != "" {
		return name
	}
	return codes.Name(c) // the name that the release sends is unspecified
}

// failed returns an error for the client.
func failed(code int32, format string, args ...any) error {
	return &mongo.SpecError{Code: code, Reason: fmt.Sprintf(format, args...)}
}

// refusalOf returns the code and the text for the client. A definition whose outcome is
// unspecified gets NotImplemented.
func refusalOf(err error) (int32, string) {
	if refusal, ok := errors.AsType[*mongo.SpecError](err); ok && refusal.Code != 0 {
		return refusal.Code, refusal.Reason
	}
	if errors.Is(err, policy.ErrUnspecified) {
		return notImplemented, err.Error()
	}
	return internalError, err.Error()
}

// document returns the fields that pairs lists, as names and values in turn.
func document(pairs ...any) (d policy.D) {
	for i := 0; i < len(pairs); i += 2 {
		d = append(d, field(pairs[i].(string), pairs[i+1]))
	}
	return d
}

func field(name string, v any) policy.E { return policy.E{Key: name, Value: valueOf(v)} }

// valueOf returns the value of a Go value of which replies are made.
func valueOf(v any) policy.Value { return policy.Map{"": v}.Field("") }
