package peers

import (
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	handWritten   = "hand-written Go"
	readingInputs = "reading the inputs"
)

// matrix makes a work about random cells of the matrix, whose containers change from item to
// item.
func matrix(size Size) Work {
	items := Items(size.Items)
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
	return Work{Name: "one repeating policy", Sides: typed(SameContainer(1 << 12))}
}

// typed returns the sides for decoded items: the library, handwritten Go, and reading the
// same fields without deciding.
func typed(items []Item) []Side {
	cells := cellsOf(items)
	return []Side{
		{Name: Ours, N: len(cells), Do: func(from, to int) (expired int64) {
			for i := range cells[from:to] {
				c := &cells[from+i]
				expired += b2i(c.container.DecideItem(c.item, Now).State == policy.Expired)
			}
			return expired
		}},
		{Name: handWritten, N: len(items), Do: func(from, to int) (expired int64) {
			for i := range items[from:to] {
				it := &items[from+i]
				expired += b2i(expiredByHand(it.Def, it.TTL, it.TS, NowSeconds))
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
func cellsOf(items []Item) []cell {
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
func mapSide(items []Item) Side {
	maps := make([]map[string]any, len(items))
	for i, it := range items {
		maps[i] = map[string]any{"id": "item", "_ts": float64(it.TS)}
		if it.TTL != nil {
			maps[i]["ttl"] = float64(*it.TTL)
		}
	}
	return Side{Name: "map + type switch", N: len(items), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			expired += b2i(expiredMap(items[i].Def, maps[i], NowSeconds))
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
