package change

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const defaultTTL = "defaultTtl"

// changeDefault returns the item that gives a container the wanted default, and the
// container's settings after the change.
func changeDefault(c catalog.StoredContainer, wanted policy.Value) (Item, cosmos.ContainerSpec) {
	before, after := c.Spec, c.Spec
	after.DefaultTTL, after.Repeated = wanted, ""
	item := Item{Action: ToChange, Name: defaultTTL, Before: shownTTL(before), After: shownTTL(after)}
	switch {
	case item.Before == item.After:
		item.Action = Nothing
		return item, after
	case before.DefaultTTL.IsMissingOrNull():
		item.Action = ToCreate
	case after.DefaultTTL.IsMissingOrNull():
		item.Action = ToDrop
	}
	_, warnings, err := cosmos.ValidateContainer(after, &before)
	if err != nil {
		item.Refused = cli.ErrorLine(err)
		return item, before
	}
	if c.IsOfTerraform {
		argument := "0" // switches time to live off, see package catalog
		if !after.DefaultTTL.IsMissingOrNull() {
			argument = cosmos.TTLOf(after.DefaultTTL).String()
		}
		item.Refused = "Terraform has this container, and its next apply would undo a command: write default_ttl = " + argument + " there"
		return item, before
	}
	step := containerStep(c, after)
	if before.DefaultTTL.IsMissingOrNull() && !after.DefaultTTL.IsMissingOrNull() {
		step.Warning = "This switches time to live on: items with a ttl of their own expire by it."
	}
	if goEarlier(cosmos.TTLOf(before.DefaultTTL), cosmos.TTLOf(after.DefaultTTL), before.DefaultTTL.IsMissingOrNull() || before.Repeated != "") {
		step.Warning = join(step.Warning, reasons.DeletesWritten("item", cosmos.TTLOf(after.DefaultTTL)))
	}
	for _, w := range warnings {
		if !strings.Contains(step.Warning, w.Text) {
			step.Warning = join(step.Warning, w.Text+".")
		}
	}
	item.Steps = []Step{step}
	return item, after
}

// goEarlier reports whether a new default makes items expire that did not expire before,
// or makes items expire earlier. A default before that is unknown counts as off.
func goEarlier(before, after cosmos.TTL, wasOff bool) bool {
	from, had := before.Seconds()
	to, has := after.Seconds()
	return wasOff && (has || after == cosmos.TTLSeconds(-1)) || has && (!had || to < from)
}

// containerStep returns the step that changes a container's default. It is a command of
// the az tool, or a request of the REST API if the step removes the setting or if az
// cannot name the container.
func containerStep(c catalog.StoredContainer, after cosmos.ContainerSpec) Step {
	if !after.DefaultTTL.IsMissingOrNull() {
		if text, ok := c.SetTTL(cosmos.TTLOf(after.DefaultTTL)); ok {
			return Step{Command: text, Placeholders: c.Placeholders()}
		}
	}
	body := slices.DeleteFunc(policy.DOf(c.Resource), func(e policy.E) bool {
		return e.Key == "defaultTtl" || strings.HasPrefix(e.Key, "_")
	})
	if !after.DefaultTTL.IsMissingOrNull() {
		body = append(body, policy.E{Key: "defaultTtl", Value: after.DefaultTTL})
	}
	return Step{Command: "PUT dbs/" + c.Database() + "/colls/" + c.Name() + " " + string(plainjson.Append(nil, policy.ObjectValue(body)))}
}

func shownTTL(spec cosmos.ContainerSpec) string {
	ttl := cosmos.TTLOf(spec.DefaultTTL)
	n, ok := ttl.Seconds()
	switch {
	case spec.Repeated != "":
		return "unknown, as " + spec.Repeated + " occurs twice"
	case spec.DefaultTTL.IsMissingOrNull():
		return "off"
	case ttl == cosmos.TTLSeconds(-1):
		return "-1, on without a default"
	case ok:
		return catalog.Span(int64(n))
	}
	return spec.DefaultTTL.String()
}

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

func apiItems(c catalog.APICollection, w Wanted) (items []Item) {
	left := slices.DeleteFunc(slices.Clone(c.Spec.Indexes), func(x cosmos.IndexSpec) bool { return x.ExpireAfterSeconds.IsMissingOrNull() })
	for _, wish := range w.Indexes {
		key := policy.DOf(wish.Key)
		item := Item{Action: ToCreate, Name: cmp.Or(wish.Name, key[0].Key+"_1"), After: catalog.Span(wish.Seconds), Refused: NoAPIChange}
		i := slices.IndexFunc(left, func(x cosmos.IndexSpec) bool { return len(key) == 1 && len(x.Key) == 1 && x.Key[0].Key == key[0].Key })
		if i >= 0 {
			x := left[i]
			left = slices.Delete(left, i, i+1)
			item.Action, item.Name, item.Before = ToChange, x.Name, shownOption(x)
			if catalog.IsSeconds(x.ExpireAfterSeconds, wish.Seconds) && wish.Partial.IsMissing() && x.PartialFilterExpression.IsMissingOrNull() {
				item.Action, item.Refused = Nothing, ""
			}
		}
		items = append(items, item)
	}
	for _, x := range left {
		items = append(items, Item{Action: ToDrop, Name: x.Name, Before: shownOption(x), Refused: NoAPIChange})
	}
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(string(a.Action), string(b.Action)) })
	return items
}

// NoAPIChange is the reason why a plan has no command for a collection of the API for MongoDB.
var NoAPIChange = "Azure Cosmos DB for MongoDB: " + strings.TrimSuffix(reasons.Rule("cosmos.mongo-coll-mod").Statement(), ".") + " (rule cosmos.mongo-coll-mod); without the index nothing expires meanwhile"

func shownOption(x cosmos.IndexSpec) string {
	switch n, ok := mongofunc.WholeSeconds(x.ExpireAfterSeconds); {
	case ok && n == -1:
		return "-1, on without a default"
	case ok && n > 0:
		return catalog.Span(n)
	}
	return catalog.Plain(x.ExpireAfterSeconds)
}
