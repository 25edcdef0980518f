package library

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A historyCase is a question whose answer was read in the server's history, and on which
// an earlier version of this library answered otherwise (testdata/corpus/README.md).
type historyCase struct {
	ID, Op, Version string
	In              json.RawMessage
	Want            struct {
		Out   map[string]json.RawMessage
		Error *struct{ Code int }
	}
	Confidence string
}

// historyUnspecified are the cases that stay unspecified, with the reason.
var historyUnspecified = map[string]string{
	"cm-big-5.0.0":         "the range of collMod in 5.0.0 was not read in a file of 5.0",
	"cm-before-1970-5.0.0": "the range of collMod in 5.0.0 was not read in a file of 5.0",
	"cm-int32max-5.0.0":    "the range of collMod in 5.0.0 was not read in a file of 5.0",
	"cm-minus-huge-5.0.0":  "the range of collMod in 5.0.0 was not read in a file of 5.0",

	"de-ts-future-wrap-5.0.0": "no test asserts what a bound that wraps deletes",
}

// TestHistory asks the cases of the server's history.
func TestHistory(t *testing.T) {
	file, err := os.Open("../../../testdata/corpus/history.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	asked, unspecified := 0, 0
	for lines := bufio.NewScanner(unzipped); lines.Scan(); {
		var c historyCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		asked++
		answer := New().Ask(conformance.Question{Op: c.Op, Target: conformance.Target{System: "mongodb", Version: c.Version}, In: c.In})
		why, isUnspecified := historyUnspecified[c.ID]
		switch d := c.differenceOf(answer); {
		case isUnspecified && answer.Kind != conformance.KindSkipped && !strings.Contains(string(answer.Out), "-unspecified"):
			t.Errorf("%s: %s, want it unspecified: %s", c.ID, answer, why)
		case isUnspecified:
			unspecified++
		case d != "":
			t.Errorf("%s (%s): %s\n  %s", c.ID, c.Confidence, d, c.In)
		}
	}
	if asked != 102 || unspecified != len(historyUnspecified) {
		t.Errorf("%d cases, of which %d are unspecified; want 102 and %d", asked, unspecified, len(historyUnspecified))
	}
}

// differenceOf returns how an answer differs from the expected one, or "".
func (c *historyCase) differenceOf(answer conformance.Answer) string {
	if c.Want.Error != nil {
		if answer.Refusal == nil || answer.Refusal.Code != c.Want.Error.Code {
			return fmt.Sprintf("answers %s, want code %d", answer, c.Want.Error.Code)
		}
		return ""
	}
	var out map[string]json.RawMessage
	if err := json.Unmarshal(answer.Out, &out); err != nil {
		return fmt.Sprintf("answers %s, want a result", answer)
	}
	for name, want := range c.Want.Out {
		if string(out[name]) != string(want) {
			return fmt.Sprintf("%s is %s, want %s", name, out[name], want)
		}
	}
	return ""
}
