package mongo

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestThreeWays: createIndexes, collMod and create treat one number in three
// ways, and collMod differs again for a collection's own option. The clock
// stands at second 1,700,000,000. A way's outcome is the code of its refusal,
// or what is stored: "=" for the value as it was given, an int64 with an L, "-"
// for nothing.
func TestThreeWays(t *testing.T) {
	releases := []string{"8.2.4", "7.0.5", "6.0.1", "5.0.14", "4.4.29", "4.0.28"}
	for _, tt := range []struct {
		value string
		// createIndexes, collMod of an index, collMod of the collection,
		// create; by release
		outcomes [6]string
	}{
		{aNaN, [6]string{"67 0 0L 0L", "67 0L 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 72 40415", "= 0L 72 72"}},
		{aNaNDecimal, [6]string{"67 0 0L 0L", "67 0L 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 72 40415", "= 0L 72 72"}},
		{infinity, [6]string{"67 2147483647 72 72", "67 2147483647L 72 72", "67 72 72 72", "67 2147483647L 72 72",
			"67 9223372036854775807L 72 40415", "= 9223372036854775807L 72 72"}},
		{infDecimal, [6]string{"67 2147483647 72 72", "67 2147483647L 72 72", "67 72 72 72", "67 2147483647L 72 72",
			"67 9223372036854775807L 72 40415", "= 9223372036854775807L 72 72"}},
		{minusInf, [6]string{"67 72 72 72", "67 72 72 72", "67 72 72 72", "67 72 72 72",
			"67 -9223372036854775808L 72 40415", "= -9223372036854775808L 72 72"}},
		{twoTo31, [6]string{"67 2147483647 72 72", "67 2147483647L 72 72", "67 72 72 72", "67 2147483647L 72 72",
			"67 = 72 40415", "= = 72 72"}},
		{`2147483647`, [6]string{"= = 72 72", "= 2147483647L 72 72", "67 72 72 72", "= 2147483647L 72 72",
			"67 2147483647L 72 40415", "= 2147483647L 72 72"}},
		{`{"$numberDouble":"2147483647.5"}`, [6]string{"2147483647 2147483647 72 72", "= 2147483647L 72 72", "67 72 72 72", "= 2147483647L 72 72",
			"67 2147483647L 72 40415", "= 2147483647L 72 72"}},
		{`{"$numberDecimal":"2147483647.5"}`, [6]string{"67 2147483647 72 72", "67 2147483647L 72 72", "67 72 72 72", "67 2147483647L 72 72",
			"67 2147483648L 72 40415", "= 2147483648L 72 72"}},
		{`1700000000`, [6]string{"= = 1700000000L 1700000000L", "= 1700000000L 1700000000L 1700000000L", "= 1700000000L 1700000000L 1700000000L",
			"= 1700000000L 1700000000L 1700000000L", "= 1700000000L 72 40415", "= 1700000000L 72 72"}},
		{`1700000001`, [6]string{"= = 72 72", "= 1700000001L 72 72", "67 72 72 72", "= 1700000001L 72 72", "67 1700000001L 72 40415", "= 1700000001L 72 72"}},
		{`{"$numberDouble":"-0.9"}`, [6]string{"0 0 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 72 40415", "= 0L 72 72"}},
		{`{"$numberDouble":"-0.0"}`, [6]string{"0 0 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 72 40415", "= 0L 72 72"}},
		{`{"$numberDecimal":"-0.5"}`, [6]string{"0 0 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 0L 0L", "= 0L 72 40415", "= 0L 72 72"}},
		{`{"$numberDecimal":"-0.6"}`, [6]string{"67 72 72 72", "67 72 72 72", "67 72 72 72", "67 72 72 72", "67 -1L 72 40415", "= -1L 72 72"}},
		{`{"$numberDecimal":"-0.9"}`, [6]string{"67 72 72 72", "67 72 72 72", "67 72 72 72", "67 72 72 72", "67 -1L 72 40415", "= -1L 72 72"}},
		{`-1`, [6]string{"67 72 72 72", "67 72 72 72", "67 72 72 72", "67 72 72 72", "67 -1L 72 40415", "= -1L 72 72"}},
		{`{"$numberDecimal":"51.5"}`, [6]string{"52 52 52L 52L", "= 52L 52L 52L", "= 52L 52L 52L", "= 52L 52L 52L", "= 52L 72 40415", "= 52L 72 72"}},
		{`{"$numberDouble":"51.5"}`, [6]string{"51 51 51L 51L", "= 51L 51L 51L", "= 51L 51L 51L", "= 51L 51L 51L", "= 51L 72 40415", "= 51L 72 72"}},
		{`null`, [6]string{"67 72 14 -", "67 72 14 -", "67 72 14 -", "67 72 14 -", "67 72 72 40415", "= 72 72 72"}},
		{`true`, [6]string{"67 14 14 14", "67 14 14 14", "67 14 14 14", "67 open 14 14", "67 72 72 40415", "= 72 72 72"}},
		{`"60"`, [6]string{"67 14 72 14", "67 14 72 14", "67 14 72 14", "67 open 72 14", "67 72 72 40415", "= 72 72 72"}},
	} {
		for i, release := range releases {
			p := vectorProfile(t, release)
			if got := threeWays(t, vectorValue(t, tt.value), p); got != tt.outcomes[i] {
				t.Errorf("%s on %s: createIndexes, collMod of an index and of the collection, create = %s, want %s", tt.value, release, got, tt.outcomes[i])
			}
		}
	}
}

// threeWays gives a value to each command.
func threeWays(t *testing.T, v policy.Value, p Profile) string {
	t.Helper()
	key := policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})
	seconds := policy.E{Key: "expireAfterSeconds", Value: v}
	made, errMade := ValidateCreateIndexes(CollectionSpec{}, policy.D{{Key: "key", Value: key}, {Key: "name", Value: policy.StringValue("a_1")}, seconds}, p, commandNow)

	existing := CollectionSpec{Indexes: []IndexSpec{{Name: "a_1", Key: policy.D{{Key: "a", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(9)}}}
	changed, errChanged := ValidateCollMod(existing, policy.D{{Key: "index", Value: policy.ObjectValue(policy.D{{Key: "keyPattern", Value: key}, seconds})}}, p, commandNow)
	var index IndexSpec
	if errChanged == nil {
		index = changed.Collection.Indexes[0]
	}

	timeseries := policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}})
	var series CollectionSpec
	if p.timeSeries {
		series.TimeSeries = timeseries
	}
	own, errOwn := ValidateCollMod(series, policy.D{seconds}, p, commandNow)
	created, errCreated := ValidateCreate(policy.D{{Key: "timeseries", Value: timeseries}, seconds}, p, commandNow)

	return fmt.Sprint(way(t, v, made.Index.ExpireAfterSeconds, errMade), " ", way(t, v, index.ExpireAfterSeconds, errChanged), " ",
		way(t, v, own.Collection.ExpireAfterSeconds, errOwn), " ", way(t, v, created.Collection.ExpireAfterSeconds, errCreated))
}

// way writes the outcome of one command.
func way(t *testing.T, given, stored policy.Value, err error) string {
	t.Helper()
	refused, ok := asSpecError(err)
	switch {
	case errors.Is(err, ErrUnspecified):
		return "open"
	case ok:
		return fmt.Sprint(int32(refused.Code))
	case err != nil:
		t.Fatal(err)
	case given.String() == stored.String():
		return "="
	}
	return short(stored)
}
