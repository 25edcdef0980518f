package command

import (
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Create makes a collection by the body of a create command; nil makes an ordinary one, as a
// server does at the first write. The namespace, such as "shop.logs", may be empty for an
// ordinary name. With an error the Collection is nil.
//
//	{timeseries: {timeField: "t", granularity: "minutes"}, expireAfterSeconds: 3600}
//	{clusteredIndex: {key: {_id: 1}, unique: true}, expireAfterSeconds: 3600}
//
// Create checks the options that bear on TTL: timeseries, clusteredIndex, capped, size, max,
// viewOn and expireAfterSeconds. Since 4.2 it also checks the types of other options, and
// idIndex, but not the contents of validators, pipelines and options of storage engines. It
// refuses an option that the release refuses as unknown. The collection's own
// expireAfterSeconds is stored as an int64, doubles truncated, decimals rounded half to even and
// NaN as 0, and must not reach back before 1970 at now. A time-series collection gets the
// granularity and the span that the server fills in.
//
// Create checks a capped clustered collection as a server with enabled test commands does;
// other servers refuse it. The error is a [*mongo.SpecError] as [CollMod] describes it
// (mongodb/mongo: src/mongo/db/commands/create_command.cpp and
// src/mongo/db/catalog/create_collection.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/create).
//
// A [mongo.Collection] holds the definition and the policy, which therefore cannot disagree.
// It never changes: [CreateIndexes], [CollMod] and [DropIndexes] return another one, to be
// stored in place of theirs. Documents that were decided before keep their deadlines until
// they are decided again.
func Create(namespace string, body policy.D, p mongo.Profile, now policy.Instant) (*mongo.Collection, error) {
	made, err := functions{}.ValidateCreate(body, p, now)
	if err != nil {
		return nil, err
	}
	made.Namespace = namespace
	return mongo.CompileCollection(made, p)
}

// CreateAgain carries out create for a collection that exists. It returns nil if the command
// succeeds and changes nothing, as it does since 7.0 with the options that the collection has.
// Otherwise the error is a [*mongo.SpecError]: the code is 48 (NamespaceExists), or the outcome
// is unspecified, for example with options that c does not hold (mongodb/mongo:
// src/mongo/db/catalog/database_impl.cpp, userCreateNS; SERVER-60064).
//
// Experimental: no file of a release from 7.0 on was read.
func CreateAgain(c *mongo.Collection, body policy.D, now policy.Instant) error {
	made, err := functions{}.ValidateCreate(body, c.Profile(), now)
	again := mongofunc.F.Behaviour(c.Profile()).CreateAgain
	if err != nil || again == behaviour.AcceptanceUnspecified {
		return unspecified(rules.CreateExistsUnspecified, "create")
	}
	spec := c.Spec()
	spec.Namespace = ""
	before, _ := spec.Documents()
	if after, _ := made.Documents(); again == behaviour.Accepted && before.Equal(after) {
		for _, e := range body {
			isCompared := slices.Contains([]string{"capped", "clusteredIndex", "timeseries", "expireAfterSeconds"}, e.Key)
			if !isCompared && slices.Contains(catalog.CollectionFields, e.Key) {
				return unspecified(rules.CreateExistsUnspecified, e.Key)
			}
		}
		return nil
	}
	return named(refuseBy(codes.NamespaceExists, rules.CreateExists, "create", "a collection or view with this name already exists"), c.Profile())
}

// CreateIndexes carries out createIndexes: it makes all indexes or none. Each index has the
// form in which the server gets it, with a name; [WithDefaultName] adds one as drivers do.
// The reply has numIndexesBefore and numIndexesAfter, which count the index on _id, and a
// note if nothing was to be done. It has no createdCollectionAutomatically, which the store
// knows.
//
// now matters for releases that bound the delay by the seconds since 1970. The same index twice
// in one command is not covered.
//
// The error is a [*mongo.SpecError] with the server's code and reason, and with the rule
// by which it refuses; its code is 2 (BadValue) without an index. If there are several faults, the
// one that the server finds first decides: up to 2.4 the index is inserted into system.indexes, up
// to 3.2 a catalog checks the specification as a whole, and since 3.4 the server checks for unknown
// fields first, then the other fields in their order, then the TTL options, then the index
// against the collection (mongodb/mongo: src/mongo/db/commands/create_indexes.cpp).
// Options that do not affect expiry are checked only if they decide whether the index can
// be created. The namespace of c decides whether clients may make an index there at
// all. A server checks more, which is not covered: the contents of a wildcard projection and
// of the options of storage engines, the collection's default collation, the number of its
// indexes and its documents, and values that a storage engine cannot store (code 22). The error
// wraps [policy.ErrUnspecified] if the reply of the release is unspecified or depends on the
// storage engine, and [mongo.ErrUnknownVersion] for the zero Collection. The error for a
// definition that BSON cannot hold, such as one with a [policy.OpaqueValue] or an unlisted map, is
// not a SpecError, because no server sends one. Neither is the error for a partial filter that
// has, together with those of c, more than 32,768 fields, elements and parts of paths. With an
// error CreateIndexes returns c, so that its first result can always be stored.
func CreateIndexes(c *mongo.Collection, indexes []policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
	if len(indexes) == 0 {
		return c, nil, named(refuseBy(codes.BadValue, policy.Rule{}, "indexes", "Must specify at least one index to create"), c.Profile())
	}
	spec := c.Spec()
	before := len(withID(spec))
	for _, x := range indexes {
		made, err := functions{}.ValidateCreateIndexes(spec, x, c.Profile(), now)
		if err != nil {
			return c, nil, err
		}
		if made.Created {
			spec.Indexes = append(spec.Indexes, made.Index)
		}
	}
	after := len(withID(spec))
	reply := policy.D{number("numIndexesBefore", before), number("numIndexesAfter", after)}
	if after == before {
		return c, append(reply, policy.E{Key: "note", Value: policy.StringValue("all indexes already exist")}), nil
	}
	return recompiled(c, spec, reply, nil)
}

var errNoBody = errors.New("command: collMod has no body: a document that cannot list its fields, such as a policy.Map, must be a policy.D or BSON")

// CollMod carries out collMod. The body is that of the command without the collection's name:
//
//	{index: {keyPattern: {createdAt: 1}, expireAfterSeconds: 3600}}
//	{expireAfterSeconds: 3600}
//
// The first is for a TTL index, which may be addressed by its name as well. The second is
// for a time-series or clustered collection's own option, which the string "off" removes.
// With dryRun nothing changes. Other options of an index (hidden, unique, prepareUnique)
// are read only if they affect such a change. No other option of collMod changes the
// result, but the release may refuse the command for it, for example for a validator of a
// view, or for an option that the release does not know. now matters for releases that refuse a
// delay reaching back before 1970.
//
// The reply has expireAfterSeconds_old and expireAfterSeconds_new if the release reports them. The
// stored number may differ from the reported one: it is in Spec of the returned Collection. From
// 3.0 to 4.0 it depends on the storage engine; set that as storageEngine with
// [mongo.Profile.WithParameter]. If the engine is not known and the engines would store different
// numbers, the error wraps [policy.ErrUnspecified]. If they store the same number, the result has
// the type that MMAPv1 stores.
//
// The error is a [*mongo.SpecError] with the server's code and reason, and with the
// rule by which it refuses; if there are several faults, the one that the server
// finds first decides. The error wraps [policy.ErrUnspecified] if the reply of the
// release is unspecified, and [mongo.ErrUnknownVersion] for the zero Collection. Servers up to 3.0
// send a reason without a code; the error has the code of later servers (mongodb/mongo:
// src/mongo/db/catalog/coll_mod.cpp; documentdb/functional-tests:
// documentdb_tests/compatibility/tests/core/collections/commands/collMod). The error is another
// one for a nil body, which [policy.DOf] makes of a document that cannot list its fields.
//
// With an error CollMod returns c, so that its first result can always be stored. There is one
// exception: 2.4 and 2.6 keep a change of an index even if they refuse the command for another
// field, and CollMod returns the collection that the catalog holds in spite of the refusal.
func CollMod(c *mongo.Collection, body policy.D, now policy.Instant) (*mongo.Collection, policy.D, error) {
	if body == nil {
		return c, nil, errNoBody
	}
	result, kept, err := collMod(c.Spec(), body, c.Profile(), now)
	switch {
	case kept:
		return recompiled(c, result.Collection, nil, err)
	case err != nil:
		return c, nil, err
	}
	var reply policy.D
	for _, e := range []policy.E{{Key: "expireAfterSeconds_old", Value: result.Old}, {Key: "expireAfterSeconds_new", Value: result.New}} {
		if !e.Value.IsMissing() {
			reply = append(reply, e)
		}
	}
	return recompiled(c, result.Collection, reply, nil)
}

// DropIndexes carries out dropIndexes. The argument is the command's field index: the name
// of an index, an array of names, a key pattern, or "*" for all indexes except the one on
// _id. The reply has nIndexesWas, the number of indexes before, and for "*" a msg.
//
// The error is a [*mongo.SpecError] with the code and the text of current releases, and
// without a Rule: 27 for an index that does not exist, 72 for the one on _id, 181 for a key
// pattern of several indexes. The collection stays as it was then, and DropIndexes returns c
// (mongodb/mongo: src/mongo/db/catalog/drop_indexes.cpp). The error wraps
// [policy.ErrUnspecified] for the own key of a clustered collection, whose refusal has no known
// code, and [mongo.ErrUnknownVersion] for a zero or nil Collection, which has no release.
func DropIndexes(c *mongo.Collection, index policy.Value) (*mongo.Collection, policy.D, error) {
	spec := c.Spec()
	all := withID(spec)
	err := checkDrop(c, spec, index)
	if err != nil {
		return c, nil, named(err, c.Profile())
	}
	reply := policy.D{number("nIndexesWas", len(all))}
	dropped := map[string]bool{}
	switch names := index.Elements(); {
	case value.Text(index) == "*":
		reply = append(reply, policy.E{Key: "msg", Value: policy.StringValue("non-_id indexes dropped for collection")})
		for _, x := range all {
			dropped[x.Name] = !isOnID(x)
		}
	case index.Kind() == policy.List:
		for err == nil && names.Next() {
			err = dropNamed(all, names.Value(), dropped)
		}
	case index.Kind() == policy.Object:
		err = dropKeyed(all, index, dropped)
	default:
		err = dropNamed(all, index, dropped)
	}
	if err != nil {
		return c, nil, named(err, c.Profile())
	}
	spec.Indexes = slices.DeleteFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return dropped[x.Name] })
	return recompiled(c, spec, reply, nil)
}

