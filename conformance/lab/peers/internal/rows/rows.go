// Package rows holds the sides that do the work of each row of goals: the library, the peers
// that a user would pick instead, and the limits of any implementation.
//
// A peer is written as users who care for speed would write it: prepared once, reused,
// and typed where possible. Each file holds related rows: memory_items.go G1 and G13,
// date_first.go G2 to G4, sweep.go G5 and G6, json_peers.go G7 and G8, number_texts.go G9
// and G10, rows.go G11 and G12. The peers that need a language of their own are in
// expr.go.
package rows

import (
	"iter"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/columns"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
)

const (
	timeMap        = "time.Time + map"
	readingColumns = "reading the columns"
)

// The histogram has a bin for overdue rows, a bin for each of the next 2,160 hours, a bin
// for later deadlines, and a bin for rows that never expire.
const (
	hours = 2160
	later = hours + 1
	never = hours + 2
	bins  = hours + 3
)

// coldRows is the number of rows in half a megabyte.
const coldRows = 1 << 16

// histogram counts the deadlines of columns by the hour.
func histogram(size Size) race.Work {
	container, b := inputs.Container(inputs.ColumnsDefault), inputs.Must(columns.NewBuckets(inputs.Now, 3600, hours))
	counts := make([]uint64, bins)
	return overColumns("histogram of columns, by the hour", size, func(items columns.Items) []uint64 {
		clear(counts)
		counts[never] = items.CountDeadlines(counts[:b.Len()], b, container)
		return counts
	}, timeMap, countByTime)
}

// bitmap marks the expired rows of columns.
func bitmap(size Size) race.Work {
	container := inputs.Container(inputs.ColumnsDefault)
	var words []uint64
	return overColumns("bitmap of columns", size, func(items columns.Items) []uint64 {
		words = items.AppendExpired(words[:0], container, inputs.Now)
		return words
	}, handWritten, markByHand)
}

// overColumns compares the library's work on columns with a peer's.
func overColumns(name string, size Size, ours func(columns.Items) []uint64, peer string, theirs func(c inputs.Columns, from, to int) []uint64) race.Work {
	c := inputs.MakeColumns(size.Rows)
	items := c.Items()
	return race.Work{
		Name: name, Block: max(1, size.Rows/16),
		Sides: []race.Side{
			{Name: race.Ours, Cold: coldRows, N: size.Rows, Do: func(from, to int) int64 { return digest(ours(items.Slice(from, to))) }},
			{Name: peer, N: size.Rows, Do: func(from, to int) int64 { return digest(theirs(c, from, to)) }},
			reading(c),
		},
	}
}

// reading returns a side that only reads: it adds up both columns.
func reading(c inputs.Columns) race.Side {
	return race.Side{Name: readingColumns, Apart: true, Cold: coldRows, N: len(c.TS), Do: func(from, to int) int64 {
		ts, ttl := c.TS[from:to], c.TTL[from:to]
		var sum int64
		for i := range ts {
			sum += int64(ts[i]) + int64(ttl[i])
		}
		return sum
	}}
}

// countByTime counts deadlines with package time: the hour of a deadline is the key of a
// map.
func countByTime(c inputs.Columns, from, to int) []uint64 {
	counts := make([]uint64, bins)
	now := time.Unix(inputs.NowSeconds, 0).UTC()
	perHour := map[time.Time]uint64{}
	for i := from; i < to; i++ {
		seconds := c.TTL[i]
		if seconds == 0 {
			seconds = inputs.ColumnsDefault
		}
		if seconds < 0 {
			counts[never]++
			continue
		}
		deadline := time.Unix(int64(c.TS[i]), 0).UTC().Add(time.Duration(seconds) * time.Second)
		if deadline.Before(now) {
			counts[0]++
			continue
		}
		perHour[deadline.Truncate(time.Hour)]++
	}
	for hour, n := range perHour {
		counts[min(1+int(hour.Sub(now)/time.Hour), later)] += n
	}
	return counts
}

// markByHand sets a bit for each row that has expired.
func markByHand(c inputs.Columns, from, to int) []uint64 {
	words := make([]uint64, (to-from+63)/64)
	for i := range to - from {
		seconds := int64(c.TTL[from+i])
		if seconds == 0 {
			seconds = inputs.ColumnsDefault
		}
		if seconds > 0 && int64(c.TS[from+i])+seconds <= inputs.NowSeconds {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return words
}

// digest is a hash of a histogram or a bitmap.
func digest(words []uint64) (sum int64) {
	for i, w := range words {
		sum = sum*3 + int64(w) + int64(i&1)
	}
	return sum
}

// A Size holds the numbers of inputs of works with many inputs.
type Size struct {
	// Items is the number of cells of the matrix.
	Items int
	// Sweep is the number of small documents that a sweep visits.
	Sweep int
	// SweepBytes is the maximum number of bytes of a sweep.
	SweepBytes int
	// Rows is the number of rows of the columns.
	Rows int
}

// A Row has works that make the same decisions.
type Row struct {
	Name string
	// About says what is decided or read.
	About  string
	makers []maker
}

// A maker makes a work with its inputs, except for the name of its row.
type maker func(Size) race.Work

// Works makes a work each time it yields, so that only one need be in memory.
func (r Row) Works(size Size) iter.Seq[race.Work] {
	return func(yield func(race.Work) bool) {
		for _, makeWork := range r.makers {
			w := makeWork(size)
			w.Row, w.About = r.Name, r.About
			if !yield(w) {
				return
			}
		}
	}
}

// All returns the rows in order.
func All() []Row {
	return []Row{
		{"G1", "items of Cosmos DB in memory", []maker{matrix, sameContainer}},
		{"G2", "BSON whose date comes first", datesFirst()},
		{"G3", "BSON whose date comes later, or lies at a dotted path, or has a filter before it", datesBehind()},
		{"G4", "arrays of dates in BSON", []maker{tenDates(small), tenDates(medium), tenDates(large)}},
		{"G5", "sweeps over many documents of BSON with the date last, for each document", sweepsLast()},
		{"G6", "the same with the date first", sweepsFirst()},
		{"G7", "items of Cosmos DB as JSON that was checked before", []maker{trusting(smallJSON), trusting(mediumJSON), trusting(largeJSON), trusting(textJSON)}},
		{"G8", "items of Cosmos DB as JSON that is checked on the way", []maker{validating(smallJSON), validating(mediumJSON), validating(largeJSON), validating(textJSON)}},
		{"G9", "the number in the text of a `ttl`", numbers()},
		{"G10", "the number of a decimal128", decimalsToInt32()},
		{"G11", "columns of dates: a histogram, for each row", []maker{histogram}},
		{"G12", "columns of dates: a bitmap of what has expired, for each row", []maker{bitmap}},
		{"G13", "documents behind an interface, beside the same documents at hand", []maker{documentBSON, documentTyped, documentNamed}},
	}
}

// sideOf returns a side that counts the inputs for which expired returns true.
func sideOf[T any](name string, all []T, expired func(T) bool) race.Side {
	return race.Side{Name: name, N: len(all), Do: func(from, to int) (count int64) {
		for _, input := range all[from:to] {
			count += b2i(expired(input))
		}
		return count
	}}
}

// b2i returns 1 for true and 0 for false.
func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
