package transfer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// toMongoDB returns the Rewriter of documents whose ttl is a time to live.
func toMongoDB(field string) Rewriter {
	back := returning{Options: Options{Field: field}, withTTL: true}
	return back.rewrite
}

// A stock is documents in one system, as files hold them, with their policy.
type stock struct {
	of   definition.Definition
	kind dump.Kind
	docs [][]byte
}

func (s stock) policy(t *rapid.T) *reasons.Policy {
	p, err := reasons.Compile(s.of)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// doc returns document i.
func (s stock) doc(t *rapid.T, i int) (doc policy.Value) {
	var err error
	switch s.kind {
	case dump.BSON:
		var b policy.BSON
		b, err = policy.ParseBSON(s.docs[i])
		doc = b.Value()
	case dump.ExtJSON:
		doc, err = policy.ParseExtJSON(s.docs[i])
	default:
		var j policy.JSON
		j, err = policy.ParseJSON(s.docs[i])
		doc = j.Value()
	}
	if err != nil {
		t.Fatalf("%s: %v", s.docs[i], err)
	}
	return doc
}

// deadlines decides about the documents; nil means never. A document of Azure Cosmos DB
// without a _ts was written at the second.
func (s stock) deadlines(t *rapid.T, written int64, now policy.Instant) (list []*policy.Instant) {
	p := s.policy(t)
	for i := range s.docs {
		doc := s.doc(t, i)
		if s.of.System != definition.MongoDB && doc.Field("_ts").IsMissing() {
			doc = policy.ObjectValue(append(policy.DOf(doc), policy.E{Key: "_ts", Value: policy.Int64Value(written)}))
		}
		var due *policy.Instant
		if at, ok := p.Decide(policy.DOf(doc), now).Deadline(); ok {
			due = &at
		}
		list = append(list, due)
	}
	return list
}

// migrate carries the documents over as the tool does. It fails if a document is left out,
// if one expires earlier than before, or if the counts differ from those of the deadlines
// before and after.
func (s stock) migrate(t *rapid.T, o Options, to definition.Definition) stock {
	o.To = to.System
	m, err := Of(change.Subject{Policy: s.policy(t), Collection: "c"}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	run := (&carrying{Options: o}).begin(m, 0).run
	run.Form = o.formOf(s.kind)
	in := bytes.Join(s.docs, map[bool][]byte{false: []byte("\n")}[s.kind == dump.BSON])
	stream, err := dump.NewStream("in", bytes.NewReader(in), s.kind, s.kind)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var out bytes.Buffer
	if err := run.copy(t.Context(), &out, stream); err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	after := stock{to, map[Form]dump.Kind{BSON: dump.BSON, ExtJSON: dump.ExtJSON, JSON: dump.JSON}[run.Form], nil}
	for rest := out.Bytes(); len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		if after.kind == dump.BSON {
			n = int(binary.LittleEndian.Uint32(rest))
		}
		after.docs, rest = append(after.docs, rest[:n]), rest[n:]
	}
	if run.Result.Conflicts > 0 || len(after.docs) != len(s.docs) {
		t.Fatalf("%s\nwas written as %s, and left out: %+v", in, out.Bytes(), run.Result)
	}
	want := Result{Documents: int64(len(s.docs)), First: run.Result.First}
	written, _ := o.imported().Seconds()
	was, is := s.deadlines(t, written, o.Now), after.deadlines(t, written, o.Now)
	for i := range was {
		switch {
		case is[i] == nil && was[i] == nil:
			want.Exact++
		case is[i] == nil:
			want.Lost++
		case was[i] == nil || *is[i] < *was[i]:
			t.Fatalf("%s expires earlier as %s", s.docs[i], after.docs[i])
		default:
			delay := uint64(*is[i]) - uint64(*was[i])
			want.MaxDelay = max(want.MaxDelay, delay)
			switch {
			case delay == 0:
				want.Exact++
			case delay < 1000:
				want.Rounded++
			default:
				want.Approximate++
			}
		}
	}
	if got := run.Result; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s\nbecame %s\nat %d, written at %d: the tool says %+v, and the deadlines %+v", in, out.Bytes(), o.Now, written, got, want)
	}
	return after
}

