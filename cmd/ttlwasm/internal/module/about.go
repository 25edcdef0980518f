package module

import (
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// About returns the length of what a caller needs to know of a policy to ask less of the
// module, in JSON: the names of the fields that deciding looks at, and of a plain policy
// its field, its delay, the number of the rule of its dates, and its filter. Its member "kept"
// has the numbers of the rules that keep documents: without the field, with null, with another
// scalar, and those that do not meet the filter.
func (m *Module) About(h Handle) (result Code) {
	defer m.recover(&result)
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	text := []byte(`{"reads":[`)
	for i, name := range p.Reads() {
		if i > 0 {
			text = append(text, ',')
		}
		text, _ = jsontext.AppendQuoted(text, name)
	}
	text = append(text, ']')
	if plain, ok := p.Plain(); ok {
		text, _ = jsontext.AppendQuoted(append(text, `,"plain":{"field":`...), plain.Field)
		text = strconv.AppendInt(append(text, `,"delay":`...), plain.Delay, 10)
		text = strconv.AppendInt(append(text, `,"rule":`...), int64(m.numbers[plain.Rule]), 10)
		text = append(text, `,"kept":[`...)
		for _, rule := range []*policy.Rule{plain.Missing, plain.Null, plain.Other} {
			text = append(strconv.AppendInt(text, int64(m.numbers[rule]), 10), ',')
		}
		text = append(strconv.AppendInt(text, int64(m.numbers[plain.Otherwise]), 10), ']')
		if plain.Otherwise != nil {
			text = appendCondition(append(text, `,"filter":`...), plain.Filter)
		}
		text = append(text, '}')
	}
	return m.returns(append(text, '}'))
}

// appendCondition appends a condition. A Date is the milliseconds of its member "date".
func appendCondition(text []byte, c questions.Condition) []byte {
	text, _ = jsontext.AppendQuoted(append(text, `{"operator":`...), c.Operator)
	if c.Operator == "$and" || c.Operator == "$or" {
		text = append(text, `,"parts":[`...)
		for i, part := range c.Parts {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendCondition(text, part)
		}
		return append(text, "]}"...)
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
