package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/time/rate"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	// batchDocuments is the number of documents requested at a time.
	batchDocuments = 10_000
	// runBytes is the number of bytes of documents passed on at a time.
	runBytes = 512 << 10
	// scanTime limits the total time of a server's work on one collection.
	scanTime = 24 * time.Hour
	// sizeField is the field into which a server puts the size of a document that it sends
	// in part.
	sizeField = "ttl:size"
)

// A mongoFeed reads collections of MongoDB.
type mongoFeed struct {
	*feed
	on    *Mongo
	limit *rate.Limiter
	batch int
}

func (m *Mongo) feed(in *dump.Input, o dump.StreamOptions) dump.Feed {
	f := &mongoFeed{on: m}
	f.batch, f.limit = m.options.pace(batchDocuments)
	f.feed = newFeed(m.ctx, in, o, f.documents)
	m.feeds.Go(f.run)
	return f
}

func (f *mongoFeed) documents(c *dump.Collection) error {
	if f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	if err := f.limit.WaitN(f.ctx, f.batch); err != nil {
		return err
	}
	command, sized, err := f.command(c)
	if err != nil {
		return f.failedReading(c, err)
	}
	first, cancel := within(f.ctx, replyTimeout)
	defer cancel()
	cursor, err := f.on.client.Database(c.Database).RunCommandCursor(first, command, options.RunCmd().SetReadPreference(f.on.reading))
	if err != nil {
		return f.failedReading(c, cmp.Or(context.Cause(first), err))
	}
	defer closeCursor(cursor)
	cursor.SetBatchSize(int32(f.batch))
	at := int64(0)
	for {
		r, err := f.next(cursor, sized)
		if r.of, r.offset = c, at; len(r.spans) > 0 && !f.send(r) {
			return f.ctx.Err()
		}
		if at += int64(len(r.data)); err == io.EOF {
			return nil
		}
		if err != nil {
			return f.failedReading(c, err)
		}
	}
}

// within returns a context that ends after a time but has no deadline. From a deadline
// the driver would derive a second maxTimeMS. A server refuses a repeated field, and
// counts maxTimeMS for the whole cursor.
func within(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// closeCursor ends a cursor on the server, even after an interrupted read.
func closeCursor(c *driver.Cursor) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_ = c.Close(ctx) // the server ends it after ten minutes anyway
}

// next returns documents up to the end of a batch, or until a run is full. After the last
// document it returns io.EOF.
func (f *mongoFeed) next(cursor *driver.Cursor, sized bool) (r run, err error) {
	select {
	case r.data = <-f.buffers:
		r.data = r.data[:0]
	default:
	}
	for len(r.data) < runBytes {
		if err := f.advance(cursor); err != nil {
			return r, err
		}
		from := len(r.data)
		r.data = append(r.data, cursor.Current...)
		r.spans = append(r.spans, dump.Span{Start: int32(from), End: int32(len(r.data))})
		if sized {
			r.sizes = append(r.sizes, sizeIn(cursor.Current))
		}
		if cursor.RemainingBatchLength() == 0 {
			break
		}
	}
	return r, nil
}

// advance moves to the next document, and waits for it if necessary.
func (f *mongoFeed) advance(cursor *driver.Cursor) error {
	ctx := f.ctx
	if cursor.RemainingBatchLength() == 0 && cursor.ID() != 0 {
		if err := f.limit.WaitN(ctx, f.batch); err != nil {
			return err
		}
		reply, cancel := context.WithTimeout(ctx, replyTimeout)
		defer cancel()
		ctx = reply
	}
	if cursor.Next(ctx) {
		return nil
	}
	if err := cursor.Err(); err != nil {
		return err
	}
	return io.EOF
}

// smallest is the size of a document without fields, in bytes.
const smallest = 5

// sizeIn returns the size that the server has put into a document. If there is none, or an
// impossible one, it returns the size of the sent part.
func sizeIn(raw bson.Raw) int32 {
	if n, ok := raw.Lookup(sizeField).Int32OK(); ok && n >= smallest {
		return n
	}
	return int32(len(raw))
}

// command returns the command that reads a collection's documents, and whether the documents
// that it returns have the field sizeField.
func (f *mongoFeed) command(c *dump.Collection) (command bson.D, sized bool, err error) {
	projection := f.projection(c)
	batch := bson.E{Key: "batchSize", Value: int32(f.batch)}
	if n := f.on.options.Sample; n > 0 {
		pipeline := bson.A{bson.D{{Key: "$sample", Value: bson.D{{Key: "size", Value: int64(n)}}}}}
		if projection != nil {
			pipeline = append(pipeline, bson.D{{Key: "$project", Value: projection}})
		}
		command = bson.D{{Key: "aggregate", Value: c.Stored()}, {Key: "pipeline", Value: pipeline}, {Key: "cursor", Value: bson.D{batch}}}
	} else {
		command = bson.D{{Key: "find", Value: c.Stored()}, batch}
		if f.on.options.IDs != nil {
			ids, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "$in", Value: policy.ListValue(policy.A(f.on.options.IDs))}}))
			if err != nil {
				return nil, false, err
			}
			command = append(command, bson.E{Key: "filter", Value: bson.D{{Key: "_id", Value: bson.Raw(ids)}}})
		}
		if projection != nil {
			command = append(command, bson.E{Key: "projection", Value: projection})
		}
	}
	if f.on.listed[c].kind == timeSeries && !c.Buckets { // the collection stores its buckets under its own name
		command = append(command, bson.E{Key: "rawData", Value: true})
	}
	return append(command, bson.E{Key: "maxTimeMS", Value: scanTime.Milliseconds()}), projection != nil, nil
}

