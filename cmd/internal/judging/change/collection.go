package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

type collection catalog.StoredCollection

// An Index is a wanted TTL index.
type Index struct {
	Key, Partial policy.Value // Partial is Missing without a filter
	Name         string       // empty for the default name
	Seconds      int64
}

// Wanted is the wanted policy of one collection.
type Wanted struct {
	Indexes []Index
	Own     *int64 // the collection's own option; nil if it should have none
}

// WholeSeconds returns a stored option as a whole number of seconds. The result is false
// for an option that a policy file cannot express.
func WholeSeconds(option policy.Value) (int64, bool) {
	n, ok := mongofunc.WholeSeconds(option)
	return n, ok && !option.IsNaN() && n >= 0 && n <= int64(policy.MaxSeconds)
}

// IsOrdinary reports whether a policy file can express an index.
func IsOrdinary(x mongo.IndexSpec) bool {
	_, ok := WholeSeconds(x.ExpireAfterSeconds)
	return ok && len(x.Key) == 1 && x.Key[0].Value.Kind().IsNumber() && x.Key[0].Key != "_id"
}

// IsSameWish reports whether two wanted indexes have the same field and the same filter.
func IsSameWish(x, y Index) bool {
	a, b := policy.DOf(x.Key), policy.DOf(y.Key)
	return len(a) == len(b) && (len(a) == 0 || a[0].Key == b[0].Key) && x.Partial.Equal(y.Partial)
}

// changes returns the items that lead to the wanted policy, in the order of their
// commands, and including items that need no change. It also returns the collection after
// the commands that the release accepts.
func (c *collection) changes(w Wanted) ([]Item, mongo.CollectionSpec) {
	items := c.ownOption(w)
	taken := make([]bool, len(c.Spec.Indexes))
	var missing []Index
	for _, x := range w.Indexes {
		if i := c.find(x, taken); i >= 0 {
			taken[i] = true
			items = append(items, c.setSeconds(i, x.Seconds))
		} else {
			missing = append(missing, x)
		}
	}
	for i, x := range c.Spec.Indexes {
		if !taken[i] && !x.Clustered && !x.ExpireAfterSeconds.IsMissing() {
			items = append(items, c.remove(i, missing))
		}
	}
	for _, x := range missing {
		items = append(items, c.create(x))
	}
	return c.settleAll(items)
}

// settleAll sorts the items and chooses the commands of each. It returns the results that
// changes describes.
func (c *collection) settleAll(items []Item) ([]Item, mongo.CollectionSpec) {
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.turn, b.turn) })
	after := c.Spec
	for i := range items {
		after = c.settle(&items[i], after)
		if items[i].atOnce != "" {
			last := &items[i].Steps[len(items[i].Steps)-1]
			last.Warning = join(last.Warning, items[i].atOnce)
		}
	}
	return items, after
}

// settle gives an item the commands of the first way that the release accepts, and
// returns the resulting collection.
func (c *collection) settle(item *Item, spec mongo.CollectionSpec) mongo.CollectionSpec {
	if item.ways == nil {
		return spec
	}
	x, err := First(c.Collection, spec, item.reached, item.ways...)
	var lines []string
	if err == nil {
		lines, err = x.Lines()
	}
	if err != nil {
		item.Refused = cli.ErrorLine(err)
		return spec
	}
	item.Refused = ""
	item.Steps = nil
	for i, line := range lines {
		item.Steps = append(item.Steps, Step{Command: line, Run: x.Commands[i]})
	}
	if x.Commands[0][0].Key == "dropIndexes" {
		item.Steps[0].Warning = item.warning
	}
	if item.turn == creates { // the index gets another name if the default name is taken
		item.Name, _ = policy.AOf(x.Commands[0][1].Value)[0].Field("name").AsString()
	}
	if item.deletes() {
		item.atOnce = x.AtOnce(item.seconds)
	}
	return x.After
}

const optionName = "expireAfterSeconds"

// ownOption returns the item for the TTL option of a time-series or clustered collection.
func (c *collection) ownOption(w Wanted) []Item {
	stored := c.Spec.ExpireAfterSeconds
	item := Item{Action: ToChange, Name: optionName, Before: c.seconds(stored), turn: deletesMore}
	set := func(v policy.Value) [][]catalog.Command {
		return [][]catalog.Command{{c.CollMod(policy.E{Key: optionName, Value: v})}}
	}
	switch {
	case IsPlain(c.Spec), w.Own == nil && stored.IsMissing():
		return nil
	case w.Own == nil:
		item.Action, item.turn, item.ways = ToDrop, keepsMore, set(policy.StringValue("off"))
		return []Item{item}
	}
	item.After = catalog.Span(*w.Own)
	switch {
	case catalog.IsSeconds(stored, *w.Own):
		item.Action = Nothing
		return []Item{item}
	case stored.IsMissing():
		item.Action = ToCreate
	case *w.Own >= c.effective(stored):
		item.turn = keepsMore
	}
	item.seconds, item.from = *w.Own, c.effective(stored)
	item.at = func(c *collection, n int64) Item { return c.ownOption(Wanted{Own: &n})[0] }
	item.ways = set(pasted.Integer(*w.Own))
	return []Item{item}
}

