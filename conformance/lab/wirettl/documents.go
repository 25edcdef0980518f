package wirettl

import (
	"crypto/rand"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands about documents. Expired ones are shown until the monitor has deleted them.

// maxDocument is the largest size of a document, in bytes.
const maxDocument = 16 << 20

func (s *server) insert(c request) (policy.D, error) {
	documents, err := c.list("documents")
	if err != nil {
		return nil, err
	}
	on, err := s.ensure(c.ns)
	if err != nil {
		return nil, err
	}
	return each(c, documents, func(v policy.Value) (int64, error) {
		if v.Field("_id").IsMissing() { // as of a shell
			var id [12]byte
			rand.Read(id[:]) //nolint:errcheck // it never fails
			v = valueOf(append(document("_id", policy.ObjectIDValue(id)), policy.DOf(v)...))
		}
		key, err := keyOf(v.Field("_id"))
		if err == nil && on.has(key) {
			err = failed(duplicateKey, "a document with this _id exists")
		}
		if err != nil {
			return 0, err
		}
		return 1, on.put(key, v)
	})
}

// keyOf returns the key of an _id, which is one for all equal values.
func keyOf(id policy.Value) (string, error) {
	key, err := boltttl.KeyOf(id)
	if err != nil {
		return "", failed(invalidIDField, "%v", err)
	}
	return string(key), nil
}

func (c *collection) has(key string) bool { _, ok := c.documents[key]; return ok }

// put stores a document, or returns why a server refuses it.
func (c *collection) put(key string, v policy.Value) error {
	raw, err := policy.AppendBSON(nil, v)
	if err != nil {
		return err
	}
	d, err := policy.ParseBSON(raw)
	switch {
	case err != nil:
		return err
	case len(raw) > maxDocument:
		return failed(codes.BadValue, "a document of %d bytes, at most %d are possible", len(raw), maxDocument)
	case c.Spec().View:
		return failed(codes.CommandNotSupportedOnView, "a view holds no documents")
	}
	for i := range c.Sources() {
		if mongofunc.F.OnlySource(c.Collection, i).Decide(&d, 0).Rule.String() == "mongo.path-ambiguous" {
			return failed(ambiguousField, "Ambiguous field name found in array")
		}
	}
	c.documents[key] = d
	return nil
}

// each carries out the writes of a command in turn. After a write that fails, it carries out
// the next one only if the writes are unordered.
func each(c request, writes policy.A, write func(policy.Value) (int64, error)) (policy.D, error) {
	total, errs := int64(0), policy.A{}
	unordered := c.Field("ordered").Equal(policy.BoolValue(false))
	for i, w := range writes {
		n, err := write(w)
		if err == nil {
			total += n
			continue
		}
		code, reason := refusalOf(err)
		errs = append(errs, valueOf(document("index", i, "code", int32(code), "errmsg", reason)))
		if !unordered {
			break
		}
	}
	if len(errs) == 0 {
		return document("n", int32(total)), nil
	}
	return document("n", int32(total), "writeErrors", errs), nil
}

// delete carries out each statement of a command: it deletes one of the documents for which a
// filter holds, or all of them. It refuses a statement with a field that it does not know,
// because ignoring a collation would delete other documents.
func (s *server) delete(c request) (policy.D, error) {
	statements, err := c.list("deletes")
	if err != nil {
		return nil, err
	}
	return each(c, statements, func(v policy.Value) (int64, error) {
		statement := policy.DOf(v)
		for _, e := range statement {
			if !slices.Contains([]string{"q", "limit", "hint"}, e.Key) {
				return 0, failed(notImplemented, "%s of a deletion is not implemented", e.Key)
			}
		}
		limit, ok := whole(statement.Field("limit"))
		if !ok || limit != 0 && limit != 1 {
			return 0, failed(codes.BadValue, "the limit of a deletion must be 0 or 1")
		}
		found, err := s.matching(c.ns, statement.Field("q"), limit)
		for _, key := range found {
			delete(s.collections[c.ns].documents, key)
		}
		return int64(len(found)), err
	})
}

// update carries out each statement of a command: it replaces the document with an _id, or
// sets and removes fields of it. With upsert a replacement is inserted if there is none.
func (s *server) update(c request) (policy.D, error) {
	statements, err := c.list("updates")
	if err != nil {
		return nil, err
	}
	on, err := s.ensure(c.ns)
	if err != nil {
		return nil, err
	}
	upserted, at := policy.A{}, -1
	reply, err := each(c, statements, func(v policy.Value) (int64, error) {
		at++
		u, err := toUpdate(policy.DOf(v))
		if err != nil {
			return 0, err
		}
		key, err := keyOf(u.id)
		before, isThere := on.documents[key]
		if err != nil || !isThere && !u.upsert {
			return 0, err
		}
		err = on.put(key, policy.ObjectValue(u.of(policy.DOf(before.Value()))))
		if err == nil && !isThere {
			upserted = append(upserted, valueOf(document("index", at, "_id", u.id)))
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

// of returns the document after an update of d.
func (u change) of(d policy.D) policy.D {
	if u.replacement != nil {
		return u.replacement
	}
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

// matching returns the keys of the documents for which a filter holds, in their order. A limit
// of 0 means no limit. A missing collection has no documents.
func (s *server) matching(ns string, q policy.Value, limit int64) (found []string, err error) {
	on := s.collections[ns]
	if on == nil {
		on = &collection{}
	}
	if id, isSole := soleID(q); isSole {
		if key, err := keyOf(id); err == nil && on.has(key) {
			found = append(found, key)
		}
		return found, nil
	}
	f, err := compileFilter(q)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(on.documents)) {
		if d := on.documents[key]; f.holds(&d) {
			found = append(found, key)
		}
		if limit > 0 && int64(len(found)) == limit {
			break
		}
	}
	return found, nil
}

// query returns the documents that a count or find asks for. The parameter filter is the name
// of the argument that holds the filter. Other arguments are refused, except for limit and
// those in the parameter also.
func (s *server) query(c request, filter string, also ...string) (found []policy.BSON, err error) {
	if err := c.only(append(also, filter, "limit")...); err != nil {
		return nil, err
	}
	limit, err := c.number("limit", 0)
	if err != nil {
		return nil, err
	}
	return s.documents(c.ns, c.Field(filter), limit)
}

// documents returns the documents for which a filter holds.
func (s *server) documents(ns string, filter policy.Value, limit int64) (found []policy.BSON, err error) {
	keys, err := s.matching(ns, filter, limit)
	for _, key := range keys {
		found = append(found, s.collections[ns].documents[key])
	}
	return found, err
}

func (s *server) count(c request) (policy.D, error) {
	found, err := s.query(c, "query")
	return document("n", len(found)), err
}

// aggregate counts documents by the type of a field or in one group, of all documents or those of
// a filter: [{$match: filter}, {$group: {_id: {$type: "$field"}, n: {$sum: 1}}}]. The recipes ask
// for the types, and drivers for the group with _id 1. No other pipeline is known.
func (s *server) aggregate(c request) (policy.D, error) {
	stages, err := c.list("pipeline")
	if err == nil {
		err = c.only("pipeline", "cursor")
	}
	if err != nil {
		return nil, err
	}
	refused := failed(notImplemented, "the only aggregation that is implemented is {$group: {_id: {$type: field}, n: {$sum: 1}}} or with _id: 1, also after a $match")
	var filter policy.Value
	if len(stages) == 2 {
		filter = stages[0].Field("$match")
		if !stages[0].Equal(valueOf(document("$match", filter))) {
			return nil, refused
		}
		stages = stages[1:]
	}
	if len(stages) != 1 || len(policy.DOf(stages[0].Field("$group"))) != 2 {
		return nil, refused
	}
	group := policy.DOf(stages[0].Field("$group"))
	by, sum := group.Field("_id"), group[1].Key
	path, _ := by.Field("$type").AsString()
	name, isType := strings.CutPrefix(path, "$")
	isType = isType && name != "" && !strings.ContainsAny(name, ".$") && by.Equal(valueOf(document("$type", path)))
	if !isType && !by.Equal(valueOf(1)) || !stages[0].Equal(valueOf(document("$group", document("_id", by, sum, document("$sum", 1))))) {
		return nil, refused
	}
	found, err := s.documents(c.ns, filter, 0)
	counts := map[string]int{}
	for _, d := range found {
		counts[d.Field(name).Kind().String()]++
	}
	all := policy.A{}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, valueOf(document("_id", kind, sum, counts[kind])))
	}
	if !isType && len(found) > 0 {
		all = policy.A{valueOf(document("_id", by, sum, len(found)))}
	}
	return firstBatch(c.ns, all), err
}

func (s *server) find(c request) (policy.D, error) {
	shown, err := compileProjection(c.Field("projection"))
	if err != nil {
		return nil, err
	}
	found, err := s.query(c, "filter", "projection")
	if err != nil {
		return nil, err
	}
	const usual = 101 // documents in a first batch, unless the client says how many
	return s.answer(c, &cursor{c.ns, shown, found}, usual, "firstBatch")
}

func (s *server) getMore(c request) (policy.D, error) {
	number, _ := c.D[0].Value.AsInt64()
	found := s.cursors[number]
	if found == nil {
		return nil, failed(cursorNotFound, "cursor id %d not found", number)
	}
	delete(s.cursors, number)
	return s.answer(c, found, math.MaxInt64, "nextBatch")
}

func (s *server) killCursors(c request) (policy.D, error) {
	killed, unknown := policy.A{}, policy.A{}
	for e := c.Field("cursors").Elements(); e.Next(); {
		number, _ := e.Value().AsInt64()
		if s.cursors[number] != nil {
			killed = append(killed, e.Value())
		} else {
			unknown = append(unknown, e.Value())
		}
		delete(s.cursors, number)
	}
	return document("cursorsKilled", killed, "cursorsNotFound", unknown, "cursorsAlive", policy.A{}, "cursorsUnknown", policy.A{}), nil
}

// maxCursors is the number of cursors that are open at a time.
const maxCursors = 1000

// A cursor holds the documents that a query found and that the client has not yet got.
type cursor struct {
	ns string
	projection
	left []policy.BSON
}

// answer returns the reply with the next batch, of about 16 MB at most, and keeps the cursor if
// there is more.
func (s *server) answer(c request, k *cursor, usual int64, name string) (policy.D, error) {
	size, err := c.number("batchSize", usual)
	if err != nil {
		return nil, err
	}
	docs, total, number := policy.A{}, 0, int64(0)
	for ; len(k.left) > 0 && int64(len(docs)) < size; k.left = k.left[1:] {
		if total += len(k.left[0].Bytes()); total > maxDocument && len(docs) > 0 {
			break
		}
		docs = append(docs, k.of(k.left[0]))
	}
	if len(k.left) > 0 && !c.Field("singleBatch").Equal(policy.BoolValue(true)) {
		if len(s.cursors) >= maxCursors {
			return nil, failed(notImplemented, "%d cursors are open, and more are not implemented", maxCursors)
		}
		s.lastCursor++
		number = s.lastCursor
		s.cursors[number] = k
	}
	return document("cursor", document(name, docs, "id", number, "ns", k.ns)), nil
}

// firstBatch returns the reply of a cursor with only these documents.
func firstBatch(ns string, docs policy.A) policy.D {
	return document("cursor", document("firstBatch", docs, "id", int64(0), "ns", ns))
}
