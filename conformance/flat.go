package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Flat is a vector as one release answers it, for those who want no runner.
type Flat struct {
	ID     string          `json:"id"`
	Rev    int             `json:"rev"`
	Title  string          `json:"title"`
	Rules  []string        `json:"rules"`
	Needs  []string        `json:"needs,omitempty"`
	Level  string          `json:"level"` // "must", "profile" or "optional"
	Op     string          `json:"op"`
	Target Target          `json:"target"`
	In     json.RawMessage `json:"in"`
	// Want are the answers that conform, as the protocol has them; more than
	// one if the level is optional.
	Want []json.RawMessage `json:"want"`
}

// Flatten returns the vectors about one release, in the order of the suite,
// without those about which nothing is established, or not yet.
func (s *Suite) Flatten(t Target) (all []Flat, err error) {
	if t, err = s.target(t); err != nil {
		return nil, err
	}
	for _, v := range s.Vectors {
		if row := v.rowFor(t); row != nil && v.Status == Approved && row.Level != LevelDisputed {
			all = append(all, v.flat(t, row))
		}
	}
	return all, nil
}

// ParseTarget reads a target as [Target.String] writes it, such as
// "mongodb@8.0.4", "mongodb@9.0.2+name=true" or
// "cosmos-mongo@4.2+EnableTtlOnCustomPath".
func ParseTarget(text string) (t Target) {
	parts := strings.Split(text, "+")
	t.System, t.Version, _ = strings.Cut(parts[0], "@")
	for _, word := range parts[1:] {
		if strings.Contains(word, "=") {
			t.Parameters.parseWord(word)
		} else {
			t.Capabilities = append(t.Capabilities, word)
		}
	}
	return t
}

// target checks that t is one that the suite can ask about.
func (s *Suite) target(t Target) (Target, error) {
	known := s.releases[t.System].all
	switch {
	case t.System != MongoDB && t.System != CosmosNoSQL && t.System != CosmosMongo:
		return t, fmt.Errorf("%s: want %s, %s or %s", t, MongoDB, CosmosNoSQL, CosmosMongo)
	case known == nil && t.Version != "":
		return t, fmt.Errorf("%s: %s has no versions", t, t.System)
	case known != nil && t.Version == "":
		return t, fmt.Errorf("%s: which release? such as %s@%s", t, t.System, known[len(known)-1].text)
	case known == nil:
		return t, nil
	}
	_, err := parseRelease(t.Version)
	return t, err
}

// rowFor returns what is known about v's answer for a target, nil if nothing
// is.
func (v *Vector) rowFor(t Target) *Row {
	for i := range v.Want {
		row := &v.Want[i]
		covers := t.Version == "" || row.Contains(t.Version)
		if row.System == t.System && covers && row.setting().equal(t.setting()) {
			return row
		}
	}
	return nil
}

func (v *Vector) flat(t Target, row *Row) Flat {
	f := Flat{ID: v.ID, Rev: v.Rev, Title: v.Title, Needs: v.Needs, Level: row.Level.String(), Op: v.Op, Target: t, In: v.In}
	for _, r := range v.Rules {
		f.Rules = append(f.Rules, r.ID)
	}
	for _, e := range row.Answers {
		a := Answer{Kind: KindOut, Out: e.Out}
		if e.Refusal != nil {
			a = Refused(*e.Refusal)
		}
		f.Want = append(f.Want, json.RawMessage(a.String()))
	}
	return f
}
