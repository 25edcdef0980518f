package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An entry counts the documents that one rule decided about, by what it found.
type entry struct {
	rule *policy.Rule
	kind policy.Kind // of what the field holds, for rules about that
	tally
	expired tally // those of them that have expired
}

// see asks each source that may delete what becomes of doc.
func (a *collectionAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	for _, s := range a.sources {
		s.see(doc, w, a.Now)
	}
}

func (s *source) see(doc policy.Document, w place, now policy.Instant) {
	var d policy.Decision
	if s.by != nil && s.idle == nil {
		d = s.by.Decide(doc, now)
		e := s.entry(d, kindFor(d, doc, s.field))
		e.add(doc, w, "_id")
		if d.State == policy.Expired {
			e.expired.add(doc, w, "_id")
		}
	}
	if s.there != nil {
		s.crossing.see(d, s.there.Decide(doc, now), doc, w)
	}
	if s.narrow != nil && d.State != policy.Never && s.narrow.Decide(doc, now).State == policy.Never {
		s.crossing.left++
	}
}

// kindFor returns what the field holds if the rule is about that.
func kindFor(d policy.Decision, doc policy.Document, field string) policy.Kind {
	if !slices.Contains(undated, d.Rule.String()) {
		return policy.Missing
	}
	return kindAt(doc, field)
}

// kindAt returns the kind of what is at a path in doc, or of the first array
// on the way.
func kindAt(doc policy.Document, path string) policy.Kind {
	name, rest, more := strings.Cut(path, ".")
	v := doc.Field(name)
	for more && v.Kind() == policy.Object {
		name, rest, more = strings.Cut(rest, ".")
		v = v.Field(name)
	}
	return v.Kind()
}

func (s *source) entry(d policy.Decision, k policy.Kind) *entry {
	i := slices.IndexFunc(s.seen, func(e entry) bool { return e.rule == d.Rule && e.kind == k })
	if i < 0 {
		i = len(s.seen)
		s.seen = append(s.seen, entry{rule: d.Rule, kind: k})
	}
	return &s.seen[i]
}

// stories say what else documents show. {n} is how many.
var stories = map[string]string{
	"mongo.clustered-before-1970":                 "{n} have a Date before 1970 as _id. The scan of a clustered collection begins at 1970, so they never expire.",
	"mongo.clustered-before-1970-unspecified":     "{n} have a Date before 1970 as _id. Whether {release} deletes them is not established.",
	"mongo.timestamp-unspecified":                 "{n} hold a replication timestamp in {field}. Whether {release} deletes them is not established.",
	"mongo.filter-unspecified":                    "Whether the partial filter takes in {n} is not decided here.",
	"mongo.timeseries-no-time":                    "{n} have no Date in {field}, which a time-series collection cannot hold.",
	"mongo.timeseries-before-2017":                "{n} lie in buckets before 2017-11-28T00:21:29Z, which {release} never visits, so they never expire. 6.0.13, 7.0.5 and 8.0 delete them: look before an upgrade.",
	"mongo.timeseries-before-2017-unspecified":    "{n} lie in buckets before 2017-11-28T00:21:29Z. Whether {release} deletes them is not established.",
	"mongo.timeseries-extended-range":             "{n} lie before 1970 or after 2038. {release} therefore skips the whole time-series collection: nothing expires.",
	"mongo.timeseries-extended-range-unspecified": "{n} lie before 1901-12-13 or after 2106-02-07. What becomes of them in {release} is not established.",
}

// undated are the rules about documents whose field holds something, but no
// Date, in which documents of all types are told of together.
var undated = []string{"mongo.field-not-date", "mongo.clustered-not-date", "mongo.array-nested"}

// absent are the rules about documents with nothing to go by, which is how to
// keep a document on purpose.
var absent = []string{"mongo.field-missing", "mongo.field-null", "mongo.array-empty"}

const outside = "mongo.filter-mismatch"

// review reports what the documents show about s.
func (a *collectionAudit) review(s *source) {
	a.reviewExpired(s)
	if s.by == nil || s.idle != nil {
		return
	}
	var none, typed, others []entry
	for _, e := range s.seen {
		switch id := e.rule.ID; {
		case id == outside:
		case slices.Contains(absent, id):
			none = append(none, e)
		case slices.Contains(undated, id):
			typed = append(typed, e)
		default:
			others = append(others, e)
		}
	}
	switch {
	case len(none)+len(typed)+len(others) == 0:
		a.report(s, a.unmatched(s))
	case len(others) == 0:
		a.report(s, a.dateless(s, slices.Concat(typed, none)))
	case len(typed) > 0:
		a.report(s, a.mixed(s, typed))
	}
	for _, e := range others {
		if story, ok := stories[e.rule.ID]; ok {
			a.report(s, a.told(s, e, story))
		}
	}
}

