package rulebook

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
)

// A Behaviour is a behaviour in which releases of MongoDB differ.
type Behaviour struct {
	citations.Behaviour
	Rules   []*Page
	Changes []Change
}

// A Change is a release that changes a behaviour.
type Change struct {
	citations.Boundary
	Before, First End // the last release without the change, and the first with it
}

// An End is the place where one side of a change was read; the zero End if it
// was not read.
type End struct {
	Text string // "r3.2.22 ttl.cpp:205"
	URL  string
	// Unread names the releases between this release and the change, such as "3.4.22 and
	// later in 3.4"; "" if there are none.
	Unread string
}

// behaviours reads the behaviours of testdata/boundaries. The records name the behaviours
// that shape each rule. A name without a dot, such as "namespaces", stands for all
// behaviours whose names begin with it and a dot. Some behaviours shape no rule, and only
// how ttl counts on a server.
func (b *Book) behaviours(shaping map[string][]string) {
	list := releases.List(b.suite.Releases(conformance.MongoDB))
	for _, from := range citations.Boundaries() {
		behaviour := &Behaviour{Behaviour: from}
		for _, c := range from.Boundaries {
			change := Change{c, endOf(c.Before), endOf(c.First)}
			if i := list.First(c.Since); i > 0 && c.Inferred == "" {
				change.Before.Unread = unread(list, c.Before, i-1)
			}
			behaviour.Changes = append(behaviour.Changes, change)
		}
		group, _, _ := strings.Cut(from.Name, ".")
		for p := range b.Pages() {
			if names := shaping[p.ID()]; slices.Contains(names, from.Name) || slices.Contains(names, group) {
				behaviour.Rules = append(behaviour.Rules, p)
				p.Behaviours = append(p.Behaviours, behaviour)
			}
		}
		b.Behaviours = append(b.Behaviours, behaviour)
	}
}

func endOf(text string) End {
	p, ok := citations.ParsePlace(text)
	if !ok {
		return End{}
	}
	return End{Text: fmt.Sprintf("%s %s:%d", p.Version(), path.Base(p.Path), p.Line), URL: p.ServerLink()}
}

// unread names the releases after the release of a place, up to and including t[last].
func unread(t releases.List, place string, last int) string {
	tag, _, _ := strings.Cut(place, " ")
	i := slices.Index(t, strings.TrimPrefix(tag, "r"))
	if i < 0 || i >= last {
		return ""
	}
	return t.SpanText(i+1, last)
}

// Changes counts the changes of [Book.Lines]: all, those with both ends read, and those
// with an inferred end.
func (b *Book) Changes() (n struct{ All, Read, Inferred int }) {
	for _, line := range b.Lines() {
		for _, c := range line.Changes {
			n.All++
			if c.Inferred == "" {
				n.Read++
			} else {
				n.Inferred++
			}
		}
	}
	return n
}

// A LineOfReleases holds the changes that begin in one line of releases, such as
// 8.0.
type LineOfReleases struct {
	Name    string
	Changes []ChangeOf // the newest first
}

// A ChangeOf is a change with its behaviour.
type ChangeOf struct {
	Behaviour *Behaviour
	Change
}

// Lines returns the changes of all behaviours of the server, by line of releases, the
// newest first. It leaves out behaviours that concern only ttl.
func (b *Book) Lines() (all []LineOfReleases) {
	changes := map[string][]ChangeOf{}
	for _, behaviour := range b.Behaviours {
		if behaviour.isOfTool() {
			continue
		}
		for _, c := range behaviour.Changes {
			line := releases.LineOf(c.Since)
			changes[line] = append(changes[line], ChangeOf{behaviour, c})
		}
	}
	for line, of := range changes {
		slices.SortStableFunc(of, func(x, y ChangeOf) int { return citations.CompareReleases(y.Since, x.Since) })
		all = append(all, LineOfReleases{line, of})
	}
	slices.SortFunc(all, func(x, y LineOfReleases) int { return citations.CompareReleases(y.Name, x.Name) })
	return all
}

// Few returns the first rules that the behaviour shapes.
func (b *Behaviour) Few() []*Page { return b.Rules[:min(2, len(b.Rules))] }

// isOfTool reports whether a behaviour concerns only how ttl counts on a server.
func (b *Behaviour) isOfTool() bool {
	return strings.HasSuffix(b.About, "by which ttl counts on a server.")
}

// UnreadBefore is the oldest line of releases in which a file that p cites was read, if p
// claims that the rule holds for older lines. If no cited file was read at a release,
// UnreadBefore is "all". If p claims no older line, if the rule is only inferred, and for
// Azure Cosmos DB, it is "".
func (p *Page) UnreadBefore() string {
	if engine.Rank(p.Confidence()) <= engine.Rank(engine.Inferred) || p.Engine.Slug != "mongodb" {
		return ""
	}
	switch read := p.read(); {
	case read == nil:
		return "all"
	case citations.CompareReleases(p.oldest(), slices.MinFunc(read, citations.CompareReleases)) < 0:
		return slices.MinFunc(read, citations.CompareReleases)
	}
	return ""
}

// Unread returns a sentence that explains UnreadBefore; "" if UnreadBefore is "".
func (p *Page) Unread() string {
	switch before := p.UnreadBefore(); before {
	case "":
		return ""
	case "all":
		return "The cited files were not read at a release, so the releases of the rule are inferred."
	default:
		return "The cited sources begin with release " + before + ". For earlier releases the rule is inferred."
	}
}

// read returns the lines of releases in which a source of p was read.
func (p *Page) read() (lines []string) {
	for _, c := range p.Citations() {
		source := citations.Of(c)
		for _, pin := range source.Pins {
			// A test of another repository is evidence for the releases on which it runs.
			from := cmp.Or(pin.From, lineName().FindString(source.Versions))
			if from != "" && !pin.Unread {
				lines = append(lines, releases.LineOf(from))
			}
		}
	}
	for _, behaviour := range p.Behaviours {
		for _, c := range behaviour.Boundaries {
			for _, text := range []string{c.Before, c.First} {
				if tag := tagged().FindStringSubmatch(text); tag != nil {
					lines = append(lines, tag[1])
				}
			}
		}
	}
	return lines
}

// tagged finds the line of releases in a place.
var tagged = pattern.Lazy(`^r(\d+\.\d+)\.`)

// oldest is the line of the first release for which the rule is said to hold.
func (p *Page) oldest() string {
	for _, row := range p.VersionRows {
		for i, release := range row.releases {
			if row.System == systems[conformance.MongoDB] && row.supports[i] != DoesNotHold {
				return releases.LineOf(release)
			}
		}
	}
	if found := lineName().FindAllString(p.Versions(), -1); found != nil && !strings.Contains(p.Versions(), "up to") {
		return slices.MinFunc(found, citations.CompareReleases)
	}
	return "2.2"
}

// lineName finds lines of releases in a text.
var lineName = pattern.Lazy(`\d+\.\d+`)
