// Package reasons explains why a document expires, or does not: which of a policy's TTL
// sources decided, by which rule, after which other rules, and from which of the
// document's dates. The tool, the pages and the playground show these explanations, and
// compute none of their own.
//
// A program of yours calls [CompileMongoDB] or [CompileContainer], then [Of] for each
// document. [Explanation.Sentence] says in words what happens to the document and why,
// [Explanation.Ladder] has the rules that were consulted, and [Explanation.Elsewhere] the
// document's other dates.
//
// Experimental: these names may change in a minor release. Most other functions serve the
// pages of this repository.
package reasons

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Explanation explains the state of one document at one instant.
type Explanation struct {
	Now      policy.Instant
	Policy   *Policy
	Decision policy.Decision
	Source   Source           // the index or setting that decided
	Ladder   []policy.Rule    // the rules consulted, see Applies; the last one decided
	Dates    []policy.Instant // dates of the document at the path of Source, ascending
	Each     []Each           // the answer that each source would give alone
	// Elsewhere are the paths of Dates in a document of MongoDB that has none at the path
	// of Source. They are in the document's order, at most maxElsewhere.
	Elsewhere []string
	Found     policy.Kind  // kind of the value in the field that the rule reads
	stamp     policy.Value // the document's _ts
	broken    bool         // the document expires because an array ends a path of the filter early
	sorts     bool         // a replication timestamp in the document sorts among the Dates
}

// Each is the answer of one source.
type Each struct {
	Source   Source
	Decision policy.Decision
	Dates    []policy.Instant // dates of the document at the path of Source, ascending
}

// Outcome is the state by [StateOf], with the deadline if there is one.
func (e Each) Outcome() string {
	if deadline, ok := e.Decision.Deadline(); ok {
		return e.Decision.State.String() + " " + deadline.String()
	}
	return StateOf(e.Decision)
}

// State returns the name of the decision's state, by [StateOf].
func (e Explanation) State() string { return StateOf(e.Decision) }

// Of explains the decision of p about doc at now. Pass a [policy.JSON] by its
// pointer, because the evaluators of Azure Cosmos DB read its text.
func Of(p *Policy, doc policy.Document, now policy.Instant) Explanation {
	d, value := p.Decide(doc, now), policy.ObjectValue(doc)
	e := Explanation{Now: now, Policy: p, Decision: d, Source: p.Source(d), Ladder: p.Consulted(d), stamp: value.Field("_ts")}
	if e.broken = p.isByNullPath(d, doc, now); e.broken {
		asked := slices.Index(e.Ladder, Rule("mongo.filter-mismatch"))
		e.Ladder = slices.Insert(slices.Clone(e.Ladder), asked+1, nullPath())
	}
	for i, source := range p.Sources {
		by := p.Evaluator
		if len(p.Alone) > 0 {
			by = p.Alone[i]
			d = by.Decide(doc, now)
		}
		dates, timestamps := datesFor(p.System, source.Field, value), []policy.Instant(nil)
		if slices.Contains(by.Consulted(d), timestampSorts()) {
			timestamps = instantsAt(value, source.Field, instantOfTimestamp)
			dates = ascending(append(dates, timestamps...))
		}
		e.Each = append(e.Each, Each{source, d, dates})
		if i == int(e.Decision.Source) {
			e.Dates, e.sorts = dates, len(timestamps) > 0
		}
	}
	if field := fieldOf(e.Decision.Rule, e.Source); field != "" {
		e.Found = KindAt(doc, strings.Split(field, "."))
		if p.System == definition.MongoDB && field == e.Source.Field && e.Decision.State == policy.Never && len(e.Dates) == 0 {
			e.Elsewhere = DatePaths(value, true)
		}
	}
	return e
}

// Bounds of a search for Dates: paths returned, fields visited, and levels of documents.
const (
	maxElsewhere = 5
	maxLooked    = 1000
	maxLevels    = 8
)

// DatePaths returns the paths of Dates in a document and its subdocuments. On request it
// searches arrays too, with [] for any position, as in items[].at.
func DatePaths(doc policy.Value, inArrays bool) (paths []string) {
	looked := 0
	var look func(v policy.Value, path string, level int)
	isOver := func() bool { return looked >= maxLooked || len(paths) >= maxElsewhere }
	look = func(v policy.Value, path string, level int) {
		switch kind := v.Kind(); {
		case kind == policy.Date && !slices.Contains(paths, path):
			paths = append(paths, path)
		case level > maxLevels:
		case kind == policy.Object:
			if path != "" {
				path += "."
			}
			for f := v.Fields(); !isOver() && f.Next(); looked++ {
				look(f.Value(), path+f.Name(), level+1)
			}
		case kind == policy.List && inArrays:
			for e := v.Elements(); !isOver() && e.Next(); looked++ {
				look(e.Value(), path+"[]", level+1)
			}
		}
	}
	look(doc, "", 0)
	return paths
}

