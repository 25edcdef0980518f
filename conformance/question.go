package conformance

import "github.com/ttlpolicy/ttlpolicy/policy"

// What a question asks, as Go values. Each operation has a type, and [Question] a
// method that reads it; a system that is asked something else answers [Skipped].
// An error names the member that is to blame, such as "in.now", and is a text
// for [Fault]. Questions of the suite cause none.

// An Index is the definition of an index: as listIndexes shows it, or as
// createIndexes is given it. What a definition holds may be of any type, and
// wrong; the fields beside Definition are what it says if it says it right.
type Index struct {
	// Definition is all of it, in its order.
	Definition policy.D
	// Key is the key pattern: paths, each with a direction or with the name of
	// a kind of index. It is nil if the definition has no document there.
	Key policy.D
	// Name is the index's name, "" if the definition has none.
	Name string
	// ExpireAfterSeconds is the delay, of whatever type; Missing for none.
	ExpireAfterSeconds policy.Value
	// PartialFilterExpression is the filter, Missing for none.
	PartialFilterExpression policy.Value
}

// indexOf reads a definition.
func indexOf(d policy.D) Index {
	x := Index{
		Definition:              d,
		ExpireAfterSeconds:      d.Field("expireAfterSeconds"),
		PartialFilterExpression: d.Field("partialFilterExpression"),
	}
	if key := d.Field("key"); key.Kind() == policy.Object {
		x.Key = policy.DOf(key)
	}
	x.Name, _ = d.Field("name").AsString()
	return x
}

// A Collection is what a question says of the collection itself. The zero
// Collection is an ordinary one.
type Collection struct {
	// Options are those that listCollections shows, and "ns", the namespace:
	// timeseries, clusteredIndex, expireAfterSeconds, capped, viewOn and
	// requiresExtendedRangeSupport. It is nil if the question says nothing.
	Options policy.D
}

// Option returns an option, Missing if the question does not give it.
func (c Collection) Option(name string) policy.Value { return c.Options.Field(name) }

// A MongoDecide asks what becomes of a document: mongodb.decide.
type MongoDecide struct {
	Now        policy.Instant
	Collection Collection
	Indexes    []Index
	Document   policy.Value
}

// MongoDecide reads the input of mongodb.decide.
func (q Question) MongoDecide() (d MongoDecide, err error) {
	in, err := q.input()
	d.Now, err = then(err, in.instant, "now")
	d.Document, err = then(err, in.document, "document")
	d.Indexes, err = then(err, in.indexes, "indexes")
	if err == nil {
		d.Collection, err = in.collection()
	}
	return d, err
}

// then reads a member unless something was wrong before.
func then[T any](before error, read func(name string) (T, error), name string) (v T, err error) {
	if before != nil {
		return v, before
	}
	return read(name)
}

// A MongoCreateIndexes asks whether an index is created, and how it is stored:
// mongodb.createIndexes.
type MongoCreateIndexes struct {
	Now        policy.Instant // the machine's clock if the question has none
	Collection Collection
	Existing   []Index
	Index      Index
}

// MongoCreateIndexes reads the input of mongodb.createIndexes.
func (q Question) MongoCreateIndexes() (c MongoCreateIndexes, err error) {
	var definition policy.D
	c.Now, c.Collection, c.Existing, definition, err = q.change("index")
	c.Index = indexOf(definition)
	return c, err
}

// A MongoCollMod asks what collMod makes of an index or of a collection:
// mongodb.collMod.
type MongoCollMod struct {
	Now        policy.Instant // the machine's clock if the question has none
	Collection Collection
	Existing   []Index
	Command    policy.D // {index: {…}} or {expireAfterSeconds: …}, without the collection's name
}

// MongoCollMod reads the input of mongodb.collMod.
func (q Question) MongoCollMod() (c MongoCollMod, err error) {
	c.Now, c.Collection, c.Existing, c.Command, err = q.change("command")
	return c, err
}

