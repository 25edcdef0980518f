package results

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Coverage holds the vectors of a suite that show one rule from all sides.
type Coverage struct {
	Rule policy.Rule
	// Positive are the vectors in which the rule holds.
	Positive []*suite.Vector
	// Negative are near misses: twins of the positive vectors, and vectors that bear on the rule but that another rule decides.
	Negative []*suite.Vector
	// Boundary are the vectors on a boundary: of a value, of a range, of a shape, or
	// between two releases.
	Boundary []*suite.Vector
}

// CoverageOf returns a suite's vectors about each rule of both catalogues that a question
// can be about.
func CoverageOf(s *suite.Suite) (all []Coverage) {
	c := coverer{s, map[string]bool{}}
	for _, v := range s.Vectors {
		for _, id := range v.Deciders() {
			c.decides[id] = true
		}
	}
	for r := range suite.Rules() {
		if _, ok := s.Untestable[r]; !ok {
			all = append(all, c.coverage(r))
		}
	}
	return all
}

// A coverer sorts vectors by what they show about a rule.
type coverer struct {
	suite   *suite.Suite
	decides map[string]bool // the rules that decide in some vector, by identifier
}

// coverage sorts the vectors that bear on a rule. If the rule decides any vector, the
// vectors that another rule decides are negative.
func (c coverer) coverage(r policy.Rule) Coverage {
	found := Coverage{Rule: r}
	for _, v := range c.suite.Vectors {
		if v.Status == "retired" || !slices.Contains(v.Rules, r) {
			continue
		}
		if c.isOnEdge(v) {
			found.Boundary = append(found.Boundary, v)
		}
		if c.decides[r.ID()] && !slices.Contains(v.Deciders(), r.ID()) {
			found.Negative = append(found.Negative, v)
			continue
		}
		found.Positive = append(found.Positive, v)
		for _, other := range c.suite.Vectors {
			if other.ID == v.Twin || other.Twin == v.ID {
				found.Negative = append(found.Negative, other)
			}
		}
	}
	return found
}

// edges are the kinds of flags that mark a vector on a boundary.
var edges = []string{"boundary", "range", "version-hazard"}

func (c coverer) isOnEdge(v *suite.Vector) bool {
	return slices.ContainsFunc(v.Flags, func(name string) bool { return slices.Contains(edges, c.suite.Flags[name].Kind) })
}

// An ExpandedVector is a vector with the answers of one release. It can be used without
// the suite and without a runner.
type ExpandedVector struct {
	ID     string             `json:"id"`
	Rev    int                `json:"rev"`
	Title  string             `json:"title"`
	Rules  []string           `json:"rules"`
	Needs  []string           `json:"needs,omitempty"`
	Level  string             `json:"level"` // "must", "profile" or "optional"
	Op     string             `json:"op"`
	Target conformance.Target `json:"target"`
	In     json.RawMessage    `json:"in"`
	// Want are the answers that conform, in the form of the protocol. If the level is
	// optional, more than one answer conforms.
	Want []json.RawMessage `json:"want"`
}

// Expand returns the approved vectors with an established answer for one release, in the
// order of the suite. The error is for a target that the suite cannot ask about.
func Expand(s *suite.Suite, t conformance.Target) (all []ExpandedVector, err error) {
	if err := checkTarget(s, t); err != nil {
		return nil, err
	}
	for _, v := range s.Vectors {
		row := rowFor(v, t)
		if row != nil && v.Status == "approved" && row.Level != "disputed" {
			all = append(all, expand(v, t, row))
		}
	}
	return all, nil
}

// checkTarget checks that the suite has questions about t.
func checkTarget(s *suite.Suite, t conformance.Target) error {
	known := s.Releases(t.System)
	switch {
	case !slices.Contains(suite.Systems, t.System):
		return fmt.Errorf("%s: want %s", t, strings.Join(suite.Systems, ", "))
	case known == nil && t.Version != "":
		return fmt.Errorf("%s: %s has no versions", t, t.System)
	case known != nil && t.Version == "":
		return fmt.Errorf("%s: name a release, such as %s@%s", t, t.System, known[len(known)-1])
	case known == nil:
		return nil
	}
	only := conformance.Hello{Systems: map[string]string{t.System: t.Version}}
	if releases, err := s.Claimed(only, t.System); err != nil || len(releases) != 1 || releases[0] != t.Version {
		return fmt.Errorf("version %q is not of the form 8.0.4", t.Version)
	}
	return nil
}

// rowFor returns the row of v for a target, nil if there is none.
func rowFor(v *suite.Vector, t conformance.Target) *suite.Row {
	for i := range v.Want {
		row := &v.Want[i]
		here := conformance.Target{System: row.System, Version: t.Version, Capabilities: row.Capabilities, Parameters: row.Parameters}
		if here.String() == t.String() && (t.Version == "" || row.Contains(t.Version)) {
			return row
		}
	}
	return nil
}

func expand(v *suite.Vector, t conformance.Target, row *suite.Row) ExpandedVector {
	e := ExpandedVector{ID: v.ID, Rev: v.Rev, Title: v.Title, Needs: v.Needs, Level: row.Level, Op: v.Op, Target: t, In: v.In}
	for _, r := range v.Rules {
		e.Rules = append(e.Rules, r.ID())
	}
	for _, answer := range row.Answers {
		a := conformance.Answer{Kind: conformance.KindOut, Out: answer.Out}
		if answer.Refusal != nil {
			a = conformance.Refused(*answer.Refusal)
		}
		e.Want = append(e.Want, json.RawMessage(a.String()))
	}
	return e
}
