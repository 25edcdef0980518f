package conform

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
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
		t.Error("there is a frame of an operation that there is not")
	}
}
