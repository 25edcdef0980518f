package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
)

// root is the root of the checkout.
const root = "../.."

func TestMain(m *testing.M) {
	loopback.Only()
	os.Exit(m.Run())
}

// TestBuildAsPublished: the command of the workflow that publishes the site works.
func TestBuildAsPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the playground and builds the site")
	}
	text, err := os.ReadFile(root + "/.github/workflows/pages.yml")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`- run: go run \./docs/site (build .*) "\$RUNNER_TEMP/site"\n`).FindStringSubmatch(string(text))
	if command == nil {
		t.Fatal("the workflow does not build the site")
	}
	dir := filepath.Join(t.TempDir(), "site")
	if err := run(t.Context(), root, append(strings.Fields(command[1]), dir), io.Discard); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"index.html": `<link rel="canonical" href="` + published.Site + `">`, "404.html": `href="/ttlpolicy/style.css?v=`,
		"rules/mongo.date/index.html":   `<link rel="canonical" href="` + published.Site + `rules/mongo.date/">`,
		"playground/playground.wasm.gz": "\x1f\x8b", "playground/wasm_exec.js": "Go",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q (%v)", name, want, err)
		}
	}
}

// TestUsage: a mistake in a command is an error that says what is wanted.
func TestUsage(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "usage: "}, {"bild site", "usage: "}, {"build", "usage: "}, {"build a b", "usage: "}, {"serve site", "usage: "},
		{"build --address example.org site", `--address "example.org": want the address of a site`},
		{"serve --port x", "usage: "}, {"serve --addr 127.0.0.1:80", "usage: "},
	} {
		if err := run(t.Context(), root, strings.Fields(tt.args), io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("run(%q) = %v, want an error with %q", tt.args, err, tt.want)
		}
	}
}

// TestServe asks the server that the command starts, and stops it.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the playground and builds the site")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, root, []string{"serve"}, write)
		write.Close()
	}()
	address, err := bufio.NewReader(read).ReadString('\n')
	if address = strings.TrimSpace(address); err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("serve prints %q, %v", address, err)
	}
	for path, want := range map[string]int{"": http.StatusOK, "rules/": http.StatusOK, "rules/mongo.date/": http.StatusOK, "playground/": http.StatusOK, "gone.html": http.StatusNotFound} {
		reply, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != want || !strings.Contains(string(text), "</title>") {
			t.Errorf("GET %s%s: %d, want %d and a page", address, path, reply.StatusCode, want)
		}
		if want == http.StatusOK && !reply.Uncompressed {
			t.Errorf("GET %s%s: the page is not compressed", address, path)
		}
	}
	for host, want := range map[string]int{"localhost": http.StatusOK, "127.0.0.1:80": http.StatusOK, "LocalHost:80": http.StatusOK, "[::1]:80": http.StatusOK, "[::1]": http.StatusOK,
		"rebound.example": http.StatusMisdirectedRequest, "192.0.2.1": http.StatusMisdirectedRequest, "localhost.example:80": http.StatusMisdirectedRequest, "0.0.0.0": http.StatusMisdirectedRequest, "[2001:db8::1]": http.StatusMisdirectedRequest} {
		ask, err := http.NewRequest(http.MethodHead, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Host = host
		reply, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		if policy := reply.Header.Get("Content-Security-Policy"); want == http.StatusOK && (!strings.Contains(policy, "default-src 'none'; script-src 'self' ") || strings.Contains(policy, "unsafe-inline") || !strings.Contains(policy, "frame-ancestors 'none'")) {
			t.Errorf("the policy of content is %q", policy)
		}
		if reply.Body.Close(); reply.StatusCode != want {
			t.Errorf("HEAD for host %s: %d, want %d", host, reply.StatusCode, want)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("serve ends with %v", err)
	}
}
