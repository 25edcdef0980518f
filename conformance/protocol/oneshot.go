package protocol

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// greetOnce says hello to a program that answers at the end of its input.
func (p *Program) greetOnce() (h conformance.Hello, err error) {
	if p.process, err = startProcess(p.ctx, p.argv); err != nil {
		return h, err
	}
	defer func() { p.process = nil }()
	go p.process.write([][]byte{p.greeting()})
	text, err := p.process.receive(p.options.OneShotTimeout)
	p.process.kill()
	switch {
	case err == errEnded:
		return h, fmt.Errorf("%w without an answer to hello: %s", err, p.process.obituary())
	case err != nil:
		return h, fmt.Errorf("hello: %w", err)
	}
	return readHello(text)
}

// write writes lines and ends the input. It fails silently where the program
// has ended: the answers tell.
func (p *process) write(lines [][]byte) {
	defer p.stdin.Close()
	for _, text := range lines {
		if _, err := p.stdin.Write(append(text, '\n')); err != nil {
			return
		}
	}
}

// AskAll asks many questions. Where a one-shot program breaks, the first
// question without an answer is taken to have broken it, and the program is
// started anew for those that are left.
func (p *Program) AskAll(questions []conformance.Question) []conformance.Answer {
	v := &volley{questions, make([]conformance.Answer, len(questions))}
	if !p.options.OneShot {
		for i, q := range questions {
			v.answers[i] = p.Ask(q)
		}
		return v.answers
	}
	for left := p.left(v); len(left) > 0; left = p.left(v) {
		if err := p.shoot(v, left); err != nil {
			p.settle(v, v.first(left), failed(err))
		}
	}
	return v.answers
}

// A volley is questions with the answers that there are so far.
type volley struct {
	questions []conformance.Question
	answers   []conformance.Answer
}

func (v *volley) isOpen(i int) bool { return v.answers[i].Kind == conformance.KindNone }

// first returns the first of the positions whose question has no answer.
func (v *volley) first(positions []int) int {
	for _, i := range positions {
		if v.isOpen(i) {
			return i
		}
	}
	return positions[len(positions)-1] // all answered; the last one then broke it
}

// left returns the positions of questions that are still to be asked, and
// settles those that are spared.
func (p *Program) left(v *volley) (positions []int) {
	for i, q := range v.questions {
		if !v.isOpen(i) {
			continue
		}
		a, isSpared := p.spare(q)
		if !isSpared {
			positions = append(positions, i)
			continue
		}
		v.answers[i] = a
	}
	return positions
}

// settle takes in an answer.
func (p *Program) settle(v *volley, i int, a conformance.Answer) {
	v.answers[i] = a
	p.note(v.questions[i], a.Kind)
}

// shoot runs the program once for the questions in some positions.
func (p *Program) shoot(v *volley, positions []int) error {
	process, err := startProcess(p.ctx, p.argv)
	if err != nil {
		return err
	}
	p.process = process
	lines := [][]byte{p.greeting()}
	for i, position := range positions {
		lines = append(lines, run(i+1, v.questions[position]).line())
	}
	go process.write(lines)
	if err := p.collect(v, positions); err != nil {
		return p.bury(err)
	}
	p.Close()
	return nil
}

// collect reads answers, in whatever order they come, until all are there.
func (p *Program) collect(v *volley, positions []int) error {
	text, err := p.process.receive(p.options.OneShotTimeout)
	if err == nil {
		_, err = readHello(text)
	}
	for range positions {
		if err == nil {
			err = p.collectOne(v, positions)
		}
	}
	return err
}

// burst is how many times as long as for one answer the next ones may take,
// where output comes in blocks.
const burst = 5

func (p *Program) collectOne(v *volley, positions []int) error {
	text, err := p.process.receive(burst * p.options.Timeout)
	if err != nil {
		return err
	}
	r, err := readReply(text)
	if err != nil {
		return breach("%v", err)
	}
	seq, ok := r.number()
	if !ok || seq < 1 || seq > len(positions) || !v.isOpen(positions[seq-1]) {
		return breach("an answer to nothing: %s", clip(text))
	}
	p.settle(v, positions[seq-1], r.answer())
	return nil
}
