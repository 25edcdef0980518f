package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parameters are the server parameters that a question presumes to be set, by
// name, each a bool, a float64 or a string. All others have their defaults.
type Parameters map[string]any

// UnmarshalJSON reads an object of truth values, numbers and strings.
func (p *Parameters) UnmarshalJSON(text []byte) error {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for name, v := range all {
		switch v.(type) {
		case bool, float64, string:
		default:
			return errors.New(name + ": want true, false, a number or a string")
		}
	}
	*p = all
	return nil
}

// words returns the parameters as "name=true", in the order of their names.
func (p Parameters) words() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(p)) {
		text, err := json.Marshal(p[name])
		if err != nil {
			panic(fmt.Sprintf("conformance: parameter %s: %v", name, err)) // no bool, number or string
		}
		all = append(all, name+"="+string(text))
	}
	return all
}

// parseWord adds a parameter that words has written. A value that is no JSON is
// a string.
func (p *Parameters) parseWord(word string) {
	name, text, _ := strings.Cut(word, "=")
	var value any = text
	var one Parameters
	if json.Unmarshal([]byte(`{"value":`+text+`}`), &one) == nil {
		value = one["value"]
	}
	if *p == nil {
		*p = Parameters{}
	}
	(*p)[name] = value
}

// featureParameters is the feature that a vector with parameters needs: who does
// not know it would answer for a server with the defaults.
const featureParameters = "parameters"

// A setting is what an answer presumes of the account or of the server, beside
// its release.
type setting struct {
	capabilities []string
	parameters   Parameters
}

func (t Target) setting() setting      { return setting{t.Capabilities, t.Parameters} }
func (s TargetRange) setting() setting { return setting{s.Capabilities, s.Parameters} }

// Settings returns what s presumes, in words: capabilities of the account, and
// server parameters as "name=true".
func (s TargetRange) Settings() []string { return s.setting().words() }

func (s setting) words() []string {
	return append(slices.Clone(s.capabilities), s.parameters.words()...)
}

func (s setting) equal(t setting) bool { return slices.Equal(s.words(), t.words()) }

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
