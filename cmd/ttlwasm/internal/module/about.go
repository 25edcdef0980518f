package module

import (
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
)

// About returns the length of what a caller needs to know of a policy to ask less of the
// module, in JSON: the names of the fields that deciding looks at, and of a plain policy
// its field, its delay and the number of the rule of its dates.
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
		text = append(text, '}')
	}
	return m.returns(append(text, '}'))
}
