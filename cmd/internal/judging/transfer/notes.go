package transfer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Note says how well one aspect of a policy carries over.
type Note struct {
	Fidelity Fidelity `json:"fidelity"`
	Text     string   `json:"text"`
	// Rules are the identifiers of the rules from which the note follows, in the
	// catalogues of both engines.
	Rules []string `json:"rules"`
}

// notesToCosmos returns notes on how a MongoDB collection's policy carries over to Cosmos DB
// with a ttl in each document, the best first. The notes hold for documents as they are
// at the import; use [ttlOf] for a single document.
func notesToCosmos(c mongo.CollectionSpec, p mongo.Profile) ([]Note, error) {
	if _, err := mongo.CompileCollection(c, p); err != nil {
		return nil, err
	}
	notes := []Note{
		{Rounded, "Each document expires at its deadline as it is at the import, rounded up to the second.", []string{"mongo.date", "cosmos.item"}},
		{Exact, "A document that never expires has no ttl in a container whose defaultTtl is -1.", []string{"cosmos.no-default"}},
		{Approximate, "A deadline that is past at the import is reached a second after it, because a ttl is at least 1.", []string{"cosmos.item-refused"}},
		{Approximate, "Every write restarts the clock there, so that an update puts the deadline off; here only a change of the date does. Writers must set ttl anew.", []string{"cosmos.write-restarts"}},
		{Approximate, "New documents need a ttl from whoever writes them: the setting alone expires nothing.", []string{"cosmos.no-default"}},
		{Approximate, "An expired document is hidden at once there and removed later; here it stays visible until it is removed.", []string{"mongo.expired-visible", "cosmos.expired-invisible"}},
	}
	if mayHoldArrays(c) {
		notes = append(notes, Note{Approximate, "Of an array the earliest date at the import counts; an earlier one that is added later does not.", []string{"mongo.array-earliest"}})
	}
	for _, x := range c.Indexes {
		notes = append(notes, indexNotes(c, x, p)...)
	}
	notes = append(notes, Note{Lost, "A deadline more than 2147483647 seconds (68 years) after the import cannot be said; the document is kept.", []string{"cosmos.seconds"}})
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Compare(b.Fidelity, a.Fidelity) })
	return notes, nil
}

// mayHoldArrays reports whether the dates of a collection may be in arrays. The
// time of a measurement and the _id of a clustered collection cannot.
func mayHoldArrays(c mongo.CollectionSpec) bool {
	isTTL := func(x mongo.IndexSpec) bool { return !x.ExpireAfterSeconds.IsMissing() }
	return c.TimeSeries.IsMissing() && slices.ContainsFunc(c.Indexes, isTTL)
}

// indexNotes returns the notes on one index.
func indexNotes(c mongo.CollectionSpec, x mongo.IndexSpec, p mongo.Profile) (notes []Note) {
	if x.ExpireAfterSeconds.IsMissing() {
		return nil
	}
	if !x.PartialFilterExpression.IsMissing() {
		notes = append(notes, Note{Approximate, fmt.Sprintf("Whether a document is in the partial index %s is looked at once, at the import; a later update that takes it out does not save it, and one that takes it in does not expire it.", x.Name),
			[]string{"mongo.filter-mismatch"}})
	}
	c.Indexes, c.ExpireAfterSeconds = []mongo.IndexSpec{x}, policy.Value{}
	index, err := mongo.CompileCollection(c, p)
	if err != nil || !c.TimeSeries.IsMissing() {
		return notes
	}
	if from, to := index.Bounds(0, policy.MaxInstant); from > to {
		rule := index.Decide(policy.D{}, policy.MaxInstant).Rule
		notes = append(notes, Note{Exact, fmt.Sprintf("The index %s deletes nothing here, and so nothing carries over.", x.Name), []string{rule.String()}})
	}
	return notes
}

// fieldIndex returns notes on carrying a MongoDB TTL index over unchanged to Cosmos
// DB for MongoDB, on the same field: whether it is accepted, and how it treats the
// documents. Compare each document too, with [compare], because numbers count as
// dates there.
func fieldIndex(x mongo.IndexSpec, account cosmos.CollectionSpec) ([]Note, bool) {
	seconds := x.ExpireAfterSeconds
	if seconds.IsMissing() || !x.PartialFilterExpression.IsMissing() || len(x.Key) != 1 || x.Key[0].Key == "_ts" {
		return nil, false
	}
	there := cosmos.IndexSpec{Name: x.Name, Key: x.Key, ExpireAfterSeconds: seconds}
	if cosmos.ValidateCreateIndexes(account, there) != nil {
		return nil, false
	}
	return []Note{
		{Rounded, "A date in the field expires at the same millisecond, or at the next one: which is unspecified.", []string{"mongo.date", "cosmos.mongo-field", "cosmos.mongo-field-boundary-unspecified"}},
		{Approximate, "A number in the field is Unix milliseconds there, and nothing here: such documents must not be carried over as they are.", []string{"mongo.field-not-date", "cosmos.mongo-field-type"}},
		{Approximate, "What a path through arrays leads to there is unspecified.", []string{"cosmos.mongo-field"}},
		{Approximate, "An expired document is hidden at once there and removed later; here it stays visible until it is removed.", []string{"mongo.expired-visible", "cosmos.expired-invisible"}},
		{Lost, "A document with a ttl of its own is kept by what is said here: whether it counts there is unspecified.", []string{"cosmos.mongo-field-ttl-unspecified"}},
	}, true
}

// notesToMongoDB returns notes on how a Cosmos DB policy carries over to MongoDB with a
// date in each document, under a TTL index with expireAfterSeconds 0.
func notesToMongoDB() []Note {
	return []Note{
		{Exact, "Each document expires at its deadline as it is at the export, to the millisecond.", []string{"cosmos.item", "cosmos.default", "mongo.date"}},
		{Exact, "A document that never expires lacks the field.", []string{"mongo.field-missing"}},
		{Exact, "A ttl, a _ts and the other fields of the service are left out: the date says what they said. An id becomes the _id.", []string{"cosmos.item"}},
		{Approximate, "A write does not put the deadline off here, as it does there. Writers must set the date anew.", []string{"cosmos.write-restarts", "mongo.date"}},
		{Approximate, "New documents need a date from whoever writes them: there is no default here.", []string{"mongo.field-missing"}},
		{Approximate, "A change of the container's setting takes effect on all items there; here each document keeps its date.", []string{"cosmos.setting-now"}},
		{Approximate, "An expired document stays visible until it is removed here; there it is hidden at once.", []string{"mongo.expired-visible", "cosmos.expired-invisible"}},
		{Lost, "An item whose outcome is unspecified is kept.", []string{"cosmos.item-unspecified"}},
	}
}
