package module

import (
	"fmt"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
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
	text := fmt.Appendf(nil, `{"fingerprint":"%s","reads":`, p.Evaluator.(interface{ Fingerprint() policy.Fingerprint }).Fingerprint())
	text = appendList(text, p.Reads(), func(text []byte, name string) []byte {
		text, _ = jsontext.AppendQuoted(text, name)
		return text
	})
	if keeps := p.Keeps(); !keeps.IsZero() {
		text = strconv.AppendInt(append(text, `,"keeps":`...), int64(m.numbers[keeps]), 10)
	}
	if plain := p.Plain(); plain != nil {
		text = appendList(append(text, `,"plain":`...), plain, m.appendPlain)
	}
	if c, ok := p.PlainContainer(); ok {
		text = strconv.AppendInt(append(text, `,"container":{"default":`...), c.Default, 10)
		text = m.appendRules(append(text, `,"rules":`...), c.Absent, c.Never, c.Own)
		text = append(text, '}')
	}
	return m.returns(append(text, '}'))
}

// appendPlain appends an index with its rules about a Date, an array of Dates, no field,
// null, another scalar, and a document outside the filter.
func (m *Module) appendPlain(text []byte, x questions.Plain) []byte {
	text, _ = jsontext.AppendQuoted(append(text, `{"field":`...), x.Field)
	text = strconv.AppendInt(append(text, `,"delay":`...), x.Delay, 10)
	text = m.appendRules(append(text, `,"rules":`...), x.Rule, x.Array, x.Missing, x.Null, x.Other, x.Otherwise)
	if !x.Otherwise.IsZero() {
		text = appendCondition(append(text, `,"filter":`...), x.Filter)
	}
	return append(text, '}')
}

func (m *Module) appendRules(text []byte, rules ...policy.Rule) []byte {
	return appendList(text, rules, func(text []byte, rule policy.Rule) []byte {
		return strconv.AppendInt(text, int64(m.numbers[rule]), 10)
	})
}

func appendList[T any](text []byte, list []T, add func([]byte, T) []byte) []byte {
	text = append(text, '[')
	for i, x := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = add(text, x)
	}
	return append(text, ']')
}

// appendCondition appends a condition. A Date is the milliseconds of its member "date".
func appendCondition(text []byte, c questions.Condition) []byte {
	text, _ = jsontext.AppendQuoted(append(text, `{"operator":`...), c.Operator)
	if c.Operator == "$and" || c.Operator == "$or" {
		return append(appendList(append(text, `,"parts":`...), c.Parts, appendCondition), '}')
	}
	text, _ = jsontext.AppendQuoted(append(text, `,"field":`...), c.Field)
	if at, isDate := c.Value.AsDate(); isDate {
		text = strconv.AppendInt(append(text, `,"date":`...), int64(at), 10)
	} else if !c.Value.IsMissing() {
		text = append(text, `,"value":`...)
		if s, isString := c.Value.AsString(); isString {
			text, _ = jsontext.AppendQuoted(text, s)
		} else if b, isBool := c.Value.AsBool(); isBool {
			text = strconv.AppendBool(text, b)
		} else {
			n, _ := c.Value.AsDouble()
			text = strconv.AppendFloat(text, n, 'g', -1, 64)
		}
	}
	return append(text, '}')
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
