package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// liveFlags say how to read a running server.
type liveFlags struct {
	options live.Options
	source  live.Source  // nil until one is open
	server  live.Server  // its description, if it speaks MongoDB's protocol
	cosmos  *live.Cosmos // source, if it is an account of Azure Cosmos DB for NoSQL
	note    func(notes []string)
}

// add adds the flags that limit how much a command reads of a server.
func (f *liveFlags) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.options.PerSecond, "max-docs-per-second", 0, "read so many documents of a running server a second at most")
	f.need(cmd, "max-docs-per-second", &f.options.PerSecond)
	cmd.Flags().Float64Var(&f.options.MaxRU, "max-ru", 0, "stop when Azure Cosmos DB has charged so many request units")
	addCheck(cmd, func() error {
		if cmd.Flags().Changed("max-ru") && !(f.options.MaxRU > 0 && f.options.MaxRU <= 1e12) {
			return cli.Usagef("--max-ru: want a number of request units, more than 0 and up to 1000000000000")
		}
		return nil
	})
	addNeed(cmd, "max-ru", func() bool { return slices.ContainsFunc(cmd.Flags().Args(), live.IsCosmos) }, "without the address of an account of Azure Cosmos DB, such as cosmos://account/database")
}

// addSample adds the flag of a forecast that reads a part of a server's documents.
func (f *liveFlags) addSample(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.options.Sample, "sample", 0, "have a running server draw so many documents of each collection")
	f.need(cmd, "sample", &f.options.Sample)
	addNeed(cmd, "fail-if what-if delete-rate list save-expired", func() bool { return f.options.Sample == 0 }, "beside --sample: it needs all documents")
}

// need refuses a flag whose number is not positive. If the input is not a server, it
// refuses the flag with any number.
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

// idleFlags are the flags that have no effect on a server of MongoDB's protocol, with the
// reasons.
var idleFlags = map[string]string{
	"input":        "documents of a running server are BSON",
	"namespace":    "a running server names its collections; --ns selects some",
	"documents":    "a running server has the documents",
	"container":    "containers are of Azure Cosmos DB for NoSQL",
	"cosmos-mongo": "a running server itself says whether it is Azure's",
}

// idleForCosmos are the flags that have no effect on an account of Azure Cosmos DB, with the
// reasons.
var idleForCosmos = map[string]string{
	"input":            "items of a container are JSON",
	"namespace":        "an account names its containers; --ns selects some",
	"documents":        "the account has the items",
	"sample":           "Azure Cosmos DB draws no samples",
	"server":           onlyMongoDB,
	"server-parameter": onlyMongoDB,
	"index":            onlyMongoDB,
	"metadata":         onlyMongoDB,
	"cosmos-mongo":     "a cosmos:// address is of the API for NoSQL; the API for MongoDB has mongodb:// addresses",
	"moving-to":        onlyMongoDB,
	"candidates":       onlyMongoDB,
}

const onlyMongoDB = "it is about MongoDB"

// find returns the collections of the server that args name, and sets in p the
// release and parameters of that server. Call close when all is read.
func (f *liveFlags) find(cmd *cobra.Command, args []string, p *policyflags.Flags) (found dump.Found, err error) {
	if len(args) != 1 {
		return found, cli.Usagef("give the address of a running server alone; leave out the other inputs")
	}
	idle, open := idleFlags, f.openMongo
	if live.IsCosmos(args[0]) {
		idle, open = idleForCosmos, f.openCosmos
	}
	for _, name := range slices.Sorted(maps.Keys(idle)) {
		if cmd.Flags().Changed(name) {
			return found, cli.Usagef("--%s has no effect here: %s", name, idle[name])
		}
	}
	f.note = func(notes []string) { note(cmd, notes) }
	if err := open(cmd.Context(), args[0], p); err != nil {
		return found, err
	}
	in, err := f.source.Find(cmd.Context())
	return dump.Found{Inputs: []*dump.Input{in}}, err
}

func (f *liveFlags) openMongo(ctx context.Context, arg string, p *policyflags.Flags) error {
	address, err := live.Resolve(arg, os.Getenv)
	if err != nil {
		return cli.WithExit(cli.ExitUsage, err)
	}
	m, err := live.Open(ctx, address, f.options)
	if err != nil {
		return err
	}
	f.source, f.server = m, m.Server
	if err := judgeAs(f.server, p); err != nil {
		return err
	}
	f.note(append([]string{"the server is " + f.server.About()}, f.server.Untold...))
	return nil
}

func (f *liveFlags) openCosmos(ctx context.Context, arg string, _ *policyflags.Flags) error {
	key := strings.TrimSpace(os.Getenv(live.KeyVariable))
	address, err := live.ParseCosmos(arg, key)
	if err != nil {
		return cli.WithExit(cli.ExitUsage, err)
	}
	c, err := live.OpenCosmos(ctx, address, key, f.options)
	if err != nil {
		return err
	}
	f.source, f.cosmos = c, c
	return nil
}

// close ends reading from a server, if one is open, and reports the charge.
func (f *liveFlags) close() {
	if f.source != nil {
		f.source.Close()
	}
	if f.cosmos != nil {
		f.note([]string{fmt.Sprintf("Azure Cosmos DB charged %.2f request units", f.cosmos.Charged())})
	}
}

// notes returns the notes about every collection of a server.
func (f *liveFlags) notes() (list []string) {
	if f.server.MonitorOff {
		list = append(list, "On this server ttlMonitorEnabled is false: it deletes nothing until somebody sets it.")
	}
	if f.cosmos != nil {
		list = append(list, "A container hides items from the moment they expire: those that expired before are not counted here, whether they are stored or not.")
	}
	return list
}

// prepare adds notes to the groups of a server: about every collection, about reading parts
// of documents, and about a sample.
func (f *liveFlags) prepare(groups []policyflags.Group, whole bool) {
	notes := f.notes()
	if f.cosmos != nil && !whole {
		notes = append(notes, "Sizes are of the properties that were read, and so are the request units of deleting; --check reads whole items.")
	}
	for i := range groups {
		g := &groups[i]
		if g.Err != nil {
			continue
		}
		for _, n := range notes {
			if !slices.Contains(g.Policy.Notes, n) { // groups may share a policy
				g.Policy.Notes = append(g.Policy.Notes, n)
			}
		}
		if f.options.Sample > 0 {
			g.Titles[0] += " (sample)"
			of := f.source.Estimate(g.Collections[0])
			g.SampleOf = &of
		}
	}
}

// judgeAs sets in p the release and parameters of a server. Flags that
// contradict the server are errors.
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
		return cli.Usagef("the server is %s, and may delete differently from MongoDB; --server names the release of MongoDB to judge by", s)
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
