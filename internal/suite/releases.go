package suite

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/jsonfile"
)

// A TargetRange is a set of targets: releases of one system, with the settings
// of the account or the server.
type TargetRange struct {
	// System is "mongodb", "cosmos-nosql" or "cosmos-mongo".
	System string `json:"system"`
	// Versions are ranges, such as ">=5.0.0 <5.0.14 || >=6.0.0 <6.0.2"; "*" stands for
	// all releases.
	Versions string `json:"versions,omitempty"`
	// Capabilities are the account's capabilities, for a service whose accounts have
	// capabilities.
	Capabilities []string `json:"capabilities,omitempty"`
	// Parameters are the server parameters that are set.
	Parameters conformance.Parameters `json:"parameters,omitempty"`

	versions versions
	at       jsonfile.Place
}

// Contains reports whether s holds a release, such as "8.0.4". It reports false
// for text that is not a release.
func (s TargetRange) Contains(version string) bool {
	r, err := parseRelease(version)
	return err == nil && s.versions.contains(r)
}

// featureParameters is the feature that a vector with parameters needs: a system
// without it would answer for a server with the defaults.
const featureParameters = "parameters"

// Settings returns the settings of the account or the server that s presumes,
// as [conformance.Target.Settings] does.
func (s TargetRange) Settings() []string {
	return conformance.Target{Capabilities: s.Capabilities, Parameters: s.Parameters}.Settings()
}

// A release is a version of a system: "8.0.4", or "4.2" for a service with two numbers. The
// zero release stands for a system without versions.
type release struct {
	text    string
	numbers [3]int
}

// parseRelease reads a version of two or three numbers.
func parseRelease(s string) (r release, err error) {
	count := 0
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || count == len(r.numbers) || strconv.FormatUint(n, 10) != part {
			return r, fmt.Errorf("version %q is not of the form 8.0.4", s)
		}
		r.numbers[count] = int(n)
		count++
	}
	if count < 2 {
		return r, fmt.Errorf("version %q is not of the form 8.0.4", s)
	}
	r.text = s
	return r, nil
}

func (r release) compare(s release) int { return slices.Compare(r.numbers[:], s.numbers[:]) }

// parseReleases reads a list. Each element is a version, or the first and the
// last patch of a line, "6.0.0-6.0.26". The elements must ascend.
func parseReleases(list []string) (all []release, err error) {
	for _, s := range list {
		first, last, _ := strings.Cut(s, "-")
		line, err := parseLine(first, cmp.Or(last, first))
		if err != nil {
			return nil, err
		}
		if n := len(all); n > 0 && line[0].compare(all[n-1]) <= 0 {
			return nil, fmt.Errorf("version %s is listed after %s", first, all[n-1].text)
		}
		all = append(all, line...)
	}
	return all, nil
}

// parseLine returns the releases of one line from first to last.
func parseLine(first, last string) (line []release, err error) {
	from, err := parseRelease(first)
	if err != nil {
		return nil, err
	}
	to, err := parseRelease(last)
	if err != nil {
		return nil, err
	}
	if from.compare(to) > 0 || from.numbers[0] != to.numbers[0] || from.numbers[1] != to.numbers[1] {
		return nil, fmt.Errorf("versions %s to %s are not of one release line", first, last)
	}
	if from == to {
		return []release{from}, nil
	}
	for n := from.numbers; n[2] <= to.numbers[2]; n[2]++ {
		line = append(line, release{fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2]), n})
	}
	return line, nil
}

// next returns the first release that could come after r.
func (r release) next() release {
	n := r.numbers
	n[2]++
	return release{fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2]), n}
}

// versions is a union of ranges of releases, such as ">=5.0.0 <5.0.14 || >=6.0.0 <6.0.2".
// A version without an operator stands for itself, and "*" for all releases.
type versions struct {
	text  string
	spans []span
}

// A span holds the releases from one release on that are before another. It has no lower
// bound if the first is the zero release, and no upper bound if the second is endless.
type span struct {
	from, before release
	one          bool // before was not named: the span is the release from alone
}

var endless = release{numbers: [3]int{math.MaxInt, 0, 0}}

func parseVersions(s string) (versions, error) {
	all := versions{text: s}
	for part := range strings.SplitSeq(s, "||") {
		part, err := parseSpan(strings.Fields(part))
		if err != nil {
			return versions{}, fmt.Errorf("versions %q: %w", s, err)
		}
		all.spans = append(all.spans, part)
	}
	return all, nil
}

func parseSpan(words []string) (x span, err error) {
	x.before = endless
	if slices.Equal(words, []string{"*"}) {
		return x, nil
	}
	ops := ""
	for _, word := range words {
		op, rest := "1", word // without an operator: one release
		for _, prefix := range []string{">=", "<"} {
			if after, ok := strings.CutPrefix(word, prefix); ok {
				op, rest = prefix, after
			}
		}
		r, err := parseRelease(rest)
		if err != nil {
			return x, err
		}
		ops += op
		switch op {
		case ">=":
			x.from = r
		case "<":
			x.before = r
		default:
			x.from, x.before, x.one = r, r.next(), true
		}
	}
	if ops != ">=" && ops != "<" && ops != "1" && ops != ">=<" || x.from.compare(x.before) >= 0 {
		return x, fmt.Errorf("want %q, %q, %q, a version or %q", ">=A <B", ">=A", "<B", "*")
	}
	return x, nil
}

// contains reports whether r is in one of the ranges.
func (v versions) contains(r release) bool {
	for i := range v.spans {
		if x := &v.spans[i]; slices.Compare(r.numbers[:], x.from.numbers[:]) >= 0 && slices.Compare(r.numbers[:], x.before.numbers[:]) < 0 {
			return true
		}
	}
	return false
}

// named returns the releases that the ranges name.
func (v versions) named() (all []release) {
	for _, x := range v.spans {
		if x.from.text != "" {
			all = append(all, x.from)
		}
		if x.before.text != "" && !x.one {
			all = append(all, x.before)
		}
	}
	return all
}

func (x span) String() string {
	switch {
	case x.from.text == "" && x.before == endless:
		return "*"
	case x.from.text == "":
		return "<" + x.before.text
	case x.before == endless:
		return ">=" + x.from.text
	case x.before.numbers == x.from.next().numbers:
		return x.from.text
	}
	return ">=" + x.from.text + " <" + x.before.text
}

// normal returns the text for the same releases in ascending ranges that neither
// touch nor overlap.
func (v versions) normal() string {
	all := slices.SortedFunc(slices.Values(v.spans), func(a, b span) int { return a.from.compare(b.from) })
	var parts []string
	for i := 0; i < len(all); {
		x := all[i]
		for i++; i < len(all) && all[i].from.compare(x.before) <= 0; i++ {
			if all[i].before.compare(x.before) > 0 {
				x.before = all[i].before
			}
		}
		parts = append(parts, x.String())
	}
	return strings.Join(parts, " || ")
}
