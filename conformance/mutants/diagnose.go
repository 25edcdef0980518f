package mutants

import "slices"

// A Diagnosis is a misreading that an implementation probably has.
type Diagnosis struct {
	Mutant
	// Explained are the failed vectors that the misreading explains.
	Explained []string
	// Likeness is how well the vectors that the mutant fails agree with those
	// that were seen to fail, from 0 to 1: common ones by all (Jaccard index).
	Likeness float64
}

// Diagnose returns the misreadings that explain what an implementation fails,
// the one that explains most first, then those that explain most of the rest.
// Both lists hold identifiers of vectors: those that were judged, and those of
// them that failed.
//
// A misreading is named if nine of ten of the judged vectors that its mutant
// fails did fail. An implementation with several misreadings fails many more
// than any one of them makes it fail, so that likeness alone finds none; of
// misreadings that explain equally much, the likest is named.
func (m *Matrix) Diagnose(judged, failed []string) (found []Diagnosis) {
	asked, open := setOf(judged), setOf(failed)
	seen := setOf(failed)
	for {
		best := m.likeliest(asked, seen, open)
		if len(best.Explained) == 0 {
			return found
		}
		found = append(found, best)
		for _, id := range best.Explained {
			delete(open, id)
		}
	}
}

// likeliest returns the misreading that explains most of what is open.
func (m *Matrix) likeliest(asked, seen, open map[string]bool) (best Diagnosis) {
	for _, r := range m.Rows {
		d, ok := r.explain(asked, seen, open)
		if n := len(d.Explained) - len(best.Explained); ok && (n > 0 || n == 0 && d.Likeness > best.Likeness) {
			best = d
		}
	}
	return best
}

// explain returns what the mutant explains; false if it does not behave as was
// seen.
func (r Row) explain(asked, seen, open map[string]bool) (d Diagnosis, ok bool) {
	d.Mutant = r.Mutant
	fails, common := 0, 0
	for _, v := range r.Vectors() {
		if !asked[v.ID] {
			continue
		}
		fails++
		if seen[v.ID] {
			common++
		}
		if open[v.ID] {
			d.Explained = append(d.Explained, v.ID)
		}
	}
	slices.Sort(d.Explained)
	d.Likeness = float64(common) / float64(max(1, fails+len(seen)-common))
	return d, common > 0 && 10*common >= 9*fails
}

func setOf(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
}
