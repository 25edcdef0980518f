package moves

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	nanText = `{"$numberDouble":"NaN"}`
	maxText = `{"$numberInt":"2147483647"}`

	nanIndex = `{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`
)

func moveVersion(t testing.TB, text string) behaviour.Version {
	t.Helper()
	v, err := mongo.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return behaviour.Version(v)
}

// movingIndex returns an index on t with this expireAfterSeconds, without the option if
// it is empty.
func movingIndex(t testing.TB, option string) mongo.IndexSpec {
	t.Helper()
	spec := mongo.IndexSpec{Name: "t_1", Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}}
	if option != "" {
		spec.ExpireAfterSeconds = drawn.Value(t, option)
	}
	return spec
}

// TestAssess: each rule of a move decides in one of the tables.
func TestAssess(t *testing.T) {
	seen := map[policy.Rule]bool{}
	saw := func(m Move) { seen[m.Rule] = true }
	for name, table := range map[string]func(*testing.T, func(Move)){"moves": assessMoves, "restores": assessRestores, "shapes": assessShapes, "filters": assessFilters} {
		t.Run(name, func(t *testing.T) { table(t, saw) })
	}
	for _, r := range rules.MoveRules {
		if !seen[r] {
			t.Errorf("%s decides no move", r)
		}
	}
}