// IsPlain reports whether a collection is neither a time-series collection nor clustered,
// so that it has no TTL option of its own.
func IsPlain(c mongo.CollectionSpec) bool { return c.TimeSeries.IsMissing() && !c.Clustered }

// find returns the position of the stored index that holds the same documents as x; -1 if
// there is none. It prefers an index with the delay of x, then an index with another
// delay.
func (c *collection) find(x Index, taken []bool) int {
	best, fits := -1, -1
	for i, y := range c.Spec.Indexes {
		if taken[i] || y.Clustered || !c.isSameExtent(x, y) {
			continue
		}
		fit := 1
		switch {
		case y.ExpireAfterSeconds.IsMissing():
			fit = 0
		case catalog.IsSeconds(y.ExpireAfterSeconds, x.Seconds):
			fit = 2
		}
		if fit > fits {
			best, fits = i, fit
		}
	}
	return best
}

// isSameExtent reports whether a stored index holds the same field of the same documents
// as x. The direction of the key does not matter.
func (c *collection) isSameExtent(x Index, y mongo.IndexSpec) bool {
	d := policy.DOf(x.Key)
	if len(d) != 1 || len(y.Key) != 1 || d[0].Key != y.Key[0].Key || !y.Key[0].Value.Kind().IsNumber() || d[0].Key == "_id" {
		return false
	}
	if x.Partial.IsMissing() || y.PartialFilterExpression.IsMissing() {
		return x.Partial.IsMissing() == y.PartialFilterExpression.IsMissing()
	}
	// The release compares the filters, because it does not create an index that it
	// considers equal.
	same := y
	same.Name, same.ExpireAfterSeconds, same.Sparse, same.Unique, same.Options = "x", policy.Int32Value(1), false, false, nil
	reply, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{same}}, policy.D{
		{Key: "key", Value: policy.ObjectValue(y.Key)}, {Key: "name", Value: policy.StringValue("x")},
		{Key: "expireAfterSeconds", Value: policy.Int32Value(1)}, {Key: "partialFilterExpression", Value: x.Partial},
	}, c.Profile, c.Now)
	return err == nil && !reply.Created && !c.ignoresFilters(x.Partial)
}

// ignoresFilters reports whether the release stores this partial filter without reading
// it, as releases up to 3.0 do. Then an index with the filter holds every document.
func (c *collection) ignoresFilters(filter policy.Value) bool {
	reply, err := commandfunc.F.ValidateCreateIndexes(mongo.CollectionSpec{}, policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "x", Value: policy.Int32Value(1)}})}, {Key: "name", Value: policy.StringValue("x")},
		{Key: "partialFilterExpression", Value: filter},
	}, c.Profile, c.Now)
	return err == nil && slices.Contains(reply.Ignored, "partialFilterExpression")
}

// forever is the delay of an index that deletes nothing.
const forever = int64(1) << 62

// effective returns the delay in seconds that a stored option has in the release, or
// forever if the release deletes nothing.
func (c *collection) effective(stored policy.Value) int64 {
	n, ok := mongofunc.WholeSeconds(stored)
	switch {
	case stored.IsMissing() || !c.deletesBy(stored):
		return forever
	case stored.IsNaN() && mongofunc.ReadsNaNAsZero(c.Profile):
		return 0
	case stored.IsNaN(), !ok:
		return forever
	}
	return n
}

// deletesBy reports whether an index with this option deletes documents. Some releases
// skip an option that is out of range; for some, the effect is unspecified.
func (c *collection) deletesBy(option policy.Value) bool {
	x := mongo.IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: option}
	by, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{x}}, c.Profile)
	return err == nil && by.Decide(policy.D{{Key: "t", Value: policy.DateValue(0)}}, c.Now).State != policy.Never
}

func (c *collection) seconds(stored policy.Value) string {
	n, ok := mongofunc.WholeSeconds(stored)
	if stored.IsMissing() {
		return ""
	}
	if stored.IsNaN() || !ok || n < 0 {
		return fmt.Sprintf("expireAfterSeconds %v", stored)
	}
	return catalog.Span(n)
}

