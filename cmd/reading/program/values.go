package program

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A quantity is the value of an expression: a number, a span of time, a text or null.
type quantity struct {
	n      float64 // the number, or the seconds of the span
	isSpan bool
	text   string
	isText bool
	isNull bool
	// byThousand means that a number was multiplied by 1000.
	byThousand bool
}

// seconds returns the value that a driver gets for a quantity in seconds: an int32 if it
// fits, else an int64, but a double for a fraction or beyond 53 bits. It reports false
// for NaN and infinities.
func (q quantity) seconds() (policy.Value, bool) {
	switch {
	case q.isText:
		return policy.StringValue(q.text), true
	case q.isNull:
		return policy.NullValue(), true
	case q.n != math.Trunc(q.n) || math.Abs(q.n) > 1<<53:
		return policy.DoubleValue(q.n), !math.IsNaN(q.n) && !math.IsInf(q.n, 0)
	case q.n == float64(int32(q.n)):
		return policy.Int32Value(int32(q.n)), true
	}
	return policy.Int64Value(int64(q.n)), true
}

// valueIn returns the value that a driver gets for the tokens in r, which [tree.evaluate]
// computes.
func (t *tree) valueIn(r [2]int, depth int) (policy.Value, bool) {
	q, ok := t.evaluate(r, depth)
	v, isFinite := q.seconds()
	return v, ok && isFinite
}

// An evaluator computes one value of a program.
type evaluator struct {
	*tree
	at, end int
	depth   int
}

// maxDepth bounds the nesting of brackets, and of names whose values contain names.
const maxDepth = 40

// evaluate computes the value of the tokens in r: numbers with their sums, products and
// quotients, names that are set once, and spans of time in the forms of each language. It
// reports false for anything else.
func (t *tree) evaluate(r [2]int, depth int) (quantity, bool) {
	e := &evaluator{tree: t, at: r[0], end: r[1], depth: depth}
	if t.work += r[1] - r[0] + 1; depth > maxDepth || t.work > maxWork || r[0] >= r[1] {
		return quantity{}, false
	}
	q, ok := e.sum()
	return q, ok && e.at == e.end
}

func (e *evaluator) has(signs ...string) bool { return e.at < e.end && e.is(e.at, signs...) }

func (e *evaluator) sum() (q quantity, ok bool) {
	q, ok = e.product()
	for ok && e.has("+", "-") {
		sign := 1.0
		if e.is(e.at, "-") {
			sign = -1
		}
		e.at++
		var other quantity
		other, ok = e.product()
		ok = ok && !q.isText && !other.isText && !q.isNull && !other.isNull
		q.n += sign * other.n
		q.isSpan, q.byThousand = q.isSpan || other.isSpan, q.byThousand || other.byThousand
	}
	return q, ok
}

func (e *evaluator) product() (q quantity, ok bool) {
	q, ok = e.factor()
	for ok && e.has("*", "/") {
		divides := e.is(e.at, "/")
		e.at++
		var other quantity
		other, ok = e.factor()
		ok = ok && !q.isText && !other.isText && !q.isNull && !other.isNull
		if divides {
			q.n /= other.n
			q.isSpan = q.isSpan && !other.isSpan
			q.byThousand = q.byThousand && other.n != 1000
		} else {
			q.byThousand = q.byThousand || other.byThousand || q.n == 1000 || other.n == 1000
			q.n *= other.n
			q.isSpan = q.isSpan || other.isSpan
		}
	}
	return q, ok
}

// conversions are functions that only change the type of a number.
var conversions = []string{
	"int", "int32", "int64", "Int32", "NumberInt", "NumberLong", "Long", "Number", "Int", "float64", "Some",
	"Ptr", "Int32Ptr", "Integer", "intval", "toInt", "toLong", "of", "valueOf", "parseInt",
}

// units are the seconds of units of time, by their names in lower case without an s.
var units = map[string]float64{
	"millisecond": 0.001, "milli": 0.001, "second": 1, "sec": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400, "month": 2629746, "year": 31556952,
	"fortnight": 14 * 86400, "min": 60,
}

func unitOf(name string) (float64, bool) {
	u, ok := units[strings.TrimSuffix(strings.ToLower(name), "s")]
	return u, ok
}

