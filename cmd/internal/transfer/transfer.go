// Package transfer rewrites the documents of a dump for another system, one at
// a time: it reads a stream, decides each document where it comes from, and
// writes it as package migrate says it must be there.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/migrate"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Rewriter makes of a document, and what has been decided about it, what the
// other system is to hold. Its error, a [*migrate.ConflictError], is for one
// that cannot be carried over.
type Rewriter func(doc policy.Value, d policy.Decision) (policy.D, migrate.Fidelity, error)

// A Form is how documents are written. The zero Form is [BSON].
type Form uint8

// The forms.
const (
	BSON    Form = iota // one after another, for mongorestore
	ExtJSON             // canonical Extended JSON, one a line, for mongoimport
	JSON                // plain JSON, one a line, for Azure Cosmos DB for NoSQL
)

// A Result counts what became of the documents.
type Result struct {
	Documents   int64       `json:"documents"` // read
	Exact       int64       `json:"exact"`
	Approximate int64       `json:"approximate"`
	Lost        int64       `json:"lost"` // would have expired, and are kept
	Conflicts   int64       `json:"conflicts"`
	First       []Exception `json:"first"` // of those that are not exact
}

// An Exception is a document that does not carry over exactly.
type Exception struct {
	ID   string `json:"id"`
	What string `json:"what"`
}

// exceptions is how many are named.
const exceptions = 10

// A Run is one rewriting of a stream.
type Run struct {
	Evaluator policy.Evaluator
	Rewrite   Rewriter
	Form      Form
	Now       policy.Instant // when the documents are imported
	ID        string         // the field that names a document
	Result    Result
	out       []byte
}

// Copy rewrites the documents of s into w. It ends with ctx, or at the first
// document that cannot be read. Documents in conflict are counted and left out.
func (r *Run) Copy(ctx context.Context, w io.Writer, s *dump.Stream) error {
	var block dump.Block
	var decoder dump.Decoder
	for ctx.Err() == nil {
		err := s.Next(&block)
		for i := range block.Spans {
			if err := r.one(&decoder, s, &block, i); err != nil {
				return err
			}
		}
		if _, err := w.Write(r.out); err != nil {
			return err
		}
		r.out = r.out[:0]
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// one rewrites document i of a block.
func (r *Run) one(decoder *dump.Decoder, s *dump.Stream, b *dump.Block, i int) error {
	doc, err := decoder.Decode(s.Kind(), b.Doc(i))
	if err != nil {
		return s.Damaged(b, i, err)
	}
	r.Result.Documents++
	rewritten, fidelity, err := r.Rewrite(policy.ObjectValue(doc), r.Evaluator.Decide(doc, r.Now))
	var conflict *migrate.ConflictError
	if errors.As(err, &conflict) {
		r.Result.Conflicts++
		r.except(doc, "left out: "+conflict.Reason())
		return nil
	}
	if err != nil {
		return err
	}
	r.count(doc, fidelity)
	if r.out, err = r.Form.append(r.out, rewritten); err != nil {
		return fmt.Errorf("%s: the document at byte %d: %w", s.Name(), b.DocOffset(i), err)
	}
	return nil
}

func (r *Run) count(doc policy.Document, fidelity migrate.Fidelity) {
	switch fidelity {
	case migrate.Exact:
		r.Result.Exact++
	case migrate.Approximate:
		r.Result.Approximate++
		r.except(doc, "expires later")
	default:
		r.Result.Lost++
		r.except(doc, "is kept")
	}
}

func (r *Run) except(doc policy.Document, what string) {
	if len(r.Result.First) < exceptions {
		r.Result.First = append(r.Result.First, Exception{string(dump.IDOf(doc, r.ID)), what})
	}
}

// append appends a document in a form.
func (f Form) append(dst []byte, d policy.D) ([]byte, error) {
	v := policy.ObjectValue(d)
	switch f {
	case BSON:
		return policy.AppendBSON(dst, v)
	case ExtJSON:
		return append(policy.AppendExtJSON(dst, v), '\n'), nil
	}
	return append(plainjson.Append(dst, v), '\n'), nil
}
