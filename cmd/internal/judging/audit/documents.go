package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An entry counts the documents that one rule decided about and that hold one kind of
// value.
type entry struct {
	rule policy.Rule
	kind policy.Kind // the kind of the field's value, if the rule is about that kind
	tally
	expired tally // the documents of the entry that have expired
}

func (a *collectionAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	for _, s := range a.sources {
		s.see(doc, w, a.Now)
		a.seeSpellings(s, doc, w)
		a.seeForms(s, doc)
		a.seeElsewhere(s, doc, w)
		for _, d := range s.dated {
			if holdsDate(doc, d.field) {
				d.documents++
			}
		}
	}
	ends := func(s *source) bool { return s.by != nil && s.idle.IsZero() && s.decided.State != policy.Never }
	if slices.ContainsFunc(a.sources, ends) {
		for _, s := range a.sources {
			if !ends(s) {
				s.others++
			}
		}
	}
	a.seeDeadlines(doc, w)
	a.seeDates(doc)
	for _, o := range a.overtakings {
		short, expires := o.short.decided.Deadline()
		own, ownExpires := o.own.decided.Deadline()
		if !expires || !ownExpires {
			continue
		}
		if o.both++; short < own {
			o.early++
		}
	}
	a.seeLosses(doc)
}

func (s *source) see(doc policy.Document, w place, now policy.Instant) {
	var d policy.Decision
	if s.by != nil && s.idle.IsZero() {
		d = s.by.Decide(doc, now)
		s.decided = d
		s.seeDate(d, doc, w)
		kind := policy.Missing // unless the rule is about the kind
		if t := reasons.TextOf(d.Rule); t != nil && t.Lack == reasons.NotDate && t.Holds == "" {
			kind = reasons.KindAt(doc, strings.Split(s.Field, "."))
		}
		i := slices.IndexFunc(s.seen, func(e entry) bool { return e.rule == d.Rule && e.kind == kind })
		if i < 0 {
			i = len(s.seen)
			s.seen = append(s.seen, entry{rule: d.Rule, kind: kind})
		}
		e := &s.seen[i]
		e.add(doc, w)
		if d.State == policy.Expired {
			e.expired.add(doc, w)
		}
	}
	for _, p := range s.passages {
		p.see(d, doc, w, now)
	}
}

func (a *collectionAudit) review(s *source) {
	a.reviewZero(s)
	a.reviewDelayed(s)
	a.reviewMillis(s)
	a.reviewExpired(s)
	if s.by == nil || !s.idle.IsZero() {
		return
	}
	a.reviewDates(s)
	var entries [reasons.NotDate + 1][]entry
	for _, e := range s.seen {
		if e.rule != outsideFilter {
			lack := lackOf(e.rule)
			entries[lack] = append(entries[lack], e)
		}
	}
	others, absent, typed := entries[reasons.NoLack], entries[reasons.Absent], entries[reasons.NotDate]
	switch {
	case len(absent)+len(typed)+len(others) == 0:
		a.report(s, Finding{
			Severity: Keeps, Rule: outsideFilter, Documents: a.documents, Samples: s.seen[0].samples,
			Text: fmt.Sprintf("The partial filter %s takes in none of %s, so nothing expires by this index.",
				clip(catalog.Literal(s.spec.PartialFilterExpression)), cli.Documents(a.documents)),
			Advice:  "If documents should expire, create the index again with a filter that takes them in.",
			Repairs: a.keepRepair(s),
		})
	case len(others) == 0:
		a.report(s, a.dateless(s, slices.Concat(typed, absent)))
	case len(typed) > 0:
		a.report(s, a.mixed(s, typed))
	}
	for _, e := range others {
		t := reasons.TextOf(e.rule)
		if t == nil || t.Documents == "" {
			continue
		}
		text := t.Documents
		if e.documents == 1 {
			text = reasons.ForOne(text)
		}
		a.report(s, Finding{
			Severity: keepsBy(e.rule), Rule: e.rule, Documents: e.documents, Samples: e.samples,
			Text: a.replace(s, strings.ReplaceAll(text, "{n}", cli.Documents(e.documents))),
		})
	}
	a.reviewSpellings(s)
}

// outsideFilter is the rule about documents that a partial filter leaves out.
var outsideFilter = reasons.Rule("mongo.filter-mismatch")

func lackOf(r policy.Rule) reasons.Lack {
	if t := reasons.TextOf(r); t != nil {
		return t.Lack
	}
	return reasons.NoLack
}

