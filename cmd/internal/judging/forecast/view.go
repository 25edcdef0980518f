package forecast

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Bucket counts the deadlines from Start up to, but not including, End.
type Bucket struct {
	Start, End policy.Instant
	Count
}

// A View is a histogram for display: consecutive buckets, including empty buckets, and
// the sums of the deadlines before and after them.
type View struct {
	Width         Width
	Buckets       []Bucket
	Before, After Count
}

// shown are the widths that a view may choose.
var shown = slices.Concat(
	widths("1s", "2s", "5s", "10s", "15s", "30s", "1m", "2m", "5m", "10m", "15m", "30m",
		"1h", "2h", "3h", "6h", "12h", "1d", "2d", "1w", "2w", "1mo", "2mo", "3mo", "6mo"),
	years(0, 8, 1, 2, 5),
)

// View returns h for display. The argument most is the maximum number of buckets. Without
// deadlines and without a period, the view has no buckets. If the user chose the width,
// the view has the buckets near now, or all buckets of the period. Otherwise the width is
// the finest in which all deadlines fit. If the view becomes much finer without the few
// deadlines at the ends, it leaves these out.
func (h *Histogram) View(most int) View {
	list := h.table.sorted()
	if !h.period && len(list) == 0 && h.before.Documents()+h.after.Documents() == 0 {
		return View{Width: h.width}
	}
	if h.given {
		first, last := h.lo, h.hi
		if now := h.width.index(h.now); !h.period {
			if len(list) == 0 { // all deadlines are too far from now
				list = []numbered{{number: now}}
			}
			first, last = window(list[0].number, list[len(list)-1].number, now, int64(most))
		}
		return h.view(list, h.width, first, last)
	}
	width, rank := h.fit(list, most)
	shown, bulk := list, trim(list)
	if w, fine := h.fit(bulk, most); fine+detail <= rank {
		width, shown = w, bulk
	}
	return h.view(list, width, h.number(width, shown[0]), h.number(width, shown[len(shown)-1]))
}

// window returns the numbers of the first and the last bucket to show of the buckets
// first to last. The argument most is the maximum number of buckets to show. Three
// quarters of them are in the future if the deadlines allow it.
func window(first, last, now, most int64) (from, to int64) {
	if last-first < most {
		return first, last
	}
	from = min(max(now-most/4, first), last-most+1)
	return from, from + most - 1
}

// detail is the minimum number of steps of width by which a view must become finer before
// it leaves out deadlines.
const detail = 3

// fit returns the finest width in which list needs no more buckets than the limit most,
// and the rank of that width among the shown widths.
func (h *Histogram) fit(list []numbered, most int) (w Width, rank int) {
	for rank, w = range shown {
		span := h.number(w, list[len(list)-1]) - h.number(w, list[0])
		if w.covers(h.width) && span < int64(most) {
			break
		}
	}
	return w, rank
}

// number returns the number of the bucket of width w that contains b.
func (h *Histogram) number(w Width, b numbered) int64 { return w.index(h.width.start(b.number)) }

// trim returns list without buckets at both ends. The buckets removed at one end hold at
// most a hundredth of the documents. Of 20 to 99 documents, they hold at most one.
func trim(list []numbered) []numbered {
	var total int64
	for _, b := range list {
		total += b.Documents()
	}
	few := total / 100
	if total >= 20 {
		few = max(few, 1)
	}
	first, last := 0, len(list)-1
	for left := few - list[first].Documents(); left >= 0 && first < last; left -= list[first].Documents() {
		first++
	}
	for left := few - list[last].Documents(); left >= 0 && last > first; left -= list[last].Documents() {
		last--
	}
	return list[first : last+1]
}

// view returns the buckets first to last of width w, and the sums of all earlier and all
// later buckets.
func (h *Histogram) view(list []numbered, w Width, first, last int64) View {
	v := View{Width: w, Before: h.before, After: h.after, Buckets: make([]Bucket, last-first+1)}
	for i := range v.Buckets {
		n := first + int64(i)
		v.Buckets[i] = Bucket{Start: w.start(n), End: w.start(n + 1)}
	}
	for _, b := range list {
		switch n := h.number(w, b); {
		case n < first:
			v.Before.add(b.Count)
		case n > last:
			v.After.add(b.Count)
		default:
			v.Buckets[n-first].add(b.Count)
		}
	}
	return v
}
