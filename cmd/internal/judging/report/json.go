package report

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// buckets is the maximum number of buckets in JSON and on pages if the user did not
// choose the width.
const buckets = 60

// A reportJSON is the JSON form of a Report, described in docs/forecast-json.md.
type reportJSON struct {
	countsJSON
	Bytes       int64            `json:"bytes"`
	AtOnce      atOnceJSON       `json:"deletedAtOnce"`
	Within      []withinJSON     `json:"within"`
	Load        *load            `json:"load"` // nil if no document expires, or if only a sample was read
	Complete    bool             `json:"complete"`
	Reason      string           `json:"reason,omitempty"`
	Now         cli.Time         `json:"now"`
	WhatIf      []supposedJSON   `json:"whatIf,omitempty"`
	Collections []collectionJSON `json:"collections"`
	Unread      []unreadJSON     `json:"unread"`
}

type unreadJSON struct {
	Name   string   `json:"name"`
	Files  []string `json:"files"`
	Reason string   `json:"reason"`
}

type countsJSON struct {
	Documents int64 `json:"documents"`
	statesJSON
	Bad int64 `json:"bad"`
}

// statesJSON counts documents by their states.
type statesJSON struct {
	Expired int64 `json:"expired"`
	Pending int64 `json:"pending"`
	Never   int64 `json:"never"`
	Unknown int64 `json:"unknown"` // when these documents expire is unknown; no other state has them
}

func statesOf(b forecast.ByState) statesJSON {
	return statesJSON{b.Expired.Documents, b.Pending.Documents, b.Never.Documents, b.Unknown.Documents}
}

// atOnceJSON counts the documents that are deleted at once, and those of which that is
// unknown.
type atOnceJSON struct {
	forecast.Sum
	Unknown forecast.Sum `json:"unknown"`
}

func atOnceOf(t *forecast.Tally) atOnceJSON { return atOnceJSON{t.Expired, t.Unknown} }

type collectionJSON struct {
	Name   string   `json:"name"`
	Files  []string `json:"files"`
	Policy string   `json:"policy"`
	// Assumed reports whether the release of the server is an assumption, because nothing
	// names it.
	Assumed bool     `json:"assumed,omitempty"`
	Notes   []string `json:"notes"`
	countsJSON
	FirstBad  string        `json:"firstBad,omitempty"`
	Error     string        `json:"error,omitempty"`
	Bytes     int64         `json:"bytes"`
	AtOnce    atOnceJSON    `json:"deletedAtOnce"`
	Within    []withinJSON  `json:"within"`
	First     *momentJSON   `json:"firstDeadline"`
	Last      *momentJSON   `json:"lastDeadline"`
	Newest    *momentJSON   `json:"latestExpired"`
	Next      *momentJSON   `json:"nextPending"`
	Sources   []sourceJSON  `json:"sources"`
	Rules     []ruleJSON    `json:"rules"`
	Groups    *groupsJSON   `json:"groups,omitempty"`
	Sample    *sampleJSON   `json:"sample,omitempty"` // nil if all documents were read
	Histogram histogramJSON `json:"histogram"`
	WhatIf    []whatIfJSON  `json:"whatIf,omitempty"`
}

// supposedJSON is the sum of all collections under another time to live.
type supposedJSON struct {
	ExpireAfterSeconds int64 `json:"expireAfterSeconds"`
	countsJSON
	AtOnce atOnceJSON   `json:"deletedAtOnce"`
	Within []withinJSON `json:"within"`
	Load   *load        `json:"load"`
}

// whatIfJSON is the change of a collection to another time to live: the commands, the
// differences of the counts, and the forecast.
type whatIfJSON struct {
	ExpireAfterSeconds int64          `json:"expireAfterSeconds"`
	Items              []change.Item  `json:"items"`
	Changes            []change.Row   `json:"changes"`
	Forecast           collectionJSON `json:"forecast"`
}

// groupsJSON are the counts by the values of a field.
type groupsJSON struct {
	Field  string      `json:"field"`
	Groups []groupJSON `json:"groups"`
	Other  *groupJSON  `json:"other"` // the sum of the values without a group of their own; nil if there are none
}

type groupJSON struct {
	Value     dump.ID `json:"value"` // null if documents have no such field
	Documents int64   `json:"documents"`
	statesJSON
	Bytes int64 `json:"bytes"`
}

func groupOf(g forecast.Group) groupJSON {
	return groupJSON{g.Value, g.Total().Documents, statesOf(g.ByState), g.Total().Bytes}
}

// groupsOf returns the JSON form of the groups; nil if field is "".
func (c Collection) groupsOf(field string) *groupsJSON {
	if field == "" {
		return nil
	}
	out := &groupsJSON{Field: field, Groups: []groupJSON{}}
	for _, g := range c.groups() {
		out.Groups = append(out.Groups, groupOf(g))
	}
	if other := c.Tally.Groups.Other; other.Total().Documents > 0 {
		one := groupOf(other)
		out.Other = &one
	}
	return out
}

// withinJSON counts the documents that expire within Seconds after now.
type withinJSON struct {
	Seconds int64 `json:"seconds"`
	forecast.Sum
}

