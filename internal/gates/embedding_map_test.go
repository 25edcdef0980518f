package gates

import (
	"maps"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// docs/implementing.md: begin

// expiry compiles the policy of a store whose documents expire some seconds after the time
// in a field.
func expiry(field string, after int32, release mongo.Version) (*mongo.Collection, error) {
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return nil, err
	}
	return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex(field, after)}}, profile)
}

// deleteExpired deletes expired documents from a store of maps.
func deleteExpired(docs map[string]map[string]any, ttl *mongo.Collection, now policy.Instant) {
	maps.DeleteFunc(docs, func(_ string, doc map[string]any) bool {
		return ttl.Decide(policy.Map(doc), now).State == policy.Expired
	})
}

// docs/implementing.md: end

// TestUnorderedMaps: stores of unordered maps behave as docs/implementing.md says.
func TestUnorderedMaps(t *testing.T) {
	equals := mongo.TTLIndex("at", 0)
	equals.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "of", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}})
	dotted := mongo.TTLIndex("at", 0)
	dotted.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "of.a", Value: policy.Int32Value(1)}})
	unordered := policy.Map{"at": policy.Instant(0), "of": policy.Map{"a": 1}}
	ordered := policy.D{{Key: "at", Value: policy.DateValue(0)}, {Key: "of", Value: policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})}}
	for _, tt := range []struct {
		index mongo.IndexSpec
		doc   policy.Document
		want  policy.State
	}{{equals, unordered, policy.Never}, {equals, ordered, policy.Expired}, {dotted, unordered, policy.Expired}, {dotted, ordered, policy.Expired}} {
		c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{tt.index}}, fixture.Profile(t, fixture.Latest))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Decide(tt.doc, 0); got.State != tt.want {
			t.Errorf("filter %s of %v: %v, want %v", tt.index.PartialFilterExpression, tt.doc, got, tt.want)
		}
	}
	if x, err := mongo.ParseIndexSpec(policy.ObjectValue(policy.Map{"key": policy.Map{"at": 1}})); err == nil && len(x.Key) > 0 {
		t.Errorf("a key pattern is read from a map without an order: %v", x.Key)
	}
	twice := policy.D{{Key: "at", Value: policy.DateValue(policy.MaxInstant)}, {Key: "at", Value: policy.DateValue(0)}}
	last := policy.Map{"at": policy.Instant(0)}
	c := collectionOf(`{"key": {"at": 1}, "expireAfterSeconds": 0}`)
	if first, kept := c.Decide(twice, 0).State, c.Decide(last, 0).State; first != policy.Pending || kept != policy.Expired {
		t.Errorf("by the first of two fields it is %v, by the last %v; want pending and expired", first, kept)
	}
}

// TestEmbeddingMaps: a store of maps deletes the documents that the page names, and no
// others.
func TestEmbeddingMaps(t *testing.T) {
	ttl, err := expiry("at", 3600, mongo.Latest())
	if err != nil {
		t.Fatal(err)
	}
	old := noon.Time().Add(-3_600_000_000_000)
	docs := map[string]map[string]any{
		"goes": {"at": old}, "goes by one": {"at": []any{noon.Time(), old}},
		"later": {"at": old.Add(1_000_000)}, "text": {"at": "2026"}, "pointer": {"at": &old}, "none": {},
	}
	deleteExpired(docs, ttl, noon)
	if len(docs) != 4 || docs["goes"] != nil || docs["goes by one"] != nil {
		t.Errorf("after the sweep: %v", docs)
	}
}
