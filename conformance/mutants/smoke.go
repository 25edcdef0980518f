package mutants

import "github.com/ttlpolicy/ttlpolicy/conformance"

// Smoke returns few vectors that together kill every mutant that any vector
// kills with an attributed kill: the quickest look at an implementation. It
// takes the vector that kills most, then the one that kills most of the
// others, and so on; of equals the first in the suite.
func (m *Matrix) Smoke() (chosen []*conformance.Vector) {
	kills := map[*conformance.Vector][]int{}
	for i, r := range m.Rows {
		for _, v := range r.Attributed() {
			kills[v] = append(kills[v], i)
		}
	}
	dead := make([]bool, len(m.Rows))
	for {
		best, most := m.strongest(kills, dead)
		if most == 0 {
			return chosen
		}
		chosen = append(chosen, best)
		for _, i := range kills[best] {
			dead[i] = true
		}
	}
}

// strongest returns the vector that kills most of the mutants that are not
// dead, and how many.
func (m *Matrix) strongest(kills map[*conformance.Vector][]int, dead []bool) (best *conformance.Vector, most int) {
	for _, v := range m.Suite.Vectors {
		n := 0
		for _, i := range kills[v] {
			if !dead[i] {
				n++
			}
		}
		if n > most {
			best, most = v, n
		}
	}
	return best, most
}
