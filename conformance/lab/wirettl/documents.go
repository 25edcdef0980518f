package wirettl

import (
	"bytes"
	"crypto/rand"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands about documents. Expired ones are shown until the monitor has deleted them.

func (s *server) insert(c command) (policy.D, error) {
	documents, err := c.list("documents")
	if err != nil {
		return nil, err
	}
	indexes, err := s.keysFor(c.ns)
	if err != nil {
		return nil, err
	}
	return s.each(c, documents, func(v policy.Value) (int64, error) {
		doc, err := encode(v)
		if err == nil {
			err = s.refusal(doc, indexes)
		}
		if err != nil {
			return 0, err
		}
		return 1, s.store.Insert(c.ns, doc)
	})
}

// keysFor returns the keys of the indexes of a collection, which it makes if there is none.
func (s *server) keysFor(ns string) ([]keyed, error) {
	if _, err := s.ensure(ns); err != nil {
		return nil, err
	}
	spec, err := s.store.Spec(ns)
	if err != nil {
		return nil, err
	}
	return keysOf(spec, s.store.Profile()), nil
}

// refusal returns the reason to refuse a storable document, or nil.
func (s *server) refusal(doc []byte, indexes []keyed) error {
	d, err := policy.ParseBSON(doc)
	if err == nil {
		err = dollarName(d, s.store.Release())
	}
	for i := 0; i < len(indexes) && err == nil; i++ {
		err = indexes[i].refusal(d, s.store.Release())
	}
	return err
}

// encode returns the stored form of a document, with an _id even if the driver made none.
func encode(v policy.Value) ([]byte, error) {
	if v.Field("_id").IsMissing() {
		var id [12]byte
		rand.Read(id[:]) //nolint:errcheck // it never fails
		v = valueOf(append(document("_id", policy.ObjectIDValue(id)), policy.DOf(v)...))
	}
	b, err := policy.AppendBSON(nil, v)
	if len(b) > maxDocument {
		return nil, failed(codes.BadValue, "a document of %d bytes, at most %d are possible", len(b), maxDocument)
	}
	return b, err
}

// The writes of a command are carried out in turn. After a write that fails, the next one
// is carried out only if the writes are unordered.
func (s *server) each(c command, writes []policy.Value, write func(policy.Value) (int64, error)) (policy.D, error) {
	var total int64
	errs := []policy.Value{}
	unordered := c.Field("ordered").Equal(policy.BoolValue(false))
	for i, w := range writes {
		n, err := write(w)
		if total += n; err == nil {
			continue
		}
		f := s.failureOf(err)
		errs = append(errs, valueOf(document("index", i, "code", int32(f.code), "errmsg", f.reason)))
		if !unordered {
			break
		}
	}
	if len(errs) == 0 {
		return document("n", int32(total)), nil
	}
	return document("n", int32(total), "writeErrors", errs), nil
}

// delete carries out each statement of a command: it deletes one of the documents for
// which a filter holds, or all of them.
func (s *server) delete(c command) (policy.D, error) {
	statements, err := c.list("deletes")
	if err != nil {
		return nil, err
	}
	return s.each(c, statements, func(v policy.Value) (int64, error) {
		found, err := toDelete(c.ns, policy.DOf(v))
		if err != nil {
			return 0, err
		}
		return s.forEach(found, func(d policy.Value) error { return s.store.Delete(c.ns, d.Field("_id")) })
	})
}

// toDelete begins the query of a statement. It refuses a statement with a field that it does
// not know, because ignoring a collation would delete other documents.
func toDelete(ns string, statement policy.D) (*cursor, error) {
	for _, e := range statement {
		if !slices.Contains([]string{"q", "limit", "hint"}, e.Key) {
			return nil, failed(notImplemented, "%s of a deletion is not implemented", e.Key)
		}
	}
	limit, ok := whole(statement.Field("limit"))
	if !ok || limit != 0 && limit != 1 {
		return nil, failed(codes.BadValue, "the limit of a deletion must be 0 or 1")
	}
	return newCursor(ns, statement.Field("q"), policy.Value{}, limit)
}

// update carries out each statement of a command: it replaces the document with an _id, or
// sets and removes fields of it. With upsert a replacement is inserted if there is none.
func (s *server) update(c command) (policy.D, error) {
	statements, err := c.list("updates")
	if err != nil {
		return nil, err
	}
	indexes, err := s.keysFor(c.ns)
	if err != nil {
		return nil, err
	}
	s.updating.Lock() // no other update comes between the reading and the writing of a document
	defer s.updating.Unlock()
	upserted, at := []policy.Value{}, -1
	reply, err := s.each(c, statements, func(v policy.Value) (int64, error) {
		at++
		u, err := toUpdate(policy.DOf(v))
		if err != nil {
			return 0, err
		}
		isNew, err := s.carryOut(c.ns, u, indexes)
		if isNew {
			upserted = append(upserted, valueOf(document("index", at, "_id", u.id)))
		}
		if errors.Is(err, boltttl.ErrNoDocument) { // nothing matches, or the monitor was faster
			return 0, nil
		}
		return 1, err
	})
	if len(upserted) > 0 {
		reply = append(reply, field("upserted", upserted))
	}
	return reply, err
}

// A change is a statement of an update, about one document.
type change struct {
	id          policy.Value
	replacement policy.D // nil if fields are set and removed
	set, unset  policy.D
	upsert      bool
}

// toUpdate reads a statement of an update. It refuses what it does not know.
func toUpdate(statement policy.D) (u change, err error) {
	for _, e := range statement {
		isTrue, isBool := e.Value.AsBool()
		switch {
		case e.Key == "q" || e.Key == "u" || e.Key == "multi" && isBool && !isTrue:
		case e.Key == "upsert" && isBool:
			u.upsert = isTrue
		default:
			return u, failed(notImplemented, "%s: %s of an update is not implemented", e.Key, e.Value)
		}
	}
	id, ok := soleID(statement.Field("q"))
	fields := policy.DOf(statement.Field("u"))
	switch {
	case !ok || statement.Field("u").Kind() != policy.Object:
		return u, failed(notImplemented, "an update of other documents than one by its _id is not implemented")
	case len(fields) == 0 || !strings.HasPrefix(fields[0].Key, "$"):
		if own := fields.Field("_id"); !own.IsMissing() && !own.Equal(id) {
			return u, failed(immutableField, "the _id cannot be changed")
		}
		fields = slices.DeleteFunc(slices.Clone(fields), func(e policy.E) bool { return e.Key == "_id" })
		u.id, u.replacement = id, append(document("_id", id), fields...)
		return u, nil
	}
	for _, e := range fields {
		if e.Key != "$set" && e.Key != "$unset" || u.upsert {
			return u, failed(notImplemented, "only the operators $set and $unset are implemented, without upsert")
		}
	}
	u.id, u.set, u.unset = id, policy.DOf(fields.Field("$set")), policy.DOf(fields.Field("$unset"))
	for _, e := range slices.Concat(u.set, u.unset) {
		if e.Key == "_id" || strings.ContainsAny(e.Key, ".$") {
			return u, failed(notImplemented, "an update of %s is not implemented", e.Key)
		}
	}
	return u, nil
}

// carryOut changes one document, and reports whether it inserted it.
func (s *server) carryOut(ns string, u change, indexes []keyed) (isNew bool, err error) {
	after := u.replacement
	if after == nil {
		stored, err := s.store.Get(ns, u.id)
		if err != nil {
			return false, err
		}
		before, err := policy.ParseBSON(stored)
		if err != nil {
			return false, err
		}
		after = u.of(policy.DOf(before.Value()))
	}
	doc, err := encode(valueOf(after))
	if err == nil {
		err = s.refusal(doc, indexes)
	}
	if err != nil {
		return false, err
	}
	err = s.store.Replace(ns, doc)
	if u.upsert && errors.Is(err, boltttl.ErrNoDocument) {
		err = s.store.Insert(ns, doc)
		return err == nil, err
	}
	return false, err
}

// of returns a document with the fields of an update set and removed.
func (u change) of(d policy.D) policy.D {
	d = slices.DeleteFunc(slices.Clone(d), func(e policy.E) bool { return !u.unset.Field(e.Key).IsMissing() })
	for _, e := range u.set {
		if i := slices.IndexFunc(d, func(old policy.E) bool { return old.Key == e.Key }); i >= 0 {
			d[i] = e
		} else {
			d = append(d, e)
		}
	}
	return d
}

// query begins the query of a count or find. filter is the name of the argument that
// holds the filter. Other arguments are refused, except for limit and those in the
// parameter also.
func (c command) query(filter string, shown policy.Value, also ...string) (*cursor, error) {
	if err := c.only(append(also, filter, "limit")...); err != nil {
		return nil, err
	}
	limit, err := c.number("limit", 0)
	if err != nil {
		return nil, err
	}
	return newCursor(c.ns, c.Field(filter), shown, limit)
}

func (s *server) count(c command) (policy.D, error) {
	found, err := c.query("query", valueOf(document("_id", 1)))
	if err != nil {
		return nil, err
	}
	n, err := s.forEach(found, func(policy.Value) error { return nil })
	return document("n", int32(n)), err
}

// aggregate counts the documents by the type of a field, as the recipes ask the shell to do
// before they create a TTL index: [{$group: {_id: {$type: "$field"}, n: {$sum: 1}}}]. No
// other pipeline is known.
func (s *server) aggregate(c command) (policy.D, error) {
	if err := c.only("pipeline", "cursor"); err != nil {
		return nil, err
	}
	var group policy.D
	if stages, err := c.list("pipeline"); err == nil && len(stages) == 1 && len(policy.DOf(stages[0])) == 1 {
		group = policy.DOf(stages[0].Field("$group"))
	}
	path, _ := group.Field("_id").Field("$type").AsString()
	name, ok := strings.CutPrefix(path, "$")
	if !ok || name == "" || strings.ContainsAny(name, ".$") || len(group) != 2 || group[0].Key != "_id" || !group[1].Value.Equal(valueOf(document("$sum", 1))) {
		return nil, failed(notImplemented, "the only aggregation that is implemented is {$group: {_id: {$type: field}, n: {$sum: 1}}}")
	}
	found, err := newCursor(c.ns, policy.Value{}, valueOf(document(name, 1)), 0)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	_, err = s.forEach(found, func(d policy.Value) error {
		counts[d.Field(name).Kind().String()]++
		return nil
	})
	all := []policy.Value{}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, valueOf(document("_id", kind, group[1].Key, counts[kind])))
	}
	return firstBatch(c.ns, all), err
}

