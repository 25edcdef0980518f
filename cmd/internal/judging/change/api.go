package change

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// OfAPICollection compares a collection of Azure Cosmos DB's API for MongoDB with the wanted
// policy. The API has no collMod, so that each difference is an item that is refused, see
// [Item.Refused]; the policies Before and After are the same.
func OfAPICollection(c catalog.APICollection, w Wanted) (*Change, error) {
	x := &Change{System: c.SystemName(), Items: apiItems(c, w)}
	var err error
	if x.Before, err = reasons.Compile(definition.OfCosmosMongo(c.Spec)); err != nil {
		return x, err
	}
	x.After = x.Before
	return x, nil
}

// apiItems returns an item for each wanted index and each stored TTL index.
func apiItems(c catalog.APICollection, w Wanted) (items []Item) {
	taken := make([]bool, len(c.Spec.Indexes))
	for _, wish := range w.Indexes {
		key := policy.DOf(wish.Key)
		item := Item{Action: ToCreate, Name: wish.Name, After: catalog.Span(wish.Seconds)}
		for i, x := range c.Spec.Indexes {
			if taken[i] || x.ExpireAfterSeconds.IsMissingOrNull() || len(key) != 1 || len(x.Key) != 1 || x.Key[0].Key != key[0].Key {
				continue
			}
			taken[i] = true
			item.Action, item.Name, item.Before = ToChange, x.Name, shownOption(x)
			if catalog.IsSeconds(x.ExpireAfterSeconds, wish.Seconds) && wish.Partial.IsMissing() && x.PartialFilterExpression.IsMissingOrNull() {
				item.Action = Nothing
			}
			break
		}
		if item.Name == "" && len(key) == 1 {
			item.Name = key[0].Key + "_1"
		}
		items = append(items, item)
	}
	for i, x := range c.Spec.Indexes {
		if !taken[i] && !x.ExpireAfterSeconds.IsMissingOrNull() {
			items = append(items, Item{Action: ToDrop, Name: x.Name, Before: shownOption(x)})
		}
	}
	for i := range items {
		if items[i].Action != Nothing {
			items[i].Refused = NoAPIChange
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(string(a.Action), string(b.Action)) })
	return items
}

// NoAPIChange is the reason why a plan has no command for a collection of the API for MongoDB.
var NoAPIChange = "Azure Cosmos DB for MongoDB: " + strings.TrimSuffix(reasons.Rule("cosmos.mongo-coll-mod").Statement(), ".") + " (rule cosmos.mongo-coll-mod); without the index nothing expires meanwhile"

// shownOption returns an expireAfterSeconds as text for people.
func shownOption(x cosmos.IndexSpec) string {
	switch n, ok := mongofunc.WholeSeconds(x.ExpireAfterSeconds); {
	case ok && n == -1:
		return "-1, on without a default"
	case ok && n > 0:
		return catalog.Span(n)
	}
	return catalog.Plain(x.ExpireAfterSeconds)
}
