package transfer

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fidelity says how well a policy or a document carries over. Greater is better; the zero
// Fidelity is [Lost].
type Fidelity uint8

// The fidelities.
const (
	Lost        Fidelity = iota // the other system cannot express it; documents are kept
	Approximate                 // documents expire, but later, or only as long as nothing changes
	Rounded                     // documents expire later, by less than a second
	Exact                       // documents expire at the same millisecond, or never in both systems
)

var fidelityNames = []string{Lost: "lost", Approximate: "approximate", Rounded: "rounded", Exact: "exact"}

// String returns "lost", "approximate", "rounded" or "exact".
func (f Fidelity) String() string { return enum.String(f, fidelityNames) }

// MarshalText returns the name of f. It fails for a number that is not a Fidelity.
func (f Fidelity) MarshalText() ([]byte, error) { return enum.MarshalText(f, fidelityNames) }

const second policy.Instant = 1000 // milliseconds

// fidelityOf returns the fidelity of a deadline that is reached later by a delay in
// milliseconds.
func fidelityOf(delay uint64) Fidelity {
	switch {
	case delay == 0:
		return Exact
	case delay < uint64(second):
		return Rounded
	}
	return Approximate
}

// ttlOf returns the ttl by which an item of a container with TTL on and no default expires
// at the deadline of d, if its last write is the import, and the delay of the deadline in
// milliseconds. The parameter imported is the second of the import; see
// [cosmos.TimestampAt]. The deadline is rounded up to the second. A deadline before or in
// the second of the import becomes one second after it, because a ttl is at least 1. The
// item gets no ttl if the deadline is more than 2147483647 seconds after the import and
// cannot be expressed, if the item never expires, or if imported is absent.
func ttlOf(d policy.Decision, imported cosmos.Timestamp) (ttl cosmos.TTL, f Fidelity, delay uint64) {
	deadline, expires := d.Deadline()
	if !expires {
		return cosmos.TTL{}, Exact, 0
	}
	ts, known := imported.Seconds()
	_, isInstant := valuefunc.InstantOfUnix(ts)
	due := int64(deadline / second) // rounded up
	if deadline%second > 0 {
		due++
	}
	due = max(due, ts+1) // a ttl is at least 1
	instant, isReachable := valuefunc.InstantOfUnix(due)
	if !known || !isInstant || !isReachable || due-ts > math.MaxInt32 {
		return cosmos.TTL{}, Lost, 0
	}
	delay = uint64(instant) - uint64(deadline)
	return cosmos.TTLSeconds(due - ts), fidelityOf(delay), delay
}

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
	isTTL := func(x mongo.IndexSpec) bool { return !x.ExpireAfterSeconds.IsMissing() }
	if c.TimeSeries.IsMissing() && slices.ContainsFunc(c.Indexes, isTTL) { // a measurement's time and a clustered _id are no arrays
		notes = append(notes, Note{Approximate, "Of an array the earliest date at the import counts; an earlier one that is added later does not.", []string{"mongo.array-earliest"}})
	}
	for _, x := range c.Indexes {
		notes = append(notes, indexNotes(c, x, p)...)
	}
	notes = append(notes, Note{Lost, "A deadline more than 2147483647 seconds (68 years) after the import cannot be said; the document is kept.", []string{"cosmos.seconds"}})
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Compare(b.Fidelity, a.Fidelity) })
	return notes, nil
}

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
