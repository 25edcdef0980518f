package mutants

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// restates asks about an index as if it had another option.
func restates(when test, edit func(policy.Value) policy.Value) misreading {
	return changes(createIndex, when, edit, "index", option)
}

// rekeys asks about an index as if its fields had other directions.
func rekeys(edit func(direction policy.Value) policy.Value) misreading {
	return asks(createIndex, func(q query) query {
		key := policy.DOf(q.get("index", "key"))
		for i := range key {
			key[i].Value = edit(key[i].Value)
		}
		return q.with(policy.ObjectValue(key), "index", "key")
	})
}

// refilter asks about an index as if it had another filter.
func refilter(edit func(filter policy.Value) policy.Value) misreading {
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
		return len(all) > 0 && q.sharesWith(all[0], "key") && !q.sharesWith(all[0], name)
	}, 85)
}

// special refuses the option on an index of a type.
func special(kind string) misreading {
	return refuses(createIndex, every(query.isTTL, where(isOfType(kind), "index")), 67)
}

// stored answers that the catalog keeps another number.
func stored(when test, edit func(q query, kept policy.Value) policy.Value) misreading {
	return only(createIndex, every(when, query.isTTL), func(q query) conformance.Answer {
		a := q.ask()
		var out map[string]json.RawMessage
		if a.Kind != conformance.KindOut || json.Unmarshal(a.Out, &out) != nil || out[option] == nil {
			return a
		}
		v, err := policy.ParseExtJSONInt32(out[option])
		if err != nil {
			return a
		}
		out[option] = policy.AppendExtJSON(nil, edit(q, v))
		return conformance.Result(out)
	})
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
func large(to policy.Value) func(policy.Value) policy.Value {
	return becomes(func(v policy.Value) bool { return asFloat(v) >= math.MaxInt32+1 }, to)
}

// doubles and decimals return changes of numbers of one type.
func doubles(round func(float64) float64) func(policy.Value) policy.Value {
	return given(ofType(policy.Double), whole(round))
}

func decimals(round func(float64) float64) func(policy.Value) policy.Value {
	return given(ofType(policy.Decimal), func(v policy.Value) policy.Value { return policy.DoubleValue(round(asFloat(v))) })
}

// asFloat returns a number of any type as a double, 0 if v is none.
func asFloat(v policy.Value) float64 {
	if v.Kind() == policy.Decimal {
		v = asDouble(v)
	}
	return number(v)
}

// sameValue tells whether two values are equal in type and bits.
func sameValue(v, w policy.Value) bool {
	return v.IsMissing() == w.IsMissing() && strings.EqualFold(v.String(), w.String())
}
