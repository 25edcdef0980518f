package forecast

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options configure [Run]. With the zero Options, Run decides at 1970-01-01, detects
// kinds and widths, uses all cores and stops at the first bad document.
type Options struct {
	Now policy.Instant
	// Bucket is the width of the histogram's buckets; if it is zero, the width depends on
	// the deadlines.
	Bucket Width
	// Period, if not zero, is the time that the histogram shows, in buckets of
	// width Bucket.
	Period Period
	// Kind is the kind of the input.
	Kind dump.Kind
	// SkipBad makes Run count the documents that cannot be read, and go on after them.
	SkipBad bool
	// Check makes Run check every BSON document whole, not only the part that the
	// decision depends on.
	Check bool
	// Workers is the number of workers, each with one block at a time; 0 means one per
	// core.
	Workers int
	// By, if not empty, is the dotted path of a field. Run also counts documents by the
	// values of that field.
	By string
	// Horizons are spans for which [Tally.Due] counts expiring documents, in addition to
	// [Horizons].
	Horizons []Horizon
	// Groups is the number of values of By that have a group of their own; 0 means
	// [MaxGroups].
	Groups int
	// NoIDs makes Run leave the identifiers of documents out of results, and the values
	// of documents out of errors.
	NoIDs bool
	// Run calls Expired, if it is not nil, with each document that has expired, in the
	// order of the input and one at a time. An error from Expired ends the job.
	Expired func(Document) error
	// Whole makes Run read whole documents even if a part of each is sufficient.
	Whole bool
	// Run calls Read, if it is not nil, with the number of stored bytes that were read;
	// see [dump.StreamOptions].
	Read func(n int)
}

// A Document is a document that was read. It is valid only during the call that receives
// it.
type Document struct {
	Collection string // the name of the job
	Policy     *reasons.Policy
	Kind       dump.Kind
	Raw        []byte // the document as stored
	Decision   policy.Decision
	File       string // see [dump.Sample]
	Offset     int64
}

// TextKind returns the kind of documents in text to which a policy applies: JSON for
// Cosmos DB, otherwise Extended JSON.
func TextKind(p *reasons.Policy) dump.Kind {
	if p.System == definition.CosmosNoSQL {
		return dump.JSON
	}
	return dump.ExtJSON
}

// A Job is the forecast of one collection.
type Job struct {
	// Collections are the parts of the collection in the inputs: one part, or the files
	// of an export.
	Collections []*dump.Collection
	Policy      *reasons.Policy
	// Others are further policies of the same system. Run also decides about every
	// document by each of them, for [Tally.Others].
	Others []*reasons.Policy
	// Ages, if not nil, makes Run count [Tally.Ages], with the first policy of Others.
	Ages *AgesOf
	Name string // sets [Document.Collection], and has no other use
}

// policies returns the policy of the job, followed by the others.
func (j *Job) policies() []*reasons.Policy { return append([]*reasons.Policy{j.Policy}, j.Others...) }

// A Result is the result of a job. It always has a tally, of all documents or of the
// documents before an error or an interruption. Err is nil if everything was read;
// documents that were skipped are in [Tally.Bad].
type Result struct {
	Tally *Tally
	Err   error
}

// IsUnread reports whether no document was read because of an error.
func (r Result) IsUnread() bool {
	return r.Tally == nil || r.Err != nil && r.Tally.Total().Documents+r.Tally.Bad == 0
}

// Run tallies the documents of jobs in the order of the inputs. It reads each input once,
// because an archive holds the documents of several collections. It skips the documents
// of a collection without a job. An error ends only the job of the collection with the
// error.
func Run(ctx context.Context, jobs []Job, o Options) []Result {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Groups = cmp.Or(o.Groups, MaxGroups)
	r := newRun(jobs, o)
	return r.results(r.Pipeline.Run(ctx))
}

// A run is one call of Run: a pipeline that reads blocks, decides about their documents,
// and adds the results to tallies.
type run struct {
	dump.Pipeline[*slot]
	options Options
	jobs    []*job
	of      map[*dump.Collection]*job
	memory  *semaphore.Weighted // limits the large blocks in memory, in MiB
}

// A job is a Job in progress.
type job struct {
	Job
	failing bool           // the reader has handed out an error; only the reader uses this field
	levels  []atomic.Int32 // the levels of the tallies' histograms, at which those of blocks may begin
	over    atomic.Bool    // the job has ended with an error

	tally *Tally
	left  int // the number of collections not read to their end yet
	err   error
}

