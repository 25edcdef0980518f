package mutants

import "github.com/ttlpolicy/ttlpolicy/conformance"

// A Diagnosis is a misreading that an implementation probably has.
type Diagnosis struct {
	Mutant
	// Explained are the failed checks that the misreading explains and none
	// before it did, in the order of the suite.
	Explained []conformance.Check
	// Likeness is how well the checks that the mutant fails agree with all
	// that failed, from 0 to 1: the common ones by all (Jaccard index).
	Likeness float64
}

// Diagnose returns the misreadings that explain what an implementation fails:
// the one that explains most, then the one that explains most of the rest, and
// so on. The report must be of what the matrix's mutants claim; see [JudgeAs].
//
// A misreading is named if nine of ten checks that its mutant fails did fail.
// An implementation with several misreadings fails many more than any one of
// them makes it fail, so that likeness alone would find none; of misreadings
// that explain equally much the likest is named.
func (m *Matrix) Diagnose(r *conformance.Report) (found []Diagnosis) {
	all, open := map[string]bool{}, map[string]bool{}
	for _, c := range r.Failed() {
		all[key(c)], open[key(c)] = true, true
	}
	for {
		best := m.likeliest(all, open)
		if len(best.Explained) == 0 {
			return found
		}
		found = append(found, best)
		for _, c := range best.Explained {
			delete(open, key(c))
		}
	}
}

// key names a check.
func key(c conformance.Check) string { return c.Vector.ID + " " + c.Target.String() }

// likeliest returns the misreading that explains most of what is open.
func (m *Matrix) likeliest(failed, open map[string]bool) (best Diagnosis) {
	for _, r := range m.Rows {
		d := r.explain(failed, open)
		if n := len(d.Explained) - len(best.Explained); n > 0 || n == 0 && d.Likeness > best.Likeness {
			best = d
		}
	}
	return best
}

// explain returns what the misreading explains: nothing if the mutant does not
// behave as was seen.
func (r Row) explain(failed, open map[string]bool) Diagnosis {
	d := Diagnosis{Mutant: r.Mutant}
	common := 0
	for i, c := range r.Failed {
		if failed[r.keys[i]] {
			common++
		}
		if open[r.keys[i]] {
			d.Explained = append(d.Explained, c)
		}
	}
	if 10*common < 9*len(r.Failed) {
		return Diagnosis{}
	}
	d.Likeness = float64(common) / float64(max(1, len(r.Failed)+len(failed)-common))
	return d
}
