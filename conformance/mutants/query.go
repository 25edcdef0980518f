package mutants

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/internal/cases"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An asker is whom mutants ask: the reference, or what remembers its answers.
type asker struct {
	ask  func(conformance.Question) conformance.Answer
	read func(conformance.Question) policy.D
}

// plainAsker returns the asker that remembers nothing.
func plainAsker() asker { return asker{reference.New().Ask, read} }

// remembering returns what finds something out about no question twice.
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

// members returns those of a question's input, which is one for all targets.
func (a asker) members(q conformance.Question) policy.D {
	q.Target = conformance.Target{}
	return a.read(q)
}

// read returns the members of a question's input. Items of Cosmos DB are plain
// JSON, all else is Extended JSON. What cannot be read has none.
func read(q conformance.Question) policy.D {
	v, err := policy.ParseExtJSONInt32(q.In)
	if isPlain(q.Op) {
		var item policy.JSON
		item, err = policy.ParseJSON(q.In)
		v = item.Value()
	}
	if err != nil {
		return nil
	}
	return policy.DOf(v)
}

// isPlain tells whether the input of an operation is plain JSON.
func isPlain(op string) bool { return strings.HasPrefix(op, "cosmos.") }

// A query is a question that can be edited. Editing copies.
type query struct {
	conformance.Question
	base asker
	// known is what the reference answers to the question as it is, nil if it
	// has not been asked; read are the members of its input, nil likewise.
	known *conformance.Answer
	read  policy.D
	// edited are the members in place of those of the input, if any is.
	edited policy.D
}

// ask returns what the reference answers.
func (q query) ask() conformance.Answer {
	switch {
	case q.edited == nil && q.known != nil:
		return *q.known
	case q.edited == nil:
	case isPlain(q.Op):
		q.In = plainjson.Append(nil, policy.ObjectValue(q.edited))
	default:
		q.In = policy.AppendExtJSON(nil, policy.ObjectValue(q.edited))
	}
	return q.base.ask(q.Question)
}

func (q query) members() policy.D {
	switch {
	case q.edited != nil:
		return q.edited
	case q.read != nil:
		return q.read
	}
	return q.base.members(q.Question)
}

// get returns a value by its path, Missing if there is none.
func (q query) get(path ...string) policy.Value {
	return cases.At(policy.ObjectValue(q.members()), path...)
}

// with returns q with another value at a path; Missing takes it away.
func (q query) with(v policy.Value, path ...string) query {
	q.edited = policy.DOf(cases.Put(policy.ObjectValue(q.members()), v, path...))
	return q
}

// change returns q with the value at a path changed.
func (q query) change(edit change, path ...string) query {
	return q.with(edit(q.get(path...)), path...)
}

// each returns q with the elements of a list changed; what becomes Missing is
// left out.
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

// ofRelease returns q asked of another release.
func (q query) ofRelease(release string) query {
	q.Target.Version, q.known = release, nil
	return q
}

// withDefaults asks about a server on which no parameter is set.
func (q query) withDefaults() query {
	q.Target.Parameters, q.known = nil, nil
	return q
}

// before tells whether the release that is asked about is an earlier one.
func (q query) before(release string) bool {
	this, err := mongo.ParseVersion(q.Target.Version)
	other, _ := mongo.ParseVersion(release)
	return err == nil && this.Compare(other) < 0
}

// now returns the clock of the question.
func (q query) now() policy.Instant {
	v := q.get("now")
	if i, ok := v.AsDate(); ok {
		return i
	}
	text, _ := cases.At(v, "$date", "$numberLong").AsString()
	ms, _ := strconv.ParseInt(text, 10, 64)
	return policy.Instant(ms)
}

// restates asks about an index as if it had another option.
func restates(when test, edit change) misreading {
	return changes(createIndex, when, edit, "index", option)
}

// rekeys asks about an index as if its fields had other directions.
func rekeys(edit change) misreading {
	return changes(createIndex, always, func(key policy.Value) policy.Value {
		fields := policy.DOf(key)
		for i := range fields {
			fields[i].Value = edit(fields[i].Value)
		}
		return policy.ObjectValue(fields)
	}, "index", "key")
}

