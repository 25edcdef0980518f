package forecast

import (
	"cmp"
	"slices"
)

// A Count is the deadlines of a span of time.
type Count struct {
	Expired int64 `json:"expired"` // deadlines that have come
	Pending int64 `json:"pending"` // deadlines that lie ahead
	Bytes   int64 `json:"bytes"`   // the size of the documents
}

// Documents returns the number of deadlines.
func (c Count) Documents() int64 { return c.Expired + c.Pending }

func (c *Count) add(d Count) {
	c.Expired += d.Expired
	c.Pending += d.Pending
	c.Bytes += d.Bytes
}

const (
	tableBits = 12
	tableSize = 1 << tableBits
	// maxBuckets keeps half of the places free, so that a search is short.
	maxBuckets = tableSize / 2
)

// A table is a map from a bucket's number to its count, of a fixed size and
// without allocation, for up to maxBuckets buckets.
type table struct {
	places [tableSize]numbered // one without documents is free
	used   []int32             // those that are not
}

// numbered is a bucket and its number.
type numbered struct {
	number int64
	Count
}

// add adds c, which is not empty, to a bucket. It reports false, and adds
// nothing, if there is no room for another bucket.
func (t *table) add(number int64, c Count) bool {
	i := home(number)
	for t.places[i].number != number || t.places[i].Documents() == 0 {
		if t.places[i].Documents() == 0 {
			if len(t.used) == maxBuckets {
				return false
			}
			t.places[i].number, t.used = number, append(t.used, int32(i))
			break
		}
		i = (i + 1) % tableSize
	}
	t.places[i].add(c)
	return true
}

// home spreads numbers, which often follow one another, over the table.
func home(key int64) uint64 { return uint64(key) * 0x9E3779B97F4A7C15 >> (64 - tableBits) }

func (t *table) reset() {
	for _, i := range t.used {
		t.places[i] = numbered{}
	}
	t.used = t.used[:0]
}

// list returns the buckets in the order of their numbers.
func (t *table) list() []numbered {
	list := make([]numbered, 0, len(t.used))
	for _, i := range t.used {
		list = append(list, t.places[i])
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	return list
}
