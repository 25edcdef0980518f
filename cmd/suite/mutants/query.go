package mutants

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An asker answers the questions of mutants: the reference, or a cache of its
// answers.
type asker = func(conformance.Question) conformance.Answer

// remembering returns find with a cache, which calls find once for each
// question.
func remembering[V any](find func(conformance.Question) V) func(conformance.Question) V {
	known := map[string]V{}
	return func(q conformance.Question) V {
		key := q.Op + " " + q.Target.String() + " " + string(q.In)
		v, ok := known[key]
		if !ok {
			v = find(q)
			known[key] = v
		}
		return v
	}
}

// read returns the members of a question's input, nil if the input cannot be read.
func read(q conformance.Question) policy.D {
	in, err := cases.Input(q.Op, q.In)
	if err != nil {
		return nil
	}
	return in
}

// A query is a question that can be edited. An edit returns a copy.
type query struct {
	conformance.Question
	base asker
	// known is the reference's answer to the unedited question, and read holds the
	// members of its input. Both are nil if the reference has not been asked.
	known *conformance.Answer
	read  policy.D
	// edited holds the members of the input after the edits; nil if there were none.
	edited policy.D
}

// Answers returns the answer of each mutant to q. It asks the reference once for all of
// them; [Mutant.System] asks it each time. The function may be called concurrently.
func Answers(q conformance.Question) func(Mutant) conformance.Answer {
	right := library.New().Ask(q)
	asked := query{Question: q, base: library.New().Ask, known: &right, read: read(q)}
	return func(m Mutant) conformance.Answer { return m.misread(asked) }
}

// ask returns the answer of the reference.
func (q query) ask() conformance.Answer {
	switch {
	case q.edited != nil:
		return q.base(cases.Case{Op: q.Op, Target: q.Target, In: q.edited}.Question())
	case q.known != nil:
		return *q.known
	}
	return q.base(q.Question)
}

func (q query) members() policy.D {
	switch {
	case q.edited != nil:
		return q.edited
	case q.read != nil:
		return q.read
	}
	return read(q.Question)
}

// get returns a value by its path, Missing if there is none.
func (q query) get(path ...string) policy.Value {
	return cases.At(policy.ObjectValue(q.members()), path...)
}

// with returns q with another value at a path; Missing removes it.
func (q query) with(v policy.Value, path ...string) query {
	q.edited = policy.DOf(cases.Put(policy.ObjectValue(q.members()), v, path...))
	return q
}

// change returns q with the value at a path changed.
func (q query) change(edit change, path ...string) query {
	return q.with(edit(q.get(path...)), path...)
}

// each returns q with the elements of a list changed. It leaves out the elements that
// become Missing.
func (q query) each(list string, edit change) query {
	before := policy.AOf(q.get(list))
	if len(before) == 0 {
		return q
	}
	var after policy.A
	for _, x := range before {
		if x = edit(x); !x.IsMissing() {
			after = append(after, x)
		}
	}
	return q.with(policy.ListValue(after), list)
}

// before reports whether the question is about an earlier release.
func (q query) before(release string) bool { return cases.Before(q.Target.Version, release) }

// now returns the clock of the question.
func (q query) now() policy.Instant {
	now, _ := q.get("now").AsDate()
	return now
}
