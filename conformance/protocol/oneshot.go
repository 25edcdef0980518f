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
	go p.process.writeAll([][]byte{p.greeting()})
	text, err := p.process.receive(p.options.OneShotTimeout)
	p.process.kill()
	switch {
	case err == errEnded:
		return h, fmt.Errorf("%w without an answer to hello: %s", err, p.process.exitReport())
	case err != nil:
		return h, fmt.Errorf("hello: %w", err)
	}
	return readHello(text)
}

// AskAll asks many questions. Where a one-shot program breaks, the first
// question without an answer is held responsible, and the program is started
// anew for those that are left.
func (p *Program) AskAll(questions []conformance.Question) []conformance.Answer {
	b := &batch{questions: questions, answers: make([]conformance.Answer, len(questions))}
	if !p.options.OneShot {
		for i, q := range questions {
			p.store(b, i, p.Ask(q))
		}
		return b.answers
	}
	for p.plan(b); len(b.asked) > 0; p.plan(b) {
		if err := p.askOneShot(b); err != nil {
			p.record(b, b.culprit(), failed(err))
		}
	}
	return b.answers
}

// A batch is questions with the answers that there are so far.
type batch struct {
	questions []conformance.Question
	answers   []conformance.Answer
	size      int   // of the answers, in bytes
	asked     []int // the positions of the questions of one run; their requests are numbered from 1
}

func (b *batch) isOpen(i int) bool { return b.answers[i].Kind == conformance.KindNone }

// culprit returns the position of the first question of a run without an answer.
func (b *batch) culprit() int {
	for _, i := range b.asked {
		if b.isOpen(i) {
			return i
		}
	}
	return b.asked[len(b.asked)-1] // all answered; the last one then broke it
}

// plan chooses the questions of the next run, and answers those that are not
// asked any more.
func (p *Program) plan(b *batch) {
	b.asked = nil
	for i, q := range b.questions {
		if !b.isOpen(i) {
			continue
		}
		if a, isGivenUp := p.giveUp(q); isGivenUp {
			b.answers[i] = a
			continue
		}
		b.asked = append(b.asked, i)
	}
}

// record stores an answer, and notes how the question was answered.
func (p *Program) record(b *batch, i int, a conformance.Answer) {
	p.store(b, i, a)
	p.note(b.questions[i], b.answers[i].Kind)
}

// maxAnswers is how many bytes of answers are kept of questions that are asked at
// once.
const maxAnswers = 32 << 20

// store keeps an answer, unless all together become too long.
func (p *Program) store(b *batch, i int, a conformance.Answer) {
	size := len(a.Out) + len(a.Text)
	if a.Refusal != nil {
		size += len(a.Refusal.Class) + len(a.Refusal.CodeName) + len(a.Refusal.Message)
	}
	if b.size+size > maxAnswers {
		p.note(b.questions[i], conformance.KindBreach)
		a, size = conformance.Answer{Kind: conformance.KindBreach, Text: "the answers take more than 32 MiB together"}, 0
	}
	b.answers[i], b.size = a, b.size+size
}

// askOneShot runs the program once.
func (p *Program) askOneShot(b *batch) (err error) {
	if p.process, err = startProcess(p.ctx, p.argv); err != nil {
		return err
	}
	lines := [][]byte{p.greeting()}
	for i, position := range b.asked {
		lines = append(lines, run(i+1, b.questions[position]).line())
	}
	go p.process.writeAll(lines)
	text, err := p.process.receive(p.options.OneShotTimeout)
	if err == nil {
		_, err = readHello(text)
	}
	for range b.asked { // answers come in any order
		if err == nil {
			err = p.receiveAnswer(b)
		}
	}
	if err != nil {
		return p.reap(err)
	}
	p.Close()
	return nil
}

// burst is how many times as long as for one answer the next ones may take,
// where output comes in blocks.
const burst = 5

func (p *Program) receiveAnswer(b *batch) error {
	text, err := p.process.receive(burst * p.options.Timeout)
	if err != nil {
		return err
	}
	r, err := readReply(text)
	if err != nil {
		return breach("%v", err)
	}
	seq, ok := r.number()
	if !ok || seq < 1 || seq > len(b.asked) || !b.isOpen(b.asked[seq-1]) {
		return breach("an answer to nothing: %s", clip(text))
	}
	p.record(b, b.asked[seq-1], r.answer())
	return nil
}
