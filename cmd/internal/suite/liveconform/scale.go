package liveconform

import (
	"slices"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// marks is the number of copies of a document in a scale. Their deadlines are a
// millisecond apart, and together cover more than the shortened pause of the monitor.
const marks = 2500

// leastLead and mostLead are the shortest and the longest time, in milliseconds, for
// inserting all copies before the first is due. A slow server gets a longer time.
const (
	leastLead = 2_000
	mostLead  = 32_000
)

// A scale measures a deadline to the millisecond by one sweep, whose instant need not be
// known. It holds copies of the document, and copies of a plain document, the twin, with
// a known deadline. Each copy is due a millisecond after the previous copy. A sweep
// deletes the first copies of both documents. The difference between the two numbers of
// deleted copies is the difference between the deadlines in milliseconds.
type scale struct {
	*ask
	name           string
	in             conformance.Input
	document, twin policy.D
	due, twinDue   policy.Instant // the deadlines that this library predicts
}

// askNear measures by scales the deadlines of the questions that holdBack held back.
func (s *System) askNear(give func([]*ask) bool) bool {
	near := s.near
	s.near = nil
	scales := make([]*scale, len(near))
	for i, a := range near {
		scales[i] = scaleFor(a)
		if l := scales[i]; l != nil {
			l.name = s.nextName()
		}
	}
	s.each(len(scales), func(i int) {
		if l := scales[i]; l != nil && s.Err() == nil {
			s.measure(l)
		}
	})
	return give(near)
}

// isOften reports whether sweeps are frequent enough for one to fall within the marks of
// a scale.
func (s *System) isOften() bool { return s.options.Sweep != nil || s.server.MonitorSeconds == 1 }

// scaleFor returns the scale for a question. It returns nil for several indexes, for a
// filter with dates, and if documents affect each other.
func scaleFor(a *ask) *scale {
	in, err := a.Input()
	if err != nil || len(in.Indexes) != 1 || in.Collection != nil || bearsOnID(in) || !in.Indexes[0].Field("unique").IsMissing() {
		return nil
	}
	key := policy.DOf(in.Indexes[0].Field("key"))
	if _, _, hasDates := datesIn(policy.ObjectValue(in.Indexes[0])); hasDates || len(key) != 1 {
		return nil
	}
	l := &scale{ask: a, in: in, document: withoutField(in.Document, "_id")}
	root, _, _ := strings.Cut(key[0].Key, ".")
	l.twin = append(withoutField(policy.ObjectValue(l.document), root), plainDate(strings.Split(key[0].Key, "."), in.Now))
	predicted, twin := predict(a.Question), predict(about(a.Question, l.twin))
	if !predicted.known || !twin.known || predicted.state == "never" || twin.state == "never" {
		return nil
	}
	l.due, l.twinDue = predicted.deadline, twin.deadline
	return l
}

func withoutField(document policy.Value, name string) policy.D {
	return slices.DeleteFunc(policy.DOf(document), func(e policy.E) bool { return e.Key == name })
}

// plainDate returns a field with a date at a path.
func plainDate(path []string, date policy.Instant) policy.E {
	if len(path) == 1 {
		return policy.E{Key: path[0], Value: policy.DateValue(date)}
	}
	return policy.E{Key: path[0], Value: policy.ObjectValue(policy.D{plainDate(path[1:], date)})}
}

// mark returns the copy of a document whose deadline is moved to an instant.
func mark(document policy.D, due, to policy.Instant, id int32) policy.Value {
	return movedValue(policy.ObjectValue(append(policy.D{{Key: "_id", Value: policy.Int32Value(id)}}, document...)), int64(to-due))
}

// measure answers a question by its scale. It keeps the earlier answer if the scale shows
// no deadline.
func (s *System) measure(l *scale) {
	for lead := policy.Instant(leastLead); lead <= mostLead; lead *= 4 {
		isLate := s.measureFrom(l, s.now()+lead, lead)
		if err := s.drop(s.ctx, l.name); err != nil {
			s.fail(err)
		}
		if !isLate || s.Err() != nil {
			return
		}
	}
}

// measureFrom measures with copies that are due from begin on. It reports whether
// inserting the copies took too much of the lead: a sweep between the inserts of a copy
// and of its twin would delete only one of them.
func (s *System) measureFrom(l *scale, begin, lead policy.Instant) (isLate bool) {
	if s.define(l.Question, l.name, l.in.Collection, l.in.Indexes).Kind != conformance.KindNone || s.insert(s.ctx, l.name, l.marks(begin)...) != nil {
		return false
	}
	if s.now() > begin-lead/4 {
		return true
	}
	whole := s.now() + 50                                    // an earlier sweep may meet a copy without its twin
	s.sleep(time.Duration(begin-s.now()) * time.Millisecond) // nothing is due before
	if later, ok := s.apart(l.name, begin, int32(max(0, min(whole-begin, marks)))); ok {
		state := "pending"
		if l.in.Now >= l.due+later {
			state = "expired"
		}
		l.answer = decided(state)
	}
	return false
}

// marks returns the copies of both documents. The first copies are due at begin.
func (l *scale) marks(begin policy.Instant) (all []any) {
	for i := range int32(marks) {
		at := begin + policy.Instant(i)
		all = append(all, mark(l.document, l.due, at, i), mark(l.twin, l.twinDue, at, -1-i))
	}
	return all
}

// apart returns the number of milliseconds by which the document is due later than
// predicted. It reports false if still finds no marks above least that a sweep left.
func (s *System) apart(name string, begin policy.Instant, least int32) (later policy.Instant, ok bool) {
	first, ok := s.still(name, begin+marks+2000, least)
	return policy.Instant(first[1] - first[0]), ok
}

// still returns the lowest marks that a sweep left, one for each document of the scale,
// after the sweep stopped within the scale. Both must be greater than least. It reports
// false if no such sweep was seen before the instant named until.
func (s *System) still(name string, until policy.Instant, least int32) (first [2]int32, ok bool) {
	var before [2]int32
	for s.now() < until && s.Err() == nil {
		if before == [2]int32{} { // no sweep is requested between two reads to compare
			if err := s.makeSweep(); err != nil {
				s.fail(err)
			}
		}
		first, isWhole, err := s.firstMarks(name)
		if err != nil {
			s.fail(err)
			break
		}
		if isWhole && first == before && min(first[0], first[1]) > least {
			return first, true
		}
		if before = [2]int32{}; isWhole {
			before = first
		}
		s.sleep(50 * time.Millisecond)
	}
	return first, false
}

// firstMarks returns the lowest marks that are left of the document and of its twin. The
// scale is whole if a sweep deleted some but not all marks of both, and if no mark above
// the lowest is missing.
func (s *System) firstMarks(name string) (first [2]int32, isWhole bool, err error) {
	ids, err := s.left(name, 2*marks+1)
	first, count := [2]int32{marks, marks}, [2]int32{}
	for _, id := range ids {
		n, _ := id.AsInt64()
		which, at := 0, int32(n)
		if n < 0 {
			which, at = 1, int32(-1-n)
		}
		first[which] = min(first[which], at)
		count[which]++
	}
	isWhole = true
	for i := range first {
		isWhole = isWhole && 0 < first[i] && first[i] < marks && count[i] == marks-first[i]
	}
	return first, isWhole, err
}
