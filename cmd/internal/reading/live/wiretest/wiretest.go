// Package wiretest is a scripted server of MongoDB's protocol for tests. It records the
// commands that it receives.
package wiretest

import (
	"crypto/tls"
	"net"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/wire"
)

// A Command is a command that a client sent.
type Command struct {
	Name string
	Body bson.Raw
}

// Text returns a string of the command, such as "$db".
func (c Command) Text(path ...string) string {
	text, _ := c.Body.Lookup(path...).StringValueOK()
	return text
}

// A Server listens on this machine until the test ends.
type Server struct {
	// Answer returns the reply to a command. A nil reply, or a nil Answer, means that the
	// Server chooses the reply. It answers hello, buildInfo, endSessions and killCursors
	// as a server does, and any other command with the error CommandNotFound.
	Answer func(Command) bson.D
	// Message returns the whole message to send to a request; nil means the reply of
	// Answer.
	Message func(request int32, c Command) []byte

	listener net.Listener
	mu       sync.Mutex
	commands []Command
}

// Start starts a server.
func Start(t testing.TB, answer func(Command) bson.D) *Server {
	t.Helper()
	return start(t, &Server{Answer: answer}, nil)
}

// StartTLS starts a server that uses TLS.
func StartTLS(t testing.TB, config *tls.Config, answer func(Command) bson.D) *Server {
	t.Helper()
	return start(t, &Server{Answer: answer}, config)
}

// StartRaw starts a server whose messages are made by the test.
func StartRaw(t testing.TB, message func(request int32, c Command) []byte) *Server {
	t.Helper()
	return start(t, &Server{Message: message}, nil)
}

// start starts s, with TLS unless config is nil.
func start(t testing.TB, s *Server, config *tls.Config) *Server {
	t.Helper()
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if config != nil {
		s.listener = tls.NewListener(s.listener, config)
	}
	t.Cleanup(func() { s.listener.Close() })
	go s.accept()
	return s
}

// Host returns the host and port, such as 127.0.0.1:40123.
func (s *Server) Host() string { return s.listener.Addr().String() }

// Commands returns the commands received so far, without each hello that Answer has left to
// the Server.
func (s *Server) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Command(nil), s.commands...)
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		go s.serve(conn)
	}
}

func (s *Server) serve(conn net.Conn) {
	defer conn.Close()
	for {
		q, err := wire.Read(conn)
		if err != nil {
			return
		}
		command := Command{Body: bson.Raw(q.Body)}
		first, err := command.Body.IndexErr(0)
		if err != nil || command.Body.Validate() != nil {
			return
		}
		command.Name = first.Key()
		var message []byte
		if s.Message != nil {
			message = s.Message(q.ID, command)
		}
		if message == nil {
			message = q.Reply(marshal(s.answer(command)))
		}
		if _, err := conn.Write(message); err != nil {
			return
		}
	}
}

// answer records a command and returns the reply. As MongoDB does, it refuses a repeated
// field.
func (s *Server) answer(c Command) bson.D {
	if name := repeated(c.Body); name != "" {
		return Error(40413, "IDLDuplicateField", "BSON field '"+c.Name+"."+name+"' is a duplicate field")
	}
	if s.Answer != nil {
		if d := s.Answer(c); d != nil {
			s.record(c)
			return d
		}
	}
	switch c.Name {
	case "hello", "isMaster", "ismaster":
		return bson.D{
			{Key: "ismaster", Value: true}, {Key: "isWritablePrimary", Value: true}, {Key: "helloOk", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20},
			{Key: "maxMessageSizeBytes", Value: 48000000}, {Key: "maxWriteBatchSize", Value: 100000}, {Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21},
			{Key: "logicalSessionTimeoutMinutes", Value: 30}, {Key: "ok", Value: 1},
		}
	case "buildInfo":
		s.record(c)
		return bson.D{{Key: "version", Value: "8.0.4"}, {Key: "ok", Value: 1}}
	case "endSessions", "killCursors":
		s.record(c)
		return bson.D{{Key: "ok", Value: 1}}
	}
	s.record(c)
	return Error(59, "CommandNotFound", "no such command: "+c.Name)
}