// checkDrop checks the argument of dropIndexes before any index is looked for.
func checkDrop(c *mongo.Collection, spec mongo.CollectionSpec, index policy.Value) error {
	const at = "index"
	if err := mongofunc.F.CheckRelease(c.Profile()); err != nil {
		return err
	}
	if spec.View {
		return refuseBy(codes.CommandNotSupportedOnView, policy.Rule{}, at, "Cannot drop indexes on view %s", spec.Namespace)
	}
	switch index.Kind() {
	case policy.String, policy.Object:
		return nil
	case policy.List:
		for e := index.Elements(); e.Next(); {
			if e.Value().Kind() != policy.String {
				return refuseBy(codes.TypeMismatch, policy.Rule{}, at, "dropIndexes %s failed to drop multiple indexes %s: index name must be a string", spec.Namespace, value.Shown(index))
			}
		}
		return nil
	case policy.Missing:
		return refuseBy(codes.IDLFailedToParse, policy.Rule{}, at, "BSON field 'dropIndexes.index' is missing but a required field")
	}
	return refuseBy(codes.TypeMismatch, policy.Rule{}, at, "BSON field 'dropIndexes.index' is the wrong type '%s', expected types '[string, object]'", index.Kind())
}

// dropNamed adds the index with a name to those that are dropped.
func dropNamed(all []mongo.IndexSpec, name policy.Value, dropped map[string]bool) error {
	text := value.Text(name)
	i := slices.IndexFunc(all, func(x mongo.IndexSpec) bool { return x.Name == text })
	if i < 0 {
		return refuseBy(codes.IndexNotFound, policy.Rule{}, "index", "index not found with name [%s]", text)
	}
	return drop(all[i], dropped)
}

