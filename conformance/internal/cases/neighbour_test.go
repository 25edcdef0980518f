package cases

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// TestOfVector: a vector that is taken apart and asked is answered as before.
func TestOfVector(t *testing.T) {
	r, err := conformance.Run(conformance.Embedded(), conformance.Reference())
	if err != nil {
		t.Fatal(err)
	}
	for i, check := range r.Checks {
		if i%5 != 0 { // of each vector some
			continue
		}
		c, err := OfVector(check.Vector, check.Target)
		if err != nil {
			t.Fatal(err)
		}
		if got := conformance.Reference().Ask(c.Question()).String(); got != check.Answer.String() && !repeats(check.Vector) {
			t.Errorf("%s at %s: answered %s, and taken apart %s", check.Vector.ID, check.Target, check.Answer, got)
		}
	}
}

// repeats reports whether a document of a vector has a name twice, which a Case
// of plain JSON does not keep.
func repeats(v *conformance.Vector) bool {
	for _, need := range v.Needs {
		if need == "repeated-names" {
			return true
		}
	}
	return false
}

func TestNeighbours(t *testing.T) {
	c := Case{"mongodb.create", conformance.Target{System: conformance.MongoDB}, Fields(parsed(`{"command": {"a": {"$numberInt": "5"}}}`))}
	found := map[string]bool{}
	for n := range c.Neighbours() {
		found[string(n.Question().In)] = true
	}
	for _, want := range []string{`{}`, `{"command":{}}`, `{"command":{"a":{"$numberLong":"6"}}}`, `{"command":{"a":{"$numberDouble":"5.5"}}}`, `{"command":{"a":{"$numberDouble":"NaN"}}}`, `{"command":[]}`} {
		if !found[want] {
			t.Errorf("no neighbour %s among %d", want, len(found))
		}
	}
}
