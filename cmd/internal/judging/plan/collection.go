package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Step is one command, in the notation of mongosh or of a shell.
type Step struct {
	Command string `json:"command"`
	// Warning says what to know before the command runs; empty without one.
	Warning string `json:"warning,omitempty"`
	// At is when the command should run, and Deletes is the number of documents deleted in
	// the 24 h after it. Both are set only for a step of several, see [Options.MaxDeletes].
	At      *cli.Time `json:"at,omitempty"`
	Deletes *int64    `json:"deletes,omitempty"`

	command catalog.Command // of MongoDB
}

// An Action is what happens to an index, an option or a setting.
type Action string

// The actions.
const (
	ToCreate Action = "create"
	ToChange Action = "change"
	ToDrop   Action = "drop"
	Nothing  Action = "nothing"
)

// An Item is the change of one index, option or setting.
type Item struct {
	Action Action `json:"action"`
	Name   string `json:"name"` // of the index, or of the setting
	// Before and After describe it before and after the change; empty if it does not exist.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Steps  []Step `json:"steps"`
	// Refused says why no command makes the change; empty if commands do, or none is
	// needed.
	Refused string `json:"refused,omitempty"`

	ways    [][]catalog.Command
	reached func(mongo.CollectionSpec) bool // whether a way is allowed; nil if all are
	warning string                          // about dropping an index for a while
	turn    turn
	atOnce  string // which documents go as soon as it is done; empty for none more

	// For [Options.MaxDeletes], of an item that sets a delay: that, the delay that stands
	// or forever, and the same with another delay for the collection as it is by then.
	seconds, from int64
	at            func(c *collection, n int64) Item
}

// A turn is the order in which items change. Changes that keep documents come first, so
// that no document is deleted in between that would stay before and after.
type turn uint8

const (
	keepsMore turn = iota
	removes
	deletesMore
	creates
)

// A collection is a stored collection of MongoDB.
type collection catalog.StoredCollection

// An index is a TTL index that is wanted.
type index struct {
	key, partial policy.Value
	name         string
	seconds      int64
}

// wanted is the wanted policy of one collection.
type wanted struct {
	indexes []index
	own     *int64 // the collection's own option, nil for none
}

// changes returns the items that bring the collection to the wanted policy, in order, and
// those that need no change. It also returns the collection after the commands that the
// release accepts.
func (c *collection) changes(w wanted) ([]Item, mongo.CollectionSpec) {
	items := c.ownOption(w)
	taken := make([]bool, len(c.Spec.Indexes))
	var missing []index
	for _, x := range w.indexes {
		if i := c.find(x, taken); i >= 0 {
			taken[i] = true
			items = append(items, c.setSeconds(i, x.seconds))
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

// settleAll puts items in order and chooses how each is done, see changes.
func (c *collection) settleAll(items []Item) ([]Item, mongo.CollectionSpec) {
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.turn, b.turn) })
	after := c.Spec
	for i := range items {
		after = c.settle(&items[i], after)
		items[i].say()
	}
	return items, after
}

// settle chooses the first way to change an item that the release accepts, and returns the
// collection after it.
func (c *collection) settle(item *Item, spec mongo.CollectionSpec) mongo.CollectionSpec {
	if item.ways == nil {
		return spec
	}
	x, err := change.First(c.Collection, spec, item.reached, item.ways...)
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
		item.Steps = append(item.Steps, Step{Command: line, command: x.Commands[i]})
	}
	if x.Commands[0][0].Key == "dropIndexes" {
		item.Steps[0].Warning = item.warning
	}
	if item.turn == creates { // under another name if the usual one is taken
		item.Name, _ = policy.AOf(x.Commands[0][1].Value)[0].Field("name").AsString()
	}
	if item.deletes() {
		item.atOnce = x.AtOnce(item.seconds)
	}
	return x.After
}

// say has the step of an item that deletes say which documents go.
func (i *Item) say() {
	if i.atOnce != "" {
		last := &i.Steps[len(i.Steps)-1]
		last.Warning = join(last.Warning, i.atOnce)
	}
}

// optionName is the option of a time-series or clustered collection.
const optionName = "expireAfterSeconds"

