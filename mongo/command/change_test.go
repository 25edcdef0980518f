package command

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestAssessChange(t *testing.T) {
	const none, keeps, deletes, unspecified = EffectNone, EffectKeeps, EffectDeletes, EffectUnspecified
	const unbounded = -1
	hour := func(index string) string { return `[{"key":` + index + `,"expireAfterSeconds":3600}]` }
	at := func(more string) string { return `[{"key":{"at":1},"expireAfterSeconds":` + more + `}]` }
	const series, lasting = `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":60}`, `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":90}`
	for _, tt := range []struct {
		why, version, options, before, newOptions, after string
		effect                                           Effect
		earlier                                          time.Duration
	}{
		{"nothing", "8.0.4", `{}`, at(`60`), `{}`, at(`60`), none, 0},
		{"no index at all", "8.0.4", `{}`, `[]`, `{}`, `[]`, none, 0},
		{"the same number of another type", "8.0.4", `{}`, at(`60`), `{}`, at(`60.5`), none, 0},
		{"an index without TTL", "8.0.4", `{}`, at(`60`), `{}`, `[{"key":{"b":1}},{"key":{"at":1},"expireAfterSeconds":60}]`, none, 0},
		{"another name and direction", "8.0.4", `{}`, at(`60,"name":"x"`), `{}`, `[{"key":{"at":-1},"name":"y","expireAfterSeconds":60}]`, none, 0},
		{"raised", "8.0.4", `{}`, at(`60`), `{}`, at(`61`), keeps, 0},
		{"lowered", "8.0.4", `{}`, at(`60`), `{}`, at(`50`), deletes, 10 * time.Second},
		{"lowered below 0", "4.4.29", `{}`, at(`60`), `{}`, at(`-10`), deletes, 70 * time.Second},
		{"lowered by more than 292 years", "4.4.29", `{}`, at(`9000000000000`), `{}`, at(`0`), deletes, unbounded},
		{"lowered by more than 64 bits hold", "4.4.29", `{}`, at(`{"$numberLong":"9000000000000000"}`), `{}`, at(`{"$numberLong":"-9000000000000000"}`), deletes, unbounded},
		{"dropped", "8.0.4", `{}`, at(`60`), `{}`, `[]`, keeps, 0},
		{"created", "8.0.4", `{}`, `[]`, `{}`, at(`60`), deletes, unbounded},
		{"another field", "8.0.4", `{}`, hour(`{"at":1}`), `{}`, hour(`{"b":1}`), deletes, unbounded},
		{"a field within", "8.0.4", `{}`, hour(`{"at":1}`), `{}`, hour(`{"at.b":1}`), deletes, unbounded},
		{"a second field", "8.0.4", `{}`, at(`60`), `{}`, `[{"key":{"b":1},"expireAfterSeconds":60},{"key":{"at":1},"expireAfterSeconds":60}]`, deletes, unbounded},
		{"the second of two is dropped", "8.0.4", `{}`, `[{"key":{"b":1},"expireAfterSeconds":60},{"key":{"at":1},"expireAfterSeconds":60}]`, `{}`, at(`60`), keeps, 0},
		{"two in another order", "8.0.4", `{}`, `[{"key":{"b":1},"expireAfterSeconds":60},{"key":{"at":1},"expireAfterSeconds":60}]`, `{}`, `[{"key":{"at":1},"expireAfterSeconds":60},{"key":{"b":1},"expireAfterSeconds":60}]`, none, 0},
		{"one lowered, one raised", "8.0.4", `{}`, `[{"key":{"b":1},"expireAfterSeconds":60},{"key":{"at":1},"expireAfterSeconds":60}]`, `{}`, `[{"key":{"b":1},"expireAfterSeconds":70},{"key":{"at":1},"expireAfterSeconds":55}]`, deletes, 5 * time.Second},
		{"a filter", "8.0.4", `{}`, at(`60`), `{}`, at(`60,"partialFilterExpression":{"b":1}`), keeps, 0},
		{"a filter, and lowered", "8.0.4", `{}`, at(`60`), `{}`, at(`59,"partialFilterExpression":{"b":1}`), deletes, time.Second},
		{"no filter any more", "8.0.4", `{}`, at(`60,"partialFilterExpression":{"b":1}`), `{}`, at(`60`), deletes, unbounded},
		{"another filter", "8.0.4", `{}`, at(`60,"partialFilterExpression":{"b":1}`), `{}`, at(`60,"partialFilterExpression":{"b":2}`), deletes, unbounded},
		{"another collation of the filter", "8.0.4", `{}`, at(`60,"partialFilterExpression":{"b":"x"}`), `{}`, at(`60,"partialFilterExpression":{"b":"x"},"collation":{"locale":"en"}`), deletes, unbounded},
		{"the same filter, raised", "8.0.4", `{}`, at(`60,"partialFilterExpression":{"b":1}`), `{}`, at(`61,"partialFilterExpression":{"b":1}`), keeps, 0},
		{"filters that the release does not look at", "3.0.15", `{}`, at(`60,"partialFilterExpression":{"b":1}`), `{}`, at(`60,"partialFilterExpression":{"b":2}`), none, 0},
		{"NaN, which is skipped, to a number", "8.0.4", `{}`, at(`{"$numberDouble":"NaN"}`), `{}`, at(`60`), deletes, unbounded},
		{"a number to NaN, which is skipped", "8.0.4", `{}`, at(`60`), `{}`, at(`{"$numberDouble":"NaN"}`), keeps, 0},
		{"a number to NaN, which is 0", "5.0.0", `{}`, at(`60`), `{}`, at(`{"$numberDouble":"NaN"}`), deletes, time.Minute},
		{"skipped before and after", "8.0.4", `{}`, at(`"60"`), `{}`, at(`-1`), none, 0},
		{"capped, where nothing is deleted", "6.0.6", `{}`, at(`60`), `{"capped":true}`, at(`60`), keeps, 0},
		{"a special index that is unspecified", "3.0.15", `{}`, at(`60`), `{}`, hour(`{"at":"2d"}`), unspecified, unbounded},
		{"from a special index that is unspecified", "3.0.15", `{}`, hour(`{"at":"2d"}`), `{}`, `[]`, unspecified, unbounded},
		{"beside one that is unspecified and stays", "3.0.15", `{}`, hour(`{"at":"2d"}`), `{}`, `[{"key":{"at":"2d"},"expireAfterSeconds":3600},{"key":{"b":1}}]`, none, 0},
		{"an index that keeps dates before 1970", "2.4.14", `{}`, at(`60,"v":0`), `{}`, at(`60`), deletes, unbounded},
		{"an index that deletes until 2034", "4.4.29", `{}`, at(`{"$numberLong":"-9223370000000000"}`), `{}`, at(`60`), deletes, unbounded},
		{"an index that deletes until 2034, unchanged", "4.4.29", `{}`, at(`{"$numberLong":"-9223370000000000"}`), `{}`, at(`{"$numberLong":"-9223370000000000"}`), none, 0},
		{"clustered, raised", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":60}`, `[]`, `{"clusteredIndex":true,"expireAfterSeconds":61}`, `[]`, keeps, 0},
		{"clustered, lowered", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":60}`, `[]`, `{"clusteredIndex":true,"expireAfterSeconds":1}`, `[]`, deletes, 59 * time.Second},
		{"off", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":60}`, `[]`, `{"clusteredIndex":true}`, `[]`, keeps, 0},
		{"from clustered to an index on _id", "8.0.4", `{"clusteredIndex":true,"expireAfterSeconds":60}`, `[]`, `{}`, `[{"key":{"_id":1},"expireAfterSeconds":60}]`, deletes, unbounded},
		{"a time-series collection, raised", "8.0.4", series, `[]`, lasting, `[]`, keeps, 0},
		{"a time-series collection, lowered", "8.0.4", lasting, `[]`, series, `[]`, deletes, 30 * time.Second},
		{"buckets of another span", "8.0.4", series, `[]`, `{"timeseries":{"timeField":"t","metaField":"m","granularity":"hours"},"expireAfterSeconds":60}`, `[]`, deletes, unbounded},
		{"a bound that wraps", "8.0.4", series, `[]`, `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1700000000}`, `[]`, unspecified, unbounded},
	} {
		read := func(options, indexes string) mongo.CollectionSpec {
			spec, err := mongo.ParseCollectionSpec(drawn.Value(t, options), drawn.Value(t, indexes))
			if err != nil {
				t.Fatalf("%s: %v", tt.why, err)
			}
			return spec
		}
		want := ChangeResult{tt.effect, true, tt.earlier}
		if tt.earlier == unbounded {
			want = ChangeResult{Effect: tt.effect}
		}
		got, err := AssessChange(read(tt.options, tt.before), read(tt.newOptions, tt.after), fixture.Profile(t, tt.version))
		if got != want || err != nil {
			t.Errorf("%s: AssessChange() = %+v, %v, want %+v", tt.why, got, err, want)
		}
	}
}

// changedFrom draws a changed form of a definition.
func changedFrom(t testing.TB, d drawn.Drawer, c mongo.CollectionSpec) mongo.CollectionSpec {
	t.Helper()
	index := func(i int) mongo.IndexSpec {
		x, err := mongo.ParseListedIndex(policy.ObjectValue(d.Index(i)))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	c.Indexes = slices.Clone(c.Indexes)
	if c.Clustered || !c.TimeSeries.IsMissing() {
		if d.Percent(60) {
			c.ExpireAfterSeconds = policy.Int64Value(max(0, d.Seconds()))
		}
		if d.Percent(10) {
			c.ExtendedRange = !c.ExtendedRange
		}
	}
	for i := range c.Indexes {
		x := &c.Indexes[i]
		switch other := index(i); d.IntN(10) {
		case 0, 1, 2:
			x.ExpireAfterSeconds = other.ExpireAfterSeconds
		case 3:
			x.PartialFilterExpression = other.PartialFilterExpression
		case 4:
			x.Key = other.Key
		case 5:
			x.ExpireAfterSeconds = policy.Value{}
		case 6:
			x.ExpireAfterSeconds, x.PartialFilterExpression = other.ExpireAfterSeconds, other.PartialFilterExpression
		}
	}
	if len(c.Indexes) > 1 && d.Percent(20) {
		c.Indexes = slices.Concat(c.Indexes[1:], c.Indexes[:1])
	}
	if c.TimeSeries.IsMissing() && d.Percent(10) {
		c.Indexes = append(c.Indexes, index(len(c.Indexes)))
	}
	return c
}

// TestAssessChangeAgreesWithDecide: no deadline becomes earlier by more than the reported
// bound, and none changes if the effect is none.
func TestAssessChangeAgreesWithDecide(t *testing.T) {
	seen := map[Effect]int{}
	for seed := range uint64(6000) {
		r := fuzzing.NewRandom(binary.LittleEndian.AppendUint64(nil, seed))
		draw := drawn.NewDrawer(r)
		before, err := mongo.ParseListedCollection(draw.Collection())
		if err != nil {
			t.Fatal(err)
		}
		after, profile := changedFrom(t, draw, before), fixture.Profile(t, draw.Release.String())
		change, err := AssessChange(before, after, profile)
		if err != nil {
			t.Fatalf("AssessChange(%+v, %+v) on %s: %v", before, after, draw.Release, err)
		}
		if !change.Bounded {
			seen[EffectUnspecified]++
			continue
		}
		x, errBefore := mongo.CompileCollection(before, profile)
		y, errAfter := mongo.CompileCollection(after, profile)
		if errBefore != nil || errAfter != nil {
			t.Fatal(errBefore, errAfter)
		}
		for range 4 {
			raw, now := draw.Document(3, "a", "b", "t", "m", "_id", "0"), policy.Instant(r.Instant())
			from, to := x.DecideBSON(raw, now), y.DecideBSON(raw, now)
			least := drawn.Deadline(from) - policy.Instant(change.Earlier.Milliseconds())
			if least > drawn.Deadline(from) {
				least = policy.MinInstant
			}
			if drawn.Deadline(to) < least || change.Effect == EffectNone && drawn.Deadline(to) != drawn.Deadline(from) {
				t.Fatalf("%+v, but %v, then %v\nof %x by %+v,\nthen by %+v on %s", change, from, to, raw, before, after, draw.Release)
			}
			if from.State != policy.Never && to.State != policy.Never {
				seen[change.Effect]++
			}
		}
	}
	if min(seen[EffectNone], seen[EffectKeeps], seen[EffectDeletes]) < 200 || seen[EffectUnspecified] > 4000 {
		t.Errorf("deadlines seen by effect: %v", seen)
	}
}
