package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown/cosmossql"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// addPushdownCosmos refuses flags that have no effect on counts by rule and state. The
// parameter prints is a function that reports whether the command only prints queries.
func (f *forecastFlags) addPushdownCosmos(cmd *cobra.Command, prints func() bool) {
	addNeed(cmd, "no-ids", func() bool { return f.pushdown != "cosmos" }, "beside --pushdown cosmos, whose counts name no item")
	counts := func() bool { return f.pushdown == "cosmos" && !prints() }
	addNeed(cmd, "all delete-rate fail-if bucket", func() bool { return !counts() }, "beside --pushdown cosmos with an address, which counts by rule and state alone")
	addCheck(cmd, func() error {
		if counts() && f.format != "text" && f.format != "json" {
			return cli.Usagef("--format %s: --pushdown cosmos counts by rule and state alone, shown as text or json", f.format)
		}
		return nil
	})
}

// A countedContainer holds the counts of a container. They are incomplete if Error is
// set.
type countedContainer struct {
	Name   string   `json:"name"`
	Policy string   `json:"policy"`
	Notes  []string `json:"notes"`
	Error  string   `json:"error,omitempty"`
	cosmossql.Answers
}

// counted holds the counts of containers.
type counted struct {
	Now        cli.Time           `json:"now"`
	Complete   bool               `json:"complete"`
	Containers []countedContainer `json:"containers"`
}

// runOnCosmos has each container count its items, one container after the other, and
// shows the counts.
func runOnCosmos(f *forecastFlags, cmd *cobra.Command, _ dump.Found, groups []policyflags.Group) error {
	if f.live.cosmos == nil {
		return cli.Usagef("--pushdown cosmos: %s is not an account of Azure Cosmos DB for NoSQL", f.live.server)
	}
	r := counted{Now: cli.TimeOf(f.options.Now), Complete: true}
	var wrong error
	for _, g := range groups {
		c := countedContainer{Name: g.Name()}
		err := f.countContainer(cmd, g, &c)
		if err != nil {
			c.Error, r.Complete = report.Reason(err), false
			if wrong == nil {
				wrong = fmt.Errorf("%s: %w", c.Name, err)
			}
		}
		if r.Containers = append(r.Containers, c); cmd.Context().Err() != nil {
			break
		}
	}
	if err := show(cmd, f.format, r, r.text); err != nil || wrong == nil {
		return err
	}
	return readError(wrong, "interrupted; the counts are of what was asked before")
}

// countContainer has one container count its items.
func (f *forecastFlags) countContainer(cmd *cobra.Command, g policyflags.Group, c *countedContainer) error {
	if g.Err != nil {
		return g.Err
	}
	on := storedContainer{f.live.cosmos, g.Collections[0]}
	c.Policy, c.Notes = g.Policy.Description, append(append([]string{}, cosmossql.Caveats...), g.Policy.Notes...)
	q, err := cosmossql.Of(g.Policy, f.options.Now)
	if err != nil {
		return err
	}
	o := cosmossql.RunOptions{MaxRU: f.live.options.MaxRU}
	if !f.quiet {
		o.Progress = func(done, of int, charged float64) {
			note(cmd, []string{fmt.Sprintf("%s: %d of %s counted, %.2f request units", c.Name, done, cli.Count(int64(of), "partition", "partitions"), charged)})
		}
	}
	c.Answers, err = q.Run(cmd.Context(), on, o)
	return err
}

// text writes the counts of containers.
func (r counted) text(out *cli.Printer) error {
	for i, c := range r.Containers {
		if i > 0 {
			out.Line("")
		}
		out.Line("%s", c.Name)
		out.Line("%s, judged at %s", c.Policy, r.Now.Time)
		if c.Error != "" {
			out.Line("INCOMPLETE: %s", c.Error)
		}
		out.Line("")
		if err := c.Text(out); err != nil {
			return err
		}
		out.Line("")
		for _, n := range c.Notes {
			out.Item(n, 0)
		}
	}
	return out.Err()
}

// A storedContainer is a container of an account, as a [cosmossql.Container].
type storedContainer struct {
	account *live.Cosmos
	at      *dump.Collection
}

// Partitions returns the identifiers of the container's partitions.
func (c storedContainer) Partitions(ctx context.Context) ([]string, error) {
	return c.account.Partitions(ctx, c.at.Database, c.at.Name)
}

// Count returns the count of a query in a partition.
func (c storedContainer) Count(ctx context.Context, partition, query string) (int64, error) {
	return c.account.Count(ctx, c.at.Database, c.at.Name, partition, query)
}

// Charged returns the number of request units that the account has charged.
func (c storedContainer) Charged() float64 { return c.account.Charged() }
