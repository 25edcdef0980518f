package rows

import (
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

const (
	timeMap        = "time.Time + map"
	readingColumns = "reading the columns"
)

// The histogram has a bin for each of the next 2,160 hours, and one each for
// what is overdue, what is later, and what never expires.
const (
	hours   = 2160
	overdue = hours
	later   = hours + 1
	never   = hours + 2
	bins    = hours + 3
)

// histogram counts the deadlines of columns by the hour.
func histogram(size Size) (race.Work, error) {
	c := inputs.MakeColumns(size.Rows)
	return race.Work{
		Row: "G11", Name: "histogram of columns, by the hour", Block: max(1, size.Rows/16),
		Sides: []race.Side{
			{Name: timeMap, N: size.Rows, Do: func(from, to int) int64 { return digest(countByTime(c, from, to)) }},
			reading(c, size.Rows),
		},
		Goals: []race.Goal{race.Ahead(timeMap, 12), race.Share(readingColumns, 0.28)},
	}, nil
}

// bitmap marks the expired among columns.
func bitmap(size Size) (race.Work, error) {
	c := inputs.MakeColumns(size.Rows)
	return race.Work{
		Row: "G12", Name: "bitmap of columns", Block: max(1, size.Rows/16),
		Sides: []race.Side{reading(c, size.Rows)},
		Goals: []race.Goal{race.Share(readingColumns, 0.45)},
	}, nil
}

// reading adds both columns up.
func reading(c inputs.Columns, n int) race.Side {
	return race.Side{Name: readingColumns, Apart: true, Whole: true, N: n, Do: func(from, to int) int64 {
		ts, ttl := c.TS[from:to], c.TTL[from:to]
		var sum int64
		for i := range ts {
			sum += int64(ts[i]) + int64(ttl[i])
		}
		return sum
	}}
}

// countByTime counts as one does with package time: the deadline's hour is the
// key of a map.
func countByTime(c inputs.Columns, from, to int) (counts [bins]int64) {
	now := time.Unix(inputs.NowSeconds, 0).UTC()
	perHour := map[time.Time]int64{}
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
		if !deadline.After(now) {
			counts[overdue]++
			continue
		}
		perHour[deadline.Truncate(time.Hour)]++
	}
	for hour, n := range perHour {
		if bin := int(hour.Sub(now) / time.Hour); bin < hours {
			counts[bin] = n
		} else {
			counts[later] += n
		}
	}
	return counts
}

// digest is a number that tells histograms apart.
func digest(counts [bins]int64) (sum int64) {
	for bin, n := range counts {
		sum += int64(bin+1) * int64(bin+7) * n
	}
	return sum
}
