package live

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

func TestMain(m *testing.M) {
	OnlyLoopback()
	os.Exit(m.Run())
}

// TestOnlyLoopback: a test cannot reach another machine, by an address or by a name.
func TestOnlyLoopback(t *testing.T) {
	// 192.0.2.1 is for documentation (RFC 5737): nobody has it.
	if _, err := dialer.DialContext(t.Context(), "tcp", "192.0.2.1:27017"); !errors.Is(err, loopback.ErrElsewhere) {
		t.Errorf("dialling another machine: %v, want %v", err, loopback.ErrElsewhere)
	}
	if _, err := net.DefaultResolver.LookupHost(t.Context(), "db.example"); err == nil || !strings.Contains(err.Error(), loopback.ErrElsewhere.Error()) {
		t.Errorf("looking up db.example: %v, want %v", err, loopback.ErrElsewhere)
	}
	for _, address := range []string{"http://192.0.2.1/", "http://169.254.169.254/metadata"} {
		if _, err := newCosmosWire(&url.URL{Scheme: "http"}, 0).client.Get(address); !errors.Is(err, loopback.ErrElsewhere) && !strings.Contains(fmt.Sprint(err), "proxyconnect") {
			t.Errorf("%s: %v, want %v", address, err, loopback.ErrElsewhere)
		}
	}
}

// A capturingProxy is an HTTP proxy that answers for every host by itself, and notes the
// requested hosts, the methods, and whether a request had credentials.
type capturingProxy struct {
	certificate tls.Certificate
	answer      http.Handler

	mu  sync.Mutex
	log []string
}

func (p *capturingProxy) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, fmt.Sprintf(format, args...))
}

func (p *capturingProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		p.note("in clear %s credentials=%t", r.Host, r.Header.Get("Authorization") != "")
		p.answer.ServeHTTP(w, r)
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		p.note("%v", err)
		return
	}
	defer conn.Close()
	io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{p.certificate}})
	if err := secure.Handshake(); err != nil {
		p.note("TLS refused %s", r.Host)
		return
	}
	for in := bufio.NewReader(secure); ; {
		asked, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		p.note("by TLS %s credentials=%t", r.Host, asked.Header.Get("Authorization") != "")
		answer := httptest.NewRecorder()
		p.answer.ServeHTTP(answer, asked)
		io.Copy(io.Discard, asked.Body)
		reply := answer.Result()
		reply.ContentLength = int64(answer.Body.Len())
		if reply.Write(secure) != nil {
			return
		}
	}
}

// through makes the test's HTTP clients use the proxy.
func (p *capturingProxy) through(t *testing.T, authority string) {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(authority)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem)
	transport := http.DefaultTransport.(*http.Transport)
	before := transport.Clone()
	transport.Proxy, transport.TLSClientConfig = http.ProxyURL(at), &tls.Config{RootCAs: trusted}
	t.Cleanup(func() { transport.Proxy, transport.TLSClientConfig = before.Proxy, before.TLSClientConfig })
}

// TestTalk: whatever hosts an account names, the proxy sees only requests by TLS to
// hosts of the account's domain.
func TestTalk(t *testing.T) {
	for _, tt := range []struct {
		why, named string // the case, and the host that the account names
		want       string // the hosts that get a request
		refused    string // text of the error; empty for no error
	}{
		{"itself", "https://shop.documents.azure.com:443/", "by TLS shop.documents.azure.com:443 credentials=true", ""},
		{"a region", "https://shop-westeurope.documents.azure.com:443/", "by TLS shop-westeurope.documents.azure.com:443 credentials=true; by TLS shop.documents.azure.com:443 credentials=true", ""},
		{"in clear", "http://shop.documents.azure.com/", "by TLS shop.documents.azure.com:443 credentials=true", ""},
		{"a stranger", "https://documents.azure.com.example.net/", "by TLS shop.documents.azure.com:443 credentials=true", "documents.azure.com.example.net"},
		{"a stranger in clear", "http://example.net/", "by TLS shop.documents.azure.com:443 credentials=true", "the host example.net"},
		{"another port", "https://shop.documents.azure.com:8443/", "by TLS shop.documents.azure.com:443 credentials=true", "shop.documents.azure.com:8443"},
		{"who knows passwords of a cloud", "http://169.254.169.254/", "by TLS shop.documents.azure.com:443 credentials=true", "the host 169.254.169.254"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			a := &account{items: twoPages}
			own, file := certificate(t, "*.documents.azure.com", "documents.azure.com", "*.example.net", "example.net")
			p := &capturingProxy{certificate: own, answer: a.naming(tt.named)}
			p.through(t, file)
			c := openCosmos(t.Context(), t, "cosmos://shop/shop/logs", Options{})
			items, err := readAll(t.Context(), c, dump.Part{Whole: true})
			if tt.refused == "" && (err != nil || len(items) != 2) || tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
				t.Errorf("read %q, %v, want %q in an error", items, err, tt.refused)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			hosts := slices.Compact(slices.Sorted(slices.Values(p.log)))
			t.Logf("%d requests: %s", len(p.log), strings.Join(hosts, "; "))
			if got := strings.Join(hosts, "; "); got != tt.want {
				t.Errorf("the proxy saw %s, want %s", got, tt.want)
			}
		})
	}
}

