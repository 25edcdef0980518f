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
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/docs/site/internal/site"
	"github.com/ttlpolicy/ttlpolicy/docs/site/playground/page"
	"github.com/ttlpolicy/ttlpolicy/docs/site/rulebook"
	"github.com/ttlpolicy/ttlpolicy/internal/published"
)

const usage = `usage: go run ./docs/site serve [--addr 127.0.0.1:0] [--allow-remote]
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
		addr := flags.String("addr", "127.0.0.1:0", "")
		remote := flags.Bool("allow-remote", false, "")
		if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 {
			return errors.Join(err, errors.New(usage))
		}
		if err := checkAddress(*addr, *remote); err != nil {
			return err
		}
		return serve(ctx, root, *addr, *remote, out)
	case "build":
		address := flags.String("address", "", "")
		if err := flags.Parse(args[1:]); err != nil || flags.NArg() != 1 {
			return errors.Join(err, errors.New(usage))
		}
		return build(root, *address, flags.Arg(0), out)
	}
	return errors.New(usage)
}

// sourceOf returns the input of the site of a checkout.
func sourceOf(root string) (from site.Source, err error) {
	if from.Pages, from.Book, err = rulebook.Read(root); err != nil {
		return from, fmt.Errorf("run it in the root of the checkout: %w", err)
	}
	if from.Changelog, err = os.ReadFile(filepath.Join(root, "CHANGELOG.md")); err != nil {
		return from, err
	}
	from.Playground = page.FS
	if from.Program, err = site.Compile(root); err != nil {
		return from, err
	}
	from.Version, from.Built = commit(root)
	return from, nil
}

// commit names the commit of a checkout, and returns its time. Without git it returns
// nothing.
func commit(root string) (name string, at time.Time) {
	cmd := exec.Command("git", "log", "-1", "--format=%h %cI")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", at
	}
	hash, day, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	at, _ = time.Parse(time.RFC3339, day)
	return "commit " + hash, at
}

// build writes the site into a folder. The address "published" stands for that of the
// project.
func build(root, address, dir string, out io.Writer) (err error) {
	var at site.Address
	if address == "published" {
		address = published.Site
	}
	if address != "" {
		if at, err = site.ParseAddress(address); err != nil {
			return fmt.Errorf("--address %w", err)
		}
	}
	from, err := sourceOf(root)
	if err != nil {
		return err
	}
	from.Address = at
	s, err := site.Build(from)
	if err != nil {
		return err
	}
	if err := s.Save(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d files, %d bytes\n", dir, len(s), s.Size())
	return err
}

// checkAddress refuses an address that other machines can reach.
func checkAddress(addr string, remote bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--addr %q: want a host and a port, such as 127.0.0.1:8080", addr)
	}
	if remote || host == "localhost" || net.ParseIP(host).IsLoopback() {
		return nil
	}
	return fmt.Errorf("--addr %q: other machines may reach it; add --allow-remote to allow that", addr)
}

// gracePeriod is the time that requests under way have to end.
const gracePeriod = 5 * time.Second

// serve serves until the context ends.
func serve(ctx context.Context, root, addr string, remote bool, out io.Writer) error {
	from, err := sourceOf(root)
	if err != nil {
		return err
	}
	from.Folders = true
	s, err := site.Build(from)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	server := s.Server(remote)
	defer server.Close()
	if _, err := fmt.Fprintf(out, "http://%s/\n", listener.Addr()); err != nil {
		return err
	}
	down := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(down)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gracePeriod)
		defer cancel()
		_ = server.Shutdown(ctx) // Close cuts off slower requests
	})
	if err = server.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		<-down
		return nil
	}
	return err
}
