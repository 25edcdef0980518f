package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// threeWays lists the effect of one number as expireAfterSeconds: in createIndexes, in
// collMod of an index and of a collection, and in create. A cell is the name of the code
// with which the command refuses the number, or the stored value (as-given, nothing, or a
// number, with L for an int64), or unspecified.
const threeWays = `
value                              release  createIndexes      collMod-index          collMod-collection  create
{"$numberDouble":"NaN"}            8.2.4    CannotCreateIndex  0                      0L                  0L
{"$numberDouble":"NaN"}            7.0.5    CannotCreateIndex  0L                     0L                  0L
{"$numberDouble":"NaN"}            6.0.1    as-given           0L                     0L                  0L
{"$numberDouble":"NaN"}            5.0.14   2147483647         0L                     0L                  0L
{"$numberDouble":"NaN"}            4.4.29   as-given           0L                     InvalidOptions      IDLUnknownField
{"$numberDouble":"NaN"}            4.0.28/wiredTiger   as-given           0L                     InvalidOptions      InvalidOptions
{"$numberDecimal":"NaN"}           8.2.4    CannotCreateIndex  0                      0L                  0L
{"$numberDecimal":"NaN"}           7.0.5    CannotCreateIndex  0L                     0L                  0L
{"$numberDecimal":"NaN"}           6.0.1    as-given           0L                     0L                  0L
{"$numberDecimal":"NaN"}           5.0.14   2147483647         0L                     0L                  0L
{"$numberDecimal":"NaN"}           4.4.29   as-given           0L                     InvalidOptions      IDLUnknownField
{"$numberDecimal":"NaN"}           4.0.28/wiredTiger   as-given           0L                     InvalidOptions      InvalidOptions
{"$numberDouble":"Infinity"}       8.2.4    CannotCreateIndex  2147483647             InvalidOptions      InvalidOptions
{"$numberDouble":"Infinity"}       7.0.5    CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDouble":"Infinity"}       6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"Infinity"}       5.0.14   CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDouble":"Infinity"}       4.4.29   CannotCreateIndex  9223372036854775807L   InvalidOptions      IDLUnknownField
{"$numberDouble":"Infinity"}       4.0.28/wiredTiger   as-given           9223372036854775807L   InvalidOptions      InvalidOptions
{"$numberDecimal":"Infinity"}      8.2.4    CannotCreateIndex  2147483647             InvalidOptions      InvalidOptions
{"$numberDecimal":"Infinity"}      7.0.5    CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDecimal":"Infinity"}      6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"Infinity"}      5.0.14   CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDecimal":"Infinity"}      4.4.29   CannotCreateIndex  9223372036854775807L   InvalidOptions      IDLUnknownField
{"$numberDecimal":"Infinity"}      4.0.28/wiredTiger   as-given           9223372036854775807L   InvalidOptions      InvalidOptions
{"$numberDouble":"-Infinity"}      8.2.4    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"-Infinity"}      7.0.5    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"-Infinity"}      6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"-Infinity"}      5.0.14   CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"-Infinity"}      4.4.29   CannotCreateIndex  -9223372036854775808L  InvalidOptions      IDLUnknownField
{"$numberDouble":"-Infinity"}      4.0.28/wiredTiger   as-given           -9223372036854775808L  InvalidOptions      InvalidOptions
{"$numberLong":"2147483648"}       8.2.4    CannotCreateIndex  2147483647             InvalidOptions      InvalidOptions
{"$numberLong":"2147483648"}       7.0.5    CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberLong":"2147483648"}       6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberLong":"2147483648"}       5.0.14   CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberLong":"2147483648"}       4.4.29   CannotCreateIndex  as-given               InvalidOptions      IDLUnknownField
{"$numberLong":"2147483648"}       4.0.28/wiredTiger   as-given           as-given               InvalidOptions      InvalidOptions
2147483647                         8.2.4    as-given           as-given               InvalidOptions      InvalidOptions
2147483647                         7.0.5    as-given           2147483647L            InvalidOptions      InvalidOptions
2147483647                         6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
2147483647                         5.0.14   as-given           2147483647L            InvalidOptions      InvalidOptions
2147483647                         4.4.29   CannotCreateIndex  2147483647L            InvalidOptions      IDLUnknownField
2147483647                         4.0.28/wiredTiger   as-given           2147483647L            InvalidOptions      InvalidOptions
{"$numberDouble":"2147483647.5"}   8.2.4    2147483647         2147483647             InvalidOptions      InvalidOptions
{"$numberDouble":"2147483647.5"}   7.0.5    as-given           2147483647L            InvalidOptions      InvalidOptions
{"$numberDouble":"2147483647.5"}   6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDouble":"2147483647.5"}   5.0.14   as-given           2147483647L            InvalidOptions      InvalidOptions
{"$numberDouble":"2147483647.5"}   4.4.29   CannotCreateIndex  2147483647L            InvalidOptions      IDLUnknownField
{"$numberDouble":"2147483647.5"}   4.0.28/wiredTiger   as-given           2147483647L            InvalidOptions      InvalidOptions
{"$numberDecimal":"2147483647.5"}  8.2.4    CannotCreateIndex  2147483647             InvalidOptions      InvalidOptions
{"$numberDecimal":"2147483647.5"}  7.0.5    CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDecimal":"2147483647.5"}  6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"2147483647.5"}  5.0.14   CannotCreateIndex  2147483647L            InvalidOptions      InvalidOptions
{"$numberDecimal":"2147483647.5"}  4.4.29   CannotCreateIndex  2147483648L            InvalidOptions      IDLUnknownField
{"$numberDecimal":"2147483647.5"}  4.0.28/wiredTiger   as-given           2147483648L            InvalidOptions      InvalidOptions
1700000000                         8.2.4    as-given           as-given               1700000000L         1700000000L
1700000000                         7.0.5    as-given           1700000000L            1700000000L         1700000000L
1700000000                         6.0.1    as-given           1700000000L            1700000000L         1700000000L
1700000000                         5.0.14   as-given           1700000000L            1700000000L         1700000000L
1700000000                         4.4.29   as-given           1700000000L            InvalidOptions      IDLUnknownField
1700000000                         4.0.28/wiredTiger   as-given           1700000000L            InvalidOptions      InvalidOptions
1700000001                         8.2.4    as-given           as-given               InvalidOptions      InvalidOptions
1700000001                         7.0.5    as-given           1700000001L            InvalidOptions      InvalidOptions
1700000001                         6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
1700000001                         5.0.14   as-given           1700000001L            InvalidOptions      InvalidOptions
1700000001                         4.4.29   CannotCreateIndex  1700000001L            InvalidOptions      IDLUnknownField
1700000001                         4.0.28/wiredTiger   as-given           1700000001L            InvalidOptions      InvalidOptions
{"$numberDouble":"-0.9"}           8.2.4    0                  0                      0L                  0L
{"$numberDouble":"-0.9"}           7.0.5    as-given           0L                     0L                  0L
{"$numberDouble":"-0.9"}           6.0.1    as-given           0L                     0L                  0L
{"$numberDouble":"-0.9"}           5.0.14   as-given           0L                     0L                  0L
{"$numberDouble":"-0.9"}           4.4.29   as-given           0L                     InvalidOptions      IDLUnknownField
{"$numberDouble":"-0.9"}           4.0.28/wiredTiger   as-given           0L                     InvalidOptions      InvalidOptions
{"$numberDouble":"-0.0"}           8.2.4    0                  0                      0L                  0L
{"$numberDouble":"-0.0"}           7.0.5    as-given           0L                     0L                  0L
{"$numberDouble":"-0.0"}           6.0.1    as-given           0L                     0L                  0L
{"$numberDouble":"-0.0"}           5.0.14   as-given           0L                     0L                  0L
{"$numberDouble":"-0.0"}           4.4.29   as-given           0L                     InvalidOptions      IDLUnknownField
{"$numberDouble":"-0.0"}           4.0.28/wiredTiger   as-given           0L                     InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.5"}          8.2.4    0                  0                      0L                  0L
{"$numberDecimal":"-0.5"}          7.0.5    as-given           0L                     0L                  0L
{"$numberDecimal":"-0.5"}          6.0.1    as-given           0L                     0L                  0L
{"$numberDecimal":"-0.5"}          5.0.14   as-given           0L                     0L                  0L
{"$numberDecimal":"-0.5"}          4.4.29   as-given           0L                     InvalidOptions      IDLUnknownField
{"$numberDecimal":"-0.5"}          4.0.28/wiredTiger   as-given           0L                     InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.6"}          8.2.4    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.6"}          7.0.5    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.6"}          6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.6"}          5.0.14   CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.6"}          4.4.29   CannotCreateIndex  -1L                    InvalidOptions      IDLUnknownField
{"$numberDecimal":"-0.6"}          4.0.28/wiredTiger   as-given           -1L                    InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.9"}          8.2.4    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.9"}          7.0.5    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.9"}          6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.9"}          5.0.14   CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
{"$numberDecimal":"-0.9"}          4.4.29   CannotCreateIndex  -1L                    InvalidOptions      IDLUnknownField
{"$numberDecimal":"-0.9"}          4.0.28/wiredTiger   as-given           -1L                    InvalidOptions      InvalidOptions
-1                                 8.2.4    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
-1                                 7.0.5    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
-1                                 6.0.1    CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
-1                                 5.0.14   CannotCreateIndex  InvalidOptions         InvalidOptions      InvalidOptions
-1                                 4.4.29   CannotCreateIndex  -1L                    InvalidOptions      IDLUnknownField
-1                                 4.0.28/wiredTiger   as-given           -1L                    InvalidOptions      InvalidOptions
{"$numberDecimal":"51.5"}          8.2.4    52                 52                     52L                 52L
{"$numberDecimal":"51.5"}          7.0.5    as-given           52L                    52L                 52L
{"$numberDecimal":"51.5"}          6.0.1    as-given           52L                    52L                 52L
{"$numberDecimal":"51.5"}          5.0.14   as-given           52L                    52L                 52L
{"$numberDecimal":"51.5"}          4.4.29   as-given           52L                    InvalidOptions      IDLUnknownField
{"$numberDecimal":"51.5"}          4.0.28/wiredTiger   as-given           52L                    InvalidOptions      InvalidOptions
{"$numberDouble":"51.5"}           8.2.4    51                 51                     51L                 51L
{"$numberDouble":"51.5"}           7.0.5    as-given           51L                    51L                 51L
{"$numberDouble":"51.5"}           6.0.1    as-given           51L                    51L                 51L
{"$numberDouble":"51.5"}           5.0.14   as-given           51L                    51L                 51L
{"$numberDouble":"51.5"}           4.4.29   as-given           51L                    InvalidOptions      IDLUnknownField
{"$numberDouble":"51.5"}           4.0.28/wiredTiger   as-given           51L                    InvalidOptions      InvalidOptions
null                               8.2.4    CannotCreateIndex  InvalidOptions         TypeMismatch        nothing
null                               7.0.5    CannotCreateIndex  InvalidOptions         TypeMismatch        nothing
null                               6.0.1    CannotCreateIndex  InvalidOptions         TypeMismatch        nothing
null                               5.0.14   CannotCreateIndex  InvalidOptions         TypeMismatch        nothing
null                               4.4.29   CannotCreateIndex  InvalidOptions         InvalidOptions      IDLUnknownField
null                               4.0.28/wiredTiger   as-given           InvalidOptions         InvalidOptions      InvalidOptions
true                               8.2.4    CannotCreateIndex  TypeMismatch           TypeMismatch        TypeMismatch
true                               7.0.5    CannotCreateIndex  TypeMismatch           TypeMismatch        TypeMismatch
true                               6.0.1    CannotCreateIndex  TypeMismatch           TypeMismatch        TypeMismatch
true                               5.0.14   CannotCreateIndex  TypeMismatch           TypeMismatch        TypeMismatch
true                               4.4.29   CannotCreateIndex  InvalidOptions         InvalidOptions      IDLUnknownField
true                               4.0.28/wiredTiger   as-given           InvalidOptions         InvalidOptions      InvalidOptions
"60"                               8.2.4    CannotCreateIndex  TypeMismatch           InvalidOptions      TypeMismatch
"60"                               7.0.5    CannotCreateIndex  TypeMismatch           InvalidOptions      TypeMismatch
"60"                               6.0.1    CannotCreateIndex  TypeMismatch           InvalidOptions      TypeMismatch
"60"                               5.0.14   CannotCreateIndex  TypeMismatch           InvalidOptions      TypeMismatch
"60"                               4.4.29   CannotCreateIndex  InvalidOptions         InvalidOptions      IDLUnknownField
"60"                               4.0.28/wiredTiger   as-given           InvalidOptions         InvalidOptions      InvalidOptions
`

