package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/report"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// liveFlags say how a running server is read.
type liveFlags struct {
	options live.Options
	source  live.Source // nil until one is open
	server  live.Server // what it is
}

// add adds the flag that spares a server.
func (f *liveFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.options.PerSecond, "max-docs-per-second", 0, "read so many documents of a running server a second at most")
	policyflags.Complete(cmd, "max-docs-per-second")
	f.need(cmd, "max-docs-per-second", &f.options.PerSecond)
}

// addSample adds the flag of a forecast that reads a part of a server's documents.
func (f *liveFlags) addSample(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.options.Sample, "sample", 0, "have a running server draw so many documents of each collection")
	policyflags.Complete(cmd, "sample")
	f.need(cmd, "sample", &f.options.Sample)
	for _, flag := range []string{"fail-if", "what-if", "delete-rate", "list", "save-expired"} {
		addNeed(cmd, flag, func() bool { return f.options.Sample == 0 }, "beside --sample: it needs all documents")
	}
}

// need refuses a number that is not positive, and one for what is not a server.
func (f *liveFlags) need(cmd *cobra.Command, flag string, n *int) {
	addCheck(cmd, func() error {
		if cmd.Flags().Changed(flag) && *n <= 0 {
			return cli.Usagef("--%s: want a number of documents, 1 or more", flag)
		}
		return nil
	})
	addNeed(cmd, flag, func() bool { return isLive(cmd.Flags().Args()) }, "without the address of a running server, such as mongodb://db.example/shop")
}

// isLive reports whether arguments name a running server.
func isLive(args []string) bool { return slices.ContainsFunc(args, live.IsAddress) }

// idleFlags are the flags that say what a server says of itself.
var idleFlags = map[string]string{
	"input":        "documents of a running server are BSON",
	"namespace":    "a running server names its collections; --ns selects some",
	"documents":    "a running server has the documents",
	"container":    "containers are of Azure Cosmos DB for NoSQL",
	"cosmos-mongo": "whether a running server is Azure's, it says itself",
}

// find returns the collections of the server that args name, and has p judge as that
// server does. Close it when nothing is read any more.
func (f *liveFlags) find(cmd *cobra.Command, args []string, p *policyflags.Flags) (found dump.Found, err error) {
	if len(args) != 1 {
		return found, cli.Usagef("the address of a running server stands alone; leave out what else is named")
	}
	for name, why := range idleFlags {
		if cmd.Flags().Changed(name) {
			return found, cli.Usagef("--%s has no effect here: %s", name, why)
		}
	}
	address, err := live.Resolve(args[0], os.Getenv)
	if err != nil {
		return found, cli.WithExit(cli.ExitUsage, err)
	}
	m, err := live.Open(cmd.Context(), address, f.options)
	if err != nil {
		return found, err
	}
	f.source, f.server = m, m.Server
	if err := judgeAs(f.server, p); err != nil {
		return found, err
	}
	note(cmd, append([]string{"the server is " + f.server.About()}, f.server.Untold...))
	in, err := f.source.Find(cmd.Context())
	return dump.Found{Inputs: []*dump.Input{in}}, err
}

// close ends reading from a server, if one is open.
func (f *liveFlags) close() {
	if f.source != nil {
		f.source.Close()
	}
}

// notes are what is to be said about every collection of a server.
func (f *liveFlags) notes() (list []string) {
	if f.server.MonitorOff {
		list = append(list, "On this server ttlMonitorEnabled is false: it deletes nothing until somebody sets it.")
	}
	return list
}

// prepare adds to groups what is to be said about every collection of a server, and that
// a sample of it is read.
func (f *liveFlags) prepare(groups []group) {
	for i := range groups {
		g := &groups[i]
		if g.err != nil {
			continue
		}
		for _, n := range f.notes() {
			if !slices.Contains(g.policy.Notes, n) { // groups may share a policy
				g.policy.Notes = append(g.policy.Notes, n)
			}
		}
		if f.options.Sample > 0 {
			g.name += " (sample)"
			g.sample = &report.Sample{Of: f.source.Estimate(g.collections[0])}
		}
	}
}

// judgeAs has p judge as a server does. Flags that contradict it are errors.
func judgeAs(s live.Server, p *policyflags.Flags) error {
	switch s.Product {
	case live.MongoDB:
		return judgeAsMongoDB(s, p)
	case live.CosmosMongo:
		number := strings.Join(strings.Split(s.Version+".", ".")[:2], ".")
		if p.Server != "" && p.Server != number {
			return cli.Usagef("--server %s: the server says that it is %s", p.Server, s)
		}
		p.CosmosMongo, p.Server = true, number
		return nil
	}
	if p.Server == "" {
		return cli.Usagef("the server is %s, and what it deletes need not be what MongoDB does; --server names the release of MongoDB to judge by", s)
	}
	return nil
}

func judgeAsMongoDB(s live.Server, p *policyflags.Flags) error {
	release, err := s.Release()
	if err != nil && p.Server == "" {
		return err
	}
	if p.Server != "" && err == nil {
		given, wrong := policyflags.ParseRelease("--server", p.Server)
		if wrong != nil {
			return wrong
		}
		if given != release {
			return cli.Usagef("--server %s: the server says that it is %s; leave the flag out", p.Server, s)
		}
	}
	if len(p.Parameter) > 0 && len(s.Untold) == 0 {
		return cli.Usagef("--server-parameter has no effect here: the server says what is set; leave the flag out")
	}
	if err == nil {
		p.Server = release.String()
	}
	for _, e := range s.Parameters {
		p.Parameter = append(p.Parameter, fmt.Sprintf("%s=%s", e.Key, policy.AppendExtJSON(nil, e.Value)))
	}
	return nil
}
