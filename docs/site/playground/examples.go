//go:build !js

package playground

import (
	_ "embed" // of examples.json
	"encoding/json"
	"net/url"
	"strings"
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

// The script of the page writes and reads links itself, so the WebAssembly program need not
// hold package net/url. A test in package browser compares the script with this file.

// Fragment returns s as the fragment of a link, without the #.
func (s State) Fragment() string {
	v := url.Values{}
	set := func(name, text string) {
		if text != "" {
			v.Set(name, text)
		}
	}
	set("s", s.System)
	set("v", s.Release)
	if s.CustomPath {
		v.Set("c", "1")
	}
	if s.LegacyNull {
		v.Set("l", "1")
	}
	set("p", s.Policy)
	set("d", s.Document)
	set("n", s.Now)
	set("w", s.Written)
	return strings.ReplaceAll(v.Encode(), "+", "%20") // programs that pass links on handle this form better
}

// ParseFragment returns the State of a link. It reports false for a fragment that holds
// no State, such as the fragment of a heading.
func ParseFragment(fragment string) (State, bool) {
	v, err := url.ParseQuery(fragment)
	if err != nil || !v.Has("p") && !v.Has("d") {
		return State{}, false
	}
	return State{System: v.Get("s"), Release: v.Get("v"), CustomPath: v.Get("c") == "1", LegacyNull: v.Get("l") == "1",
		Policy: v.Get("p"), Document: v.Get("d"), Now: v.Get("n"), Written: v.Get("w")}.normal(), true
}
