package conform

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/mutants"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// holed is the matrix of a suite that asks about one document, on its deadline:
// it detects some of the mutants of two rules.
func holed(t *testing.T) *mutants.Matrix {
	t.Helper()
	s := suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "mongodb-date-on-deadline" })
	var some []mutants.Mutant
	for _, m := range mutants.All() {
		switch m.Name {
		case "date-exclusive", "date-inclusive-everywhere", "array-latest", "zero-is-not-yet":
			some = append(some, m)
		}
	}
	m, err := mutants.Judge(s, some)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWriteScoresNamesSurvivors: two mutants are detected, and the output names the other
// mutants.
func TestWriteScoresNamesSurvivors(t *testing.T) {
	var b bytes.Buffer
	if err := WriteScores(&cli.Printer{W: &b, Width: 80}, holed(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"4 implementations that misread one rule each, of 4 rules", "    2  are detected", "    2  are detected by one vector alone", "    1  are detected by a vector on their rule if only the newest",
		"    1  vectors of 1 suffice to detect all of them", "mongo.date                                       1 of   1",
		"mongo.array-earliest                             0 of   1",
		"Survivors\n", "array-latest  mongo.array-earliest\n", "found out by nothing", "256dpi/lungo, which keeps 0",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestWriteMutants(t *testing.T) {
	var b bytes.Buffer
	if err := WriteMutants(&cli.Printer{W: &b, Width: 80}, holed(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"date-exclusive  mongo.date\n", "A document on its deadline has not expired yet.", "    mongodb-date-on-deadline\n", "found out by nothing"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestMatrixJSON(t *testing.T) {
	text, err := json.Marshal(MatrixJSONOf(holed(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"total":4,"killed":2,"attributed":2,"survivors":["zero-is-not-yet","array-latest"]`,
		`"newest":{"total":4,"killed":1,"attributed":1,`, `"smoke":["mongodb-date-on-deadline"]`,
		`{"name":"date-inclusive-everywhere","area":"threshold","rule":"mongo.date-strict","text":"A document on its deadline has expired in every release.","attributed":["mongodb-date-on-deadline"],"others":[]}`,
		`"attributed":[],"others":[]`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
