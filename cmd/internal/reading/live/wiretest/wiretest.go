// Package wiretest is a scripted server of MongoDB's protocol for tests. It records the
// commands that it receives.
package wiretest

import (
	"crypto/tls"
	"net"
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

// repeated returns a field that a command holds twice, "" if there is none.
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
