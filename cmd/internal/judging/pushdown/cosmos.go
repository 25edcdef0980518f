package pushdown

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type kind struct {
	where   string
	example cosmos.TTL
	own     bool // the item's own ttl gives the deadline
}

// kinds are the kinds of ttl. Each ttl is of exactly one kind.
var kinds = []kind{
	{"NOT IS_DEFINED(c.ttl)", cosmos.TTL{}, false},
	{"IS_NUMBER(c.ttl) AND c.ttl = -1", cosmos.TTLSeconds(-1), false},
	{"IS_NUMBER(c.ttl) AND c.ttl >= 1 AND c.ttl <= 2147483647 AND FLOOR(c.ttl) = c.ttl", cosmos.TTLSeconds(1), true},
	{"IS_DEFINED(c.ttl) AND (NOT IS_NUMBER(c.ttl) OR (c.ttl != -1 AND (c.ttl < 1 OR c.ttl > 2147483647 OR FLOOR(c.ttl) != c.ttl)))", cosmos.TTLSeconds(0), false},
}

// A writer writes conditions about the start time, from which the time to live of an item
// counts.
type writer struct {
	from    string // the expression for the property with the start time
	path    bool   // the property is not _ts, and must be at least 1
	now     int64  // the instant of the query, in whole seconds since 1970
	seconds int32  // the container's default time to live
}

// maxExact is the largest distance of a start time from 1970, in seconds, for which a query
// is exact. Up to maxExact, a double holds every whole second and the sum with a ttl.
const maxExact int64 = 1 << 52

func (w writer) fromInteger() string {
	where := fmt.Sprintf("IS_NUMBER(%[1]s) AND FLOOR(%[1]s) = %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" AND %s >= 1", w.from)
	}
	return where
}

func (w writer) fromNothing() string {
	where := fmt.Sprintf("NOT IS_NUMBER(%[1]s) OR FLOOR(%[1]s) != %[1]s", w.from)
	if w.path {
		where += fmt.Sprintf(" OR %s < 1", w.from)
	}
	return "(" + where + ")"
}

// unclear returns the condition for items whose start time no query can read exactly.
func (w writer) unclear() string {
	return fmt.Sprintf("IS_NUMBER(%[1]s) AND (%[1]s > %[2]d OR %[1]s < -%[2]d)", w.from, maxExact)
}

// due returns the condition for items whose deadline has passed. With own, the deadline is by
// the item's ttl, otherwise by the default. The condition by the default does no arithmetic on
// the property, so that the service can use an index.
func (w writer) due(own bool) string {
	if own {
		return fmt.Sprintf("%s + c.ttl <= %d", w.from, w.now)
	}
	return fmt.Sprintf("%s <= %d", w.from, w.now-int64(w.seconds))
}

// propertyAt returns the expression of a query for the property at a path such as "/a/b".
func propertyAt(path string) string {
	if path == "" || path == "/_ts" {
		return "c._ts"
	}
	var text strings.Builder
	text.WriteString("c")
	for _, name := range strings.Split(path[1:], "/") {
		quoted, _ := json.Marshal(name) // a string always has a JSON form
		text.WriteString("[" + string(quoted) + "]")
	}
	return text.String()
}

// floorSeconds returns an instant in seconds since 1970, rounded down.
func floorSeconds(at policy.Instant) int64 {
	n, _ := cosmos.TimestampAt(at).Seconds()
	return n
}

func and(conditions ...string) string { return strings.Join(conditions, " AND ") }

// or joins conditions by OR. Each condition may be a conjunction.
func or(conditions ...string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, ") OR (") + ")"
}

// Caveats are notes on the limits of the counts.
var Caveats = []string{
	"A container hides items from the moment they expire by the setting that it has. So what expires here is what this policy deletes besides: ask about a change of the setting, such as a lower defaultTtl.",
	fmt.Sprintf("A query sees doubles: it takes a ttl or a time written as 20.0 or 2e1, which this library takes for no integer and keeps (%s, %s), for 20.", reasons.Rule("cosmos.item-unspecified"), reasons.Rule("cosmos.no-timestamp")),
	fmt.Sprintf("A query does not see that an item has a name twice, which this library keeps (%s).", reasons.Rule("cosmos.duplicate-unspecified")),
	"Each count is of its own instant: items that are written meanwhile may be in two counts or in none. Together they should be all items.",
	"The service counts in one partition at a time. Most SDKs add up the counts; a request by REST does not.",
	"By one public figure a query costs about 0.044 request units for each item that it looks at; that is an estimate. Ask one partition first, and read x-ms-request-charge.",
}

// Cosmos returns the queries that count by a container's policy, or the query that selects the
// expired items. The error comes from [Refuse] if the policy is not of a container.
func Cosmos(p *reasons.Policy, now policy.Instant, finds bool) (Plan, error) {
	switch p.System {
	case definition.CosmosMongo:
		return Plan{}, Refuse("a policy of Azure Cosmos DB for MongoDB", "it counts from _ts, which no query of that API can read")
	case definition.MongoDB:
		return Plan{}, Refuse("a policy of MongoDB", "--pushdown cosmos is for containers of Azure Cosmos DB for NoSQL; --pushdown mongo counts by an index")
	}
	q, err := CompileQueries(p.Container, now)
	if err != nil {
		return Plan{}, err
	}
	plan := Plan{Policy: p.Description, Now: cli.TimeOf(now), Comment: "--", Notes: slices.Concat(Caveats, p.Notes)}
	add := func(title, query string) {
		body, _ := json.Marshal(map[string]any{"query": query, "parameters": []any{}}) // strings always have a JSON form
		plan.Statements = append(plan.Statements, Statement{Title: title, Script: query, Command: body})
	}
	if finds {
		if q.Find == "" {
			return Plan{}, Refuse("--find", "nothing ever expires by this policy")
		}
		add("Items that no query can judge exactly; there should be none", q.Unclear)
		add("The items that have expired", q.Find)
		return plan, nil
	}
	add("All items", q.All)
	if q.Unclear != "" {
		add("Items that no query can judge exactly: if there is one, leave --pushdown out and read the items instead", q.Unclear)
	}
	for _, c := range q.Counts {
		add(fmt.Sprintf("%s: %s", c.Rule, c.State), c.SQL)
	}
	return plan, nil
}

// Queries are the queries of a container's policy at one instant.
type Queries struct {
	// All is the query that counts all items.
	All string
	// Counts are the queries that count the items of each rule and state. Exactly one of
	// them counts each item.
	Counts []ItemCount
	// Unclear counts the items that no query can judge, because their start time is too
	// far from 1970. If there is such an item, the counts are not exact. Unclear is empty
	// if no item can expire by the policy.
	Unclear string
	// Find selects the items that have expired. It is empty if no item can expire.
	Find string
}

// A ItemCount is a query that counts the items of one rule and state.
type ItemCount struct {
	Rule  policy.Rule
	State policy.State
	SQL   string

	where string
}

const counting = "SELECT VALUE COUNT(1) FROM c"

// CompileQueries returns the queries of a container's policy at now. Its errors are those of
// [cosmos.CompileContainer].
func CompileQueries(spec cosmos.ContainerSpec, now policy.Instant) (*Queries, error) {
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
	q.Counts = append(q.Counts, ItemCount{Rule: rule, State: state, where: where})
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
