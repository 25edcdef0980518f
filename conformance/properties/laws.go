package properties

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// later is the law that each deadline is no earlier than the one before.
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

// shifted is the law that the second deadline is so many milliseconds after
// the first.
func shifted(ms int64) law {
	return func(x grades, answers []answer) string {
		first, second := answers[0], answers[1]
		if first.state != policy.Never {
			first.due = cases.Plus(first.due, ms)
		}
		return x.differ(first, second)
	}
}

// earliest is the law that the last answer is the earliest of the others.
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

// consistent is the law that each state goes with the deadline beside it, at
// the clock of its question.
func consistent(asked ...cases.Case) law {
	return func(_ grades, answers []answer) string {
		for i, a := range answers {
			now := asked[i].Now()
			if a.state != policy.Never && a.state != policy.DecisionOf(policy.Pending, a.due, nil).At(now).State {
				return fmt.Sprintf("answer %d: state %s does not go with the deadline %s at %s", i+1, a.state, a.due, now)
			}
		}
		return ""
	}
}
