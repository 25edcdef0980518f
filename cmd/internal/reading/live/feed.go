package live

import (
	"context"
	"io"
	"slices"

	"golang.org/x/time/rate"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// A feed reads collections side by side.
type feed struct {
	stream    dump.StreamOptions
	ctx       context.Context
	cancel    context.CancelFunc
	runs      chan run
	buffers   chan []byte // the buffers to be used again
	all       []*dump.Collection
	ended     map[*dump.Collection]bool
	documents func(*dump.Collection) error // sends the runs of one collection
}

// A run is a sequence of documents of a collection, or the end of the collection.
type run struct {
	of     *dump.Collection
	offset int64 // the number of the first document within the collection
	data   []byte
	spans  []dump.Span
	sizes  []int32
	end    bool
	err    error
}

// newFeed returns a feed of the collections of an input; its method run reads them.
func newFeed(parent context.Context, in *dump.Input, o dump.StreamOptions, documents func(*dump.Collection) error) *feed {
	f := &feed{stream: o, documents: documents, all: slices.Clone(in.Collections), ended: map[*dump.Collection]bool{}}
	f.runs, f.buffers = make(chan run, parallel), make(chan []byte, 2*parallel)
	f.ctx, f.cancel = context.WithCancel(parent)
	return f
}

// run reads all collections, until the feed is closed.
func (f *feed) run() {
	defer close(f.runs)
	sideBySide(f.all, f.read)
}

// pace returns the number of documents to request at a time, and the limiter that allows
// each request. The parameter most is the maximum of the number.
func (o Options) pace(most int) (batch int, limit *rate.Limiter) {
	n := o.PerSecond
	if n == 0 {
		return most, rate.NewLimiter(rate.Inf, most)
	}
	batch = min(max(n/10, 1), most) // small batches, often
	return batch, rate.NewLimiter(rate.Limit(n), batch)
}

func (f *feed) Close() { f.cancel() }

func (f *feed) Unfinished() []*dump.Collection {
	return slices.DeleteFunc(slices.Clone(f.all), func(c *dump.Collection) bool { return f.ended[c] })
}

func (f *feed) Next(b *dump.Block) error {
	for r := range f.runs {
		if r.end {
			f.ended[r.of] = true
			if r.err == nil {
				continue
			}
			b.Collection = r.of
			return r.err
		}
		f.reuse(b.Data)
		b.Offset, b.Data, b.Spans, b.Sizes, b.Collection = r.offset, r.data, r.spans, r.sizes, r.of
		if f.stream.Read != nil {
			f.stream.Read(len(r.spans))
		}
		return nil
	}
	if err := f.ctx.Err(); err != nil {
		return err
	}
	return io.EOF
}

// reuse keeps the memory of a run for the next run, unless the documents were large.
func (f *feed) reuse(buffer []byte) {
	if cap(buffer) > 4*runBytes {
		return
	}
	select {
	case f.buffers <- buffer:
	default:
	}
}

// read reads one collection, and sends its end.
func (f *feed) read(c *dump.Collection) {
	end := run{of: c, end: true}
	if c.Err == nil && !f.part(c).None {
		end.err = f.documents(c)
	}
	f.send(end)
}

// send sends a run. It reports false if the reader has stopped.
func (f *feed) send(r run) bool {
	select {
	case f.runs <- r:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// part returns the part of a collection's documents to request.
func (f *feed) part(c *dump.Collection) dump.Part {
	if f.stream.Part == nil {
		return dump.Part{Whole: true}
	}
	return f.stream.Part(c)
}
