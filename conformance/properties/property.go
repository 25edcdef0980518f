package properties

import (
	_ "embed" // of properties.json
	"encoding/json"
	"maps"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A property is a relation between the answers to several questions.
type property struct {
	// ID names the subtest, for ever.
	ID string
	// Text is the relation in a sentence.
	Text string
	// Rules are those it bears on.
	Rules []string
	// Op is the operation that it asks for, of no release before Since.
	Op, Since string
	// Needs are features without which there is nothing to ask.
	Needs []string
	// draw makes questions, and the law for their answers.
	draw draw
}

type draw = func(cases.Source) trial

// A trial is questions, and what must hold between the answers.
type trial struct {
	asked []cases.Case
	law   law
}

// GoString keeps rapid from showing the questions twice: the failure does.
func (t trial) GoString() string { return "as below" }

// A law says what is wrong with answers, "" if nothing. They are in the order
// of the questions.
type law func(x grades, answers []answer) string

// properties.json lists what holds for single operations: what ttl does is in
// cosmos.go and cosmosmongo.go, indexes are in mongodb.go, and what defines them in
// definitions.go.
//
//go:embed properties.json
var listed []byte

// all are the properties, by operation.
var all = append(ofOperations(), general...)

func ofOperations() (list []property) {
	if err := json.Unmarshal(listed, &list); err != nil {
		panic("properties.json: " + err.Error()) // which a test would have seen
	}
	draws := map[string]draw{}
	for _, of := range []map[string]draw{mongodbDecide, mongodbDefine, cosmosDecide, cosmosValidate, cosmosmongoDecide} {
		maps.Copy(draws, of)
	}
	for i := range list {
		list[i].draw = draws[list[i].ID]
	}
	return list
}

// asks reports whether there is something to ask who claims this.
func (p property) asks(c *cases.Claim) bool {
	for _, need := range p.Needs {
		if !c.Knows(need) {
			return false
		}
	}
	return c.Asks(p.Op, p.Since)
}

// grades tell how much of an answer is compared.
type grades struct {
	dated bool // deadlines, and pending apart from never
	coded bool // codes of refusals
}

// An answer is what a system said, as far as properties look at it.
type answer struct {
	conformance.Answer
	state policy.State
	due   policy.Instant // of a state other than never, if deadlines are claimed
	out   policy.Value
}

// expired reports whether the document may be deleted.
func (a answer) expired() bool { return a.state == policy.Expired }

// refused reports whether the database refuses.
func (a answer) refused() bool { return a.Kind == conformance.KindRefused }
