package suite

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// gradings are the features that say how much of an answer is compared.
var gradings = []string{conformance.FeatureDeadline, conformance.FeatureNever, conformance.FeatureRule, conformance.FeatureIndex, conformance.FeatureErrorCode, conformance.FeatureErrorStatus, conformance.FeatureTypes}

// grades are the claimed features, which say how much of a system's answers is compared.
type grades []string

func (g grades) has(feature string) bool { return slices.Contains(g, feature) }

// A judge compares answers to one question with the expected answers.
type judge struct {
	grades
	decides bool
	now     policy.Instant
}

// judgeOf returns the judge of answers to an operation at the clock now.
func (g grades) judgeOf(op string, now policy.Instant) judge {
	return judge{g, questions.Operations[op].Decides(), now}
}

// A difference says how an answer differs from an expectation; the zero
// difference means that it does not.
type difference struct {
	detail string
	// cause names a cause that answers to other questions may share; "" if the
	// difference is about the rule of one question.
	cause string
}

func differs(format string, args ...any) difference {
	return difference{detail: fmt.Sprintf(format, args...)}
}

// compare returns how an answer differs from an expectation.
func (j judge) compare(e Expectation, a conformance.Answer) difference {
	switch {
	case a.Kind != conformance.KindOut && a.Kind != conformance.KindRefused:
		text := a.Kind.String() + ": " + a.Text
		return difference{text, text}
	case e.Refusal != nil && a.Kind == conformance.KindOut:
		return differs("accepted, want %s", e.Refusal)
	case e.Refusal != nil:
		text := j.compareRefusal(*e.Refusal, a.Refusal)
		return difference{text, text}
	case a.Kind == conformance.KindRefused:
		return difference{fmt.Sprintf("%s, want %s", a.Refusal, e.Out), fmt.Sprintf("%s, want a result", a.Refusal)}
	}
	return j.compareOut(e.fields, a.Out)
}

// compareRefusal compares refusals by class, then code, then name; never by
// message.
func (j judge) compareRefusal(want conformance.Refusal, got *conformance.Refusal) string {
	switch {
	case got == nil:
		return fmt.Sprintf("%s, want %q", got, want.Class)
	case got.Class != want.Class:
		return fmt.Sprintf("class %q, want %q", got.Class, want.Class)
	case j.has(conformance.FeatureErrorCode) && want.Code != 0 && got.Code != want.Code,
		j.has(conformance.FeatureErrorCode) && want.CodeName != "" && got.CodeName != want.CodeName,
		j.has(conformance.FeatureErrorStatus) && want.Status != 0 && got.Status != want.Status:
		return fmt.Sprintf("%s, want %s", got, &want)
	}
	return ""
}

// compareOut compares the expected members and ignores others. A number in collMod's
// reply that is expected to be null must be absent.
func (j judge) compareOut(want policy.Value, out json.RawMessage) difference {
	got, err := parseOut(out)
	if err != nil {
		return differs("%v", err)
	}
	fields := want.Fields()
	for fields.Next() {
		name := fields.Name()
		if d := j.compareMember(name, fields.Value(), got.Field(name), got); d.detail != "" {
			return d
		}
	}
	if j.decides && j.has(conformance.FeatureDeadline) {
		return difference{detail: j.consistent(got)}
	}
	return difference{}
}

// parseOut reads a result.
func parseOut(out json.RawMessage) (policy.Value, error) {
	v, err := valuefunc.F.ParseExtJSONInt32(out)
	switch {
	case err != nil:
		return v, fmt.Errorf("out is not Extended JSON: %w: %s", err, members.Clip(string(out)))
	case v.Kind() != policy.Object:
		return v, fmt.Errorf("out is not an object: %s", members.Clip(string(out)))
	}
	return v, nil
}

func (j judge) compareMember(name string, want, got, out policy.Value) difference {
	switch name {
	case "expireAfterSeconds_old", "expireAfterSeconds_new":
		if want.Kind() == policy.Null && got.IsMissing() {
			return difference{}
		}
	case "state":
		return difference{detail: j.compareState(want, got)}
	case "deadline", "rule", "index": // which are the names of features too
		return unequalIf(j.has(name), name, want, got)
	case "warned":
		wanted, _ := want.AsBool()
		warnings := out.Field("warnings").Elements()
		if warned := warnings.Next(); warned != wanted {
			return differs("warned is %t, want %t", warned, wanted)
		}
		return difference{}
	}
	return unequalIf(j.has(conformance.FeatureTypes) || !equalNumbers(want, got), name, want, got)
}

// equalNumbers reports whether two values are the same whole number, of any
// types.
func equalNumbers(v, w policy.Value) bool {
	n, ok := questions.WholeNumber(v)
	m, isWhole := questions.WholeNumber(w)
	return ok && isWhole && n == m
}

