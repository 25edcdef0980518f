package mongosh

import (
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// dateMethod reads a method of JavaScript that is called on a Date, if one follows. The
// result of such a method is not a Date.
func (r *reader) dateMethod(v policy.Value, at int) policy.Value {
	date, isDate := v.AsDate()
	if !isDate || r.program || !r.next(".") {
		return v
	}
	name := r.identifier()
	r.space()
	r.want("(")
	r.space()
	r.want(")")
	switch name {
	case "toISOString", "toJSON":
		r.note(at, name+"() makes a string of the Date; a TTL index ignores it. Leave it out to store the Date.")
		return policy.StringValue(date.String())
	case "getTime", "valueOf":
		r.note(at, name+"() makes a number of the Date; a TTL index of MongoDB ignores it. Leave it out to store the Date.")
		return NumberValue(float64(date))
	}
	r.fail(at, "%s() of a Date is not read here", syntax.Clip(name, 40))
	return v
}

// pythonDate reads the text after datetime: datetime(…) with or without the module's
// name, as Python writes it, and its now() and utcnow(). A time without a zone is in UTC,
// as PyMongo stores it.
func (r *reader) pythonDate(at int) policy.Value {
	method := "datetime"
	for r.next(".") {
		method = r.identifier()
	}
	r.space()
	r.want("(")
	var numbers []int64
	hasZone := false
	for r.space(); !r.next(")"); r.space() {
		if c := r.peek(); '0' <= c && c <= '9' {
			n, err := whole([]policy.Value{r.number()})
			if err != nil {
				r.fail(at, "datetime: %w", err)
			}
			numbers = append(numbers, n)
		} else {
			r.utc()
			hasZone = true
		}
		r.separator(")")
	}
	switch {
	case method == "now" && len(numbers) == 0, method == "utcnow" && len(numbers) == 0 && !hasZone:
		if method == "now" && !hasZone {
			r.note(at, "datetime.now() is in local time, and is stored as if it were UTC. Write datetime.now(timezone.utc).")
		}
		return policy.DateValue(r.now)
	case method != "datetime" || len(numbers) < 3 || len(numbers) > 7:
		r.fail(at, "datetime: %w", errArguments)
	}
	numbers = append(numbers, make([]int64, 7-len(numbers))...)
	var parts [7]int
	for i, n := range numbers {
		if parts[i] = int(n); n > 999_999 {
			r.fail(at, "datetime: %w", errArguments)
		}
	}
	t := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], parts[6]*1000, time.UTC)
	if got := [7]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), parts[6]}; got != parts || t.Year() < 1 || t.Year() > 9999 {
		r.fail(at, "datetime: there is no such time")
	}
	return policy.DateValue(policy.InstantOf(t))
}

// utc reads the zone UTC in one of the forms of Python, such as
// tzinfo=datetime.timezone.utc.
func (r *reader) utc() {
	at := r.at
	var words []string
	for {
		words = append(words, r.identifier())
		if r.space(); !r.next(".") && !r.next("=") {
			break
		}
		r.space()
	}
	if last := words[len(words)-1]; !strings.EqualFold(last, "utc") {
		r.fail(at, "datetime: only UTC is read here, as in datetime(2026, 11, 20, tzinfo=timezone.utc)")
	}
}