func (f *mongoFeed) projection(c *dump.Collection) bson.D {
	part := f.part(c)
	release, err := f.on.Server.Release()
	if part.Whole || f.on.Server.Product != MongoDB || err != nil || slices.Contains(part.Fields, sizeField) {
		return nil
	}
	if p, err := mongo.ProfileOf(release); err != nil || !mongofunc.F.Behaviour(p).BsonSize { // it cannot report the full size of a document
		return nil
	}
	d := bson.D{{Key: "_id", Value: 1}}
	for _, name := range part.Fields {
		if name != "_id" {
			d = append(d, bson.E{Key: name, Value: 1})
		}
	}
	return append(d, bson.E{Key: sizeField, Value: bson.D{{Key: "$bsonSize", Value: "$$ROOT"}}})
}

func (f *mongoFeed) failedReading(c *dump.Collection, err error) error {
	if f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	err = f.on.failed(err)
	if isCode(err, unauthorized) && c.Buckets {
		return fmt.Errorf("%s: %w; the buckets of a time-series collection need the role backup, or the action find on the collection %s", c.Title(), err, c.Stored())
	}
	return fmt.Errorf("%s: %w", c.Title(), err)
}

// count returns the approximate number of documents to read; -1 if it is not known.
func (m *Mongo) count(list []*dump.Collection) int64 {
	var total, unknown atomic.Int64
	sideBySide(list, func(c *dump.Collection) {
		n := m.Estimate(c)
		if s := int64(m.options.Sample); s > 0 {
			n = min(n, s)
		}
		total.Add(n)
		unknown.Add(min(n, 0))
	})
	if unknown.Load() < 0 || m.options.IDs != nil {
		return -1
	}
	return total.Load()
}

// Estimate returns the server's count of documents in a collection; -1 if the server
// gives none.
func (m *Mongo) Estimate(c *dump.Collection) int64 {
	reply, err := m.Run(m.ctx, c.Database, bson.D{{Key: "count", Value: c.Stored()}})
	n, ok := reply.Lookup("n").AsInt64OK()
	if err != nil || !ok || n < 0 {
		return -1
	}
	return n
}

// maxAnswer is the largest answer of one aggregate, in bytes.
const maxAnswer = 1 << 20

// Aggregate runs an aggregate command without a time limit, and calls the function each
// with every document of the answer. If the function returns an error, Aggregate stops.
func (m *Mongo) Aggregate(ctx context.Context, database string, command policy.D, each func(policy.Document) error) error {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(command))
	if err != nil {
		return err
	}
	cursor, err := m.client.Database(database).RunCommandCursor(ctx, bson.Raw(raw), options.RunCmd().SetReadPreference(m.reading))
	if err != nil {
		return m.failed(err)
	}
	defer closeCursor(cursor)
	for size := 0; cursor.Next(ctx); {
		if size += len(cursor.Current); size > maxAnswer {
			return fmt.Errorf("%s: the answer to an aggregate is longer than %d KiB", m.Address.Name, maxAnswer>>10)
		}
		doc, err := policy.ParseBSON(cursor.Current)
		if err == nil {
			err = each(&doc)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Address.Name, err)
		}
	}
	return m.failed(cursor.Err())
}

// maxPlan is the depth to which a plan is searched for stages.
const maxPlan = 64

// ReadsIndexAlone reports whether a server answers a find command from an index with one
// key for each document, without reading documents. It asks the server to explain the
// command.
func (m *Mongo) ReadsIndexAlone(ctx context.Context, database string, find policy.D) (bool, error) {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(find))
	if err != nil {
		return false, err
	}
	reply, err := m.Run(ctx, database, bson.D{{Key: "explain", Value: bson.Raw(raw)}, {Key: "verbosity", Value: "queryPlanner"}})
	if err != nil {
		return false, err
	}
	planner, ok := reply.Lookup("queryPlanner").DocumentOK()
	if !ok {
		return false, errors.New("the server's reply to explain has no queryPlanner")
	}
	if winner, ok := planner.Lookup("winningPlan").DocumentOK(); ok {
		planner = winner
	}
	var p plan
	p.read(planner, maxPlan)
	return p.scans > 0 && p.others == 0, nil
}

// A plan is the part of a server's explanation that says what the server reads.
type plan struct {
	scans  int // scans of an index with one key for each document
	others int // stages of any other kind that read
}

// read reads the stages of a plan at any depth, because releases and shards nest them
// differently.
func (p *plan) read(d bson.Raw, depth int) {
	switch textAt(d, "stage") {
	case "IXSCAN":
		if multikey, ok := d.Lookup("isMultiKey").BooleanOK(); ok && !multikey {
			p.scans++
		} else {
			p.others++
		}
	case "FETCH", "COLLSCAN", "CLUSTERED_IXSCAN", "TEXT_MATCH":
		p.others++
	}
	elements, err := d.Elements()
	if err != nil || depth == 0 {
		p.others++
		return
	}
	for _, e := range elements {
		if inner, ok := e.Value().DocumentOK(); ok && e.Key() != "rejectedPlans" {
			p.read(inner, depth-1)
		} else if list, ok := e.Value().ArrayOK(); ok && e.Key() != "rejectedPlans" {
			p.read(bson.Raw(list), depth-1)
		}
	}
}
