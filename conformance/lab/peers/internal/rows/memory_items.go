package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	handWritten   = "hand-written Go"
	readingInputs = "reading the inputs"
)

// matrix makes a work about random cells of the matrix, whose containers change from item to
// item.
func matrix(size Size) Work {
	items := inputs.Items(size.Items)
	facts := factsOf(items)
	return Work{
		Name: "items in memory",
		Sides: append(typed(items),
			exprSide(facts), celSide(facts), celConvertedSide(facts), cedarSide(facts), opaSide(facts), mapSide(items)),
	}
}

// sameContainer makes the work that is easiest for branch prediction: one policy, and items
// that repeat.
func sameContainer(Size) Work {
	return Work{Name: "one repeating policy", Sides: typed(inputs.SameContainer(1 << 12))}
}

// typed returns the sides for decoded items: the library, handwritten Go, and reading the
// same fields without deciding.
func typed(items []inputs.Item) []Side {
	cells := cellsOf(items)
	return []Side{
		{Name: Ours, N: len(cells), Do: func(from, to int) (expired int64) {
			for i := range cells[from:to] {
				c := &cells[from+i]
				expired += b2i(c.container.DecideItem(c.item, inputs.Now).State == policy.Expired)
			}
			return expired
		}},
		{Name: handWritten, N: len(items), Do: func(from, to int) (expired int64) {
			for i := range items[from:to] {
				it := &items[from+i]
				expired += b2i(expiredByHand(it.Def, it.TTL, it.TS, inputs.NowSeconds))
			}
			return expired
		}},
		{Name: readingInputs, Apart: true, N: len(cells), Do: func(from, to int) (sum int64) {
			for i := range cells[from:to] {
				c := &cells[from+i]
				sum += c.read()
			}
			return sum
		}},
	}
}

// A cell is an item and the container that it is in.
type cell struct {
	container *cosmos.Container
	item      cosmos.Item
}

// read reads the settings and properties that a decision reads, and decides nothing.
func (c *cell) read() int64 {
	ts, _ := c.item.TS.Seconds()
	return ts + b2i(c.item.TTL == (cosmos.TTL{})) + b2i(c.container == nil)
}

// cellsOf compiles each container once.
func cellsOf(items []inputs.Item) []cell {
	compiled := map[int32]*cosmos.Container{}
	cells := make([]cell, len(items))
	for i, it := range items {
		def := int32(0)
		if it.Def != nil {
			def = *it.Def
		}
		if compiled[def] == nil {
			compiled[def] = it.Container()
		}
		cells[i] = cell{compiled[def], it.Typed()}
	}
	return cells
}

// expiredByHand is the rule in plain Go. A nil def or ttl is absent.
//
//go:noinline
func expiredByHand(def, ttl *int32, ts, now int64) bool {
	if def == nil {
		return false
	}
	seconds := *def
	if ttl != nil {
		seconds = *ttl
	}
	return seconds != -1 && ts+int64(seconds) <= now
}

// mapSide decides about items as encoding/json decodes them into maps.
func mapSide(items []inputs.Item) Side {
	maps := make([]map[string]any, len(items))
	for i, it := range items {
		maps[i] = map[string]any{"id": "item", "_ts": float64(it.TS)}
		if it.TTL != nil {
			maps[i]["ttl"] = float64(*it.TTL)
		}
	}
	return Side{Name: "map + type switch", N: len(items), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			expired += b2i(expiredMap(items[i].Def, maps[i], inputs.NowSeconds))
		}
		return expired
	}}
}

func expiredMap(def *int32, item map[string]any, now int64) bool {
	if def == nil {
		return false
	}
	seconds := int64(*def)
	switch ttl := item["ttl"].(type) {
	case nil:
	case float64:
		seconds = int64(ttl)
	default:
		return false
	}
	ts, ok := item["_ts"].(float64)
	return ok && seconds != -1 && int64(ts)+seconds <= now
}

const throughDocument = "through a database's own Document"

// A bsonRow is a database's own document: raw BSON, with a Finder that the database made
// for the one needed field.
type bsonRow struct {
	finder rawbson.Finder
	raw    []byte
}

// Field implements policy.Document.
func (r *bsonRow) Field(name string) policy.Value {
	if name != inputs.DateField {
		return policy.Value{}
	}
	field, _ := r.finder.Find(r.raw)
	date, ok := field.AsDate()
	if !ok {
		return policy.Value{}
	}
	return policy.DateValue(policy.Instant(date))
}

// documentBSON compares raw BSON with a database's own document. Both sides read the same
// date, the first field.
func documentBSON(Size) Work {
	d := documents(small, inputs.First)
	x := byDate.index()
	row := bsonRow{finder: rawbson.NewFinder(inputs.DateField)}
	through := Side{Name: throughDocument, N: d.Len(), Do: func(from, to int) (count int64) {
		for i := from; i < to; i++ {
			row.raw = d.At(i)
			count += b2i(x.Decide(&row, inputs.Now).State == policy.Expired)
		}
		return count
	}}
	return interfaceWork("BSON, 187 B, date first", byDate.ours(d), through)
}

// Item returns both properties. The cell stands for a database's own decoded item.
func (c *cell) Item() cosmos.Item { return c.item }

// Field implements policy.Document. Decide calls Item, and never Field.
func (c *cell) Field(string) policy.Value { panic("a typed item was asked by name") }

// documentTyped compares decoded items that are passed directly with the same items
// behind the interface, where Decide calls the method Item.
func documentTyped(size Size) Work {
	return throughItems("typed item", size, func(c *cell) policy.Document { return c })
}

// A namedItem is a decoded item with prepared Values, whose fields are looked up by name
// only.
type namedItem struct{ ttl, ts policy.Value }

// Field implements policy.Document.
func (it *namedItem) Field(name string) policy.Value {
	switch name {
	case "_ts":
		return it.ts
	case "ttl":
		return it.ttl
	}
	return policy.Value{}
}

func nameItem(c *cell) policy.Document {
	var it namedItem
	if ts, ok := c.item.TS.Seconds(); ok {
		it.ts = policy.Int64Value(ts)
	}
	if seconds, ok := c.item.TTL.Seconds(); ok {
		it.ttl = policy.Int32Value(int32(seconds))
	} else if c.item.TTL == cosmos.Never {
		it.ttl = policy.Int32Value(-1)
	}
	return &it
}

// documentNamed is documentTyped for items whose properties are read by name. The items
// fit into a cache, because two Values are large, and waiting for memory is not to be
// measured.
func documentNamed(size Size) Work {
	size.Items = min(size.Items, 1<<12)
	return throughItems("typed item, by name", size, nameItem)
}

// throughItems measures two ways to decide: about cells, and about the documents that
// document makes of those cells.
func throughItems(name string, size Size, document func(*cell) policy.Document) Work {
	items := inputs.Items(size.Items)
	cells := cellsOf(items)
	docs := make([]policy.Document, len(cells))
	for i := range cells {
		docs[i] = document(&cells[i])
	}
	through := Side{Name: throughDocument, N: len(cells), Do: func(from, to int) (count int64) {
		for i := range cells[from:to] {
			count += b2i(cells[from+i].container.Decide(docs[from+i], inputs.Now).State == policy.Expired)
		}
		return count
	}}
	return interfaceWork(name, typed(items)[0], through)
}

// interfaceWork compares a concrete side with a side that decides through the interface.
func interfaceWork(name string, concrete, through Side) Work {
	return Work{
		Name: name, Sides: []Side{concrete, through},
	}
}
