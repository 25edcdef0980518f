package loopback

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	Only()
	os.Exit(m.Run())
}

// TestOnly: connections to this machine work; connections to any other address or name
// fail.
func TestOnly(t *testing.T) {
	here := httptest.NewServer(http.NotFoundHandler())
	defer here.Close()
	reply, err := http.Get(here.URL)
	if err != nil {
		t.Fatalf("Get(%s) = %v, want a reply", here.URL, err)
	}
	reply.Body.Close()
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	client := http.Client{Transport: transport}
	// 192.0.2.1 and 2001:db8::1 are for documentation (RFC 5737, RFC 3849): no machine
	// has them.
	for _, address := range []string{"http://192.0.2.1/", "http://[2001:db8::1]/", "http://169.254.169.254/metadata"} {
		if _, err := client.Get(address); !errors.Is(err, ErrElsewhere) {
			t.Errorf("Get(%s) = %v, want %v", address, err, ErrElsewhere)
		}
	}
	if _, err := Dialer().DialContext(t.Context(), "tcp", "192.0.2.1:27017"); !errors.Is(err, ErrElsewhere) {
		t.Errorf("dialling another machine: %v, want %v", err, ErrElsewhere)
	}
	if _, err := net.DefaultResolver.LookupHost(t.Context(), "db.example"); err == nil || !strings.Contains(err.Error(), ErrElsewhere.Error()) {
		t.Errorf("looking up db.example: %v, want %v", err, ErrElsewhere)
	}
}
