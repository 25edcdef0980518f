// Package records holds the hand-written record of each rule beside its entry in the
// catalogue of its engine: its topic, its repair, the text of an explanation, and the
// rules with which it is confused.
//
// Programs that decide do not link this package. Package reasons embeds a copy of the
// texts, which [Texts] makes.
package records

import (
	"bytes"
	_ "embed" // embeds rules.json and releases.json
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/releases"
)

// Written is rules.json in its source form. Its texts have stand-ins for releases, as
// the statements of rules do: {In nan@5.0}. {newest} stands for the newest release.
//
//go:embed rules.json
var Written []byte

//go:embed releases.json
var releasesJSON []byte

// Rules returns rules.json with releases in place of the stand-ins. Package rulebook
// describes the members of rules.json, and package reasons the members of the texts in
// rules.json. The file names a single rule by its identifier, and several rules by a
// pattern of package path.
func Rules() ([]byte, error) {
	var phrases map[string]string
	if err := json.Unmarshal(releasesJSON, &phrases); err != nil {
		return nil, fmt.Errorf("releases.json: %w", err)
	}
	var missing error
	filled := releases.StandIn.ReplaceAllFunc(Written, func(standIn []byte) []byte {
		text, ok := phrases[string(standIn[1:len(standIn)-1])]
		if !ok {
			missing = fmt.Errorf("releases.json has no %s", standIn)
		}
		return []byte(text)
	})
	return filled, missing
}

// Texts returns the content that cmd/judging/reasons/texts.json must have: the texts of
// rules.json by the identifier of the rule, without spaces between the texts.
func Texts() ([]byte, error) {
	rules, err := Rules()
	if err != nil {
		return nil, err
	}
	var file struct{ Texts json.RawMessage }
	if err := json.Unmarshal(rules, &file); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, file.Texts); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
