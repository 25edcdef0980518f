package cases

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// OfVector takes the question of a vector apart, asked about a target. The
// error is for a vector that was not loaded.
func OfVector(v *conformance.Vector, t conformance.Target) (Case, error) {
	c := Case{Op: v.Op, Target: t}
	in, err := policy.ParseExtJSONInt32(v.In)
	if t.System == conformance.CosmosNoSQL {
		in, err = plainInput(v.In)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", v.ID, err)
	}
	c.In = policy.DOf(in)
	return c, nil
}

// plainInput reads an input that is plain JSON except for its clock.
func plainInput(in json.RawMessage) (policy.Value, error) {
	object, err := policy.ParseJSON(in)
	if err != nil {
		return policy.Value{}, err
	}
	d := policy.DOf(object.Value())
	for i := range d {
		if d[i].Key == "now" {
			var raw struct{ Now json.RawMessage }
			if err := json.Unmarshal(in, &raw); err != nil {
				return policy.Value{}, err
			}
			if d[i].Value, err = policy.ParseExtJSON(raw.Now); err != nil {
				return policy.Value{}, err
			}
		}
	}
	return policy.ObjectValue(d), nil
}

// Neighbours yields questions that differ from c in one place: a value is
// replaced by one that numbers, texts, dates or documents are easily mistaken for,
// or is gone. The members that every vector of the operation has, such as the
// clock and _ts, stay, or nobody could answer.
func (c Case) Neighbours() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for _, place := range places(policy.ObjectValue(c.In), nil) {
			for _, v := range neighbours(c.At(place...)) {
				if v.IsMissing() && len(place) == 1 && !slices.Contains(optional, place[0]) {
					continue
				}
				if !yield(c.With(v, place...)) {
					return
				}
			}
		}
	}
}

// optional are the members of an input that a vector may lack.
var optional = []string{"collection", "existing", "previous"}

// neighbours are values near another one, and some of other kinds.
func neighbours(v policy.Value) []policy.Value {
	list := append([]policy.Value{{}, policy.ObjectValue(policy.D{}), policy.ListValue(policy.A{}), policy.RegexValue("a", "")}, settings...)
	if n, ok := v.AsInt64(); ok {
		list = append(list, policy.Int64Value(n+1), policy.Int64Value(n-1), policy.DoubleValue(float64(n)), policy.DoubleValue(float64(n)+0.5), policy.DoubleValue(-float64(n)))
	}
	if i, ok := v.AsDate(); ok {
		list = append(list, policy.DateValue(Plus(i, 1)), policy.DateValue(Plus(i, -1)), policy.DateValue(policy.MaxInstant), policy.DateValue(policy.MinInstant))
	}
	return append(list, decimalSettings[:3]...)
}