// A slot carries a block from the reader to the tally.
type slot struct {
	job    *job // nil at the end of a stream
	stream *dump.Stream
	block  dump.Block
	err    error              // the error that the stream returned in place of a block
	ended  []*dump.Collection // at the end of a stream, its collections
	failed []*dump.Collection // the collections that were not read to their end, because of err
	memory int64
	counts blockTally
}

// maxMemory is the maximum total size of the large blocks in memory, in MiB.
const maxMemory = 32

func newRun(jobs []Job, o Options) *run {
	r := &run{options: o, of: map[*dump.Collection]*job{}, memory: semaphore.NewWeighted(maxMemory)}
	r.Pipeline = dump.Pipeline[*slot]{Workers: o.Workers, Read: r.read, Worker: r.worker, Take: r.take}
	for _, j := range jobs {
		r.jobs = append(r.jobs, newJob(j, o))
		for _, c := range j.Collections {
			r.of[c] = r.jobs[len(r.jobs)-1]
		}
	}
	for range o.Workers + 4 {
		s := &slot{counts: newBlockTally(o)}
		s.counts.listing = o.Expired != nil
		r.Slots = append(r.Slots, s)
	}
	return r
}

func newJob(j Job, o Options) *job {
	out := &job{Job: j, left: len(j.Collections), tally: NewTally(len(j.Policy.Sources), o), levels: make([]atomic.Int32, 1+len(j.Others))}
	for _, p := range j.Others {
		out.tally.Others = append(out.tally.Others, NewTally(len(p.Sources), o))
	}
	if j.Ages != nil {
		out.tally.Ages = &Ages{Width: 1, counts: map[age]int64{}}
	}
	for _, c := range j.Collections {
		if c.Err != nil {
			out.fail(c.Err)
		}
	}
	return out
}

// fail ends j with an error, unless j already has an error.
func (j *job) fail(err error) {
	if j.err == nil {
		j.err = err
		j.over.Store(true)
	}
}

// isOver reports whether the reader can skip the documents of j.
func (j *job) isOver() bool { return j == nil || j.failing || j.over.Load() }

// read hands out the blocks of all inputs until ctx ends.
func (r *run) read(ctx context.Context) {
	begun := map[*dump.Input]bool{}
	for _, j := range r.jobs {
		for _, c := range j.Collections {
			if in := c.Input; !begun[in] {
				begun[in] = true
				if !r.readInput(ctx, in, TextKind(j.Policy)) {
					return
				}
			}
		}
	}
}

// readInput hands out the blocks of one input. It reports whether the run goes on to the
// next input.
func (r *run) readInput(ctx context.Context, in *dump.Input, text dump.Kind) bool {
	for stream := range in.Streams(dump.StreamOptions{Kind: r.options.Kind, Text: text, NoText: r.options.NoIDs, Read: r.options.Read, Part: r.part}) {
		if open := r.open(stream.Collections()); len(open) > 0 && !r.readStream(ctx, stream, open) {
			return false
		}
	}
	return true
}

// part returns the part of a collection's documents that the run reads.
func (r *run) part(c *dump.Collection) dump.Part {
	j := r.of[c]
	if j.isOver() {
		return dump.Part{None: true}
	}
	names, ok := r.fields(j)
	return dump.Part{Fields: names, Whole: !ok || r.options.Whole || r.options.Check}
}

// fields returns the fields that suffice to decide about documents. The result is false
// if whole documents are needed.
func (r *run) fields(j *job) (names []string, ok bool) {
	ok = true
	for _, p := range j.policies() {
		more, known := p.Fields()
		names, ok = append(names, more...), ok && known
	}
	if by, _, _ := strings.Cut(r.options.By, "."); r.options.By != "" {
		names, ok = append(names, by), ok && by != "" && by[0] != '$'
	}
	slices.Sort(names)
	return slices.Compact(names), ok
}

// open returns list without the finished collections at its beginning. A finished
// collection stays finished, so repeated calls check each collection once.
func (r *run) open(list []*dump.Collection) []*dump.Collection {
	for len(list) > 0 && r.of[list[0]].isOver() {
		list = list[1:]
	}
	return list
}

