package live

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// isHello reports whether a command is a hello.
func isHello(c wiretest.Command) bool {
	return c.Name == "hello" || strings.EqualFold(c.Name, "ismaster")
}

// greeting returns the reply of a replica set's member to hello, with the given
// additional fields.
func greeting(more ...bson.E) bson.D {
	return append(bson.D{
		{Key: "ismaster", Value: true}, {Key: "isWritablePrimary", Value: true}, {Key: "helloOk", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20},
		{Key: "maxMessageSizeBytes", Value: 48000000}, {Key: "maxWriteBatchSize", Value: 100000}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1},
	}, more...)
}

// firstOfSCRAM returns a server's first message of SCRAM, which answers the nonce in a
// client's payload.
func firstOfSCRAM(c wiretest.Command, speculative bool, iterations string) []byte {
	path := []string{"payload"}
	if speculative {
		path = []string{"speculativeAuthenticate", "payload"}
	}
	_, payload, _ := c.Body.Lookup(path...).BinaryOK()
	_, nonce, _ := strings.Cut(string(payload), "r=")
	return fmt.Appendf(nil, "r=%sabc,s=%s,i=%s", nonce, base64.StdEncoding.EncodeToString([]byte("0123456789abcdef")), iterations)
}

// TestIterations: a server cannot have the password hashed for hours. One million
// iterations are a second's work.
func TestIterations(t *testing.T) {
	for _, tt := range []struct {
		iterations string
		refused    bool
	}{
		{"4096", false}, {"15000", false}, {"1000001", true}, {"2147483647", true}, {"1000000000000000000", true}, {"+2147483647", true}, {"99999999999999999999", true},
	} {
		for _, mechanism := range []string{"", "SCRAM-SHA-1", "SCRAM-SHA-256"} {
			for _, speculative := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s %s %t", tt.iterations, mechanism, speculative), func(t *testing.T) {
					t.Parallel()
					s := wiretest.Start(t, func(c wiretest.Command) bson.D {
						switch {
						case isHello(c):
							d := greeting(bson.E{Key: "saslSupportedMechs", Value: bson.A{"SCRAM-SHA-256", "SCRAM-SHA-1"}})
							if speculative && c.Body.Lookup("speculativeAuthenticate").Type != 0 {
								d = append(d, bson.E{Key: "speculativeAuthenticate", Value: bson.D{{Key: "conversationId", Value: 1}, {Key: "done", Value: false}, {Key: "payload", Value: firstOfSCRAM(c, true, tt.iterations)}}})
							}
							return d
						case c.Name == "saslStart":
							return bson.D{{Key: "conversationId", Value: 1}, {Key: "done", Value: false}, {Key: "PAYLOAD", Value: firstOfSCRAM(c, false, tt.iterations)}, {Key: "ok", Value: 1}}
						}
						return nil
					})
					address := "mongodb://me:hunter2@" + s.Host() + "/?serverSelectionTimeoutMS=3000"
					if mechanism != "" {
						address += "&authMechanism=" + mechanism
					}
					a := parsed(t, address)
					begun := time.Now()
					_, err := Dial(t.Context(), a, Read)
					if err == nil {
						t.Fatal("Dial succeeded, and nobody has proved anything")
					}
					if got := strings.Contains(err.Error(), "more than 1,000,000 times"); got != tt.refused {
						t.Errorf("Dial = %v, refused for its iterations: %t, want %t", err, got, tt.refused)
					}
					if hashed := slices.Contains(namesOf(s.Commands()), "saslContinue"); hashed == tt.refused {
						t.Errorf("the client sent a proof: %t, want %t", hashed, !tt.refused)
					}
					if took := time.Since(begun); took > 20*time.Second {
						t.Errorf("Dial took %s", took)
					}
				})
			}
		}
	}
}

func TestCheckIterations(t *testing.T) {
	for _, tt := range []struct {
		reply   string
		refused bool
	}{
		{"", false}, {"r=a,s=b,i=1000000", false}, {"r=a,s=b,i=1000001", true}, {"r=a,s=b,i=0000000000000000000000000000004096", false},
		{"r=a,s=b,i=0000000000000000000000000000004096000000", true}, {"r=a,s=b,i=", false}, {"r=a,s=b,i=x", false}, {",i=1,i=9999999", true}, {"i=9999999", false},
		{"r=a,s=b,i=+9999999\x00", true}, {"r=a,s=b,i=9999999\xff", true}, {"r=a,s=b,i=++9999999", false}, // strconv.Atoi refuses it, and so does the driver
	} {
		if err := checkIterations([]byte(tt.reply)); (err != nil) != tt.refused {
			t.Errorf("checkIterations(%q) = %v, refused: want %t", tt.reply, err, tt.refused)
		}
	}
}

