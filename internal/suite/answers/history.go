package answers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A history is a list of steps, each a document with one field, whose name says what to do.
// It begins with an empty database. The names of steps are those of mongoSteps and cosmosSteps.

// maxSteps is the largest number of steps of a history.
const maxSteps = 100

// A keeper is a database to which a history happens.
type keeper interface {
	// do takes a step that changes something.
	do(step string, argument policy.Value) error
	// tick sets the clock, which never goes back.
	tick(now policy.Instant)
	// ids returns the identifiers of the documents that can be read.
	ids() policy.A
}

// runHistory takes the steps, and returns what each step look sees.
func runHistory(k keeper, start policy.Instant, steps []policy.D) (policy.D, error) {
	if len(steps) > maxSteps {
		return nil, inputFault("steps", fmt.Errorf("%d steps, more than %d", len(steps), maxSteps))
	}
	looks, now := policy.A{}, start
	k.tick(now)
	for i, step := range steps {
		if err := takeStep(k, step, &now, &looks); err != nil {
			if isRefusal(err) {
				return nil, err
			}
			return nil, inputFault(fmt.Sprintf("steps[%d]", i), err)
		}
	}
	return policy.D{field("looks", policy.ListValue(looks))}, nil
}

func takeStep(k keeper, step policy.D, now *policy.Instant, looks *policy.A) error {
	if len(step) != 1 {
		return errors.New("want a document with one field")
	}
	name, argument := step[0].Key, step[0].Value
	switch name {
	case "tick":
		at, ok := argument.AsDate()
		if !ok || at < *now {
			return errors.New("tick: want a date that is not before the clock")
		}
		*now = at
		k.tick(at)
	case "look":
		*looks = append(*looks, policy.ListValue(k.ids()))
	default:
		return k.do(name, argument)
	}
	return nil
}

// isRefusal reports whether a database refuses a step, or the library does not say whether.
func isRefusal(err error) bool {
	return errors.As(err, new(*mongo.SpecError)) || errors.As(err, new(*cosmos.SpecError))
}

// A shelf holds documents by their identifiers, which are compared by type and bits.
type shelf struct {
	id   string // the name of the field with the identifier
	docs []policy.D
}

// find returns the position of the document with an identifier; -1 if there is none.
func (s *shelf) find(id policy.Value) int {
	return slices.IndexFunc(s.docs, func(d policy.D) bool { return d.Field(s.id).String() == id.String() })
}

// put stores a document, in place of one with the same identifier.
func (s *shelf) put(d policy.D) error {
	id := d.Field(s.id)
	if id.IsMissing() {
		return fmt.Errorf("the document has no %s", s.id)
	}
	if i := s.find(id); i >= 0 {
		s.docs[i] = d
	} else {
		s.docs = append(s.docs, d)
	}
	return nil
}

// remove removes the document with an identifier.
func (s *shelf) remove(id policy.Value) error {
	i := s.find(id)
	if i < 0 {
		return fmt.Errorf("there is no document with the identifier %s", id)
	}
	s.docs = slices.Delete(s.docs, i, i+1)
	return nil
}

// idsWhere returns the identifiers of the documents for which seen is true, in the order in
// which they were first stored.
func (s *shelf) idsWhere(seen func(policy.D) bool) policy.A {
	list := policy.A{}
	for _, d := range s.docs {
		if seen(d) {
			list = append(list, d.Field(s.id))
		}
	}
	return list
}

// documentOf returns a document argument.
func documentOf(name string, v policy.Value) (policy.D, error) {
	if v.Kind() != policy.Object {
		return nil, fmt.Errorf("%s: want a document", name)
	}
	return policy.DOf(v), nil
}

// A mongoKeeper is a collection of MongoDB with a TTL monitor, which makes a pass at each tick.
type mongoKeeper struct {
	shelf
	profile mongo.Profile
	now     policy.Instant
	exists  bool // a step has made the collection
	ttl     *mongo.Collection
}

func mongoHistory(q question) (policy.D, error) {
	profile, err := profileOf(q.Target)
	if err != nil {
		return nil, err
	}
	k := &mongoKeeper{shelf: shelf{id: "_id"}, profile: profile}
	if err := k.define(mongo.CollectionSpec{}); err != nil {
		return nil, err
	}
	return runHistory(k, q.Now, q.Steps)
}

// define makes spec the definition of the collection.
func (k *mongoKeeper) define(spec mongo.CollectionSpec) error {
	ttl, err := mongo.CompileCollection(spec, k.profile)
	if err == nil {
		k.ttl = ttl
	}
	return err
}

func (k *mongoKeeper) tick(now policy.Instant) {
	k.now = now
	k.docs = slices.DeleteFunc(k.docs, func(d policy.D) bool { return k.ttl.Decide(d, now).State == policy.Expired })
}

func (k *mongoKeeper) ids() policy.A { return k.idsWhere(func(policy.D) bool { return true }) }

