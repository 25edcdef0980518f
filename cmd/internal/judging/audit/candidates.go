package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collection without a time to live is a candidate for one if a field's earliest Date is
// this old and its latest this young: it has grown for long, and still grows.
const (
	oldDates   = policy.Instant(90 * daySeconds * 1000)
	youngDates = policy.Instant(30 * daySeconds * 1000)
)

// maxDatedFields bounds the fields of a collection that are noted.
const maxDatedFields = 100

// A span is the range of Dates that documents hold in one field.
type span struct {
	field       string
	documents   int64
	first, last policy.Instant
}

// isCandidate reports whether the audit looks for a field to expire the collection by.
func (a *collectionAudit) isCandidate() bool {
	return a.options.Candidates && len(a.sources) == 0
}

// seeSpans notes the Dates on top of a document.
func (a *collectionAudit) seeSpans(doc policy.Document) {
	if !a.isCandidate() {
		return
	}
	top := fieldsOf(doc)
	for top.Next() {
		at, ok := top.Value().AsDate()
		if !ok {
			continue
		}
		i := slices.IndexFunc(a.spans, func(s span) bool { return s.field == top.Name() })
		if i < 0 {
			if len(a.spans) == maxDatedFields {
				a.manyDated = true
				continue
			}
			i = len(a.spans)
			a.spans = append(a.spans, span{field: strings.Clone(top.Name()), first: at, last: at})
		}
		s := &a.spans[i]
		s.documents++
		s.first, s.last = min(s.first, at), max(s.last, at)
	}
}

// reviewSpans says in which fields a collection without a time to live holds Dates that are
// old and grow. It proposes no time to live, because the documents do not say how long they
// are needed.
func (a *collectionAudit) reviewSpans() {
	if !a.isCandidate() {
		return
	}
	var fields []string
	for _, s := range a.spans {
		if s.first > a.Now-oldDates || s.last > a.Now || s.last < a.Now-youngDates {
			continue
		}
		text := fmt.Sprintf("%s in %s", cli.Visible(s.field), cli.Number(s.documents))
		if !a.options.NoIDs {
			text += fmt.Sprintf(", from %s to %s", s.first, s.last)
		}
		fields = append(fields, text)
	}
	if len(fields) == 0 {
		return
	}
	a.report(&source{}, Finding{
		Rule: reasons.Rule("mongo.no-ttl"), Documents: a.documents,
		Text:   fmt.Sprintf("Nothing expires here, and of %s some hold Dates that are old and grow: %s.", cli.Documents(a.documents), strings.Join(fields, "; ")),
		Advice: "Find out how long documents are needed, and by whom, before a TTL index is made.",
	})
}
