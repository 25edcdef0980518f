package forecast

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Condition is a list of comparisons that must all hold. The zero Condition never holds.
type Condition struct {
	text string
	all  []comparison
}

// A comparison compares a number of documents, or their bytes, with a limit: a number, or a
// percentage of all documents or bytes.
type comparison struct {
	metric  string
	compare func(a, b float64) bool
	number  float64
	percent bool
	isBytes bool
	within  Horizon // the time that metric is; zero if metric is in conditionMetrics
}

// conditionMetrics maps the name of each metric to a function that returns the metric's
// value.
var conditionMetrics = map[string]func(*Tally) Sum{
	"documents": func(t *Tally) Sum { return t.Total() },
	"expired":   func(t *Tally) Sum { return t.Expired },
	"pending":   func(t *Tally) Sum { return t.Pending },
	"never":     func(t *Tally) Sum { return t.Never },
	"unknown":   func(t *Tally) Sum { return t.Unknown },
	"bad":       func(t *Tally) Sum { return Sum{Documents: t.Bad} },
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

var (
	between = regexp.MustCompile(`\s+or\s+`)
	both    = regexp.MustCompile(`\s+and\s+`)
)

// ParseConditions reads one or more conditions with "or" between them.
func ParseConditions(text string) (list []Condition, err error) {
	for _, one := range between.Split(text, -1) {
		c, err := ParseCondition(one)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// ParseCondition reads a condition such as "expired>1%", "never >= 100", "14d>0" or
// "expired>100 and expired bytes>1GB": comparisons with "and" between them. A comparison is a
// metric or a time from now, with "bytes" behind it if it is about sizes, a sign, and a number
// that is not negative or a percentage of all documents or bytes.
func ParseCondition(text string) (Condition, error) {
	c := Condition{text: strings.TrimSpace(text)}
	for _, one := range both.Split(c.text, -1) {
		x, err := parseComparison(one)
		if err != nil {
			return Condition{}, err
		}
		c.all = append(c.all, x)
	}
	return c, nil
}

// sizes are the units of bytes.
var sizes = []struct {
	unit  string
	bytes float64
}{{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"b", 1}}

func parseComparison(text string) (c comparison, err error) {
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return c, fmt.Errorf("%q has no comparison; write one such as expired>1%%, never>=100, 30d>0 or expired bytes>1GB", text)
	}
	c.metric, c.isBytes = strings.CutSuffix(strings.TrimSpace(text[:at]), " bytes")
	if c.metric = strings.TrimSpace(c.metric); c.metric == "bytes" {
		c.metric, c.isBytes = "documents", true
	}
	if c.metric == "bad" && c.isBytes {
		return c, errors.New("the bytes of documents that cannot be read are not counted")
	}
	if conditionMetrics[c.metric] == nil {
		w, err := ParseWidth(c.metric)
		if err != nil || w.months > 0 {
			return c, fmt.Errorf("%q is not one of %s, and not a time such as 24h, 7d or 2w; bytes may follow", c.metric, strings.Join(slices.Sorted(maps.Keys(conditionMetrics)), ", "))
		}
		c.within = Horizon{c.metric, uint64(w.ms)}
	}
	rest := text[at:]
	for _, o := range operators {
		if strings.HasPrefix(rest, o.text) {
			c.compare, rest = o.holds, rest[len(o.text):]
			break
		}
	}
	number, isPercent := strings.CutSuffix(strings.TrimSpace(rest), "%")
	factor := 1.0
	for _, size := range sizes {
		if shorter, ok := strings.CutSuffix(strings.ToLower(number), size.unit); ok && c.isBytes && !isPercent {
			number, factor = shorter, size.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(n >= 0 && n*factor < 1e18) || c.compare == nil {
		example := "a number such as 100, or a percentage such as 1%"
		if c.isBytes {
			example = "a size such as 500MB, or a percentage such as 1%"
		}
		return c, fmt.Errorf("cannot compare with %q; write %s", strings.TrimSpace(rest), example)
	}
	if isPercent && n > 100 {
		return c, fmt.Errorf("%s%%: want at most 100%%", number)
	}
	c.number, c.percent = n*factor, isPercent
	return c, nil
}

// Horizons returns the times of c that [Options.Horizons] must contain, because [Horizons]
// lacks them.
func (c Condition) Horizons() (list []Horizon) {
	for _, x := range c.all {
		if x.within.millis > 0 && !slices.ContainsFunc(Horizons[:], x.within.is) {
			list = append(list, x.within)
		}
	}
	return list
}

// DependsOnUnknown reports whether a number that c compares could be another if the
// deadlines were known that are counted as unknown. That holds for all numbers but those of
// all documents, of bad and of unknown documents.
func (c Condition) DependsOnUnknown() bool {
	return slices.ContainsFunc(c.all, func(x comparison) bool {
		return x.metric != "documents" && x.metric != "bad" && x.metric != "unknown"
	})
}

// IsAboutUnknown reports whether c compares the number of unknown documents.
func (c Condition) IsAboutUnknown() bool {
	return slices.ContainsFunc(c.all, func(x comparison) bool { return x.metric == "unknown" })
}

// String returns the condition as it was given.
func (c Condition) String() string { return c.text }

// Holds returns what the first comparison of c compares: a number of documents, or of bytes. It
// reports whether c holds for t. A percentage of nothing is 0.
func (c Condition) Holds(t *Tally) (n int64, isBytes, holds bool) {
	for i, x := range c.all {
		m, ok := x.holds(t)
		if i == 0 {
			n, isBytes = m, x.isBytes
		}
		if !ok {
			return n, isBytes, false
		}
	}
	return n, isBytes, len(c.all) > 0
}

func (c comparison) holds(t *Tally) (n int64, holds bool) {
	var counted Sum
	total := t.Total()
	if metric := conditionMetrics[c.metric]; metric != nil {
		counted = metric(t)
	} else if i := slices.IndexFunc(Horizons[:], c.within.is); i >= 0 {
		counted = t.Within[i]
	} else if i := slices.IndexFunc(t.Due, func(d Due) bool { return c.within.is(d.Horizon) }); i >= 0 {
		counted = t.Due[i].Sum
	}
	n, all := counted.Documents, total.Documents
	if c.isBytes {
		n, all = counted.Bytes, total.Bytes
	}
	value := float64(n)
	if c.percent {
		value = 100 * float64(n) / float64(max(all, 1))
	}
	return n, c.compare(value, c.number)
}