// unmatched is the finding about a partial filter without documents.
func (a *collectionAudit) unmatched(s *source) Finding {
	filter := clip(cli.Visible(relaxed(s.spec.PartialFilterExpression)))
	return Finding{
		Severity: Keeps, Rule: catalogue[outside], Documents: a.documents, Samples: s.seen[0].samples,
		Text:    fmt.Sprintf("The partial filter %s takes in none of %s, so nothing expires by this index.", filter, cli.Documents(a.documents)),
		Advice:  "If documents should expire, create the index again with a filter that takes them in.",
		Repairs: present([]Repair{a.repair("keep every document", a.keeping(s))}),
	}
}

// dateless is the finding about a field that holds a Date nowhere.
func (a *collectionAudit) dateless(s *source, found []entry) Finding {
	f := a.undated(found)
	f.Text = fmt.Sprintf("%s holds a Date in none of %s, so nothing expires by it: %s.", cli.Visible(s.field), cli.Documents(f.Documents), holdings(found))
	return f
}

// mixed is the finding about documents among others that hold no Date.
func (a *collectionAudit) mixed(s *source, found []entry) Finding {
	f := a.undated(found)
	verb := "hold something other than a Date in %s, and never expire: %s."
	if f.Documents == 1 {
		verb = "holds something other than a Date in %s, and never expires: %s."
	}
	f.Text = cli.Documents(f.Documents) + " " + fmt.Sprintf(verb, cli.Visible(s.field), holdings(found))
	return f
}

// undated begins a finding about documents without a Date. Its rule is that of
// most of them.
func (a *collectionAudit) undated(found []entry) Finding {
	most := slices.MaxFunc(found, func(x, y entry) int { return cmp.Compare(x.documents, y.documents) })
	f := Finding{Severity: Keeps, Rule: most.rule, Samples: most.samples}
	for _, e := range found {
		f.Documents += e.documents
		if e.kind == policy.String {
			f.Advice = "Store BSON Dates; $toDate in an update with a pipeline turns text into them."
		}
	}
	return f
}

// holdings says what was found in place of Dates, the most frequent first.
func holdings(found []entry) string {
	slices.SortStableFunc(found, func(x, y entry) int { return cmp.Compare(y.documents, x.documents) })
	var parts []string
	for i := range found {
		parts = append(parts, fmt.Sprintf("%s in %s", found[i].holds(), cli.Number(found[i].documents)))
	}
	return strings.Join(parts, ", ")
}

// holds says what was found where a Date should be.
func (e *entry) holds() string {
	switch e.rule.ID {
	case "mongo.field-missing":
		return "missing"
	case "mongo.field-null":
		return "null"
	case "mongo.array-empty":
		return "an empty array"
	case "mongo.array-nested":
		return "an array inside an array"
	}
	if e.kind == policy.List {
		return "an array without a Date"
	}
	return cli.KindName(e.kind)
}

// told is the finding about documents that a story is about.
func (a *collectionAudit) told(s *source, e entry, story string) Finding {
	f := Finding{Severity: Keeps, Rule: e.rule, Documents: e.documents, Samples: e.samples}
	if e.rule.IsOpen() {
		f.Severity = Unspecified
	}
	if e.documents == 1 {
		story = singular.Replace(story)
	}
	f.Text = a.replace(s, strings.ReplaceAll(story, "{n}", cli.Documents(e.documents)))
	return f
}

// singular makes a story one of a single document.
var singular = strings.NewReplacer(
	"{n} hold ", "{n} holds ", "{n} have ", "{n} has ", "{n} lie ", "{n} lies ", "they never expire", "it never expires", "deletes them", "deletes it",
)

// reviewExpired adds to the findings that speak of deleting how many documents
// are concerned.
func (a *collectionAudit) reviewExpired(s *source) {
	var gone tally
	for _, e := range s.seen {
		gone.documents += e.expired.documents
		gone.samples = append(gone.samples, e.expired.samples...)
	}
	gone.samples = gone.samples[:min(len(gone.samples), maxSamples)]
	for i := range a.findings {
		f := &a.findings[i]
		switch {
		case f.Index != s.index:
		case f.concern == byMove:
			lost := s.crossing.lost
			f.concerns(lost, fmt.Sprintf(" Of %s here, %s there and not here.", cli.Documents(a.documents), haveExpired(lost.documents)))
		case f.concern == byFilter:
			a.reviewFilter(s, f)
		case f.concern == byPolicy:
			f.concerns(gone, fmt.Sprintf(" Of %s here, %s by it.", cli.Documents(a.documents), haveExpired(gone.documents)))
		}
		if f.Index == s.index && f.Rule.ID == "mongo.seconds-68-years" && gone.documents == 0 {
			f.Severity = Harmless
		}
	}
}

func (f *Finding) concerns(t tally, text string) {
	f.Documents, f.Samples, f.Text = t.documents, t.samples, f.Text+text
}

func haveExpired(n int64) string {
	switch n {
	case 0:
		return "none has expired"
	case 1:
		return "1 has expired"
	}
	return cli.Number(n) + " have expired"
}

// relaxed writes a filter for people.
func relaxed(v policy.Value) string {
	text, ok := mongosh.Literal(v)
	if !ok {
		return v.String()
	}
	return text
}
