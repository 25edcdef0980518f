package mongo

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// latest is [Latest] as a string.
var latest = Latest().String()

var hidden functions // what Private returns

// hasCode reports whether err wraps a refusal with a code.
func hasCode(err error, code int32) bool {
	var refused *SpecError
	return errors.As(err, &refused) && refused.Code == code
}

func vectorProfile(t rapid.TB, version string) Profile {
	t.Helper()
	v, err := ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ProfileOf(v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// vectorCollection compiles a collection from its options and indexes.
func vectorCollection(t testing.TB, version, options, indexes string) *Collection {
	t.Helper()
	spec, err := ParseCollectionSpec(drawn.Value(t, options), drawn.Value(t, indexes))
	if err != nil {
		t.Fatalf("ParseCollectionSpec(%s, %s): %v", options, indexes, err)
	}
	c, err := CompileCollection(spec, vectorProfile(t, version))
	if err != nil {
		t.Fatalf("CompileCollection(%s, %s) on %s: %v", options, indexes, version, err)
	}
	return c
}

// kept is the wanted deadline of a document that never expires.
const kept = 7_777_777_777_777

// checkVector compares a decision with the wanted rule and deadline, at the
// boundary, one millisecond before and one after, decoded and raw.
func checkVector(t *testing.T, c *Collection, document, rule string, deadline policy.Instant) {
	t.Helper()
	doc := drawn.Value(t, document)
	raw := drawn.BSONOf(t, doc).Bytes()
	d := c.Decide(doc, 0)
	if d.Rule.String() != rule {
		t.Errorf("decided by %s, want %s", d.Rule, rule)
	}
	if ladder := c.Consulted(d); len(ladder) == 0 || ladder[len(ladder)-1] != d.Rule {
		t.Errorf("the ladder of %s does not end with it", d.Rule)
	}
	if deadline == kept {
		if d := c.DecideBSON(raw, policy.MaxInstant); d.State != policy.Never {
			t.Errorf("state at the last instant = %v, want never", d.State)
		}
		return
	}
	for offset, want := range map[policy.Instant]policy.State{-1: policy.Pending, 0: policy.Expired, 1: policy.Expired} {
		now := deadline + offset
		if (now < deadline) != (offset < 0) {
			continue // beyond the range of instants
		}
		for _, d := range []policy.Decision{c.Decide(doc, now), c.DecideBSON(raw, now), d.At(now)} {
			if d.State != want || drawn.Deadline(d) != deadline {
				t.Errorf("at the deadline%+d: %v, deadline %d, want %v, %d", offset, d.State, drawn.Deadline(d), want, deadline)
			}
		}
	}
}

func TestVectorsCollections(t *testing.T) {
	tests := []struct {
		version, options, indexes, document, rule string
		deadline                                  policy.Instant
	}{
		{"8.0.0", `{}`, `[{"key":{"t":1}}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.NoTTL.ID(), kept},
		{"8.0.0", `{}`, `[]`, `{}`, rules.NoTTL.ID(), kept},
		{"8.0.0", `{}`, `[{"key":{"t":-1},"hidden":true,"sparse":true,"unique":true,"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Date.ID(), 1005},
		{"8.0.0", `{}`, `[{"key":{"t":"hashed"},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Special.ID(), kept},
		{"4.0.0", `{}`, `[{"key":{"t":1,"u":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Compound.ID(), kept},
		{"8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":9},{"key":{"u":1},"expireAfterSeconds":1}]`,
			`{"t":{"$date":{"$numberLong":"0"}},"u":{"$date":{"$numberLong":"7"}}}`, rules.Date.ID(), 1007},
		{"8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":9},{"key":{"u":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"0"}}}`, rules.Date.ID(), 9000},
		{"4.4.0", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Capped.ID(), kept},
		{"5.0.0", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Capped.ID(), kept},
		{"6.0.24", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Capped.ID(), kept},
		{"6.0.25", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.CappedUnspecified.ID(), kept},
		{"6.3.2", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Capped.ID(), kept},
		{"7.0.24", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Capped.ID(), kept},
		{"7.0.25", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.CappedUnspecified.ID(), kept},
		{"7.1.0", `{"capped":true}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"5"}}}`, rules.Date.ID(), 1005},
		{"8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"9223372036854775000"}}}`, rules.Unreachable.ID(), kept},
		{"8.0.0", `{}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, `{"t":{"$date":{"$numberLong":"9223372036854774807"}}}`, rules.Date.ID(), policy.MaxInstant},
		{"7.0.0", `{"timeseries":{"timeField":"ts"},"expireAfterSeconds":10}`, `[]`, `{"ts":{"$date":{"$numberLong":"1700000012345"}}}`, rules.SeriesBucket.ID(), 1700003590_000},
		{"7.0.0", `{"timeseries":{"timeField":"ts","granularity":"hours"},"expireAfterSeconds":10}`, `[]`, `{"ts":{"$date":{"$numberLong":"1700000012345"}}}`, rules.SeriesBucket.ID(), 1702512010_000},
		{"7.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":1}`, `[]`, `{"_id":{"$date":{"$numberLong":"5"}}}`, rules.Clustered.ID(), 1005},
		{"7.0.0", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[]`, `{"_id":{"$date":{"$numberLong":"0"}}}`, rules.Clustered.ID(), 1000},
		{"8.0.0", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[]`, `{"_id":{"$date":{"$numberLong":"-1"}}}`, rules.ClusteredFloor.ID(), kept},
		{"7.0.0", `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[]`, `{"_id":5}`, rules.ClusteredNotDate.ID(), kept},
	}
	for i, tt := range tests {
		t.Run(fmt.Sprint(i, " ", tt.rule), func(t *testing.T) {
			checkVector(t, vectorCollection(t, tt.version, tt.options, tt.indexes), tt.document, tt.rule, tt.deadline)
		})
	}
}