func withinOf(t *forecast.Tally) (list []withinJSON) {
	for i, h := range forecast.Horizons {
		list = append(list, withinJSON{h.Seconds(), t.Within[i]})
	}
	return list
}

type momentJSON struct {
	cli.Time
	Document dump.Sample `json:"document"`
}

type sourceJSON struct {
	Name    string `json:"name"`
	Field   string `json:"field"`
	About   string `json:"about"`
	Option  any    `json:"expireAfterSeconds"` // a number; nil for a value that is not a finite number
	Expired int64  `json:"expired"`
	Pending int64  `json:"pending"`
}

type ruleJSON struct {
	Rule  string `json:"rule"`
	Why   string `json:"why"`
	Found string `json:"found,omitempty"`
	statesJSON
	Samples []dump.Sample `json:"samples"`
}

type histogramJSON struct {
	Width   string       `json:"width"`
	Before  int64        `json:"before"`
	After   int64        `json:"after"`
	Buckets []bucketJSON `json:"buckets"`
}

type bucketJSON struct {
	Start cli.Time `json:"start"`
	End   cli.Time `json:"end"`
	forecast.Count
}

// JSON returns r encoded in JSON.
func (r Report) JSON() any {
	t := sum(r.Collections)
	out := reportJSON{
		countsJSON: countsOf(t), Bytes: t.Total().Bytes, AtOnce: atOnceOf(t), Within: withinOf(t), Load: r.load(),
		Complete: r.Complete, Reason: r.Reason, Now: cli.TimeOf(r.Now), Collections: []collectionJSON{}, Unread: []unreadJSON{},
	}
	for _, c := range r.Collections {
		out.Collections = append(out.Collections, c.json(r.By))
	}
	for i, v := range r.Views()[1:] {
		t := sum(v.Collections)
		out.WhatIf = append(out.WhatIf, supposedJSON{*v.Seconds, countsOf(t), atOnceOf(t), withinOf(t), v.load()})
		for j, c := range v.Collections {
			w := r.Collections[j].WhatIf[i]
			one := whatIfJSON{*v.Seconds, w.Listed(), change.RowsOf(&r.Collections[j].Tally.Others[i].Effect), c.json(r.By)}
			out.Collections[j].WhatIf = append(out.Collections[j].WhatIf, one)
		}
	}
	for _, u := range r.Unread {
		out.Unread = append(out.Unread, unreadJSON{u.Name, u.Files, u.Reason()})
	}
	return out
}

func countsOf(t *forecast.Tally) countsJSON {
	return countsJSON{t.Total().Documents, statesOf(t.ByState), t.Bad}
}

func (c Collection) json(by string) collectionJSON {
	t := c.Tally
	out := collectionJSON{
		Name: c.Name, Files: c.Files, Policy: c.Policy.Description, Assumed: c.Policy.IsAssumed, Notes: append([]string{}, c.Notes()...),
		countsJSON: countsOf(t), Bytes: t.Total().Bytes, AtOnce: atOnceOf(t), Within: withinOf(t),
		First: momentOf(t.First()), Last: momentOf(t.Last()), Newest: momentOf(t.ExpiredSpan.Last), Next: momentOf(t.PendingSpan.First),
		Groups:  c.groupsOf(by),
		Sample:  c.sample(),
		Sources: []sourceJSON{}, Rules: []ruleJSON{},
	}
	most := buckets
	if t.Histogram.IsGiven() {
		most = forecast.MaxBuckets
	}
	view := t.Histogram.View(most)
	out.Histogram = histogramJSON{view.Width.String(), view.Before.Documents(), view.After.Documents(), []bucketJSON{}}
	for _, b := range view.Buckets {
		out.Histogram.Buckets = append(out.Histogram.Buckets, bucketJSON{cli.TimeOf(b.Start), cli.TimeOf(b.End), b.Count})
	}
	if t.FirstBad != nil {
		out.FirstBad = t.FirstBad.Error()
	}
	if c.Err != nil {
		out.Error = Reason(c.Err)
	}
	for i, s := range c.Policy.Sources {
		one := sourceJSON{Name: s.Name, Field: s.Field, About: s.About}
		if n, ok := s.Option.AsInt64(); ok {
			one.Option = n
		} else if f, ok := s.Option.AsDouble(); ok && !math.IsNaN(f) && !math.IsInf(f, 0) {
			one.Option = f
		}
		if i < len(t.Sources) {
			one.Expired, one.Pending = t.Sources[i].Expired.Documents, t.Sources[i].Pending.Documents
		}
		out.Sources = append(out.Sources, one)
	}
	for _, f := range t.Findings {
		out.Rules = append(out.Rules, c.rule(f))
	}
	return out
}

func (c Collection) rule(f forecast.Finding) ruleJSON {
	out := ruleJSON{Rule: f.Rule.String(), statesJSON: statesOf(f.ByState), Samples: append([]dump.Sample{}, f.Samples...)}
	if !f.Rule.IsZero() {
		out.Why = c.why(f)
	}
	if f.Kind != policy.Missing {
		out.Found = f.Kind.String()
	}
	return out
}

func momentOf(m forecast.Moment) *momentJSON {
	if !m.Known {
		return nil
	}
	return &momentJSON{cli.TimeOf(m.At), m.Sample}
}
