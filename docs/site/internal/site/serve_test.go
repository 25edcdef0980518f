package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
)

func TestMain(m *testing.M) {
	loopback.Only()
	os.Exit(m.Run())
}

// ask asks a server of the site over HTTP.
func ask(t *testing.T, s Site, method, path string, fields ...string) (*http.Response, string) {
	t.Helper()
	listening := httptest.NewServer(s.handler())
	defer listening.Close()
	r, err := http.NewRequest(method, listening.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(body)
}

// small is a site with a file of each kind.
var small = Site{
	"index.html": []byte("index"), "rules/index.html": []byte("rules"), "rules/mongo.date/index.html": []byte("rule"), "404.html": []byte("lost"),
	"play/main.wasm": []byte("wasm"), "style.css": []byte(strings.Repeat("css ", 100)), "feed.xml": []byte("feed"), "cards/a.png": []byte("png"),
	"playground/index.html": []byte("play"), "playground/embed.html": []byte("frame"), "playground/playground.wasm.gz": []byte("gz"),
}

func TestServe(t *testing.T) {
	for _, tt := range []struct {
		path       string
		code       int
		kind, body string // the body of a redirect is its target
	}{
		{"/", 200, "text/html; charset=utf-8", "index"},
		{"/index.html", 200, "text/html; charset=utf-8", "index"},
		{"/rules/", 200, "text/html; charset=utf-8", "rules"},
		{"/rules", 301, "", "/rules/"},
		{"/rules/mongo.date", 301, "", "/rules/mongo.date/"},
		{"/rules/mongo.date/", 200, "text/html; charset=utf-8", "rule"},
		{"/play/main.wasm", 200, "application/wasm", "wasm"},
		{"/playground/playground.wasm.gz", 200, "application/gzip", "gz"},
		{"/style.css", 200, "text/css; charset=utf-8", string(small["style.css"])},
		{"/feed.xml", 200, "application/xml", "feed"},
		{"/cards/a.png", 200, "image/png", "png"},
		{"/gone", 404, "text/html; charset=utf-8", "lost"},
		{"/a/b/c/gone.css", 404, "text/html; charset=utf-8", "lost"},
		{"/play/", 404, "text/html; charset=utf-8", "lost"},
		{"/../index.html", 200, "text/html; charset=utf-8", "index"},
		{"//example.org/rules", 404, "text/html; charset=utf-8", "lost"},
	} {
		reply, body := ask(t, small, http.MethodGet, tt.path)
		if tt.code == 301 {
			body = reply.Header.Get("Location")
			reply.Header.Del("Content-Type")
		}
		if reply.StatusCode != tt.code || reply.Header.Get("Content-Type") != tt.kind || body != tt.body {
			t.Errorf("GET %s: %d, %s, %q, want %d, %s, %q", tt.path, reply.StatusCode, reply.Header.Get("Content-Type"), body, tt.code, tt.kind, tt.body)
		}
	}
	if reply, body := ask(t, Site{"index.html": nil}, http.MethodGet, "/gone"); reply.StatusCode != 404 || !strings.Contains(body, "not found") {
		t.Errorf("without a page for it, what is not there is answered by %d, %q", reply.StatusCode, body)
	}
}

// TestServeMethods: the server allows only methods that read.
func TestServeMethods(t *testing.T) {
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "PUT": 405, "DELETE": 405, "OPTIONS": 405, "TRACE": 405, "PROPFIND": 405} {
		for _, path := range []string{"/", "/gone"} {
			reply, body := ask(t, small, method, path)
			if code := reply.StatusCode; code != want && (want != 200 || path == "/" || code != 404) {
				t.Errorf("%s %s: %d, want %d", method, path, code, want)
			}
			if allow := reply.Header.Get("Allow"); (want == 405) != (allow == "GET, HEAD") {
				t.Errorf("%s %s: Allow: %q", method, path, allow)
			}
			if method == "HEAD" && body != "" {
				t.Errorf("HEAD %s has the body %q", path, body)
			}
		}
	}
}

// TestServeHeaders: no page loads from elsewhere, runs inline scripts, or can be framed,
// except the page for frames.
func TestServeHeaders(t *testing.T) {
	for _, tt := range []struct {
		path        string
		wasm, frame bool
	}{
		{path: "/"}, {path: "/gone"}, {path: "/rules"}, {path: "/style.css"}, {path: "/playground"},
		{path: "/playground/", wasm: true},
		{path: "/playground/../index.html"},
		{path: "/playground/embed.html", wasm: true, frame: true},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			reply, _ := ask(t, small, method, tt.path)
			h := reply.Header
			csp := h.Get("Content-Security-Policy")
			if tt.path == "/playground" { // a redirect
				tt.wasm = true
			}
			for part, want := range map[string]bool{
				"default-src 'none'; script-src 'self'": true, "style-src 'self';": true, "base-uri 'none'": true, "unsafe-inline": false, "'unsafe-eval'": false,
				"'wasm-unsafe-eval'": tt.wasm, "connect-src 'self'": true, "frame-ancestors 'none'": !tt.frame, "frame-ancestors *": tt.frame,
			} {
				if strings.Contains(csp, part) != want {
					t.Errorf("%s %s: %s is in the policy %q: %t, want %t", method, tt.path, part, csp, !want, want)
				}
			}
			if got := h.Get("X-Frame-Options"); (got == "DENY") == tt.frame {
				t.Errorf("%s %s: X-Frame-Options: %q", method, tt.path, got)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s %s: a header is missing: %v", method, tt.path, h)
			}
		}
	}
}

