package wirettl

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands that define policies. Package mongo says what a release makes of them.

func now() policy.Instant { return policy.InstantOf(time.Now()) }

func (s *server) create(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	made, err := mongo.ValidateCreate(c.arguments(), s.profile, now())
	if err != nil {
		return nil, err
	}
	made.Collection.Namespace = ns
	return nil, s.store.Adopt(ns, made.Collection)
}

// ensure makes an ordinary collection unless there is one, and reports whether it did.
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

func (s *server) createIndexes(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	list, err := c.list("indexes")
	if err != nil {
		return nil, err
	}
	var indexes []policy.D
	for _, v := range list {
		indexes = append(indexes, policy.DOf(v))
	}
	made, err := s.ensure(ns)
	if err != nil {
		return nil, err
	}
	before, err := s.indexesOf(ns)
	if err != nil {
		return nil, err
	}
	if _, err := s.store.CreateIndexes(ns, indexes, now()); err != nil {
		return nil, err
	}
	after, err := s.indexesOf(ns)
	return document("numIndexesBefore", len(before), "numIndexesAfter", len(after), "createdCollectionAutomatically", made), err
}

func (s *server) collMod(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	did, err := s.store.CollMod(ns, c.arguments(), now())
	return withMissing(withMissing(nil, "expireAfterSeconds_old", did.Old), "expireAfterSeconds_new", did.New), err
}

func (s *server) drop(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	return document("ns", ns), s.store.Drop(ns)
}

func (s *server) dropDatabase(c command) (policy.D, error) {
	names, err := s.collectionsOf(c.database())
	if err != nil {
		return nil, err
	}
	for _, ns := range names {
		if err := s.store.Drop(ns); err != nil {
			return nil, err
		}
	}
	return document("dropped", c.database()), nil
}

// dropIndexes takes indexes away by name, by key pattern, or all with "*".
func (s *server) dropIndexes(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	indexes, err := s.indexesOf(ns)
	if err != nil {
		return nil, err
	}
	names, err := namesToDrop(indexes, c.Field("index"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := s.store.DropIndex(ns, name); err != nil {
			return nil, err
		}
	}
	return document("nIndexesWas", len(indexes)), nil
}

func namesToDrop(indexes []mongo.IndexSpec, which policy.Value) (names []string, err error) {
	asked := []policy.Value{which}
	if which.Kind() == policy.List {
		asked = policy.AOf(which)
	}
	for _, v := range asked {
		name, _ := v.AsString()
		if name == "_id_" {
			return nil, failed(invalidOptions, "cannot drop _id index")
		}
		found := false
		for _, x := range indexes {
			if x.Name != "_id_" && (name == "*" || x.Name == name || v.Equal(policy.ObjectValue(x.Key))) {
				names, found = append(names, x.Name), true
			}
		}
		if !found && name != "*" {
			return nil, failed(indexNotFound, "index not found with name or key %s", v)
		}
	}
	return names, nil
}

// indexesOf returns a collection's indexes, with the one on _id, which no store keeps.
func (s *server) indexesOf(ns string) ([]mongo.IndexSpec, error) {
	spec, err := s.store.Spec(ns)
	if err != nil {
		return nil, err
	}
	isID := func(x mongo.IndexSpec) bool { return x.Name == "_id_" }
	if spec.View || !spec.TimeSeries.IsMissing() || slices.ContainsFunc(spec.Indexes, isID) {
		return spec.Indexes, nil
	}
	id := mongo.IndexSpec{Name: "_id_", Key: document("_id", 1), Version: valueOf(2)}
	if spec.Clustered {
		id.Unique, id.Clustered, id.ExpireAfterSeconds = true, true, spec.ExpireAfterSeconds
	}
	return append([]mongo.IndexSpec{id}, spec.Indexes...), nil
}

// listed returns an index as this release shows it.
func (s *server) listed(x mongo.IndexSpec) policy.D {
	if shown, ok := s.profile.Listed(x.ExpireAfterSeconds); ok && !x.Clustered {
		x.ExpireAfterSeconds = shown
	}
	if x.Version.IsMissing() {
		x.Version = valueOf(2)
	}
	if x.Collation.IsMissing() && s.profile.ListsSimpleCollation() {
		x.Collation = valueOf(document("locale", "simple"))
	}
	return x.Document()
}

func (s *server) listIndexes(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	indexes, err := s.indexesOf(ns)
	if err != nil {
		return nil, err
	}
	var all []policy.Value
	for _, x := range indexes {
		all = append(all, valueOf(s.listed(x)))
	}
	return firstBatch(ns, all, 0), nil
}

// collectionsOf returns the full names of a database's collections.
func (s *server) collectionsOf(database string) (names []string, err error) {
	all, err := s.store.Collections()
	for _, ns := range all {
		if strings.HasPrefix(ns, database+".") {
			names = append(names, ns)
		}
	}
	return names, err
}

func (s *server) listCollections(c command) (policy.D, error) {
	matches, err := compileFilter(c.Field("filter"))
	if err != nil {
		return nil, err
	}
	names, err := s.collectionsOf(c.database())
	if err != nil {
		return nil, err
	}
	var all []policy.Value
	for _, ns := range names {
		d, err := s.collectionEntry(ns)
		if err != nil {
			return nil, err
		}
		if matches.holds(d) {
			all = append(all, valueOf(d))
		}
	}
	return firstBatch(c.database()+".$cmd.listCollections", all, 0), nil
}

// collectionEntry returns a collection as listCollections shows it.
func (s *server) collectionEntry(ns string) (policy.D, error) {
	spec, err := s.store.Spec(ns)
	if err != nil {
		return nil, err
	}
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
	return document("name", name, "type", kind, "options", options, "info", document("readOnly", false)), nil
}

func (s *server) listDatabases(command) (policy.D, error) {
	names, err := s.store.Collections()
	if err != nil {
		return nil, err
	}
	for i, ns := range names {
		names[i], _, _ = strings.Cut(ns, ".")
	}
	all := []policy.Value{}
	for _, name := range slices.Compact(names) {
		all = append(all, valueOf(document("name", name, "sizeOnDisk", int64(0), "empty", false)))
	}
	return document("databases", all, "totalSize", int64(0)), nil
}
