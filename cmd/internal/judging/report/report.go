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
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report is a forecast of one or more collections.
type Report struct {
	Now policy.Instant
	// Complete is false if an input was not read to its end, or not read at all. Reason
	// then gives the cause.
	Complete    bool
	Reason      string
	Collections []Collection // in the order of reading
	// Unread lists collections and inputs that could not be read at all.
	Unread []Unread
	// All makes the report show collections without a TTL in the same way as other
	// collections.
	All bool
	// By is the field by whose values the tallies have groups; "" if they have no groups.
	By string
	// Load counts the expiring documents of all collections by the minute.
	Load forecast.Load
	// Seconds are other times to live to compare with the present policy. Loads holds the
	// load under each of them.
	Seconds []int64
	Loads   []forecast.Load
	// DeleteRate is the number of documents that the server deletes in a second; 0 if
	// unknown.
	DeleteRate float64
}

// HasNothing reports whether the report counts no document, read or skipped.
func (r Report) HasNothing() bool {
	t := sum(r.Collections)
	return t.Total().Documents+t.Bad == 0
}

// An Unread is a collection or an input that could not be read at all.
type Unread struct {
	Name  string
	Files []string
	Err   error // the reason
}

// Reason returns the reason in one line.
func (u Unread) Reason() string { return Reason(u.Err) }

// Reason returns the text of err in one line, in the form that reports show.
func Reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return cli.ErrorLine(err)
}

// Skipped returns a sentence about n documents that could not be read.
func Skipped(n int64) string {
	return cli.Count(n, "document could not be read and was skipped", "documents could not be read and were skipped")
}

// A Collection is the forecast of one collection.
type Collection struct {
	Name   string
	Files  []string
	Policy *reasons.Policy
	Tally  *forecast.Tally
	// WhatIf holds the change to each of [Report.Seconds]. Tally.Others counts the
	// documents after each change.
	WhatIf []change.WhatIf
	Sample *Sample // nil if all documents were read
	// Err is the error that ended reading early; nil if everything was read.
	Err error
}

// FilesInShort returns the names of the files; if there are many, only the first and the
// last.
func (c Collection) FilesInShort() string {
	const most = 8
	if len(c.Files) <= most {
		return strings.Join(c.Files, ", ")
	}
	return fmt.Sprintf("%s … %s (%s files)", c.Files[0], c.Files[len(c.Files)-1], cli.Number(int64(len(c.Files))))
}

// A reason is a finding about documents without a deadline, with the number of these
// documents.
type reason struct {
	forecast.Finding
	Documents int64
}

// reasons returns the findings about documents that never expire, the most frequent first.
func (c Collection) reasons() []reason {
	return c.findings(func(f forecast.Finding) int64 { return f.Never.Documents })
}

// unknowns returns the findings about documents of which it is unknown when they expire, the
// most frequent first.
func (c Collection) unknowns() []reason {
	return c.findings(func(f forecast.Finding) int64 { return f.Unknown.Documents })
}

// findings returns the findings for which n is not 0, those with the largest n first.
func (c Collection) findings(n func(forecast.Finding) int64) (list []reason) {
	for _, f := range c.Tally.Findings {
		if n(f) > 0 {
			list = append(list, reason{f, n(f)})
		}
	}
	slices.SortStableFunc(list, func(a, b reason) int { return cmp.Compare(b.Documents, a.Documents) })
	return list
}

// unknownOf returns a clause about unknown documents, to follow a number of deletions; ""
// if there are none.
func unknownOf(s forecast.Sum) string {
	if s.Documents == 0 {
		return ""
	}
	return fmt.Sprintf("; unknown for %s, %s", cli.Documents(s.Documents), cli.Size(s.Bytes))
}

// groups returns the counts by the values of a field. Groups with the most expired
// documents come first.
func (c Collection) groups() []forecast.Group {
	list := slices.Clone(c.Tally.Groups.List)
	slices.SortStableFunc(list, func(a, b forecast.Group) int {
		return cmp.Or(cmp.Compare(b.Expired.Documents, a.Expired.Documents), cmp.Compare(b.Pending.Documents, a.Pending.Documents), cmp.Compare(b.Total().Documents, a.Total().Documents))
	})
	return list
}

// mostGroups is the maximum number of groups in output for people.
const mostGroups = 20

// shownGroups returns rows for the first groups. If there are further groups, a last row
// has their sum and the number of their values.
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

// why returns the reason why the documents of a finding never expire, or why it is unknown
// when they expire, with the source's name if there are several sources.
func (c Collection) why(f forecast.Finding) string {
	source := c.Policy.Source(policy.Decision{Source: f.Source})
	why := reasons.Kept(f.Rule, source, f.Kind)
	if name := c.sourceName(f); name != "" && f.Never.Documents+f.Unknown.Documents > 0 {
		return why + " (" + name + ")"
	}
	return why
}

// sourceName returns the name of a finding's source if there are several sources;
// otherwise "".
func (c Collection) sourceName(f forecast.Finding) string {
	if len(c.Policy.Sources) < 2 || int(f.Source) >= len(c.Policy.Sources) {
		return ""
	}
	return c.Policy.Sources[f.Source].Name
}

// A decider is a rule that gave documents a deadline, with its counts.
type decider struct {
	Name             string
	Expired, Pending forecast.Sum
}

// deciders returns the rules that gave documents a deadline, each with its counts. The
// name of a rule includes the source if the policy has several sources.
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

// instant returns i as text for people. Outside the years 0 to 9999 the text has only the
// year.
func instant(i policy.Instant) string {
	if y := i.Time().Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("the year %d", y)
	}
	return i.String()
}

// percent returns part as a percentage of all.
func percent(part, all int64) string {
	if all == 0 {
		return "–"
	}
	switch f := 100 * float64(part) / float64(all); {
	case part > 0 && f < 0.05:
		return "< 0.1 %" // 0 % is only for no documents
	case part < all && f >= 99.95:
		return "> 99.9 %"
	default:
		return fmt.Sprintf("%.1f %%", f)
	}
}

// span returns the width of a bucket in words.
func span(w forecast.Width) string {
	s := w.String()
	n := strings.TrimRight(s, "smhdwoy")
	noun := map[string]string{"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year"}[s[len(n):]]
	if n == "1" {
		return "1 " + noun
	}
	return n + " " + noun + "s"
}

// label returns the start of a bucket, with the precision that the bucket's width needs.
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