// assessMoves checks the option that arrives, its repaired form, the effect, and the
// rule. The data-loss paths of the manual come first.
func assessMoves(t *testing.T, saw func(Move)) {
	const none = "missing"
	tests := []struct {
		why, stored, from, to string
		op                    Operation
		arrives, repaired     string
		effect                Effect
		rule                  string
	}{
		{"initial sync of a 5.0.0 member from 4.4", nanText, "4.4.0", "5.0.0", InitialSync, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"initial sync of a 5.0.13 member from 4.4", nanText, "4.4.29", "5.0.13", InitialSync, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"initial sync of a 6.0.1 member from 4.4", nanText, "4.4.0", "6.0.1", InitialSync, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"a decimal NaN is one too", `{"$numberDecimal":"NaN"}`, "4.2.0", "5.0.9", InitialSync, `{"$numberDecimal":"NaN"}`, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"upgrade to 5.0.0", nanText, "4.4.0", "5.0.0", Upgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"upgrade to 5.0.13", nanText, "4.4.0", "5.0.13", Upgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"upgrade to 6.0.0 from a release that skips it", nanText, "5.0.14", "6.0.0", Upgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"upgrade to 6.0.1", nanText, "5.0.31", "6.0.1", Upgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"downgrade to 5.0.13", nanText, "5.0.14", "5.0.13", Downgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"downgrade to 3.2", nanText, "3.4.0", "3.2.22", Downgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"upgrade from 3.2", nanText, "3.2.22", "3.4.0", Upgrade, nanText, none, EffectKeeps, rules.MoveStops.ID()},
		{"within the old releases it is 0, and the date itself goes from 3.2 on", nanText, "3.0.15", "3.2.0", Upgrade, nanText, none, EffectDeletes, rules.MoveEarlier.ID()},
		{"a double beyond 64 bits is 0 up to 3.2", `{"$numberDouble":"1E+300"}`, "3.4.0", "3.2.22", Downgrade, `{"$numberDouble":"1E+300"}`, none, EffectDeletes, rules.MoveStarts.ID()},
		{"downgrade to 6.0.1", nanText, "6.0.2", "6.0.1", Downgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},

		{"the safe side of the upgrade, until a step-up", nanText, "4.4.0", "5.0.14", Upgrade, nanText, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"the same for 6.0.2", nanText, "4.4.0", "6.0.2", Upgrade, nanText, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"initial sync from a release that lists the repair", nanText, "5.0.14", "4.4.0", InitialSync, maxText, none, EffectDeletes, rules.Move68Years.ID()},
		{"the same for a 4.2 member", nanText, "6.0.2", "4.2.24", InitialSync, maxText, none, EffectDeletes, rules.Move68Years.ID()},
		{"and for a 5.0.9 member, which is not given a NaN", nanText, "5.0.14", "5.0.9", InitialSync, maxText, none, EffectDeletes, rules.Move68Years.ID()},
		{"upgrade within the releases that fail", nanText, "4.2.0", "4.4.0", Upgrade, nanText, none, EffectNone, rules.MoveUnchanged.ID()},
		{"upgrade within the releases that delete", nanText, "5.0.9", "5.0.13", Upgrade, nanText, none, EffectNone, rules.MoveUnchanged.ID()},
		{"a NaN that deleted is skipped", nanText, "5.0.13", "5.0.14", Upgrade, nanText, maxText, EffectKeeps, rules.MoveStops.ID()},
		{"a NaN that deleted fails", nanText, "5.0.13", "4.4.0", Downgrade, nanText, none, EffectKeeps, rules.MoveStops.ID()},
		{"a NaN listed as 0 stays what it was", nanText, "5.0.13", "8.0.0", InitialSync, `{"$numberInt":"0"}`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"a downgrade to where it fails", nanText, "5.0.14", "4.4.0", Downgrade, nanText, none, EffectNone, rules.MoveUnchanged.ID()},
		{"the rapid releases take it for 0", nanText, "4.4.0", "5.1.0", Upgrade, nanText, none, EffectDeletes, rules.MoveNaNZero.ID()},
		{"also as a start", nanText, "5.3.0", "6.0.2", Upgrade, nanText, maxText, EffectKeeps, rules.MoveStops.ID()},
		{"and list it so", nanText, "5.3.0", "6.0.0", InitialSync, `{"$numberInt":"0"}`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"4.4.16 skips what 4.4.15 fails by", nanText, "4.4.15", "4.4.16", Upgrade, nanText, none, EffectNone, rules.MoveUnchanged.ID()},
		{"text that was 0", `"3600"`, "2.4.8", "2.4.9", Upgrade, `"3600"`, none, EffectKeeps, rules.MoveStops.ID()},
		{"and is again", `"3600"`, "2.4.9", "2.4.8", Downgrade, `"3600"`, none, EffectDeletes, rules.MoveStarts.ID()},

		{"a negative delay is used up to 6.1", `-5`, "4.0.0", "6.1.0", Upgrade, `{"$numberInt":"-5"}`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"and skipped from 7.0, where a step-up repairs it", `-5`, "6.0.0", "7.0.0", Upgrade, `{"$numberInt":"-5"}`, maxText, EffectKeeps, rules.MoveStops.ID()},
		{"a downgrade uses it again", `-5`, "7.0.0", "6.0.0", Downgrade, `{"$numberInt":"-5"}`, none, EffectDeletes, rules.MoveStarts.ID()},
		{"6.2 is unspecified", `-5`, "6.1.0", "6.2.0", Upgrade, `{"$numberInt":"-5"}`, none, EffectUnspecified, rules.MoveUnspecified.ID()},
		{"6.1 lists no one knows what", `-5`, "6.1.0", "7.0.0", InitialSync, none, none, EffectUnspecified, rules.MoveListedUnspecified.ID()},
		{"4.4 lists what is stored", `-5`, "4.4.0", "6.0.0", InitialSync, `{"$numberInt":"-5"}`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"7.0 lists the repair, which is later", `-5`, "7.0.0", "7.0.1", InitialSync, maxText, none, EffectDeletes, rules.Move68Years.ID()},
		{"a delay of 300 years becomes one of 68", `{"$numberLong":"9467280000"}`, "6.0.0", "7.0.0", Upgrade, `{"$numberLong":"9467280000"}`, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"a second too much", `{"$numberLong":"2147483648"}`, "4.0.0", "8.0.0", Upgrade, `{"$numberLong":"2147483648"}`, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"the greatest delay that is not too long", `{"$numberLong":"2147483647"}`, "4.0.0", "8.0.0", Upgrade, `{"$numberLong":"2147483647"}`, maxText, EffectNone, rules.MoveUnchanged.ID()},
		{"text is repaired", `"3600"`, "4.0.0", "7.0.0", Upgrade, `"3600"`, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"text is skipped", `"3600"`, "4.0.0", "5.0.0", Upgrade, `"3600"`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"what overflows is skipped, then repaired", `{"$numberLong":"9223372036854775807"}`, "6.0.0", "7.0.0", Upgrade, `{"$numberLong":"9223372036854775807"}`, maxText, EffectDeletes, rules.Move68Years.ID()},
		{"a double is written down as an int", `{"$numberDouble":"4.5"}`, "7.0.0", "7.3.0", Upgrade, `{"$numberDouble":"4.5"}`, `{"$numberInt":"4"}`, EffectNone, rules.MoveUnchanged.ID()},
		{"a double is listed as an int", `{"$numberDouble":"4.5"}`, "5.0.0", "7.0.0", InitialSync, `{"$numberInt":"4"}`, none, EffectNone, rules.MoveUnchanged.ID()},

		{"an ordinary index", `3600`, "3.2.0", "8.2.0", Upgrade, `{"$numberInt":"3600"}`, none, EffectNone, rules.MoveUnchanged.ID()},
		{"the millisecond of 3.2", `3600`, "3.0.0", "3.2.0", Upgrade, `{"$numberInt":"3600"}`, none, EffectDeletes, rules.MoveEarlier.ID()},
		{"the millisecond of 3.0", `3600`, "3.2.0", "3.0.0", Downgrade, `{"$numberInt":"3600"}`, none, EffectKeeps, rules.MoveLater.ID()},
		{"no option", ``, "4.4.0", "5.0.0", InitialSync, none, none, EffectNone, rules.NoTTL.ID()},
		{"the same release", nanText, "5.0.0", "5.0.0", Upgrade, nanText, none, EffectNone, rules.MoveUnchanged.ID()},
		{"and the other way", `1`, "8.0.0", "8.0.0", Downgrade, `{"$numberInt":"1"}`, none, EffectNone, rules.MoveUnchanged.ID()},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			m, err := Assess(movingIndex(t, tt.stored), fixture.Profile(t, tt.from), fixture.Profile(t, tt.to), tt.op)
			if err != nil {
				t.Fatal(err)
			}
			saw(m)
			if m.Arrives.String() != tt.arrives || m.Repaired.String() != tt.repaired || m.Refusal != nil {
				t.Errorf("%s arrives, repaired to %s, refused by %v; want %s, %s, nil", m.Arrives, m.Repaired, m.Refusal, tt.arrives, tt.repaired)
			}
			if m.Effect != tt.effect || m.Rule.String() != tt.rule {
				t.Errorf("effect: %s by %s, want %s by %s", m.Effect, m.Rule, tt.effect, tt.rule)
			}
		})
	}
}

