package reasons

import (
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// AppendJSON appends e as one line of JSON for programs: `ttl explain --format
// json`, and the WebAssembly module, which does not use encoding/json. The fields
// are stable.
func (e Explanation) AppendJSON(dst []byte) []byte {
	fields := outcome(e.Decision)
	fields = append(fields, field("now", instant(e.Now)), text("system", e.Policy.System))
	fields = appendText(fields, "release", e.Policy.Version())
	if e.Policy.IsAssumed {
		fields = append(fields, field("assumed", policy.BoolValue(true)))
	}
	fields = append(fields, text("policy", e.Policy.Description), field("notes", list(e.Policy.Notes, policy.StringValue)))
	fields = appendText(fields, "source", e.Source.Name)
	fields = append(fields,
		field("sources", list(e.Each, eachValue)),
		field("dates", list(e.Dates, instant)),
		field("datesElsewhere", list(e.Elsewhere, policy.StringValue)),
		field("ladder", list(e.Ladder, e.consulted)))
	return plainjson.Append(dst, policy.ObjectValue(fields))
}

// outcome returns the members for a decision: its state, its deadline (null for never and unknown),
// and its rule.
func outcome(d policy.Decision) policy.D {
	deadline := policy.NullValue()
	if at, ok := d.Deadline(); ok {
		deadline = instant(at)
	}
	return policy.D{text("state", StateOf(d)), field("deadline", deadline), text("rule", d.Rule.String())}
}

func instant(at policy.Instant) policy.Value {
	return policy.ObjectValue(policy.D{text("time", at.String()), field("ms", policy.Int64Value(int64(at)))})
}

// eachValue returns the JSON value for the answer of one source.
func eachValue(one Each) policy.Value {
	return policy.ObjectValue(append(policy.D{text("name", one.Source.Name), text("about", one.Source.About)}, outcome(one.Decision)...))
}

// consulted returns the JSON value for a rule of the ladder. Its member applies says
// whether the rule decided, or shaped the decision.
func (e Explanation) consulted(r policy.Rule) policy.Value {
	return policy.ObjectValue(append(ruleFields(r), field("applies", policy.BoolValue(e.Applies(r)))))
}

// ruleFields returns the members of a rule's JSON.
func ruleFields(r policy.Rule) policy.D {
	fields := policy.D{text("id", r.ID()), text("statement", r.Statement())}
	fields = appendText(fields, "versions", r.Versions())
	return append(fields, text("confidence", r.Confidence()), field("sources", list(r.Citations(), citation)))
}

func citation(c policy.Citation) policy.Value {
	return policy.ObjectValue(policy.D{text("title", c.Title), text("address", c.Address)})
}

func field(name string, v policy.Value) policy.E { return policy.E{Key: name, Value: v} }

func text(name, s string) policy.E { return field(name, policy.StringValue(s)) }

// appendText appends a member with a text; it appends nothing if the text is empty.
func appendText(fields policy.D, name, s string) policy.D {
	if s == "" {
		return fields
	}
	return append(fields, text(name, s))
}

// list returns an array with the value of each element of all.
func list[T any](all []T, value func(T) policy.Value) policy.Value {
	array := policy.A{}
	for _, one := range all {
		array = append(array, value(one))
	}
	return policy.ListValue(array)
}
