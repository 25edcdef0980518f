// Package report shows a forecast: as text for a terminal, as JSON and CSV for
// programs, and as an HTML page with pictures.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report is a forecast of one or more collections.
type Report struct {
	Now policy.Instant
	// Complete is false if an input was not read to its end, or not read at all. Reason
	// then says why.
	Complete    bool
	Reason      string
	Collections []Collection // in the order in which they were read
	// Unread lists collections and inputs that could not be read at all.
	Unread []Unread
	// All shows collections without a TTL like the others.
	All bool
	// By is the field of the tallies' groups; "" for none.
	By string
	// Load counts the expiring documents of all collections by the minute.
	Load forecast.Load
	// Seconds are other times to live that are compared with the present policy, and Loads
	// is the load by each of them.
	Seconds []int64
	Loads   []forecast.Load
	// DeleteRate is the number of documents deleted a second; 0 if it is not known.
	DeleteRate float64
}

// HasNothing reports whether no document was read or skipped.
func (r Report) HasNothing() bool {
	t := sum(r.Collections)
	return t.Total().Documents+t.Bad == 0
}

// An Unread is a collection or an input that could not be read at all.
type Unread struct {
	Name  string
	Files []string
	Err   error // why
}

// Reason returns the reason in a line.
func (u Unread) Reason() string { return Reason(u.Err) }

// Reason returns the text of err in one line, as reports show it.
func Reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return cli.ErrorLine(err)
}

// Skipped returns the sentence which says that n documents could not be read.
func Skipped(n int64) string {
	return cli.Count(n, "document could not be read and was skipped", "documents could not be read and were skipped")
}

// A Collection is the forecast of one collection.
type Collection struct {
	Name   string
	Files  []string
	Policy *reasons.Policy
	Tally  *forecast.Tally
	// WhatIf is the change to each of [Report.Seconds]; Tally.Others counts the
	// documents by each.
	WhatIf []change.WhatIf
	Sample *Sample // nil if all documents were read
	// Err is the error that ended reading early; nil if everything was read.
	Err error
}

// FilesInShort names the files, the first and the last of many.
func (c Collection) FilesInShort() string {
	const most = 8
	if len(c.Files) <= most {
		return strings.Join(c.Files, ", ")
	}
	return fmt.Sprintf("%s … %s (%s files)", c.Files[0], c.Files[len(c.Files)-1], cli.Number(int64(len(c.Files))))
}

// reasons returns the findings about documents that never expire, the most
// frequent first.
func (c Collection) reasons() []forecast.Finding {
	var list []forecast.Finding
	for _, f := range c.Tally.Findings {
		if f.Never.Documents > 0 {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b forecast.Finding) int {
		return cmp.Compare(b.Never.Documents, a.Never.Documents)
	})
	return list
}

// groups returns the counts by the values of a field, with the groups that lose most first.
func (c Collection) groups() []forecast.Group {
	list := slices.Clone(c.Tally.Groups.List)
	slices.SortStableFunc(list, func(a, b forecast.Group) int {
		return cmp.Or(cmp.Compare(b.Expired.Documents, a.Expired.Documents), cmp.Compare(b.Pending.Documents, a.Pending.Documents), cmp.Compare(b.Total().Documents, a.Total().Documents))
	})
	return list
}

// mostGroups is the maximum number of groups in output for people.
const mostGroups = 20

// shownGroups returns the first of the groups, and if there are others, their sum
// and the number of their values.
func (c Collection) shownGroups() (list []groupRow) {
	all := c.groups()
	rest, more := c.Tally.Groups.Other, ""
	for i, g := range all {
		if i < mostGroups {
			list = append(list, groupRow{valueInWords(g.Value), g})
			continue
		}
		rest.Add(g.ByState)
	}
	switch {
	case c.Tally.Groups.Other.Total().Documents > 0:
		more = fmt.Sprintf("other (more than %d values)", forecast.MaxGroups-mostGroups)
	case len(all) > mostGroups:
		more = fmt.Sprintf("other (%d values)", len(all)-mostGroups)
	}
	if more != "" {
		list = append(list, groupRow{more, rest})
	}
	return list
}

// A groupRow is a group with its value in words.
type groupRow struct {
	Name string
	forecast.Group
}

func valueInWords(v dump.ID) string {
	if v == "" {
		return "(no such field)"
	}
	return v.Short()
}

// why returns words that say why the documents of a finding never expire, and
// by which source if there are several.
func (c Collection) why(f forecast.Finding) string {
	source := c.Policy.Source(policy.Decision{Source: uint8(f.Source)})
	why := reasons.Kept(f.Rule, source, f.Kind)
	if name := c.sourceName(f); name != "" && f.Never.Documents > 0 {
		return why + " (" + name + ")"
	}
	return why
}

// sourceName returns the name of the source of a finding if there are several.
func (c Collection) sourceName(f forecast.Finding) string {
	if len(c.Policy.Sources) < 2 || f.Source >= len(c.Policy.Sources) {
		return ""
	}
	return c.Policy.Sources[f.Source].Name
}

// A decider is a source or a rule that gives documents a deadline.
type decider struct {
	Name             string
	Expired, Pending forecast.Sum
}

// deciders returns the sources, or the rules if one source decides by several,
// with the counts of each.
func (c Collection) deciders() []decider {
	var list []decider
	for _, f := range c.Tally.Findings {
		if f.Expired.Documents+f.Pending.Documents == 0 {
			continue
		}
		name := f.Rule.String()
		if source := c.sourceName(f); source != "" {
			name = source + ", " + name
		}
		list = append(list, decider{name, f.Expired, f.Pending})
	}
	slices.SortStableFunc(list, func(a, b decider) int {
		return cmp.Compare(b.Expired.Documents+b.Pending.Documents, a.Expired.Documents+a.Pending.Documents)
	})
	return list
}

// instant writes i for people, even beyond the years of timestamps.
func instant(i policy.Instant) string {
	if y := i.Time().Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("the year %d", y)
	}
	return i.String()
}

// percent writes part of all.
func percent(part, all int64) string {
	if all == 0 {
		return "–"
	}
	switch f := 100 * float64(part) / float64(all); {
	case part > 0 && f < 0.05:
		return "< 0.1 %" // some documents are not 0 %
	case part < all && f >= 99.95:
		return "> 99.9 %"
	default:
		return fmt.Sprintf("%.1f %%", f)
	}
}

// span writes the width of a bucket in words.
func span(w forecast.Width) string {
	s := w.String()
	n := strings.TrimRight(s, "smhdwoy")
	noun := map[string]string{"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year"}[s[len(n):]]
	if n == "1" {
		return "1 " + noun
	}
	return n + " " + noun + "s"
}

// label names a bucket by its start, as finely as its width needs.
func label(v forecast.View, b forecast.Bucket) string {
	t := b.Start.Time()
	switch {
	case v.Width.Months()%12 == 0 && v.Width.Months() > 0:
		return t.Format("2006")
	case v.Width.Months() > 0:
		return t.Format("2006-01")
	case v.Width.Days():
		return t.Format("2006-01-02")
	case b.Start%60_000 == 0 && b.End%60_000 == 0:
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("2006-01-02 15:04:05")
}