func (k *mongoKeeper) do(step string, argument policy.Value) (err error) {
	switch step {
	case "dropIndexes":
		k.ttl, _, err = command.DropIndexes(k.ttl, argument)
		return err
	case "drop":
		k.docs, k.exists = nil, false
		return k.define(mongo.CollectionSpec{})
	case "delete":
		return k.remove(argument)
	case "restart": // what the catalog stores is read again
		spec, err := mongo.ParseListedCollection(k.ttl.Spec().Documents())
		if err != nil {
			return err
		}
		return k.define(spec)
	}
	d, err := documentOf(step, argument)
	if err != nil {
		return err
	}
	switch step {
	case "create":
		return k.create(d)
	case "createIndexes":
		k.exists = true
		k.ttl, _, err = command.CreateIndexes(k.ttl, []policy.D{command.WithDefaultName(d)}, k.now)
		return err
	case "collMod":
		k.ttl, _, err = command.CollMod(k.ttl, d, k.now)
		return err
	case "write":
		k.exists = true
		return k.put(d)
	case "update":
		return k.update(d)
	}
	return fmt.Errorf("unknown step %q", step)
}

func (k *mongoKeeper) create(d policy.D) error {
	if k.exists {
		return command.CreateAgain(k.ttl, d, k.now)
	}
	made, err := command.Create("", d, k.profile, k.now)
	if err != nil {
		return err
	}
	if !made.Spec().TimeSeries.IsMissing() {
		return errors.New("a history has no time-series collections")
	}
	k.ttl, k.exists = made, true
	return nil
}

// update sets and removes fields of the document with the identifier _id.
func (k *mongoKeeper) update(d policy.D) error {
	i := k.find(d.Field("_id"))
	if i < 0 {
		return fmt.Errorf("there is no document with the identifier %s", d.Field("_id"))
	}
	doc := slices.Clone(k.docs[i])
	for unset := d.Field("unset").Elements(); unset.Next(); {
		name, _ := unset.Value().AsString()
		doc = slices.DeleteFunc(doc, func(e policy.E) bool { return e.Key == name })
	}
	for set := d.Field("set").Fields(); set.Next(); {
		at := slices.IndexFunc(doc, func(e policy.E) bool { return e.Key == set.Name() })
		if at < 0 {
			doc = append(doc, policy.E{})
			at = len(doc) - 1
		}
		doc[at] = policy.E{Key: set.Name(), Value: set.Value()}
	}
	k.docs[i] = doc
	return nil
}

// A cosmosKeeper is a container of Azure Cosmos DB for NoSQL. It hides what has expired, and
// purges nothing.
type cosmosKeeper struct {
	shelf
	now       policy.Instant
	container *cosmos.Container // nil before it is created
}

func cosmosHistory(q question) (policy.D, error) {
	return runHistory(&cosmosKeeper{shelf: shelf{id: "id"}}, q.Now, q.Steps)
}

func (k *cosmosKeeper) tick(now policy.Instant) { k.now = now }

func (k *cosmosKeeper) ids() policy.A {
	return k.idsWhere(func(d policy.D) bool { return k.container.Decide(d, k.now).State != policy.Expired })
}

func (k *cosmosKeeper) do(step string, argument policy.Value) error {
	switch step {
	case "drop":
		k.docs, k.container = nil, nil
		return nil
	case "delete":
		return k.remove(argument)
	case "restart":
		return nil
	}
	d, err := documentOf(step, argument)
	if err != nil {
		return err
	}
	switch step {
	case "create":
		if k.container != nil { // learn.microsoft.com/rest/api/cosmos-db/create-a-collection
			return &cosmos.SpecError{Status: 409, Field: "id", Reason: "a container with this id already exists"}
		}
		return k.define(d)
	case "settings":
		return k.define(d)
	case "write":
		return k.write(d)
	}
	return fmt.Errorf("unknown step %q", step)
}

// define creates the container, or replaces its settings.
func (k *cosmosKeeper) define(settings policy.D) error {
	spec, err := cosmos.ParseListedContainer(plainjson.Append(nil, policy.ObjectValue(settings)))
	if err != nil {
		return err
	}
	k.container, _, err = k.container.Replace(spec)
	return err
}

// write stores an item, and sets its _ts.
func (k *cosmosKeeper) write(item policy.D) error {
	if k.container == nil {
		return errors.New("there is no container")
	}
	if err := cosmos.ValidateItem(k.container.Spec(), item); err != nil && !errors.Is(err, policy.ErrUnspecified) {
		return err
	}
	second, ok := cosmos.TimestampAt(k.now).Seconds()
	if !ok {
		return errors.New("the clock is no time of the service")
	}
	item = slices.DeleteFunc(slices.Clone(item), func(e policy.E) bool { return e.Key == "_ts" })
	return k.put(append(item, field("_ts", policy.Int64Value(int64(second)))))
}
