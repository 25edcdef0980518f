package wirettl

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	mongocommand "github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands about collections and indexes. The rules decide how a release reads a
// definition.

func now() policy.Instant { return policy.InstantOf(time.Now()) }

func (s *server) create(c command) (policy.D, error) {
	return nil, s.rules.Create(c.ns, c.arguments(), now())
}

func (s *server) createIndexes(c command) (policy.D, error) {
	list, err := c.list("indexes")
	if err != nil {
		return nil, err
	}
	var indexes []policy.D
	for _, v := range list {
		indexes = append(indexes, policy.DOf(v))
	}
	made, err := s.ensure(c.ns)
	if err != nil {
		return nil, err
	}
	before, err := s.indexesOf(c.ns)
	if err != nil {
		return nil, err
	}
	if err := s.rules.CreateIndexes(c.ns, indexes, now()); err != nil {
		return nil, err
	}
	after, err := s.indexesOf(c.ns)
	return document("numIndexesBefore", len(before), "numIndexesAfter", len(after), "createdCollectionAutomatically", made), err
}

// ensure makes an ordinary collection if it is missing, and reports whether it made one.
func (s *server) ensure(ns string) (made bool, err error) {
	if _, err := s.store.Spec(ns); !errors.Is(err, boltttl.ErrNoCollection) {
		return false, err
	}
	err = s.store.Adopt(ns, mongo.CollectionSpec{Namespace: ns})
	if errors.Is(err, boltttl.ErrCollectionExists) { // another client was faster
		return false, nil
	}
	return err == nil, err
}

func (s *server) collMod(c command) (policy.D, error) {
	before, after, err := s.rules.CollMod(c.ns, c.arguments(), now())
	return withoutMissing(document("expireAfterSeconds_old", before, "expireAfterSeconds_new", after)), err
}

func (s *server) drop(c command) (policy.D, error) {
	return document("ns", c.ns), s.store.Drop(c.ns)
}

func (s *server) dropDatabase(c command) (policy.D, error) {
	names, err := s.collectionsOf(c.database)
	for _, ns := range names {
		err = errors.Join(err, s.store.Drop(ns))
	}
	return document("dropped", c.database), err
}

// dropIndexes drops an index by its name or key pattern, or all with "*".
func (s *server) dropIndexes(c command) (policy.D, error) {
	indexes, err := s.indexesOf(c.ns)
	if err != nil {
		return nil, err
	}
	which := c.Field("index")
	name, _ := which.AsString()
	found := name == "*"
	for _, x := range indexes {
		isIt := name == "*" || name == x.Name || which.Equal(policy.ObjectValue(x.Key))
		switch {
		case isIt && x.Name != idIndex:
			found, err = true, errors.Join(err, s.store.DropIndex(c.ns, x.Name))
		case isIt && name != "*":
			return nil, failed(codes.InvalidOptions, "cannot drop _id index")
		}
	}
	if !found {
		return nil, failed(codes.IndexNotFound, "index not found: %s", which)
	}
	return document("nIndexesWas", len(indexes)), err
}

// idIndex is the name of the index on _id, which no store keeps.
const idIndex = "_id_"

// indexesOf returns a collection's indexes with the one on _id.
func (s *server) indexesOf(ns string) ([]mongo.IndexSpec, error) {
	spec, err := s.store.Spec(ns)
	if err != nil {
		return nil, err
	}
	isID := func(x mongo.IndexSpec) bool { return x.Name == idIndex }
	if spec.View || !spec.TimeSeries.IsMissing() || slices.ContainsFunc(spec.Indexes, isID) {
		return spec.Indexes, nil
	}
	id := mongo.IndexSpec{Name: idIndex, Key: document("_id", 1)}
	if spec.Clustered {
		id.Unique, id.Clustered, id.ExpireAfterSeconds = true, true, spec.ExpireAfterSeconds
	}
	return append([]mongo.IndexSpec{id}, spec.Indexes...), nil
}

func (s *server) listIndexes(c command) (policy.D, error) {
	spec, err := s.store.Spec(c.ns)
	if err != nil {
		return nil, err
	}
	collection, err := mongo.CompileCollection(spec, s.store.Profile())
	if err != nil {
		return nil, err
	}
	all, err := mongocommand.ListIndexes(collection)
	return firstBatch(c.ns, all), err
}

// collectionsOf returns the full names of a database's collections.
func (s *server) collectionsOf(database string) ([]string, error) {
	all, err := s.store.Collections()
	return slices.DeleteFunc(all, func(ns string) bool { return !strings.HasPrefix(ns, database+".") }), err
}

func (s *server) listCollections(c command) (policy.D, error) {
	f, err := compileFilter(c.Field("filter"))
	if err != nil {
		return nil, err
	}
	names, err := s.collectionsOf(c.database)
	if err != nil {
		return nil, err
	}
	all := []policy.Value{}
	for _, ns := range names {
		spec, err := s.store.Spec(ns)
		if errors.Is(err, boltttl.ErrNoCollection) {
			continue // it was dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		if d := entryOf(ns, spec); f.holds(d) {
			all = append(all, valueOf(d))
		}
	}
	return firstBatch(c.database+".$cmd.listCollections", all), nil
}

// entryOf returns a collection as listCollections shows it.
func entryOf(ns string, spec mongo.CollectionSpec) policy.D {
	kind := "collection"
	switch {
	case spec.View:
		kind = "view"
	case !spec.TimeSeries.IsMissing():
		kind = "timeseries"
	}
	spec.Namespace = "" // no server shows it among the options
	options, _ := spec.Documents()
	_, name, _ := strings.Cut(ns, ".")
	return document("name", name, "type", kind, "options", options, "info", document("readOnly", false))
}

func (s *server) listDatabases(command) (policy.D, error) {
	names, err := s.store.Collections()
	for i, ns := range names {
		names[i], _, _ = strings.Cut(ns, ".")
	}
	all := []policy.Value{}
	for _, name := range slices.Compact(names) {
		all = append(all, valueOf(document("name", name, "sizeOnDisk", int64(0), "empty", false)))
	}
	return document("databases", all, "totalSize", int64(0)), err
}
