package results

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

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
