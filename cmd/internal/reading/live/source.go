// Package live reads databases while they run: their collections with options and
// indexes, the server's description of itself, and the parts of documents that a
// policy needs.
//
// A [Client] sends the commands that its [Commands] name, and refuses all others
// before it sends any part of them; [Read] lists the commands that only read. No text
// that leaves the package has a password: [Address.Name] has none, and errors are
// scrubbed.
//
// A [Cosmos] sends only GET requests and queries.
//
// Every reply has a largest size, and every reply but those of [Mongo.Aggregate] a deadline.
// The driver does TLS, checks certificates, proves passwords and reads messages; docs/threat-model.md
// says what follows from that.
package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Source is a running database from which documents are read.
type Source interface {
	// Find returns an input with the collections of the database. Their documents are
	// read when the input is read.
	Find(ctx context.Context) (*dump.Input, error)
	// Estimate returns the database's own count of a collection's documents, without
	// reading them; -1 if the database has no count.
	Estimate(c *dump.Collection) int64
	// Close ends reading, and closes all that was open in the database.
	Close()
}

// Options say how to read documents. The zero Options read all, at full speed.
type Options struct {
	// PerSecond limits the documents read per second, of all collections together; 0 means
	// no limit.
	PerSecond int
	// Sample is the number of documents to read of a collection, drawn at random; 0 means
	// all.
	Sample int
	// IDs, if there are any, are the identifiers of the documents to read; no other
	// documents are read.
	IDs []policy.Value
	// MaxRU is the charge, in request units of Azure Cosmos DB, after which requests
	// stop; 0 means no limit.
	MaxRU float64
}

const (
	// maxListed is the largest size of all listings of collections and indexes, in bytes.
	// It suffices for thousands of collections.
	maxListed = 64 << 20
	// maxNames is the largest number of databases and collections in all listings.
	maxNames = 100_000
	// findTime limits the total time for listing all collections.
	findTime = 10 * time.Minute
)

// listTime limits one list of databases, collections or containers. Tests shorten it.
var listTime = commandTimeout

// Errors about lists that are too long, or that take too long.
var (
	errLongFind  = refusal(fmt.Sprintf("listing the collections takes longer than %s; name a database or a collection", findTime))
	errManyNames = refusal(fmt.Sprintf("more than %s databases and collections are listed; name one", cli.Number(maxNames)))
	errLongSize  = refusal(fmt.Sprintf("the list of collections is longer than %d MiB; name a database or a collection", maxListed>>20))
)

// withinList returns a context that ends after listTime, with an error about the list as
// its cause.
func withinList(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, listTime, refusal(fmt.Sprintf("the list has not ended in %s", listTime)))
}

// causeOf returns the cause of the context's end if a time limit ended it, and err
// otherwise.
func causeOf(ctx context.Context, err error) error {
	if d, ok := ctx.Deadline(); ok && (time.Until(d) <= 0 || errors.Is(err, context.DeadlineExceeded) && time.Until(d) < time.Second) {
		<-ctx.Done() // a connection sees the deadline a moment earlier, and the driver sends nothing just before it
	}
	if cause, ok := context.Cause(ctx).(refusal); ok && err != nil {
		return cause
	}
	return err
}

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

func newFeed(parent context.Context, in *dump.Input, o dump.StreamOptions, documents func(*dump.Collection) error) *feed {
	f := &feed{stream: o, documents: documents, all: slices.Clone(in.Collections), ended: map[*dump.Collection]bool{}}
	f.runs, f.buffers = make(chan run, parallel), make(chan []byte, 2*parallel)
	f.ctx, f.cancel = context.WithCancel(parent)
	return f
}

func (f *feed) run() {
	defer close(f.runs)
	sideBySide(f.all, func(c *dump.Collection) {
		end := run{of: c, end: true}
		if c.Err == nil && !f.part(c).None {
			end.err = f.documents(c)
		}
		f.send(end)
	})
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
		if cap(b.Data) <= 4*runBytes { // the next run uses the memory of this one, unless the documents were large
			select {
			case f.buffers <- b.Data:
			default:
			}
		}
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

// send sends a run. It reports false if the reader has stopped.
func (f *feed) send(r run) bool {
	select {
	case f.runs <- r:
		return true
	case <-f.ctx.Done():
		return false
	}
}

func (f *feed) part(c *dump.Collection) dump.Part {
	if f.stream.Part == nil {
		return dump.Part{Whole: true}
	}
	return f.stream.Part(c)
}