// refilter asks about an index as if it had another filter.
func refilter(edit change) misreading {
	return changes(createIndex, always, edit, "index", partial)
}

// speaks takes filters with one of these operators for such that say nothing.
func speaks(operators ...string) misreading {
	return puts(createIndex, speaking(operators...), policy.ObjectValue(policy.D{}), "index", partial)
}

// speaking tests for operators in the filter that is asked about.
func speaking(operators ...string) test {
	return func(q query) (found bool) {
		clauses(q.get("index", partial), func(name string, v policy.Value) (string, policy.Value) {
			found = found || slices.Contains(operators, name)
			return name, v
		})
		return found
	}
}

// depth returns how deep $and and $or nest.
func depth(filter policy.Value) (deepest int) {
	for _, e := range policy.DOf(filter) {
		for _, clause := range policy.AOf(e.Value) {
			deepest = max(deepest, 1+depth(clause))
		}
	}
	return deepest
}

// onMeta returns q with a filter on the meta field of its time-series
// collection in place of one that passes a test.
func (q query) onMeta(such func(filter policy.Value) bool) query {
	meta, _ := q.get("collection", "timeseries", "metaField").AsString()
	if meta == "" || !such(q.get("index", partial)) {
		return q
	}
	return q.with(object(meta, policy.Int32Value(1)), "index", partial)
}

// differsIn refuses an index beside one that differs in an option.
func differsIn(name string) misreading {
	return refuses(createIndex, func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) > 0 && q.shares("key")(all[0]) && !q.shares(name)(all[0])
	}, 85)
}

// special refuses the option on an index of a type.
func special(kind string) misreading {
	return refuses(createIndex, every(query.isTTL, where(isOfType(kind), "index")), 67)
}

// stored answers that the catalog keeps another number.
func stored(when test, edit func(q query, kept policy.Value) policy.Value) misreading {
	return only(createIndex, every(when, query.isTTL, accepted), func(q query) conformance.Answer {
		return q.result(func(q query, name string, v policy.Value) policy.Value {
			if name == option {
				return edit(q, v)
			}
			return v
		})
	})
}

// result answers with the result of the reference, its members changed.
func (q query) result(edit func(q query, name string, v policy.Value) policy.Value) conformance.Answer {
	out := map[string]json.RawMessage{}
	result, _ := policy.ParseExtJSONInt32(q.ask().Out)
	for _, e := range policy.DOf(result) {
		out[e.Key] = policy.AppendExtJSON(nil, edit(q, e.Key, e.Value))
	}
	return conformance.Result(out)
}

// knownOptions returns an index without options that MongoDB does not know.
func knownOptions(index policy.Value) policy.Value {
	known := []string{"key", "name", option, partial, "sparse", "unique", "hidden", "collation", "v", "background"}
	return policy.ObjectValue(slices.DeleteFunc(policy.DOf(index), func(e policy.E) bool { return !slices.Contains(known, e.Key) }))
}

// isUnknownType is the shape of directions that no index has.
func isUnknownType(v policy.Value) bool {
	s, ok := v.AsString()
	return ok && !slices.Contains([]string{"hashed", "text", "2d", "2dsphere"}, s)
}

// deeper is the shape of filters that nest deeper.
func deeper(than int) shape {
	return func(f policy.Value) bool { return depth(f) > than }
}

// large returns a change of numbers beyond 32 bits.
func large(to policy.Value) change {
	return becomes(func(v policy.Value) bool { return number(v) >= math.MaxInt32+1 }, to)
}

// doubles and decimals return changes of numbers of one type.
func doubles(round func(float64) float64) change {
	return given(ofType(policy.Double), whole(round))
}

func decimals(round func(float64) float64) change {
	return given(ofType(policy.Decimal), func(v policy.Value) policy.Value { return policy.DoubleValue(round(number(v))) })
}

