package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Operations of the protocol, named after their questions.
const (
	decide        = "mongodb.decide"
	createIndex   = "mongodb.createIndexes"
	collModify    = "mongodb.collMod"
	createColl    = "mongodb.create"
	decideItem    = "cosmos.decide"
	makeContainer = "cosmos.validateContainer"
	writeItem     = "cosmos.validateItem"
	decideDoc     = "cosmosmongo.decide"
	createDocIdx  = "cosmosmongo.createIndexes"
)

// A test reports whether a misreading affects a question.
type test = func(query) bool

func always(query) bool { return true }

// every returns a condition that holds if all of these conditions hold.
func every[T any](conditions ...func(T) bool) func(T) bool {
	return func(v T) bool {
		return !slices.ContainsFunc(conditions, func(holds func(T) bool) bool { return !holds(v) })
	}
}

func not[T any](c func(T) bool) func(T) bool { return func(v T) bool { return !c(v) } }

// since holds for questions about a release and all later ones.
func since(release string) test { return func(q query) bool { return !q.before(release) } }

// has holds for questions with a value at a path.
func has(path ...string) test { return where(isThere, path...) }

// where holds for questions whose value at a path has a shape.
func where(such shape, path ...string) test {
	return func(q query) bool { return such(q.get(path...)) }
}

// sole holds for questions whose list has exactly one element, if this element has the
// given shape.
func sole(list string, such shape) test {
	return where(func(v policy.Value) bool { return holds(such)(v) && len(policy.AOf(v)) == 1 }, list)
}

// only limits a misreading to the questions of one operation that pass a test.
// It answers the others as the reference does.
func only(op string, when test, m misreading) misreading {
	return func(q query) conformance.Answer {
		if q.Op != op || !when(q) {
			return q.ask()
		}
		return m(q)
	}
}

// asks returns the misreading that answers the question edit(q) in place of a question q.
func asks(op string, edit func(query) query) misreading {
	return only(op, always, func(q query) conformance.Answer { return edit(q).ask() })
}

// puts returns the misreading that answers as if another value stood at a path.
func puts(op string, when test, to policy.Value, path ...string) misreading {
	return only(op, when, func(q query) conformance.Answer { return q.with(to, path...).ask() })
}

// forgets returns the misreading that answers as if there were no value at a path.
func forgets(op string, when test, path ...string) misreading {
	return puts(op, when, missing, path...)
}

// changes returns the misreading that answers as if edit had changed the value at a path,
// if there is one.
func changes(op string, when test, edit change, path ...string) misreading {
	return only(op, every(when, has(path...)), asks(op, func(q query) query { return q.change(edit, path...) }))
}

// alters returns the misreading that answers as if edit had changed each element of a
// list. The list loses the elements that become Missing.
func alters(op, list string, edit change) misreading {
	return asks(op, func(q query) query { return q.each(list, edit) })
}

// all joins misreadings of different operations.
func all(ms ...misreading) misreading {
	return func(q query) conformance.Answer {
		for _, m := range ms {
			if a := m(q); !same(a, q.ask()) {
				return a
			}
		}
		return q.ask()
	}
}

// accepted and refused hold for questions that the reference accepts or
// refuses.
func accepted(q query) bool { return q.ask().Kind == conformance.KindOut }
func refused(q query) bool  { return q.ask().Kind == conformance.KindRefused }

// refusedWith holds for refusals with a code of MongoDB or a status of Cosmos DB.
func refusedWith(code int) test {
	return func(q query) bool {
		r := q.ask().Refusal
		return refused(q) && (r.Code == code || r.Status == code)
	}
}

// A verdict is an answer about a document.
type verdict struct {
	due   policy.Instant
	never bool
}

// verdict returns the decision of the reference. It reports false if the answer is not a
// decision.
func (q query) verdict() (verdict, bool) {
	v, err := policy.ParseExtJSON(q.ask().Out) // Missing, if the answer is a refusal
	deadline := v.Field("deadline")
	due, dated := deadline.AsDate()
	return verdict{due, !dated}, err == nil && !deadline.IsMissing()
}

// due returns the reference's deadline.
func (q query) due() (policy.Instant, bool) {
	v, ok := q.verdict()
	return v.due, ok && !v.never
}

// answers gives one answer to every question.
func answers(a conformance.Answer) misreading { return func(query) conformance.Answer { return a } }

// expire answers that the document expires at an instant.
func (q query) expire(due policy.Instant) conformance.Answer {
	return conformance.Decided(policy.DecisionOf(policy.Pending, due, policy.Rule{}).At(q.now()), "")
}

// moves returns the misreading that answers with the deadline that move computes from the
// reference's deadline.
func moves(op string, when test, move func(q query, due policy.Instant) policy.Instant) misreading {
	return only(op, every(when, expires), func(q query) conformance.Answer {
		due, _ := q.due()
		return q.expire(move(q, due))
	})
}

// shifts moves deadlines by a number of milliseconds.
func shifts(op string, when test, ms policy.Instant) misreading {
	return moves(op, when, func(_ query, due policy.Instant) policy.Instant { return due + ms })
}

// accepts returns the misreading that answers with a result if the database refuses.
func accepts(op string, when test, result any) misreading {
	return only(op, every(when, refused), answers(conformance.Result(result)))
}

// refuses returns the misreading that answers with a refusal if the database accepts.
func refuses(op string, when test, code int) misreading {
	return only(op, every(when, accepted), answers(refusal(op, code)))
}

// confuses returns the misreading that refuses with the code `with` where the reference
// refuses with the code `from`.
func confuses(op string, when test, from, with int) misreading {
	return only(op, every(when, refusedWith(from)), answers(refusal(op, with)))
}

// refusal refuses with a code of MongoDB, or with a status of Cosmos DB.
func refusal(op string, code int) conformance.Answer {
	if conformance.SystemOf(op) == conformance.CosmosNoSQL {
		return conformance.Refused(conformance.Refusal{Status: code})
	}
	return conformance.Refused(conformance.Refusal{Code: code})
}

// same reports whether two answers are equal.
func same(a, b conformance.Answer) bool {
	if a.Kind != b.Kind || string(a.Out) != string(b.Out) {
		return false
	}
	return a.Refusal == b.Refusal || a.Refusal != nil && b.Refusal != nil && *a.Refusal == *b.Refusal
}
