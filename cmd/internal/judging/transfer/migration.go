package transfer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Systems are the possible target systems of a migration.
var Systems = []string{definition.CosmosNoSQL, definition.CosmosMongo, definition.MongoDB}

// Options set the target system of a migration, and how documents are rewritten for it.
type Options struct {
	To        string           // the target system, one of [Systems]
	Now       policy.Instant   // the time at which the documents are imported
	Field     string           // the field for the deadline, if the target is MongoDB
	Replace   bool             // replace the value that a document has in Field
	Keep      []string         // the fields of the service that documents keep, if the target is MongoDB; see [KeptFields]
	WrittenAt cosmos.Timestamp // the last write of the items that have no _ts, if the target is MongoDB; the import, if it is Cosmos DB
	Item      Item             // the form of items, if the target is Azure Cosmos DB for NoSQL; IDFrom also if it is MongoDB
	Kind      dump.Kind        // the kind of the input
	Drop      bool             // leave out the documents that have expired at Now
	NoIDs     bool             // see [Run]
	Read      func(bytes int)  // see [dump.StreamOptions]
}

// A Migration is the transfer of one collection or container to another system.
type Migration struct {
	Collection string             `json:"collection,omitempty"` // the name of the collection, if known
	From       string             `json:"from"`
	Assumed    bool               `json:"assumed,omitempty"` // the release is an assumption, because nothing names it
	Read       []string           `json:"read,omitempty"`    // notes on how the policy was read, and on its parts without effect
	Create     string             `json:"create"`            // the settings of the container, or a command; empty if no document expires
	Steps      []change.Step      `json:"steps"`             // the commands of Create, with warnings about the documents that they delete at once
	Notes      []Note             `json:"notes"`
	Result     *Result            `json:"documents,omitempty"` // nil if no documents were read, or Err is not nil
	Out        string             `json:"out,omitempty"`       // the file with the documents
	Error      string             `json:"error,omitempty"`     // the text of Err
	Err        error              `json:"-"`                   // the reason why the collection is not transferred
	policy     *reasons.Policy    // the policy that decides about the documents
	of         []*dump.Collection // the collections that hold the documents
	rewrite    Rewriter
}

// ErrSystem is the error for a target system that does not fit the policy.
var ErrSystem = errors.New("want cosmos-nosql or cosmos-mongo for a policy of MongoDB, and mongodb for a policy of Azure Cosmos DB")

// RefuseBuckets returns an error if one of the collections holds the buckets of a
// time-series collection.
func RefuseBuckets(of []*dump.Collection) error {
	for _, c := range of {
		if c.Buckets {
			return fmt.Errorf("%s: %w", c.Place(), errBuckets)
		}
	}
	return nil
}

// Of returns the migration of a collection. The parameter of lists the dumped collections
// with its documents, which [RefuseBuckets] accepts; it is nil if no documents are read.
// The error is [ErrSystem], or the reason why the policy cannot be transferred.
func Of(s change.Subject, of []*dump.Collection, o Options) (*Migration, error) {
	p := s.Policy
	m := &Migration{From: p.Description, Assumed: p.IsAssumed, Read: p.Notes, Steps: []change.Step{}, Notes: []Note{}, policy: p, of: of}
	if (p.System == definition.MongoDB) == (o.To == definition.MongoDB) || !slices.Contains(Systems, o.To) {
		return nil, ErrSystem
	}
	none := expiresNothing(p)
	switch {
	case o.To == definition.MongoDB:
		back := returning{Options: o, isItem: p.System == definition.CosmosNoSQL, withTTL: !none && (p.System == definition.CosmosNoSQL || countsWrites(p))}
		if none {
			back.Field = ""
		}
		m.toMongoDB(s, back)
		return m, nil
	case none: // no document expires, before and after
		m.rewrite = func(policy.Document, policy.Decision) (Edit, error) { return Edit{Fidelity: Exact}, nil }
		return m, nil
	}
	return m, m.toCosmos(s, o)
}

func expiresNothing(p *reasons.Policy) bool {
	switch p.System {
	case definition.CosmosNoSQL:
		return p.Container.DefaultTTL.IsMissingOrNull()
	case definition.MongoDB:
		return len(p.Sources) == 0
	}
	return false
}

// countsWrites reports whether the policy of Azure Cosmos DB counts from the last write.
func countsWrites(p *reasons.Policy) bool {
	reads, ok := p.Evaluator.(interface{ Reads() []string })
	return ok && slices.Contains(reads.Reads(), "_ts")
}

