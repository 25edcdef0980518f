package catalog

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDropped: a command drops only the index with the name. The commands for the index
// on _id, for a clustered index, and for all indexes by "*" are refused.
func TestDropped(t *testing.T) {
	key := func(name string) policy.D { return policy.D{{Key: name, Value: policy.Int32Value(1)}} }
	spec := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{
		{Name: "a", Key: key("a")}, {Name: "_id_", Key: key("_id")}, {Name: "own", Key: key("own"), Clustered: true}, {Name: "*", Key: key("b")},
	}}
	for name, want := range map[string]bool{"a": true, "_id_": false, "own": false, "*": false, "nowhere": false} {
		after, err := Collection{}.After(spec, Collection{}.DropIndexes(name))
		if (err == nil) != want || (err == nil) != (len(after.Indexes) == 3) || len(spec.Indexes) != 4 {
			t.Errorf("dropping %s leaves %d indexes, %v, want %v", name, len(after.Indexes), err, want)
		}
	}
}

// TestText: a command names its database and collection if they are known.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		at   Collection
		want string
		ok   bool
	}{
		{Collection{Database: "shop", Name: "a.b"}, `db.getSiblingDB("shop").runCommand({dropIndexes: "a.b", index: "x"})`, true},
		{Collection{Name: "logs"}, `db.runCommand({dropIndexes: "logs", index: "x"})`, true},
		{Collection{Database: "shop"}, "", false},
	} {
		if got, ok := tt.at.Text(tt.at.DropIndexes("x")); got != tt.want || ok != tt.ok {
			t.Errorf("Text at %q.%q = %s, %v, want %s, %v", tt.at.Database, tt.at.Name, got, ok, tt.want, tt.ok)
		}
	}
}

// TestSecondsWays: the first way with the wanted result is the expected one. If collMod
// stores another number, or its effect is unspecified, the index is created again.
func TestSecondsWays(t *testing.T) {
	listed, err := policy.ParseExtJSON([]byte(`{"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 3600}`))
	if err != nil {
		t.Fatal(err)
	}
	const beyond = 1 << 32
	for _, tt := range []struct {
		release mongo.Version
		engine  string
		seconds int64
		want    int // the index of the first way with the wanted result: 0 for collMod by name, 1 for collMod by key, 2 for creating again
	}{
		{mongo.Version{Major: 2, Minor: 6, Patch: 12}, "", 7200, 1},
		{mongo.Version{Major: 2, Minor: 6, Patch: 12}, "", beyond, 2},
		{mongo.Version{Major: 4, Patch: 10}, "", 7200, 0},
		{mongo.Version{Major: 4, Patch: 10}, "", beyond, 2},
		{mongo.Version{Major: 4, Patch: 10}, "mmapv1", beyond, 2},
		{mongo.Version{Major: 4, Patch: 10}, "wiredTiger", beyond, 0},
		{mongo.Version{Major: 4, Minor: 2}, "", 7200, 0},
	} {
		p, err := mongo.ProfileOf(tt.release)
		if err == nil && tt.engine != "" {
			p, err = p.WithParameter(behaviour.EngineParameter, policy.StringValue(tt.engine))
		}
		if err != nil {
			t.Fatal(err)
		}
		x, err := mongo.ParseIndexSpec(listed)
		if err != nil {
			t.Fatal(err)
		}
		spec, c := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{x}}, Collection{Name: "c", Profile: p, Now: 1 << 62}
		first := -1
		for i, way := range c.SecondsWays(listed, tt.seconds) {
			if after, err := c.AfterAll(spec, way...); err == nil && HasSeconds(after, "at_1", tt.seconds) {
				first = i
				break
			}
		}
		if first != tt.want {
			t.Errorf("%s %s: the first way to %d is %d, want %d", tt.release, tt.engine, tt.seconds, first, tt.want)
		}
	}
}

// TestCreatedIgnores: a plan does not create an index with a filter that the release
// ignores.
func TestCreatedIgnores(t *testing.T) {
	list := fixture.Value(t, `[{"key":{"t":1},"name":"n","expireAfterSeconds":1,"partialFilterExpression":{"a":1}}]`)
	for release, want := range map[string]error{"2.4.14": errIgnored, "2.6.12": errIgnored, "3.0.15": errIgnored, "3.2.22": nil, "8.0.4": nil} {
		c := Collection{Profile: fixture.Profile(t, release), Now: 1_700_000_000_000}
		if _, err := c.created(mongo.CollectionSpec{}, list); !errors.Is(err, want) {
			t.Errorf("on %s: %v, want %v", release, err, want)
		}
	}
}
