package conform

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

func differences() *differ.Report {
	answer := func(out string) conformance.Answer {
		return conformance.Answer{Kind: conformance.KindOut, Out: []byte(out)}
	}
	d := differ.Disagreement{
		Op: "mongodb.decide", Target: conformance.Target{System: "mongodb", Version: "8.0.4"}, In: []byte(`{"document":{}}`), Difference: "state expired, then never",
		First: answer(`{"state":"expired"}`), Second: answer(`{"state":"never"}`), Reference: answer(`{"state":"pending"}`), Agrees: "neither",
		Vector: `  {"id": "found-1"}`,
	}
	second := d
	second.Agrees, second.Vector = "second", `  {"id": "found-2"}`
	return &differ.Report{
		Seed: 7, First: differ.Party{Name: "one\x1b[31m", Version: "1"}, Second: differ.Party{Name: "two", Version: "2"},
		Ops: []differ.Operation{{Op: "mongodb.decide", Asked: 1234, Unspecified: 5, Unasked: 6, Different: 9}, {Op: "mongodb.create", Asked: 10}},
		Rules: []differ.Rule{
			{Rule: "mongo.date", Count: 8, Examples: []differ.Disagreement{d}},
			{Rule: "mongodb.create", Count: 1, Examples: []differ.Disagreement{second}},
		},
	}
}

func TestWriteDifferences(t *testing.T) {
	var b strings.Builder
	if err := WriteDifferences(&cli.Printer{W: &b}, differences()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"two 2   seed 7", "mongodb.decide             1,234 asked, 5 unspecified, 6 not answered, 9 answered differently", "mongodb.create             10 asked, 0 answered",
		"DIFFER  mongo.date  A document expires in", "mongodb.decide at mongodb@8.0.4; the second answer compared with the first: state expired, then never", `in     {"document":{}}`,
		`first  {"out":{"state":"expired"}}`, `second {"out":{"state":"never"}}`, `agrees with neither: {"out":{"state":"pending"}}`, "and 7 more about this",
		"DIFFER  mongodb.create  accepted by this library", "agrees with the second",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") || strings.Contains(b.String(), "agree about all") {
		t.Errorf("the text is\n%s", b.String())
	}
}

func TestWriteDifferencesOfAgreement(t *testing.T) {
	r := differences()
	r.Rules = nil
	var b strings.Builder
	if err := WriteDifferences(&cli.Printer{W: &b}, r); err != nil || !strings.Contains(b.String(), "both systems agree on all questions") {
		t.Errorf("WriteDifferences = %v:\n%s", err, b.String())
	}
}

func TestDifferencesAsVectorsAreAList(t *testing.T) {
	var b strings.Builder
	if err := WriteDifferencesAsVectors(&b, differences()); err != nil {
		t.Fatal(err)
	}
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte("["+b.String()+"]"), &list); err != nil || len(list) != 2 || list[1].ID != "found-2" {
		t.Errorf("the vectors are %s (%v)", b.String(), err)
	}
}
