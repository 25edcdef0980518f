//go:build !js

package playground

import (
	"net/url"
	"strings"
)

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
