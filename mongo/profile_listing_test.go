package mongo

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// notKnown stands for a value that is unspecified or not rewritten.
const notKnown = "-"

func TestListed(t *testing.T) {
	const (
		nan = `{"$numberDouble":"NaN"}`
		max = `{"$numberInt":"2147483647"}`
	)
	tests := []struct{ version, stored, want string }{
		{"4.4.0", nan, nan},
		{"4.4.0", `"10"`, `"10"`},
		{"4.4.0", `{"$numberDouble":"4.5"}`, `{"$numberDouble":"4.5"}`},
		{"5.0.13", nan, `{"$numberInt":"0"}`},
		{"5.0.14", nan, max},
		{"5.1.0", nan, `{"$numberInt":"0"}`},
		{"4.4.16", nan, nan},
		{"6.0.1", `{"$numberDecimal":"NaN"}`, `{"$numberInt":"0"}`},
		{"6.0.2", `{"$numberDecimal":"NaN"}`, max},
		{"8.2.0", nan, max},
		{"5.0.0", `{"$numberDouble":"4.5"}`, `{"$numberInt":"4"}`},
		{"8.2.0", `{"$numberLong":"2147483647"}`, max},
		{"8.2.0", `{"$numberLong":"2147483648"}`, max},
		{"8.2.0", `-1`, max},
		{"7.0.0", `"10"`, max},
		{"6.1.0", `-1`, notKnown},
		{"6.0.2", `"10"`, notKnown},
	}
	for _, tt := range tests {
		p := vectorProfile(t, tt.version)
		checkRewrite(t, "Listed", tt.version, tt.stored, tt.want, func(v policy.Value) (policy.Value, bool) { return hidden.Listed(p, v) })
	}
	if v, ok := hidden.Listed(Profile{}, policy.Int32Value(1)); ok {
		t.Errorf("the zero Profile lists %v, want nothing", v.Kind())
	}
	if v, ok := hidden.Listed(vectorProfile(t, "8.2.0"), policy.Value{}); !v.IsMissing() || !ok {
		t.Errorf("Listed(missing) = %v, %v, want missing, true", v.Kind(), ok)
	}
}

func checkRewrite(t *testing.T, name, version, stored, want string, rewrite func(policy.Value) (policy.Value, bool)) {
	t.Helper()
	v, ok := rewrite(drawn.Value(t, stored))
	got := notKnown
	if ok {
		got = string(policy.AppendExtJSON(nil, v))
	}
	if got != want {
		t.Errorf("%s: %s(%s) = %s, want %s", version, name, stored, got, want)
	}
}

// TestCodeName: CodeName returns the name that a release sends with a code.
func TestCodeName(t *testing.T) {
	for _, tt := range []struct {
		version string
		code    int32
		want    string
	}{
		{"4.2.0", codes.IDLFailedToParse, "Location40414"},
		{"6.0.16", codes.IDLUnknownField, "Location40415"},
		{"6.1.0", codes.IDLUnknownField, ""},
		{"7.3.4", codes.IDLFailedToParse, ""},
		{"8.0.0", codes.IDLUnknownField, "IDLUnknownField"},
		{latest, codes.IDLFailedToParse, "IDLFailedToParse"},
		{"2.4.0", codes.CannotCreateIndex, "CannotCreateIndex"},
		{"7.0.0", codes.ClusteredUnique, "Location5979700"},
	} {
		if got := vectorProfile(t, tt.version).codeName(tt.code); got != tt.want {
			t.Errorf("CodeName(%d) of %s = %q, want %q", tt.code, tt.version, got, tt.want)
		}
	}
	if got := (Profile{}).codeName(codes.IDLUnknownField); got != "" {
		t.Errorf("CodeName of no release = %q, want none", got)
	}
}

func TestProfileOfAlikeReleases(t *testing.T) {
	if a, b := vectorProfile(t, "8.2.0"), vectorProfile(t, "8.2.11"); a != b {
		t.Errorf("8.2.0 and 8.2.11 have the profiles %+v and %+v, want one", a, b)
	}
	if a, b := vectorProfile(t, "5.0.13"), vectorProfile(t, "5.0.14"); a == b {
		t.Error("5.0.13 and 5.0.14 have one profile, want two")
	}
	if p, err := ProfileOf(Latest()); err != nil || p == (Profile{}) {
		t.Errorf("ProfileOf(Latest()) = %+v, %v, want a profile", p, err)
	}
}

func TestWithParameter(t *testing.T) {
	old, newest := vectorProfile(t, "8.3.13"), vectorProfile(t, latest)
	for _, tt := range []struct {
		why   string
		p     Profile
		name  string
		value policy.Value
		want  Profile
	}{
		{"the default", newest, behaviour.LegacyNullParameter, policy.BoolValue(false), newest},
		{"a release without it", old, behaviour.LegacyNullParameter, policy.BoolValue(false), Profile{}},
		{"no release", Profile{}, behaviour.LegacyNullParameter, policy.BoolValue(true), Profile{}},
		{"another parameter", newest, "ttlMonitorEnabled", policy.BoolValue(true), Profile{}},
		{"another type", newest, behaviour.LegacyNullParameter, policy.Int32Value(1), Profile{}},
		{"no value", newest, behaviour.LegacyNullParameter, policy.Value{}, Profile{}},
	} {
		got, err := tt.p.WithParameter(tt.name, tt.value)
		if got != tt.want || (err == nil) != (tt.want != Profile{}) || err != nil && !errors.Is(err, ErrParameter) {
			t.Errorf("%s: WithParameter(%q, %v) = %+v, %v", tt.why, tt.name, tt.value, got, err)
		}
	}
	set, err := newest.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	if err != nil || set == newest {
		t.Errorf("the profile with the parameter is that without, %v", err)
	}
	if unset, err := set.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(false)); err != nil || unset != newest {
		t.Errorf("the parameter cannot be set back: %+v, %v", unset, err)
	}
}

// TestBrokenPathSteps: the reading of broken paths changes with 9.0, as its release notes
// say.
func TestBrokenPathSteps(t *testing.T) {
	for version, want := range map[string]behaviour.BrokenPathMeaning{"3.2.0": behaviour.BrokenPathsSkipped, "8.3.13": behaviour.BrokenPathsSkipped, "9.0.0": behaviour.BrokenPathsNull, latest: behaviour.BrokenPathsNull} {
		if got := vectorProfile(t, version).behaviour.BrokenPaths; got != want {
			t.Errorf("at %s: %v, want %v", version, got, want)
		}
	}
}
