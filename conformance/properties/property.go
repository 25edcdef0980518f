package properties

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A property is a relation between the answers to several questions.
type property struct {
	// id names the subtest, for ever.
	id string
	// text is the relation in a sentence.
	text string
	// rules are those it bears on.
	rules []string
	// op is the operation that it asks for, of no release before since.
	op, since string
	// needs are features without which there is nothing to ask.
	needs []string
	// draw makes questions, and the law for their answers.
	draw func(cases.Source) trial
}

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

// all are the properties, by operation.
var all = slices.Concat(mongodbDecide, mongodbDefine, cosmosDecide, cosmosValidate, cosmosmongoDecide, general)

// asks reports whether there is something to ask who claims this.
func (p property) asks(c *cases.Claim) bool {
	for _, need := range p.needs {
		if !c.Knows(need) {
			return false
		}
	}
	return c.Asks(p.op, p.since)
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
