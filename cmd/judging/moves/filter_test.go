package moves

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
)

// assessFilters checks moves between releases that read a partial filter differently or
// alike.
func assessFilters(t *testing.T, saw func(Move)) {
	var (
		more    = rules.MoveFilterMore.ID()
		fewer   = rules.MoveFilterFewer.ID()
		unknown = rules.MoveFilterUnspecified.ID()
		same    = rules.MoveUnchanged.ID()
	)
	effects := map[string]Effect{more: EffectDeletes, fewer: EffectKeeps, unknown: EffectUnspecified, same: EffectNone}
	tests := []struct {
		why, filter, from, to string
		rule                  string
	}{
		{"null stands for undefined up to 7.3", `{"a":null}`, "7.0.0", "8.0.0", fewer},
		{"and a downgrade takes it in again", `{"a":null}`, "8.0.0", "7.3.4", more},
		{"at the end of a path too", `{"a.b":{"$lte":null}}`, "8.0.0", "7.0.0", more},
		{"$gte", `{"a":{"$gte":null}}`, "7.0.0", "8.0.0", fewer},
		{"$in", `{"a":{"$in":[1,null]}}`, "7.0.0", "8.0.0", fewer},
		{"$all", `{"a":{"$all":[null]}}`, "7.0.0", "8.0.0", fewer},
		{"$lt takes in neither", `{"a":{"$lt":null}}`, "7.0.0", "8.0.0", same},
		{"nor does another operand", `{"a":1,"b":{"$exists":true},"c":{"$gt":{"$minKey":1}}}`, "3.2.0", "8.2.0", same},
		{"one clause of several", `{"a":1,"b":null}`, "8.0.0", "7.0.0", more},
		{"one of $or", `{"$or":[{"a":1},{"$and":[{"b":null},{"c":2}]}]}`, "8.0.0", "7.0.0", more},
		{"within one release", `{"a":null}`, "8.0.0", "8.0.17", same},
		{"null takes in what an array breaks off since 9.0", `{"a.b":null}`, "8.0.4", fixture.Latest, more},
		{"and a downgrade leaves it out again", `{"a.b":{"$gte":null}}`, "9.0.0", "8.3.13", fewer},
		{"at a position too", `{"a.0":null}`, "8.3.13", "9.0.0", more},
		{"a path of one part breaks nowhere", `{"a":null}`, "8.3.13", "9.0.0", same},
		{"nor does another operand change", `{"a.b":1,"a.c":{"$exists":true}}`, "8.3.13", "9.0.0", same},
		{"a least key is unspecified", `{"a.b":{"$gte":{"$minKey":1}}}`, "8.3.13", "9.0.0", unknown},
		{"$type: array asks for the array itself since 3.6", `{"a":{"$type":4}}`, "3.4.0", "3.6.0", more},
		{"and for an element before", `{"a.b":{"$type":"array"}}`, "3.6.0", "3.4.0", fewer},
		{"other types do not change", `{"a":{"$type":9}}`, "3.4.0", "3.6.0", same},
		{"beyond the extreme keys lay all other types", `{"a":{"$gt":{"$maxKey":1}}}`, "3.6.0", "8.0.0", fewer},
		{"and do again", `{"a":{"$lt":{"$minKey":1}}}`, "4.2.0", "4.0.0", more},
		{"not beyond equality", `{"a":{"$minKey":1}}`, "4.0.0", "4.2.0", same},
		{"what takes in more is told first", `{"a":{"$gt":{"$maxKey":1}},"b":{"$type":4}}`, "3.4.0", "8.0.0", more},
		{"also before what takes in fewer", `{"a":null,"b":{"$type":4}}`, "3.4.0", "8.0.0", more},
		{"what is not decided anyway", `{"a":{"$geoWithin":{"$center":[[0,0],1]}}}`, "7.0.0", "8.0.0", same},
		{"a path of nine positions", `{"0.1.2.3.4.5.6.7.8":null}`, "7.0.0", "8.0.0", unknown},
		{"eight are followed", `{"0.1.2.3.4.5.6.7":null}`, "7.0.0", "8.0.0", fewer},
		{"none", `{}`, "3.2.0", "8.2.0", same},
	}
	for _, tt := range tests {
		spec := movingIndex(t, `1`)
		spec.PartialFilterExpression = drawn.Value(t, tt.filter)
		for _, op := range []Operation{InitialSync, DumpRestore, upOrDown(t, tt.from, tt.to)} {
			m, err := Assess(spec, fixture.Profile(t, tt.from), fixture.Profile(t, tt.to), op)
			saw(m)
			if err != nil || m.Rule.String() != tt.rule || m.Effect != effects[tt.rule] {
				t.Errorf("%s: %s from %s to %s by %s: %s by %s, %v; want %s by %s", tt.why, tt.filter, tt.from, tt.to, op, m.Effect, m.Rule, err, effects[tt.rule], tt.rule)
			}
		}
	}
}

func upOrDown(t *testing.T, from, to string) Operation {
	t.Helper()
	return directionModel(moveVersion(t, from), moveVersion(t, to))
}
