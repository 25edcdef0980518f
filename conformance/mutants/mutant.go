package mutants

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// A Mutant is the reference with one rule misread.
type Mutant struct {
	// Name names the mutant for ever, such as "date-exclusive".
	Name string
	// Rule is the identifier of the rule that is misread.
	Rule string
	// Text says how, in one sentence.
	Text string
	// Wild says where the misreading has been seen, as the rest of "seen in
	// …", with where that can be read; "" if nowhere that is known.
	Wild string

	// Area is what kind of rule that is, such as "threshold".
	Area string

	misread misreading
}

// A misreading answers a question as the reference does, or otherwise.
type misreading func(query) conformance.Answer

// areas are the mutants, by what they misread.
var areas = []struct {
	name    string
	entries []entry
}{
	{"threshold", threshold}, {"arrays", arrays}, {"types", types}, {"paths", paths}, {"filters", filters},
	{"seconds", seconds}, {"several", several}, {"indexes", indexes}, {"clustered", clustered}, {"timeseries", timeseries}, {"namespaces", namespaces},
	{"createindexes", createIndexes}, {"collmod", collMod}, {"create", create},
	{"cosmos-items", items}, {"cosmos-containers", containers}, {"cosmos-item-writes", itemWrites}, {"cosmosmongo", cosmosMongo},
}

// All returns every mutant, area by area.
func All() (all []Mutant) {
	for _, area := range areas {
		for _, e := range area.entries {
			all = append(all, Mutant{e.name, e.rule, e.text, e.wild, area.name, e.misread})
		}
	}
	return all
}

// An entry is a mutant as the files of the areas list it.
type entry struct {
	name, rule, text, wild string
	misread                misreading
}

// System returns the mutant as a system that can be put to a suite. It claims
// what the reference does, but for the names of rules and indexes.
func (m Mutant) System() conformance.System {
	return system{m, reference(), conformance.Reference().Hello()}
}

type system struct {
	Mutant
	base   asker
	claims conformance.Hello
}

// Hello claims what mutants are judged by.
func (s system) Hello() conformance.Hello {
	hello := s.claims
	hello.Name, hello.Homepage, hello.Issues = s.Name, "", ""
	hello.Features = slices.DeleteFunc(slices.Clone(hello.Features), func(feature string) bool {
		return feature == conformance.FeatureRule || feature == conformance.FeatureIndex
	})
	return hello
}

// Ask answers one question.
func (s system) Ask(q conformance.Question) conformance.Answer {
	return s.misread(query{Question: q, base: s.base})
}
