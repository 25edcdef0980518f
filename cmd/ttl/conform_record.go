package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
	"github.com/ttlpolicy/ttlpolicy/cmd/suite/results"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// record asks a system all questions, shows the progress, and stores each answer as it
// arrives.
func (f *conformRunFlags) record(cmd *cobra.Command, s *suite.Suite, system conformance.System) (*suite.Report, error) {
	r := &recorder{System: system, ctx: cmd.Context()}
	if !f.quiet {
		r.steps.to = cli.NewPrinter(cmd.ErrOrStderr())
	}
	if f.answers != "" {
		if err := r.open(f.answers); err != nil {
			return nil, err
		}
		defer r.file.Close()
	}
	answered, err := suite.Run(s, r)
	return answered, errors.Join(cli.WithExit(cli.ExitUnable, err), r.failed)
}

// interrupted returns the error of a run that was ended by Ctrl-C.
func (f *conformRunFlags) interrupted() error {
	text := "interrupted; with --answers FILE a later run would go on from here"
	if f.answers != "" {
		text = fmt.Sprintf("interrupted; the answers so far are in %s, and the same command goes on from there", f.answers)
	}
	return cli.WithExit(cli.ExitInterrupted, errors.New(text))
}

// A recorder asks a system the questions without a recorded answer, and records the answers.
type recorder struct {
	conformance.System
	ctx     context.Context
	earlier results.Answers
	file    *output.Handle // nil for none
	steps   steps
	failed  error
}

// open reads the answers in an existing file and appends to it, or creates the
// file.
func (r *recorder) open(path string) (err error) {
	begins, err := results.HeadLine(r.Hello())
	if err != nil {
		return err
	}
	text, err := output.ReadBack(path, maxResults)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if r.file, err = output.Append(path); err != nil {
		return outputError("answers", err)
	}
	defer func() {
		if err != nil {
			r.file.Close()
		}
	}()
	if len(text) > 0 {
		if r.earlier, err = results.ParseAnswers(text); err == nil {
			err = r.earlier.CheckSystem(r.Hello())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		begins = []byte("\n") // after a line that may have been cut
	}
	_, err = r.file.Write(begins)
	return err
}

// AskAll yields the recorded answers, and then each new answer as it arrives.
func (r *recorder) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		r.steps.begin(len(questions))
		defer r.steps.end()
		var open []int
		for i, q := range questions {
			a, ok := r.earlier.Answer(q)
			if !ok {
				open = append(open, i)
			} else if r.steps.step(); !yield(i, a) {
				return
			}
		}
		for at, a := range r.ask(questions, open) {
			if r.ctx.Err() != nil || !r.keep(questions[open[at]], a) || !yield(open[at], a) {
				return
			}
			r.steps.step()
		}
	}
}

// ask asks the questions at some positions.
func (r *recorder) ask(questions []conformance.Question, open []int) iter.Seq2[int, conformance.Answer] {
	list := make([]conformance.Question, len(open))
	for i, at := range open {
		list[i] = questions[at]
	}
	if b, ok := r.System.(conformance.Batcher); ok {
		return b.AskAll(list)
	}
	return func(yield func(int, conformance.Answer) bool) {
		for i, q := range list {
			if !yield(i, conformance.AskAll(r.System, []conformance.Question{q})[0]) {
				return
			}
		}
	}
}

// keep adds an answer to the file, and reports whether that succeeded.
func (r *recorder) keep(q conformance.Question, a conformance.Answer) bool {
	if r.file == nil {
		return true
	}
	line, err := results.AnswerLine(q, a)
	if err == nil && line != nil {
		_, err = r.file.Write(line)
	}
	r.failed = err
	return err == nil
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
