package wirettl

import (
	"bytes"
	"crypto/rand"
	"errors"
	"math"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands about documents. Expired ones are shown until the monitor has deleted them.

func (s *server) insert(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	documents, err := c.list("documents")
	if err != nil {
		return nil, err
	}
	if _, err := s.ensure(ns); err != nil {
		return nil, err
	}
	return s.each(c, len(documents), func(i int) (int, error) {
		doc, err := encode(documents[i])
		if err != nil {
			return 0, err
		}
		return 1, s.store.Insert(ns, doc)
	})
}

// each carries out the n writes of a command, which fail one by one. Unless they are
// ordered, the next is carried out after one that failed.
func (s *server) each(c command, n int, write func(i int) (changed int, err error)) (policy.D, error) {
	var total int
	var errs []policy.Value
	ordered := c.Field("ordered").IsAbsent() || c.isSet("ordered")
	for i := range n {
		changed, err := write(i)
		if err == nil {
			total += changed
			continue
		}
		f := s.failureOf(err)
		errs = append(errs, valueOf(document("index", i, "code", int32(f.code), "errmsg", f.reason)))
		if ordered {
			break
		}
	}
	reply := document("n", total)
	if len(errs) > 0 {
		reply = append(reply, field("writeErrors", errs))
	}
	return reply, nil
}

// encode returns a document as it is stored: with an _id, which drivers usually make.
func encode(v policy.Value) ([]byte, error) {
	if v.Field("_id").IsMissing() {
		var id [12]byte
		rand.Read(id[:]) //nolint:errcheck // it never fails
		v = policy.ObjectValue(append(policy.D{{Key: "_id", Value: policy.ObjectIDValue(id)}}, policy.DOf(v)...))
	}
	b, err := policy.AppendBSON(nil, v)
	if len(b) > maxDocument {
		return nil, failed(badValue, "object to insert too large. size in bytes: %d, max size: %d", len(b), maxDocument)
	}
	return b, err
}

// delete deletes one document or all that a filter holds for, for each of its statements.
func (s *server) delete(c command) (policy.D, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	statements, err := c.list("deletes")
	if err != nil {
		return nil, err
	}
	return s.each(c, len(statements), func(i int) (int, error) {
		limit, _ := mongo.WholeSeconds(statements[i].Field("limit"))
		n, err := s.deleteMatching(ns, statements[i].Field("q"), limit)
		if errors.Is(err, boltttl.ErrNoCollection) {
			return 0, nil
		}
		return n, err
	})
}

func (s *server) deleteMatching(ns string, q policy.Value, limit int64) (n int, err error) {
	if limit == 0 {
		limit = math.MaxInt64
	}
	found, err := s.open(ns, q, policy.Value{}, 0, limit)
	if err != nil {
		return 0, err
	}
	for more := true; more; {
		var docs []policy.Value
		if docs, more, err = s.batch(found, deleteBatch); err != nil {
			return n, err
		}
		for _, d := range docs {
			err := s.store.Delete(ns, d.Field("_id"))
			if err == nil {
				n++
			} else if !errors.Is(err, boltttl.ErrNoDocument) { // the monitor was faster
				return n, err
			}
		}
	}
	return n, nil
}

const (
	deleteBatch = 1000 // documents that delete reads before it deletes them
	firstSize   = 101  // documents in a first batch, unless the client says how many
	maxCursors  = 1000 // that are open at a time
)

// A cursor is a query and how far it came. It is no snapshot.
type cursor struct {
	ns         string
	holds      func(policy.Document) bool
	shown      projection
	skip, left int64
	sole       policy.Value // the only _id that can match, or Missing
	place      []byte
}

// cursors are those that clients may go on with.
type cursors struct {
	mu   sync.Mutex
	last int64
	open map[int64]*cursor
}

// keep returns the number of a cursor.
func (k *cursors) keep(c *cursor) (int64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.open) >= maxCursors {
		return 0, failed(notImplemented, "more than %d open cursors", maxCursors)
	}
	k.last++
	k.open[k.last] = c
	return k.last, nil
}

// take returns a cursor, and forgets it; nil if there is none.
func (k *cursors) take(number int64) *cursor {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[number]
	delete(k.open, number)
	return c
}

