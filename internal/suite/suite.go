package suite

import (
	"encoding/json"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Suite holds vectors and the tables to which they refer. Get one from [Load]
// or [Embedded]. It must not be modified.
type Suite struct {
	// Version is the suite's version, which follows semantic versioning: a minor
	// version may bring new vectors, a patch changes no verdict.
	Version string
	// Vectors are in the order of the files, then of the lines.
	Vectors []*Vector
	// Flags are the kinds of hazards with which vectors are flagged, by name.
	Flags map[string]Flag
	// Features maps each feature that a system may claim to a sentence about it.
	Features map[string]string
	// RuleSets are sets of rules that a system may claim as a whole.
	RuleSets []RuleSet
	// Untestable are the rules that no question can ask about, with the
	// reason for each.
	Untestable map[policy.Rule]string

	// sources are the documents, tests and source files that vectors cite, by key.
	sources map[string]source
	// echoed are the values that a system must echo before it is asked anything
	// else.
	echoed   []echoedValue
	releases map[string]releases
}

// releases are the releases of one system, in ascending order.
type releases struct {
	all []release
	// landmarks are releases about which a run asks every vector that has a row or a gap
	// for them.
	landmarks []release
}

// A Flag says why vectors that carry it are hard.
type Flag struct {
	// Kind is "basic", "boundary", "type", "version-hazard", "known-bug",
	// "range", "interaction" or "robustness".
	Kind string `json:"kind" choice:"basic boundary type version-hazard known-bug range interaction robustness"`
	// Why says what such a vector tests.
	Why string `json:"why"`
	// IfWrong says what happens to data if the answer is wrong.
	IfWrong string `json:"ifWrong"`
}

// A RuleSet is rules that belong together, which a system can claim as a whole:
// a "profile" in the JSON of the suite and of the protocol.
type RuleSet struct {
	Name   string `json:"name"` // such as "mongodb-core"
	Title  string `json:"title"`
	System string `json:"system" choice:"mongodb documentdb cosmos-nosql cosmos-mongo"` // the system that the vectors of the set are about
	// Features must be claimed by every system that claims the set. A vector that
	// needs another feature is not part of the set, and only systems that claim that
	// feature are asked.
	Features []string `json:"features,omitempty"`
	// Rules are the rules that the files of vectors list for the set.
	Rules []policy.Rule `json:"-"`
}

// holds reports whether a vector about a rule of the set is part of the set.
func (s RuleSet) holds(v *Vector) bool {
	return conformance.SystemOf(v.Op) == s.System && !slices.ContainsFunc(v.Needs, func(need string) bool { return !slices.Contains(s.Features, need) })
}

// An echoedValue must come back from a system as it was sent.
type echoedValue struct {
	jsonfile.Node
	ID    string          `json:"id"`
	Title string          `json:"title"`
	Value json.RawMessage `json:"value"` // Extended JSON
}

// A Vector is a question with the known answers.
type Vector struct {
	// ID is the vector's permanent name. It holds no version number.
	ID string `json:"id"`
	// Rev grows with every change of the question or of the answers.
	Rev int `json:"rev"`
	// Title states the intent.
	Title string `json:"title"`
	// Rules are the rules that the vector tests, the main one first.
	Rules []policy.Rule `json:"-"`
	// Op is the operation of the protocol, such as "mongodb.decide".
	Op string `json:"op"`
	// In is the question, one line of JSON.
	In json.RawMessage `json:"-"`
	// Want holds the expected answers. No two rows hold for the same release. A
	// result is compared by the named members; warned means that warnings must not be
	// empty, and null that a member of collMod's reply must be absent.
	Want []Row `json:"-"`
	// Unspecified are the releases for which no source establishes an answer.
	Unspecified []Gap `json:"-"`
	// Flags name entries of [Suite.Flags].
	Flags []string `json:"flags,omitempty"`
	// Needs name entries of [Suite.Features]: features that a system must know
	// before it can be asked.
	Needs []string `json:"needs,omitempty"`
	// Twin is the identifier of a vector that differs in one place and has the opposite
	// answer; "" if there is none.
	Twin string `json:"twin,omitempty"`
	// Status says whether the vector counts: "approved"; "proposed" for a vector
	// that is asked and shown but does not count; or "retired" for a wrong vector
	// that is not asked any more.
	Status string `json:"status,omitempty" choice:"approved proposed retired"`
	// Comment is a remark for readers.
	Comment string `json:"comment,omitempty"`
	// Hash is a digest of the question and the answers.
	Hash string `json:"-"`

	// Text is the vector as the file has it.
	Text json.RawMessage `json:"-"`
	// At is the place in the file at which the vector begins.
	At jsonfile.Place `json:"-"`

	question jsonfile.Node // In, as written in the file
}

// Values of [Vector.Status] and [Row.Level], the usual one first.
const (
	approved = "approved"
	proposed = "proposed"
	retired  = "retired"

	levelMust     = "must"
	levelRuleSet  = "profile"
	levelOptional = "optional"
	levelDisputed = "disputed"
)

// Only returns the part of the suite with the vectors for which keep is true. In a report
// on a part, the verdict on a rule set says nothing about the vectors that were left out.
func (suite *Suite) Only(keep func(*Vector) bool) *Suite {
	part := *suite
	part.Vectors = nil
	for _, v := range suite.Vectors {
		if keep(v) {
			part.Vectors = append(part.Vectors, v)
		}
	}
	return &part
}

// BearsOn reports whether the rule with this identifier is one of the rules of v.
func (v *Vector) BearsOn(id string) bool {
	return slices.ContainsFunc(v.Rules, func(r policy.Rule) bool { return r.ID() == id })
}

// A Row is the answer of one system.
type Row struct {
	TargetRange
	// AsOf is the date of the page that describes a service, as "2025-12-05".
	AsOf string `json:"asOf,omitempty"`
	// Level is how binding the row is: "must" for every system that claims the
	// database, "profile" for every system that claims RuleSet, "optional" if
	// several answers conform, or "disputed" if the sources contradict each other
	// and nothing is judged.
	Level   string `json:"level" choice:"must profile optional disputed"`
	RuleSet string `json:"profile,omitempty"`
	// Evidence says how the answer is established.
	Evidence string `json:"evidence" choice:"vendor-test source reported documented inferred disputed"`
	// Answers are the answers that conform: one answer for "must" and "profile", several
	// otherwise.
	Answers []Expectation `json:"-"`
}

// A Gap is releases for which an answer is unspecified. A system's answers
// there are recorded and never judged.
type Gap struct {
	TargetRange
	// Note says what is not known.
	Note string `json:"note"`
	// Rule is the rule, with an identifier that ends in -unspecified, by which this
	// library keeps the document, or does not say whether a definition is refused.
	Rule policy.Rule `json:"-"`
}

// An Expectation is an answer that conforms: a result, or a refusal.
type Expectation struct {
	jsonfile.Node
	// Label names the answer if a row has several answers.
	Label string `json:"label,omitempty"`
	// Out are the compared members of a result; nil for a refusal.
	Out json.RawMessage `json:"out,omitempty"`
	// Refusal is the expected refusal; nil for a result.
	Refusal *conformance.Refusal `json:"error,omitempty"`

	// Cites are keys of the suite's sources, each with an optional "#place".
	Cites []string `json:"cites,omitempty"`

	fields policy.Value // the parsed Out
}

// Vector returns the vector with an identifier; nil if there is none.
func (suite *Suite) Vector(id string) *Vector {
	for _, v := range suite.Vectors {
		if v.ID == id {
			return v
		}
	}
	return nil
}

// Deciders returns the identifiers of the rules that the answers and the gaps of
// v name, with repetitions.
func (v *Vector) Deciders() (ids []string) {
	for _, row := range v.Want {
		ids = append(ids, row.deciders()...)
	}
	for _, g := range v.Unspecified {
		ids = append(ids, g.Rule.ID())
	}
	return ids
}

// deciders returns the rules that the answers of a row name.
func (row Row) deciders() (ids []string) {
	for _, e := range row.Answers {
		if id, ok := e.fields.Field("rule").AsString(); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
