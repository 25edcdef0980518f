// Opmutants changes one operator of the deciding packages after the other and
// counts how many of the changes the vectors of the suite notice:
//
//	go run ./cmd/internal/tools/opmutants
//
// in the checkout. There is a single build, in which a switch makes one mutant
// live at a time, and a mutant meets only the vectors that pass its site. See
// docs/operator-mutants.md for what survives, and for why this is not
// somebody else's tool.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

func main() {
	asJSON := flag.Bool("json", false, "write everything as JSON")
	least := flag.Float64("min", 95, "fail below this percentage of the mutants that change an answer")
	flag.Parse()
	score, err := run(".", "./mongo", "./cosmos")
	if err == nil {
		err = score.write(os.Stdout, *asJSON)
	}
	if err == nil && score.percentage() < *least {
		err = fmt.Errorf("%.1f %% are killed, want %.1f %%", score.percentage(), *least)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A score is how the mutants ended.
type score struct {
	Total  int `json:"total"`
	Killed int `json:"killed"` // by a vector
	// Gaps survive the vectors, but a generated question is answered
	// otherwise: there should be a vector like it.
	Gaps []mutant `json:"gaps"`
	// Same survive, and no question was found that they answer otherwise:
	// most of them change nothing that an answer shows.
	Same []mutant `json:"same"`
	// Unreached is how many have a site that neither vectors nor questions
	// pass.
	Unreached int `json:"unreached"`
}

// count counts how mutants ended.
func (s *score) count(mutants []mutant) {
	s.Total, s.Gaps, s.Same = len(mutants), []mutant{}, []mutant{}
	for _, m := range mutants {
		switch {
		case m.killed:
			s.Killed++
		case m.Question != "":
			s.Gaps = append(s.Gaps, m)
		case m.reached:
			s.Same = append(s.Same, m)
		default:
			s.Unreached++
		}
	}
}

// percentage is how many are killed of those that change an answer.
func (s *score) percentage() float64 {
	return 100 * float64(s.Killed) / float64(max(s.Killed+len(s.Gaps), 1))
}

func (s *score) write(w io.Writer, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(w, s)
	}
	for _, m := range s.Same {
		fmt.Fprintf(w, "same %s\n", m)
	}
	for _, m := range s.Gaps {
		fmt.Fprintf(w, "gap  %s\n     %s\n", m, m.Question)
	}
	_, err := fmt.Fprintf(w, "%d mutants: %d killed by vectors, %d by generated questions alone, %d change no answer that was found, %d not reached: %.1f %%\n",
		s.Total, s.Killed, len(s.Gaps), len(s.Same), s.Unreached, s.percentage())
	return err
}