// change reads what is to be changed in the named member, and what is there
// already.
func (q Question) change(name string) (now policy.Instant, c Collection, existing []Index, fields policy.D, err error) {
	in, err := q.input()
	if now, err = then(err, in.clock, "now"); err != nil {
		return
	}
	if c, err = in.collection(); err != nil {
		return
	}
	if existing, err = in.existing(); err != nil {
		return
	}
	fields, err = in.fields(name)
	return
}

// A MongoCreate asks whether a collection is created: mongodb.create.
type MongoCreate struct {
	Now     policy.Instant // the machine's clock if the question has none
	Command policy.D       // without the collection's name
}

// MongoCreate reads the input of mongodb.create.
func (q Question) MongoCreate() (c MongoCreate, err error) {
	in, err := q.input()
	c.Now, err = then(err, in.clock, "now")
	c.Command, err = then(err, in.fields, "command")
	return c, err
}

// A CosmosDecide asks what becomes of an item: cosmos.decide.
type CosmosDecide struct {
	Now             policy.Instant
	Container, Item policy.JSON
}

// CosmosDecide reads the input of cosmos.decide.
func (q Question) CosmosDecide() (d CosmosDecide, err error) {
	in, err := q.input()
	d.Now, err = then(err, in.instant, "now")
	d.Container, err = then(err, in.json, "container")
	d.Item, err = then(err, in.json, "item")
	return d, err
}

// A CosmosValidateContainer asks whether settings are taken:
// cosmos.validateContainer.
type CosmosValidateContainer struct {
	Container policy.JSON
	Previous  *policy.JSON // what the settings replace, nil for a new container
}

// CosmosValidateContainer reads the input of cosmos.validateContainer.
func (q Question) CosmosValidateContainer() (c CosmosValidateContainer, err error) {
	in, err := q.input()
	c.Container, err = then(err, in.json, "container")
	if err == nil && in.Has("previous") {
		previous, err := in.json("previous")
		c.Previous = &previous
		return c, err
	}
	return c, err
}

// A CosmosValidateItem asks whether an item is taken: cosmos.validateItem.
type CosmosValidateItem struct{ Container, Item policy.JSON }

// CosmosValidateItem reads the input of cosmos.validateItem.
func (q Question) CosmosValidateItem() (c CosmosValidateItem, err error) {
	in, err := q.input()
	c.Container, err = then(err, in.json, "container")
	c.Item, err = then(err, in.json, "item")
	return c, err
}

// A CosmosMongoDecide asks what becomes of a document of the API for MongoDB:
// cosmosmongo.decide.
type CosmosMongoDecide struct {
	Now      policy.Instant
	Indexes  []Index
	Document policy.Value
	// TS is _ts, in seconds since 1970. HasTS is false if the question has none
	// beside the document.
	TS    int64
	HasTS bool
}

// CosmosMongoDecide reads the input of cosmosmongo.decide.
func (q Question) CosmosMongoDecide() (d CosmosMongoDecide, err error) {
	in, err := q.input()
	d.Now, err = then(err, in.instant, "now")
	d.Document, err = then(err, in.document, "document")
	d.Indexes, err = then(err, in.indexes, "indexes")
	if err == nil && in.Has("_ts") {
		d.HasTS = true
		d.TS, err = in.seconds("_ts")
	}
	return d, err
}

// A CosmosMongoCreateIndexes asks whether the API for MongoDB creates an index:
// cosmosmongo.createIndexes.
type CosmosMongoCreateIndexes struct {
	Existing []Index
	Index    Index
}

// CosmosMongoCreateIndexes reads the input of cosmosmongo.createIndexes.
func (q Question) CosmosMongoCreateIndexes() (c CosmosMongoCreateIndexes, err error) {
	in, err := q.input()
	definition, err := then(err, in.fields, "index")
	c.Index = indexOf(definition)
	if err == nil {
		c.Existing, err = in.existing()
	}
	return c, err
}

// Echo reads the input of self.echo: the value that is to come back.
func (q Question) Echo() (policy.Value, error) {
	in, err := q.input()
	return then(err, in.value, "value")
}
