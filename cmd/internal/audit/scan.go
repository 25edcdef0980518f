package audit

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Audit audits t. Its error is about a policy or documents that cannot be read.
// The result is of the policy then, if that could be read, and of the documents
// before; its Failed is the error.
func Audit(ctx context.Context, t *Target, o Options) (r Result, err error) {
	r = Result{Target: t, Failed: t.unread}
	if t.unread != nil {
		return r, t.unread
	}
	j, err := t.policy.auditor(t, o)
	if err != nil {
		r.Failed = err
		return r, err
	}
	bad := int64(0)
	for _, c := range t.Documents {
		n, wrong := scanAll(ctx, c, j, o)
		if bad += n; wrong != nil {
			err = wrong
			break
		}
	}
	r = j.conclude()
	r.Target, r.Bad, r.Failed = t, bad, err
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return r, err
}

// scanAll shows j each document of c. It returns how many were skipped.
func scanAll(ctx context.Context, c *dump.Collection, j auditor, o Options) (bad int64, err error) {
	if c.Err != nil {
		return 0, c.Err
	}
	for stream := range c.Streams(dump.StreamOptions{Kind: o.Kind, Text: j.text(), Read: o.Read}) {
		n, err := scan(ctx, stream, j, o)
		if bad += n; err != nil {
			return bad, err
		}
	}
	return bad, nil
}

// scan shows j each document of stream, holding one block of them at a time. It
// returns how many were skipped.
func scan(ctx context.Context, stream *dump.Stream, j auditor, o Options) (bad int64, err error) {
	s := scanning{auditor: j, stream: stream, skip: o.SkipBad}
	for ctx.Err() == nil {
		err := stream.Next(&s.block)
		switch {
		case errors.Is(err, io.EOF):
			return s.bad, nil
		case err == nil:
			err = s.look()
		}
		if err := s.pass(err); err != nil {
			return s.bad, err
		}
	}
	return s.bad, ctx.Err()
}

// scanning is one scan.
type scanning struct {
	auditor
	stream  *dump.Stream
	block   dump.Block
	decoder dump.Decoder
	skip    bool
	bad     int64
}

// look shows the documents of the block.
func (s *scanning) look() error {
	for i := range s.block.Spans {
		raw := s.block.Doc(i)
		doc, err := s.decoder.Decode(s.stream.Kind(), raw)
		if err != nil {
			if err := s.pass(s.stream.Damaged(&s.block, i, err)); err != nil {
				return err
			}
			continue
		}
		s.see(doc, place{s.stream.Name(), s.block.DocOffset(i), len(raw)})
	}
	return nil
}

// pass returns err unless it is about a document that may be skipped.
func (s *scanning) pass(err error) error {
	var bad *dump.Error
	if s.skip && errors.As(err, &bad) && bad.Skippable {
		s.bad++
		return nil
	}
	return err
}

// A place is where a document is.
type place struct {
	file   string
	offset int64
	size   int
}

// A tally counts documents that show one thing.
type tally struct {
	documents int64
	samples   []dump.Sample
}

func (t *tally) add(doc policy.Document, w place, id string) {
	if t.documents++; len(t.samples) < maxSamples {
		t.samples = append(t.samples, dump.SampleOf(doc, id, w.file, w.offset))
	}
}