// assessRestores checks restores, which createIndexes of the destination accepts or
// refuses with a code.
func assessRestores(t *testing.T, saw func(Move)) {
	const missing = "missing"
	tests := []struct {
		why, index, from, to string
		arrives, repaired    string
		refused              int32 // 0 if the index is accepted
		effect               Effect
		rule                 string
	}{
		{"a dump of 4.4 into 5.0.0", nanIndex, "4.4.0", "5.0.0", nanText, missing, 0, EffectDeletes, rules.MoveNaNZero.ID()},
		{"a dump of 4.4 into 5.0.13", nanIndex, "4.4.0", "5.0.13", nanText, missing, 0, EffectDeletes, rules.MoveNaNZero.ID()},
		{"a dump of 3.6 into 6.0.1", nanIndex, "3.6.0", "6.0.1", nanText, missing, 0, EffectDeletes, rules.MoveNaNZero.ID()},
		{"into what stores 68 years for it", nanIndex, "4.4.0", "5.0.14", maxText, missing, 0, EffectDeletes, rules.Move68Years.ID()},
		{"into what fails", nanIndex, "4.0.0", "4.4.0", nanText, missing, 0, EffectNone, rules.MoveUnchanged.ID()},
		{"into what refuses it", nanIndex, "4.4.0", "7.0.0", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"into what nobody knows", nanIndex, "4.4.0", "6.2.0", missing, missing, 0, EffectUnspecified, rules.MoveUnspecified.ID()},
		{"a dump of 5.0.0 says 0", nanIndex, "5.0.0", "8.0.0", `{"$numberInt":"0"}`, missing, 0, EffectNone, rules.MoveUnchanged.ID()},
		{"a dump of 5.0.14 says 68 years", nanIndex, "5.0.14", "8.0.0", maxText, missing, 0, EffectDeletes, rules.Move68Years.ID()},
		{"which 5.0.13 refuses, until 2038", nanIndex, "5.0.14", "5.0.13", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"and 6.0.1", nanIndex, "6.0.2", "6.0.1", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"and 4.4, although the index deleted", `{"key":{"t":1},"expireAfterSeconds":2147483647}`, "6.1.0", "4.4.0", missing, missing, codes.CannotCreateIndex, EffectKeeps, rules.MoveRefused.ID()},
		{"what every clock accepts", `{"key":{"t":1},"expireAfterSeconds":1546300800}`, "6.1.0", "4.4.0", `{"$numberInt":"1546300800"}`, missing, 0, EffectNone, rules.MoveUnchanged.ID()},
		{"what a clock of 2019 refuses", `{"key":{"t":1},"expireAfterSeconds":1546300801}`, "6.1.0", "4.4.0", missing, missing, codes.CannotCreateIndex, EffectKeeps, rules.MoveRefused.ID()},
		{"4.0 checks nothing", nanIndex, "5.0.14", "4.0.0", maxText, missing, 0, EffectDeletes, rules.Move68Years.ID()},
		{"text", `{"key":{"t":1},"expireAfterSeconds":"5"}`, "4.0.0", "4.2.0", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"a negative delay", `{"key":{"t":1},"expireAfterSeconds":-5}`, "4.0.0", "5.0.0", missing, missing, codes.CannotCreateIndex, EffectKeeps, rules.MoveRefused.ID()},
		{"a compound index", `{"key":{"t":1,"u":1},"expireAfterSeconds":5}`, "4.0.0", "4.2.0", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"a hashed index of old", `{"key":{"t":"hashed"},"expireAfterSeconds":5,"partialFilterExpression":{"a":{"$in":[1]}}}`, "6.0.0", "5.0.0", missing, missing, codes.CannotCreateIndex, EffectNone, rules.MoveRefused.ID()},
		{"a filter that the destination does not know", `{"key":{"t":1},"expireAfterSeconds":5,"partialFilterExpression":{"a":{"$in":[1]}}}`, "6.0.0", "5.0.0", missing, missing, codes.CannotCreateIndex, EffectKeeps, rules.MoveRefused.ID()},
		{"a hidden index", `{"key":{"t":1},"expireAfterSeconds":5,"hidden":true}`, "4.4.0", "4.2.0", missing, missing, codes.InvalidIndexSpecificationOption, EffectKeeps, rules.MoveRefused.ID()},
		{"a refused one of which nobody knows", `{"key":{"t":1},"expireAfterSeconds":-1}`, "6.1.0", "7.0.0", missing, missing, 0, EffectUnspecified, rules.MoveListedUnspecified.ID()},
		{"a dump of 5.1 says 0", nanIndex, "5.1.0", "7.0.0", `{"$numberInt":"0"}`, missing, 0, EffectNone, rules.MoveUnchanged.ID()},
		{"a special index that was unspecified", `{"key":{"t":"2d"},"expireAfterSeconds":"5"}`, "3.0.0", "7.0.0", missing, missing, codes.CannotCreateIndex, EffectUnspecified, rules.MoveRefused.ID()},
		{"a fraction is stored whole", `{"key":{"t":1},"expireAfterSeconds":4.5}`, "4.4.0", "7.3.0", `{"$numberInt":"4"}`, missing, 0, EffectNone, rules.MoveUnchanged.ID()},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			spec, err := mongo.ParseIndexSpec(drawn.Value(t, tt.index))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Assess(spec, fixture.Profile(t, tt.from), fixture.Profile(t, tt.to), DumpRestore)
			if err != nil {
				t.Fatal(err)
			}
			saw(m)
			if m.Arrives.String() != tt.arrives || m.Repaired.String() != tt.repaired || m.Effect != tt.effect || m.Rule.String() != tt.rule {
				t.Errorf("%s arrives, repaired to %s: %s by %s; want %s, %s: %s by %s", m.Arrives, m.Repaired, m.Effect, m.Rule, tt.arrives, tt.repaired, tt.effect, tt.rule)
			}
			if tt.refused == 0 && m.Refusal != nil || tt.refused != 0 && !isError(m.Refusal, code(tt.refused)) {
				t.Errorf("refused by %v, want code %d", m.Refusal, tt.refused)
			}
		})
	}
}

