package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A datedField is a field that belongs to no source, with counts of the documents that
// hold a Date in it.
type datedField struct {
	field string
	tally
	past   int64 // the documents whose dates are past
	met    bool
	repair []Repair
}

// meet sets the repair at the first document that holds a Date in the field. Earlier
// documents hold no such Date, so the repair deletes none of them.
func (f *datedField) meet(repair func() []Repair) {
	if !f.met {
		f.met, f.repair = true, repair()
	}
}

// lookForSpellings records other spellings of the field of each index that deletes.
func (a *collectionAudit) lookForSpellings() {
	for _, s := range a.sources {
		if !s.isOrdinary() {
			continue
		}
		for _, name := range spellings(s.Field) {
			if !a.isLookedAt(name) {
				s.spelled = append(s.spelled, &datedField{field: name})
			}
		}
	}
}

// isLookedAt reports whether a TTL index or option depends on a field.
func (a *collectionAudit) isLookedAt(field string) bool {
	return slices.ContainsFunc(a.sources, func(s *source) bool {
		return s.Field == field || slices.ContainsFunc(s.spec.Key, func(e policy.E) bool { return e.Key == field })
	})
}

// spellings returns the path with each other spelling of its last component, such as
// createdAt, created_at, CreatedAt and createdat.
func spellings(path string) (list []string) {
	i := strings.LastIndexByte(path, '.') + 1
	words := wordsOf(path[i:])
	if len(words) == 0 {
		return nil
	}
	title := func(words []string) (s string) {
		for _, w := range words {
			s += strings.ToUpper(w[:1]) + w[1:]
		}
		return s
	}
	for _, name := range []string{words[0] + title(words[1:]), strings.Join(words, "_"), title(words), strings.Join(words, "")} {
		if name = path[:i] + name; name != path && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// wordsOf divides a name of ASCII letters and digits into words, in lower case. It
// returns nil for any other name.
func wordsOf(name string) (words []string) {
	begins := true
	for i := range len(name) {
		c := name[i]
		upper := 'A' <= c && c <= 'Z'
		switch {
		case c == '_' || c == '-':
			begins = true
			continue
		case !upper && (c < 'a' || c > 'z') && (c < '0' || c > '9'):
			return nil
		case begins || upper && (name[i-1] < 'A' || name[i-1] > 'Z'):
			words = append(words, "")
		}
		begins = false
		words[len(words)-1] += strings.ToLower(string(c))
	}
	return words
}

// seeSpellings counts a document's Dates in fields with names similar to the field of s,
// if the field of s is missing or null.
func (a *collectionAudit) seeSpellings(s *source, doc policy.Document, w place) {
	lacks := s.decided.State == policy.Never && lackOf(s.decided.Rule) == reasons.Absent
	for _, f := range s.spelled {
		if !holdsDate(doc, f.field) {
			continue
		}
		f.meet(func() []Repair { return a.expireInPlaceOf(s, f.field) })
		if lacks {
			f.add(doc, w)
		}
	}
}

// expireInPlaceOf returns the repairs that let documents expire by another field than
// that of s; nil if the delay or the intended documents are unknown.
func (a *collectionAudit) expireInPlaceOf(s *source, field string) []Repair {
	n, ok := a.meant(s)
	if !ok || !s.spec.PartialFilterExpression.IsMissing() {
		return nil
	}
	return a.expireBy(field, n)
}

// usualDates are usual names of fields with Dates other than deadlines, and of embedded
// documents with such Dates.
var usualDates = []string{
	"at", "created", "createdAt", "created_at", "createdOn", "creationDate", "date", "insertedAt", "inserted_at", "lastAccess", "lastModified", "lastSeen", "meta", "metadata", "modifiedAt", "sentAt",
	"startedAt", "time", "timestamp", "timestamps", "ts", "updated", "updatedAt", "updated_at",
}

// maxElsewhere is the maximum number of other fields with Dates recorded for one source.
const maxElsewhere = 5

// seeElsewhere counts the Dates of a document in other fields, as long as no document has
// held a Date in the field of s.
func (a *collectionAudit) seeElsewhere(s *source, doc policy.Document, w place) {
	if !s.isOrdinary() || s.dates.documents > 0 || s.decided.State != policy.Never || lackOf(s.decided.Rule) == reasons.NoLack {
		return
	}
	for _, path := range reasons.DatePaths(valueOf(doc), false) {
		isKnown := func(f *datedField) bool { return f.field == path }
		i := slices.IndexFunc(s.elsewhere, isKnown)
		if i < 0 {
			if len(s.elsewhere) == maxElsewhere || a.isLookedAt(path) || slices.ContainsFunc(s.spelled, isKnown) || slices.ContainsFunc(a.deadlines, isKnown) {
				continue
			}
			i = len(s.elsewhere)
			s.elsewhere = append(s.elsewhere, &datedField{field: strings.Clone(path)})
		}
		f := s.elsewhere[i]
		f.meet(func() []Repair { return a.expireInPlaceOf(s, f.field) })
		f.add(doc, w)
	}
}

// addElsewhere adds to a finding the names of fields in which the documents hold Dates,
// and repairs by indexes of the fields that most of the documents have.
func (a *collectionAudit) addElsewhere(s *source, f *Finding) {
	var names []string
	for _, e := range s.elsewhere {
		names = append(names, cli.Visible(e.field))
		if 2*e.documents > f.Documents {
			f.Repairs = append(f.Repairs, e.repair...)
		}
	}
	if len(names) > 0 {
		f.Text += " Dates are in " + strings.Join(names, ", ") + "."
	}
}

// expireBy returns the repair that lets documents expire n seconds after the Date in a
// field.
func (a *collectionAudit) expireBy(field string, n int64) []Repair {
	purpose := "let documents expire at " + cli.Visible(field)
	if n != 0 {
		purpose = "let documents expire " + catalog.Span(n) + " after " + cli.Visible(field)
	}
	return a.indexRepair(purpose, field, n)
}

// reviewSpellings reports a field with a similar name, if more documents hold Dates in it
// than in the field of s. If there is a finding about the missing field, the report
// extends that finding.
func (a *collectionAudit) reviewSpellings(s *source) {
	for _, f := range s.spelled {
		if f.documents <= s.dates.documents {
			continue
		}
		text := fmt.Sprintf("%s in %s and lack %s, which this index looks at: the name is spelled otherwise, and they do not expire.",
			holdDates(f.documents), cli.Visible(f.field), cli.Visible(s.Field))
		lacks := func(found Finding) bool { return found.Index == s.index && lackOf(found.Rule) == reasons.Absent }
		if i := slices.IndexFunc(a.findings, lacks); i >= 0 {
			found := &a.findings[i]
			found.Severity, found.Text, found.Repairs = Keeps, found.Text+" "+text, append(found.Repairs, f.repair...)
			continue
		}
		a.report(s, Finding{
			Severity: Keeps, Rule: reasons.Rule("mongo.field-missing"), Documents: f.documents, Samples: f.samples, Repairs: f.repair, Text: text,
		})
	}
}

// deadlineNames are usual field names of the date at which a document should be deleted.
var deadlineNames = []string{
	"expireAt", "expire_at", "expiresAt", "expires_at", "expiresOn", "expires_on", "expires", "expiry", "expiryDate", "expiry_date",
	"expiration", "expirationDate", "expiration_date", "deleteAt", "delete_at", "purgeAt", "purge_at",
}

// lookForDeadlines records the fields that are named like deadlines and have no TTL
// index, if a TTL index could delete by them.
func (a *collectionAudit) lookForDeadlines() {
	expires := mongo.IndexSpec{Name: "expireAt_1", Key: policy.D{{Key: "expireAt", Value: policy.Int32Value(1)}}}
	if !a.Spec.TimeSeries.IsMissing() || !a.deletes(expires, 0) {
		return
	}
	for _, field := range deadlineNames {
		if !a.isLookedAt(field) {
			a.deadlines = append(a.deadlines, &datedField{field: field})
		}
	}
}

// seeDeadlines counts the Dates in fields that are named like deadlines. It walks the
// fields of BSON once. In text it looks up each name, because a walk would convert the
// whole document.
func (a *collectionAudit) seeDeadlines(doc policy.Document, w place) {
	if len(a.deadlines) == 0 {
		return
	}
	if _, isBSON := doc.(*policy.BSON); !isBSON {
		for _, f := range a.deadlines {
			a.seeDeadline(f, doc, doc.Field(f.field), w)
		}
		return
	}
	for top := valueOf(doc).Fields(); top.Next(); {
		if i := slices.IndexFunc(a.deadlines, func(f *datedField) bool { return valuefunc.F.CompareName(&top, f.field) == 0 }); i >= 0 {
			a.seeDeadline(a.deadlines[i], doc, top.Value(), w)
		}
	}
}

func (a *collectionAudit) seeDeadline(f *datedField, doc policy.Document, v policy.Value, w place) {
	at, ok := v.AsDate()
	if !ok {
		return
	}
	f.meet(func() []Repair {
		if x := a.plainIndex(f.field); x != nil && !x.PartialFilterExpression.IsMissing() {
			return nil // the documents that the index should delete are unknown
		}
		return a.expireBy(f.field, 0)
	})
	if f.add(doc, w); at <= a.Now {
		f.past++
	}
}

func valueOf(doc policy.Document) policy.Value {
	if d, ok := doc.(interface{ Value() policy.Value }); ok {
		return d.Value()
	}
	return policy.ObjectValue(doc)
}

// plainIndex returns the single-field index of this field; nil if there is none.
func (a *collectionAudit) plainIndex(field string) *mongo.IndexSpec {
	i := slices.IndexFunc(a.Spec.Indexes, func(x mongo.IndexSpec) bool { return len(x.Key) == 1 && x.Key[0].Key == field })
	if i < 0 {
		return nil
	}
	return &a.Spec.Indexes[i]
}

// reviewDeadlines reports fields that are named like deadlines and hold past Dates, if no
// index deletes documents by these fields. That may be intended, so the finding is
// harmless.
func (a *collectionAudit) reviewDeadlines() {
	for _, f := range a.deadlines {
		spelled := func(s *source) bool {
			return slices.ContainsFunc(s.spelled, func(other *datedField) bool { return other.field == f.field })
		}
		if f.past == 0 || slices.ContainsFunc(a.sources, spelled) {
			continue
		}
		s, index := &source{}, "No index is about it."
		if x := a.plainIndex(f.field); x != nil {
			s.index, index = x.Name, "This index has no expireAfterSeconds."
		}
		a.report(s, Finding{
			Rule: reasons.Rule("mongo.no-ttl"), Documents: f.documents, Samples: f.samples, Repairs: f.repair,
			Text:   fmt.Sprintf("%s in %s, past in %s, and no document expires by it. %s", holdDates(f.documents), cli.Visible(f.field), cli.Number(f.past), index),
			Advice: "If documents should go at that date, this is missing. If they are kept on purpose, there is nothing to do.",
		})
	}
}
