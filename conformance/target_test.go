package conformance

import (
	"encoding/json"
	"maps"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for _, text := range []string{"mongodb@8.0.4", "cosmos-nosql", "cosmos-mongo@4.2+EnableTtlOnCustomPath", "cosmos-mongo@4.2+A+B",
		"mongodb@9.0.0+a=true", `mongodb@9.0.0+a=false+b=1.5+c="x"`} {
		if got := ParseTarget(text).String(); got != text {
			t.Errorf("ParseTarget(%s) = %s", text, got)
		}
	}
}

// TestParameters: a parameter keeps the type of its value in a target's text, and a value
// of an invalid type is an error.
func TestParameters(t *testing.T) {
	want := Parameters{"a": true, "b": 2.0, "c": "x", "d": "true"}
	if got := ParseTarget(Target{System: MongoDB, Parameters: want}.String()).Parameters; !maps.Equal(got, want) {
		t.Errorf("from a target's text: %v, want %v", got, want)
	}
	if got := ParseTarget("mongodb@9.0.0+a=on").Parameters["a"]; got != "on" {
		t.Errorf("a word that is no JSON is %v, want the string", got)
	}
	for _, text := range []string{`{"a":null}`, `{"a":[true]}`, `{"a":{}}`, `[true]`, `true`} {
		var p Parameters
		if json.Unmarshal([]byte(text), &p) == nil || p != nil {
			t.Errorf("%s is read as %v, want an error", text, p)
		}
	}
}