// readStream hands out the blocks of one stream, until no open collection needs more
// documents. It reports whether the run goes on to the next stream.
func (r *run) readStream(ctx context.Context, stream *dump.Stream, open []*dump.Collection) bool {
	for {
		s, ok := r.Next(ctx)
		if !ok {
			return false
		}
		*s = slot{stream: stream, block: s.block, counts: s.counts}
		if !stream.Claim(&s.block) {
			s.err = stream.Next(&s.block)
		}
		if s.job = r.of[s.block.Collection]; s.err != nil && s.block.Collection == nil {
			return r.finish(ctx, s)
		}
		if s.job.isOver() {
			r.Return(s)
			if open = r.open(open); len(open) == 0 {
				return true
			}
			continue
		}
		s.job.failing = s.err != nil && !r.skips(s.err)
		if !r.hand(ctx, s) {
			return false
		}
	}
}

// finish hands out a slot for the end of a stream, with the error that ended it, if any.
func (r *run) finish(ctx context.Context, s *slot) bool {
	s.ended = s.stream.Collections()
	if s.err == io.EOF {
		s.err = nil
	} else {
		s.failed = s.stream.Unfinished()
	}
	return r.hand(ctx, s)
}

// hand passes a filled block to the workers when there is memory for it. It returns false
// if the run has ended.
func (r *run) hand(ctx context.Context, s *slot) bool {
	s.memory = 0
	if s.block.Large() {
		s.memory = min(int64(cap(s.block.Data)>>20), maxMemory)
	}
	if r.memory.Acquire(ctx, s.memory) != nil {
		return false
	}
	r.Hand(s)
	return true
}

// skips reports whether the run skips the document that err is about, and goes on.
func (r *run) skips(err error) bool {
	var bad *dump.Error
	return r.options.SkipBad && errors.As(err, &bad) && bad.Skippable
}

// worker returns a function that decides about the documents of the block in a slot.
func (r *run) worker(context.Context) func(*slot) {
	var d *decider
	var of *job
	return func(s *slot) {
		if s.job == nil {
			return
		}
		if d == nil || of != s.job {
			d, of = newDecider(s.job.Job, r.options), s.job
		}
		s.counts.reset(s.job, r.options)
		switch {
		case s.err == nil:
			s.stream.Load(&s.block)
			d.decide(&s.counts, &s.block, s.stream)
		case r.skips(s.err):
			s.counts.skip(s.err)
		default:
			s.counts.err = s.err
		}
	}
}

// take adds the block in s to its tally, and releases its memory.
func (r *run) take(s *slot) error {
	r.merge(s)
	s.block.Reset()
	r.memory.Release(s.memory)
	return nil
}

func (r *run) merge(s *slot) {
	for _, c := range s.ended {
		if j := r.of[c]; j != nil {
			j.left--
		}
	}
	for _, c := range s.failed {
		if j := r.of[c]; j != nil {
			j.fail(s.err)
		}
	}
	if s.job == nil || s.job.err != nil {
		return
	}
	r.count(s)
	if err := cmp.Or(r.list(s), s.counts.err); err != nil {
		s.job.fail(err)
	}
}

// count adds the block in s to its tally.
func (r *run) count(s *slot) {
	t, id := s.job.tally, ""
	if !r.options.NoIDs {
		id = s.job.Policy.IDField()
	}
	t.merge(&s.counts, r.options.Groups, func(i int) dump.Sample { return s.stream.Sample(&s.block, i, id) })
	s.job.levels[0].Store(int32(t.Histogram.level))
	for i, other := range t.Others {
		s.job.levels[1+i].Store(int32(other.Histogram.level))
	}
}

// list calls Options.Expired with the expired documents of the block in s.
func (r *run) list(s *slot) error {
	for _, one := range s.counts.listed {
		err := r.options.Expired(Document{
			Collection: s.job.Name, Policy: s.job.Policy, Kind: s.stream.Kind(), Raw: s.block.Doc(one.doc), Decision: one.Decision,
			File: filepath.ToSlash(s.stream.Name()), Offset: s.block.DocOffset(one.doc),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// errUnread is the error of a job whose collection was not read to its end, if the run
// has no error.
var errUnread = errors.New("the collection was not read to its end")

// results returns the results of the jobs of a run that ended with err.
func (r *run) results(err error) []Result {
	list := make([]Result, len(r.jobs))
	for i, j := range r.jobs {
		if list[i] = (Result{j.tally, j.err}); j.err == nil && j.left > 0 {
			list[i].Err = cmp.Or(err, errUnread)
		}
	}
	return list
}
