package cases

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The delays of drawn histories, in seconds, and the steps of the clock: a tick reaches some
// deadlines exactly, passes some, and leaves others ahead.
var (
	historyDelays = []int{60, 600, 3600}
	historyTicks  = []policy.Instant{0, 1000, 59_999, 60_000, 600_000, 3_600_000, 7_200_000}
)

// A drawnHistory is a history in the making.
type drawnHistory struct {
	Source
	now    policy.Instant
	steps  policy.A
	stored []int // the numbers of the documents that may be there
	last   int   // the greatest number so far
}

func (h *drawnHistory) add(name string, argument any) {
	h.steps = append(h.steps, object(name, argument))
}

// tick moves the clock, and looks.
func (h *drawnHistory) tick() {
	h.now += Pick(h.Source, historyTicks...)
	h.add("tick", policy.DateValue(h.now))
	h.add("look", policy.BoolValue(true))
}

// number draws the number of a document to write, mostly a new one.
func (h *drawnHistory) number() int {
	if len(h.stored) > 0 && h.sometimes(3) {
		return Pick(h.Source, h.stored...)
	}
	h.last++
	h.stored = append(h.stored, h.last)
	return h.last
}

// date draws a date whose deadline a tick may reach.
func (h *drawnHistory) date() policy.Value {
	return policy.DateValue(h.now + Pick(h.Source, historyTicks...) - Pick(h.Source, historyTicks...))
}

// history draws the steps of a history; change draws one that is no tick.
func (s Source) history(op string, t conformance.Target, change func(*drawnHistory)) Case {
	start := s.ClockOfToday()
	h := &drawnHistory{Source: s, now: start}
	for range s.Range(4, 12) {
		if s.sometimes(3) {
			h.tick()
		} else {
			change(h)
		}
	}
	h.tick()
	return asked(op, t, start, "steps", h.steps)
}

// anyHistory draws a history of a collection with one index, sometimes a partial one. An
// update or a deletion follows the write of its document, because a tick may delete it.
func (s Source) anyHistory() Case {
	exists, isMade := false, false
	seconds := func() policy.Value { return policy.Int32Value(int32(Pick(s, historyDelays...))) }
	target := s.Target("mongodb.history", "3.2.0")
	return s.history("mongodb.history", target, func(h *drawnHistory) {
		switch n := s.Range(0, 12); {
		case n < 4:
			h.write()
			exists = true
		case n == 4:
			h.add("restart", policy.BoolValue(true))
		case n == 5:
			h.add("drop", policy.BoolValue(true))
			exists, isMade, h.stored = false, false, nil
		case n == 6:
			id := h.write()
			exists = true
			switch s.Range(0, 3) {
			case 0:
				h.add("delete", id)
			case 1:
				h.add("update", fields("_id", id, "unset", policy.A{policy.StringValue("t")}))
			default:
				h.add("update", fields("_id", id, "set", object("t", h.date()), "unset", policy.A{policy.StringValue("in")}))
			}
		case n == 7 && (!exists || s.sometimes(4)):
			h.add("create", policy.ObjectValue(nil))
			exists = true
		case !isMade:
			index := Index("t", seconds())
			if s.Knows("partial-index") && s.sometimes(2) {
				index = Put(index, object("in", policy.BoolValue(true)), "partialFilterExpression")
			}
			h.add("createIndexes", index)
			exists, isMade = true, true
		case n == 8:
			h.add("dropIndexes", policy.StringValue("t_1"))
			isMade = false
		default:
			h.add("collMod", object("index", fields("keyPattern", fields("t", one), "expireAfterSeconds", seconds())))
		}
	})
}

// write adds the write of a document, and returns its _id.
func (h *drawnHistory) write() int64 {
	id := int64(h.number())
	document := fields("_id", id, "t", h.date())
	if h.sometimes(2) {
		document = append(document, policy.E{Key: "in", Value: policy.BoolValue(true)})
	}
	h.add("write", document)
	return id
}

// anyContainerHistory draws a history of a container.
func (s Source) anyContainerHistory() Case {
	settings := func() policy.Value {
		d := fields("id", "c")
		if s.sometimes(4) {
			return policy.ObjectValue(d)
		}
		return policy.ObjectValue(append(d, policy.E{Key: "defaultTtl", Value: policy.Int32Value(int32(Pick(s, append([]int{-1}, historyDelays...)...)))}))
	}
	isMade := false
	return s.history("cosmos.history", s.Target("cosmos.history", ""), func(h *drawnHistory) {
		switch n := s.Range(0, 9); {
		case !isMade:
			h.add("create", settings())
			isMade = true
		case n < 5:
			item := fields("id", fmt.Sprintf("i%d", h.number()))
			if s.sometimes(3) {
				item = append(item, policy.E{Key: "ttl", Value: policy.Int32Value(int32(Pick(s, append([]int{-1}, historyDelays...)...)))})
			}
			h.add("write", item)
			if s.sometimes(5) {
				h.add("delete", item.Field("id"))
			}
		case n == 5:
			h.add("restart", policy.BoolValue(true))
		case n == 6:
			h.add("drop", policy.BoolValue(true))
			isMade, h.stored = false, nil
		default:
			h.add("settings", settings())
		}
	})
}