func (a *collectionAudit) dateless(s *source, found []entry) Finding {
	f := a.undated(s, found)
	f.Text = fmt.Sprintf("%s holds a Date in none of %s, so nothing expires by it: %s.", cli.Visible(s.Field), cli.Documents(f.Documents), holdings(found))
	isAbsent := !slices.ContainsFunc(found, func(e entry) bool { return lackOf(e.rule) != reasons.Absent })
	n, whole := mongofunc.WholeSeconds(s.Option)
	switch {
	case s.others >= f.Documents && (isAbsent || f.Advice == ""):
		f.Severity = Harmless
		f.Text += " Each of them expires by another index."
	case whole && n == 0 && !s.Option.IsNaN() && isAbsent: // a document that should stay has no such field, or null
		f.Severity = Harmless
		f.Text += " With expireAfterSeconds 0 a document brings its own deadline, or none."
	default:
		f.adviseOn(found)
		a.addElsewhere(s, &f)
	}
	return f
}

// adviseOn adds advice about values in the place of a Date for which there is no update.
func (f *Finding) adviseOn(found []entry) {
	if f.Advice == "" && slices.ContainsFunc(found, func(e entry) bool { return lackOf(e.rule) == reasons.NotDate }) {
		f.Advice = "Find out what writes them, and have it store BSON Dates. No update is printed, because which dates the stored values mean is not plain."
	}
}

// mixed returns the finding about documents without a Date, if other documents have a
// Date.
func (a *collectionAudit) mixed(s *source, found []entry) Finding {
	f := a.undated(s, found)
	verb := "hold something other than a Date in %s, and never expire: %s."
	if f.Documents == 1 {
		verb = "holds something other than a Date in %s, and never expires: %s."
	}
	f.Text = cli.Documents(f.Documents) + " " + fmt.Sprintf(verb, cli.Visible(s.Field), holdings(found))
	f.adviseOn(found)
	return f
}

// undated returns the common part of a finding about documents without a Date. The
// finding has the rule of most of these documents.
func (a *collectionAudit) undated(s *source, found []entry) Finding {
	most := slices.MaxFunc(found, func(x, y entry) int { return cmp.Compare(x.documents, y.documents) })
	f := Finding{Severity: Keeps, Rule: most.rule, Samples: most.samples}
	typed := int64(0)
	for _, e := range found {
		f.Documents += e.documents
		if lackOf(e.rule) == reasons.NotDate {
			typed += e.documents
		}
	}
	f.Repairs, f.Advice = a.convertible(s, typed)
	return f
}

func holdings(found []entry) string {
	slices.SortStableFunc(found, func(x, y entry) int { return cmp.Compare(y.documents, x.documents) })
	var parts []string
	for _, e := range found {
		parts = append(parts, fmt.Sprintf("%s in %s", reasons.Holding(e.rule, e.kind), cli.Number(e.documents)))
	}
	return strings.Join(parts, ", ")
}

func (a *collectionAudit) reviewExpired(s *source) {
	var gone tally
	for _, e := range s.seen {
		gone.documents += e.expired.documents
		gone.samples = append(gone.samples, e.expired.samples...)
	}
	gone.samples = gone.samples[:min(len(gone.samples), maxSamples)]
	for i := range a.findings {
		f := &a.findings[i]
		if f.Index != s.index {
			continue
		}
		switch f.concern {
		case byMove:
			lost := f.passage.crossing.lost
			f.concerns(lost, fmt.Sprintf(" Of %s here, %s there and not %s.", cli.Documents(a.documents), haveExpired(lost.documents), f.passage.origin()))
		case byFilter:
			a.reviewFilter(f)
		case byPolicy:
			f.concerns(gone, fmt.Sprintf(" Of %s here, %s by it.", cli.Documents(a.documents), haveExpired(gone.documents)))
		}
		if f.Rule == reasons.Rule("mongo.seconds-68-years") && gone.documents == 0 {
			f.Severity = Harmless
		}
	}
}

func (f *Finding) concerns(t tally, text string) {
	f.Documents, f.Samples, f.Text = t.documents, t.samples, f.Text+text
}

func haveExpired(n int64) string {
	return countOr("none has expired", n, "has expired", "have expired")
}

func countOr(none string, n int64, one, several string) string {
	if n == 0 {
		return none
	}
	return cli.Count(n, one, several)
}
