package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/rawbson"
)

const throughDocument = "through a database's own Document"

// A bsonRow is a database's own document: raw BSON, and a Finder that the
// database made for the one field that is asked for.
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

// documentBSON compares the two ways to the same date, which is in front.
func documentBSON(Size) (race.Work, error) {
	d := small.documents(inputs.First)
	x := byDate.index()
	row := bsonRow{finder: rawbson.NewFinder(inputs.DateField)}
	through := race.Side{Name: throughDocument, N: d.Len(), Do: func(from, to int) (count int64) {
		for i := from; i < to; i++ {
			row.raw = d.At(i)
			count += b2i(x.Decide(&row, inputs.Now).State == policy.Expired)
		}
		return count
	}}
	return interfaceWork("BSON, 187 B, date first", byDate.ours(d), through, 14), nil
}

// Item returns both properties: a cell is a database's own item, decoded.
func (c *cell) Item() cosmos.Item { return c.item }

// Field implements policy.Document. Nobody asks by name who can ask for the
// item.
func (c *cell) Field(string) policy.Value { panic("a typed item was asked by name") }

// documentTyped compares an item that is at hand with one that is asked.
func documentTyped(size Size) (race.Work, error) {
	return throughItems("typed item", size, func(c *cell) policy.Document { return c }), nil
}

// A namedItem is a decoded item that is only asked by name.
type namedItem cosmos.Item

// Field implements policy.Document.
func (it *namedItem) Field(name string) policy.Value {
	seconds, own := it.TTL.Seconds()
	switch {
	case name == "_ts":
		ts, _ := it.TS.Seconds()
		return policy.Int64Value(ts)
	case name == "ttl" && own:
		return policy.Int32Value(int32(seconds))
	case name == "ttl" && it.TTL.IsNever():
		return policy.Int32Value(-1)
	}
	return policy.Value{}
}

// documentNamed is the same for an item that is asked by name.
func documentNamed(size Size) (race.Work, error) {
	return throughItems("typed item, by name", size, func(c *cell) policy.Document { return (*namedItem)(&c.item) }), nil
}

// throughItems compares cells that are at hand with documents made of them.
func throughItems(name string, size Size, document func(*cell) policy.Document) race.Work {
	items := inputs.Items(size.Items)
	cells := cellsOf(items)
	docs := make([]policy.Document, len(cells))
	for i := range cells {
		docs[i] = document(&cells[i])
	}
	through := race.Side{Name: throughDocument, N: len(cells), Do: func(from, to int) (count int64) {
		for i := range cells[from:to] {
			count += b2i(cells[from+i].container.Decide(docs[from+i], inputs.Now).State == policy.Expired)
		}
		return count
	}}
	return interfaceWork(name, typed(items)[0], through, 5)
}

// interfaceWork holds the allocations of the way through the interface to 0
// too, because a document that is boxed for each decision would show there.
func interfaceWork(name string, concrete, through race.Side, more float64) race.Work {
	return race.Work{
		Row: "G13", Name: name, Sides: []race.Side{concrete, through},
		Goals: []race.Goal{
			race.More(throughDocument, race.Ours, more),
			{Name: "allocations through it", AtMost: true, Unit: "allocations", Ratio: func(race.Medians) float64 { return through.Allocations() }},
		},
	}
}