func (m *Migration) toMongoDB(s change.Subject, back returning) {
	m.rewrite = back.rewrite
	if field := back.Field; field != "" {
		m.Notes = notesToMongoDB()
		m.createIndex(s, field, policy.Int32Value(0), reasons.DeletesDated("document", cli.Visible(field), false, 0))
	}
}

func (m *Migration) toCosmos(s change.Subject, o Options) (err error) {
	m.rewrite = ToCosmos(o.imported())
	if m.Notes, err = notesToCosmos(s.Policy.Collection, s.Policy.Profile); err != nil {
		return err
	}
	if o.To == definition.CosmosMongo {
		m.createIndex(s, "_ts", policy.Int32Value(-1), reasons.DeletesWritten("document", cosmos.TTLSeconds(-1)))
		return nil
	}
	m.Create = `{"defaultTtl":-1}`
	there, err := change.OfContainer(*catalog.ContainerIn("", cosmos.ContainerSpec{}, s.Database, s.Collection), policy.Int32Value(-1))
	m.Steps = there.Steps()
	return err
}

func (m *Migration) createIndex(s change.Subject, field string, seconds policy.Value, atOnce string) {
	name := s.Collection
	if name == "" {
		name = "COLLECTION"
	}
	collection, _ := mongosh.Collection(s.Database, name)
	key, _ := mongosh.Literal(policy.ObjectValue(policy.D{{Key: field, Value: policy.Int32Value(1)}}))
	m.Create = fmt.Sprintf("%s.createIndex(%s, {expireAfterSeconds: %s})", collection, key, catalog.Plain(seconds))
	m.Steps = []change.Step{{Command: m.Create, Warning: atOnce}}
}

var errBuckets = errors.New("these are the buckets of a time-series collection, which no other system reads; export its measurements")

// withoutBuckets returns a Rewriter that works as rewrite does, except for the
// time-series collection c: for a document that is a bucket and not a measurement it
// returns errBuckets.
func withoutBuckets(c mongo.CollectionSpec, rewrite Rewriter) Rewriter {
	field, ok := c.TimeSeries.Field("timeField").AsString()
	if !ok {
		return rewrite
	}
	return func(doc policy.Document, d policy.Decision) (Edit, error) {
		_, dated := doc.Field(field).AsDate()
		control := doc.Field("control")
		if (!dated || field == "meta") && control.Field("min").Kind() == policy.Object && control.Field("max").Kind() == policy.Object {
			return Edit{}, errBuckets
		}
		return rewrite(doc, d)
	}
}

func (o Options) imported() cosmos.Timestamp {
	if _, ok := o.WrittenAt.Seconds(); ok {
		return o.WrittenAt
	}
	return cosmos.TimestampAt(o.Now)
}

func (o Options) evaluator(p *reasons.Policy) definition.Decider {
	if _, ok := o.WrittenAt.Seconds(); ok && o.To == definition.MongoDB && countsWrites(p) {
		return dated{p, o.WrittenAt}
	}
	return p
}

// formOf returns the form in which documents are written if they were read in the kind k.
func (o Options) formOf(k dump.Kind) Form {
	switch {
	case o.To == definition.CosmosNoSQL:
		return JSON
	case k == dump.BSON:
		return BSON
	}
	return ExtJSON
}

// ToCosmos returns a Rewriter that adds a ttl. The ttl keeps the document's deadline if
// the document is imported at the given second; see [ttlOf].
func ToCosmos(imported cosmos.Timestamp) Rewriter {
	return func(doc policy.Document, d policy.Decision) (Edit, error) {
		if !doc.Field("_ts").IsMissing() {
			return Edit{}, ownField("_ts")
		}
		ttl, fidelity, delay := ttlOf(d, imported)
		edit := Edit{Field: "ttl", Fidelity: fidelity, Delay: delay}
		if seconds, expires := ttl.Seconds(); expires {
			edit.Value = policy.Int32Value(int32(seconds))
		}
		if !doc.Field("ttl").IsMissing() {
			return edit, hasField("ttl", "")
		}
		return edit, nil
	}
}

// ownField returns the error about a field whose name the service uses itself.
func ownField(name string) error {
	return refusedf("its field %q would be lost, as the service has its own of that name", name)
}

// hasField returns the error about a document that has a field already, whose value would be lost.
func hasField(name, advice string) error {
	return refusedf("it has a field %q already%s", name, advice)
}

// KeptFields are the fields that [Options].Keep may name: those with which Azure Cosmos DB
// for NoSQL identifies, dates and expires an item.
var KeptFields = []string{"id", "ttl", "_ts", "_rid", "_self", "_etag", "_attachments"}

