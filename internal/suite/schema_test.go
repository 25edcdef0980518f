package suite

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
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
	for name, read := range map[string]func(l *loader, o *jsonfile.Object){
		"vectorsFile": func(l *loader, o *jsonfile.Object) { o.Optional("format"); l.vectors(o) },
		"vector":      func(l *loader, o *jsonfile.Object) { l.vector(o) },
		"row":         func(l *loader, o *jsonfile.Object) { l.row(o) },
		"alternative": func(l *loader, o *jsonfile.Object) { o.Text("label"); l.expectation(o) },
		"error":       func(l *loader, o *jsonfile.Object) { l.refusal(o) },
		"gap":         func(l *loader, o *jsonfile.Object) { l.gap(o) },
		"sourcesFile": func(l *loader, o *jsonfile.Object) { o.Optional("format"); l.sources(o) },
		"source":      func(l *loader, o *jsonfile.Object) { l.source(o) },
		"tablesFile":  func(l *loader, o *jsonfile.Object) { o.Optional("format"); l.tables(o) },
		"releases":    func(l *loader, o *jsonfile.Object) { l.releases(o) },
		"plumbing":    func(l *loader, o *jsonfile.Object) { l.echoedValue(o) },
	} {
		var found jsonfile.Problems
		n, _ := found.Parse(name, []byte(`{"status":"","code":1,"status":1}`))
		l := newLoader(testdata.Files)
		o := l.Object(n, jsonfile.Place{File: name, Line: 1})
		read(l, o)
		want := slices.Compact(slices.Sorted(slices.Values(o.Asked())))
		got := slices.Sorted(maps.Keys(defs[name].Properties))
		got = slices.DeleteFunc(got, func(s string) bool { return s == "$schema" })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("$defs.%s has other properties than the loader reads (-loader +schema):\n%s", name, diff)
		}
	}
}

func TestSchemaKnowsTheNamesOfTheLoader(t *testing.T) {
	defs := readSchema(t)
	for _, tt := range []struct {
		where string
		got   []string
		want  []string
	}{
		{"vector.op", defs["vector"].Properties["op"].Enum, conformance.Operations()},
		{"vector.status", defs["vector"].Properties["status"].Enum, statuses},
		{"row.level", defs["row"].Properties["level"].Enum, levels},
		{"row.evidence", defs["row"].Properties["evidence"].Enum, evidence},
		{"source.kind", defs["source"].Properties["kind"].Enum, sourceKinds},
		{"flag.kind", defs["flag"].Properties["kind"].Enum, flagKinds},
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
