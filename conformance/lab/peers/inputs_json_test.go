package peers

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// DefaultTTL is the default of the container that the raw items are in, in
// seconds.
const DefaultTTL = 1000

// A JSONShape is a kind of raw item.
type JSONShape struct {
	// Members is the number of the item's members beside those of the store.
	Members int
	// Text is the mean length of the texts among these members; 0 means short texts.
	Text int
}

// The shapes of some 305 bytes, 1 KB and 10 KB, and of 10 KB in a few long
// texts.
var (
	SmallJSON  = JSONShape{Members: 6}
	MediumJSON = JSONShape{Members: 43}
	LargeJSON  = JSONShape{Members: 494}
	TextJSON   = JSONShape{Members: 12, Text: 2790}
)

// MakeItems returns n raw items, as the store keeps them: half have a ttl near
// the front, all have members of all kinds, nested objects that hold a ttl of
// their own among them, and the store's members at the end, _ts last.
func MakeItems(s JSONShape, n int) [][]byte {
	r := source(3)
	items := make([][]byte, n)
	for i := range items {
		items[i] = s.item(r, i)
	}
	return items
}

func (s JSONShape) item(r *rand.Rand, i int) []byte {
	b := fmt.Appendf(nil, `{"id":"%08x","pk":"tenant-%d",`, r.Uint32(), r.IntN(100))
	b = appendTTL(b, r)
	for m := range s.Members {
		if r.IntN(8) > 0 {
			b = s.appendMember(b, m, r)
		}
	}
	return fmt.Appendf(b, `"_rid":"kx1%05dAAAAAAAA==","_self":"dbs/kx1/colls/kx1=/docs/%d/","_etag":"\"%08x-0000-0700\"","_attachments":"attachments/","_ts":%d}`,
		i, r.IntN(1e6), r.Uint32(), NowSeconds-r.Int64N(2*DefaultTTL))
}

// appendTTL appends a random ttl. For half of the items it appends nothing, and for one
// in sixteen a ttl of -1.
func appendTTL(b []byte, r *rand.Rand) []byte {
	switch k := r.IntN(16); {
	case k < 8:
		return b
	case k == 8:
		return append(b, `"ttl":-1,`...)
	}
	return fmt.Appendf(b, `"ttl":%d,`, 1+r.IntN(2*DefaultTTL))
}

// appendMember appends member m; the kinds take turns.
func (s JSONShape) appendMember(b []byte, m int, r *rand.Rand) []byte {
	b = append(b, '"')
	b = append(b, keys[m%len(keys)]...)
	b = strconv.AppendInt(b, int64(m), 10)
	b = append(b, `":`...)
	switch m % 8 {
	case 1:
		b = strconv.AppendInt(b, int64(r.Int32()), 10)
	case 2:
		b = fmt.Appendf(b, `{"ttl":%d,"on":true}`, r.IntN(100))
	case 3:
		b = strconv.AppendBool(b, r.IntN(2) == 0)
	case 5:
		b = strconv.AppendFloat(b, float64(r.IntN(1e6))/100, 'g', -1, 64)
	case 6:
		b = fmt.Appendf(b, `[%d,%d,null]`, r.IntN(10), r.IntN(1000))
	default:
		b = append(append(append(b, '"'), s.text(r)...), '"')
	}
	return append(b, ',')
}

func (s JSONShape) text(r *rand.Rand) []byte {
	n := r.IntN(30)
	if s.Text > 0 {
		n = s.Text/2 + r.IntN(s.Text)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[i%len(letters)]
	}
	return b
}

// An Item is one cell of the matrix of container and item: the container's setting, the
// item's ttl, and the time at which the item was written.
type Item struct {
	Def *int32 // the container's default: -1, or seconds; nil if off
	TTL *int32 // the item's ttl: -1, or seconds; nil if absent
	TS  int64  // seconds since 1970
}

// Items returns n random cells. The columns and rows of the matrix are equally frequent:
// off, -1 and seconds for the container; absent, -1 and seconds for the item. (The matrix
// has no cell for null: the service refuses to store one.) The items belong to a few
// containers, as in a database.
func Items(n int) []Item {
	r := source(1)
	containers := make([]*int32, 24)
	for i := range containers {
		containers[i] = setting(i%3, 1+r.Int32N(2000))
	}
	items := make([]Item, n)
	for i := range items {
		it := &items[i]
		it.Def = containers[r.IntN(len(containers))]
		it.TTL = setting(r.IntN(3), 1+r.Int32N(2000))
		it.TS = NowSeconds - r.Int64N(2000)
	}
	return items
}

// SameContainer returns n items of one container with a default. A pattern of eight items
// repeats, as in a collection with few kinds of items.
func SameContainer(n int) []Item {
	items := Items(8)
	def := int32(1000)
	for i := range items {
		items[i].Def = &def
	}
	all := make([]Item, n)
	for i := range all {
		all[i] = items[i%len(items)]
	}
	return all
}

// setting returns nil, -1 or seconds.
func setting(kind int, seconds int32) *int32 {
	switch kind {
	case 0:
		return nil
	case 1:
		seconds = -1
	}
	return &seconds
}
