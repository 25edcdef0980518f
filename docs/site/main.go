// Command site makes the reference: the pages of docs, a page for every rule, the search
// and the playground, as files for any server of static files.
//
//	go run ./docs/site serve                 serves it on this machine
//	go run ./docs/site build site            writes it into a folder
//	go run ./docs/site build --address published site
//
// Run it in the root of the checkout. It compiles the playground, so that no binary is
// committed.
package main

import (
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/ttlpolicy/ttlpolicy/docs/site/internal/site"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground/page"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
)

const usage = `usage: go run ./docs/site serve [--port N]
       go run ./docs/site build [--address URL | --address published] DIR`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ".", os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run runs a command in the checkout whose root is named.
func run(ctx context.Context, root string, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	switch args[0] {
	case "serve":
		port := flags.Uint("port", 0, "")
		if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 {
			return errors.Join(err, errors.New(usage))
		}
		return serve(ctx, root, *port, out)
	case "build":
		address := flags.String("address", "", "")
		if err := flags.Parse(args[1:]); err != nil || flags.NArg() != 1 {
			return errors.Join(err, errors.New(usage))
		}
		dir := flags.Arg(0)
		s, err := build(root, *address, dir)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s: %d files, %d bytes\n", dir, len(s), s.Size())
		return err
	}
	return errors.New(usage)
}

// build writes the site of a checkout into a folder. The address "published" stands for that
// of the project.
func build(root, address, dir string) (s site.Site, err error) {
	if address == "published" {
		address = published.Site
	}
	from := site.Source{Playground: page.FS}
	if address != "" {
		if from.Address, err = site.ParseAddress(address); err != nil {
			return nil, fmt.Errorf("--address %w", err)
		}
	}
	if from.Pages, from.Book, err = rulebook.Read(root); err != nil {
		return nil, fmt.Errorf("run it in the root of the checkout: %w", err)
	}
	if from.Program, err = site.Compile(root); err != nil {
		return nil, err
	}
	cmd := exec.Command("git", "log", "-1", "--format=commit %h")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil { // without git the pages name no commit
		from.Version = strings.TrimSpace(string(out))
	}
	if s, err = site.Build(from); err != nil {
		return nil, err
	}
	return s, s.Save(dir)
}

// serve serves the site of a checkout to this machine, until the context ends.
func serve(ctx context.Context, root string, port uint, out io.Writer) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer listener.Close()
	dir, err := os.MkdirTemp("", "site")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	address := "http://" + listener.Addr().String() + "/"
	if _, err := build(root, address, dir); err != nil {
		return err
	}
	server := &http.Server{Handler: handler(dir), ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	if _, err := fmt.Fprintln(out, address); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err = server.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// contentPolicy goes with every file: pages load the site's own files and nothing else, run no
// inline scripts, and stand in no frame. The playground compiles its program.
const contentPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// handler answers with the files of a folder, compressed as hosts of static sites do. It refuses a request to a name that is not one of
// this machine, because a page elsewhere can make its own name lead here (DNS rebinding).
func handler(dir string) http.Handler {
	compressed, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestCompression), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are constants
	}
	files := compressed(http.FileServer(http.Dir(dir)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !strings.EqualFold(host, "localhost") && !net.ParseIP(strings.Trim(host, "[]")).IsLoopback() {
			http.Error(w, "this server is for its own machine; ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Content-Security-Policy", contentPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path.Clean("/"+r.URL.Path)))); errors.Is(err, fs.ErrNotExist) {
			notFound(w, dir)
			return
		}
		files.ServeHTTP(w, r)
	})
}

// notFound answers with the site's page for missing files.
func notFound(w http.ResponseWriter, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "404.html"))
	if err != nil {
		http.Error(w, "404 page not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(text)
}
