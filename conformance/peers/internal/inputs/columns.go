package inputs

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy/columns"
)

// Columns are items as a database keeps them apart: when each was written and
// its own ttl, 8 bytes a row.
type Columns struct {
	TS  []uint32 // seconds since 1970
	TTL []int32  // seconds, -1 for never, 0 for absent
}

// ColumnsDefault is the container's default for rows without a ttl, in seconds:
// 30 days.
const ColumnsDefault = 30 * 24 * 3600

// MakeColumns returns n rows written within the last 40 days, so that a quarter is
// overdue. One in five has
// a ttl of its own of up to 120 days, and one in twenty never expires.
func MakeColumns(n int) Columns {
	r := source(4)
	c := Columns{TS: make([]uint32, n), TTL: make([]int32, n)}
	for i := range n {
		c.TS[i] = uint32(NowSeconds - r.Int64N(40*24*3600))
		switch k := r.IntN(20); {
		case k < 4:
			c.TTL[i] = 1 + r.Int32N(120*24*3600)
		case k == 4:
			c.TTL[i] = -1
		}
	}
	return c
}

// Items returns the rows as columns of the library.
func (c Columns) Items() (items columns.Items) {
	for i, ts := range c.TS {
		item := cosmos.Item{TS: cosmos.TimestampSeconds(int64(ts))}
		if c.TTL[i] != 0 {
			item.TTL = cosmos.TTLSeconds(int64(c.TTL[i]))
		}
		items.Append(item)
	}
	return items
}
