package playground

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/reply"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A document is the document in the editor, or one of several documents there.
type document struct {
	policy.Document              // decisions are about this form
	value           policy.Value // to be shown
	text            string       // of an item of Cosmos DB for NoSQL
	notes           []mongosh.Note
	// undated reports that the item has no _ts, so that State.Written replaces it.
	undated bool
}

// readDocuments reads the document editor: one document, several between brackets or one
// after another, or the arguments of an insert. It returns at least one document, or an
// error.
func readDocuments(s State, now, written policy.Instant) (list []document, err error) {
	if len(s.Document) > mongosh.MaxText {
		return nil, &mongosh.SyntaxError{Offset: mongosh.MaxText, Err: mongosh.ErrTooLong}
	}
	if s.System == definition.CosmosNoSQL {
		return readItems(s.Document, written)
	}
	values, notes, err := valuesOf(s.Document, now)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		if v.Kind() != policy.Object {
			return nil, fmt.Errorf("want a document, or several between [ and ], not %s", v.Kind())
		}
		if err := reply.Check(v); err != nil {
			return nil, err
		}
		d := document{Document: v, value: v, notes: notes}
		if s.System == definition.CosmosMongo && v.Field("_ts").IsMissing() {
			d.value = pasted.WithField(v, "_ts", policy.Int64Value(int64(written)/1000))
			d.Document, d.undated = d.value, true
		}
		list, notes = append(list, d), nil
	}
	if len(list) == 0 {
		return nil, errors.New("there is no document in this array")
	}
	return list, nil
}

// valuesOf reads values in Extended JSON or in the syntax of the shell.
func valuesOf(text string, now policy.Instant) (list policy.A, notes []mongosh.Note, err error) {
	script, err := mongosh.Parse(text, now)
	switch {
	case err != nil:
		if list, notes, ok := separated(text, now); ok {
			return list, notes, nil
		}
		return nil, nil, err
	case len(script.Calls) == 1 && script.Calls[0].Method != "":
		c := script.Calls[0]
		if c.Method != "insertOne" && c.Method != "insert" && c.Method != "insertMany" || len(c.Args) == 0 {
			return nil, nil, &mongosh.SyntaxError{Offset: c.At, Err: errors.New("want a document, or insertOne(document)")}
		}
		return elements(c.Args[0]), script.Notes, nil
	case len(script.Calls) > 1:
		for i, c := range script.Calls {
			end := len(text)
			if i+1 < len(script.Calls) {
				end = script.Calls[i+1].At
			}
			one, more, err := mongosh.ParseValue(strings.TrimSpace(text[c.At:end]), now)
			if err != nil {
				return nil, nil, mongosh.Shift(err, c.At)
			}
			list, notes = append(list, one), append(notes, more...)
		}
		return list, notes, nil
	}
	v, notes, err := mongosh.ParseValue(text, now)
	if err != nil {
		return nil, nil, err
	}
	return elements(v), notes, nil
}

// separated reads documents with commas between them. It reports false for any other text.
func separated(text string, now policy.Instant) (list policy.A, notes []mongosh.Note, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return nil, nil, false
	}
	v, notes, err := mongosh.ParseValue("["+text+"]", now)
	return policy.AOf(v), notes, err == nil && len(policy.AOf(v)) > 1
}

// elements returns the elements of an array, or any other value as the only
// element.
func elements(v policy.Value) policy.A {
	if v.Kind() == policy.List {
		return policy.AOf(v)
	}
	return policy.A{v}
}