// TestServeCompressed: a browser that reads gzip gets gzip, for files that gzip
// makes smaller.
func TestServeCompressed(t *testing.T) {
	for _, tt := range []struct {
		path, accepts string
		want          bool
	}{
		{"/style.css", "gzip", true},
		{"/style.css", "br, GZIP;q=0.5", true},
		{"/style.css", "br;q=1.0, *;q=0.1", true},
		{"/style.css", "", false},
		{"/style.css", "br, identity", false},
		{"/style.css", "gzip;q=0", false},
		{"/style.css", "gzip; q=0.000", false},
		{"/style.css", "*, gzip;q=0", false},
		{"/style.css", "*;q=0, gzip", true},
		{"/style.css", "x-gzip", false},
		{"/index.html", "gzip", false},                    // no smaller
		{"/playground/playground.wasm.gz", "gzip", false}, // compressed already
	} {
		reply, body := ask(t, small, http.MethodGet, tt.path, "Accept-Encoding", tt.accepts)
		if got := reply.Header.Get("Content-Encoding") == "gzip"; got != tt.want {
			t.Errorf("%s for %q is compressed: %t, want %t", tt.path, tt.accepts, got, tt.want)
		}
		if tt.want {
			r, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(r)
			if len(body) >= len(plain) || err != nil {
				t.Errorf("%s: %d bytes of %d, %v", tt.path, len(body), len(plain), err)
			}
			body = string(plain)
		}
		if want := small[strings.TrimPrefix(tt.path, "/")]; !bytes.Equal([]byte(body), want) {
			t.Errorf("%s for %q is %q, want %q", tt.path, tt.accepts, body, want)
		}
		if vary := reply.Header.Get("Vary"); (vary == "Accept-Encoding") != (tt.path == "/style.css") {
			t.Errorf("%s: Vary: %q", tt.path, vary)
		}
	}
}

// TestServeCached: the server does not send the content of a file again to a browser that
// has it.
func TestServeCached(t *testing.T) {
	const forever = "public, max-age=31536000, immutable"
	for path, want := range map[string]string{
		"/style.css": "no-cache", "/style.css?v=" + hash(small["style.css"]): forever, "/style.css?v=old": "no-cache", "/style.css?v=": "no-cache", "/": "no-cache", "/gone": "no-cache",
	} {
		for _, accepts := range []string{"identity", "gzip"} {
			reply, _ := ask(t, small, http.MethodGet, path, "Accept-Encoding", accepts)
			if got := reply.Header.Get("Cache-Control"); got != want {
				t.Errorf("%s: Cache-Control: %s, want %s", path, got, want)
			}
			tag := reply.Header.Get("Etag")
			if path == "/gone" {
				continue
			}
			if again, body := ask(t, small, http.MethodGet, path, "Accept-Encoding", accepts, "If-None-Match", tag); tag == "" || again.StatusCode != http.StatusNotModified || body != "" {
				t.Errorf("%s in %s again, with %s: %d, %q, want 304", path, accepts, tag, again.StatusCode, body)
			}
			if again, _ := ask(t, small, http.MethodGet, path, "Accept-Encoding", accepts, "If-None-Match", `"old"`); again.StatusCode != http.StatusOK {
				t.Errorf("%s in %s with an old tag: %d, want 200", path, accepts, again.StatusCode)
			}
		}
	}
	plain, _ := ask(t, small, http.MethodGet, "/style.css")
	packed, _ := ask(t, small, http.MethodGet, "/style.css", "Accept-Encoding", "gzip")
	if plain.Header.Get("Etag") == packed.Header.Get("Etag") {
		t.Error("two forms of a file have one tag")
	}
}

// TestServer: the server answers to the names of its machine, in limited time, and
// reads no more than a page needs.
func TestServer(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost:80": true, "127.0.0.1": true, "127.1.2.3:8080": true, "[::1]": true, "[::1]:80": true,
		"": false, "rebound.example": false, "localhost.example:80": false, "192.0.2.1:80": false, "[2001:db8::1]": false, "127.0.0.1.example": false, "0.0.0.0": false,
	} {
		if got := isLocal(host); got != want {
			t.Errorf("isLocal(%q) = %t, want %t", host, got, want)
		}
	}
	s := Site{"index.html": []byte("index")}
	for _, remote := range []bool{false, true} {
		server := s.Server(remote)
		if server.ReadHeaderTimeout == 0 || server.ReadTimeout == 0 || server.WriteTimeout == 0 || server.IdleTimeout == 0 || server.MaxHeaderBytes == 0 {
			t.Errorf("a limit is missing: %+v", server)
		}
		listening := httptest.NewUnstartedServer(nil)
		listening.Config = server
		listening.Start()
		defer listening.Close()
		for _, tt := range []struct {
			host, cookie string
			want         int
		}{
			{"localhost", "", 200},
			{"rebound.example", "", map[bool]int{false: 421, true: 200}[remote]},
			{"localhost", strings.Repeat("x", 64<<10), 431},
		} {
			ask, err := http.NewRequest(http.MethodGet, listening.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			ask.Host = tt.host
			ask.Header.Set("Cookie", tt.cookie)
			reply, err := listening.Client().Do(ask)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Body.Close(); reply.StatusCode != tt.want {
				t.Errorf("remote %t, host %s, %d bytes of cookies: %d, want %d", remote, tt.host, len(tt.cookie), reply.StatusCode, tt.want)
			}
		}
	}
}
