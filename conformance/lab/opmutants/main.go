// Opmutants changes the operators of the deciding packages one after the other,
// and counts how many of the changes the vectors of the suite notice:
//
//	go run ./conformance/lab/opmutants
//
// Run it in the checkout. It changes mongo, internal/mongo and cosmos, and the packages
// in folders below them. With -every 8 it judges only each eighth change. There is a single build, in
// which a switch activates one mutant at a time, and a mutant is asked only the vectors
// that execute the changed place. See docs/mutants.md for the survivors, and for why
// existing tools do not fit.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

func main() {
	least := flag.Float64("min", 95, "fail below this percentage of the mutants that change an answer")
	every := flag.Int("every", 1, "judge one mutant out of this many")
	flag.Parse()
	if *every < 1 {
		fmt.Fprintln(os.Stderr, "-every: want 1 or more")
		os.Exit(2)
	}
	score, err := run(".", *every, "mongo", "internal/mongo", "cosmos")
	if err == nil {
		err = score.write(os.Stdout)
	}
	if err == nil && score.percentage() < *least {
		err = fmt.Errorf("%.1f %% of the mutants that change an answer are killed, want %.1f %%", score.percentage(), *least)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A score counts the mutants by outcome.
type score struct {
	Total  int
	Killed int // by a vector
	// Gaps survive the vectors, but change the answer to a generated question: the suite
	// lacks a vector like that question.
	Gaps []mutant
	// Same are survivors that answer all tried questions like the original code. Most of
	// them change nothing that an answer shows.
	Same []mutant
	// Unreached counts mutants at a place that neither vectors nor questions reach.
	Unreached int
}

// count counts mutants by outcome.
func (s *score) count(mutants []mutant) {
	for _, m := range mutants {
		if m.skipped {
			continue
		}
		s.Total++
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

// percentage is the share of killed mutants among those that change an answer.
func (s *score) percentage() float64 {
	return 100 * float64(s.Killed) / float64(max(s.Killed+len(s.Gaps), 1))
}

func (s *score) write(w io.Writer) error {
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

// load reads and checks the packages in some folders of the checkout and below them.
func load(root string, folders ...string) ([]*packages.Package, error) {
	patterns := make([]string, len(folders))
	for i, folder := range folders {
		patterns[i] = "./" + folder + "/..."
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, patterns...)
	for _, p := range loaded {
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
	}
	return slices.DeleteFunc(loaded, func(p *packages.Package) bool { return len(p.Syntax) == 0 }), err // tests alone
}
