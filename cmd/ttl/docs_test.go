package main

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

func TestDocsBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "site")
	if testing.Short() {
		t.Skip("builds the site twice")
	}
	for _, again := range []string{"into a new folder", "over an earlier site"} {
		if r := ttl(t, "", "docs", "build", dir); r.code != cli.ExitOK || !strings.HasPrefix(r.out, dir+": ") || r.err != "" {
			t.Fatalf("docs build %s: exit %d, %q, %q", again, r.code, r.out, r.err)
		}
	}
	for _, name := range []string{"index.html", "tool/commands/index.html", "rules/index.html", "rules/mongo.date/index.html", "rules/cosmos.off/index.html", "style.css"} {
		if n := len(readFile(t, filepath.Join(dir, name))); n < 500 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

// TestDocsBuildTouchesNothing: folders with other files stay unchanged.
func TestDocsBuildTouchesNothing(t *testing.T) {
	useSmallSite(t)
	before := map[string]string{"index.html": "mine"}
	foreign := fixture.Files(t, before)
	file := written(t, "file", "mine")
	for dir, want := range map[string]string{foreign: "holds files that ttl docs did not write, such as index.html", file: "not a directory"} {
		if r := ttl(t, "", "docs", "build", dir); r.code != cli.ExitInput || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("docs build %s: exit %d, %q, want 1 and one line with %q", dir, r.code, r.err, want)
		}
	}
	if after := files(t, foreign); !maps.Equal(after, before) {
		t.Errorf("the folder was changed: %q", after)
	}
}

// TestDocsBuildAsPublished: the command of the workflow that publishes the site works.
func TestDocsBuildAsPublished(t *testing.T) {
	if !*every {
		t.Skip("it draws hundreds of pictures; package site has a test of them")
	}
	text := contents(t, "../../.github/workflows/pages.yml")
	match := regexp.MustCompile(`- run: '"\$RUNNER_TEMP/ttl" (docs build .*) "\$RUNNER_TEMP/site"'\n`).FindStringSubmatch(text)
	if match == nil {
		t.Fatal("the workflow does not build the site")
	}
	dir := filepath.Join(t.TempDir(), "site")
	t.Chdir("../..")
	args := strings.Fields(strings.ReplaceAll(match[1], `"$ADDRESS"`, "https://example.org/ttl"))
	if r := ttl(t, "", append(args, dir)...); r.code != cli.ExitOK || r.err != "" {
		t.Fatalf("ttl %q: exit %d, %q", args, r.code, r.err)
	}
	for name, want := range map[string]string{
		"index.html": `<link rel="canonical" href="https://example.org/ttl/">`, "404.html": `href="/ttl/style.css?v=`, "contribute/changes/index.html": "Unreleased",
		"robots.txt": "https://example.org/ttl/sitemap.xml", "sitemap.xml": "<loc>https://example.org/ttl/rules/mongo.date/</loc>",
	} {
		if !strings.Contains(contents(t, filepath.Join(dir, name)), want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
}

// TestDocsServeIsLocal: an address that other machines can reach is refused,
// unless a flag allows it.
func TestDocsServeIsLocal(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":0", "0.0.0.0:0", "192.0.2.1:0", "[::]:0", "example.org:0"} {
		if err := checkAddress(addr, false); err == nil || !strings.Contains(err.Error(), "--allow-remote") {
			t.Errorf("checkAddress(%q, false) = %v, want an error that names --allow-remote", addr, err)
		}
		if err := checkAddress(addr, true); err != nil {
			t.Errorf("checkAddress(%q, true) = %v", addr, err)
		}
	}
	for _, addr := range []string{"127.0.0.1:0", "127.1.2.3:80", "[::1]:8080", "localhost:0"} {
		if err := checkAddress(addr, false); err != nil {
			t.Errorf("checkAddress(%q, false) = %v", addr, err)
		}
	}
}

// TestDocsServe asks the server that the command starts, and stops it.
func TestDocsServe(t *testing.T) {
	pages := map[string]int{"": http.StatusOK, "rules/": http.StatusOK, "rules/mongo.date.html": http.StatusOK, "gone.html": http.StatusNotFound}
	if testing.Short() {
		useSmallSite(t)
		pages = map[string]int{"": http.StatusOK, "rules/a.json": http.StatusOK, "gone.html": http.StatusNotFound}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan cli.ExitCode, 1)
	go func() {
		ended <- runWith(ctx, nil, write, io.Discard, "docs", "serve")
		write.Close()
	}()
	address, err := bufio.NewReader(read).ReadString('\n')
	if address = strings.TrimSpace(address); err != nil || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("docs serve prints %q, %v", address, err)
	}
	for path, want := range pages {
		reply, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != want {
			t.Errorf("GET %s%s: %d, want %d", address, path, reply.StatusCode, want)
		}
	}
	for host, want := range map[string]int{"localhost": http.StatusOK, "127.0.0.1:80": http.StatusOK, "[::1]:1": http.StatusOK, "rebound.example": http.StatusMisdirectedRequest, "192.0.2.1": http.StatusMisdirectedRequest} {
		ask, err := http.NewRequest(http.MethodHead, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Host = host
		reply, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Body.Close(); reply.StatusCode != want {
			t.Errorf("HEAD for host %s: %d, want %d", host, reply.StatusCode, want)
		}
	}
	cancel()
	if code := <-ended; code != cli.ExitInterrupted {
		t.Errorf("docs serve ends with %d, want %d", code, cli.ExitInterrupted)
	}
}
