package main

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// control is the implementation that knows nothing of TTL.
const control = "cosmosdb-server"

// drift returns what differs in fresh results, and what must not be in any.
func drift(committed, fresh []result) (changes []string) {
	for _, old := range committed {
		i := slices.IndexFunc(fresh, func(r result) bool { return r.Key == old.Key })
		if i < 0 {
			changes = append(changes, old.Key+": there are no new results")
			continue
		}
		changes = append(changes, changed(old, fresh[i])...)
	}
	for _, r := range fresh {
		if !slices.ContainsFunc(committed, func(old result) bool { return r.Key == old.Key }) {
			changes = append(changes, r.Key+": there are no committed results")
		}
		changes = append(changes, breakdowns(r)...)
	}
	return changes
}

// changed compares two results about one implementation. How many checks there
// are may change with the suite; a verdict may not.
func changed(old, now result) (changes []string) {
	if was, is := old.Implementation.Version, now.Implementation.Version; was != is {
		changes = append(changes, fmt.Sprintf("%s: version %s was %s", now.Key, is, was))
	}
	for rule := range conformance.Rules() {
		if was, is := old.rule(rule.ID).Verdict, now.rule(rule.ID).Verdict; was != is {
			changes = append(changes, fmt.Sprintf("%s: %s is %s, was %s", now.Key, rule, is, was))
		}
	}
	return changes
}

// breakdowns returns where an adapter failed, whatever it adapts.
func breakdowns(r result) (found []string) {
	if r.Key == control && r.Conforms {
		found = append(found, r.Key+" conforms; it is the control that must not")
	}
	for _, trouble := range r.Damaged {
		found = append(found, r.Key+": "+trouble)
	}
	for _, c := range r.Checks {
		if c.Answer != nil && c.Answer.Kind > conformance.KindFault {
			found = append(found, fmt.Sprintf("%s: %s: %s", r.Key, c.ID, c.Answer))
		}
	}
	return found
}