// open begins a query; a limit of 0 is none.
func (s *server) open(ns string, q, shown policy.Value, skip, limit int64) (*cursor, error) {
	f, err := compileFilter(q)
	if err != nil {
		return nil, err
	}
	p, err := compileProjection(shown)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = math.MaxInt64
	}
	c := &cursor{ns: ns, holds: f.holds, shown: p, skip: skip, left: limit}
	c.sole, _ = soleID(q)
	return c, nil
}

// batch returns the next documents of a query, at most size and about 16 MB, and whether
// there may be more. A collection that is not there has none.
func (s *server) batch(c *cursor, size int64) (docs []policy.Value, more bool, err error) {
	total := 0 // bytes
	visit := func(doc []byte) bool {
		d, err := policy.ParseBSON(doc)
		if err != nil || !c.holds(&d) {
			return true // what is stored was checked
		}
		if c.skip > 0 {
			c.skip--
			return true
		}
		if c.left == 0 || int64(len(docs)) == size || total > 0 && total+len(doc) > maxDocument {
			return false
		}
		c.left--
		total += len(doc)
		docs = append(docs, c.show(doc))
		return true
	}
	more, err = s.read(c, visit)
	return docs, more && c.left > 0, err
}

// read hands documents to visit until it returns false, and then reports true.
func (s *server) read(c *cursor, visit func([]byte) bool) (more bool, err error) {
	if c.sole.IsMissing() {
		c.place, err = s.store.Scan(c.ns, c.place, visit)
		more = c.place != nil
	} else {
		var doc []byte
		doc, err = s.store.Get(c.ns, c.sole)
		more = err == nil && !visit(doc)
	}
	if errors.Is(err, boltttl.ErrNoCollection) || errors.Is(err, boltttl.ErrNoDocument) {
		err = nil
	}
	return more, err
}

// show returns what a query shows of a document.
func (c *cursor) show(doc []byte) policy.Value {
	d, err := policy.ParseBSON(bytes.Clone(doc))
	if err != nil || len(c.shown.fields) == 0 {
		return d.Value()
	}
	return valueOf(c.shown.of(policy.DOf(d.Value())))
}

func (s *server) find(c command) (policy.D, error) {
	if err := c.only("filter", "projection", "skip", "limit"); err != nil {
		return nil, err
	}
	found, err := s.query(c, c.Field("filter"), c.Field("projection"))
	if err != nil {
		return nil, err
	}
	return s.answer(c, found, firstSize, "firstBatch")
}

// query begins what a command asks for, with its skip and limit.
func (s *server) query(c command, q, shown policy.Value) (*cursor, error) {
	ns, err := c.namespace()
	if err != nil {
		return nil, err
	}
	skip, err := c.number("skip", 0)
	if err != nil {
		return nil, err
	}
	limit, err := c.number("limit", 0)
	if err != nil {
		return nil, err
	}
	return s.open(ns, q, shown, skip, limit)
}

// answer returns the reply with the next batch, and keeps the cursor if there is more.
func (s *server) answer(c command, found *cursor, usual int64, name string) (policy.D, error) {
	size, err := c.number("batchSize", usual)
	if err != nil {
		return nil, err
	}
	docs, more, err := s.batch(found, size)
	if err != nil {
		return nil, err
	}
	var number int64
	if more && !c.isSet("singleBatch") {
		if number, err = s.cursors.keep(found); err != nil {
			return nil, err
		}
	}
	return cursorReply(found.ns, name, docs, number), nil
}

func firstBatch(ns string, docs []policy.Value, number int64) policy.D {
	return cursorReply(ns, "firstBatch", docs, number)
}

func cursorReply(ns, name string, docs []policy.Value, number int64) policy.D {
	return document("cursor", document(name, docs, "id", number, "ns", ns))
}

func (s *server) getMore(c command) (policy.D, error) {
	number, _ := c.D[0].Value.AsInt64()
	found := s.cursors.take(number)
	if found == nil {
		return nil, failed(cursorNotFound, "cursor id %d not found", number)
	}
	return s.answer(c, found, math.MaxInt64, "nextBatch")
}

func (s *server) killCursors(c command) (policy.D, error) {
	killed, unknown := []policy.Value{}, []policy.Value{}
	for e := c.Field("cursors").Elements(); e.Next(); {
		number, _ := e.Value().AsInt64()
		if s.cursors.take(number) != nil {
			killed = append(killed, e.Value())
		} else {
			unknown = append(unknown, e.Value())
		}
	}
	return document("cursorsKilled", killed, "cursorsNotFound", unknown, "cursorsAlive", []policy.Value{}, "cursorsUnknown", []policy.Value{}), nil
}
