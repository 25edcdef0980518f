package records

import (
	"bytes"
	"os"
	"testing"
)

// TestTextsAreWritten: package reasons has the texts of rules.json.
func TestTextsAreWritten(t *testing.T) {
	want, err := Texts()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../cmd/judging/reasons/texts.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("cmd/judging/reasons/texts.json is stale: go run ./docs/site/reference")
	}
}