// readItems reads items in plain JSON: a single item, an array, or an item on each line.
func readItems(text string, written policy.Instant) (list []document, err error) {
	texts := []string{text}
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "[") {
		array, err := pasted.ParseJSON(text)
		if err != nil {
			return nil, err
		}
		texts = nil
		for e := array.Elements(); e.Next(); {
			if e.Value().Kind() != policy.Object {
				return nil, fmt.Errorf("want items between [ and ], not %s", e.Value().Kind())
			}
			texts = append(texts, string(plainjson.Append(nil, e.Value())))
		}
		if len(texts) == 0 {
			return nil, errors.New("there is no item in this array")
		}
	} else if _, err := policy.ParseJSON([]byte(text)); err != nil && strings.Contains(trimmed, "\n") {
		if lines, ok := itemLines(trimmed); ok {
			texts = lines
		}
	}
	for _, one := range texts {
		d, err := readItem(one, written)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// itemLines returns the items of a text that has an item on each line. It reports false
// for any other text.
func itemLines(text string) (list []string, ok bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		if line == "" {
			continue
		}
		if _, err := policy.ParseJSON([]byte(line)); err != nil {
			return nil, false
		}
		list = append(list, line)
	}
	return list, true
}

// readItem reads one item. It keeps the text, because the text shows whether ttl occurs
// twice. If the item has no _ts, written is put before the other properties as its _ts.
func readItem(text string, written policy.Instant) (document, error) {
	item, err := policy.ParseJSON([]byte(text))
	if err == nil {
		err = reply.Check(&item)
	}
	if err != nil {
		return document{}, err
	}
	d := document{text: strings.TrimSpace(text)}
	if d.undated = item.Field("_ts").IsMissing(); d.undated {
		rest := strings.TrimSpace(strings.TrimPrefix(d.text, "{"))
		stamp := fmt.Sprintf(`{"_ts":%d`, int64(written)/1000)
		if rest != "}" {
			stamp += ", "
		}
		d.text = stamp + rest
		if item, err = policy.ParseJSON([]byte(d.text)); err != nil {
			return d, err
		}
	}
	d.Document, d.value = &item, item.Value()
	return d, nil
}

// A Batch is the answer about several documents.
type Batch struct {
	Total  int          `json:"total"` // 0 if there is only one document
	Counts []BatchCount `json:"counts"`
	Rows   []BatchRow   `json:"rows"` // of the first documents
}

// A BatchCount is the number of documents with one verdict by one rule.
type BatchCount struct {
	Word    string       `json:"word"`
	Verdict policy.State `json:"verdict"`
	Rule    string       `json:"rule"`
	Number  int          `json:"number"`
}

// A BatchRow is the answer about one document of a batch.
type BatchRow struct {
	Name     string       `json:"name"` // its identifier, or the start of its text
	Word     string       `json:"word"`
	Verdict  policy.State `json:"verdict"`
	Deadline string       `json:"deadline"` // "" for never
	Because  string       `json:"because"`
	Rule     string       `json:"rule"`
}

// mostRows is the maximum number of documents that are listed. All documents are counted.
const mostRows = 50

// batch answers for each of several documents.
func (q question) batch() Batch {
	b := Batch{Counts: []BatchCount{}, Rows: []BatchRow{}}
	if len(q.documents) < 2 {
		return b
	}
	b.Total = len(q.documents)
	for _, d := range q.documents {
		e := reasons.Of(q.policy, d.Document, q.now)
		row := BatchRow{nameOfDocument(d.value), wordOf(e.Decision), e.Decision.State, deadlineOf(e.Decision), e.Because(), e.Decision.Rule.String()}
		if len(b.Rows) < mostRows {
			b.Rows = append(b.Rows, row)
		}
		b.count(row)
	}
	return b
}

func (b *Batch) count(row BatchRow) {
	for i, c := range b.Counts {
		if c.Word == row.Word && c.Rule == row.Rule {
			b.Counts[i].Number++
			return
		}
	}
	b.Counts = append(b.Counts, BatchCount{row.Word, row.Verdict, row.Rule, 1})
}

// nameOfDocument returns the identifier of a document, or the start of its
// text.
func nameOfDocument(v policy.Value) string {
	for _, name := range []string{"_id", "id"} {
		if id := v.Field(name); !id.IsMissing() {
			if text, ok := mongosh.Literal(id); ok {
				return name + ": " + syntax.Clip(text, 40)
			}
		}
	}
	return syntax.Clip(string(plainjson.Append(nil, v)), 40)
}
