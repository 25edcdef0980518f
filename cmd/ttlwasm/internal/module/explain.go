package module

import (
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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