// has returns a field of document i.
func (s stock) has(t *rapid.T, i int, names ...string) {
	for _, name := range names {
		if v := s.doc(t, i).Field(name); !v.IsMissing() {
			t.Fatalf("%s still has the field %s", s.docs[i], name)
		}
	}
}

// sameFields fails if a field of a document differs in another stock, except for the listed
// fields. Numbers may have changed their types.
func (s stock) sameFields(t *rapid.T, other stock, except ...string) {
	plain := func(v policy.Value) string { return string(plainjson.Append(nil, v)) }
	for i := range s.docs {
		a, b := s.doc(t, i), other.doc(t, i)
		for f := a.Fields(); f.Next(); {
			if slices.Contains(except, f.Name()) {
				continue
			}
			if was, is := plain(f.Value()), plain(b.Field(f.Name())); was != is {
				t.Fatalf("%s became %s: field %s was %s, is %s", s.docs[i], other.docs[i], f.Name(), was, is)
			}
		}
	}
}

// identifiers are values of _id of each kind that can become an id, all with different ids.
var identifiers = []policy.Value{
	policy.StringValue("a b"), policy.StringValue("5"), policy.Int32Value(7), policy.Int64Value(1 << 60), policy.DoubleValue(1.5), policy.DoubleValue(8), policy.BoolValue(true),
	policy.ObjectIDValue([12]byte{1: 1}), policy.BinaryValue(4, make([]byte, 16)), policy.BinaryValue(0, []byte{9}), policy.DateValue(1_700_000_000_001), policy.DecimalValue(0x303C_0000_0000_0000, 120),
}

// contents are fields that no policy reads.
var contents = drawn.Kinds{Scalars: drawn.Any.Scalars, Names: rapid.SampledFrom([]string{"a", "", "a.b", "$ref", "$price", "é\""})}.Values(2)

var (
	on   = definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(-1)})
	off  = definition.OfContainer(cosmos.ContainerSpec{})
	onTS = definition.OfCosmosMongo(cosmos.CollectionSpec{Indexes: []cosmos.IndexSpec{{Name: "_ts_1", Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(-1)}}})
)

// byDeadline is a collection of MongoDB with a TTL index on expireAt.
func byDeadline() definition.Definition {
	return definition.OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Name: "expireAt_1", Key: policy.D{{Key: "expireAt", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(0)}}}, mongo.Latest(), nil)
}

// drawnImport draws the instants of an import, and whether items get a _ts of it.
func drawnImport(t *rapid.T, o Options) Options {
	o.Now = policy.Instant(rapid.OneOf(rapid.Int64Range(95_000, 113_000), rapid.Int64Range(0, 4e12)).Draw(t, "now"))
	o.WrittenAt = cosmos.TimestampAt(o.Now)
	if rapid.Bool().Draw(t, "_ts") {
		seconds, _ := o.WrittenAt.Seconds()
		o.Item.Stamp = policy.Int64Value(seconds)
	}
	return o
}

// TestPropertyFromMongoDB: documents go to Azure Cosmos DB, back, and once more to and fro.
// None is left out, the deadlines are those that the tool says, the way back is exact, and
// at the end documents have their own fields and their deadline.
func TestPropertyFromMongoDB(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := stock{of: drawnCollection(t), kind: rapid.SampledFrom([]dump.Kind{dump.BSON, dump.ExtJSON}).Draw(t, "kind")}
		ids := rapid.SliceOfNDistinct(rapid.SampledFrom(identifiers), 1, 4, policy.Value.String).Draw(t, "ids")
		for _, id := range ids {
			doc := append(policy.D{{Key: "_id", Value: id}}, documents.Draw(t, "document")...)
			if x := contents.Draw(t, "x"); !x.IsMissing() {
				doc = append(doc, policy.E{Key: "x", Value: x})
			}
			raw := policy.AppendExtJSON(nil, policy.ObjectValue(doc))
			if start.kind == dump.BSON {
				raw, _ = policy.AppendBSON(nil, policy.ObjectValue(doc))
			}
			start.docs = append(start.docs, raw)
		}
		there := rapid.SampledFrom([]definition.Definition{on, onTS}).Draw(t, "to")
		if len(start.policy(t).Sources) == 0 {
			there = off
		}
		o := drawnImport(t, Options{Field: "expireAt"})
		items := start.migrate(t, o, there)
		again := items.migrate(t, o, byDeadline())
		start.sameFields(t, again)
		if there.System == definition.CosmosNoSQL && len(start.policy(t).Sources) == 0 {
			return
		}
		for i := range again.docs {
			again.has(t, i, "id", "ttl", "_ts")
		}
		final := again.migrate(t, o, there).migrate(t, o, byDeadline())
		again.sameFields(t, final)
	})
}

