package gates

import (
	"maps"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// docs/implementing.md: begin

// expiry compiles the policy of a store whose documents expire so many seconds after
// the time in a field.
func expiry(field string, after policy.Seconds, release mongo.Version) (*mongo.Collection, error) {
	profile, err := mongo.ProfileOf(release)
	if err != nil {
		return nil, err
	}
	return mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex(field, after)}}, profile)
}

// deleteExpired deletes what has expired from a store of maps.
func deleteExpired(docs map[string]map[string]any, ttl *mongo.Collection, now policy.Instant) {
	maps.DeleteFunc(docs, func(_ string, doc map[string]any) bool {
		return ttl.Decide(policy.Map(doc), now).State == policy.Expired
	})
}

// docs/implementing.md: end

// TestEmbeddingMaps: a store of maps deletes what the page says, and nothing else.
func TestEmbeddingMaps(t *testing.T) {
	ttl, err := expiry("at", 3600, mongo.Latest)
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
