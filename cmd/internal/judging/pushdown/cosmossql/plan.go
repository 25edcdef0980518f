package cosmossql

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Of returns the queries of a policy. The error is a [pushdown.Refusal] if the policy is
// not of a container.
func Of(p *reasons.Policy, now policy.Instant) (*Queries, error) {
	switch p.System {
	case definition.CosmosNoSQL:
		return Compile(p.Container, now)
	case definition.CosmosMongo:
		return nil, pushdown.Refuse("a policy of Azure Cosmos DB for MongoDB", "it counts from _ts, which no query of that API can read")
	}
	return nil, pushdown.Refuse("a policy of MongoDB", "--pushdown cosmos is for containers of Azure Cosmos DB for NoSQL; --pushdown mongo counts by an index")
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

// PlanOf returns the queries that count by a policy. The error is a refusal.
func PlanOf(p *reasons.Policy, now policy.Instant) (pushdown.Plan, error) {
	q, err := Of(p, now)
	if err != nil {
		return pushdown.Plan{}, err
	}
	plan := newPlan(p, now)
	add := func(title, query string) { plan.Statements = append(plan.Statements, statement(title, query)) }
	add("All items", q.All)
	if q.Unclear != "" {
		add(unclearTitle, q.Unclear)
	}
	for _, c := range q.Counts {
		add(c.Title(), c.SQL)
	}
	return plan, nil
}

// unclearTitle describes [Queries.Unclear].
const unclearTitle = "Items that no query can judge exactly: if there is one, leave --pushdown out and read the items instead"

// FindPlanOf returns the query that selects the expired items. The error is a refusal.
func FindPlanOf(p *reasons.Policy, now policy.Instant) (pushdown.Plan, error) {
	q, err := Of(p, now)
	if err != nil {
		return pushdown.Plan{}, err
	}
	if q.Find == "" {
		return pushdown.Plan{}, pushdown.Refuse("--find", "nothing ever expires by this policy")
	}
	plan := newPlan(p, now)
	plan.Statements = []pushdown.Statement{statement("Items that no query can judge exactly; there should be none", q.Unclear), statement("The items that have expired", q.Find)}
	return plan, nil
}

func newPlan(p *reasons.Policy, now policy.Instant) pushdown.Plan {
	return pushdown.Plan{Policy: p.Description, Now: cli.TimeOf(now), Comment: "--", Notes: slices.Concat(Caveats, p.Notes)}
}

// Title returns one line about the items that c counts.
func (c Count) Title() string { return fmt.Sprintf("%s: %s", c.Rule, c.State) }

func statement(title, query string) pushdown.Statement {
	body, _ := json.Marshal(map[string]any{"query": query, "parameters": []any{}}) // strings always have a JSON form
	return pushdown.Statement{Title: title, Script: query, Command: body}
}
