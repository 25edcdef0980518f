package peers

import (
	"slices"
	"sync"
	"testing"
)

// tiny has few inputs, but enough to run every side.
var tiny = Size{Items: 500, Sweep: 300, SweepBytes: 1 << 20}

// works calls f with every work of every row.
func works(t *testing.T, f func(t *testing.T, w Work)) {
	for _, w := range made() {
		t.Run(w.Title(), func(t *testing.T) { f(t, w) })
	}
}

var made = sync.OnceValue(func() (all []Work) {
	for _, row := range All() {
		all = slices.AppendSeq(all, row.Works(tiny))
	}
	return all
})

// TestAgree: every side gives the answers of the library, except for the listed
// exceptions.
func TestAgree(t *testing.T) {
	works(t, func(t *testing.T, w Work) {
		if err := w.Agree(); err != nil {
			t.Error(err)
		}
	})
}

// TestAgreeBites: Agree notices a wrong answer of any side, even about a single input.
func TestAgreeBites(t *testing.T) {
	works(t, func(t *testing.T, w Work) {
		for i, side := range w.Sides {
			if side.Apart || i == 0 {
				continue
			}
			wrong := w
			wrong.Sides = []Side{w.Sides[0], side}
			wrong.Sides[1].Do = func(from, to int) int64 {
				if from == 0 {
					return side.Do(from, to) + 1
				}
				return side.Do(from, to)
			}
			if w.IsException(side.Name, 0) {
				continue // its answer there differs from the library's anyway
			}
			if err := wrong.Agree(); err == nil {
				t.Errorf("%s: a wrong answer of %s is not noticed", w.Title(), side.Name)
			}
		}
	})
}

// TestAnswersVary: some inputs have expired and some have not, or a constant answer could
// agree by luck.
func TestAnswersVary(t *testing.T) {
	works(t, func(t *testing.T, w Work) {
		first := w.Sides[0]
		if first.N < 32 || w.Block > 1 || first.Apart {
			return // single values, or sums
		}
		expired := first.Do(0, first.N)
		if share := float64(expired) / float64(first.N); share < 0.1 || share > 0.9 {
			t.Errorf("%s: %d of %d have expired, want some and not most", w.Title(), expired, first.N)
		}
	})
}
