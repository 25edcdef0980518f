package main

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// record asks a system all questions, and shows the progress.
func (f *conformRunFlags) record(cmd *cobra.Command, s *suite.Suite, system conformance.Batcher) (*suite.Report, error) {
	r := &recorder{Batcher: system, ctx: cmd.Context()}
	if !f.quiet {
		r.steps.to = cli.NewPrinter(cmd.ErrOrStderr())
	}
	answered, err := suite.Run(s, r)
	return answered, cli.WithExit(cli.ExitUnable, err)
}

var errInterrupted = cli.WithExit(cli.ExitInterrupted, errors.New("interrupted"))

// A recorder asks a system, and shows the progress.
type recorder struct {
	conformance.Batcher
	ctx   context.Context
	steps steps
}

// AskAll yields each answer as it arrives.
func (r *recorder) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		r.steps.begin(len(questions))
		defer r.steps.end()
		for at, a := range r.Batcher.AskAll(questions) {
			if r.ctx.Err() != nil || !yield(at, a) {
				return
			}
			r.steps.step()
		}
	}
}

// stepsEvery is the time between lines of progress if the output is not a terminal.
const stepsEvery = 10 * time.Second

// steps show the progress of a run: a bar on a terminal, a line now and then
// elsewhere.
type steps struct {
	to          *cli.Printer // nil to show nothing
	bar         *progressbar.ProgressBar
	done, total int
	shown       time.Time
}

func (s *steps) begin(total int) {
	s.done, s.total, s.shown = 0, total, time.Now()
	if s.to == nil || !cli.IsTerminal(s.to.W) {
		return
	}
	s.bar = newBar(s.to.W, int64(total), "asking", progressbar.OptionShowCount())
}

func (s *steps) step() {
	s.done++
	switch {
	case s.bar != nil:
		s.bar.Add(1) // an error of the bar does not matter
	case s.to != nil && time.Since(s.shown) >= stepsEvery:
		s.to.Line("%s of %s questions are answered", cli.Number(int64(s.done)), cli.Number(int64(s.total)))
		s.shown = time.Now()
	}
}

func (s *steps) end() {
	if s.bar != nil {
		s.bar.Finish()
		s.bar = nil
	}
}
