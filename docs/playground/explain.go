package playground

import "github.com/ttlpolicy/ttlpolicy/internal/reasons"

// Explain returns why s is answered as [Of] answers it, for who draws or words
// it otherwise. It reports false if something in s cannot be read.
func Explain(s State) (e reasons.Explanation, ok bool) {
	s = s.normal()
	now, err := readNow(s.Now)
	if err != nil {
		return e, false
	}
	d, err := readDefinition(s, now)
	if err != nil {
		return e, false
	}
	doc, err := readDocument(s, now)
	if err != nil {
		return e, false
	}
	p, err := d.compile(s)
	if err != nil {
		return e, false
	}
	return reasons.Of(p, doc.Document, now), true
}