// ownOption compares the option of a time-series or clustered collection.
func (c *collection) ownOption(w wanted) []Item {
	const name = optionName
	stored := c.Spec.ExpireAfterSeconds
	item := Item{Action: ToChange, Name: name, Before: c.seconds(stored), turn: deletesMore}
	switch {
	case c.isPlain():
		return nil
	case w.own == nil && stored.IsMissing():
		return nil
	case w.own == nil:
		item.Action, item.turn = ToDrop, keepsMore
		item.ways = [][]catalog.Command{{c.CollMod(policy.E{Key: name, Value: policy.StringValue("off")})}}
		return []Item{item}
	}
	item.After = catalog.Span(*w.own)
	switch {
	case catalog.IsSeconds(stored, *w.own):
		item.Action = Nothing
		return []Item{item}
	case stored.IsMissing():
		item.Action = ToCreate
	case *w.own >= c.effective(stored):
		item.turn = keepsMore
	}
	item.seconds, item.from = *w.own, c.effective(stored)
	item.at = func(c *collection, n int64) Item { return c.ownOption(wanted{own: &n})[0] }
	item.ways = [][]catalog.Command{{c.CollMod(policy.E{Key: name, Value: policytext.Integer(*w.own)})}}
	return []Item{item}
}

// isPlain reports whether the collection has no option of its own.
func (c *collection) isPlain() bool { return c.Spec.TimeSeries.IsMissing() && !c.Spec.Clustered }

// find returns the position of the index that takes in what x does, -1 if there is
// none; one that deletes when x does goes first, then one with a time to live.
func (c *collection) find(x index, taken []bool) int {
	best, fits := -1, -1
	for i, y := range c.Spec.Indexes {
		if taken[i] || y.Clustered || !c.isSameExtent(x, y) {
			continue
		}
		if fit := x.fit(y); fit > fits {
			best, fits = i, fit
		}
	}
	return best
}

// fit rates how well an index fits the wanted one: 2 if it needs no change.
func (x index) fit(y mongo.IndexSpec) int {
	switch {
	case y.ExpireAfterSeconds.IsMissing():
		return 0
	case catalog.IsSeconds(y.ExpireAfterSeconds, x.seconds):
		return 2
	}
	return 1
}

// isSameExtent reports whether a stored index holds dates of the same field of the same
// documents. The direction of the key does not matter.
func (c *collection) isSameExtent(x index, y mongo.IndexSpec) bool {
	d := policy.DOf(x.key)
	if len(d) != 1 || len(y.Key) != 1 || d[0].Key != y.Key[0].Key || !y.Key[0].Value.Kind().IsNumber() || d[0].Key == "_id" {
		return false
	}
	if x.partial.IsMissing() || y.PartialFilterExpression.IsMissing() {
		return x.partial.IsMissing() && y.PartialFilterExpression.IsMissing()
	}
	// Filters are compared as the release does, because it does not create an index that it
	// considers equal.
	same := y
	same.Name, same.ExpireAfterSeconds, same.Sparse, same.Unique, same.Options = "x", policy.Int32Value(1), false, false, nil
	reply, err := mongo.ValidateCreateIndexes(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{same}}, policy.D{
		{Key: "key", Value: policy.ObjectValue(y.Key)}, {Key: "name", Value: policy.StringValue("x")},
		{Key: "expireAfterSeconds", Value: policy.Int32Value(1)}, {Key: "partialFilterExpression", Value: x.partial},
	}, c.Profile, c.Now)
	return err == nil && !reply.Created && !c.ignoresFilters(x.partial)
}

// ignoresFilters reports whether the release stores this partial filter without reading it,
// as up to 3.0: then an index with it takes in every document.
func (c *collection) ignoresFilters(filter policy.Value) bool {
	reply, err := mongo.ValidateCreateIndexes(mongo.CollectionSpec{}, policy.D{
		{Key: "key", Value: policy.ObjectValue(policy.D{{Key: "x", Value: policy.Int32Value(1)}})}, {Key: "name", Value: policy.StringValue("x")},
		{Key: "partialFilterExpression", Value: filter},
	}, c.Profile, c.Now)
	return err == nil && slices.Contains(reply.Ignored, "partialFilterExpression")
}

// forever is the delay of an index that deletes nothing.
const forever = int64(1) << 62

// effective returns the delay of a stored option in seconds.
func (c *collection) effective(stored policy.Value) int64 {
	n, ok := mongo.WholeSeconds(stored)
	switch {
	case stored.IsMissing() || !c.deletesBy(stored):
		return forever
	case stored.IsNaN() && c.Profile.ReadsNaNAsZero():
		return 0
	case stored.IsNaN(), !ok:
		return forever
	}
	return n
}

