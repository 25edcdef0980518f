package cases

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"pgregory.net/rapid"
)

// A Source draws parts of questions from rapid, none beyond a claim. What is
// drawn is simplest where the shrinking ends: of a list the first.
type Source struct {
	*Claim
	t *rapid.T
}

// From returns a source that draws from t.
func (c *Claim) From(t *rapid.T) Source { return Source{c, t} }

// Of returns a generator of what draw makes of a source.
func Of[T any](c *Claim, draw func(Source) T) *rapid.Generator[T] {
	return rapid.Custom(func(t *rapid.T) T { return draw(c.From(t)) })
}

// Pick draws one of the list.
func Pick[T any](s Source, list ...T) T { return rapid.SampledFrom(list).Draw(s.t, "pick") }

// Either draws true or false.
func (s Source) Either() bool { return rapid.Bool().Draw(s.t, "either") }

// Range draws a number of a range, both ends included.
func (s Source) Range(low, high int64) int64 { return rapid.Int64Range(low, high).Draw(s.t, "range") }

// Shuffled draws another order of a list.
func Shuffled[T any](s Source, list []T) []T { return rapid.Permutation(list).Draw(s.t, "order") }

// sometimes draws true one time in n.
func (s Source) sometimes(n int) bool { return s.Range(0, int64(n)-1) == int64(n)-1 }

// Target draws a release that is claimed for an operation, from the given one
// on; "" is any. There must be one: [Claim.Asks] says whether there is.
func (s Source) Target(op, from string) conformance.Target {
	system := conformance.SystemOf(op)
	t := conformance.Target{System: system, Version: Pick(s, s.since(system, from)...)}
	if system == conformance.CosmosMongo && s.Knows("custom-path") && s.Either() {
		t.Capabilities = []string{customPath}
	}
	return t
}

// customPath is the capability of an account whose TTL index may be on any
// field.
const customPath = "EnableTtlOnCustomPath"
