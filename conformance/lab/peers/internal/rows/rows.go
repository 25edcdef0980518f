// Package rows holds the sides that do the work of each row of docs/performance.md: the library, the peers
// that a user would pick instead, and the limits of any implementation.
//
// A peer is written as users who care for speed would write it: prepared once, reused,
// and typed where possible. Each file holds related rows: memory_items.go G1 and G11,
// date_first.go G2 to G4, sweep.go G5 and G6, json_peers.go G7 and G8, number_texts.go G9
// and G10. The peers that need a language of their own are in
// expr.go.
package rows

import (
	"iter"
)

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
		{"G9", "the number in the text of a `ttl`", numbers()},
		{"G10", "the number of a decimal128", decimalsToInt32()},
		{"G11", "documents behind an interface, beside the same documents at hand", []maker{documentBSON, documentTyped, documentNamed}},
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
