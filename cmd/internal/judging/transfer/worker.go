package transfer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A worker rewrites the documents of one block after another.
type worker struct {
	*Run    // the run of the block
	stream  *dump.Stream
	slot    *slot
	decoder dump.Decoder
	json    plainjson.Writer
	id      []byte
}

func (w *worker) begin(x *slot) {
	w.Run, w.slot = x.run, x
	if w.Item != nil {
		w.json.Limit, w.json.Dates, w.json.Check = MaxItem, w.Item.Dates, w.Item.checkName
	}
	x.out = slices.Grow(x.out, min(len(x.block.Data), maxKept)) // most blocks need at least this size
}

// one rewrites document i of the block. It returns an error that ends the stream, such as
// a document that cannot be read.
func (w *worker) one(i int) error {
	x := w.slot
	doc, err := w.decoder.Decode(w.stream.Kind(), x.block.Doc(i))
	if err != nil {
		return w.stream.Damaged(&x.block, i, err)
	}
	x.result.Documents++
	d := w.Evaluator.Decide(doc, w.Now)
	if w.DropExpired && d.State == policy.Expired {
		x.result.Expired++
		return nil
	}
	edit, err := w.Rewrite(doc, d)
	if err == nil {
		if edit.Fidelity == Exact && d.State == policy.Never && d.Rule.IsUnspecified() {
			edit.Fidelity = Lost
		}
		err = w.append(i, doc, edit)
	}
	if err == nil {
		w.count(i, edit, d)
		return nil
	}
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	reason := refused.Reason
	if w.NoIDs {
		reason = cmp.Or(refused.Plain, reason)
	}
	x.result.Conflicts++
	w.except(w.stream, x, i, "left out: "+reason, 0)
	return nil
}

// refusedf returns a RefusedError whose text quotes no value of the document.
func refusedf(format string, args ...any) error {
	return &RefusedError{Reason: fmt.Sprintf(format, args...)}
}

// append appends the rewritten document i to the output; with an error it appends nothing.
func (w *worker) append(i int, doc policy.Document, edit Edit) error {
	x := w.slot
	before := len(x.out)
	d := written{doc: i, fidelity: edit.Fidelity}
	read := doc
	if edit.Document != nil {
		doc = edit.Document
		if id, ok := edit.Document.Field("_id").AsString(); ok {
			d.hash = hashOf([]byte(id))
		}
	}
	var err error
	switch w.Form {
	case BSON:
		x.out, err = appendBSON(x.out, doc, edit)
	case ExtJSON:
		if err := w.checkText(read); err != nil {
			return err
		}
		if bson, ok := doc.(*policy.BSON); ok && len(bson.Bytes()) > maxKept {
			x.out = slices.Grow(x.out, 4*len(bson.Bytes())) // growing in steps would need memory for two buffers
		}
		x.out = appendMember(policy.AppendExtJSON(x.out, policy.ObjectValue(doc)), edit.Field, edit.Value)
		err = w.checkReadable(read, x.out[before:])
		x.out = append(x.out, '\n')
	default:
		err = w.appendItem(doc, edit, &d)
	}
	if err != nil {
		x.out = x.out[:before]
		return err
	}
	if w.Item != nil || edit.Document != nil {
		d.end = len(x.out)
		x.docs = append(x.docs, d)
	}
	return nil
}

// checkText returns an error for an item whose text is longer than maxItemText. The
// service stores no such item, and the item's Extended JSON would need ten times the
// memory.
func (w *worker) checkText(doc policy.Document) error {
	if text, ok := doc.(*policy.JSON); ok && len(text.Bytes()) > maxItemText {
		return refusedf("its text is longer than %d MiB, and an item is not larger than 2 MB", maxItemText>>20)
	}
	return nil
}

// checkReadable returns an error for an item with a name that holds a NUL, and for an item
// larger than a document of MongoDB may be.
func (w *worker) checkReadable(doc policy.Document, text []byte) (err error) {
	item, ok := doc.(*policy.JSON)
	if !ok || len(text) < maxDocument && !bytes.Contains(item.Bytes(), []byte(`\u00`)) {
		return nil
	}
	var trouble *policy.SyntaxError
	if _, err := valuefunc.ExtJSONToBSON(nil, text, maxDocument); errors.As(err, &trouble) {
		const cannot = "it cannot be written as Extended JSON"
		return &RefusedError{cannot + ": " + trouble.Err.Error(), cannot}
	}
	return nil
}

// count counts document i, of which d is the decision, by its fidelity.
func (w *worker) count(i int, edit Edit, d policy.Decision) {
	r := &w.slot.result
	*r.counter(edit.Fidelity)++
	r.MaxDelay = max(r.MaxDelay, edit.Delay)
	switch deadline, expires := d.Deadline(); {
	case edit.Fidelity == Approximate && d.State == policy.Expired:
		w.except(w.stream, w.slot, i, "has expired, and expires there a second after the import", edit.Delay)
	case edit.Fidelity == Approximate:
		w.except(w.stream, w.slot, i, "expires "+reasons.Span(deadline+policy.Instant(edit.Delay), deadline)+" later", edit.Delay)
	case edit.Fidelity == Lost && expires:
		w.except(w.stream, w.slot, i, "is kept: its deadline cannot be expressed", 0)
	case edit.Fidelity == Lost:
		w.except(w.stream, w.slot, i, "is kept: its outcome is unspecified ("+d.Rule.String()+")", 0)
	}
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
