//go:build !js

package playground

import (
	_ "embed" // of examples.json
	"encoding/json"
)

// An Example is a State that the menu of the page offers.
type Example struct {
	Group string `json:"group"`
	Title string `json:"title"`
	// About is the number of the contradiction or gap in docs/disagreements.md that
	// the example shows, "" for a sample of a vendor's page.
	About string `json:"about"`
	State State  `json:"state"`
}

//go:embed examples.json
var examplesText []byte

// Examples are the code samples of the vendors' pages, and questions on which
// those pages disagree. An empty page begins with the first example.
func Examples() (all []Example) {
	if err := json.Unmarshal(examplesText, &all); err != nil {
		panic("examples.json: " + err.Error()) // a test would have found the error
	}
	for i := range all {
		all[i].State = all[i].State.normal()
	}
	return all
}
