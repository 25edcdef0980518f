package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/site"
	"github.com/ttlpolicy/ttlpolicy/docs"
	"github.com/ttlpolicy/ttlpolicy/docs/playground/dist"
)

func newDocsCommand() *cobra.Command {
	return newGroup("docs", newDocsBuildCommand(), newDocsServeCommand())
}

// builtSite returns the site of this build, made once.
var builtSite = sync.OnceValues(func() (site.Site, error) { return buildSite(site.Source{}) })

// servedSite returns the site of this build for a server, made once.
var servedSite = sync.OnceValues(func() (site.Site, error) { return buildSite(site.Source{Folders: true}) })

// buildSite makes the site of this build, with the settings of from.
func buildSite(from site.Source) (site.Site, error) {
	book, err := rulebook.Embedded()
	if err != nil {
		return nil, err
	}
	b := buildVersion()
	from.Pages, from.Book, from.Playground, from.Version, from.Built = docs.Files, book, dist.FS, "ttl "+b.tool, b.committed
	return site.Build(from)
}

func newDocsBuildCommand() *cobra.Command {
	var address, changelog string
	cmd := &cobra.Command{
		Use:  "build DIR",
		Args: oneArgument("a folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := siteOf(address, changelog)
			if err != nil {
				return err
			}
			if err := s.Save(args[0]); err != nil {
				return err
			}
			p := cli.NewPrinter(cmd.OutOrStdout())
			p.Line("%s: %s files, %s", args[0], cli.Number(int64(len(s))), cli.Size(s.Size()))
			return p.Err()
		},
	}
	cmd.Flags().StringVar(&address, "address", "", "where the site will be, such as https://example.org/ttl/")
	cmd.Flags().StringVar(&changelog, "changelog", "", "`FILE` of changes, such as CHANGELOG.md")
	return cmd
}

// maxChangelog is the size of the longest changelog that is read.
const maxChangelog = 4 << 20

// siteOf makes the site for an address, with the changelog in the named file. Each may be
// "" to leave it out.
func siteOf(address, changelog string) (site.Site, error) {
	if address == "" && changelog == "" {
		return builtSite()
	}
	var at site.Address
	var err error
	if address != "" {
		if at, err = site.ParseAddress(address); err != nil {
			return nil, cli.Usagef("--address %w", err)
		}
	}
	var changes []byte
	if changelog != "" {
		if changes, err = dump.ReadFile(changelog, maxChangelog); err != nil {
			return nil, err
		}
	}
	return buildSite(site.Source{Address: at, Changelog: changes})
}

func newDocsServeCommand() *cobra.Command {
	var addr string
	var remote bool
	cmd := &cobra.Command{
		Use:  "serve",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkAddress(addr, remote); err != nil {
				return cli.WithExit(cli.ExitUsage, err)
			}
			return serveDocs(cmd, addr, remote)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "the address to listen at; port 0 is a free one")
	cmd.Flags().BoolVar(&remote, "allow-remote", false, "listen at an address that other machines reach")
	addNeed(cmd, "allow-remote", func() bool { return checkAddress(addr, false) != nil }, "without an --addr that other machines reach, such as 0.0.0.0:8080")
	return cmd
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

// serveDocs serves until the command's context ends. It finishes the requests under way.
func serveDocs(cmd *cobra.Command, addr string, remote bool) error {
	s, err := servedSite()
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
	p := cli.NewPrinter(cmd.OutOrStdout())
	if p.Line("http://%s/", listener.Addr()); p.Err() != nil {
		return p.Err()
	}
	down := make(chan struct{})
	context.AfterFunc(cmd.Context(), func() {
		defer close(down)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), gracePeriod/2)
		defer cancel()
		server.Shutdown(ctx) // Close cuts off slower requests
	})
	if err = server.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		<-down
	}
	return err
}
