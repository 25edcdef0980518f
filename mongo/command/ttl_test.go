package command

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestTTLIndex: the name and the types agree with those of the drivers.
func TestTTLIndex(t *testing.T) {
	for _, tt := range []struct {
		field string
		after int32
		want  string
	}{
		{"createdAt", 3600, `{"key":{"createdAt":{"$numberInt":"1"}},"name":"createdAt_1","expireAfterSeconds":{"$numberInt":"3600"}}`},
		{"at.start", 0, `{"key":{"at.start":{"$numberInt":"1"}},"name":"at.start_1","expireAfterSeconds":{"$numberInt":"0"}}`},
		{"t", policy.MaxSeconds, `{"key":{"t":{"$numberInt":"1"}},"name":"t_1","expireAfterSeconds":{"$numberInt":"2147483647"}}`},
		{"t", -1, `{"key":{"t":{"$numberInt":"1"}},"name":"t_1","expireAfterSeconds":{"$numberInt":"-1"}}`},
	} {
		if got := policy.ObjectValue(mongo.TTLIndex(tt.field, tt.after).Document()).String(); got != tt.want {
			t.Errorf("TTLIndex(%q, %d) = %s, want %s", tt.field, tt.after, got, tt.want)
		}
	}
}

// TestTTLIndexIsStored: every release stores the index unchanged; current releases
// refuse an invalid one.
func TestTTLIndexIsStored(t *testing.T) {
	const now policy.Instant = 1_795_176_000_000
	for _, release := range drawn.Releases {
		p := fixture.Profile(t, release.String())
		x := mongo.TTLIndex("createdAt", 3600)
		made, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, x.Document(), p, now)
		if err != nil {
			t.Fatalf("hidden.ValidateCreateIndexes(%v): %v", x.Document(), err)
		}
		got, want := policy.ObjectValue(made.Index.Document()).String(), policy.ObjectValue(x.Document()).String()
		if got != want {
			t.Errorf("TTLIndex() = %s, a release stores %s", want, got)
		}
	}
	for _, x := range []mongo.IndexSpec{mongo.TTLIndex("", 3600), mongo.TTLIndex("t", -1)} {
		if _, err := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, x.Document(), fixture.Profile(t, "8.0.4"), now); err == nil {
			t.Errorf("%v is accepted", x.Document())
		}
	}
}