// TestPropertyFromCosmos: items go to MongoDB, back, and once more to and fro. None is left
// out, the deadlines are those that the tool says, those in MongoDB are exact, and
// documents there have no field of the service.
func TestPropertyFromCosmos(t *testing.T) {
	settings := rapid.SampledFrom([]definition.Definition{
		off, on, onTS, definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(5)}), definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(math.MaxInt32)}),
	})
	rapid.Check(t, func(t *rapid.T) {
		start := stock{of: settings.Draw(t, "settings"), kind: dump.JSON}
		isItem := start.of.System == definition.CosmosNoSQL
		if !isItem {
			start.kind = dump.BSON
		}
		for _, id := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9 é]{1,5}`), 1, 4, rapid.ID).Draw(t, "ids") {
			doc := policy.D{{Key: "id", Value: policy.StringValue(id)}}
			if !isItem {
				doc[0].Key = "_id"
			}
			doc = append(doc, policy.E{Key: "n", Value: rapid.SampledFrom([]policy.Value{policy.NullValue(), policy.DoubleValue(1.5), policy.ListValue(policy.A{policy.StringValue("x")})}).Draw(t, "n")})
			if isItem && rapid.Bool().Draw(t, "has an _id") { // not its own
				doc = append(doc, policy.E{Key: "_id", Value: rapid.SampledFrom([]policy.Value{policy.StringValue("-" + id), policy.Int32Value(-1)}).Draw(t, "_id")})
			}
			if ttl := rapid.SampledFrom([]int32{0, -1, 1, 3600, math.MaxInt32}).Draw(t, "ttl"); ttl != 0 {
				doc = append(doc, policy.E{Key: "ttl", Value: policy.Int32Value(ttl)})
			}
			doc = append(doc, policy.E{Key: "_ts", Value: policy.Int64Value(rapid.OneOf(rapid.Int64Range(95, 112), rapid.Int64Range(0, 4e9)).Draw(t, "_ts"))})
			if isItem {
				doc = append(doc, policy.E{Key: "_rid", Value: policy.StringValue("r")}, policy.E{Key: "_etag", Value: policy.StringValue("e")})
			}
			raw := plainjson.Append(nil, policy.ObjectValue(doc))
			if !isItem {
				raw, _ = policy.AppendBSON(nil, policy.ObjectValue(doc))
			}
			start.docs = append(start.docs, raw)
		}
		there, back := byDeadline(), start.of
		if back.System == definition.CosmosNoSQL && back.Container.DefaultTTL.IsMissing() {
			there = definition.OfMongoDB(mongo.CollectionSpec{}, mongo.Latest(), nil)
		} else if back.System == definition.CosmosNoSQL {
			back = on // as the tool says
		}
		o := drawnImport(t, Options{Field: "expireAt", Replace: rapid.Bool().Draw(t, "replace")})
		documents := start.migrate(t, o, there)
		for i := range documents.docs {
			documents.has(t, i, "_ts", "_rid", "_self", "_etag", "_attachments")
			if !start.doc(t, i).Field("_id").IsMissing() {
				continue
			}
			if documents.has(t, i, "id"); documents.doc(t, i).Field("_id").String() != start.doc(t, i).Field("id").String() {
				t.Fatalf("%s became %s: another _id", start.docs[i], documents.docs[i])
			}
		}
		if there.Collection.Indexes != nil {
			for i := range documents.docs {
				documents.has(t, i, "ttl")
			}
		}
		items := documents.migrate(t, o, back)
		start.sameFields(t, items, "ttl", "_ts", "_rid", "_etag")
		o.Replace = true // a deadline that could not be expressed is still in the field
		documents.sameFields(t, items.migrate(t, o, there), "expireAt")
	})
}
