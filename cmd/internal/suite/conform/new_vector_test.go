package conform

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/reference"
)

// TestNewVectorAsks: the frame of every operation is JSON, and holds a question
// that can be answered as it stands.
func TestNewVectorAsks(t *testing.T) {
	for _, op := range conformance.Operations() {
		var b bytes.Buffer
		if err := WriteNewVector(&b, "x-y", "mongo.date", op); err != nil {
			t.Fatal(err)
		}
		var v struct {
			Op   string
			In   json.RawMessage
			Want []struct{ System string }
		}
		if err := json.Unmarshal(b.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v in\n%s", op, err, b.String())
		}
		if v.Op != op || len(v.Want) != 1 || v.Want[0].System != conformance.SystemOf(op) {
			t.Errorf("%s: the frame is of %s about %+v", op, v.Op, v.Want)
		}
		q := conformance.Question{Op: op, Target: conformance.Target{System: conformance.SystemOf(op)}, In: v.In}
		if a := reference.New().Ask(q); a.Kind != conformance.KindOut {
			t.Errorf("%s: the question is answered %s", op, a)
		}
	}
	if err := WriteNewVector(&bytes.Buffer{}, "x-y", "mongo.date", "mongodb.fly"); err == nil {
		t.Error("WriteNewVector accepts an unknown operation")
	}
}

// TestVectorsAsJSON: rows and gaps name their releases.
func TestVectorsAsJSON(t *testing.T) {
	s := suite.Embedded()
	days, settings := 0, 0
	for _, v := range s.Vectors {
		text, err := json.Marshal(VectorJSONOf(s, v))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Want, Unspecified []map[string]json.RawMessage }
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		for i, row := range v.Want {
			if row.AsOf != "" {
				days++
				if got, want := string(got.Want[i]["asOf"]), strconv.Quote(row.AsOf); got != want {
					t.Errorf("%s: row %d is as of %s, want %s", v.ID, i, got, want)
				}
			}
		}
		for i, gap := range v.Unspecified {
			if gap.Settings() != nil {
				settings++
				if got.Unspecified[i]["capabilities"] == nil && got.Unspecified[i]["parameters"] == nil {
					t.Errorf("%s: gap %d presumes %q, and says nothing of it: %s", v.ID, i, gap.Settings(), text)
				}
			}
		}
	}
	if days == 0 || settings == 0 {
		t.Errorf("%d rows of a service and %d gaps with settings, want some", days, settings)
	}
}