// dropKeyed adds the index with a key pattern to those that are dropped.
func dropKeyed(all []mongo.IndexSpec, key policy.Value, dropped map[string]bool) error {
	found := slices.DeleteFunc(slices.Clone(all), func(x mongo.IndexSpec) bool {
		c, ok := value.Compare(policy.ObjectValue(storedKey(x.Key)), key)
		return !ok || c != 0
	})
	switch len(found) {
	case 0:
		return refuseBy(codes.IndexNotFound, policy.Rule{}, "index", "can't find index with key: %s", value.Shown(key))
	case 1:
		return drop(found[0], dropped)
	}
	return refuseBy(codes.AmbiguousIndexKeyPattern, policy.Rule{}, "index", "%d indexes found for key: %s, identify by name instead. Conflicting indexes: %s, %s",
		len(found), value.Shown(key), found[0].Name, found[1].Name)
}

func drop(x mongo.IndexSpec, dropped map[string]bool) error {
	switch {
	case x.Clustered:
		return unspecified(rules.CommandUnspecified, "index")
	case isOnID(x):
		return refuseBy(codes.InvalidOptions, policy.Rule{}, "index", "cannot drop _id index")
	}
	dropped[x.Name] = true
	return nil
}

// ListIndexes returns the documents of listIndexes: each index as the release shows it, that
// on _id first, with a v. They have no ns, which releases up to 4.2 show. The error is a
// [*mongo.SpecError]: code 166 for a view, and 5254501 for an index that a
// release from 5.0 on cannot show.
func ListIndexes(c *mongo.Collection) (policy.A, error) {
	spec, p := c.Spec(), mongofunc.F.Behaviour(c.Profile())
	if spec.View {
		return nil, named(refuseBy(codes.CommandNotSupportedOnView, policy.Rule{}, "listIndexes", "Namespace %s is a view, not a collection", spec.Namespace), c.Profile())
	}
	version := policy.Int32Value(1)
	if p.Specs == behaviour.SpecsByField { // since 3.4
		version = policy.Int32Value(2)
	}
	list := policy.A{}
	for _, x := range withID(spec) {
		if x.Version.IsMissing() {
			x.Version = version
		}
		if p.ListsCollation && x.Collation.IsMissing() {
			x.Collation = policy.ObjectValue(policy.D{{Key: "locale", Value: policy.StringValue("simple")}})
		}
		shown := policy.ObjectValue(x.Document())
		if !x.Clustered {
			var err error
			if shown, err = mongofunc.F.ListIndex(c.Profile(), shown); err != nil {
				return nil, err
			}
		}
		list = append(list, shown)
	}
	return list, nil
}

// withID returns the indexes of a collection with the one on _id, which a definition may leave
// out. A view has none, and neither have the buckets of a time-series collection.
func withID(spec mongo.CollectionSpec) []mongo.IndexSpec {
	if spec.View || !spec.TimeSeries.IsMissing() || slices.ContainsFunc(spec.Indexes, isOnID) {
		return spec.Indexes
	}
	id := idIndex
	if spec.Clustered {
		id.Unique, id.Clustered, id.ExpireAfterSeconds = true, true, spec.ExpireAfterSeconds
	}
	return append([]mongo.IndexSpec{id}, spec.Indexes...)
}

// recompiled returns the collection with another definition, beside the reply and the error
// of a command. If the definition does not compile, it returns c and the error of that.
func recompiled(c *mongo.Collection, spec mongo.CollectionSpec, reply policy.D, err error) (*mongo.Collection, policy.D, error) {
	next, wrong := mongo.CompileCollection(spec, c.Profile())
	if wrong != nil {
		return c, nil, wrong
	}
	return next, reply, err
}

func number(name string, n int) policy.E {
	return policy.E{Key: name, Value: policy.Int32Value(int32(n))}
}
