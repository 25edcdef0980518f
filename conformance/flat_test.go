package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestFlatten: a flat vector holds what is established for its release, and
// nothing that is open, disputed, proposed or retired.
func TestFlatten(t *testing.T) {
	for release, want := range map[string]string{"3.0.15": `"pending"`, "3.2.0": `"expired"`, "9.0.2": `"expired"`} {
		if got := flatOf(t, "mongodb-date-on-deadline", Target{System: MongoDB, Version: release}); len(got) != 1 || !strings.Contains(string(got[0].Want[0]), want) {
			t.Errorf("at %s: %+v, want %s", release, got, want)
		}
	}
	cosmos := Target{System: CosmosNoSQL}
	if got := flatOf(t, "cosmos-write-zero", cosmos); len(got) != 0 {
		t.Errorf("a disputed vector is taken along: %+v", got)
	}
	if got := flatOf(t, "cosmos-unreachable", cosmos); len(got) != 1 || len(got[0].Want) < 2 || got[0].Level != "optional" {
		t.Errorf("an optional vector is %+v, want all answers that conform", got)
	}
	custom := ParseTarget("cosmos-mongo@4.2+EnableTtlOnCustomPath")
	if with, without := flatOf(t, "cosmosmongo-field-date", custom), flatOf(t, "cosmosmongo-field-date", Target{System: CosmosMongo, Version: "4.2"}); len(with) != 1 || slices.EqualFunc(with, without, func(a, b Flat) bool { return string(a.Want[0]) == string(b.Want[0]) }) {
		t.Errorf("the capability makes no difference: %+v, %+v", with, without)
	}
}

// flatOf returns the flat vectors of that identifier: one, or none.
func flatOf(t *testing.T, id string, target Target) []Flat {
	t.Helper()
	all, err := Embedded().Flatten(target)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(f Flat) bool { return f.ID != id })
}

// TestFlattenLeavesGapsOut: where nothing is established nothing is wanted.
func TestFlattenLeavesGapsOut(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	target := Target{System: MongoDB, Version: "8.0.4"}
	before, err := s.Flatten(target)
	if err != nil || len(before) != 2 {
		t.Fatalf("%d flat vectors, %v", len(before), err)
	}
	s.Vectors[0].Status = Proposed
	s.Vectors[1].Want = nil
	if after, err := s.Flatten(target); err != nil || len(after) != 0 {
		t.Errorf("%+v, %v; want none", after, err)
	}
}

func TestParseTarget(t *testing.T) {
	for _, text := range []string{"mongodb@8.0.4", "cosmos-nosql", "cosmos-mongo@4.2+EnableTtlOnCustomPath", "cosmos-mongo@4.2+A+B",
		"mongodb@9.0.2+a=true", `mongodb@9.0.2+a=false+b=1.5+c="x"`} {
		if got := ParseTarget(text).String(); got != text {
			t.Errorf("ParseTarget(%s) = %s", text, got)
		}
	}
}

// TestParameters: which values a parameter may have, and that they keep their
// types on the way through a target's text.
func TestParameters(t *testing.T) {
	want := Parameters{"a": true, "b": 2.0, "c": "x", "d": "true"}
	if got := ParseTarget(Target{System: MongoDB, Parameters: want}.String()).Parameters; !maps.Equal(got, want) {
		t.Errorf("from a target's text: %v, want %v", got, want)
	}
	if got := ParseTarget("mongodb@9.0.2+a=on").Parameters["a"]; got != "on" {
		t.Errorf("a word that is no JSON is %v, want the string", got)
	}
	for _, text := range []string{`{"a":null}`, `{"a":[true]}`, `{"a":{}}`, `[true]`, `true`} {
		var p Parameters
		if json.Unmarshal([]byte(text), &p) == nil || p != nil {
			t.Errorf("%s is read as %v, want an error", text, p)
		}
	}
}

// TestUnlocked: the lines that are missing, and none while something else is
// wrong.
func TestUnlocked(t *testing.T) {
	files := small(t, tablesFile, "", "")
	if lines := Unlocked(files); len(lines) != 0 {
		t.Errorf("nothing is missing, and %q are", lines)
	}
	whole := string(files[lockFile].Data)
	first, rest, _ := strings.Cut(whole, "\n")
	files[lockFile].Data = []byte(rest)
	if lines := Unlocked(files); !slices.Equal(lines, []string{first}) {
		t.Errorf("missing are %q, want %q", lines, first)
	}
	files["vectors/a.json"].Data = []byte(strings.Replace(string(files["vectors/a.json"].Data), `"title": "past",`, "", 1))
	if lines := Unlocked(files); lines != nil {
		t.Errorf("while a title is missing: %q", lines)
	}
}

// TestUnknown names what a system claims and nobody asks about.
func TestUnknown(t *testing.T) {
	h := Hello{
		Ops:      []string{echoOp, "mongodb.decide", "mongodb.fly"},
		Systems:  map[string]string{MongoDB: ">=99.0.0", CosmosNoSQL: "*", "oracle": "*"},
		Features: []string{FeatureDeadline, "decimal128", "telepathy"},
	}
	want := []string{"op mongodb.fly", "releases of mongodb in >=99.0.0", "system oracle", "feature telepathy"}
	if got := Embedded().Unknown(h); !slices.Equal(got, want) {
		t.Errorf("Unknown = %q, want %q", got, want)
	}
	if got := Embedded().Unknown(Reference().Hello()); len(got) != 0 {
		t.Errorf("the reference claims what nobody knows: %q", got)
	}
}

// TestFlatIsWhole: a flat vector can be read without the suite.
func TestFlatIsWhole(t *testing.T) {
	all, err := Embedded().Flatten(Target{System: MongoDB, Version: "8.0.4"})
	if err != nil || len(all) < 500 {
		t.Fatalf("%d flat vectors, %v", len(all), err)
	}
	for _, f := range all {
		if len(f.Rules) == 0 || f.Op == "" || !json.Valid(f.In) || len(f.Want) == 0 || !json.Valid(f.Want[0]) {
			t.Errorf("%s lacks something: %+v", f.ID, f)
		}
	}
}
