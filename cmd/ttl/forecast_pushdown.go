package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A pushdownTarget returns the statements by which a kind of database counts its documents, or
// those that find the expired documents.
type pushdownTarget = func(p *reasons.Policy, now policy.Instant, finds bool) (pushdown.Plan, error)

// pushdownTargets are the databases by the value of --pushdown.
var pushdownTargets = map[string]pushdownTarget{"mongo": pushdown.Mongo, "cosmos": pushdown.Cosmos}

// addPushdown adds the flags of a forecast for which a database counts its documents
// itself.
func (f *forecastFlags) addPushdown(cmd *cobra.Command) {
	names := []string{"mongo", "cosmos"}
	set := cmd.Flags()
	set.StringVar(&f.pushdown, "pushdown", "", "have MongoDB count by an index (mongo), or print queries by which Azure Cosmos DB counts (cosmos)")
	set.BoolVar(&f.finds, "find", false, "print queries that find the documents that would go now, instead of counting")
	addChoice(cmd, "pushdown", &f.pushdown, names...)
	addNeed(cmd, "find", func() bool { return f.pushdown != "" }, "without --pushdown, which names the kind of database")
	addNeed(cmd, "by from until sample what-if list save-expired skip-bad check max-docs-per-second input bucket quiet", func() bool { return f.pushdown == "" }, "beside --pushdown, which reads no documents")
	addNeed(cmd, "all delete-rate fail-if no-ids", func() bool { return f.pushdown == "" }, "beside --pushdown, which counts and no more")
	addCheck(cmd, func() error {
		if f.pushdown != "" && f.format != "text" && f.format != "json" {
			return cli.Usagef("--format %s: what a database counts, and the statements for it, are shown as text or json", f.format)
		}
		return nil
	})
}

// runPushdown prints the statements for a database, or runs them.
func (f *forecastFlags) runPushdown(cmd *cobra.Command, args []string) error {
	target := pushdownTargets[f.pushdown]
	if len(args) == 0 {
		p, err := f.policy.Compile()
		if err != nil {
			return err
		}
		return f.printPlan(cmd, target, p)
	}
	if !isLive(args) {
		return cli.Usagef("--pushdown lets a database count; name its address, such as mongodb://db.example/shop.logs, or name no input to print the statements")
	}
	found, err := f.find(cmd, args)
	if err != nil {
		return err
	}
	groups, err := f.policy.Groups(found.Collections())
	if err != nil {
		return err
	}
	f.live.prepare(groups, true)
	switch {
	case !f.finds && f.pushdown != "cosmos":
		return f.countAll(cmd, groups)
	case len(groups) != 1:
		return cli.Usagef("the statements are about one collection, and there are %d; name it in the address, such as mongodb://db.example/shop.logs", len(groups))
	case groups[0].Err != nil:
		return groups[0].Err
	}
	p := groups[0].Policy
	p.Collection.Namespace = groups[0].Collections[0].Namespace()
	return f.printPlan(cmd, target, p)
}

// printPlan prints the statements about a policy.
func (f *forecastFlags) printPlan(cmd *cobra.Command, target pushdownTarget, p *reasons.Policy) error {
	plan, err := target(p, f.options.Now, f.finds)
	if err != nil {
		return err
	}
	return show(cmd, f.format, plan, plan.Text)
}

// A countedCollection holds the counts of a collection or a container. They are incomplete
// if Error is set.
type countedCollection struct {
	Name   string   `json:"name"`
	Policy string   `json:"policy"`
	Notes  []string `json:"notes"`
	Error  string   `json:"error,omitempty"`
	// ByIndex is the count by a TTL index; nil if nothing was counted.
	ByIndex *pushdown.Answer `json:"byIndex,omitempty"`
}

// counted holds the counts of what a database was asked.
type counted struct {
	Now         cli.Time            `json:"now"`
	Complete    bool                `json:"complete"`
	Collections []countedCollection `json:"collections"`
}

// countAll has a server count each group, one after the other, and shows the counts.
func (f *forecastFlags) countAll(cmd *cobra.Command, groups []policyflags.Group) error {
	r := counted{Now: cli.TimeOf(f.options.Now), Complete: true}
	var wrong error
	for _, g := range groups {
		c := countedCollection{Name: g.Name()}
		err := g.Err
		if err == nil {
			c.Policy, c.Notes = g.Policy.Description, append([]string{}, g.Policy.Notes...)
			c.ByIndex, err = f.countByIndex(cmd, g)
		}
		if err != nil {
			c.Error, r.Complete = report.Reason(err), false
			if wrong == nil {
				wrong = fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		if r.Collections = append(r.Collections, c); cmd.Context().Err() != nil {
			break
		}
	}
	if err := show(cmd, f.format, r, r.text); err != nil || wrong == nil {
		return err
	}
	return readError(wrong, "interrupted; the counts are of what was asked before")
}

// text writes the counts.
func (r counted) text(out *cli.Printer) error {
	for i, c := range r.Collections {
		if i > 0 {
			out.Line("")
		}
		out.Line("%s", c.Name)
		out.Line("%s, judged at %s", c.Policy, r.Now.Time)
		if c.Error != "" {
			out.Line("INCOMPLETE: %s", c.Error)
		}
		if c.ByIndex != nil {
			out.Line("")
			if err := c.ByIndex.Text(out); err != nil {
				return err
			}
		}
		if len(c.Notes) > 0 {
			out.Line("")
		}
		for _, n := range c.Notes {
			out.Item(n, 0)
		}
	}
	return out.Err()
}

// countByIndex has a server count the expired documents of a collection by a TTL index
// alone. It returns an error if the server would read the documents too.
func (f *forecastFlags) countByIndex(cmd *cobra.Command, g policyflags.Group) (*pushdown.Answer, error) {
	server, ok := f.live.source.(*live.Mongo)
	if !ok {
		return nil, cli.Usagef("--pushdown mongo: %s is not a server of MongoDB's protocol", g.Name())
	}
	g.Policy.Collection.Namespace = g.Collections[0].Namespace()
	c, err := pushdown.NewIndexCount(g.Policy, f.options.Now)
	if err != nil {
		return nil, err
	}
	alone, err := server.ReadsIndexAlone(cmd.Context(), c.Database, c.Find)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the server does not explain the count by the index %s: %w", c.Index, err)
	case !alone:
		return nil, pushdown.Refuse("the index "+c.Index, "it holds several keys of a document, or the server would read the documents too")
	}
	answer := pushdown.Answer{Index: c.Index} // if nothing has expired, there is no row
	err = server.Aggregate(cmd.Context(), c.Database, c.Command, func(row policy.Document) (err error) {
		answer, err = c.Read(row)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &answer, nil
}
