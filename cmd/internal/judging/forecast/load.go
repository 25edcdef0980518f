package forecast

import "math"

// loadHours is the number of hours that a load covers, the longest horizon.
const loadHours = 30 * 24

// A Load counts the documents that expire in each minute after now, up to the longest
// horizon. It needs memory only for hours in which documents expire, 0.4 MB at most.
type Load struct {
	// Hours are the counts by hour and minute; nil for an hour in which no document expires, and nil if
	// none does.
	Hours *[loadHours]*[60]int64
}

// Add counts n documents that expire in the given minute of the load, counted from 0. Minute m is the time
// later than m minutes from now, and up to m+1 minutes from now.
func (l *Load) Add(minute int, n int64) {
	if l.Hours == nil {
		l.Hours = new([loadHours]*[60]int64)
	}
	h := &l.Hours[minute/60]
	if *h == nil {
		*h = new([60]int64)
	}
	(*h)[minute%60] += n
}

// Merge adds the counts of u.
func (l *Load) Merge(u *Load) {
	for minute, n := range u.All() {
		l.Add(minute, n)
	}
}

// All yields the minutes in which documents expire, in order, with the number of documents.
func (l *Load) All() func(yield func(minute int, n int64) bool) {
	return func(yield func(int, int64) bool) {
		for i := range loadHours {
			h := l.hour(i)
			if h == nil {
				continue
			}
			for j, n := range h {
				if n > 0 && !yield(60*i+j, n) {
					return
				}
			}
		}
	}
}

// hour returns the counts by minute of an hour; nil if no document expires in the hour.
func (l *Load) hour(n int) *[60]int64 {
	if l.Hours == nil {
		return nil
	}
	return l.Hours[n]
}

// Peak returns the first minute with the largest number of expiring documents, and that
// number; 0 if no document expires.
func (l *Load) Peak() (minute int, n int64) {
	for m, k := range l.All() {
		if k > n {
			minute, n = m, k
		}
	}
	return minute, n
}

// A Day is a day of a load, counted from now.
type Day struct {
	Documents int64 `json:"documents"`
	Peak      int64 `json:"peak"` // the largest number of documents that expire in one minute of the day
}

// Days returns the days of the load.
func (l *Load) Days() [loadHours / 24]Day {
	var days [loadHours / 24]Day
	for minute, n := range l.All() {
		d := &days[minute/(24*60)]
		d.Documents += n
		d.Peak = max(d.Peak, n)
	}
	return days
}

// A Drain is the result of deleting a backlog at a given number of documents a second.
type Drain struct {
	// Seconds is the time until the backlog and all documents that expire meanwhile are
	// deleted; -1 if documents are left at the end of the load.
	Seconds int64
	// Most is the largest number of documents that wait for deletion at the end of a
	// minute after the backlog is deleted.
	Most int64
}

// Drain simulates the deletion of the load at a rate of perSecond, which must be above 0.
// Documents that expire in a minute can be deleted from the end of that minute on.
func (l *Load) Drain(backlog int64, perSecond float64) Drain {
	d := Drain{Seconds: -1}
	left, rate := float64(backlog), 60*perSecond
	if left == 0 {
		d.Seconds = 0
	}
	for minute := range loadHours * 60 {
		if d.Seconds < 0 && left <= rate {
			d.Seconds = int64(60*minute) + int64(math.Ceil(left/perSecond))
		}
		left = max(left-rate, 0)
		if h := l.hour(minute / 60); h != nil {
			left += float64(h[minute%60])
		}
		if d.Seconds >= 0 {
			d.Most = max(d.Most, int64(math.Ceil(max(left-rate, 0))))
		}
	}
	return d
}
