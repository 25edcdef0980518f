// Command peers measures the library against everything a user would pick
// instead, and against the limits of any implementation. It makes the table of
// ratios in docs/performance.md.
//
//	go run ./conformance/lab/peers
//
// It first checks that all sides give the same answers, then runs them in turn
// and compares medians of that one run. It measures the public API, except for
// numbers and columns (G9 to G12), which are internal packages. It is a module of
// its own because the peers are heavy: a database driver, four policy languages,
// five readers of JSON.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/race"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/report"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/rows"
)

func main() {
	if err := newCommand().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

type options struct {
	rows        []string
	rounds      int
	quick, full bool
	write       bool
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "peers",
		Short: "Measure the library against what a user would pick instead",
		Long: `peers runs the library and its peers on the same inputs, in turn, and prints the
ratios of their medians beside the goals of internal/goals/goals.tsv. It first checks that they give the same
answers; if they do not, it prints nothing but the first disagreement.

A ratio is how many times as long the peer takes, unless the goal says "at most".
A line that is not met does not make the command fail: run it on a quiet machine.`,
		Example: `  # the whole table, about two minutes
  go run ./conformance/lab/peers
  # one row, with more rounds than usual
  go run ./conformance/lab/peers --row G3 --rounds 21
  # the same as benchmarks, for benchstat and for profiles
  go test -run '^$' -bench Peers/G7 -count 10 ./conformance/lab/peers >peers.txt
  go -C .ci/tools tool benchstat -col /side $PWD/peers.txt
  # how cost grows with the document
  go test -run '^$' -bench Growth ./conformance/lab/peers
  # every line within 45 s
  go run ./conformance/lab/peers --quick`,
		Args:          cobra.NoArgs,
		SilenceErrors: true, // main prints the error
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.rows, "row", nil, "only these rows, such as G3 or G7,G8")
	f.IntVar(&o.rounds, "rounds", 0, "how often each side has its turn (default 51, quick 15)")
	f.BoolVar(&o.quick, "quick", false, "short turns and small sweeps: a first look")
	f.BoolVar(&o.full, "full", false, "sweeps of 10,000,000 documents: some 3 GB of memory and ten minutes")
	f.BoolVar(&o.write, "write", false, "write "+report.Page+" and its charts, from the checkout's root, with how cost grows")
	cmd.MarkFlagsMutuallyExclusive("quick", "full")
	cmd.MarkFlagsMutuallyExclusive("write", "row")
	cmd.MarkFlagsMutuallyExclusive("write", "quick")
	return cmd
}

func run(o options, out, progress io.Writer) error {
	if o.rounds < 0 {
		return fmt.Errorf("--rounds %d: want a number of turns, or 0 for the default", o.rounds)
	}
	lines, err := measure(o, progress)
	if err != nil {
		return err
	}
	if o.write {
		return report.Write(".", lines, measureCurves(o, progress), o.conditions())
	}
	return report.Text(out, lines)
}

// measure runs the works of the chosen rows.
func measure(o options, progress io.Writer) (lines []goals.Line, err error) {
	chosen, err := o.chosen()
	if err != nil {
		return nil, err
	}
	for _, row := range chosen {
		fmt.Fprintf(progress, "%s…\n", row.Name)
		for w := range row.Works(o.size()) {
			measured, err := goals.Measure(w, o.pace())
			if err != nil {
				return nil, err
			}
			lines = append(lines, measured...)
		}
	}
	return lines, nil
}

func measureCurves(o options, progress io.Writer) (measured []curve.Curve) {
	for _, c := range curve.All() {
		fmt.Fprintf(progress, "%s…\n", c.Name)
		measured = append(measured, c.Measure(o.pace()))
	}
	return measured
}

// chosen returns the rows that the command line names.
func (o options) chosen() (chosen []rows.Row, err error) {
	all := rows.All()
	if len(o.rows) == 0 {
		return all, nil
	}
	for _, name := range o.rows {
		i := slices.IndexFunc(all, func(r rows.Row) bool { return strings.EqualFold(r.Name, name) })
		if i < 0 {
			return nil, fmt.Errorf("no row %q; the rows are G1 to %s", name, all[len(all)-1].Name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// pace returns many short turns rather than a few long ones. Another process then
// disturbs only few of the turns, and the median ignores these.
func (o options) pace() race.Pace {
	p := race.Pace{Rounds: 51, Turn: time.Millisecond}
	if o.quick {
		p = race.Pace{Rounds: 15, Turn: time.Millisecond / 2}
	}
	if o.rounds > 0 {
		p.Rounds = o.rounds
	}
	return p
}

// conditions returns the conditions of the run, for the page.
func (o options) conditions() report.Conditions {
	p, s := o.pace(), o.size()
	return report.Conditions{Day: time.Now(), Machine: report.Machine(), Rounds: p.Rounds, Turn: p.Turn, Sweep: s.Sweep, Rows: s.Rows}
}

func (o options) size() rows.Size {
	switch {
	case o.quick:
		return rows.Size{Items: 1 << 16, Sweep: 200_000, SweepBytes: 64 << 20, Rows: 1 << 20}
	case o.full:
		return rows.Size{Items: 1 << 16, Sweep: 10_000_000, SweepBytes: 2 << 30, Rows: 100_000_000}
	}
	return rows.Size{Items: 1 << 16, Sweep: 1_000_000, SweepBytes: 512 << 20, Rows: 1 << 24}
}