// TestThreeWays: createIndexes, collMod and create treat one number in three ways, and
// collMod differs again for a collection's own option. The clock is at second
// 1,700,000,000.
func TestThreeWays(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(threeWays), "\n")
	header := strings.Fields(lines[0])
	for _, line := range lines[1:] {
		want := strings.Fields(line)
		value, release := want[0], want[1]
		got := append([]string{value, release}, outcomes(t, drawn.Value(t, value), commandProfile(t, release))...)
		for i, column := range header {
			if got[i] != want[i] {
				t.Errorf("%s on %s: %s = %s, want %s", value, release, column, got[i], want[i])
			}
		}
	}
}

// outcomes gives a value to each command, in the order of the columns.
func outcomes(t *testing.T, v policy.Value, p mongo.Profile) []string {
	t.Helper()
	key := policy.ObjectValue(policy.D{{Key: "a", Value: policy.Int32Value(1)}})
	seconds := policy.E{Key: "expireAfterSeconds", Value: v}
	made, errMade := hidden.ValidateCreateIndexes(mongo.CollectionSpec{}, policy.D{{Key: "key", Value: key}, {Key: "name", Value: policy.StringValue("a_1")}, seconds}, p, commandNow)

	existing := mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Name: "a_1", Key: policy.D{{Key: "a", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(9)}}}
	changed, errChanged := hidden.ValidateCollMod(existing, policy.D{{Key: "index", Value: policy.ObjectValue(policy.D{{Key: "keyPattern", Value: key}, seconds})}}, p, commandNow)
	var index mongo.IndexSpec
	if errChanged == nil {
		index = changed.Collection.Indexes[0]
	}

	timeseries := policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("t")}})
	var series mongo.CollectionSpec
	if mongofunc.F.Behaviour(p).TimeSeries {
		series.TimeSeries = timeseries
	}
	own, errOwn := hidden.ValidateCollMod(series, policy.D{seconds}, p, commandNow)
	created, errCreated := hidden.ValidateCreate(policy.D{{Key: "timeseries", Value: timeseries}, seconds}, p, commandNow)

	return []string{
		cell(t, v, made.Index.ExpireAfterSeconds, errMade), cell(t, v, index.ExpireAfterSeconds, errChanged),
		cell(t, v, own.Collection.ExpireAfterSeconds, errOwn), cell(t, v, created.ExpireAfterSeconds, errCreated),
	}
}

// cell returns one cell of the table.
func cell(t *testing.T, given, stored policy.Value, err error) string {
	t.Helper()
	refused, isRefused := refusedBy(err)
	switch {
	case errors.Is(err, policy.ErrUnspecified):
		return "unspecified"
	case isRefused:
		return codes.Name(int32(refused.Code))
	case err != nil:
		t.Fatal(err)
	case stored.IsMissing():
		return "nothing"
	case given.String() == stored.String():
		return "as-given"
	}
	return short(stored)
}
