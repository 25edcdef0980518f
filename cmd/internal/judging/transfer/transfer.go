// Package transfer rewrites the documents of dumps for another system, one at a time. It
// reads a stream, decides about each document by the policy of its system, and writes the
// document in a form in which it expires no earlier in the other system. It reads each input
// once, and writes documents in their order, directly from their bytes; see [CopyAll].
package transfer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Rewriter returns the change of a document by which the other system keeps the deadline
// in d. A [*RefusedError] means that the document cannot be transferred. Several goroutines call a Rewriter.
type Rewriter func(doc policy.Document, d policy.Decision) (Edit, error)

// An Edit is the change of a document: other fields in the place of its own, or one more
// field, an Int32.
type Edit struct {
	Document policy.D // the fields in the place of the document's; nil for the same
	Field    string   // a field to add, unless Value is Missing
	Value    policy.Value
	Fidelity Fidelity
	Delay    uint64 // the delay of the deadline in milliseconds
}

// A RefusedError is the reason why a document is left out: the other system would refuse it, or a
// value would be lost.
type RefusedError struct {
	Reason string
	Plain  string // the reason without values of the document; empty if Reason itself has no values
}

// Error returns the reason.
func (e *RefusedError) Error() string { return "the document is refused: " + e.Reason }

// A Result counts the documents by their outcome.
type Result struct {
	Documents   int64       `json:"documents"`   // the documents read
	Exact       int64       `json:"exact"`       // documents with the same deadline, to the millisecond, or none
	Rounded     int64       `json:"rounded"`     // documents that expire later, by less than a second
	Approximate int64       `json:"approximate"` // documents that expire later, by a second or more
	MaxDelay    uint64      `json:"maxDelayMs"`  // the longest delay of a document, in milliseconds
	Lost        int64       `json:"lost"`        // documents that are kept for ever, though they expire, or though no source says that they do not
	Conflicts   int64       `json:"conflicts"`
	Expired     int64       `json:"expired"`                // documents left out by [Run.DropExpired]
	Dropped     bool        `json:"-"`                      // the value of [Run.DropExpired]
	First       []Exception `json:"first"`                  // the first exceptions
	Unchecked   bool        `json:"idsUnchecked,omitempty"` // some ids were not compared, although two items may have the same id
}

// An Exception is a document that is left out or kept, or expires later by a second or more.
type Exception struct {
	dump.Sample
	What  string `json:"what"`
	Delay uint64 `json:"delayMs,omitempty"` // the delay of the deadline in milliseconds
}

// exceptions is the maximum number of exceptions in a Result.
const exceptions = 10

// A Run rewrites the documents of one migration, and counts them. The documents may be in
// several streams.
type Run struct {
	Evaluator definition.Decider
	Rewrite   Rewriter
	Form      Form
	Now       policy.Instant // the time at which the documents are imported
	ID        string         // the field with the identifier of a document
	// DropExpired makes the run leave out the documents that have expired at Now.
	DropExpired bool
	NoIDs       bool  // identify documents by their places only, and show none of their values
	Item        *Item // the form of items; nil if the output is not items
	Result      Result

	decoder dump.Decoder
	json    plainjson.Writer
	out     []byte // the rewritten documents of a block
	id      []byte
	ids     idSet
	kinds   uint64 // the kinds of identifiers that became ids, one bit for each kind; the highest for other fields than _id
}

// maxKept is the size of the largest output buffer that is reused, in bytes.
const maxKept = 8 << 20

// write rewrites the documents of a block, and writes them to w. The error is one of writing, or
// one that ends the stream, such as that about a document that cannot be read.
func (r *Run) write(w io.Writer, s *dump.Stream, b *dump.Block) error {
	if r.Item != nil {
		r.json.Limit, r.json.Dates, r.json.Check = MaxItem, r.Item.Dates, r.Item.checkName
	}
	if cap(r.out) > maxKept {
		r.out = nil
	}
	r.out = r.out[:0]
	defer r.decoder.Release()
	for i := range b.Spans {
		if err := r.one(s, b, i); err != nil {
			return err
		}
	}
	// Only _id is unique, and only among values of one kind.
	r.Result.Unchecked = r.ids.isFull() && (r.kinds >= otherField || r.kinds&(r.kinds-1) != 0)
	_, err := w.Write(r.out)
	return err
}

// add adds the counts of more.
func (r *Result) add(more *Result) {
	r.Documents += more.Documents
	r.Exact += more.Exact
	r.Rounded += more.Rounded
	r.MaxDelay = max(r.MaxDelay, more.MaxDelay)
	r.Approximate += more.Approximate
	r.Lost += more.Lost
	r.Conflicts += more.Conflicts
	r.Expired += more.Expired
	r.Dropped = r.Dropped || more.Dropped
}

