package forecast

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options are how to run. The zero Options decide at 1970-01-01, find out
// everything by themselves, use all cores and stop at the first bad document.
type Options struct {
	Now policy.Instant
	// Bucket is the width of the histogram's buckets; zero finds one.
	Bucket Width
	// Kind is the kind of the input.
	Kind dump.Kind
	// SkipBad counts documents that cannot be read and goes on.
	SkipBad bool
	// Check has every document of BSON checked whole, also behind what
	// decides about it.
	Check bool
	// Workers is how many blocks are decided at a time; 0 is one per core.
	Workers int
	// Read, if not nil, is called with how many bytes were read, as stored.
	Read func(n int)
}

// TextKind returns what text is taken for in the documents of a policy.
func TextKind(p *reasons.Policy) dump.Kind {
	if p.System == reasons.CosmosNoSQL {
		return dump.JSON
	}
	return dump.ExtJSON
}

// Run tallies the documents in files, which belong to one collection.
//
// It returns a tally in any case: of the documents before the one that the
// error speaks of, or of those that were counted when ctx ended. The error is
// nil if everything was read; documents that were skipped are in [Tally.Bad].
func Run(ctx context.Context, files []dump.File, p *reasons.Policy, o Options) (*Tally, error) {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	r := newRun(p, o)
	r.start(ctx, files)
	select {
	case <-ctx.Done(): // without waiting for a read that may never end
	case <-r.over:
	}
	return r.result(ctx)
}

// A run is one call of Run. One goroutine reads blocks, others decide them, and
// the one that has decided the next block in order adds it to the tally.
type run struct {
	policy  *reasons.Policy
	options Options
	free    chan *slot    // blocks to be filled
	work    chan *slot    // blocks to be decided
	memory  chan struct{} // one for every MiB of large blocks under way
	over    chan struct{} // closed at the end
	level   atomic.Int32  // the tally's width, where the parts may begin

	mu      sync.Mutex
	tally   *Tally
	waiting map[int]*slot // decided before their turn
	turn    int
	err     error
	ended   bool
}

// A slot is a block on its way from the reader to the tally. There are few,
// which is what bounds the memory.
type slot struct {
	turn   int
	file   dump.File
	stream *dump.Stream
	block  dump.Block
	err    error // in place of a block
	memory int
	part   part
}

// maxMemory is how many MiB of large blocks may be under way.
const maxMemory = 32

func newRun(p *reasons.Policy, o Options) *run {
	slots := o.Workers + 4
	r := &run{
		policy: p, options: o,
		free:    make(chan *slot, slots),
		work:    make(chan *slot, slots),
		memory:  make(chan struct{}, maxMemory),
		over:    make(chan struct{}),
		waiting: make(map[int]*slot, slots),
		tally: &Tally{
			Sources:   make([]SourceTally, len(p.Sources)),
			Histogram: newHistogram(o.Bucket, o.Now),
		},
	}
	for range slots {
		r.free <- &slot{part: part{histogram: newHistogram(o.Bucket, o.Now)}}
	}
	return r
}

func (r *run) start(ctx context.Context, files []dump.File) {
	go r.read(ctx, files)
	var workers sync.WaitGroup
	for range r.options.Workers {
		workers.Go(r.decide)
	}
	go func() {
		workers.Wait()
		r.end(ctx.Err()) // the reader stops early when ctx ends, and that is not the end of the input
	}()
}

// read hands out the blocks of all files, up to an error or the end of ctx.
func (r *run) read(ctx context.Context, files []dump.File) {
	defer close(r.work)
	next := 0
	for _, f := range files {
		if !r.readFile(ctx, f, &next) {
			return
		}
	}
}

// readFile hands out the blocks of one file. It reports whether to go on.
func (r *run) readFile(ctx context.Context, f dump.File, next *int) bool {
	stream, err := f.Stream(r.options.Kind, TextKind(r.policy), r.options.Read)
	if err != nil {
		r.hand(ctx, &slot{err: err, part: part{histogram: newHistogram(r.options.Bucket, r.options.Now)}}, next)
		return false
	}
	defer stream.Close()
	for {
		s := r.nextFree(ctx)
		if s == nil {
			return false
		}
		s.file, s.stream, s.err = f, stream, nil
		if !stream.Claim(&s.block) {
			s.err = stream.Next(&s.block)
		}
		switch {
		case s.err == io.EOF:
			s.err = nil
			r.free <- s
			return true
		case !r.hand(ctx, s, next) || s.err != nil && !r.skips(s.err):
			return false
		}
	}
}

// nextFree returns a block to fill, or nil if the run has ended.
func (r *run) nextFree(ctx context.Context) *slot {
	select {
	case s := <-r.free:
		return s
	case <-ctx.Done():
	case <-r.over:
	}
	return nil
}

// hand gives a filled block to the workers, when there is memory for it. It
// reports false if the run has ended.
func (r *run) hand(ctx context.Context, s *slot, next *int) bool {
	s.turn = *next
	*next++
	s.memory = 0
	for s.block.Large() && s.memory < min(cap(s.block.Data)>>20, maxMemory) {
		select {
		case r.memory <- struct{}{}:
			s.memory++
		case <-ctx.Done():
			return false
		case <-r.over:
			return false
		}
	}
	r.work <- s
	return true
}

// skips reports whether the run goes on after err.
func (r *run) skips(err error) bool {
	var bad *dump.Error
	return r.options.SkipBad && errors.As(err, &bad) && bad.Skippable
}

// decide is a worker: it decides blocks and adds them up.
func (r *run) decide() {
	d := newDecider(r.policy, r.options)
	for s := range r.work {
		s.part.reset(int(r.level.Load()))
		switch {
		case s.err == nil:
			s.stream.Load(&s.block)
			d.decide(&s.part, &s.block, s.stream)
		case r.skips(s.err):
			s.part.skip(s.err)
		default:
			s.part.err = s.err
		}
		r.add(s)
	}
}

// add adds the block in s to the tally as soon as all blocks before it are.
func (r *run) add(s *slot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[s.turn] = s
	for s := r.waiting[r.turn]; s != nil; s = r.waiting[r.turn] {
		delete(r.waiting, r.turn)
		r.turn++
		if !r.ended {
			r.merge(s)
		}
		r.release(s)
	}
}

func (r *run) merge(s *slot) {
	var decoder dump.Decoder
	r.tally.merge(&s.part, func(i int) dump.Sample {
		doc, err := decoder.Decode(s.stream.Kind(), s.block.Doc(i))
		if err != nil { // it was decided without a look at all of it
			doc = policy.D{}
		}
		return dump.SampleOf(doc, r.policy.IDField(), s.file.Name(), s.block.DocOffset(i))
	})
	r.level.Store(int32(r.tally.Histogram.level))
	if s.part.err != nil {
		r.endLocked(s.part.err)
	}
}

// release returns the block in s to the reader.
func (r *run) release(s *slot) {
	s.block.Reset()
	for range s.memory {
		<-r.memory
	}
	select {
	case r.free <- s:
	default: // one that stood for a file that cannot be opened
	}
}

func (r *run) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked(err)
}

// endLocked ends the run: nothing is added to the tally any more.
func (r *run) endLocked(err error) {
	if !r.ended {
		r.ended, r.err = true, err
		close(r.over)
	}
}

func (r *run) result(ctx context.Context) (*Tally, error) {
	r.end(ctx.Err()) // no effect if everything was read
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tally, r.err
}