// Applies reports whether a rule of the ladder applies to this document. The rule
// that decided applies. Three rules before it may apply: expireAfterSeconds is read
// as 0, null matches a broken path, and a replication timestamp is a date. The
// other rules were consulted without effect.
func (e Explanation) Applies(r policy.Rule) bool {
	return r == e.Decision.Rule || r.ID() == e.Source.ZeroBy || e.broken && r == nullPath() ||
		e.sorts && r == timestampSorts() || e.Source.Wraps && r == wrap() || e.Source.Unfiltered && r == unfiltered()
}

// A DocumentError is about a fault in a document as it was typed or exported.
type DocumentError struct {
	Field  string // the path of the field in question
	Reason string
}

// Error returns the field and the reason.
func (e *DocumentError) Error() string { return e.Field + " " + e.Reason }

// Check returns a [*DocumentError] if the document lacks the _ts that its time to live
// counts from. The service sets _ts on every item. Only a typed or exported item may lack
// it, and then Decision is not about a stored item.
func (e Explanation) Check() error {
	if !IsUnknown(e.Decision.Rule) {
		return nil
	}
	what := "is missing"
	if !e.stamp.IsMissing() {
		what = fmt.Sprintf("is no whole number (%s)", e.stamp.Kind())
	}
	return &DocumentError{"_ts", fmt.Sprintf("%s, so when this expires is unknown: the time to live counts from _ts, the second of the last write, which the service sets on each item. Add it, such as \"_ts\": %d", what, max(int64(e.Now)/1000, 1))}
}

// Start returns the date from which the deadline counts: the earliest date in the field,
// because the earliest deadline decides. It reports false if there is no deadline, or if
// no date is at or before the deadline.
func (e Explanation) Start() (policy.Instant, bool) { return start(e.Decision, e.Dates) }

// Start is [Explanation.Start] for one source.
func (e Each) Start() (policy.Instant, bool) { return start(e.Decision, e.Dates) }

func start(d policy.Decision, dates []policy.Instant) (policy.Instant, bool) {
	deadline, ok := d.Deadline()
	if !ok || len(dates) == 0 || dates[0] > deadline {
		return 0, false
	}
	return dates[0], true
}

// maxDates bounds the dates of one document that are collected.
const maxDates = 100

// datesFor returns the instants that a document holds at a dotted path, in ascending order.
// They are for sentences and pictures: the evaluator has its own reading of the document.
func datesFor(system, path string, doc policy.Value) []policy.Instant {
	switch {
	case path == "":
		return nil
	case path == "_ts", system == definition.CosmosNoSQL:
		return secondsAt(doc, path)
	}
	return instantsAt(doc, path, policy.Value.AsDate)
}

// timestampSorts is the rule by which a replication timestamp is a date up to 2.6.
func timestampSorts() policy.Rule { return Rule("mongo.timestamp-sorts") }

// instantOfTimestamp returns the instant to which the rule timestampSorts converts a
// replication timestamp: its 64 bits count milliseconds.
func instantOfTimestamp(v policy.Value) (policy.Instant, bool) {
	seconds, ordinal, ok := v.AsTimestamp()
	return policy.Instant(min(uint64(seconds)<<32|uint64(ordinal), math.MaxInt64)), ok
}

// instantsAt returns the instants of the values at a path, also through arrays, in ascending
// order.
func instantsAt(v policy.Value, path string, read func(policy.Value) (policy.Instant, bool)) []policy.Instant {
	c := collector{read: read}
	c.collect(v, strings.Split(path, "."))
	return ascending(c.found)
}

func ascending(instants []policy.Instant) []policy.Instant {
	slices.Sort(instants)
	return slices.Compact(instants)
}

// A collector collects at most maxDates instants.
type collector struct {
	read  func(policy.Value) (policy.Instant, bool)
	found []policy.Instant
}

func (c *collector) collect(v policy.Value, path []string) {
	switch at, ok := c.read(v); {
	case len(c.found) == maxDates:
	case v.Kind() == policy.List:
		c.collectElements(v, path)
	case len(path) > 0 && v.Kind() == policy.Object:
		c.collect(v.Field(path[0]), path[1:])
	case len(path) == 0 && ok:
		c.found = append(c.found, at)
	}
}

func (c *collector) collectElements(v policy.Value, path []string) {
	position := -1
	if len(path) > 0 {
		if n, err := strconv.Atoi(path[0]); err == nil {
			position = n
		}
	}
	i := 0
	for e := v.Elements(); e.Next(); i++ {
		switch {
		case position == i:
			c.collect(e.Value(), path[1:])
		case e.Value().Kind() != policy.List:
			c.collect(e.Value(), path)
		}
	}
}

// secondsAt returns the instant at a path of an item of Cosmos DB, where a number counts
// seconds.
func secondsAt(v policy.Value, path string) []policy.Instant {
	for name := range strings.SplitSeq(path, ".") {
		v = v.Field(name)
	}
	if sec, ok := v.AsInt64(); ok {
		if at, ok := valuefunc.InstantOfUnix(sec); ok {
			return []policy.Instant{at}
		}
	}
	return nil
}
