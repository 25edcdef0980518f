package mutants

import (
	_ "embed" // of mutants.json
	"encoding/json"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
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

// misreadings are those of all mutants, by name.
var misreadings = merged(
	threshold, arrays, types, paths, filters, seconds, several, indexes, clustered, timeseries, namespaces,
	createIndexes, collMod, create, items, containers, itemWrites, cosmosMongo,
)

func merged(areas ...map[string]misreading) map[string]misreading {
	all := map[string]misreading{}
	for _, area := range areas {
		maps.Copy(all, area)
	}
	return all
}

//go:embed mutants.json
var catalogue []byte

// All returns every mutant, in the order of mutants.json, which is area by area.
func All() (all []Mutant) {
	if err := json.Unmarshal(catalogue, &all); err != nil {
		panic("mutants.json: " + err.Error()) // which a test would have seen
	}
	for i := range all {
		all[i].misread = misreadings[all[i].Name]
	}
	return all
}

// System returns the mutant as a system that can be put to a suite. It claims
// what the reference does, except the names of rules and indexes.
func (m Mutant) System() conformance.System {
	return system{m, plainAsker(), reference.New().Hello()}
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
