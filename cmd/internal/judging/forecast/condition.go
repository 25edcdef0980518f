package forecast

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Condition compares a number of documents with another number, or with a part of
// all documents. The zero Condition never holds.
type Condition struct {
	text, metric, operator string
	number                 float64
	percent                bool
}

// conditionMetrics are what conditions may be about.
var conditionMetrics = map[string]func(*Tally) int64{
	"documents": func(t *Tally) int64 { return t.Total().Documents },
	"expired":   func(t *Tally) int64 { return t.Expired.Documents },
	"pending":   func(t *Tally) int64 { return t.Pending.Documents },
	"never":     func(t *Tally) int64 { return t.Never.Documents },
	"bad":       func(t *Tally) int64 { return t.Bad },
	"24h":       func(t *Tally) int64 { return t.Within[0].Documents },
	"7d":        func(t *Tally) int64 { return t.Within[1].Documents },
	"30d":       func(t *Tally) int64 { return t.Within[2].Documents },
}

// operators are the longer ones first.
var operators = []struct {
	text  string
	holds func(a, b float64) bool
}{
	{">=", func(a, b float64) bool { return a >= b }}, {"<=", func(a, b float64) bool { return a <= b }},
	{"!=", func(a, b float64) bool { return a != b }}, {"==", func(a, b float64) bool { return a == b }},
	{">", func(a, b float64) bool { return a > b }}, {"<", func(a, b float64) bool { return a < b }},
	{"=", func(a, b float64) bool { return a == b }},
}

// ParseCondition reads a condition such as "expired>1%", "never >= 100" or "30d>0": a
// metric, a comparison, and a number that is not negative or a percentage of the
// documents.
func ParseCondition(text string) (Condition, error) {
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return Condition{}, fmt.Errorf("%q has no comparison; write one such as expired>1%%, never>=100 or 30d>0", text)
	}
	c := Condition{text: strings.TrimSpace(text), metric: strings.TrimSpace(text[:at])}
	if conditionMetrics[c.metric] == nil {
		return Condition{}, fmt.Errorf("%q is not one of %s", c.metric, strings.Join(slices.Sorted(maps.Keys(conditionMetrics)), ", "))
	}
	rest := text[at:]
	for _, o := range operators {
		if strings.HasPrefix(rest, o.text) {
			c.operator, rest = o.text, rest[len(o.text):]
			break
		}
	}
	number, isPercent := strings.CutSuffix(strings.TrimSpace(rest), "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n >= 0 && n < 1e18) || c.operator == "" {
		return Condition{}, fmt.Errorf("cannot compare with %q; write a number such as 100, or a percentage such as 1%%", strings.TrimSpace(rest))
	}
	if isPercent && n > 100 {
		return Condition{}, fmt.Errorf("%s%% is more than all documents", number)
	}
	c.number, c.percent = n, isPercent
	return c, nil
}

// IsZero reports whether c is the zero Condition.
func (c Condition) IsZero() bool { return c.metric == "" }

// String returns the condition as it was given.
func (c Condition) String() string { return c.text }

// Holds reports whether c is so of t, and the number of documents that c is about. A
// percentage of no documents is 0.
func (c Condition) Holds(t *Tally) (n int64, holds bool) {
	if c.IsZero() {
		return 0, false
	}
	n = conditionMetrics[c.metric](t)
	value := float64(n)
	if c.percent {
		value = 100 * float64(n) / float64(max(t.Total().Documents, 1))
	}
	for _, o := range operators {
		if o.text == c.operator {
			return n, o.holds(value, c.number)
		}
	}
	return n, false
}