// compareState compares two states. It treats pending and never alike for a system that
// does not distinguish them.
func (j judge) compareState(want, got policy.Value) string {
	var wanted, have policy.State
	text, _ := got.AsString()
	if have.UnmarshalText([]byte(text)) != nil {
		return fmt.Sprintf("state is %s, want %s", got, want)
	}
	text, _ = want.AsString()
	if err := wanted.UnmarshalText([]byte(text)); err != nil {
		return err.Error() // the loader refuses such a state
	}
	expired := policy.Expired
	if have == wanted || !j.has(conformance.FeatureDeadline) && !j.has(conformance.FeatureNever) && (have == expired) == (wanted == expired) {
		return ""
	}
	return fmt.Sprintf("state is %s, want %s", have, wanted)
}

// unequalIf compares two values by type and bits, if compared is true. A difference of
// types has a separate cause.
func unequalIf(compared bool, name string, want, got policy.Value) difference {
	switch {
	case !compared || Same(want, got):
		return difference{}
	case name == "deadline":
		return compareDates(want, got)
	}
	d := differs("%s is %s, want %s", name, got, want)
	if got.Kind() != want.Kind() {
		d.cause = fmt.Sprintf("%s is %s, want %s", name, got.Kind(), want.Kind())
	}
	return d
}

// compareDates describes the distance between two deadlines.
func compareDates(want, got policy.Value) difference {
	wanted, ok := want.AsDate()
	have, dated := got.AsDate()
	if !ok || !dated {
		return differs("deadline is %s, want %s", got, want)
	}
	apart := have - wanted
	if (apart > 0) != (have > wanted) {
		return differs("deadline is %s, want %s", have, wanted) // too far apart for 64 bits
	}
	text := fmt.Sprintf("deadline is %s, want %s (%+d ms)", have, wanted, apart)
	return difference{text, fmt.Sprintf("deadline is off by %+d ms", apart)}
}

// Same reports whether two values are equal in type and bits. All NaNs count as equal.
func Same(v, w policy.Value) bool { return v.String() == w.String() }

// consistent checks that a state agrees with the deadline beside it.
func (j judge) consistent(got policy.Value) string {
	text, _ := got.Field("state").AsString()
	deadline := got.Field("deadline")
	due, dated := deadline.AsDate()
	want := policy.Never
	if dated {
		want = policy.DecisionOf(policy.Pending, due, policy.Rule{}).At(j.now).State
	}
	switch {
	case !dated && deadline.Kind() != policy.Null:
		return fmt.Sprintf("deadline is %s, want a date or null", deadline)
	case text != want.String():
		return fmt.Sprintf("state %s does not go with the deadline %s at %s", text, deadline, j.now)
	}
	return ""
}

// Difference says how the second of two answers to one question differs from the first,
// which counts as the wanted one. It returns "" if they agree. It compares as [Run] does.
// The features are those that both systems claim; they say how much of the answers is
// compared. Answers that are neither results nor refusals differ only by their kinds.
func Difference(q conformance.Question, features []string, first, second conformance.Answer) string {
	if !isJudged(first) || !isJudged(second) {
		if first.Kind == second.Kind {
			return ""
		}
		return fmt.Sprintf("%s, then %s", first.Kind, second.Kind)
	}
	j := grades(features).judgeOf(q.Op, clockOf(q))
	e, trouble := expectationOf(q, first)
	if trouble == "" {
		trouble = j.compare(e, second).detail
	}
	if trouble != "" {
		return trouble
	}
	if e, trouble = expectationOf(q, second); trouble == "" {
		trouble = j.compare(e, first).detail // the first may lack a member that the second has
	}
	if trouble != "" {
		return "the other way round: " + trouble
	}
	return ""
}

func isJudged(a conformance.Answer) bool {
	return a.Kind == conformance.KindOut || a.Kind == conformance.KindRefused && a.Refusal != nil
}

// clockOf returns the clock of a question, 0 if it has none.
func clockOf(q conformance.Question) policy.Instant {
	var in struct{ Now json.RawMessage }
	if json.Unmarshal(q.In, &in) != nil {
		return 0
	}
	now, _ := valuefunc.F.ParseExtJSONInt32(in.Now) // Missing if the question has no clock
	clock, _ := now.AsDate()
	return clock
}

// expectationOf turns the first answer to a question into the expectation for the second
// answer.
func expectationOf(q conformance.Question, a conformance.Answer) (e Expectation, trouble string) {
	if a.Kind == conformance.KindRefused {
		return Expectation{Refusal: a.Refusal}, ""
	}
	out, err := parseOut(a.Out)
	if err != nil {
		return e, err.Error()
	}
	var compared policy.D
	results := questions.Operations[q.Op].Results()
	fields := out.Fields()
	for fields.Next() {
		if slices.Contains(results, fields.Name()) {
			compared = append(compared, policy.E{Key: fields.Name(), Value: fields.Value()})
		}
	}
	if slices.Contains(results, "warned") {
		warnings := out.Field("warnings").Elements()
		compared = append(compared, policy.E{Key: "warned", Value: policy.BoolValue(warnings.Next())})
	}
	return Expectation{Out: a.Out, fields: policy.ObjectValue(compared)}, ""
}
