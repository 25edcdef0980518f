package rows

import (
	"slices"
	"sync"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
)

// tiny has few inputs, but enough to run every side.
var tiny = Size{Items: 500, Sweep: 300, SweepBytes: 1 << 20, Rows: 4096}

// works calls f with every work of every row.
func works(t *testing.T, f func(t *testing.T, w race.Work)) {
	for _, w := range made() {
		t.Run(w.Title(), func(t *testing.T) { f(t, w) })
	}
}

var made = sync.OnceValue(func() (all []race.Work) {
	for _, row := range All() {
		all = slices.AppendSeq(all, row.Works(tiny))
	}
	return all
})

// TestAgree: every side gives the answers of the library, except for the listed
// exceptions.
func TestAgree(t *testing.T) {
	works(t, func(t *testing.T, w race.Work) {
		if err := w.Agree(); err != nil {
			t.Error(err)
		}
	})
}

// TestAgreeBites: Agree notices a wrong answer of any side, even about a single input.
func TestAgreeBites(t *testing.T) {
	works(t, func(t *testing.T, w race.Work) {
		for i, side := range w.Sides {
			if side.Apart || i == 0 {
				continue
			}
			wrong := w
			wrong.Sides = []race.Side{w.Sides[0], side}
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
	works(t, func(t *testing.T, w race.Work) {
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

// TestGoals: each goal names an existing work, and an existing side or figure; each work
// has a goal; and each name is unique, so that a program can look a line up.
func TestGoals(t *testing.T) {
	all, names := goals.All(), map[string]bool{}
	for _, g := range all {
		if names[g.Name()] {
			t.Errorf("two lines are called %q", g.Name())
		}
		names[g.Name()] = true
	}
	works(t, func(t *testing.T, w race.Work) {
		sides, found := map[string]bool{}, 0
		for _, s := range w.Sides {
			if sides[s.Name] {
				t.Errorf("%s: two sides are called %s", w.Title(), s.Name)
			}
			sides[s.Name] = true
		}
		for _, g := range all {
			if g.Row != w.Row || g.Work != w.Name {
				continue
			}
			found++
			if _, isFigure := w.Figures[g.Against]; !isFigure && (!sides[g.Against] || !sides[race.Ours]) {
				t.Errorf("%s: the goal against %s is about a side that is not there", w.Title(), g.Against)
			}
			delete(names, g.Name())
		}
		if found == 0 {
			t.Errorf("%s: no goal", w.Title())
		}
	})
	for name := range names {
		t.Errorf("%q is about a work that is not there", name)
	}
}
