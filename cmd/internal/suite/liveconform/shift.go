package liveconform

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// farthest is the largest distance from 1970 of a date that is shifted, in milliseconds.
const farthest = 1e15

// moved returns a question with all its dates moved by some milliseconds: the document,
// the filters and its clock.
func moved(q conformance.Question, by int64) (conformance.Question, error) {
	v, err := valuefunc.F.ParseExtJSONInt32(q.In)
	q.In = policy.AppendExtJSON(nil, movedValue(v, by))
	return q, err
}

func movedValue(v policy.Value, by int64) policy.Value {
	return cases.MapDates(v, func(date policy.Instant) policy.Instant { return date + policy.Instant(by) })
}

// datesIn returns the earliest and the latest date in a value; false if there is none.
func datesIn(v policy.Value) (first, last policy.Instant, ok bool) {
	cases.MapDates(v, func(date policy.Instant) policy.Instant {
		if !ok {
			first, last, ok = date, date, true
		}
		first, last = min(first, date), max(last, date)
		return date
	})
	return first, last, ok
}

// at returns a question with its instant set to now.
func at(q conformance.Question, now policy.Instant) conformance.Question {
	return with(q, "now", policy.DateValue(now))
}

// about returns a question about another document.
func about(q conformance.Question, document policy.D) conformance.Question {
	return with(q, "document", policy.ObjectValue(document))
}

// with returns a question with a member of its input set to a value.
func with(q conformance.Question, member string, value policy.Value) conformance.Question {
	v, err := valuefunc.F.ParseExtJSONInt32(q.In)
	if err != nil {
		return q // the answer reports the error
	}
	d := policy.DOf(v)
	for i := range d {
		if d[i].Key == member {
			d[i].Value = value
		}
	}
	q.In = policy.AppendExtJSON(nil, policy.ObjectValue(d))
	return q
}

// A prediction is this library's answer to a question. It only tells whether an experiment
// is conclusive, and is never used as the answer.
type prediction struct {
	state    string
	deadline policy.Instant
	known    bool
}

func predict(q conformance.Question) (f prediction) {
	out, err := policy.ParseExtJSON(library.New().Ask(q).Out)
	if err != nil {
		return f
	}
	f.state, f.known = out.Field("state").AsString()
	f.deadline, _ = out.Field("deadline").AsDate()
	return f
}

// movesWith reports whether the answer to a moved question equals the answer f, moved by
// the same milliseconds. If not, the answer depends on the calendar, and an experiment on
// another day proves nothing.
func (f prediction) movesWith(other prediction, by int64) bool {
	if f.known != other.known || f.state != other.state {
		return false
	}
	return f.state == "never" || f.deadline+policy.Instant(by) == other.deadline
}