type returning struct {
	Options
	isItem  bool // the documents are items of the API for NoSQL
	withTTL bool // the ttl of a document is a time to live
}

// rewrite is a [Rewriter]. It adds the deadline as a date in a field, which has a TTL index
// with expireAfterSeconds 0, and leaves out what only the service uses: an id becomes the
// _id unless there is one, and a ttl and a _ts have done their work. With an empty Field no
// document expires. It refuses a document whose _id is an array (MongoDB manual,
// "Documents", the _id field).
func (r *returning) rewrite(doc policy.Document, d policy.Decision) (Edit, error) {
	switch {
	case doc.Field("_id").Kind() == policy.List:
		return Edit{}, refusedf(`its "_id" is an array, which MongoDB refuses`)
	case reasons.IsUnknown(d.Rule):
		return Edit{}, refusedf("when it expires is unknown without its _ts; --written-at says when such items were written")
	}
	doc, err := typed(doc)
	if err != nil {
		return Edit{}, err
	}
	edit := Edit{Document: policy.D{}, Fidelity: Exact}
	if id := doc.Field("id"); r.isItem && id.Kind() == policy.String && doc.Field("_id").IsMissing() && !slices.Contains(r.Keep, "id") {
		edit.Document = append(edit.Document, policy.E{Key: "_id", Value: id})
	}
	deadline, expires := d.Deadline()
	for f := policy.ObjectValue(doc).Fields(); f.Next(); {
		name, v := f.Name(), f.Value()
		switch {
		case r.leavesOut(name, v, doc):
		case name != r.Field || r.Field == "":
			edit.Document = append(edit.Document, policy.E{Key: name, Value: v})
		case !r.Replace && !(expires && isWithin(v, deadline)):
			return edit, hasField(name, "; --field names another, --replace replaces its value")
		}
	}
	if expires {
		edit.Document = append(edit.Document, policy.E{Key: r.Field, Value: policy.DateValue(deadline)})
	}
	return edit, nil
}

func (r *returning) leavesOut(name string, v policy.Value, doc policy.Document) bool {
	if !slices.Contains(KeptFields, name) || slices.Contains(r.Keep, name) {
		return false
	}
	switch name {
	case "id":
		return r.isItem && r.isCopy(v, doc)
	case "ttl":
		return r.withTTL && (v.Kind().IsNumber() || v.Kind() == policy.Null)
	case "_ts":
		return r.isItem || r.withTTL && v.Kind().IsNumber()
	}
	return r.isItem
}

// isCopy reports whether the id of an item became its _id, or was made of another field.
func (r *returning) isCopy(id policy.Value, doc policy.Document) bool {
	text, ok := id.AsString()
	if !ok || doc.Field("_id").IsMissing() {
		return ok
	}
	made, err := appendID(nil, doc.Field(cmp.Or(r.Item.IDFrom, "_id")))
	return err == nil && string(made) == text
}

// typed returns an item in which the type wrappers of Extended JSON, which JSON lacks, are
// values of their types.
func typed(doc policy.Document) (policy.Document, error) {
	item, ok := doc.(*policy.JSON)
	if !ok || !bytes.Contains(item.Bytes(), []byte(`"$`)) && !bytes.Contains(item.Bytes(), []byte(`"\u0024`)) { // no name begins with a dollar sign
		return doc, nil
	}
	v, err := policy.ParseExtJSON(item.Bytes())
	var trouble *policy.SyntaxError
	if errors.As(err, &trouble) {
		const cannot = "it cannot be written as Extended JSON"
		return nil, &RefusedError{cannot + ": " + trouble.Err.Error(), cannot}
	}
	return v, err
}

// isWithin reports whether v is a date by which a document expires at a deadline, or would
// if the deadline were not rounded up to the second.
func isWithin(v policy.Value, deadline policy.Instant) bool {
	at, ok := v.AsDate()
	return ok && at <= deadline && uint64(deadline)-uint64(at) < uint64(second)
}

// A dated is an evaluator for documents without a _ts that were last written at a second.
type dated struct {
	*reasons.Policy
	at cosmos.Timestamp
}

// Decide decides about a document that was last written at its own _ts, or at the second.
func (e dated) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	d := e.Policy.Decide(doc, now)
	if !reasons.IsUnknown(d.Rule) || !doc.Field("_ts").IsMissing() {
		return d
	}
	switch from := e.Evaluator.(type) {
	case *cosmos.Container:
		return from.DecideItem(cosmos.Item{TTL: cosmos.TTLOf(doc.Field("ttl")), TS: e.at}, now)
	case *cosmos.Collection:
		return from.DecideAt(doc, e.at, now)
	}
	return d
}