// deletesBy reports whether an index with this option deletes a date. Some releases
// skip an option that is out of range, or leave unspecified how they read it.
func (c *collection) deletesBy(option policy.Value) bool {
	x := mongo.IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: option}
	by, err := mongo.CompileIndex(mongo.CollectionSpec{}, x, c.Profile)
	return err == nil && by.Decide(policy.D{{Key: "t", Value: policy.DateValue(0)}}, c.Now).State != policy.Never
}

// seconds writes a stored option for people.
func (c *collection) seconds(stored policy.Value) string {
	n, ok := mongo.WholeSeconds(stored)
	if stored.IsMissing() {
		return ""
	}
	if stored.IsNaN() || !ok || n < 0 {
		return fmt.Sprintf("expireAfterSeconds %v", stored)
	}
	return catalog.Span(n)
}

// setSeconds makes the index at a position delete after n seconds: by collMod, or by
// dropping and creating it again.
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

// rebuilt warns of the time without an index that is dropped and created again.
func (c *collection) rebuilt(x mongo.IndexSpec) string {
	text := "Until it is built again, queries do without it"
	if x.Unique {
		text += " and nothing keeps its values unique"
	}
	return text + "."
}

// remove takes the time to live from the index at a position. It keeps the index for
// queries, unless a missing index needs its key.
func (c *collection) remove(i int, missing []index) Item {
	x := c.Spec.Indexes[i]
	item := Item{Action: ToDrop, Name: x.Name, Before: c.describe(x), turn: removes}
	drop := c.DropIndexes(x.Name)
	if slices.ContainsFunc(missing, func(m index) bool { return sameField(m, x) }) {
		item.ways = [][]catalog.Command{{drop}}
		return item
	}
	item.After = "an index without a time to live"
	item.warning = c.rebuilt(x) + " If no query needs it, leave the second command out."
	item.ways = [][]catalog.Command{{drop, c.CreateIndexes(c.WithoutTTL(c.ListedIndexes[i]))}}
	return item
}

func sameField(m index, x mongo.IndexSpec) bool {
	d := policy.DOf(m.key)
	return len(d) == 1 && len(x.Key) == 1 && d[0].Key == x.Key[0].Key
}

// document returns the index as an argument of createIndexes.
func (x index) document() policy.D {
	d := policy.D{{Key: "key", Value: x.key}}
	if x.name != "" {
		d = append(d, policy.E{Key: "name", Value: policy.StringValue(x.name)})
	}
	d = mongo.WithDefaultName(d)
	d = append(d, policy.E{Key: "expireAfterSeconds", Value: policytext.Integer(x.seconds)})
	if !x.partial.IsMissing() {
		d = append(d, policy.E{Key: "partialFilterExpression", Value: x.partial})
	}
	return d
}

// create makes an index that is missing. Its name, if none is given, is the usual one,
// or another where that is taken.
func (c *collection) create(x index) Item {
	d := x.document()
	name, _ := policy.ObjectValue(d).Field("name").AsString()
	item := Item{Action: ToCreate, Name: name, turn: creates, ways: [][]catalog.Command{{c.CreateIndexes(d)}}}
	item.seconds, item.from = x.seconds, forever
	item.at = func(c *collection, n int64) Item {
		x.seconds = n
		if i := c.find(x, make([]bool, len(c.Spec.Indexes))); i >= 0 {
			return c.setSeconds(i, n)
		}
		return c.create(x)
	}
	item.After = describe(mongo.IndexSpec{Key: policy.DOf(x.key), PartialFilterExpression: x.partial}, catalog.Span(x.seconds))
	if x.name == "" {
		other := slices.Clone(d)
		for i := range other {
			if other[i].Key == "name" {
				other[i].Value = policy.StringValue(name + "_ttl")
			}
		}
		item.ways = append(item.ways, []catalog.Command{c.CreateIndexes(other)})
	}
	return item
}

// describe says what a stored index deletes.
func (c *collection) describe(x mongo.IndexSpec) string {
	text := describe(x, c.seconds(x.ExpireAfterSeconds))
	alone, err := mongo.CompileIndex(mongo.CollectionSpec{TimeSeries: c.Spec.TimeSeries, Clustered: c.Spec.Clustered}, x, c.Profile)
	if err == nil && !x.ExpireAfterSeconds.IsMissing() && reasons.IsIdle(alone.Decide(policy.D{}, 0).Rule) {
		text += ", by which nothing is deleted"
	}
	return text
}

// describe says what an index deletes: "30 d after createdAt where {kind: "guest"}".
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
