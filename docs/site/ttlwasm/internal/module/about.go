package module

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// About returns the length of a description of a policy, in JSON, so that a caller need
// not ask the module as often. It has the names of the fields that decisions depend on; the fingerprint;
// the rule of a policy that keeps every document; the indexes of a policy whose indexes
// are all plain; and the settings of a plain container. Rules are numbers.
func (m *Module) About(h Handle) (result Code) {
	defer m.recover(&result)
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	about := policy.D{{Key: "fingerprint", Value: policy.StringValue(fmt.Sprint(p.Evaluator.(interface{ Fingerprint() policy.Fingerprint }).Fingerprint()))}}
	about = append(about, policy.E{Key: "reads", Value: listOf(readsOf(p.Policy), policy.StringValue)})
	if keeps := keepsOf(p.Policy); !keeps.IsZero() {
		about = append(about, policy.E{Key: "keeps", Value: m.number(keeps)})
	}
	if plain := plainOf(p.Policy); plain != nil {
		about = append(about, policy.E{Key: "plain", Value: listOf(plain, m.plain)})
	}
	if c, ok := plainContainerOf(p.Policy); ok {
		container := policy.D{{Key: "default", Value: policy.Int64Value(c.Default)}, {Key: "rules", Value: listOf([]policy.Rule{c.Absent, c.Never, c.Own}, m.number)}}
		about = append(about, policy.E{Key: "container", Value: policy.ObjectValue(container)})
	}
	return m.returns(plainjson.Append(nil, policy.ObjectValue(about)))
}

func (m *Module) number(rule policy.Rule) policy.Value {
	return policy.Int32Value(int32(m.numbers[rule]))
}

func listOf[T any](list []T, value func(T) policy.Value) policy.Value {
	values := policy.A{}
	for _, x := range list {
		values = append(values, value(x))
	}
	return policy.ListValue(values)
}

// plain describes an index with its rules about a Date, an array of Dates, no field, null, another
// scalar, and a document outside the filter.
func (m *Module) plain(x plainIndex) policy.Value {
	rules := []policy.Rule{x.Rule, x.Array, x.Missing, x.Null, x.Other, x.Otherwise}
	d := policy.D{{Key: "field", Value: policy.StringValue(x.Field)}, {Key: "delay", Value: policy.Int64Value(x.Delay)}, {Key: "rules", Value: listOf(rules, m.number)}}
	if !x.Otherwise.IsZero() {
		d = append(d, policy.E{Key: "filter", Value: conditionOf(x.Filter)})
	}
	return policy.ObjectValue(d)
}

// conditionOf describes a condition. A Date is the milliseconds of its member "date".
func conditionOf(c condition) policy.Value {
	d := policy.D{{Key: "operator", Value: policy.StringValue(c.Operator)}}
	if c.Operator == "$and" || c.Operator == "$or" {
		return policy.ObjectValue(append(d, policy.E{Key: "parts", Value: listOf(c.Parts, conditionOf)}))
	}
	d = append(d, policy.E{Key: "field", Value: policy.StringValue(c.Field)})
	if at, isDate := c.Value.AsDate(); isDate {
		d = append(d, policy.E{Key: "date", Value: policy.Int64Value(int64(at))})
	} else if !c.Value.IsMissing() {
		d = append(d, policy.E{Key: "value", Value: c.Value})
	}
	return policy.ObjectValue(d)
}

// Explain returns the length of the explanation of a document's decision, in the
// JSON of `ttl explain --format json`.
func (m *Module) Explain(h Handle, f Format, address, n uint32, now int64) (result Code) {
	defer m.recover(&result)
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	text := m.at(input, address, n)
	if text == nil {
		return m.fail(BadPointer, "%d bytes at %d are not within one piece of allocated memory", n, address)
	}
	doc, err := m.document(p, f, text)
	if err != nil {
		return m.refused(err)
	}
	if p.explained == nil {
		if p.explained, err = reasons.Compile(p.Definition); err != nil {
			return m.fail(BadText, "%v", err)
		}
	}
	return m.returns(reasons.Of(p.explained, doc, policy.Instant(now)).AppendJSON(nil))
}