// sameValue tells whether two values are equal in type and bits.
func sameValue(v, w policy.Value) bool {
	return v.IsMissing() == w.IsMissing() && strings.EqualFold(v.String(), w.String())
}

// missing takes away what it is put in the place of.
var missing policy.Value

// noElements is an empty list.
var noElements = policy.ListValue(policy.A{})

// A change makes one value of another.
type change = func(policy.Value) policy.Value

// put makes a change that puts a value at a path, drop one that leaves nothing.
func put(v policy.Value, path ...string) change {
	return func(x policy.Value) policy.Value { return cases.Put(x, v, path...) }
}

var drop = put(missing)

// becomes changes the values at any depth that are such, turns a value as a whole.
func becomes(such shape, to policy.Value) change {
	return func(v policy.Value) policy.Value { return leaves(v, turns(such, to)) }
}

func turns(such shape, to policy.Value) change {
	return given(such, func(policy.Value) policy.Value { return to })
}

// given makes a change of values that are such, dateBy of those that a date is read
// from.
func given(such shape, edit change) change {
	return func(v policy.Value) policy.Value {
		if such(v) {
			return edit(v)
		}
		return v
	}
}

func dateBy(read func(policy.Value) (policy.Instant, bool)) change {
	return func(v policy.Value) policy.Value {
		if i, ok := read(v); ok {
			return policy.DateValue(i)
		}
		return v
	}
}

// numerals makes numbers of texts of digits.
func numerals(v policy.Value) policy.Value {
	s, ok := v.AsString()
	if n, err := strconv.ParseInt(s, 10, 64); ok && err == nil {
		return policy.Int64Value(n)
	}
	return v
}

var lowerCase = given(ofType(policy.String), func(v policy.Value) policy.Value {
	s, _ := v.AsString()
	return policy.StringValue(strings.ToLower(s))
})

// low32 keeps the low 32 bits of an integer.
func low32(v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int32Value(int32(n)) }

// ofType is the shape of values of one of these types, equals, below and above of
// numbers.
func ofType(kinds ...policy.Kind) shape {
	return func(v policy.Value) bool { return slices.Contains(kinds, v.Kind()) }
}

func equals(n float64) shape {
	return func(v policy.Value) bool { return v.Kind().IsNumber() && number(v) == n }
}
func below(n float64) shape { return func(v policy.Value) bool { return number(v) < n } }
func above(n float64) shape { return func(v policy.Value) bool { return number(v) > n } }

func isNumeric(v policy.Value) bool   { return v.Kind().IsNumber() }
func isInfinite(v policy.Value) bool  { return math.IsInf(number(v), 1) }
func isTrue(v policy.Value) bool      { b, _ := v.AsBool(); return b }
func isFalse(v policy.Value) bool     { b, ok := v.AsBool(); return ok && !b }
func isNegative(v policy.Value) bool  { return number(v) < 0 }
func isFraction(v policy.Value) bool  { return number(v) != math.Trunc(number(v)) }
func isEmptyList(v policy.Value) bool { return v.Kind() == policy.List && len(policy.AOf(v)) == 0 }

// isLarge is the shape of integers beyond 32 bits, wrapsTo of those whose low 32
// bits are a number from least on.
var isLarge = every(ofType(policy.Int32, policy.Int64), above(math.MaxInt32))

func wrapsTo(least int32) shape {
	return func(v policy.Value) bool { n, ok := v.AsInt64(); return ok && int32(n) >= least }
}

// isInt32Of is the shape of one int32.
func isInt32Of(n float64) shape { return every(ofType(policy.Int32), equals(n)) }

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

// deep changes every value in v, the innermost first and v last.
func deep(v policy.Value, edit change) policy.Value {
	_, v = rewritten("", v, func(name string, v policy.Value) (string, policy.Value) { return name, edit(v) })
	return v
}

// leaves changes every value in v that is no document or array.
func leaves(v policy.Value, edit change) policy.Value {
	return deep(v, given(func(v policy.Value) bool { return v.Kind() != policy.Object && v.Kind() != policy.List }, edit))
}
