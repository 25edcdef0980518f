package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown/cosmossql"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
)

// countContainer has a container count its items.
func (f *forecastFlags) countContainer(cmd *cobra.Command, g policyflags.Group, c *countedCollection) error {
	if f.live.cosmos == nil {
		return cli.Usagef("--pushdown cosmos: %s is not an account of Azure Cosmos DB for NoSQL", f.live.server)
	}
	c.Notes = append(append([]string{}, cosmossql.Caveats...), c.Notes...)
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
	answers, err := q.Run(cmd.Context(), storedContainer{f.live.cosmos, g.Collections[0]}, o)
	c.Answers = &answers
	return err
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
