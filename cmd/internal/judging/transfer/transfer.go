// Package transfer rewrites the documents of dumps for another system, one at a time. It
// reads a stream, decides about each document by the policy of its system, and writes the
// document in a form in which it expires no earlier in the other system. It rewrites
// interleaved collections of an archive in one reading, up to a number; see [CopyAll].
//
// It writes documents in their order, directly from their bytes. Several goroutines work
// on blocks of documents; only one block of large documents is in memory at a time.
package transfer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
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

// A Run describes the rewriting of the documents of one migration, and counts them. The
// documents may be in several streams.
type Run struct {
	Evaluator policy.Evaluator
	Rewrite   Rewriter
	Form      Form
	Now       policy.Instant // the time at which the documents are imported
	ID        string         // the field with the identifier of a document
	// DropExpired makes the run leave out the documents that have expired at Now.
	DropExpired bool
	NoIDs       bool  // identify documents by their places only, and show none of their values
	Item        *Item // the form of items; nil if the output is not items
	Result      Result

	ids   idSet
	kinds uint64 // the kinds of identifiers that became ids, one bit for each kind; the highest for other fields than _id
}

type slot struct {
	block  dump.Block
	run    *Run               // the run of the block's collection; nil if its documents are skipped
	ended  []*dump.Collection // the collections that end before the next block
	err    error              // the error at the end of the block
	isLast bool               // the block is the last, because err ends the stream
	out    []byte
	docs   []written
	result Result
	large  bool
}

// A written describes a document in the output of a block: the end of its text, its
// number in the block, the hash of its id, and the kind of the identifier that it is made of.
type written struct {
	end, doc int
	hash     uint64 // 0 if the id is not compared
	kinds    uint64 // see [Run]
	fidelity Fidelity
}

type copying struct {
	dump.Pipeline[*slot]
	stream *dump.Stream
	// run returns the Run for the documents of a collection; nil if they are skipped.
	// Only the reader calls it.
	run func(*dump.Collection) *Run
	// isOver reports whether no further document of the stream is wanted. Only the reader
	// calls it.
	isOver func() bool
	// take receives the rewritten blocks in order. Its error ends the reading.
	take   func(*slot) error
	resume chan struct{} // receives an element when a large block is written
}

// copy reads the stream until it ends or ctx ends. If copy returns early, a read may
// still be running, and may never end.
func (c *copying) copy(ctx context.Context) error {
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	c.resume = make(chan struct{}, 1)
	c.Read, c.Worker, c.Take = c.read, c.rewrite, c.release
	for range c.Workers + 2 {
		c.Slots = append(c.Slots, new(slot))
	}
	if err := c.Pipeline.Run(ctx); err != io.EOF {
		return err
	}
	return nil
}

// read reads blocks until an error ends the stream, or until no documents of the stream
// are wanted. The last block has the error. After a large block read waits, so that only
// one large block is in memory.
func (c *copying) read(ctx context.Context) {
	for {
		x, ok := c.Next(ctx)
		if !ok {
			return
		}
		if x.err = nil; !c.stream.Claim(&x.block) {
			x.err = c.stream.Next(&x.block)
		}
		x.run, x.ended = c.run(x.block.Collection), c.stream.Ended()
		x.isLast, x.large = x.err != nil && x.block.Collection == nil, x.block.Large()
		if x.run == nil && x.ended == nil && !x.isLast {
			c.Return(x)
			if c.isOver() {
				return
			}
			continue
		}
		isLast, isLarge := x.isLast, x.large
		c.Hand(x)
		if isLast {
			return
		}
		if isLarge {
			select {
			case <-ctx.Done():
				return
			case <-c.resume:
			}
		}
	}
}

func (c *copying) release(x *slot) error {
	if err := c.take(x); err != nil {
		return err
	}
	x.block.Reset()
	if cap(x.out) > maxKept {
		x.out = nil
	}
	x.out, x.docs, x.result = x.out[:0], x.docs[:0], Result{}
	if x.large {
		c.resume <- struct{}{}
	}
	return nil
}

// maxKept is the size of the largest output buffer that is reused, in bytes.
const maxKept = 8 << 20

// write adds the counts of a block, and writes its documents, except documents whose id
// an earlier document has. It returns an error of writing, or the error at the end of the
// block.
func (r *Run) write(w io.Writer, s *dump.Stream, x *slot) error {
	if len(x.docs) > 0 {
		r.checkIDs(s, x)
	}
	r.Result.add(&x.result)
	if _, err := w.Write(x.out); err != nil {
		return err
	}
	return x.err
}

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
	r.First = append(r.First, more.First[:min(len(more.First), exceptions-len(r.First))]...)
}

// except records document i of a block as an exception, unless the block has enough
// exceptions.
func (r *Run) except(s *dump.Stream, x *slot, i int, what string, delay uint64) {
	if len(x.result.First) == exceptions {
		return
	}
	id := r.ID
	if r.NoIDs {
		id = ""
	}
	x.result.First = append(x.result.First, Exception{s.Sample(&x.block, i, id), what, delay})
}

func (r *Run) checkIDs(s *dump.Stream, x *slot) {
	kept, from := 0, 0
	for _, d := range x.docs {
		r.kinds |= d.kinds
		n := d.end - from
		if d.hash != 0 && r.ids.add(d.hash) {
			x.result.Conflicts++
			*x.result.counter(d.fidelity)--
			r.except(s, x, d.doc, "left out: an earlier document has this id", 0)
		} else {
			if kept < from {
				copy(x.out[kept:], x.out[from:d.end])
			}
			kept += n
		}
		from = d.end
	}
	x.out = x.out[:kept]
	// Only _id is unique, and only among values of one kind.
	r.Result.Unchecked = r.ids.isFull() && (r.kinds >= otherField || r.kinds&(r.kinds-1) != 0)
}

func (c *copying) rewrite(ctx context.Context) func(*slot) {
	w := worker{stream: c.stream}
	return func(x *slot) {
		c.stream.Load(&x.block)
		if x.run == nil {
			return
		}
		w.begin(x)
		for i := range x.block.Spans {
			if err := w.one(i); err != nil {
				x.err = err
				break
			}
			if i%64 == 0 && ctx.Err() != nil {
				return
			}
		}
		w.decoder.Release()
	}
}

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
	var edit Edit
	if err = w.checkText(doc); err == nil {
		edit, err = w.Rewrite(doc, d)
	}
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
// service stores no such item, and the values and the Extended JSON of the item would need
// many times the memory.
func (w *worker) checkText(doc policy.Document) error {
	if text, ok := doc.(*policy.JSON); ok && w.Form == ExtJSON && len(text.Bytes()) > maxItemText {
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
