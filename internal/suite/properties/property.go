package properties

import (
	_ "embed" // embeds properties.json
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A property is a relation between the answers to several questions.
type property struct {
	// ID is the permanent name of the subtest.
	ID string
	// Text is the relation in a sentence.
	Text string
	// Op is the operation of its questions; their releases are not before Since.
	Op, Since string
	// Needs are the features that its questions need.
	Needs []string
	// draw makes questions, and the law for their answers.
	draw draw
}

type draw = func(cases.Source) trial

// A trial is a list of questions, and a law for their answers.
type trial struct {
	asked []cases.Case
	law   law
}

// GoString keeps rapid from showing the questions, which the failure shows
// already.
func (t trial) GoString() string { return "as below" }

// A law returns a description of what is wrong with answers, "" if nothing is wrong. The
// answers are in the order of the questions.
type law func(x grades, answers []answer) string

// properties.json lists the properties of single operations. Properties of ttl are in
// cosmos.go, of indexes in mongodb.go, and of commands that define indexes in
// definitions.go.
//
//go:embed properties.json
var listed []byte

// all are the properties, by operation.
var all = append(ofOperations(), general...)

func ofOperations() (list []property) {
	if err := json.Unmarshal(listed, &list); err != nil {
		panic("properties.json: " + err.Error()) // a test checks that the file can be read
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

// asks reports whether the property applies to a system with these claims.
func (p property) asks(c *cases.Claim) bool {
	for _, need := range p.Needs {
		if !c.Knows(need) {
			return false
		}
	}
	return c.Asks(p.Op, p.Since)
}

// grades say how much of an answer is compared.
type grades struct {
	dated bool // deadlines, and whether pending differs from never
	coded bool // codes of refusals
}

// An answer holds the parts of a system's answer that properties use.
type answer struct {
	conformance.Answer
	state policy.State
	due   policy.Instant // the deadline, unless the state is never or deadlines are not claimed
	out   policy.Value
}

// expired reports whether the document may be deleted.
func (a answer) expired() bool { return a.state == policy.Expired }

// refused reports whether the database refuses.
func (a answer) refused() bool { return a.Kind == conformance.KindRefused }

// same is the law that all answers agree.
func same(x grades, answers []answer) string {
	for i, a := range answers[1:] {
		if trouble := x.differ(answers[0], a); trouble != "" {
			return fmt.Sprintf("answers 1 and %d: %s", i+2, trouble)
		}
	}
	return ""
}

// never is the law that no document expires.
func never(x grades, answers []answer) string {
	for i, a := range answers {
		if a.expired() || x.dated && a.state != policy.Never {
			return fmt.Sprintf("answer %d: state %s, want never", i+1, a.state)
		}
	}
	return ""
}

// accepted is the law that the second question is not refused if the first is accepted.
// The text trouble describes a breach.
func accepted(trouble string) law {
	return func(_ grades, answers []answer) string {
		if !answers[0].refused() && answers[1].refused() {
			return trouble
		}
		return ""
	}
}

// later is the law that each deadline is no earlier than the deadline before it.
func later(x grades, answers []answer) string {
	for i, a := range answers[1:] {
		before := answers[i]
		switch {
		case a.expired() && !before.expired():
			return fmt.Sprintf("answer %d is expired, answer %d is %s", i+2, i+1, before.state)
		case x.dated && a.state != policy.Never && (before.state == policy.Never || a.due < before.due):
			return fmt.Sprintf("answer %d: the deadline %s is earlier than that of answer %d", i+2, a.due, i+1)
		}
	}
	return ""
}

// shifted is the law that the second deadline is the given number of
// milliseconds after the first.
func shifted(ms int64) law {
	return func(x grades, answers []answer) string {
		first, second := answers[0], answers[1]
		if first.state != policy.Never {
			first.due = cases.Plus(first.due, ms)
		}
		return x.differ(first, second)
	}
}

// earliest is the law that the last answer has the earliest of the other answers'
// deadlines.
func earliest(x grades, answers []answer) string {
	n := len(answers) - 1
	want := answers[0]
	for _, a := range answers[1:n] {
		if x.before(a, want) {
			want = a
		}
	}
	if trouble := x.differ(want, answers[n]); trouble != "" {
		return fmt.Sprintf("answer %d is not the earliest of the others: %s", n+1, trouble)
	}
	return ""
}

// before reports whether a expires earlier than b.
func (x grades) before(a, b answer) bool {
	if !x.dated {
		return a.expired() && !b.expired()
	}
	return a.state != policy.Never && (b.state == policy.Never || a.due < b.due)
}

// differ says how two answers differ, "" if they do not.
func (x grades) differ(a, b answer) string {
	switch {
	case a.refused() || b.refused():
		return x.differInRefusal(a, b)
	case a.expired() != b.expired(), x.dated && a.state != b.state:
		return fmt.Sprintf("state %s, then %s", a.state, b.state)
	case x.dated && a.state != policy.Never && a.due != b.due:
		return fmt.Sprintf("deadline %s, then %s", a.due, b.due)
	}
	return ""
}

func (x grades) differInRefusal(a, b answer) string {
	switch {
	case a.refused() != b.refused():
		return fmt.Sprintf("%s, then %s", acceptance(a), acceptance(b))
	case x.coded && a.Refusal.Code != b.Refusal.Code:
		return fmt.Sprintf("code %d, then %d", a.Refusal.Code, b.Refusal.Code)
	}
	return ""
}

func acceptance(a answer) string {
	if a.refused() {
		return "refused"
	}
	return "accepted"
}

// consistent is the law that each state agrees with the deadline beside it, at
// the clock of its question.
func consistent(asked ...cases.Case) law {
	return func(_ grades, answers []answer) string {
		for i, a := range answers {
			now := asked[i].Now()
			if a.state != policy.Never && a.state != policy.DecisionOf(policy.Pending, a.due, policy.Rule{}).At(now).State {
				return fmt.Sprintf("answer %d: state %s does not go with the deadline %s at %s", i+1, a.state, a.due, now)
			}
		}
		return ""
	}
}

// An examiner asks one system.
type examiner struct {
	system conformance.System
	claim  *cases.Claim
	grades
}

func newExaminer(system conformance.System) (*examiner, error) {
	claim, err := cases.ClaimOf(suite.Embedded(), system.Hello())
	if err != nil {
		return nil, err
	}
	g := grades{dated: claim.Knows(conformance.FeatureDeadline), coded: claim.Knows(conformance.FeatureErrorCode)}
	return &examiner{system, claim, g}, nil
}

// examine asks the questions of a trial in order and says what is wrong with
// the answers. An unspecified answer breaks no law.
func (x *examiner) examine(t trial) (answers []answer, trouble string) {
	if slices.ContainsFunc(t.asked, x.claim.IsUnspecified) {
		return nil, ""
	}
	for i, said := range cases.Ask(x.system, t.asked...) {
		a, trouble := x.read(said, strings.HasSuffix(t.asked[i].Op, ".decide"))
		answers = append(answers, a)
		if trouble != "" {
			return answers, fmt.Sprintf("answer %d: %s", i+1, trouble)
		}
	}
	return answers, t.law(x.grades, answers)
}

// read records an answer. A claimed question has a result, or a refusal if it
// is a definition.
func (x *examiner) read(said conformance.Answer, decides bool) (a answer, trouble string) {
	a = answer{Answer: said}
	switch {
	case said.Kind == conformance.KindRefused && said.Refusal != nil && !decides:
		return a, ""
	case said.Kind == conformance.KindSkipped:
		return a, "skipped, though it is claimed"
	case said.Kind != conformance.KindOut:
		return a, "no result"
	}
	var err error
	if a.out, err = valuefunc.F.ParseExtJSONInt32(said.Out); err != nil || a.out.Kind() != policy.Object {
		return a, "out is no object of Extended JSON"
	}
	if decides {
		return x.readDecision(a)
	}
	return a, ""
}

func (x *examiner) readDecision(a answer) (answer, string) {
	text, _ := a.out.Field("state").AsString()
	if err := a.state.UnmarshalText([]byte(text)); err != nil {
		return a, fmt.Sprintf("state is %s", a.out.Field("state"))
	}
	if !x.dated || a.state == policy.Never {
		return a, ""
	}
	var ok bool
	if a.due, ok = a.out.Field("deadline").AsDate(); !ok {
		return a, fmt.Sprintf("deadline is %s, want a date", a.out.Field("deadline"))
	}
	return a, ""
}

// A failure is a property that does not hold.
type failure struct {
	*examiner
	property
	trial
	answers []answer
	trouble string
}

// String says which property is broken by which answers, and gives a vector
// for each question.
func (f failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  but   %s\n", f.Text, f.trouble)
	var asked []string
	for _, c := range f.asked {
		asked = append(asked, c.Reference().Rule)
	}
	for r := range suite.Rules() {
		if slices.Contains(asked, r.ID()) {
			fmt.Fprintf(&b, "  rule  %s: %s\n", r, r.Statement())
		}
	}
	for i, a := range f.answers {
		fmt.Fprintf(&b, "  %-5d %s\n  ask   %s\n", i+1, a.Answer, f.asked[i].GoString())
	}
	b.WriteString("Vectors of these questions, for who fills in what is right and where that is established:\n")
	b.WriteString(strings.Join(f.vectors(), ",\n"))
	return b.String()
}

// vectors writes one vector for each distinct question that was asked.
func (f failure) vectors() (list []string) {
	hello := f.system.Hello()
	seen := map[string]bool{}
	for i, a := range f.answers {
		c := f.asked[i]
		if seen[c.GoString()] {
			continue
		}
		seen[c.GoString()] = true
		list = append(list, c.Vector(cases.Draft{
			Prefix: f.ID, Title: f.Text,
			Comment: fmt.Sprintf("Found by the property %s at %s, which %s %s answers %s.", f.ID, c.Target, hello.Name, hello.Version, a.Answer),
		}))
	}
	return list
}
