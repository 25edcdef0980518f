package suite

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

type schema struct {
	Properties map[string]struct{ Enum []string }
	Required   []string
}

func readSchema(t *testing.T) (defs map[string]schema) {
	t.Helper()
	text, err := testdata.Files.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	defs = map[string]schema{}
	for name, raw := range whole.Defs {
		var s schema
		json.Unmarshal(raw, &s) // definitions of another form are not tested
		defs[name] = s
	}
	return defs
}

// TestSchemaKnowsTheFieldsOfTheLoader: people write vectors with the schema in
// their editor, so it must not drift from what the loader takes.
func TestSchemaKnowsTheFieldsOfTheLoader(t *testing.T) {
	defs := readSchema(t)
	for name, text := range map[string]any{
		"vectorsFile": vectorsText{}, "vector": vectorText{}, "row": rowText{}, "alternative": Expectation{}, "error": conformance.Refusal{}, "gap": gapText{},
		"sourcesFile": sourcesText{}, "source": sourceText{}, "tablesFile": tablesText{}, "releases": releasesText{}, "plumbing": echoedValue{}, "flag": Flag{},
	} {
		want := slices.Sorted(maps.Keys(fieldsOf(reflect.TypeOf(text))))
		want = slices.DeleteFunc(want, func(s string) bool {
			return s == "$schema" || name == "row" && s == "label" || name == "error" && s == "message" // refused by the loader
		})
		got := slices.Sorted(maps.Keys(defs[name].Properties))
		got = slices.DeleteFunc(got, func(s string) bool { return s == "$schema" })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("$defs.%s has other properties than the loader reads (-loader +schema):\n%s", name, diff)
		}
	}
}

// fieldsOf returns the members that the loader reads into a struct, each with its choice.
func fieldsOf(t reflect.Type) map[string][]string {
	all := map[string][]string{}
	for i := range t.NumField() {
		field := t.Field(i)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" && name != "-" {
			all[name] = strings.Fields(field.Tag.Get("choice"))
		} else if field.Anonymous && field.Type != reflect.TypeFor[jsonfile.Node]() {
			maps.Copy(all, fieldsOf(field.Type))
		}
	}
	return all
}

func TestSchemaKnowsTheNamesOfTheLoader(t *testing.T) {
	defs := readSchema(t)
	for _, tt := range []struct {
		where string
		got   []string
		want  []string
	}{
		{"vector.op", defs["vector"].Properties["op"].Enum, conformance.Operations()},
		{"vector.status", defs["vector"].Properties["status"].Enum, fieldsOf(reflect.TypeFor[Vector]())["status"]},
		{"row.level", defs["row"].Properties["level"].Enum, fieldsOf(reflect.TypeFor[Row]())["level"]},
		{"row.evidence", defs["row"].Properties["evidence"].Enum, fieldsOf(reflect.TypeFor[Row]())["evidence"]},
		{"source.kind", defs["source"].Properties["kind"].Enum, fieldsOf(reflect.TypeFor[sourceText]())["kind"]},
		{"flag.kind", defs["flag"].Properties["kind"].Enum, fieldsOf(reflect.TypeFor[Flag]())["kind"]},
		{"evidence", fieldsOf(reflect.TypeFor[Row]())["evidence"], []string{engine.VendorTest, engine.FromSource, engine.Reported, engine.Documented, engine.Inferred, engine.Disputed}},
		{"kinds of sources", fieldsOf(reflect.TypeFor[sourceText]())["kind"], []string{citations.Documentation, citations.Specification, citations.Ticket, citations.Report, citations.Source, citations.Test}},
		{"systems", fieldsOf(reflect.TypeFor[RuleSet]())["system"], Systems},
	} {
		slices.Sort(tt.got)
		want := slices.Sorted(slices.Values(tt.want))
		if diff := cmp.Diff(want, tt.got); diff != "" {
			t.Errorf("the names of %s (-loader +schema):\n%s", tt.where, diff)
		}
	}
	var out []string
	for _, op := range questions.Operations {
		out = append(out, op.Results()...)
	}
	slices.Sort(out)
	if diff := cmp.Diff(slices.Compact(out), slices.Sorted(maps.Keys(defs["out"].Properties))); diff != "" {
		t.Errorf("the members of out (-loader +schema):\n%s", diff)
	}
}
