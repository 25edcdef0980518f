package forecast

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Condition compares a number of documents with a limit: a number, or a percentage of all
// documents. The zero Condition never holds.
type Condition struct {
	text, metric, operator string
	number                 float64
	percent                bool
	within                 Horizon // the time that metric is; zero if metric is in conditionMetrics
}

// conditionMetrics maps the name of each metric to a function that returns the metric's
// value.
var conditionMetrics = map[string]func(*Tally) int64{
	"documents": func(t *Tally) int64 { return t.Total().Documents },
	"expired":   func(t *Tally) int64 { return t.Expired.Documents },
	"pending":   func(t *Tally) int64 { return t.Pending.Documents },
	"never":     func(t *Tally) int64 { return t.Never.Documents },
	"unknown":   func(t *Tally) int64 { return t.Unknown.Documents },
	"bad":       func(t *Tally) int64 { return t.Bad },
}

// operators are the comparisons, longer signs before shorter ones.
var operators = []struct {
	text  string
	holds func(a, b float64) bool
}{
	{">=", func(a, b float64) bool { return a >= b }}, {"<=", func(a, b float64) bool { return a <= b }},
	{"!=", func(a, b float64) bool { return a != b }}, {"==", func(a, b float64) bool { return a == b }},
	{">", func(a, b float64) bool { return a > b }}, {"<", func(a, b float64) bool { return a < b }},
	{"=", func(a, b float64) bool { return a == b }},
}

// ParseConditions reads one or more conditions with "or" between them.
func ParseConditions(text string) (list []Condition, err error) {
	for _, one := range regexp.MustCompile(`\s+or\s+`).Split(text, -1) {
		c, err := ParseCondition(one)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// ParseCondition reads a condition such as "expired>1%", "never >= 100" or "14d>0": a
// metric or a time from now, a comparison, and a number that is not negative or a
// percentage of the documents.
func ParseCondition(text string) (Condition, error) {
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return Condition{}, fmt.Errorf("%q has no comparison; write one such as expired>1%%, never>=100 or 30d>0", text)
	}
	c := Condition{text: strings.TrimSpace(text), metric: strings.TrimSpace(text[:at])}
	if conditionMetrics[c.metric] == nil {
		w, err := ParseWidth(c.metric)
		if err != nil || w.months > 0 {
			return Condition{}, fmt.Errorf("%q is not one of %s, and not a time such as 24h, 7d or 2w", c.metric, strings.Join(slices.Sorted(maps.Keys(conditionMetrics)), ", "))
		}
		c.within = Horizon{c.metric, uint64(w.ms)}
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
		return Condition{}, fmt.Errorf("%s%% of the documents: want at most 100%%", number)
	}
	c.number, c.percent = n, isPercent
	return c, nil
}

// Horizon returns the time of c. ok reports whether [Options.Horizons] must contain that
// time, because c has a time and [Horizons] lacks it.
func (c Condition) Horizon() (h Horizon, ok bool) {
	isCounted := slices.ContainsFunc(Horizons[:], func(h Horizon) bool { return h.millis == c.within.millis })
	return c.within, c.within.millis > 0 && !isCounted
}

// DependsOnUnknown reports whether the number that c compares could be another if the
// deadlines were known that are counted as unknown. That holds for all numbers but those of
// all documents, of bad and of unknown documents.
func (c Condition) DependsOnUnknown() bool {
	return !c.IsZero() && c.metric != "documents" && c.metric != "bad" && !c.IsAboutUnknown()
}

// IsAboutUnknown reports whether c compares the number of unknown documents.
func (c Condition) IsAboutUnknown() bool { return c.metric == "unknown" }

// IsZero reports whether c is the zero Condition.
func (c Condition) IsZero() bool { return c.metric == "" }

// String returns the condition as it was given.
func (c Condition) String() string { return c.text }

// Holds returns the number of documents that c compares, and reports whether c holds for
// t. A percentage of no documents is 0.
func (c Condition) Holds(t *Tally) (n int64, holds bool) {
	if c.IsZero() {
		return 0, false
	}
	if metric := conditionMetrics[c.metric]; metric != nil {
		n = metric(t)
	} else {
		n = t.due(c.within)
	}
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