// listener listens at an address, and heard returns all bytes that anybody has sent there.
func listener(t *testing.T) (address string, heard func() []byte) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all bytes.Buffer
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for b := make([]byte, 4096); ; {
					n, err := conn.Read(b)
					mu.Lock()
					all.Write(b[:n])
					mu.Unlock()
					if err != nil {
						return
					}
				}
			}()
		}
	}()
	t.Cleanup(func() { l.Close() })
	return l.Addr().String(), func() []byte {
		mu.Lock()
		defer mu.Unlock()
		return bytes.Clone(all.Bytes())
	}
}

// TestReplicaSetTalk: the tool connects to a host that a server names only if the
// address names a replica set, and it sends no password unencrypted.
func TestReplicaSetTalk(t *testing.T) {
	for _, tt := range []struct {
		query    string
		mayAsk   bool   // the host that the server names may be contacted
		refused  string // the error before any connection
		password bool   // a password goes to the server of the address
	}{
		{"", false, "", false},
		{"authMechanism=SCRAM-SHA-256", false, "", false},
		{"replicaSet=rs", true, "", false},
		{"replicaSet=rs&authMechanism=SCRAM-SHA-256", true, "", false},
		{"replicaSet=rs&authMechanism=PLAIN", false, "authMechanism=PLAIN sends the secret unencrypted", false},
		{"directConnection=false&authMechanism=plain", false, "sends the secret unencrypted", false},
		{"authMechanism=PLAIN", false, "", true}, // the password goes only to this machine
	} {
		t.Run(tt.query, func(t *testing.T) {
			other, heard := listener(t)
			var s *wiretest.Server
			var mu sync.Mutex
			var sent [][]byte
			s = wiretest.Start(t, func(c wiretest.Command) bson.D {
				mu.Lock()
				sent = append(sent, bytes.Clone(c.Body))
				mu.Unlock()
				if !isHello(c) {
					return nil
				}
				return greeting(bson.E{Key: "setName", Value: "rs"}, bson.E{Key: "me", Value: s.Host()}, bson.E{Key: "hosts", Value: bson.A{s.Host(), other}})
			})
			source := "admin"
			if strings.Contains(strings.ToUpper(tt.query), "PLAIN") {
				source = "%24external"
			}
			a := parsed(t, "mongodb://me:hunter2@"+s.Host()+"/?serverSelectionTimeoutMS=1500&authSource="+source+"&"+tt.query)
			c, err := Dial(t.Context(), a, Read)
			if err == nil {
				c.Close()
			}
			if tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
				t.Errorf("Dial = %v, want %q", err, tt.refused)
			}
			told := heard()
			if len(told) > 0 && !tt.mayAsk || bytes.Contains(told, []byte("hunter2")) {
				t.Errorf("the host that the server names got %q", told)
			}
			mu.Lock()
			defer mu.Unlock()
			if got := bytes.Contains(bytes.Join(sent, nil), []byte("hunter2")); got != tt.password || tt.refused != "" && len(sent) > 0 {
				t.Errorf("the server got %d commands, a password as it is: %t, want %t", len(sent), got, tt.password)
			}
			t.Logf("the server: %d commands; the other host: %d bytes; Dial = %v", len(sent), len(told), err)
		})
	}
}
