package peers

import "iter"

// A Size holds the numbers of inputs of works with many inputs.
type Size struct {
	// Items is the number of cells of the matrix.
	Items int
	// Sweep is the number of small documents that a sweep visits.
	Sweep int
	// SweepBytes is the maximum number of bytes of a sweep.
	SweepBytes int
}

// A Row has works that make the same decisions.
type Row struct {
	Name string
	// About says what is decided or read.
	About  string
	makers []maker
}

// A maker makes a work with its inputs, except for the name of its row.
type maker func(Size) Work

// Works makes a work each time it yields, so that only one need be in memory.
func (r Row) Works(size Size) iter.Seq[Work] {
	return func(yield func(Work) bool) {
		for _, makeWork := range r.makers {
			w := makeWork(size)
			w.Row = r.Name
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
	}
}

// sideOf returns a side that counts the inputs for which expired returns true.
func sideOf[T any](name string, all []T, expired func(T) bool) Side {
	return Side{Name: name, N: len(all), Do: func(from, to int) (count int64) {
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
