package catalog

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDropped: what cannot be dropped, and that one index of this name is: "*" would
// drop them all.
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

// TestText: where commands are for.
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