// assessShapes checks the properties of an index, apart from its option, on which the
// effect depends.
func assessShapes(t *testing.T, saw func(Move)) {
	tests := []struct {
		why, index, from, to string
		op                   Operation
		effect               Effect
		rule                 string
	}{
		{"a compound index sleeps on", `{"key":{"t":1,"u":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}`, "4.4.0", "5.0.0", Upgrade, EffectNone, rules.MoveUnchanged.ID()},
		{"so does a hashed one", `{"key":{"t":"hashed"},"expireAfterSeconds":1}`, "4.4.0", "5.0.0", Upgrade, EffectNone, rules.MoveUnchanged.ID()},
		{"a hashed one deleted up to 3.0", `{"key":{"t":"hashed"},"expireAfterSeconds":1}`, "3.0.0", "3.2.0", Upgrade, EffectKeeps, rules.MoveStops.ID()},
		{"another special one of old is unspecified", `{"key":{"t":"2d"},"expireAfterSeconds":1}`, "3.0.0", "3.2.0", Upgrade, EffectUnspecified, rules.MoveUnspecified.ID()},
		{"a filter that all releases read alike", `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":1}}`, "3.2.0", "8.2.0", Upgrade, EffectNone, rules.MoveUnchanged.ID()},
		{"a filter that the destination does not know", `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":{"$in":[1]}}}`, "6.0.0", "5.0.0", Downgrade, EffectUnspecified, rules.MoveFilterUnspecified.ID()},
		{"one that does not look at the filter", `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":1}}`, "3.2.0", "3.0.0", Downgrade, EffectDeletes, rules.MoveFilterMore.ID()},
		{"one that begins to look at it", `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"t":{"$exists":true}}}`, "3.0.0", "3.2.0", Upgrade, EffectDeletes, rules.MoveEarlier.ID()},
		{"neither looks at it", `{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"a":1}}`, "2.4.0", "3.0.0", Upgrade, EffectNone, rules.MoveUnchanged.ID()},
		{"a filter does not save from NaN", `{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"},"partialFilterExpression":{"a":null}}`, "4.4.0", "5.0.0", Upgrade, EffectDeletes, rules.MoveNaNZero.ID()},
		{"a clustered collection's own", `{"key":{"_id":1},"clustered":true,"expireAfterSeconds":{"$numberLong":"4000000000"}}`, "5.3.0", "8.0.0", InitialSync, EffectNone, rules.MoveUnchanged.ID()},
		{"which 5.2 does not know", `{"key":{"_id":1},"clustered":true,"expireAfterSeconds":1}`, "5.3.0", "5.2.0", Downgrade, EffectUnspecified, rules.MoveUnspecified.ID()},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			spec, err := mongo.ParseIndexSpec(drawn.Value(t, tt.index))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Assess(spec, fixture.Profile(t, tt.from), fixture.Profile(t, tt.to), tt.op)
			saw(m)
			if err != nil || m.Effect != tt.effect || m.Rule.String() != tt.rule {
				t.Errorf("effect: %s by %s, %v, want %s by %s", m.Effect, m.Rule, err, tt.effect, tt.rule)
			}
		})
	}
}