// one rewrites document i of a block. It returns an error that ends the stream, such as
// a document that cannot be read.
func (r *Run) one(s *dump.Stream, b *dump.Block, i int) error {
	doc, err := r.decoder.Decode(s.Kind(), b.Doc(i))
	if err != nil {
		return s.Damaged(b, i, err)
	}
	r.Result.Documents++
	d := r.Evaluator.Decide(doc, r.Now)
	if r.DropExpired && d.State == policy.Expired {
		r.Result.Expired++
		return nil
	}
	var edit Edit
	if err = r.checkText(doc); err == nil {
		edit, err = r.Rewrite(doc, d)
	}
	if err == nil {
		if edit.Fidelity == Exact && d.State == policy.Never && d.Rule.IsUnspecified() {
			edit.Fidelity = Lost
		}
		err = r.append(doc, edit)
	}
	what := ""
	switch refused := (*RefusedError)(nil); {
	case errors.As(err, &refused):
		r.Result.Conflicts++
		edit.Delay = 0
		if what = "left out: " + refused.Reason; r.NoIDs {
			what = "left out: " + cmp.Or(refused.Plain, refused.Reason)
		}
	case err != nil:
		return err
	default:
		what = r.count(edit, d)
	}
	if what != "" && len(r.Result.First) < exceptions {
		id := r.ID
		if r.NoIDs {
			id = ""
		}
		r.Result.First = append(r.Result.First, Exception{dump.SampleOf(doc, id, s.Name(), b.DocOffset(i)), what, edit.Delay})
	}
	return nil
}

// refusedf returns a RefusedError whose text quotes no value of the document.
func refusedf(format string, args ...any) error {
	return &RefusedError{Reason: fmt.Sprintf(format, args...)}
}

// append appends a rewritten document to the output; with an error it appends nothing.
func (r *Run) append(doc policy.Document, edit Edit) (err error) {
	before, read := len(r.out), doc
	hash := uint64(0) // 0 if the id is not compared
	if edit.Document != nil {
		doc = edit.Document
		if id, ok := edit.Document.Field("_id").AsString(); ok {
			hash = hashOf([]byte(id))
		}
	}
	switch r.Form {
	case BSON:
		r.out, err = appendBSON(r.out, doc, edit)
	case ExtJSON:
		if bson, ok := doc.(*policy.BSON); ok && len(bson.Bytes()) > maxKept {
			r.out = slices.Grow(r.out, 4*len(bson.Bytes())) // growing in steps would need memory for two buffers
		}
		r.out = appendMember(policy.AppendExtJSON(r.out, policy.ObjectValue(doc)), edit.Field, edit.Value)
		err = r.checkReadable(read, r.out[before:])
		r.out = append(r.out, '\n')
	default:
		hash, err = r.appendItem(doc, edit)
	}
	if err == nil && hash != 0 && r.ids.add(hash) {
		err = refusedf("an earlier document has this id")
	}
	if err != nil {
		r.out = r.out[:before]
	}
	return err
}

// checkText returns an error for an item whose text is longer than maxItemText. The
// service stores no such item, and the values and the Extended JSON of the item would need
// many times the memory.
func (r *Run) checkText(doc policy.Document) error {
	if text, ok := doc.(*policy.JSON); ok && r.Form == ExtJSON && len(text.Bytes()) > maxItemText {
		return refusedf("its text is longer than %d MiB, and an item is not larger than 2 MB", maxItemText>>20)
	}
	return nil
}

// checkReadable returns an error for an item with a name that holds a NUL, and for an item
// larger than a document of MongoDB may be.
func (r *Run) checkReadable(doc policy.Document, text []byte) (err error) {
	item, ok := doc.(*policy.JSON)
	if !ok || len(text) < maxDocument && !bytes.Contains(item.Bytes(), []byte(`\u00`)) {
		return nil
	}
	var trouble *policy.SyntaxError
	if _, err := valuefunc.F.ExtJSONToBSON(nil, text, maxDocument); errors.As(err, &trouble) {
		const cannot = "it cannot be written as Extended JSON"
		return &RefusedError{cannot + ": " + trouble.Err.Error(), cannot}
	}
	return nil
}

// count counts a document that was carried over. It returns what is not exact about its
// deadline; "" if nothing is.
func (r *Run) count(edit Edit, d policy.Decision) string {
	*r.Result.counter(edit.Fidelity)++
	r.Result.MaxDelay = max(r.Result.MaxDelay, edit.Delay)
	switch deadline, expires := d.Deadline(); {
	case edit.Fidelity == Approximate && d.State == policy.Expired:
		return "has expired, and expires there a second after the import"
	case edit.Fidelity == Approximate:
		return "expires " + reasons.Span(deadline+policy.Instant(edit.Delay), deadline) + " later"
	case edit.Fidelity == Lost && expires:
		return "is kept: its deadline cannot be expressed"
	case edit.Fidelity == Lost:
		return "is kept: its outcome is unspecified (" + d.Rule.String() + ")"
	}
	return ""
}

// counter returns a pointer to the number of documents with a fidelity.
func (r *Result) counter(f Fidelity) *int64 {
	switch f {
	case Exact:
		return &r.Exact
	case Rounded:
		return &r.Rounded
	case Approximate:
		return &r.Approximate
	}
	return &r.Lost
}