// TestManyHosts: a server that names more hosts than a replica set can have is refused
// before any of the hosts is contacted.
func TestManyHosts(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		hosts, passives, arbiters int
		refused                   bool
	}{
		{"a whole set", 48, 1, 1, false}, {"too many hosts", 51, 0, 0, true}, {"passives", 10, 41, 0, true}, {"arbiters", 0, 0, 6_000, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s *wiretest.Server
			list := func(kind, n int) (all bson.A) {
				for i := range n {
					all = append(all, fmt.Sprintf("127.0.%d.%d:%d", kind, i%250+1, i/250+1))
				}
				return all
			}
			s = wiretest.Start(t, func(c wiretest.Command) bson.D {
				if !isHello(c) {
					return nil
				}
				return greeting(
					bson.E{Key: "setName", Value: "rs"}, bson.E{Key: "me", Value: s.Host()}, bson.E{Key: "hosts", Value: append(list(1, max(tt.hosts-1, 0)), s.Host())},
					bson.E{Key: "passives", Value: list(2, tt.passives)}, bson.E{Key: "arbiters", Value: list(3, tt.arbiters)},
				)
			})
			a := parsed(t, "mongodb://"+s.Host()+"/?replicaSet=rs&serverSelectionTimeoutMS=2000")
			c, err := Dial(t.Context(), a, Read)
			if err == nil {
				c.Close()
			}
			if got := err != nil && strings.Contains(err.Error(), "more than 50 hosts"); got != tt.refused || (err != nil) != tt.refused {
				t.Errorf("Dial = %v, refused for its hosts: want %t", err, tt.refused)
			}
		})
	}
}

// TestHostsOfHosts: the tool stops following members of a set that name further
// members.
func TestHostsOfHosts(t *testing.T) {
	var mu sync.Mutex
	var s *wiretest.Server
	port := func() string { return s.Host()[strings.LastIndexByte(s.Host(), ':'):] }
	n := 1
	s = wiretest.Start(t, func(c wiretest.Command) bson.D {
		if !isHello(c) {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		var named bson.A
		for range 10 { // each time unknown hosts
			n++
			named = append(named, fmt.Sprintf("127.%d.%d.1%s", n/250, n%250+1, port()))
		}
		return bson.D{{Key: "secondary", Value: true}, {Key: "setName", Value: "rs"}, {Key: "hosts", Value: named}, {Key: "maxWireVersion", Value: 21}, {Key: "ok", Value: 1}}
	})
	g := &guard{commands: Read}
	a := parsed(t, "mongodb://"+s.Host()+"/?replicaSet=rs&readPreference=primary&serverSelectionTimeoutMS=2000")
	if c, err := dial(t.Context(), a, g); err == nil {
		c.Close()
		t.Error("Dial succeeded without a primary")
	}
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	if n := len(g.hosts.had); n > maxHosts+1 {
		t.Errorf("the client connected to %d hosts, want at most %d", n, maxHosts+1)
	}
}

func TestHosts(t *testing.T) {
	h := hosts{most: 2}
	for _, tt := range []struct {
		address string
		refused bool
	}{{"a:1", false}, {"b:1", false}, {"c:1", true}, {"a:1", false}} {
		if err := h.admit(tt.address); (err != nil) != tt.refused {
			t.Errorf("admit(%s) = %v, refused: want %t", tt.address, err, tt.refused)
		}
	}
}

// message returns a message of a server.
func message(code wiremessage.OpCode, body ...[]byte) []byte {
	at, m := wiremessage.AppendHeaderStart(nil, 1, 1, code)
	m = append(m, bytes.Join(body, nil)...)
	return bsoncore.UpdateLength(m, at, int32(len(m)))
}

// TestHandshakeReplies: a reply to a handshake that could be read in several ways is
// refused.
func TestHandshakeReplies(t *testing.T) {
	document, err := bson.Marshal(greeting())
	if err != nil {
		t.Fatal(err)
	}
	flags, single, sequence, checksum := []byte{0, 0, 0, 0}, []byte{0}, []byte{1}, []byte{1, 0, 0, 0}
	reply := func(count byte) []byte { return append(make([]byte, 16), count, 0, 0, 0) }
	damaged := bytes.Clone(document)
	damaged[4] = 0x7e
	for _, tt := range []struct {
		name    string
		message []byte
		want    string
	}{
		{"a message", message(wiremessage.OpMsg, flags, single, document), ""},
		{"a message with a checksum", message(wiremessage.OpMsg, checksum, single, document, make([]byte, 4)), ""},
		{"an old reply", message(opReply, reply(1), document), ""},
		{"two documents", message(wiremessage.OpMsg, flags, single, document, single, document), errManyParts.Error()},
		{"a sequence", message(wiremessage.OpMsg, flags, sequence, document), errManyParts.Error()},
		{"an old reply of two", message(opReply, reply(2), document, document), errManyParts.Error()},
		{"an old reply of one and more", message(opReply, reply(1), document, document), errManyParts.Error()},
		{"nothing", message(wiremessage.OpMsg), errManyParts.Error()},
		{"half a document", message(wiremessage.OpMsg, flags, single, document[:20]), errManyParts.Error()},
		{"another kind", message(2006, document), errManyParts.Error()},
		{"a damaged document", message(wiremessage.OpMsg, flags, single, damaged), "damaged"},
		{"a long one", message(wiremessage.OpMsg, flags, single, make([]byte, maxHandshake)), "longer than 1 MiB"},
	} {
		for _, step := range []int{1, 7, 1 << 21} {
			if got := checked(tt.message, step, true); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%s, %d bytes at a time: %q, want %q", tt.name, step, got, tt.want)
			}
		}
	}
}
