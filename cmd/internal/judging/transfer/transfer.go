// Package transfer rewrites the documents of a dump for another system, one at
// a time. It reads a stream, decides each document by the policy of its system,
// and writes it in the form that package migrate gives for the other.
//
// Documents are written in their order, and from their bytes, without a tree of
// values. Several goroutines work on blocks of documents; only one block of large
// documents is held at a time.
package transfer

import (
	"context"
	"io"
	"runtime"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/migrate"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Rewriter returns the field to add to a decided document, so that the other system keeps
// its deadline. A [*migrate.ConflictError] or a [*RefusedError] means that the document
// cannot be carried over. Several goroutines call it.
type Rewriter func(doc policy.Document, d policy.Decision) (Edit, error)

// An Edit is the field that is added to a document. Its value is an Int32 or a
// Date, or Missing if no field is added.
type Edit struct {
	Field    string
	Value    policy.Value
	Fidelity migrate.Fidelity
}

// A RefusedError says why the other system would refuse a document.
type RefusedError struct {
	Reason string
	Plain  string // the same without values of the document; empty if Reason has none either
}

// Error returns the reason.
func (e *RefusedError) Error() string { return "the document is refused: " + e.Reason }

// A Result counts the documents by their outcome.
type Result struct {
	Documents   int64       `json:"documents"` // read
	Exact       int64       `json:"exact"`
	Approximate int64       `json:"approximate"`
	Lost        int64       `json:"lost"` // would have expired, and are kept
	Conflicts   int64       `json:"conflicts"`
	Expired     int64       `json:"expired"`                // left out by [Run.DropExpired]
	Dropped     bool        `json:"-"`                      // [Run.DropExpired]
	First       []Exception `json:"first"`                  // of those that are not exact
	Unchecked   bool        `json:"idsUnchecked,omitempty"` // identifiers of several kinds were more than are compared
}

// An Exception is a document that does not carry over exactly.
type Exception struct {
	dump.Sample
	What string `json:"what"`
}

// exceptions is the number of exceptions that are named.
const exceptions = 10

// A Run is one rewriting of a stream.
type Run struct {
	Evaluator policy.Evaluator
	Rewrite   Rewriter
	Form      Form
	Now       policy.Instant // when the documents are imported
	ID        string         // the field that names a document
	// DropExpired leaves out the documents that have expired at Now.
	DropExpired bool
	NoIDs       bool  // name documents by their places alone, and show none of their values
	Item        *Item // how items get their ids; nil for other documents
	Workers     int   // how many blocks are worked on at a time; 0 is one per core
	Result      Result

	ids   idSet
	kinds uint64 // the kinds from which ids were made, a bit each
}

// Copy rewrites the documents of s into w. It ends with ctx, or at the first document that
// cannot be read. Documents in conflict are counted and left out. After an early end a read
// may still be running, and may never end.
func (r *Run) Copy(ctx context.Context, w io.Writer, s *dump.Stream) error {
	if r.Workers == 0 {
		r.Workers = runtime.GOMAXPROCS(0)
	}
	if r.Result.Dropped = r.DropExpired; r.Result.First == nil {
		r.Result.First = []Exception{}
	}
	c := copying{Run: r, stream: s, resume: make(chan struct{}, 1)}
	c.Pipeline = dump.Pipeline[*slot]{Workers: r.Workers, Read: c.read, Worker: c.rewrite, Take: func(x *slot) error { return c.take(w, x) }}
	for range r.Workers + 2 {
		c.Slots = append(c.Slots, new(slot))
	}
	if err := c.Pipeline.Run(ctx); err != io.EOF {
		return err
	}
	return nil
}

// A slot is a block on its way from the reader to the writer.
type slot struct {
	block  dump.Block
	err    error // at the end of the block
	out    []byte
	docs   []written
	result Result
	large  bool
}

// A written records the end of a document in the output, its number in its block, and the
// identifier from which its id was made.
type written struct {
	end, doc int
	hash     uint64
	kind     policy.Kind
	fidelity migrate.Fidelity
}

// A copying is one call of Copy.
type copying struct {
	*Run
	dump.Pipeline[*slot]
	stream *dump.Stream
	resume chan struct{} // has an element once a large block is written
}

// read reads blocks up to an error, which is in the last one. After a large block it waits,
// so that only one is in memory.
func (c *copying) read(ctx context.Context) {
	for {
		x, ok := c.Next(ctx)
		if !ok {
			return
		}
		if x.err = nil; !c.stream.Claim(&x.block) {
			x.err = c.stream.Next(&x.block)
		}
		x.large = x.block.Large()
		isLast, isLarge := x.err != nil, x.large
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

// take writes a rewritten block, and frees it for the next read.
func (c *copying) take(w io.Writer, x *slot) error {
	if err := c.write(w, c.stream, x); err != nil {
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

// maxKept is the largest output buffer that a block keeps, in bytes.
const maxKept = 8 << 20

// write adds the counts of a block, and writes its documents, except those whose id an
// earlier document has.
func (r *Run) write(w io.Writer, s *dump.Stream, x *slot) error {
	if r.Item != nil {
		r.checkIDs(s, x)
	}
	r.Result.add(&x.result)
	if _, err := w.Write(x.out); err != nil {
		return err
	}
	return x.err
}

// add adds the counts of the next block.
func (r *Result) add(more *Result) {
	r.Documents += more.Documents
	r.Exact += more.Exact
	r.Approximate += more.Approximate
	r.Lost += more.Lost
	r.Conflicts += more.Conflicts
	r.Expired += more.Expired
	r.Dropped = r.Dropped || more.Dropped
	r.First = append(r.First, more.First[:min(len(more.First), exceptions-len(r.First))]...)
}

// except records document i of a block of s as an exception, unless enough are recorded.
func (r *Run) except(s *dump.Stream, x *slot, i int, what string) {
	if len(x.result.First) == exceptions {
		return
	}
	id := r.ID
	if r.NoIDs {
		id = ""
	}
	x.result.First = append(x.result.First, Exception{s.Sample(&x.block, i, id), what})
}

// checkIDs removes from a block the documents whose id an earlier document has.
func (r *Run) checkIDs(s *dump.Stream, x *slot) {
	kept, from := 0, 0
	for _, d := range x.docs {
		r.kinds |= 1 << (uint(d.kind) & 63)
		n := d.end - from
		if r.ids.add(d.hash) {
			x.result.Conflicts++
			*x.result.counter(d.fidelity)--
			r.except(s, x, d.doc, "left out: an earlier document has this id")
		} else {
			if kept < from {
				copy(x.out[kept:], x.out[from:d.end])
			}
			kept += n
		}
		from = d.end
	}
	x.out = x.out[:kept]
	r.Result.Unchecked = r.ids.isFull() && r.kinds&(r.kinds-1) != 0
}

// rewrite returns the function that rewrites blocks.
func (c *copying) rewrite(ctx context.Context) func(*slot) {
	w := worker{Run: c.Run, stream: c.stream}
	if c.Item != nil {
		w.json = plainjson.Writer{Limit: MaxItem, Dates: c.Item.Dates, Check: c.Item.checkName}
	}
	return func(x *slot) {
		c.stream.Load(&x.block)
		x.out = slices.Grow(x.out, min(len(x.block.Data), maxKept)) // most blocks need that much, or more
		w.slot = x
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
