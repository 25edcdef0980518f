package mutants

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/cases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
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

// A shape reports whether a misreading affects an index, or another value.
type shape = func(policy.Value) bool

// at is the shape of values whose part at a path has the shape such.
func at(such shape, path ...string) shape {
	return func(v policy.Value) bool { return such(cases.At(v, path...)) }
}

// holds returns the shape of values that have an element or a field of the given shape.
func holds(such shape) shape {
	return func(v policy.Value) bool {
		return slices.ContainsFunc(policy.AOf(v), such) ||
			slices.ContainsFunc(policy.DOf(v), func(e policy.E) bool { return such(e.Value) })
	}
}

func isThere(v policy.Value) bool { return !v.IsMissing() }
func isNull(v policy.Value) bool  { return v.Kind() == policy.Null }

func isText(s string) shape {
	return func(v policy.Value) bool { have, ok := v.AsString(); return ok && have == s }
}

// ofType is the shape of values of one of these types.
func ofType(kinds ...policy.Kind) shape {
	return func(v policy.Value) bool { return slices.Contains(kinds, v.Kind()) }
}

// equals, below and above are shapes of numbers.
func equals(n float64) shape {
	return func(v policy.Value) bool { return v.Kind().IsNumber() && number(v) == n }
}
func below(n float64) shape { return func(v policy.Value) bool { return number(v) < n } }
func above(n float64) shape { return func(v policy.Value) bool { return number(v) > n } }

func isEmptyList(v policy.Value) bool { return v.Kind() == policy.List && len(policy.AOf(v)) == 0 }

// isLarge is the shape of integers beyond 32 bits.
var isLarge = every(ofType(policy.Int32, policy.Int64), above(math.MaxInt32))

// isInt32Of is the shape of the int32 with the value n.
func isInt32Of(n float64) shape { return every(ofType(policy.Int32), equals(n)) }

// missing removes the value that it replaces.
var missing policy.Value

// A change turns one value into another.
type change = func(policy.Value) policy.Value

// put makes a change that puts a value at a path.
func put(v policy.Value, path ...string) change {
	return func(x policy.Value) policy.Value { return cases.Put(x, v, path...) }
}

// drop turns every value into Missing.
var drop = put(missing)

// becomes returns a change that replaces each value of a shape, at any depth.
func becomes(such shape, to policy.Value) change { return leaves(turns(such, to)) }

// turns returns a change that replaces a value of a shape.
func turns(such shape, to policy.Value) change {
	return given(such, func(policy.Value) policy.Value { return to })
}

// given restricts a change to values of a shape.
func given(such shape, edit change) change {
	return func(v policy.Value) policy.Value {
		if such(v) {
			return edit(v)
		}
		return v
	}
}

// dateBy returns a change that replaces a value by a date if read can convert it.
func dateBy(read func(policy.Value) (policy.Instant, bool)) change {
	return func(v policy.Value) policy.Value {
		if i, ok := read(v); ok {
			return policy.DateValue(i)
		}
		return v
	}
}

// numerals turns texts of digits into numbers.
func numerals(v policy.Value) policy.Value {
	s, ok := v.AsString()
	if n, err := strconv.ParseInt(s, 10, 64); ok && err == nil {
		return policy.Int64Value(n)
	}
	return v
}

// low32 keeps the low 32 bits of an integer.
func low32(v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) }

// object returns a document with one field.
func object(name string, v policy.Value) policy.Value {
	return policy.ObjectValue(policy.D{{Key: name, Value: v}})
}

// number returns a number of any type as a double, 0 if v is none.
func number(v policy.Value) float64 {
	if n, ok := v.AsInt64(); ok {
		return float64(n)
	}
	if v.Kind() == policy.Decimal {
		v = asDouble(v)
	}
	f, _ := v.AsDouble()
	return f
}

// asDouble returns a Decimal128 as the nearest double.
func asDouble(v policy.Value) policy.Value {
	text := strings.Trim(strings.TrimPrefix(string(policy.AppendExtJSON(nil, v)), `{"$numberDecimal":`), `"}`)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return v
	}
	return policy.DoubleValue(f)
}

// leaves returns a change that applies edit to each value that is not a document or an
// array.
func leaves(edit change) change {
	edit = given(not(ofType(policy.Object, policy.List)), edit)
	return clauses(func(name string, v policy.Value) (string, policy.Value) { return name, edit(v) })
}

// clauses changes every name and value in a filter or another value, the innermost first.
// Elements of lists, and the value itself, have no name.
func clauses(edit func(name string, v policy.Value) (string, policy.Value)) change {
	return func(v policy.Value) policy.Value {
		_, v = edit("", parts(v, edit))
		return v
	}
}

// parts returns a value with its elements or fields changed.
func parts(v policy.Value, edit func(string, policy.Value) (string, policy.Value)) policy.Value {
	switch v.Kind() {
	case policy.Object:
		d := policy.D{}
		for _, e := range policy.DOf(v) {
			e.Key, e.Value = edit(e.Key, parts(e.Value, edit))
			d = append(d, e)
		}
		return policy.ObjectValue(d)
	case policy.List:
		a := policy.A{}
		for _, e := range policy.AOf(v) {
			_, e = edit("", parts(e, edit))
			a = append(a, e)
		}
		return policy.ListValue(a)
	}
	return v
}
