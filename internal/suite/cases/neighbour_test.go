package cases

import (
	"iter"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestOfVector: the question of a vector has the same answer after it was converted to a
// Case.
func TestOfVector(t *testing.T) {
	r, err := suite.Run(suite.Embedded(), library.New())
	if err != nil {
		t.Fatal(err)
	}
	for i, check := range r.Checks {
		if i%5 != 0 { // every fifth check is enough
			continue
		}
		c, err := OfVector(check.Vector, check.Target)
		if err != nil {
			t.Fatal(err)
		}
		if got := library.New().Ask(c.Question()).String(); got != check.Answer.String() && !slices.Contains(check.Vector.Needs, "repeated-names") { // a Case of plain JSON keeps one of two equal names
			t.Errorf("%s at %s: answered %s, and taken apart %s", check.Vector.ID, check.Target, check.Answer, got)
		}
	}
}

func TestNeighbours(t *testing.T) {
	c := Case{"mongodb.create", conformance.Target{System: conformance.MongoDB}, policy.DOf(parsed(`{"command": {"a": {"$numberInt": "5"}}}`))}
	found := map[string]bool{}
	for n := range c.Neighbours() {
		found[string(n.Question().In)] = true
	}
	for _, want := range []string{`{"command":{}}`, `{"command":{"a":{"$numberLong":"6"}}}`, `{"command":{"a":{"$numberDouble":"5.5"}}}`, `{"command":{"a":{"$numberDouble":"NaN"}}}`, `{"command":[]}`} {
		if !found[want] {
			t.Errorf("no neighbour %s among %d", want, len(found))
		}
	}
}

// TestNeighboursKeepWhatIsNeeded: the neighbours of the largest question of an operation
// may lack only members that vectors may lack.
func TestNeighboursKeepWhatIsNeeded(t *testing.T) {
	vectors := map[string][]Case{}
	for _, v := range suite.Embedded().Vectors {
		c, err := OfVector(v, conformance.Target{System: conformance.SystemOf(v.Op)})
		if err != nil {
			t.Fatal(err)
		}
		vectors[v.Op] = append(vectors[v.Op], c)
	}
	var lack []string
	for _, all := range vectors {
		lack = append(lack, lacking(largest(all), slices.Values(all))...)
	}
	for op, all := range vectors {
		of := largest(all)
		got := lacking(of, of.Neighbours())
		for _, name := range got {
			if !slices.Contains(lack, name) {
				t.Errorf("a neighbour of %#v lacks %s, which every vector of %s has", of, name, op)
			}
		}
		for _, name := range lacking(of, slices.Values(all)) {
			if !slices.Contains(got, name) {
				t.Errorf("no neighbour of %#v lacks %s, which not every vector of %s has", of, name, op)
			}
		}
	}
}

// largest returns the question that has the most members.
func largest(all []Case) Case {
	return slices.MaxFunc(all, func(c, d Case) int { return len(c.In) - len(d.In) })
}

// lacking returns the members of c that some question of others lacks.
func lacking(c Case, others iter.Seq[Case]) (names []string) {
	for other := range others {
		for _, e := range c.In {
			if other.At(e.Key).IsMissing() {
				names = append(names, e.Key)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
