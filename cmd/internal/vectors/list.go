package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Filter says which vectors are listed. The zero Filter keeps all.
type Filter struct {
	Rule string // the beginning of a rule's identifier
	Op   string // an operation, such as "mongodb.decide"
	Flag string // a flag, such as "Threshold"
}

// Keep reports whether f keeps v.
func (f Filter) Keep(v *conformance.Vector) bool {
	return (f.Op == "" || f.Op == v.Op) &&
		(f.Flag == "" || slices.Contains(v.Flags, f.Flag)) &&
		slices.ContainsFunc(v.Rules, func(r *policy.Rule) bool { return strings.HasPrefix(r.ID, f.Rule) })
}

// List writes the identifiers and titles of the vectors of a suite.
func List(w io.Writer, style cli.Style, width int, s *conformance.Suite) error {
	var b bytes.Buffer
	for _, v := range s.Vectors {
		fmt.Fprintln(&b, style.Bold(v.ID))
		cli.Wrap(&b, v.Title, 4, width)
	}
	_, err := b.WriteTo(w)
	return err
}

// A JSON is a vector as a program reads it.
type JSON struct {
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
	Want   []JSONRow       `json:"want"`
	Open   []JSONGap       `json:"unverified"`
}

// A JSONRow is what one range of releases answers.
type JSONRow struct {
	System       string                 `json:"system"`
	Versions     string                 `json:"versions,omitempty"`
	Capabilities []string               `json:"capabilities,omitempty"`
	Parameters   conformance.Parameters `json:"parameters,omitempty"`
	Level        string                 `json:"level"`
	Profile      string                 `json:"profile,omitempty"`
	Evidence     policy.Confidence      `json:"evidence"`
	Answers      []JSONAnswer           `json:"answers"`
}

// A JSONAnswer is an answer that conforms.
type JSONAnswer struct {
	Label   string               `json:"label,omitempty"`
	Out     json.RawMessage      `json:"out,omitempty"`
	Refusal *conformance.Refusal `json:"error,omitempty"`
	Sources []JSONSource         `json:"sources"`
}

// A JSONSource is where an answer is established.
type JSONSource struct {
	Title   string `json:"title"`
	Address string `json:"address"`
}

// A JSONGap is a range of releases of which nothing is established.
type JSONGap struct {
	System   string `json:"system"`
	Versions string `json:"versions,omitempty"`
	Note     string `json:"note"`
	Rule     string `json:"rule,omitempty"`
}

// JSONOf returns a vector of a suite as a program reads it.
func JSONOf(s *conformance.Suite, v *conformance.Vector) JSON {
	j := JSON{
		ID: v.ID, Rev: v.Rev, Title: v.Title, Status: v.Status.String(), Op: v.Op, Twin: v.Twin, In: v.In,
		Flags: append([]string{}, v.Flags...), Needs: append([]string{}, v.Needs...), Want: []JSONRow{}, Open: []JSONGap{},
	}
	for _, r := range v.Rules {
		j.Rules = append(j.Rules, r.ID)
	}
	for _, row := range v.Want {
		j.Want = append(j.Want, jsonRow(s, row))
	}
	for _, g := range v.Unverified {
		j.Open = append(j.Open, JSONGap{g.System, g.Versions, g.Note, g.Rule.String()})
	}
	return j
}

func jsonRow(s *conformance.Suite, row conformance.Row) JSONRow {
	j := JSONRow{row.System, row.Versions, row.Capabilities, row.Parameters, row.Level.String(), row.RuleSet, row.Evidence, nil}
	for _, e := range row.Answers {
		a := JSONAnswer{Label: e.Label, Out: e.Out, Refusal: e.Refusal}
		for _, source := range s.Cited(e) {
			a.Sources = append(a.Sources, JSONSource{source.Title, source.Address})
		}
		j.Answers = append(j.Answers, a)
	}
	return j
}
