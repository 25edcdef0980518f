package cosmossql

import (
	"context"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Container is a container that answers queries. A container of [live.Cosmos] is an
// example.
type Container interface {
	// Partitions returns the identifiers of the container's partitions.
	Partitions(ctx context.Context) ([]string, error)
	// Count returns the count by a query in one partition.
	Count(ctx context.Context, partition, query string) (int64, error)
	// Charged returns the number of request units that the service has charged so far.
	Charged() float64
}

// RunOptions configure [Queries.Run].
type RunOptions struct {
	// MaxRU is the largest charge in request units; 0 means no limit. Run compares it
	// with an estimate for all partitions, made from the charge of the first.
	MaxRU float64
	// Run calls Progress, if it is not nil, after each partition.
	Progress func(done, partitions int, charged float64)
}

// Answers are the counts of a container.
type Answers struct {
	Items      int64     `json:"items"`
	Expired    int64     `json:"expired"`
	Pending    int64     `json:"pending"`
	Never      int64     `json:"never"`
	Unknown    int64     `json:"unknown"` // see [reasons.IsUnknown]; such items are in no other state
	Counts     []Counted `json:"counts"`
	Partitions int       `json:"partitions"`
	Charged    float64   `json:"requestUnits"`
}

// Counted is the number of items of one rule and state.
type Counted struct {
	Rule  string `json:"rule"`
	State string `json:"state"`
	Items int64  `json:"items"`
}

// Run lets the service count the items of a container, in one partition after the other.
// The error is a [pushdown.Refusal] if an item is unclear, and a [cli.ExitIncomplete] if
// the counts do not add up, or would cost too much. With an error, the answers are
// partial.
func (q *Queries) Run(ctx context.Context, on Container, o RunOptions) (a Answers, err error) {
	partitions, err := on.Partitions(ctx)
	if err != nil {
		return a, err
	}
	for _, c := range q.Counts {
		a.Counts = append(a.Counts, Counted{Rule: c.Rule.ID, State: c.state()})
	}
	before := on.Charged()
	for i, partition := range partitions {
		if err := q.runIn(ctx, on, partition, &a); err != nil {
			return a, err
		}
		a.Partitions, a.Charged = i+1, on.Charged()-before
		if o.Progress != nil {
			o.Progress(i+1, len(partitions), a.Charged)
		}
		if all := a.Charged * float64(len(partitions)); i == 0 && o.MaxRU > 0 && all > o.MaxRU {
			return a, cli.WithExit(cli.ExitIncomplete, fmt.Errorf("the count in one of %d partitions cost %.0f request units, so all would cost about %.0f; raise --max-ru to count in all", len(partitions), a.Charged, all))
		}
	}
	if sum := a.Expired + a.Pending + a.Never + a.Unknown; sum != a.Items {
		return a, cli.WithExit(cli.ExitIncomplete, fmt.Errorf("there are %s, but the counts add up to %d: items were written during the count", cli.Count(a.Items, "item", "items"), sum))
	}
	return a, nil
}

// runIn adds the counts of one partition.
func (q *Queries) runIn(ctx context.Context, on Container, partition string, a *Answers) error {
	if q.Unclear != "" {
		n, err := on.Count(ctx, partition, q.Unclear)
		switch {
		case err != nil:
			return err
		case n > 0:
			return pushdown.Refuse("a forecast of this container", "%s from a time that is too far from 1970 for a query to add up exactly", cli.Count(n, "item counts", "items count"))
		}
	}
	n, err := on.Count(ctx, partition, q.All)
	if err != nil {
		return err
	}
	a.Items += n
	for i, c := range q.Counts {
		n, err := on.Count(ctx, partition, c.SQL)
		if err != nil {
			return err
		}
		a.Counts[i].Items += n
		*a.of(&c) += n
	}
	return nil
}

// state returns the name of the state in which the items of c are.
func (c *Count) state() string {
	return reasons.StateOf(policy.Decision{Rule: c.Rule, State: c.State})
}

// of returns a pointer to the number of items in the state of c.
func (a *Answers) of(c *Count) *int64 {
	switch {
	case reasons.IsUnknown(c.Rule):
		return &a.Unknown
	case c.State == policy.Expired:
		return &a.Expired
	case c.State == policy.Pending:
		return &a.Pending
	}
	return &a.Never
}

// Text writes the answers for people.
func (a Answers) Text(out *cli.Printer) error {
	unknown := ""
	if a.Unknown > 0 {
		unknown = ", " + cli.Number(a.Unknown) + " unknown"
	}
	out.Line("%s in %s: %s expired, %s pending, %s never%s", cli.Count(a.Items, "item", "items"), cli.Count(int64(a.Partitions), "partition", "partitions"),
		cli.Number(a.Expired), cli.Number(a.Pending), cli.Number(a.Never), unknown)
	out.Line("")
	for _, c := range a.Counts {
		out.Line("%15s  %-8s  %s", cli.Number(c.Items), c.State, c.Rule)
	}
	out.Line("")
	out.Line("%.2f request units", a.Charged)
	return out.Err()
}
