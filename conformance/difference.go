package conformance

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Difference says how the second of two answers to one question differs from
// the first, which counts as the answer that is wanted, and "" if it does not, by the
// comparison that judges vectors. Features are those that both systems
// claim; they say how much of the answers is compared. Answers that are no
// results and no refusals differ by their kinds alone.
func Difference(q Question, features []string, first, second Answer) string {
	if !first.isJudged() || !second.isJudged() {
		if first.Kind == second.Kind {
			return ""
		}
		return fmt.Sprintf("%s, then %s", first.Kind, second.Kind)
	}
	j := gradesOf(features).judgeOfQuestion(q)
	e, trouble := expectationOf(q, first)
	if trouble == "" {
		trouble = j.compare(e, second)
	}
	if trouble != "" {
		return trouble
	}
	if e, trouble = expectationOf(q, second); trouble == "" {
		trouble = j.compare(e, first) // which may lack a member that the second has
	}
	if trouble != "" {
		return "the other way round: " + trouble
	}
	return ""
}

func (a Answer) isJudged() bool {
	return a.Kind == KindOut || a.Kind == KindRefused && a.Refusal != nil
}

func (g grades) judgeOfQuestion(q Question) judge {
	j := judge{grades: g, decides: operations[q.Op].decides()}
	var in struct{ Now json.RawMessage }
	if json.Unmarshal(q.In, &in) == nil {
		now, _ := policy.ParseExtJSONInt32(in.Now) // Missing, of definitions that need none
		j.now, _ = now.AsDate()
	}
	return j
}

// expectationOf makes of an answer what another one is compared with.
func expectationOf(q Question, a Answer) (e Expectation, trouble string) {
	if a.Kind == KindRefused {
		return Expectation{Refusal: a.Refusal}, ""
	}
	out, err := policy.ParseExtJSONInt32(a.Out)
	if err != nil || out.Kind() != policy.Object {
		return e, "out is no object of Extended JSON: " + members.Clip(string(a.Out))
	}
	var compared policy.D
	results := operations[q.Op].results()
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
