package cases

import (
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
	stored []int // the numbers of the documents that have been written
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

// number draws the number of a document, mostly a new one.
func (h *drawnHistory) number() int {
	n := len(h.stored) + 1
	if len(h.stored) > 0 && h.sometimes(3) {
		n = Pick(h.Source, h.stored...)
	} else {
		h.stored = append(h.stored, n)
	}
	return n
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

// anyHistory draws a history of a collection with one index.
func (s Source) anyHistory() Case {
	isMade := false
	seconds := func() policy.Value { return policy.Int32Value(int32(Pick(s, historyDelays...))) }
	return s.history("mongodb.history", s.Target("mongodb.history", "3.2.0"), func(h *drawnHistory) {
		switch n := s.Range(0, 9); {
		case n < 4:
			h.add("write", fields("_id", int64(h.number()), "t", policy.DateValue(h.now+Pick(s, historyTicks...)-Pick(s, historyTicks...))))
		case n == 4:
			h.add("restart", policy.BoolValue(true))
		case n == 5:
			h.add("drop", policy.BoolValue(true))
			isMade = false
		case !isMade:
			h.add("createIndexes", Index("t", seconds()))
			isMade = true
		case n == 6:
			h.add("dropIndexes", policy.StringValue("t_1"))
			isMade = false
		default:
			h.add("collMod", object("index", fields("keyPattern", fields("t", one), "expireAfterSeconds", seconds())))
		}
	})
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
			item := fields("id", string(rune('a'+h.number()-1)))
			if s.sometimes(3) {
				item = append(item, policy.E{Key: "ttl", Value: policy.Int32Value(int32(Pick(s, append([]int{-1}, historyDelays...)...)))})
			}
			h.add("write", item)
		case n == 5:
			h.add("restart", policy.BoolValue(true))
		case n == 6:
			h.add("drop", policy.BoolValue(true))
			isMade = false
		default:
			h.add("settings", settings())
		}
	})
}
