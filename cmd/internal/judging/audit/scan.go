package audit

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Audit audits targets and reads each input once, because an archive holds the documents
// of several collections. It returns a result for each target, in order. If
// [Result.Failed] is set, the result covers the documents before the error, and the
// policy if it could be read. If a flag is wrong for one target, Audit reads no
// documents.
func Audit(ctx context.Context, targets []*catalog.Target, o Options) []Result {
	s := scan{options: o, of: map[*dump.Collection]*job{}, parts: map[*dump.Collection]dump.Part{}}
	readable := true
	for _, t := range targets {
		j := newJob(t, o)
		s.jobs = append(s.jobs, j)
		for _, c := range t.Documents {
			s.of[c], s.parts[c] = j, dump.Part{None: true}
			if !j.isOver() {
				names, ok := j.fields()
				s.parts[c] = dump.Part{Fields: names, Whole: !ok}
			}
		}
		readable = readable && cli.ExitCodeOf(j.err) != cli.ExitUsage
	}
	inspectDatabases(s.jobs)
	if readable {
		s.read(ctx)
	}
	results := make([]Result, len(s.jobs))
	for i, j := range s.jobs {
		results[i] = j.result()
	}
	return results
}

type scan struct {
	options Options
	jobs    []*job
	of      map[*dump.Collection]*job
	parts   map[*dump.Collection]dump.Part // the part of the documents to read; constant during the scan
	block   dump.Block
}

type auditor interface {
	// see inspects one document, and must not retain the document.
	see(doc policy.Document, where place)
	// conclude returns the result after all documents.
	conclude() Result
	// fields returns the top-level fields that the auditor needs besides the identifier.
	// The result is false if the auditor needs all fields.
	fields() ([]string, bool)
}

// newAuditor returns the auditor of the target's documents, with the findings that need
// no documents.
func newAuditor(t *catalog.Target, o Options) (auditor, error) {
	switch {
	case len(t.Unread) > 0:
		return concluded(unreadResult(t)), nil
	case t.Silent > 0:
		return concluded{System: cli.Count(int64(t.Silent), "program or template", "programs and templates")}, nil
	case t.Err() != nil:
		return nil, t.Err()
	}
	switch t.System() {
	case definition.CosmosNoSQL:
		return newContainerAudit(t, o)
	case definition.CosmosMongo:
		return newAPIAudit(t, o)
	}
	return newCollectionAudit(t, o)
}

type job struct {
	auditor  // nil if the policy could not be read
	target   *catalog.Target
	database string     // the name of a MongoDB database; empty for other targets
	indexes  []ttlIndex // the TTL indexes of the collection
	bad      int64      // the number of skipped documents
	err      error      // the reason why the audit ended early
}

func newJob(t *catalog.Target, o Options) *job {
	j := &job{target: t}
	j.auditor, j.err = newAuditor(t, o)
	for _, c := range t.Documents {
		j.fail(c.Err)
	}
	if a, ok := j.auditor.(*collectionAudit); ok {
		j.database, j.indexes = a.inDatabase()
	}
	if j.auditor != nil && len(t.Documents) == 0 && !slices.ContainsFunc(j.indexes, func(x ttlIndex) bool { return x.ending != nil }) {
		j.auditor = concluded(j.conclude()) // a concluded audit needs far less memory
	}
	return j
}

// concluded is the auditor of an audit that has ended before documents are
// read.
type concluded Result

func (concluded) see(policy.Document, place) {}
func (c concluded) conclude() Result         { return Result(c) }
func (concluded) fields() ([]string, bool)   { return nil, true }

// fail ends j with err, unless err is nil, or j is nil or has ended already.
func (j *job) fail(err error) {
	if j != nil && j.err == nil {
		j.err = err
	}
}

// isOver reports whether j needs no further documents, because it is nil or has ended.
func (j *job) isOver() bool { return j == nil || j.err != nil }

func (j *job) result() (r Result) {
	if j.auditor != nil {
		r = j.conclude()
	}
	r.Target, r.Bad, r.Failed = j.target, j.bad, j.err
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return compareFindings(&a, &b) })
	return r
}

func (s *scan) read(ctx context.Context) {
	begun := map[*dump.Input]bool{}
	for _, j := range s.jobs {
		for _, c := range j.target.Documents {
			if !begun[c.Input] && !j.isOver() {
				begun[c.Input] = true
				text, _ := documentForm(j.target)
				for stream := range c.Input.Streams(dump.StreamOptions{Kind: s.options.Kind, Text: text, NoText: s.options.NoIDs, Read: s.options.Read, Part: s.part}) {
					s.stream(ctx, stream)
				}
			}
		}
		j.fail(ctx.Err())
	}
}

// documentForm returns the kind of JSON that a target's documents have if they are text,
// and the name of their identifier field.
func documentForm(t *catalog.Target) (text dump.Kind, id string) {
	if t.IsContainer() {
		return dump.JSON, "id"
	}
	return dump.ExtJSON, "_id"
}

// part returns the part of a collection's documents that the scan reads.
func (s *scan) part(c *dump.Collection) dump.Part {
	if part, ok := s.parts[c]; ok {
		return part
	}
	return dump.Part{None: true}
}

// stream passes the documents of a stream to their auditors, one block at a time, until no
// auditor wants more.
func (s *scan) stream(ctx context.Context, stream *dump.Stream) {
	open := 0
	for _, c := range stream.Collections() {
		if !s.of[c].isOver() {
			open++
		}
	}
	var decoder dump.Decoder
	for open > 0 && ctx.Err() == nil {
		err := stream.Next(&s.block)
		j := s.of[s.block.Collection]
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil && s.block.Collection == nil:
			for _, c := range stream.Unfinished() {
				s.of[c].fail(err)
			}
			return
		case j.isOver():
			continue
		case err == nil:
			err = s.look(j, stream, &decoder)
		default:
			err = s.pass(j, err)
		}
		if j.fail(err); j.isOver() {
			open--
		}
	}
}

func (s *scan) look(j *job, stream *dump.Stream, decoder *dump.Decoder) error {
	_, id := documentForm(j.target)
	if s.options.NoIDs {
		id = ""
	}
	for i := range s.block.Spans {
		raw := s.block.Doc(i)
		doc, err := decoder.View(stream.Kind(), raw)
		if err == nil {
			j.see(doc, place{stream.Name(), s.block.DocOffset(i), s.block.DocSize(i), id})
		} else if err := s.pass(j, stream.Damaged(&s.block, i, err)); err != nil {
			return err
		}
	}
	return nil
}

// pass returns err, or counts a bad document and returns nil if the error is about a
// document that may be skipped.
func (s *scan) pass(j *job, err error) error {
	var bad *dump.Error
	if s.options.SkipBad && errors.As(err, &bad) && bad.Skippable {
		j.bad++
		return nil
	}
	return err
}

type place struct {
	file   string
	offset int64
	size   int
	id     string // the identifier field; empty if only its position identifies the document
}

// A tally counts documents with one fault, and keeps a few samples.
type tally struct {
	documents int64
	samples   []dump.Sample
}

func (t *tally) add(doc policy.Document, w place) {
	if t.documents++; len(t.samples) < maxSamples {
		t.samples = append(t.samples, dump.SampleOf(doc, w.id, w.file, w.offset))
	}
}