// setSeconds returns the item that makes the index at position i delete after n seconds,
// by collMod, or by dropping the index and creating it again.
func (c *collection) setSeconds(i int, n int64) Item {
	x := c.Spec.Indexes[i]
	item := Item{Action: ToChange, Name: x.Name, Before: c.describe(x), After: describe(x, catalog.Span(n)), turn: deletesMore}
	switch {
	case catalog.IsSeconds(x.ExpireAfterSeconds, n):
		item.Action = Nothing
		return item
	case n >= c.effective(x.ExpireAfterSeconds):
		item.turn = keepsMore
	}
	item.seconds, item.from = n, c.effective(x.ExpireAfterSeconds)
	item.at = func(c *collection, n int64) Item {
		return c.setSeconds(slices.IndexFunc(c.Spec.Indexes, func(y mongo.IndexSpec) bool { return y.Name == x.Name }), n)
	}
	item.reached = func(after mongo.CollectionSpec) bool { return catalog.HasSeconds(after, x.Name, n) }
	item.ways = c.SecondsWays(c.ListedIndexes[i], n)
	item.warning = "This release cannot change the index in place. " + c.rebuilt(x)
	return item
}

// rebuilt returns a warning that an index is missing until it is created again.
func (c *collection) rebuilt(x mongo.IndexSpec) string {
	text := "Until it is built again, queries do without it"
	if x.Unique {
		text += " and nothing keeps its values unique"
	}
	return text + "."
}

// remove returns the item that removes the time to live of the index at position i. The
// index stays for queries, unless a missing index needs its key.
func (c *collection) remove(i int, missing []Index) Item {
	x := c.Spec.Indexes[i]
	item := Item{Action: ToDrop, Name: x.Name, Before: c.describe(x), turn: removes}
	drop := c.DropIndexes(x.Name)
	if slices.ContainsFunc(missing, func(m Index) bool {
		d := policy.DOf(m.Key)
		return len(d) == 1 && len(x.Key) == 1 && d[0].Key == x.Key[0].Key
	}) {
		item.ways = [][]catalog.Command{{drop}}
		return item
	}
	item.After = "an index without a time to live"
	item.warning = c.rebuilt(x) + " If no query needs it, leave the second command out."
	item.ways = [][]catalog.Command{{drop, c.CreateIndexes(c.WithoutTTL(c.ListedIndexes[i]))}}
	return item
}

// Document returns the index as an argument of createIndexes.
func (x Index) Document() policy.D {
	d := policy.D{{Key: "key", Value: x.Key}}
	if x.Name != "" {
		d = append(d, policy.E{Key: "name", Value: policy.StringValue(x.Name)})
	}
	d = command.WithDefaultName(d)
	d = append(d, policy.E{Key: "expireAfterSeconds", Value: pasted.Integer(x.Seconds)})
	if !x.Partial.IsMissing() {
		d = append(d, policy.E{Key: "partialFilterExpression", Value: x.Partial})
	}
	return d
}

// create returns the item that creates a missing index. An index without a wanted name
// gets the default name, or another name if the default is taken.
func (c *collection) create(x Index) Item {
	d := x.Document()
	name, _ := policy.ObjectValue(d).Field("name").AsString()
	item := Item{Action: ToCreate, Name: name, turn: creates, ways: [][]catalog.Command{{c.CreateIndexes(d)}}}
	item.seconds, item.from = x.Seconds, forever
	item.at = func(c *collection, n int64) Item {
		x.Seconds = n
		if i := c.find(x, make([]bool, len(c.Spec.Indexes))); i >= 0 {
			return c.setSeconds(i, n)
		}
		return c.create(x)
	}
	item.After = describe(mongo.IndexSpec{Key: policy.DOf(x.Key), PartialFilterExpression: x.Partial}, catalog.Span(x.Seconds))
	if x.Name == "" {
		other := x
		other.Name = name + "_ttl"
		item.ways = append(item.ways, []catalog.Command{c.CreateIndexes(other.Document())})
	}
	return item
}

func (c *collection) describe(x mongo.IndexSpec) string {
	text := describe(x, c.seconds(x.ExpireAfterSeconds))
	alone, err := mongo.CompileCollection(mongo.CollectionSpec{Clustered: c.Spec.Clustered, Indexes: []mongo.IndexSpec{x}}, c.Profile)
	if err == nil && c.Spec.TimeSeries.IsMissing() && !x.ExpireAfterSeconds.IsMissing() && reasons.IsIdle(alone.Decide(policy.D{}, 0).Rule) {
		text += ", by which nothing is deleted"
	}
	return text
}

// describe returns words for the documents that an index deletes, such as "30 d after
// createdAt where {kind: "guest"}".
func describe(x mongo.IndexSpec, delay string) string {
	var fields []string
	for _, e := range x.Key {
		fields = append(fields, e.Key)
	}
	if delay == "" {
		return "an index without a time to live"
	}
	text := delay + " after " + strings.Join(fields, ", ")
	if filter := x.PartialFilterExpression; !filter.IsMissing() {
		text += " where " + catalog.Literal(filter)
	}
	return text
}