func (e *evaluator) factor() (q quantity, ok bool) {
	if e.depth++; e.depth > maxDepth || e.at >= e.end {
		return q, false
	}
	defer func() { e.depth-- }()
	k := e.tokens[e.at]
	switch {
	case e.is(e.at, "-"), e.is(e.at, "+"), e.is(e.at, "&"):
		e.at++
		q, ok = e.factor()
		if k.text == "-" {
			q.n = -q.n
		}
		return q, ok && !q.isText
	case e.is(e.at, "("):
		close := e.pair[e.at]
		if close < 0 || close >= e.end {
			return q, false
		}
		isCast := close == e.at+2 && e.kind(e.at+1) == 'n' && close+1 < e.end && (e.kind(close+1) != '.' || e.is(close+1, "(", "-"))
		if isCast {
			e.at = close + 1
			return e.factor()
		}
		q, ok = e.evaluate([2]int{e.at + 1, close}, e.depth)
		e.at = close + 1
	case k.kind == '0':
		q.n, ok = numberOf(k.text)
		e.at++
	case k.kind == 's':
		q.text, q.isText, ok = k.text, true, true
		e.at++
	case k.kind == 'n':
		q, ok = e.named()
	}
	for ok && e.has(".", "->", "?", "!") {
		if e.is(e.at, "?", "!") {
			e.at++
			continue
		}
		q, ok = e.member(q)
	}
	return q, ok
}

// signedNumberOf is [numberOf] for a number that may begin with a minus sign.
func signedNumberOf(text string) (float64, bool) {
	digits, isNegative := strings.CutPrefix(text, "-")
	n, ok := numberOf(digits)
	if isNegative {
		n = -n
	}
	return n, ok
}

// numberOf reads a number with separators, and letters for its type after it.
func numberOf(text string) (float64, bool) {
	text = strings.ReplaceAll(text, "_", "")
	if strings.HasPrefix(text, "0x") || len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		return 0, false // octal in some languages
	}
	for _, suffix := range []string{"i32", "i64", "u32", "u64"} {
		text = strings.TrimSuffix(text, suffix)
	}
	n, err := strconv.ParseFloat(strings.TrimRight(text, "lLdDuUmM"), 64)
	return n, err == nil
}

// named reads a name: a constant, a span, a conversion, or a name that is assigned once.
func (e *evaluator) named() (q quantity, ok bool) {
	for e.is(e.at, "new") {
		e.at++
	}
	if e.at >= e.end {
		return q, false
	}
	path := e.tokens[e.at].text
	if value := e.assigned[path]; value[1] > value[0] && e.is(e.at+1, ".", "->") {
		e.at++ // a name and then its methods, such as TTL.total_seconds()
		return e.evaluate(value, e.depth)
	}
	if (path == "null" || path == "nil" || path == "None" || path == "undefined") && !e.is(e.at+1, ".", "(") {
		e.at++
		return quantity{isNull: true}, true
	}
	i := e.at + 1
	for i+1 < e.end && e.is(i, ".", "::") && e.kind(i+1) == 'n' {
		path += "." + e.tokens[i+1].text
		i += 2
	}
	last := path[strings.LastIndexByte(path, '.')+1:]
	if i < e.end && e.is(i, "<") && e.is(i+2, ">") { // the type argument of a generic function
		i += 3
	}
	if i < e.end && e.is(i, "(") && e.pair[i] > 0 && e.pair[i] < e.end {
		args := e.inside(i)
		e.at = e.pair[i] + 1
		return e.call(path, last, args)
	}
	if unit, isUnit := unitOf(last); isUnit && strings.HasPrefix(path, "time.") { // a constant of Go's package time
		e.at = i
		return quantity{n: unit, isSpan: true}, true
	}
	// A constant of a class is found by its last name, if that name is set once.
	if value := e.assigned[last]; value[1] > value[0] && (path == last || !strings.ContainsAny(path[:1], "abcdefghijklmnopqrstuvwxyz$") || strings.HasPrefix(path, "self.") || strings.HasPrefix(path, "this.")) {
		e.at = i
		return e.evaluate(value, e.depth)
	}
	return q, false
}

