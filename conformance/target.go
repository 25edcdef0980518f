package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The systems that a question can be about.
const (
	MongoDB     = "mongodb"
	CosmosNoSQL = "cosmos-nosql"
	CosmosMongo = "cosmos-mongo"
	DocumentDB  = "documentdb" // the engine of Azure DocumentDB (vCore) and FerretDB 2
)

// A Target is the database that a question is about.
type Target struct {
	System       string   `json:"system"`
	Version      string   `json:"version,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"`
	// Parameters are the server parameters that are set, of MongoDB.
	Parameters Parameters `json:"parameters,omitempty"`
}

// String returns the target as "mongodb@8.0.4", with "+" before each capability
// and before each parameter, such as "name=true".
func (t Target) String() string {
	s := t.System
	if t.Version != "" {
		s += "@" + t.Version
	}
	for _, word := range t.Settings() {
		s += "+" + word
	}
	return s
}

// Parameters are the server parameters that must be set for a question, by
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
	if len(p) == 0 {
		return nil // most targets have no parameters, and sorting allocates
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		text, err := json.Marshal(p[name])
		if err != nil {
			panic(fmt.Sprintf("conformance: parameter %s: %v", name, err)) // not a bool, number or string
		}
		all = append(all, name+"="+string(text))
	}
	return all
}

// parseWord adds a parameter that words has written. A value that is not JSON
// is a string.
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

// Settings returns the settings of the account or the server that t requires
// beside its release, in words: capabilities, and server parameters as
// "name=true".
func (t Target) Settings() []string {
	return append(slices.Clone(t.Capabilities), t.Parameters.words()...)
}

// ParseTarget reads a target as [Target.String] writes it, such as
// "mongodb@8.0.4", "mongodb@9.0.0+name=true" or
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
