// Package records holds what is written by hand about each rule beside its entry in the
// catalogue of its engine: its topic, its repair, the text of an explanation, and the
// rules that it is confused with.
//
// Programs that decide do not link this package. Package reasons embeds a copy of the
// texts, which [Texts] makes.
package records

import (
	"bytes"
	_ "embed" // of rules.json
	"encoding/json"
)

// Rules is rules.json. Package rulebook says what its members hold, and package reasons
// what those of texts do. Rules are named by identifiers, and by patterns of package path.
//
//go:embed rules.json
var Rules []byte

// Texts returns what internal/reasons/texts.json must hold: the texts of rules.json by
// the identifier of the rule, without spaces between them.
func Texts() ([]byte, error) {
	var file struct{ Texts json.RawMessage }
	if err := json.Unmarshal(Rules, &file); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, file.Texts); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// An Also says that a rule holds for more releases than those in which it decides some
// vector.
type Also struct{ Holds, Decides, Why string }

// AlsoHolds returns alsoHolds of rules.json, by the identifier of the rule.
func AlsoHolds() (map[string]Also, error) {
	var file struct{ AlsoHolds map[string]Also }
	err := json.Unmarshal(Rules, &file)
	return file.AlsoHolds, err
}