func (s *server) find(c command) (policy.D, error) {
	found, err := c.query("filter", c.Field("projection"), "projection")
	if err != nil {
		return nil, err
	}
	return s.answer(c, found, firstSize, "firstBatch")
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

const (
	firstSize  = 101  // documents in a first batch, unless the client says how many
	innerSize  = 1000 // documents that delete and count read at a time
	maxCursors = 1000 // cursors that are open at a time
)

// A cursor is a query and its position. It is not a snapshot.
type cursor struct {
	ns    string
	sole  policy.Value // the only _id that can match, or Missing
	place []byte
	filter
	projection
	left int64
}

// newCursor begins a query. A limit of 0 means no limit.
func newCursor(ns string, q, shown policy.Value, limit int64) (c *cursor, err error) {
	c = &cursor{ns: ns, left: limit}
	if limit == 0 {
		c.left = math.MaxInt64
	}
	if id, ok := soleID(q); ok {
		c.sole = id
	}
	if c.filter, err = compileFilter(q); err != nil {
		return nil, err
	}
	c.projection, err = compileProjection(shown)
	return c, err
}

// batch returns the next documents of a query, at most size and about 16 MB, and whether
// there may be more. A missing collection has no documents.
func (s *server) batch(c *cursor, size int64) (docs []policy.Value, more bool, err error) {
	docs, total := []policy.Value{}, 0
	more, err = s.read(c, func(doc []byte) bool {
		d, err := policy.ParseBSON(doc)
		if err != nil || !c.holds(&d) {
			return true // what is stored was checked
		}
		total += len(doc)
		if c.left == 0 || int64(len(docs)) == size || len(docs) > 0 && total > maxDocument {
			return false
		}
		c.left--
		d, err = policy.ParseBSON(bytes.Clone(doc))
		docs = append(docs, c.of(d))
		return err == nil
	})
	return docs, more && c.left > 0, err
}

// read passes documents to visit until visit returns false. Then read returns true.
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

// forEach calls do for all documents of a query, and returns their number. Documents that
// the monitor deletes meanwhile do not count.
func (s *server) forEach(c *cursor, do func(policy.Value) error) (n int64, err error) {
	for more := true; more; {
		var docs []policy.Value
		if docs, more, err = s.batch(c, innerSize); err != nil {
			return n, err
		}
		for _, d := range docs {
			switch err := do(d); {
			case err == nil:
				n++
			case !errors.Is(err, boltttl.ErrNoDocument):
				return n, err
			}
		}
	}
	return n, nil
}

// answer returns the reply with the next batch, and keeps the cursor if there is more.
func (s *server) answer(c command, found *cursor, usual int64, name string) (policy.D, error) {
	size, err := c.number("batchSize", usual)
	if err != nil {
		return nil, err
	}
	docs, more, err := s.batch(found, size)
	var number int64
	if err == nil && more && !c.Field("singleBatch").Equal(policy.BoolValue(true)) {
		number, err = s.cursors.keep(found)
	}
	return document("cursor", document(name, docs, "id", number, "ns", found.ns)), err
}

// firstBatch returns the reply of a cursor with only these documents.
func firstBatch(ns string, docs []policy.Value) policy.D {
	return document("cursor", document("firstBatch", docs, "id", int64(0), "ns", ns))
}

// cursors holds the cursors that clients may continue.
type cursors struct {
	mu   sync.Mutex
	last int64
	open map[int64]*cursor
}

// keep stores a cursor, and returns the number by which clients continue it.
func (k *cursors) keep(c *cursor) (int64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.open) >= maxCursors {
		return 0, failed(notImplemented, "%d cursors are open, and more are not implemented", maxCursors)
	}
	k.last++
	k.open[k.last] = c
	return k.last, nil
}

// take removes a cursor and returns it; nil if there is none.
func (k *cursors) take(number int64) *cursor {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[number]
	delete(k.open, number)
	return c
}
