package conform

import (
	"encoding/json"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A VectorJSON is a vector as a program reads it.
type VectorJSON struct {
	ID     string          `json:"id"`
	Rev    int             `json:"rev"`
	Title  string          `json:"title"`
	Status string          `json:"status"`
	Op     string          `json:"op"`
	Rules  []string        `json:"rules"`
	Flags  []string        `json:"flags"`
	Needs  []string        `json:"needs"`
	Twin   string          `json:"twin,omitempty"`
	In     json.RawMessage `json:"in"`
	Want   []RowJSON       `json:"want"`
	Open   []GapJSON       `json:"unverified"`
}

// A RowJSON is what one range of releases answers.
type RowJSON struct {
	System       string                 `json:"system"`
	Versions     string                 `json:"versions,omitempty"`
	Capabilities []string               `json:"capabilities,omitempty"`
	Parameters   conformance.Parameters `json:"parameters,omitempty"`
	Level        string                 `json:"level"`
	Profile      string                 `json:"profile,omitempty"`
	Evidence     policy.Confidence      `json:"evidence"`
	Answers      []AnswerJSON           `json:"answers"`
}

// An AnswerJSON is an answer that conforms.
type AnswerJSON struct {
	Label   string                `json:"label,omitempty"`
	Out     json.RawMessage       `json:"out,omitempty"`
	Refusal *conformance.Refusal  `json:"error,omitempty"`
	Sources []rulebook.SourceJSON `json:"sources"`
}

// A GapJSON is a range of releases of which nothing is established.
type GapJSON struct {
	System   string `json:"system"`
	Versions string `json:"versions,omitempty"`
	Note     string `json:"note"`
	Rule     string `json:"rule,omitempty"`
}

// VectorJSONOf returns a vector of a suite as a program reads it.
func VectorJSONOf(s *conformance.Suite, v *conformance.Vector) VectorJSON {
	j := VectorJSON{
		ID: v.ID, Rev: v.Rev, Title: v.Title, Status: v.Status, Op: v.Op, Twin: v.Twin, In: v.In,
		Flags: append([]string{}, v.Flags...), Needs: append([]string{}, v.Needs...), Want: []RowJSON{}, Open: []GapJSON{},
	}
	for _, r := range v.Rules {
		j.Rules = append(j.Rules, r.ID)
	}
	for _, row := range v.Want {
		j.Want = append(j.Want, rowJSON(s, row))
	}
	for _, g := range v.Unverified {
		j.Open = append(j.Open, GapJSON{g.System, g.Versions, g.Note, g.Rule.String()})
	}
	return j
}

func rowJSON(s *conformance.Suite, row conformance.Row) RowJSON {
	j := RowJSON{row.System, row.Versions, row.Capabilities, row.Parameters, row.Level, row.RuleSet, row.Evidence, nil}
	for _, e := range row.Answers {
		a := AnswerJSON{Label: e.Label, Out: e.Out, Refusal: e.Refusal}
		for _, source := range s.Cited(e) {
			a.Sources = append(a.Sources, rulebook.SourceJSON(source))
		}
		j.Answers = append(j.Answers, a)
	}
	return j
}
