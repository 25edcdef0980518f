package live

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// certificate returns a self-signed certificate for this machine and for names, and a file
// with that certificate as its authority.
func certificate(t *testing.T, names ...string) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: names,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, file
}

func TestTLS(t *testing.T) {
	own, file := certificate(t)
	s := wiretest.StartTLS(t, &tls.Config{Certificates: []tls.Certificate{own}}, nil)
	_, stranger := certificate(t)
	for _, tt := range []struct{ name, query, want string }{
		{"its authority", "tls=true&tlsCAFile=" + url.QueryEscape(file), ""},
		{"not verified", "tls=true&tlsInsecure=true", ""},
		{"another authority", "tls=true&tlsCAFile=" + url.QueryEscape(stranger), "tls: failed to verify certificate"},
		{"no TLS", "tls=false", "no server is available"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := parsed(t, "mongodb://"+s.Host()+"/?serverSelectionTimeoutMS=1000&"+tt.query)
			c, err := Dial(t.Context(), a, Read)
			switch {
			case err == nil:
				c.Close()
				if tt.want != "" {
					t.Errorf("Dial succeeded, want %q", tt.want)
				}
			case tt.want == "" || !strings.Contains(err.Error(), tt.want):
				t.Errorf("Dial = %v, want %q", err, tt.want)
			}
		})
	}
}

// TestNamedHostsAlone: if an address names one host, the hosts that the server names get no
// connection.
func TestNamedHostsAlone(t *testing.T) {
	other := wiretest.Start(t, nil)
	asked := make(chan struct{}, 100)
	other.Answer = func(wiretest.Command) bson.D { asked <- struct{}{}; return nil }
	s := wiretest.Start(t, func(c wiretest.Command) bson.D {
		if !isHello(c) {
			return nil
		}
		return greeting(bson.E{Key: "setName", Value: "rs"}, bson.E{Key: "me", Value: other.Host()}, bson.E{Key: "hosts", Value: bson.A{other.Host()}})
	})
	c := dialTo(t, s, Read)
	if _, err := c.Run(t.Context(), "admin", bson.D{{Key: "buildInfo", Value: 1}}); err != nil {
		t.Error(err)
	}
	c.Close()
	select {
	case <-asked:
		t.Error("a host that the address does not name was asked")
	default:
	}
}

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
func firstOfSCRAM(c wiretest.Command, iterations string) []byte {
	_, payload, _ := c.Body.Lookup("payload").BinaryOK()
	_, nonce, _ := strings.Cut(string(payload), "r=")
	return fmt.Appendf(nil, "r=%sabc,s=%s,i=%s", nonce, base64.StdEncoding.EncodeToString([]byte("0123456789abcdef")), iterations)
}

// TestIterations: a server that asks for a password to be hashed for long does not hold the tool
// up: Dial fails at the limit of its context, while the driver hashes, and before it sends a
// proof. A million iterations take about half a second.
func TestIterations(t *testing.T) {
	s := wiretest.Start(t, func(c wiretest.Command) bson.D {
		switch {
		case isHello(c):
			return greeting(bson.E{Key: "saslSupportedMechs", Value: bson.A{"SCRAM-SHA-256", "SCRAM-SHA-1"}})
		case c.Name == "saslStart":
			return bson.D{{Key: "conversationId", Value: 1}, {Key: "done", Value: false}, {Key: "payload", Value: firstOfSCRAM(c, "20000000")}, {Key: "ok", Value: 1}}
		}
		return nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Dial(ctx, parsed(t, "mongodb://me:hunter2@"+s.Host()+"/?authMechanism=SCRAM-SHA-256"), Read); err == nil {
		t.Error("Dial succeeded, and nobody has proved anything")
	}
	if names := namesOf(s.Commands()); !slices.Contains(names, "saslStart") || slices.Contains(names, "saslContinue") {
		t.Errorf("the server got %q, want saslStart and no proof", names)
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
			list := func(kind, n int) bson.A {
				all := bson.A{}
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