func repeated(command bson.Raw) string {
	elements, _ := command.Elements() // the elements have been checked before
	for i, e := range elements {
		for _, before := range elements[:i] {
			if before.Key() == e.Key() {
				return e.Key()
			}
		}
	}
	return ""
}

func (s *Server) record(c Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = append(s.commands, c)
}

// Error returns a server's reply to a command that fails.
func Error(code int, name, text string) bson.D {
	return bson.D{{Key: "ok", Value: 0}, {Key: "errmsg", Value: text}, {Key: "code", Value: code}, {Key: "codeName", Value: name}}
}

// A Collection is a collection in a [Store].
type Collection struct {
	Database, Name string
	Kind           string // "collection", or "timeseries", whose documents are buckets
	Options        bson.Raw
	Indexes        []bson.Raw
	Documents      []bson.Raw
}

// A Store answers the reading commands of a server with collections.
type Store struct {
	Release     string // "8.0.4" if it is empty
	Collections []Collection
	// Denied are commands that this user may not send.
	Denied []string
	// Before, if it is not nil, is called with each command. A result other than nil is the
	// answer.
	Before func(Command) bson.D

	mu      sync.Mutex
	cursors map[int64][]bson.Raw
	found   map[string][]bson.Raw // earlier results of finds, by collection and command
}

// StartStore starts a server that answers for s.
func StartStore(t testing.TB, s *Store) *Server {
	s.cursors, s.found = map[int64][]bson.Raw{}, map[string][]bson.Raw{}
	return Start(t, s.answer)
}

func (s *Store) answer(c Command) bson.D {
	if s.Before != nil {
		if d := s.Before(c); d != nil {
			return d
		}
	}
	if slices.Contains(s.Denied, c.Name) {
		return Error(13, "Unauthorized", "not authorized on "+c.Text("$db")+" to execute command")
	}
	switch c.Name {
	case "buildInfo":
		if s.Release != "" {
			return bson.D{{Key: "version", Value: s.Release}, {Key: "ok", Value: 1}}
		}
	case "getParameter":
		return bson.D{{Key: "ttlMonitorEnabled", Value: true}, {Key: "ttlMonitorSleepSecs", Value: 60}, {Key: "ok", Value: 1}}
	case "serverStatus":
		return bson.D{{Key: "metrics", Value: bson.D{}}, {Key: "ok", Value: 1}}
	case "listDatabases":
		return s.databases()
	case "listCollections":
		return s.collections(c)
	case "listIndexes", "count", "find", "aggregate":
		return s.one(c)
	case "getMore":
		return s.getMore(c)
	}
	return nil
}

func (s *Store) databases() bson.D {
	list := bson.A{}
	for _, c := range s.Collections {
		list = append(list, bson.D{{Key: "name", Value: c.Database}})
	}
	return bson.D{{Key: "databases", Value: list}, {Key: "ok", Value: 1}}
}

func (s *Store) collections(command Command) bson.D {
	var list []bson.Raw
	for _, c := range s.Collections {
		if name := command.Text("filter", "name"); c.Database != command.Text("$db") || name != "" && name != c.Name {
			continue
		}
		options := c.Options
		if options == nil {
			options = marshal(bson.D{})
		}
		list = append(list, marshal(bson.D{{Key: "name", Value: c.Name}, {Key: "type", Value: c.Kind}, {Key: "options", Value: options}}))
	}
	return s.cursor(command, list)
}

func (s *Store) one(command Command) bson.D {
	for _, c := range s.Collections {
		name := command.Text(command.Name)
		if command.Text("$db") != c.Database || name != c.Name && (name != "system.buckets."+c.Name || c.Kind != "timeseries") {
			continue
		}
		switch command.Name {
		case "count":
			return bson.D{{Key: "n", Value: len(c.Documents)}, {Key: "ok", Value: 1}}
		case "listIndexes":
			return s.cursor(command, c.Indexes)
		}
		return s.cursor(command, s.documents(command, c))
	}
	return Error(26, "NamespaceNotFound", "ns does not exist")
}

