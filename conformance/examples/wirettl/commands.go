package wirettl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The codes of this package's own errors (mongodb/mongo: src/mongo/base/error_codes.yml).
const (
	internalError      mongo.ErrorCode = 1
	badValue           mongo.ErrorCode = 2
	typeMismatch       mongo.ErrorCode = 14
	namespaceNotFound  mongo.ErrorCode = 26
	indexNotFound      mongo.ErrorCode = 27
	cursorNotFound     mongo.ErrorCode = 43
	namespaceExists    mongo.ErrorCode = 48
	invalidIDField     mongo.ErrorCode = 53
	commandNotFound    mongo.ErrorCode = 59
	invalidOptions     mongo.ErrorCode = 72
	invalidNamespace   mongo.ErrorCode = 73
	notSupportedOnView mongo.ErrorCode = 166
	notImplemented     mongo.ErrorCode = 238
	duplicateKey       mongo.ErrorCode = 11000
)

// codeNames are those that the library has no rule about.
var codeNames = map[mongo.ErrorCode]string{
	internalError: "InternalError", namespaceNotFound: "NamespaceNotFound", cursorNotFound: "CursorNotFound",
	namespaceExists: "NamespaceExists", invalidIDField: "InvalidIdField", commandNotFound: "CommandNotFound",
	notImplemented: "NotImplemented", duplicateKey: "DuplicateKey",
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

// A command is what a client wants, with the fields of the body in order: the first
// names the command, and often the collection.
type command struct {
	policy.D
	sequences map[string][]policy.BSON
}

func (c command) name() string { return c.D[0].Key }

// arguments returns the fields without the first.
func (c command) arguments() policy.D { return c.D[1:] }

func (c command) database() string { name, _ := c.Field("$db").AsString(); return name }

// namespace returns the collection's full name.
func (c command) namespace() (string, error) {
	name, ok := c.D[0].Value.AsString()
	if !ok || name == "" || strings.ContainsRune(name, 0) {
		return "", failed(invalidNamespace, "collection name has invalid type or is empty")
	}
	return c.database() + "." + name, nil
}

// list returns the documents of an argument, which may stand in the body or beside it.
func (c command) list(name string) (all []policy.Value, err error) {
	for _, d := range c.sequences[name] {
		all = append(all, d.Value())
	}
	for e := c.Field(name).Elements(); e.Next(); {
		all = append(all, e.Value())
	}
	for _, v := range all {
		if v.Kind() != policy.Object {
			return nil, failed(typeMismatch, "BSON field '%s.%s' holds a %s, expected objects", c.name(), name, v.Kind())
		}
	}
	return all, nil
}

// isSet tells whether a flag is true, or a number that is not 0.
func (c command) isSet(name string) bool {
	v := c.Field(name)
	b, _ := v.AsBool()
	n, _ := mongo.WholeSeconds(v)
	return b || n != 0
}

// number returns an argument that counts something, and other if there is none.
func (c command) number(name string, other int64) (int64, error) {
	v := c.Field(name)
	n, ok := mongo.WholeSeconds(v)
	switch {
	case v.IsAbsent():
		return other, nil
	case !ok || n < 0:
		return 0, failed(badValue, "BSON field '%s.%s' must be a number of 0 or more", c.name(), name)
	}
	return n, nil
}

// harmless are arguments that change nothing about the result of a command here.
var harmless = []string{
	"allowDiskUse", "allowPartialResults", "apiDeprecationErrors", "apiStrict", "apiVersion", "batchSize", "bypassDocumentValidation",
	"comment", "cursor", "hint", "lsid", "maxTimeMS", "noCursorTimeout", "ordered", "readConcern", "singleBatch", "writeConcern",
}

// only refuses a command with an argument beside those that are known here: its result
// would be another than the client wants.
func (c command) only(names ...string) error {
	for _, e := range c.arguments() {
		if !slices.Contains(harmless, e.Key) && !strings.HasPrefix(e.Key, "$") && !slices.Contains(names, e.Key) {
			return failed(notImplemented, "%s with %s is not implemented", c.name(), e.Key)
		}
	}
	return nil
}

// run carries out a request. Whatever goes wrong is a reply as well.
func (s *server) run(q request) policy.D {
	c := command{policy.DOf(q.body.Value()), q.sequences}
	if len(c.D) == 0 {
		return s.failureReply(failed(commandNotFound, "no command"))
	}
	reply, err := s.dispatch(c)
	s.log.Debug("command", "name", c.name(), "database", c.database(), "error", err)
	if err != nil {
		return s.failureReply(err)
	}
	return append(reply, field("ok", 1.0))
}

func (s *server) dispatch(c command) (policy.D, error) {
	handler, ok := handlers[strings.ToLower(c.name())]
	if !ok {
		return nil, failed(commandNotFound, "no such command: '%s'", c.name())
	}
	return handler(s, c)
}

// failureReply returns the reply to a command that failed.
func (s *server) failureReply(err error) policy.D {
	f := s.failureOf(err)
	d := document("ok", 0.0, "errmsg", f.reason, "code", int32(f.code))
	if name := s.codeName(f.code); name != "" {
		d = append(d, field("codeName", name))
	}
	return d
}

func (s *server) codeName(c mongo.ErrorCode) string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return s.profile.CodeName(c)
}

// failureOf returns what a client is told about an error. Where the library says that
// no source settles what a server does, it is said in its words, as not implemented.
func (s *server) failureOf(err error) failure {
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	if refusal, ok := errors.AsType[*mongo.SpecError](err); ok && refusal.Code != 0 {
		return failure{refusal.Code, refusal.Reason}
	}
	for known, code := range map[error]mongo.ErrorCode{
		policy.ErrUnspecified:       notImplemented,
		indexNotFound:               indexNotFound,
		notSupportedOnView:          notSupportedOnView,
		boltttl.ErrNoCollection:     namespaceNotFound,
		boltttl.ErrCollectionExists: namespaceExists,
		boltttl.ErrDuplicate:        duplicateKey,
		boltttl.ErrBadID:            invalidIDField,
	} {
		if errors.Is(err, known) {
			return failure{code, err.Error()}
		}
	}
	s.log.Error("command failed", "error", err)
	return failure{internalError, err.Error()}
}