func TestAssessRefuses(t *testing.T) {
	filtered := movingIndex(t, `1`)
	filtered.PartialFilterExpression = drawn.Value(t, `{"a":{"$ne":1}}`)
	tests := []struct {
		index    mongo.IndexSpec
		from, to string // empty for the zero Profile
		op       Operation
		want     error
	}{
		{movingIndex(t, `1`), "", "5.0.0", Upgrade, mongo.ErrUnknownVersion},
		{movingIndex(t, `1`), "5.0.0", "", Upgrade, mongo.ErrUnknownVersion},
		{movingIndex(t, `1`), "4.4.0", "5.0.0", 0, errOperation},
		{movingIndex(t, `1`), "4.4.0", "5.0.0", DumpRestore + 1, errOperation},
		{filtered, "4.4.0", "5.0.0", Upgrade, code(codes.CannotCreateIndex)},
	}
	profile := func(version string) (p mongo.Profile) {
		if version != "" {
			p = fixture.Profile(t, version)
		}
		return p
	}
	for _, tt := range tests {
		if m, err := Assess(tt.index, profile(tt.from), profile(tt.to), tt.op); !isError(err, tt.want) {
			t.Errorf("Assess(%s, %s, %s) = %v, %v, want %v", tt.from, tt.to, tt.op, m.Effect, err, tt.want)
		}
	}
}