// call computes a function: a span such as TimeSpan.FromDays(7), Duration.ofDays(7) or
// timedelta(days=7), or a conversion.
func (e *evaluator) call(path, last string, args [][2]int) (q quantity, ok bool) {
	lower := strings.ToLower(last)
	one := func() (quantity, bool) {
		if len(args) != 1 {
			return quantity{}, false
		}
		return e.evaluate(args[0], e.depth)
	}
	unit := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(lower, "from"), "of"), "_")
	seconds, isUnit := unitOf(unit)
	switch {
	case last == "timedelta":
		return e.timedelta(args)
	case last == "TimeSpan":
		return e.timeSpan(args)
	case isUnit && unit != lower && len(args) == 1:
		q, ok = one()
		q.n, q.isSpan = q.n*seconds, true
		return q, ok && !q.isText
	case strings.HasPrefix(path, "TimeUnit.") && lower == "toseconds":
		seconds, isUnit = unitOf(strings.Split(path, ".")[1])
		q, ok = one()
		q.n *= seconds
		return q, ok && isUnit && !q.isText
	case slices.Contains(conversions, last):
		return one()
	}
	return q, false
}

// timedelta computes timedelta(days=1, hours=2) of Python.
func (e *evaluator) timedelta(args [][2]int) (q quantity, ok bool) {
	q.isSpan = true
	for i, a := range args {
		unit := 86400.0
		if a[1]-a[0] > 2 && e.is(a[0]+1, "=") {
			if unit, ok = unitOf(e.tokens[a[0]].text); !ok {
				return q, false
			}
			a[0] += 2
		} else if i > 0 {
			return q, false
		}
		n, ok := e.evaluate(a, e.depth)
		if !ok || n.isText || n.isNull {
			return q, false
		}
		q.n += n.n * unit
	}
	return q, len(args) > 0
}

// timeSpan computes new TimeSpan(…) of .NET: hours, minutes and seconds, with days before
// them if there are four.
func (e *evaluator) timeSpan(args [][2]int) (q quantity, ok bool) {
	scales := map[int][]float64{3: {3600, 60, 1}, 4: {86400, 3600, 60, 1}, 5: {86400, 3600, 60, 1, 0.001}}[len(args)]
	q.isSpan = true
	for i, scale := range scales {
		n, ok := e.evaluate(args[i], e.depth)
		if !ok || n.isText {
			return q, false
		}
		q.n += n.n * scale
	}
	return q, scales != nil
}

// member computes a member of a value: 7.days, .TotalSeconds, .total_seconds().
func (e *evaluator) member(q quantity) (quantity, bool) {
	if e.at+1 >= e.end || e.kind(e.at+1) != 'n' {
		return q, false
	}
	name := strings.ToLower(strings.ReplaceAll(e.tokens[e.at+1].text, "_", ""))
	e.at += 2
	if e.has("(") && e.pair[e.at] == e.at+1 {
		e.at += 2
	}
	seconds, isUnit := unitOf(name)
	switch {
	case isUnit && !q.isSpan && !q.isText:
		return quantity{n: q.n * seconds, isSpan: true}, true
	case q.isSpan && (name == "totalseconds" || name == "seconds" || name == "getseconds" || name == "toseconds" || name == "inwholeseconds"):
		return quantity{n: q.n}, true
	case q.isSpan && (name == "tomillis" || name == "totalmilliseconds" || name == "inwholemilliseconds" || name == "milliseconds"):
		return quantity{n: q.n * 1000, byThousand: true}, true
	case name == "toi" || name == "toint" || name == "tolong" || name == "value" || name == "longvalue" || name == "intvalue":
		return quantity{n: math.Trunc(q.n)}, !q.isText
	}
	return q, false
}

// spanOf reads a span as Spring does: in the form of ISO 8601, such as P10D and PT1H, or in
// its simple form, such as 10d and 90s; a number alone counts milliseconds
// (spring-projects/spring-framework: DurationStyle).
func spanOf(text string) (seconds float64, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	date, isISO := strings.CutPrefix(text, "p")
	if !isISO {
		digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
		n, err := strconv.ParseInt(digits, 10, 48)
		unit, known := map[string]float64{"ns": 1e-9, "us": 1e-6, "ms": 0.001, "": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}[text[len(digits):]]
		return float64(n) * unit, err == nil && known
	}
	days, clock, _ := strings.Cut(date, "t")
	for _, part := range []struct{ text, units string }{{days, "d"}, {clock, "hms"}} {
		rest := part.text
		for rest != "" {
			i := strings.IndexAny(rest, part.units)
			if i < 0 {
				return 0, false
			}
			n, err := strconv.ParseFloat(rest[:i], 64)
			if err != nil {
				return 0, false
			}
			seconds += n * map[byte]float64{'d': 86400, 'h': 3600, 'm': 60, 's': 1}[rest[i]]
			rest = rest[i+1:]
		}
	}
	return seconds, date != ""
}
