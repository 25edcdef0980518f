package live

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// compressedReply returns a message of a few kilobytes that decompresses to the
// given number of bytes.
func compressedReply(t *testing.T, request int32, size int) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, message := wiremessage.AppendHeaderStart(nil, 1, request, wiremessage.OpCompressed)
	message = wiremessage.AppendCompressedOriginalOpCode(message, wiremessage.OpMsg)
	message = wiremessage.AppendCompressedUncompressedSize(message, int32(size))
	message = wiremessage.AppendCompressedCompressorID(message, wiremessage.CompressorZstd)
	message = append(message, w.EncodeAll(make([]byte, size), nil)...)
	return bsoncore.UpdateLength(message, at, int32(len(message)))
}

// TestCompressedReply: a compressed message is refused before it is unpacked, even if the
// address asks for compressors.
func TestCompressedReply(t *testing.T) {
	s := wiretest.StartRaw(t, func(request int32, c wiretest.Command) []byte {
		if c.Name != "listDatabases" {
			return nil
		}
		return compressedReply(t, request, 64<<20)
	})
	for _, option := range []string{"", "?compressors=zstd"} {
		a := parsed(t, "mongodb://"+s.Host()+"/"+option)
		c, err := Dial(t.Context(), a, Read)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Run(t.Context(), "admin", bson.D{{Key: "listDatabases", Value: 1}}); err == nil || !strings.Contains(err.Error(), errCompressed.Error()) {
			t.Errorf("%q: a compressed reply: %v, want %v", option, err, errCompressed)
		}
	}
}

// checked returns the error about messages that arrive in pieces of a size; "" for none.
func checked(sent []byte, size int, shake bool) string {
	var m messages
	for piece := range slices.Chunk(sent, size) {
		if err := m.check(piece, shake); err != nil {
			return err.Error()
		}
	}
	return ""
}

func TestMessages(t *testing.T) {
	plain := func(length byte) []byte {
		m := make([]byte, length)
		m[0], m[12], m[13] = length, 0xdd, 0x07 // OP_MSG, 2013
		return m
	}
	compressed := plain(16)
	compressed[12] = 0xdc
	for _, tt := range []struct {
		name string
		sent []byte
		want string
	}{
		{"nothing", nil, ""},
		{"two messages", append(plain(40), plain(16)...), ""},
		{"compressed behind another", append(plain(40), compressed...), errCompressed.Error()},
		{"shorter than a header", []byte{15, 15: 0}, "the server sent a message of 15 bytes, shorter than a header"},
		{"a negative length", []byte{0xff, 0xff, 0xff, 0xff, 15: 0}, "the server sent a message of -1 bytes, shorter than a header"},
		{"a length alone, too great", []byte{0, 0, 0, 0x7f}, errLongReply.Error()},
	} {
		for _, step := range []int{1, 3, 100} {
			if got := checked(tt.sent, step, false); got != tt.want {
				t.Errorf("%s, %d bytes at a time: %q, want %q", tt.name, step, got, tt.want)
			}
		}
	}
}

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
		{"another authority", "tls=true&tlsCAFile=" + url.QueryEscape(stranger), "TLS: tls: failed to verify certificate"},
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