func TestMoveNames(t *testing.T) {
	for got, want := range map[string]string{
		Upgrade.String(): "upgrade", Downgrade.String(): "downgrade", InitialSync.String(): "initial sync",
		DumpRestore.String(): "dump and restore", Operation(0).String(): "Operation(0)", Operation(9).String(): "Operation(9)",
		EffectUnspecified.String(): "unspecified", EffectNone.String(): "unchanged", EffectKeeps.String(): "deletes fewer documents",
		EffectDeletes.String(): "deletes more documents", Effect(9).String(): "Effect(9)",
	} {
		if got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
	if (Move{}).Effect != EffectUnspecified {
		t.Error("the zero Move has an effect")
	}
}

// TestModelMoves: a move without effect leaves every deadline as it was,
// whether the index is repaired or not; a move that deletes fewer documents
// makes no deadline earlier.
func TestModelMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(drawn.Releases).Draw(t, "from")
		to := rapid.SampledFrom(drawn.Releases).Draw(t, "to")
		op := rapid.SampledFrom([]Operation{directionModel(from, to), InitialSync, DumpRestore}).Draw(t, "op")
		stored := drawn.StoredOptions().Draw(t, "stored")
		spec := mongo.IndexSpec{Name: "t_1", Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: stored.Value}
		m, err := Assess(spec, fixture.Profile(t, from.String()), fixture.Profile(t, to.String()), op)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(slices.Collect(mongo.Rules()), m.Rule) {
			t.Fatalf("%s is not in the catalogue", m.Rule)
		}
		date := drawn.Instants.Draw(t, "date")
		before := drawn.DeadlineOf(date, drawn.DelayOf(stored, from), from)
		for _, option := range []policy.Value{m.Arrives, m.Repaired} {
			if option.IsMissing() {
				continue
			}
			checkMoved(t, m, before, movedDeadline(t, spec, option, to, date))
		}
		checkWitness(t, m, spec, stored, from, to)
		if m.Refusal != nil && before != nil && m.Effect == EffectNone {
			t.Fatalf("%s is refused, by which %d expired at %s, and nothing changes", stored.Value, date, before)
		}
	})
}

func directionModel(from, to behaviour.Version) Operation {
	if drawn.Before(to, int(from.Major), int(from.Minor), int(from.Patch)) {
		return Downgrade
	}
	return Upgrade
}

// movedDeadline returns the deadline that the evaluator of the destination gives date,
// nil if there is no deadline.
func movedDeadline(t *rapid.T, spec mongo.IndexSpec, option policy.Value, to behaviour.Version, date policy.Instant) *big.Int {
	spec.ExpireAfterSeconds = option
	x, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{spec}}, fixture.Profile(t, to.String()))
	if err != nil {
		t.Fatal(err)
	}
	d := x.Decide(policy.D{{Key: "t", Value: policy.DateValue(date)}}, 0)
	if d.State == policy.Never {
		return nil
	}
	return big.NewInt(int64(drawn.Deadline(d)))
}

// checkWitness checks that a move with an effect changes the deadline of the
// date 0, where no deadline overflows.
func checkWitness(t *rapid.T, m Move, spec mongo.IndexSpec, stored drawn.Stored, from, to behaviour.Version) {
	before := drawn.DeadlineOf(0, drawn.DelayOf(stored, from), from)
	earlier, later := false, m.Refusal != nil && before != nil
	for _, option := range []policy.Value{m.Arrives, m.Repaired} {
		if option.IsMissing() {
			continue
		}
		after := movedDeadline(t, spec, option, to, 0)
		earlier = earlier || after != nil && (before == nil || after.Cmp(before) < 0)
		later = later || before != nil && (after == nil || after.Cmp(before) > 0)
	}
	if m.Effect == EffectDeletes && !earlier || m.Effect == EffectKeeps && (earlier || !later) {
		t.Fatalf("%s by %s, but the date 0 goes earlier: %v, later: %v", m.Effect, m.Rule, earlier, later)
	}
}

func checkMoved(t *rapid.T, m Move, before, after *big.Int) {
	earlier := after != nil && (before == nil || after.Cmp(before) < 0)
	later := before != nil && (after == nil || after.Cmp(before) > 0)
	if m.Effect == EffectNone && (earlier || later) || m.Effect == EffectKeeps && earlier {
		t.Fatalf("%s by %s, but the deadline moves from %s to %s", m.Effect, m.Rule, before, after)
	}
}

// A code is the number of a server's error.
type code int32

func (c code) Error() string { return codes.Text(int32(c)) }

// isError reports whether err is want, or a refusal with the code want.
func isError(err, want error) bool {
	refused, ok := errors.AsType[*mongo.SpecError](err)
	return errors.Is(err, want) || ok && want == code(refused.Code)
}
