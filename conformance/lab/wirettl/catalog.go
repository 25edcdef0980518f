package wirettl

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Rules are a server's TTL rules: the effect of the commands that define policies, and the
// decisions of a pass of the monitor. Package broken has wrong rules, to test the live suite.
type Rules struct {
	Create        func(ns string, body policy.D, p mongo.Profile, now policy.Instant) (*mongo.Collection, error)
	CreateIndexes func(*mongo.Collection, []policy.D, policy.Instant) (*mongo.Collection, policy.D, error)
	CollMod       func(c *mongo.Collection, body policy.D, now policy.Instant) (*mongo.Collection, policy.D, error)
	// Pass begins a pass at now. It returns the function that says whether the pass deletes a
	// document of the collection with the full name ns.
	Pass func(now policy.Instant) func(ns string, c *mongo.Collection, doc policy.BSON) bool
}

// Right returns the library's rules.
func Right() *Rules {
	return &Rules{command.Create, command.CreateIndexes, command.CollMod, func(now policy.Instant) func(string, *mongo.Collection, policy.BSON) bool {
		return func(_ string, c *mongo.Collection, doc policy.BSON) bool {
			return c.Decide(&doc, now).State == policy.Expired
		}
	}}
}

// The commands about collections and indexes follow.

// definition returns the arguments of a command that defines. The library knows no time limit of
// DocumentDB's commands, which drivers add.
func (s *server) definition(c request) policy.D {
	return slices.DeleteFunc(c.arguments(), func(e policy.E) bool { return s.Release.Product != "" && e.Key == "maxTimeMS" })
}

func now() policy.Instant { return policy.InstantOf(time.Now()) }

// named returns a collection, or the error that there is none.
func (s *server) named(ns string) (*collection, error) {
	if c := s.collections[ns]; c != nil {
		return c, nil
	}
	return nil, failed(namespaceNotFound, "ns does not exist: %s", ns)
}

// ensure returns a collection. It makes an ordinary one if it is missing.
func (s *server) ensure(ns string) (*collection, error) {
	if c := s.collections[ns]; c != nil {
		return c, nil
	}
	made, err := command.Create(ns, nil, s.profile, now())
	if err != nil {
		return nil, err
	}
	s.collections[ns] = &collection{made, map[string]policy.BSON{}}
	return s.collections[ns], nil
}

func (s *server) create(c request) (policy.D, error) {
	if existing := s.collections[c.ns]; existing != nil {
		return nil, command.CreateAgain(existing.Collection, s.definition(c), now())
	}
	made, err := s.Rules.Create(c.ns, s.definition(c), s.profile, now())
	if err == nil {
		s.collections[c.ns] = &collection{made, map[string]policy.BSON{}}
	}
	return nil, err
}

func (s *server) createIndexes(c request) (reply policy.D, err error) {
	list, err := c.list("indexes")
	if err != nil {
		return nil, err
	}
	var indexes []policy.D
	for _, v := range list {
		indexes = append(indexes, policy.DOf(v))
	}
	_, isThere := s.collections[c.ns]
	on, err := s.ensure(c.ns)
	if err != nil {
		return nil, err
	}
	on.Collection, reply, err = s.Rules.CreateIndexes(on.Collection, indexes, now())
	return append(reply, field("createdCollectionAutomatically", !isThere)), err
}

func (s *server) collMod(c request) (reply policy.D, err error) {
	on, err := s.named(c.ns)
	if err == nil {
		on.Collection, reply, err = s.Rules.CollMod(on.Collection, s.definition(c), now())
	}
	return reply, err
}

func (s *server) dropIndexes(c request) (reply policy.D, err error) {
	on, err := s.named(c.ns)
	if err == nil {
		on.Collection, reply, err = command.DropIndexes(on.Collection, c.Field("index"))
	}
	return reply, err
}

func (s *server) listIndexes(c request) (policy.D, error) {
	on, err := s.named(c.ns)
	if err != nil {
		return nil, err
	}
	all, err := command.ListIndexes(on.Collection)
	return firstBatch(c.ns, all), err
}

func (s *server) drop(c request) (policy.D, error) {
	_, err := s.named(c.ns)
	delete(s.collections, c.ns)
	return document("ns", c.ns), err
}

func (s *server) dropDatabase(c request) (policy.D, error) {
	maps.DeleteFunc(s.collections, func(ns string, _ *collection) bool { return strings.HasPrefix(ns, c.database+".") })
	return document("dropped", c.database), nil
}

func (s *server) listCollections(c request) (policy.D, error) {
	f, err := compileFilter(c.Field("filter"))
	if err != nil {
		return nil, err
	}
	all := policy.A{}
	for _, ns := range slices.Sorted(maps.Keys(s.collections)) {
		name, isHere := strings.CutPrefix(ns, c.database+".")
		if d := entryOf(name, s.collections[ns].Spec()); isHere && f.holds(d) {
			all = append(all, policy.ObjectValue(d))
		}
	}
	return firstBatch(c.database+".$cmd.listCollections", all), nil
}

// entryOf returns a collection as listCollections shows it.
func entryOf(name string, spec mongo.CollectionSpec) policy.D {
	kind := "collection"
	switch {
	case spec.View:
		kind = "view"
	case !spec.TimeSeries.IsMissing():
		kind = "timeseries"
	}
	spec.Namespace = "" // no server shows it among the options
	options, _ := spec.Documents()
	return document("name", name, "type", kind, "options", options, "info", document("readOnly", false))
}

func (s *server) listDatabases(request) (policy.D, error) {
	all, last := policy.A{}, ""
	for _, ns := range slices.Sorted(maps.Keys(s.collections)) {
		name, _, _ := strings.Cut(ns, ".")
		if name != last {
			all = append(all, valueOf(document("name", name, "sizeOnDisk", int64(0), "empty", false)))
		}
		last = name
	}
	return document("databases", all, "totalSize", int64(0)), nil
}
