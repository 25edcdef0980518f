// Package rows holds the goals, row by row, with everybody who can do the work:
// the library, the peers a user would pick instead, and what bounds them all.
//
// A peer is written as its own users would write it who care for speed:
// prepared once, reused, typed where it can be. A file holds the rows that measure
// the same: memory_items.go G1, date_first.go G2, date_behind.go G3, date_array.go
// G4, sweep.go G5 and G6, raw_items.go G7 and G8, number_texts.go G9, decimal128.go
// G10, columns.go G11 and G12, own_documents.go G13. The peers that need a language
// of their own have a file each.
package rows

import (
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// A Size is how many inputs there are where that is a matter of patience.
type Size struct {
	// Items is how many cells of the matrix there are.
	Items int
	// Sweep is how many small documents a sweep visits.
	Sweep int
	// SweepBytes bounds the bytes of a sweep.
	SweepBytes int
	// Rows is how many rows the columns have.
	Rows int
}

// A Row is one goal's works. They are made when they are asked for, and hold
// their inputs.
type Row struct {
	Name string
	// Works makes the works one after another, so that only one need be held.
	Works []Maker
}

// A Maker makes a work with its inputs.
type Maker func(Size) (race.Work, error)

// All returns the rows in order.
func All() []Row {
	return []Row{
		{"G1", []Maker{matrix, sameContainer}},
		{"G2", []Maker{dateFirst(small), dateFirst(medium), dateFirst(large), anySize}},
		{"G3", walks()},
		{"G4", []Maker{tenDates(small, 12), tenDates(medium, 5), tenDates(large, 2.3)}},
		{"G5", []Maker{sweepLast, sweepTwice}},
		{"G6", []Maker{
			sweepFirst(small, race.Ahead(driverLookup, 1.8), race.Share(readBandwidth, 0.40)),
			sweepOffsets(medium, 1.15), sweepOffsets(large, 1.3),
			sweepFirst(medium, race.Ahead(driverLookup, 1.15), race.Within(lengthWalk, 1.4)),
			sweepFirst(large, race.Ahead(driverLookup, 1.3), race.Within(lengthWalk, 1.4)),
		}},
		{"G7", []Maker{
			trusting(smallJSON), trusting(mediumJSON),
			trusting(largeJSON, race.Within(sonicGet, 1.1)), trusting(textJSON),
		}},
		{"G8", []Maker{validating(smallJSON), validating(mediumJSON), validating(largeJSON), validating(textJSON)}},
		{"G9", numbers()},
		{"G10", decimalsToInt32()},
		{"G11", []Maker{histogram}},
		{"G12", []Maker{bitmap}},
		{"G13", []Maker{documentBSON, documentTyped, documentNamed}},
	}
}

// b2i is 1 for true.
func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
