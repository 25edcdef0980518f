package cases

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Said is what the reference answers, as far as it is not compared with others.
type Said struct {
	// Rule is the one that decides, or by which a definition is refused; ""
	// if there is none.
	Rule     string
	Deadline policy.Value // of what expires
	// Open means that the sources do not say what is right.
	Open bool
}

// Reference asks the reference for the rule of a question.
func (c Case) Reference() Said {
	q := c.Question()
	a := reference.New().Ask(q)
	out, _ := policy.ParseExtJSON(a.Out) // Missing, of no result
	rule, _ := out.Field("rule").AsString()
	if a.Kind != conformance.KindOut {
		rule = reference.RuleOf(q)
	}
	return Said{rule, out.Field("deadline"), a.Kind == conformance.KindSkipped || isOpen(rule)}
}

// isOpen reports whether the rule of that identifier says that the sources do not
// settle something.
func isOpen(id string) bool {
	r, ok := mongo.RuleByID(id)
	if !ok {
		r, ok = cosmos.RuleByID(id)
	}
	return ok && r.IsOpen()
}

// Ask asks a system questions, at once if it can be asked so.
func Ask(s conformance.System, list ...Case) []conformance.Answer {
	var questions []conformance.Question
	for _, c := range list {
		questions = append(questions, c.Question())
	}
	return conformance.AskAll(s, questions)
}

// IsOpen reports whether nothing can be compared: the sources do not say what is
// right, or the claimed database could not store the document.
func (c *Claim) IsOpen(asked Case) bool {
	said := asked.Reference()
	return said.Open || said.Rule == "mongo.path-ambiguous" && !c.Knows("any-document")
}