// documents returns the result of the function found. It computes the result once for
// each command.
func (s *Store) documents(command Command, c Collection) []bson.Raw {
	key := c.Name + command.Body.Lookup("projection").String() + command.Body.Lookup("pipeline").String() + command.Body.Lookup("filter").String()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found[key] == nil {
		s.found[key] = found(command, c.Documents)
	}
	return s.found[key]
}

// found returns the documents that a find or an aggregate returns: the documents with one
// of the identifiers, or the first documents of a sample, projected.
func found(command Command, documents []bson.Raw) (list []bson.Raw) {
	projection, _ := command.Body.Lookup("projection").DocumentOK()
	if command.Name == "aggregate" {
		stages, _ := command.Body.Lookup("pipeline").Array().Values()
		size := stages[0].Document().Lookup("$sample", "size").AsInt64()
		documents = documents[:min(int(size), len(documents))]
		if len(stages) > 1 {
			projection = stages[1].Document().Lookup("$project").Document()
		}
	}
	shown, sizes := map[string]bool{}, []string(nil) // the fields of a projection, and its names for the size
	wanted, _ := projection.Elements()
	for _, w := range wanted {
		switch w.Value().Type {
		case bson.TypeInt32:
			shown[w.Key()] = true
		case bson.TypeEmbeddedDocument:
			sizes = append(sizes, w.Key())
		}
	}
	ids, hasIDs := command.Body.Lookup("filter", "_id", "$in").ArrayOK()
	for _, d := range documents {
		if hasIDs {
			values, _ := ids.Values()
			if !slices.ContainsFunc(values, func(v bson.RawValue) bool { return v.Equal(d.Lookup("_id")) }) {
				continue
			}
		}
		if projection != nil {
			d = projected(d, shown, sizes)
		}
		list = append(list, d)
	}
	return list
}

func projected(d bson.Raw, shown map[string]bool, sizes []string) bson.Raw {
	out := bson.D{}
	elements, _ := d.Elements()
	for _, e := range elements {
		if shown[e.Key()] {
			out = append(out, bson.E{Key: e.Key(), Value: e.Value()})
		}
	}
	for _, name := range sizes {
		out = append(out, bson.E{Key: name, Value: int32(len(d))})
	}
	return marshal(out)
}

func marshal(d bson.D) bson.Raw {
	raw, err := bson.Marshal(d)
	if err != nil {
		panic(err)
	}
	return raw
}

// cursor returns the first batch of a list, and keeps the rest.
func (s *Store) cursor(command Command, list []bson.Raw) bson.D {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, n := int64(0), len(list)
	for _, path := range [][]string{{"batchSize"}, {"cursor", "batchSize"}} {
		if size, ok := command.Body.Lookup(path...).AsInt64OK(); ok {
			n = min(n, int(size))
		}
	}
	if n < len(list) {
		id = int64(len(s.cursors) + 1)
		s.cursors[id] = list[n:]
	}
	return batch("firstBatch", command.Text("$db")+"."+command.Text(command.Name), id, list[:n])
}

func (s *Store) getMore(command Command) bson.D {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := command.Body.Lookup("getMore").AsInt64()
	list, n := s.cursors[id], int(command.Body.Lookup("batchSize").AsInt64())
	n = min(n, len(list))
	next := int64(0)
	if s.cursors[id] = list[n:]; n < len(list) {
		next = id
	}
	return batch("nextBatch", command.Text("$db")+"."+command.Text("collection"), next, list[:n])
}

func batch(name, namespace string, id int64, list []bson.Raw) bson.D {
	values := bson.A{}
	for _, d := range list {
		values = append(values, d)
	}
	return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: id}, {Key: "ns", Value: namespace}, {Key: name, Value: values}}}, {Key: "ok", Value: 1}}
}
