package rulelist

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var rules = []policy.Rule{
	engine.Rule(engine.Entry{ID: "mongo.date", Statement: "A date.", Versions: "3.2 and later", Confidence: engine.VendorTest, Citations: []policy.Citation{{Title: "T", Address: "A"}, {Title: "U", Address: "B"}}}),
	policy.NewRule("mongo.date-strict", "Strict."),
	policy.NewRule("mongo.field-missing", "Missing."),
	policy.NewRule("cosmos.off", "Off."),
}

func ids(list []policy.Rule) (ids []string) {
	for _, r := range list {
		ids = append(ids, r.ID())
	}
	return ids
}

func TestSelect(t *testing.T) {
	for id, want := range map[string][]string{
		"":            {"mongo.date", "mongo.date-strict", "mongo.field-missing", "cosmos.off"},
		"mongo.":      {"mongo.date", "mongo.date-strict", "mongo.field-missing"},
		"mongo.date":  {"mongo.date"}, // the exact match, although another identifier begins with it
		"mongo.date-": {"mongo.date-strict"},
		"date":        nil,
		"Mongo.date":  nil,
	} {
		if diff := cmp.Diff(want, ids(Select(rules, id))); diff != "" {
			t.Errorf("Select(%q) (-want +got):\n%s", id, diff)
		}
	}
}

func TestNear(t *testing.T) {
	for id, want := range map[string][]string{
		"mongo.dste":          {"mongo.date"},
		"mongo.feild-missing": {"mongo.field-missing"},
		"field-mising":        {"mongo.field-missing"},
		"off":                 {"cosmos.off"},
		"date":                {"mongo.date", "mongo.date-strict"},
		"zebra":               nil,
	} {
		if diff := cmp.Diff(want, Near(rules, id)); diff != "" {
			t.Errorf("Near(%q) (-want +got):\n%s", id, diff)
		}
	}
}

func TestWrite(t *testing.T) {
	var b strings.Builder
	WriteWhole(&cli.Printer{W: &b, Width: 80}, rules[0])
	want := `  mongo.date
    A date.
    versions    3.2 and later
    confidence  vendor-test
    sources     T
                A
                U
                B
`
	if b.String() != want {
		t.Errorf("WriteWhole wrote\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	Write(&cli.Printer{W: &b, Width: 80}, rules[2:])
	if want := "mongo.field-missing\n    Missing.\ncosmos.off\n    Off.\n"; b.String() != want {
		t.Errorf("Write wrote\n%swant\n%s", b.String(), want)
	}
}
