package properties

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// general are the properties that hold for any question of every operation, or of every
// deciding operation.
var general = slices.Concat(ofEach(conformance.Operations(), pure, ordered), ofEach(deciding(), monotone, coherent))

// deciding returns the operations that decide.
func deciding() []string {
	return slices.DeleteFunc(conformance.Operations(), func(op string) bool { return !strings.HasSuffix(op, ".decide") })
}

// ofEach returns a property of each kind for each operation.
func ofEach(ops []string, kinds ...func(op string) property) (list []property) {
	for _, op := range ops {
		for _, kind := range kinds {
			list = append(list, kind(op))
		}
	}
	return list
}

// slug returns the beginning of an identifier, such as "mongodb-coll-mod".
func slug(op string) string {
	var b strings.Builder
	for _, r := range op {
		switch {
		case r == '.':
			b.WriteByte('-')
		case 'A' <= r && r <= 'Z':
			b.WriteString("-" + strings.ToLower(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// ofAny returns a property whose questions may be any questions to an operation.
func ofAny(op, name, text string, draw draw) property {
	return property{ID: slug(op) + "-" + name, Op: op, Text: text, draw: draw}
}

func pure(op string) property {
	return ofAny(op, "pure", "A question that is asked again has the same answer.", func(s cases.Source) trial {
		c := s.Any(op)
		return trial{[]cases.Case{c, c, c}, same}
	})
}

func ordered(op string) property {
	return ofAny(op, "ordered", "The answer to a question does not depend on those that were asked before.", func(s cases.Source) trial {
		var asked []cases.Case
		for range s.Range(2, 4) {
			asked = append(asked, s.Any(op))
		}
		back := slices.Clone(asked[:len(asked)-1])
		slices.Reverse(back)
		return trial{append(asked, back...), palindrome}
	})
}

// palindrome is the law that the answers are the same in reverse order.
func palindrome(x grades, answers []answer) string {
	for i, a := range answers[:len(answers)/2] {
		j := len(answers) - 1 - i
		if trouble := x.differ(a, answers[j]); trouble != "" {
			return fmt.Sprintf("answers %d and %d, to the same question: %s", i+1, j+1, trouble)
		}
	}
	return ""
}

func monotone(op string) property {
	return ofAny(op, "monotone-now", "What is expired stays so at every later time, and the deadline is the same at all.", func(s cases.Source) trial {
		c := s.Any(op)
		clocks := []policy.Instant{c.Now(), s.NowNear(c.Now())}
		slices.Sort(clocks)
		return trial{[]cases.Case{c.WithNow(clocks[0]), c.WithNow(clocks[1])}, steady}
	})
}

// steady is the law that a document that has expired stays expired at a later clock, and
// that its deadline does not depend on the clock.
func steady(x grades, answers []answer) string {
	first, second := answers[0], answers[1]
	switch {
	case first.expired() && !second.expired():
		return fmt.Sprintf("expired, and %s later", second.state)
	case !x.dated:
		return ""
	case (first.state == policy.Never) != (second.state == policy.Never):
		return fmt.Sprintf("%s, and %s later", first.state, second.state)
	case first.due != second.due:
		return fmt.Sprintf("the deadline is %s, and %s later", first.due, second.due)
	}
	return ""
}

func coherent(op string) property {
	p := ofAny(op, "coherent", "A document is expired if and only if there is a deadline and the clock has reached it.", func(s cases.Source) trial {
		c := s.Any(op)
		return trial{[]cases.Case{c}, consistent(c)}
	})
	p.Needs = []string{"deadline"}
	return p
}
