package cosmossql

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Queries are the queries of a container's policy at one instant.
type Queries struct {
	// All is the query that counts all items.
	All string
	// Counts are the queries that count the items of each rule and state. Exactly one of
	// them counts each item.
	Counts []Count
	// Unclear counts the items that no query can judge, because their start time is too
	// far from 1970. If there is such an item, the counts are not exact. Unclear is empty
	// if no item can expire by the policy.
	Unclear string
	// Find selects the items that have expired. It is empty if no item can expire.
	Find string
}

// A Count is a query that counts the items of one rule and state.
type Count struct {
	Rule  policy.Rule
	State policy.State
	SQL   string

	where string
}

const counting = "SELECT VALUE COUNT(1) FROM c"

// Compile returns the queries of a container's policy at now. Its errors are those of
// [cosmos.CompileContainer].
func Compile(spec cosmos.ContainerSpec, now policy.Instant) (*Queries, error) {
	c, err := cosmos.CompileContainer(spec)
	if err != nil {
		return nil, err
	}
	q := &Queries{All: counting}
	w := writer{from: propertyAt(spec.TTLPropertyPath), now: floorSeconds(now)}
	w.path = w.from != propertyAt("")
	w.seconds, _ = cosmos.TTLOf(spec.DefaultTTL).Seconds()
	for _, k := range kinds {
		q.addKind(w, c, k)
	}
	q.finish(w)
	return q, nil
}

func (q *Queries) addKind(w writer, c *cosmos.Container, k kind) {
	with, without := c.DecideItem(cosmos.Item{TTL: k.example, TS: cosmos.TimestampSeconds(1)}, 0), c.DecideItem(cosmos.Item{TTL: k.example}, 0)
	if with.Rule == without.Rule { // the rule does not depend on the start time
		q.add(with.Rule, policy.Never, k.where)
		return
	}
	q.add(without.Rule, policy.Never, and(k.where, w.fromNothing()))
	where := and(k.where, w.fromInteger())
	due := w.due(k.own)
	q.add(with.Rule, policy.Expired, and(where, due))
	q.add(with.Rule, policy.Pending, and(where, strings.Replace(due, "<=", ">", 1)))
}

// add adds items that meet a condition to the query for a rule and a state.
func (q *Queries) add(rule policy.Rule, state policy.State, where string) {
	for i := range q.Counts {
		if c := &q.Counts[i]; c.Rule == rule && c.State == state {
			c.where = or(c.where, where)
			return
		}
	}
	q.Counts = append(q.Counts, Count{Rule: rule, State: state, where: where})
}

func (q *Queries) finish(w writer) {
	if len(q.Counts) == 1 { // the only rule is for all items
		q.Counts[0].SQL = q.All
		return
	}
	var due []string
	for i := range q.Counts {
		c := &q.Counts[i]
		c.SQL = q.All + " WHERE " + c.where
		if c.State == policy.Expired {
			due = append(due, c.where)
		}
	}
	if len(due) > 0 {
		q.Find = "SELECT * FROM c WHERE " + or(due...)
		q.Unclear = q.All + " WHERE " + w.unclear()
	}
}
